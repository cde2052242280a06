// The normal distribution in one dimension.

/** The density of N(mean, sigma²), as a function of x. */
export const bell = (mean, sigma) => (x) =>
  Math.exp(-(((x - mean) / sigma) ** 2) / 2) / (sigma * Math.sqrt(2 * Math.PI));
