// The boundary explorer with challenges: a card above it says what to do, and ticks what is done.

import { button } from "./kit/controls.js";
import { h, setText } from "./kit/dom.js";
import { renderOf } from "./kit/canvas_explorer.js";
import { BoundaryExplorer } from "./boundary_explorer.js";
import { Facts } from "./facts.js";
import { CHALLENGES, isMet, startOf } from "./challenges.js";
import { choiceCodec } from "./kit/links.js";
import { CODECS } from "./state.js";

const IDS = CHALLENGES.map(({ id }) => id);

class ChallengeExplorer extends BoundaryExplorer {
  static links = { ...CODECS, challenge: choiceCodec(["all", ...IDS]), current: choiceCodec(["", ...IDS]) };
  static traits = Object.keys(this.links);

  accepts(state) {
    const { challenge, current } = state;
    return super.accepts(state) && (!current || (IDS.includes(current) && ["all", current].includes(challenge)));
  }

  build() {
    super.build();
    const { challenge: asked } = this.state;
    this.offered = CHALLENGES.filter(({ id }) => asked === "all" || asked === id);
    this.met = new Set(); // for as long as the page is open
    this.addChallengeCard();
    if (this.state.current) return; // a second view of the same widget, or a page that was saved on the way
    this.begin(this.offered[0].id);
    Object.assign(this.store, { first: this.state, past: [] });
  }

  get challenge() { return CHALLENGES.find(({ id }) => id === this.state.current); }

  addChallengeCard() {
    this.choice = h("select", {
      "data-bx": "challenge", "aria-label": "Challenge", onchange: ({ target }) => this.begin(target.value),
    }, ...this.offered.map(({ id }) => h("option", { value: id })));
    this.next = button("next-challenge", "Next challenge", () => this.beginNext());
    const [only, ...others] = this.offered;
    const name = others.length ? h("div.group", {}, this.choice, this.next) : h("h2", {}, only.title);
    this.task = h("p.task", { "data-bx": "task" });
    this.hint = h("p", { "data-bx": "challenge-hint" });
    this.help = h("details", {}, h("summary", {}, "A hint"), this.hint);
    this.verdict = h("p.met", { role: "status", "data-bx": "met" });
    const parts = [name, this.task, this.help, this.verdict];
    this.card = h("section.card.challenge", { "aria-label": "Challenge" }, ...parts);
  }

  beginNext() {
    const { offered } = this;
    this.begin(offered[(offered.indexOf(this.challenge) + 1) % offered.length].id);
  }

  begin(id) {
    const challenge = CHALLENGES.find((one) => one.id === id);
    this.help.open = false;
    this.replace({ ...startOf(challenge), current: id });
  }

  /** To the start of the challenge that is on the table. */
  reset() { return this.replace({ ...startOf(this.challenge), current: this.state.current }); }

  refresh() {
    super.refresh();
    const place = this.state.compact ? this.root.querySelector(".bx-side") : this.root; // where a slide has room
    if (this.card.parentElement !== place) place.prepend(this.card);
    this.writeChallenge();
  }

  write() {
    super.write();
    if (this.store.held || this.met.has(this.state.current)) return; // what is passed during a drag does not count
    if (!isMet(this.challenge, new Facts(this.state, (rule) => this.ruleOf(rule)))) return;
    this.met.add(this.state.current);
    this.writeChallenge();
  }

  writeChallenge() {
    const { challenge, offered, met } = this;
    [...this.choice.options].forEach((option, i) => {
      setText(option, `${met.has(offered[i].id) ? "✓ " : ""}${i + 1}. ${offered[i].title}`);
    });
    this.choice.value = challenge.id;
    setText(this.task, challenge.task);
    setText(this.hint, challenge.hint);
    const count = offered.length > 1 ? ` ${met.size} of ${offered.length} challenges done.` : "";
    setText(this.verdict, met.has(challenge.id) ? `✓ ${challenge.title}: you have done it.${count}` : "");
  }
}

const render = renderOf(ChallengeExplorer);

export default { render };
