// A deck: formulas first, then letters as large as the slide allows, then reveal.js.
const LARGE = 30, LARGEST = 34, SMALL = 24, ASKED = 42; // size of letters, in pixels of a slide 1280 wide

function select() {
  const short = new URLSearchParams(location.search).has("short");
  document.documentElement.classList.toggle("short", short);
  if (!short) return;
  const all = (selector) => [...document.querySelectorAll(selector)];
  all(".slides > section:not([data-short]), li:has(> .long:empty), .long").forEach((each) => each.remove());
  all(".fragment, .lead").filter((each) => !each.textContent.trim()).forEach((each) => each.remove());
  for (const each of all("section[data-joins]")) {
    for (const part of [".body", ".notes"])
      each.previousElementSibling.querySelector(part).append(...each.querySelectorAll(`${part} > :not(h3)`));
    each.remove();
  }
}

const overflows = (body) =>
  body.scrollHeight > body.clientHeight + 1 ||
  [...body.querySelectorAll("pre, .html, .table")].some((each) => each.scrollWidth > each.clientWidth + 1);

// Letters shrink by steps until all fits; a formula that is too wide shrinks alone.
function fit(body) {
  let size = body.closest(".predict") ? ASKED : body.closest(".title, .heading, .takeaway") ? LARGEST : LARGE;
  body.style.fontSize = `${size}px`;
  while (size > SMALL && overflows(body)) body.style.fontSize = `${--size}px`;
  for (const pre of body.querySelectorAll("pre.output")) pre.classList.toggle("wrapped", pre.scrollWidth > pre.clientWidth);
  for (const formula of body.querySelectorAll('mjx-container[display="true"]')) {
    const share = formula.parentElement.clientWidth / formula.firstElementChild.getBoundingClientRect().width;
    if (share < 1) formula.style.fontSize = `${Math.floor(share * parseFloat(formula.style.fontSize))}%`;
  }
}

// An explorer holds the keys while it is used. Those of a clicker turn the slide all the same, and Esc gives all back.
addEventListener("message", ({ data }) => {
  if (data?.key === "PageDown") Reveal.next();
  if (data?.key === "PageUp") Reveal.prev();
  if (data?.key === "Escape") document.activeElement.blur();
});

// Digits choose a rule of the explorer on the slide, also before it was touched: reveal.js has no use for them.
addEventListener("keydown", ({ key, target }) => {
  const frame = Reveal.getCurrentSlide()?.querySelector("iframe");
  if (/^\d$/.test(key) && target === document.body) frame?.contentWindow.postMessage({ key }, "*");
});

// No line may begin with the comma behind a formula.
function bind(formula) {
  const next = formula.nextSibling;
  if (next?.nodeType !== Node.TEXT_NODE || !/^[.,:;?!)]/.test(next.data)) return;
  const both = document.createElement("span");
  both.style.whiteSpace = "nowrap";
  next.splitText(1);
  formula.before(both);
  both.append(formula, next);
}

// On paper all slides are shown at once, and reveal.js opens no frame.
function loadExplorers() {
  const loading = [...document.querySelectorAll("iframe")].map((frame) => new Promise((done) => {
    frame.addEventListener("load", done);
    frame.src = frame.dataset.src;
  }));
  return Promise.all(loading);
}

async function begin() {
  select();
  await MathJax.startup.promise;
  await MathJax.typesetPromise();
  document.querySelectorAll("aside.notes mjx-assistive-mml").forEach((each) => each.remove());
  document.querySelectorAll("mjx-container:not([display])").forEach(bind);
  await Promise.all([...document.images].map((image) => image.decode()));
  document.querySelectorAll(".body").forEach(fit);
  for (const frame of document.querySelectorAll("iframe")) {
    frame.addEventListener("load", () => frame.contentWindow.postMessage({ dark: false }, "*"));
  }
  document.documentElement.classList.remove("fitting");
  if (new URLSearchParams(location.search).get("view") === "print") await loadExplorers();
  await Reveal.initialize({
    width: 1280, height: 720, margin: 0, center: false, hash: true, transition: "none", slideNumber: "c/t", controls: false,
    scrollActivationWidth: null, pdfSeparateFragments: false, plugins: [RevealNotes],
  });
  document.documentElement.dataset.ready = "yes";
}
begin();
