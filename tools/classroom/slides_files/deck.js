// A deck: formulas first, then letters as large as the slide allows, then reveal.js.
const LARGE = 30, LARGEST = 34, SMALL = 24; // size of letters, in pixels of a slide 1280 wide

function select() {
  const short = new URLSearchParams(location.search).has("minutes");
  document.documentElement.classList.toggle("short", short);
  if (short) document.querySelectorAll(".slides > section:not([data-short])").forEach((each) => each.remove());
}

const overflows = (body) =>
  body.scrollHeight > body.clientHeight + 1 ||
  [...body.querySelectorAll("pre, .html, .table")].some((each) => each.scrollWidth > each.clientWidth + 1);

// Letters shrink by steps until all fits; a formula that is too wide shrinks alone.
function fit(body) {
  let size = body.closest(".title, .heading, .predict, .takeaway") ? LARGEST : LARGE;
  body.style.fontSize = `${size}px`;
  while (size > SMALL && overflows(body)) body.style.fontSize = `${--size}px`;
  for (const pre of body.querySelectorAll("pre.output")) pre.classList.toggle("wrapped", pre.scrollWidth > pre.clientWidth);
  for (const formula of body.querySelectorAll('mjx-container[display="true"]')) {
    const share = formula.parentElement.clientWidth / formula.firstElementChild.getBoundingClientRect().width;
    if (share < 1) formula.style.fontSize = `${Math.floor(share * parseFloat(formula.style.fontSize))}%`;
  }
}

// An explorer that is taller than its frame is set smaller by steps, down to three quarters; then it scrolls inside.
function shrink(frame, height) {
  const scale = Number(frame.dataset.scale ?? 1);
  if (height <= frame.clientHeight || scale <= 0.75) return;
  const next = (frame.dataset.scale = Math.round(100 * scale - 4) / 100);
  frame.style.cssText = `transform: scale(${next}); width: ${100 / next}%; height: ${100 / next}%`;
}

// An explorer holds the keys while it is used. Those of a clicker turn the slide all the same.
addEventListener("message", ({ source, data }) => {
  if (data?.height) for (const frame of document.querySelectorAll("iframe")) if (frame.contentWindow === source) shrink(frame, data.height);
  if (data?.key === "PageDown") Reveal.next();
  if (data?.key === "PageUp") Reveal.prev();
});

// No line may begin with the comma behind a formula.
function bind(formula) {
  const next = formula.nextSibling;
  if (next?.nodeType === Node.TEXT_NODE && /^[.,:;?!)]/.test(next.data)) next.data = `\u2060${next.data}`;
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
  await Reveal.initialize({
    width: 1280, height: 720, margin: 0, center: false, hash: true, transition: "none", slideNumber: "c/t", controls: false,
    scrollActivationWidth: null, plugins: [RevealNotes],
  });
  document.documentElement.dataset.ready = "yes";
}
begin();
