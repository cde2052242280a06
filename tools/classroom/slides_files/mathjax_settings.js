// deck.js says when formulas are set: before the slides are measured.
window.MathJax = {
  tex: { inlineMath: [["$", "$"], ["\\(", "\\)"]], processEscapes: true },
  options: { skipHtmlTags: ["script", "style", "pre", "code", "textarea"] },
  startup: { typeset: false },
};
