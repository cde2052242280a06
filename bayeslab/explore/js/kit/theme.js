// Colours, markers and the two themes.

// The colours and the markers of bayeslab.plotting, in its order; a marker is a path about the origin.
export const COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999933", "#000000",
  "#882255", "#44AA99"];

export const MARKERS = ["M-4.6,0a4.6,4.6 0 1,0 9.2,0a4.6,4.6 0 1,0 -9.2,0Z", "M0,-5.4L5.2,4.2H-5.2Z",
  "M-4.2,-4.2H4.2V4.2H-4.2Z", "M0,-5.8L5.8,0L0,5.8L-5.8,0Z", "M0,5.4L5.2,-4.2H-5.2Z",
  "M-1.8,-5.4H1.8V-1.8H5.4V1.8H1.8V5.4H-1.8V1.8H-5.4V-1.8H-1.8Z",
  "M-5.2,-2.6L-2.6,-5.2L0,-2.6L2.6,-5.2L5.2,-2.6L2.6,0L5.2,2.6L2.6,5.2L0,2.6L-2.6,5.2L-5.2,2.6L-2.6,0Z",
  "M0,-6L1.4,-1.9H5.7L2.3,.7L3.5,4.9L0,2.4L-3.5,4.9L-2.3,.7L-5.7,-1.9H-1.4Z", "M-5.4,0L4.2,-5.2V5.2Z",
  "M5.4,0L-4.2,-5.2V5.2Z"];

/** Colour and marker of each class: its place among all `classes`; one that is not among them takes what is free. */
export function stylesOf(names, classes) {
  const styles = names.map((name) => classes.indexOf(name)).map((i) => (i < COLORS.length ? i : -1));
  const places = [...COLORS.keys()], start = classes.length % COLORS.length;
  const free = [...places.slice(start), ...places.slice(0, start)].filter((i) => !styles.includes(i));
  return styles.map((i) => (i < 0 ? free.shift() : i));
}

// Numbers of colours: of what belongs to no class, and of what comes from the true densities.
export const INK = 7;
export const TRUTH = 8;

// Shares of the class colour in regions (pale), posterior shading (strong) and what lies under a curve (fill); sizes are multiples of `size`.
export const LIGHT = {
  background: [255, 255, 255], ink: "#1f2328", muted: "#59636e", grid: "#00000020", pale: 0.22, strong: 0.45, fill: 0.12,
  size: 1,
};

export const DARK = {
  background: [20, 23, 28], ink: "#f0f3f6", muted: "#9aa7b4", grid: "#ffffff1a", pale: 0.27, strong: 0.45, fill: 0.3,
  size: 1,
};

/** For the last row of a lecture hall. */
export const enlarged = (theme) => ({ ...theme, size: 1.4 });

export const fontOf = ({ size }) => `${Math.round(13 * size)}px system-ui, sans-serif`;

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
export const mixed = (from, to, share) => from.map((value, i) => value + share * (to[i] - value));
export const packed = ([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r;
export const css = (color) => `rgb(${color.map(Math.round).join()})`;

/** Colour number i as red, green and blue; black, which a dark page would swallow, is the ink. */
export const tone = (theme, i) => rgb(COLORS[i] === "#000000" ? theme.ink : COLORS[i]);

/** The same for lines and points, which stand on a pale tone of it: nearer to the ink, 3:1 at least. */
export const lineColor = (theme, i) => css(lineTone(theme, i));
export const lineTone = (theme, i) => mixed(tone(theme, i), rgb(theme.ink), 0.36);

/** The same for what is filled, and as a pixel of this very colour. */
export const paleColor = (theme, i) => css(pale(theme, i));
export const palePacked = (theme, i) => packed(pale(theme, i).map(Math.round));
const pale = (theme, i) => mixed(theme.background, tone(theme, i), theme.pale);

/** JupyterLab's theme where there is one, else the system's; paper is light. */
export function isDark(element) {
  const jupyter = element.closest("[data-jp-theme-light]");
  if (window.matchMedia("print").matches) return false;
  return jupyter ? jupyter.dataset.jpThemeLight === "false" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}
