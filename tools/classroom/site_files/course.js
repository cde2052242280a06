// An explorer on a page: as tall as what it holds, and light or dark as the page.
const frames = () => document.querySelectorAll("iframe.explorer");
const dark = () => document.documentElement.dataset.theme === "dark";

function tell(frame) {
  frame.dataset.dark = dark();
  frame.contentWindow.postMessage({ dark: dark() }, "*");
}

addEventListener("message", ({ source, data }) => {
  for (const frame of frames()) {
    if (frame.contentWindow !== source || !(data.height > 0)) continue;
    if (!frame.matches(".hero")) frame.style.height = `${data.height + 2}px`; // that one is a window for what is in it
    if (frame.dataset.dark !== String(dark())) tell(frame);
  }
});
new MutationObserver(() => frames().forEach(tell)).observe(document.documentElement, { attributeFilter: ["data-theme"] });

// The theme names what unfolds "Toggle hidden content", whatever stands on it: whoever speaks to it says what stands there.
addEventListener("DOMContentLoaded", () => {
  const misnamed = document.querySelectorAll("summary[aria-label], .search-button__button[aria-label]");
  for (const element of misnamed) {
    // In a fold that is closed, there is no inner text.
    if (element.matches("summary") ? element.textContent.trim() : element.innerText.trim()) element.removeAttribute("aria-label");
  }
  // What has no name gets one or says that it needs none: arrows at the side, the side itself, the corners of tables.
  for (const arrow of document.querySelectorAll(".bd-sidenav summary")) {
    arrow.ariaLabel = `Pages of ${arrow.closest("li").querySelector("a").innerText}`;
  }
  for (const corner of document.querySelectorAll("th")) if (!corner.innerText.trim()) corner.role = "presentation";
  Object.assign(document.querySelector(".bd-sidebar-primary"), { role: "navigation", ariaLabel: "Course" });
});

// What a fold shows may be wider than the screen: the theme lets keys scroll it once it looks again.
addEventListener("toggle", () => dispatchEvent(new Event("resize")), true);

// From a disk no page may read another: no notebook can run, and the search lists pages without excerpts.
if (location.protocol === "file:") document.querySelector("p.run")?.remove();
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS === "object") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// On paper all is light and nothing unfolds: what was predicted is answered there, code and solutions stay folded; of
// the instructor's guide all is there.
const PRINTED = "details.hide.below-input, [id^='teaching-'] details";
addEventListener("beforeprint", () => {
  const { dataset } = document.documentElement;
  const theme = dataset.theme;
  dataset.theme = "light";
  for (const fold of document.querySelectorAll(PRINTED)) fold.open = true;
  addEventListener("afterprint", () => { dataset.theme = theme; }, { once: true });
});
