// The boundary explorer with challenges: a strip of them, and a card that says what to do and ticks what is done.

import { button } from "./kit/controls.js";
import { h, setText } from "./kit/dom.js";
import { renderOf } from "./kit/canvas_explorer.js";
import { keep, kept } from "./kit/memory.js";
import { BoundaryBase } from "./boundary_explorer.js";
import { Facts } from "./facts.js";
import { CHALLENGES, isMet, startOf, strayed } from "./challenges.js";
import { choiceCodec } from "./kit/links.js";
import { CODECS } from "./state.js";
import { Gauge } from "./gauge.js";
import { Strip } from "./strip.js";

const IDS = CHALLENGES.map(({ id }) => id);
const COLUMN = 1100; // pixels: from there on the column beside the plot has room for the strip
const TICKS = "challenges"; // under which the browser keeps what is done
const CONTROLS = { rule: "rule", mode: "mode", k: "neighbours", shared: "between" }; // parts that choose these traits
const DEEDS = { // what to do where the classes stay as they are, by the trait that changes
  rule: "Choose a rule", k: "Choose k", shared: "Choose how much is shared", priors: "Change the priors",
  drawn: "Draw new points", added: "Add a point",
};
const WORDS = { covariances: "ellipses", mode: "choice of densities" }; // for traits that a task names otherwise

class ChallengeExplorer extends BoundaryBase {
  static links = {
    ...CODECS, challenge: choiceCodec(["all", ...IDS], "challenge"), current: choiceCodec(["", ...IDS], "challenge"),
  };
  static traits = Object.keys(this.links);
  static isNamed = true; // its tasks speak of A and B

  accepts(state) {
    const { challenge, current } = state;
    return super.accepts(state) && (!current || (IDS.includes(current) && ["all", current].includes(challenge)));
  }

  build() {
    super.build();
    const { challenge: asked } = this.state;
    this.offered = CHALLENGES.filter(({ id }) => asked === "all" || asked === id);
    const before = this.model.standsAlone ? kept(TICKS)?.split(",") ?? [] : [];
    this.met = new Set([...this.model.get("done"), ...IDS.filter((id) => before.includes(id))]);
    this.onDone = () => { this.met = new Set(this.model.get("done")); this.writeChallenge(); };
    this.model.on("change:done", this.onDone);
    this.addChallengeCard();
    this.panel.parts.hint.after(this.still = h("p.hint", { "data-bx": "still" }));
    if (this.state.current) return; // a second view of the same widget, or a page that was saved on the way
    this.begin(this.firstOpen(before).id);
    Object.assign(this.store, { first: this.state, past: [] });
  }

  /** Who comes back goes on with the first challenge without a tick; a link begins where it says. */
  firstOpen(ticked) {
    const isLinked = this.model.standsAlone && location.hash.length > 1, { offered } = this;
    return (!isLinked && offered.find(({ id }) => !ticked.includes(id))) || offered[0];
  }

  destroy() {
    this.model.off("change:done", this.onDone);
    super.destroy();
  }

  get challenge() { return CHALLENGES.find(({ id }) => id === this.state.current); }

  keeps(trait) { return Boolean(this.challenge?.keeps?.includes(trait)); }

  rareButtons(compact) { return [...(compact ? [] : [this.panel.parts.fit]), this.redoButton, this.resetButton]; }

  addChallengeCard() {
    const isOne = this.offered.length === 1;
    this.next = button("next-challenge", "Next", () => this.beginNext(), "Next challenge");
    this.heading = h("h2", { "data-bx": "challenge-title" });
    this.task = h("p.task", { "data-bx": "task" });
    this.gauge = new Gauge();
    this.hint = h("p.hinted", { "data-bx": "challenge-hint", "data-hide": "hint" });
    this.help = h("button.help", {
      type: "button", "data-bx": "help", "data-hide": "hint", onclick: () => this.showHint(this.hint.hidden),
    }, "Hint");
    this.verdict = h("p.met", { role: "status", "data-bx": "met" });
    const head = h("div.row", {}, this.heading, ...(isOne ? [] : [this.next]));
    this.reminder = h("p.message", { role: "status", "data-bx": "reminder" });
    const outcome = h("div.outcome", {}, this.help, this.reminder, this.verdict);
    const parts = [head, this.task, outcome, this.hint, this.gauge.element];
    this.card = h("section.card.challenge", { "aria-label": "Challenge" }, ...parts);
    this.showHint(false);
    if (isOne) return;
    this.strip = new Strip(this.offered, (id) => this.begin(id));
    this.panel.parts["side-place"].parentElement.before(this.strip.element);
    this.panel.parts.history.before(this.strip.progress);
  }

  beginNext() {
    const { offered } = this;
    this.begin(offered[(offered.indexOf(this.challenge) + 1) % offered.length].id);
  }

  begin(id) {
    const challenge = CHALLENGES.find((one) => one.id === id);
    this.showHint(false);
    const isOfPriors = challenge.solution.priors && !challenge.solution.means;
    const panel = isOfPriors ? "classes-panel" : startOf(challenge).points?.length ? "data" : "mistakes"; // a table of mistakes would go below the window
    if (!this.hides(this.panel.parts[panel].dataset.hide)) this.panel.tabs.show(panel);
    this.strip?.close();
    this.card.removeAttribute("data-new");
    this.replace({ ...startOf(challenge), current: id });
  }

  showHint(isShown) {
    this.hint.hidden = !isShown;
    this.help.setAttribute("aria-expanded", isShown);
  }

  /** To the start of the challenge that is on the table. */
  reset() { return this.replace({ ...startOf(this.challenge), current: this.state.current }); }

  refresh() {
    super.refresh();
    this.writeChallenge();
  }

  /** The card stands where the width has room for it: beside the plot, or above it; and so does the strip, below all else. */
  fit() {
    const side = this.panel.parts["side-place"], main = side.parentElement, { clientWidth } = this.root;
    const isBeside = this.state.compact || clientWidth >= 740, element = this.strip?.element;
    if (isBeside ? side.firstChild !== this.card : main.previousSibling !== this.card) {
      if (isBeside) side.prepend(this.card);
      else main.before(this.card);
    }
    const isColumn = !this.state.compact && clientWidth >= COLUMN;
    if (element && (element.parentElement === side) !== isColumn) {
      if (isColumn) side.append(element);
      else this.root.querySelector(":scope > .bx-challenge, :scope > .bx-main").before(element);
    }
    super.fit();
  }

  write() {
    super.write();
    const { challenge, state, store, met } = this, { slow } = this.ruleOf(state.rule);
    if (store.held && slow) return; // `settle` comes back to it
    const facts = new Facts(state, (rule) => this.ruleOf(rule));
    this.gauge.write(challenge.gauge, facts);
    if (store.held) return; // passing by does not count
    const moved = strayed(challenge, state).map((name) => WORDS[name] ?? name).join(" and ");
    setText(this.reminder, moved ? `Undo: the ${moved} must not change.` : "");
    if (met.has(state.current) || !isMet(challenge, facts)) return;
    this.tick(this.state.current);
  }

  /** Keep a tick: in Python or, on a page of its own, in the browser. */
  tick(id) {
    this.met.add(id);
    const done = IDS.filter((each) => this.met.has(each));
    this.model.set("done", done);
    this.model.save_changes();
    if (this.model.standsAlone) keep(TICKS, done.join());
    this.card.setAttribute("data-new", "");
    this.writeChallenge();
  }

  writeChallenge() {
    const { challenge, offered, met, card } = this, number = offered.indexOf(challenge) + 1;
    this.strip?.write(challenge, met);
    setText(this.heading, `${offered.length > 1 ? `${number}. ` : ""}${challenge.title}`);
    setText(this.task, challenge.task);
    setText(this.hint, challenge.hint);
    const count = offered.length > 1 ? `: ${met.size} of ${offered.length} challenges` : "";
    card.toggleAttribute("data-met", met.has(challenge.id));
    const isMet = met.has(challenge.id), way = isMet ? "Next" : "Skip";
    setText(this.next, way);
    this.next.ariaLabel = this.next.title = isMet ? "Next challenge" : "Skip this challenge";
    this.next.toggleAttribute("data-first", isMet);
    const isStill = ["means", "covariances"].every((name) => this.keeps(name));
    this.panel.parts.hint.toggleAttribute("hidden", isStill); // it says what to drag
    this.still.hidden = !isStill;
    setText(this.still, `${DEEDS[Object.keys(challenge.solution)[0]]}: the classes stay as they are.`);
    this.root.dataset.keeps = challenge.keeps?.join(" ") ?? "";
    this.showWhatServes(challenge);
    this.panel.parts.data.toggleAttribute("data-kept", this.keeps("points"));
    setText(this.verdict, met.has(challenge.id) ? `✓ You have done it${count}.` : "");
  }

  /** The controls that the task is about stand out; tools for points are away where there are none to add or to delete. */
  showWhatServes({ keeps = [], solution }) {
    const { stage, state, root, panel: { parts, tabs } } = this;
    const isBare = !state.points.length || keeps.includes("points");
    if (isBare && ["add", "delete"].includes(stage.tool)) stage.useTool("move");
    root.toggleAttribute("data-bare", isBare);
    setText(tabs.tabs.get("mistakes"), state.points.length ? "Mistakes" : "Equation"); // which is all that is left there
    for (const [trait, name] of Object.entries(CONTROLS)) parts[name].toggleAttribute("data-asked", trait in solution);
  }
}

const render = renderOf(ChallengeExplorer);

export default { render };
