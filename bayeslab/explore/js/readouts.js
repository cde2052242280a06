// What the explorer says in numbers and words.

import { argmax } from "./math/numbers.js";
import { errorRate } from "./math/error_rate.js";
import { conic } from "./math/conic.js";
import { countText, measured, percent, scientific, short } from "./kit/text.js";
import { h, setNumber, setText } from "./kit/dom.js";
import { sampleErrorOf, truthOf } from "./evaluation.js";
import { ConfusionTable } from "./confusion.js";
import { dashedEllipse } from "./ellipse.js";
import { isBetween } from "./rules.js";
import { MODES } from "./layout.js";

function titleOf({ rule, k, shared }) {
  if (rule === "kNN") return `k nearest neighbours, k = ${k}`;
  return isBetween(rule) ? `${rule}, ${short(shared)} shared` : rule;
}

/** Errors, confusion matrix and boundary of the rule on the screen, and what is under the pointer. */
export class Readouts {
  constructor(app) {
    const { parts } = app.panel;
    Object.assign(this, { app, parts, confusion: new ConfusionTable(app, parts.confusion) });
  }

  /** Write errors, confusion matrix and boundary of the rule on the screen. */
  write() {
    const { app, parts } = this, { state } = app, evaluation = app.ruleOf(state.rule);
    if (app.coarse && evaluation.slow) return; // `settle` comes back to it
    const truth = truthOf(state), bayes = errorRate(truth, truth, app.coarse ? 1e-6 : 1e-9);
    const trueError = (one) => (one.problem ? "no decision" : measured(one.trueError(truth, app.coarse)));
    for (const n of [1, 2, 3]) setText(parts[`source-${n}`], app.fitted ? "fitted Gaussians" : "true densities");
    setText(parts["mode-truth-text"], app.fitted ? "Fitted Gaussians" : MODES.truth);
    const errors = { sample: sampleError(evaluation), true: trueError(evaluation), bayes: measured(bayes) };
    for (const [name, text] of Object.entries(errors)) setNumber(parts[`${name}-error`], text);
    parts["sample-error"].parentElement.toggleAttribute("data-none", !state.points.length);
    const texts = { title: titleOf(state), ...this.boundaryTexts(evaluation) };
    for (const [name, text] of Object.entries(texts)) setText(parts[name], text);
    const dashed = evaluation.gaussians.some((g, k) => dashedEllipse(state, g, k));
    parts.dashed.hidden = !state.show_ellipses || !dashed;
    this.confusion.write(evaluation.sample?.().counts);
    if (!state.side_by_side) return;
    for (const { rule, caption } of app.panel.items) {
      const one = app.ruleOf(rule);
      if (app.coarse && one.slow) continue;
      const texts = [`sample ${sampleError(one, true)}`, `true ${one.problem ? "–" : trueError(one)}`];
      caption.replaceChildren(...texts.map((text) => h("span", {}, text)));
    }
  }

  boundaryTexts({ fit }) {
    const { class_names: names, priors } = this.app.state, never = priors.indexOf(0);
    const texts = { kind: "", equation: "", side: "" };
    if (!fit?.gaussians || names.length !== 2) return texts;
    if (never >= 0) return { ...texts, kind: `No boundary: class ${names[never]} has prior 0.` };
    const surface = conic(...fit.gaussians, fit.logPriors[0] - fit.logPriors[1]);
    return {
      kind: surface.kind === "none" ? "No boundary" : `Boundary: ${surface.kind}`,
      equation: equation(surface).replace(/ x/g, "\u00a0x").replace(/([−+=]) /g, "$1\u00a0"), // torn only before a sign
      side: `The left side is the log-odds, positive where class ${names[0]} wins.`,
    };
  }

  summary() {
    const { rule, means } = this.app.state;
    return `${means.length} classes, ${rule}. Error on the sample: ${sampleError(this.app.ruleOf(rule))}.`;
  }

  /** The decision at a place and its posterior, in words. */
  verdict(place) {
    const { state } = this.app, { fit, problem } = this.app.ruleOf(state.rule);
    if (problem) return `At ${this.app.place(place)}.`;
    const posterior = fit.posterior(...place);
    const winner = argmax(posterior), share = percent(posterior[winner], 3);
    return `At ${this.app.place(place)}: class ${state.class_names[winner]}, posterior ${share}.`;
  }

  showPlace(place) {
    this.place = place;
    setText(this.parts.place, place ? this.verdict(place) : "");
  }
}

function sampleError(evaluation, brief = false) {
  const error = sampleErrorOf(evaluation), { n } = evaluation;
  if (error === null) return brief ? "–" : evaluation.problem ? "no decision" : "no points";
  return brief ? percent(error, 3) : countText(Math.round(error * n), n);
}

/** "0.5 x₁² − x₁x₂ + … = 0" to three digits, without what is but rounding. */
export function equation({ W, w, w0, noise }) {
  const values = [W[0][0], 2 * W[0][1], W[1][1], w[0], w[1], w0];
  const names = [" x₁²", " x₁x₂", " x₂²", " x₁", " x₂", ""];
  const number = (value) => (value >= 1e-3 && value < 1e5 ? Number(value.toPrecision(3)) : scientific(value, 2));
  const term = (value, i) => `${value < 0 ? "−" : "+"} ${number(Math.abs(value))}${names[i]}`;
  const terms = values.map((value, i) => Math.abs(value) > noise[i] && term(value, i));
  return `${terms.filter(Boolean).join(" ").replace(/^\+ /, "").replace(/^− /, "−") || 0} = 0`;
}
