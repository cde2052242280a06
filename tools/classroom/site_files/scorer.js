// The order of what the search finds: notebooks before the appendix and the reference, first those that are named so.
const asked = new URLSearchParams(location.search).get("q")?.toLowerCase().match(/[a-z0-9]+/g) ?? [];
var Scorer = { // Sphinx's own numbers, but for the first entry
  score: ([page, , , , score]) =>
    /^\d/.test(page) ? 50 + score + 100 * asked.filter((word) => page.split("_").includes(word)).length : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
