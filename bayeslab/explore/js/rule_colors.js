// Colours of the rules, on a light and on a dark page: others than those of classes. Python reads them as well.

export const RULE_COLORS = {
  "LDA": ["#7a5200", "#f0b84a"],
  "QDA": ["#8a2b66", "#e39cc6"],
  "RDA": ["#00626b", "#5fd0d8"],
  "naive": ["#4d6600", "#b8d24a"],
  "nearest mean": ["#4b3f99", "#b0a6f5"]
};
