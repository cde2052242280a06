// deck.js says when formulas are set: before the slides are measured.
window.MathJax = {
  tex: { inlineMath: [["$", "$"], ["\\(", "\\)"]], processEscapes: true },
  options: { skipHtmlTags: ["script", "style", "pre", "code", "textarea"] },
  svg: { scale: 0.93 },
  startup: { typeset: false },
};
