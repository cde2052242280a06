// The plot of a cut: a curve for each class, filled where it wins.

import { h, setText } from "./kit/dom.js";
import { lineColor, paleColor } from "./kit/theme.js";
import { Stage } from "./kit/stage.js";

export class CutStage extends Stage {
  constructor(app) {
    super(app, {
      name: "cut", margins: [8, 16, 44, 54],
      axes: () => ["share of the way from P to Q", app.cut?.shares ? "share of votes" : "prior × density"],
      view: () => ({ x: [0, 1], y: [0, app.cut?.top ?? 1] }), draw: (plot) => this.drawCurves(plot), handles: () => [],
      label: () => `Prior × density of each class on the cut from P to Q. ${this.words()}`,
    });
    this.text = h("p.note");
    this.element.append(this.text);
  }

  draw(theme) {
    this.plot.aspect = this.app.state.compact ? 0.36 : 0.4;
    super.draw(theme);
  }

  drawCurves(plot) {
    const { cut, styles } = this.app, { theme } = plot;
    if (!cut) return;
    for (const { from, to, winner } of cut.pieces) {
      const end = (t) => [t, cut.valuesAt(t)[winner]], fill = paleColor(theme, styles[winner]);
      const within = cut.curves[winner].filter(([t]) => t > from && t < to);
      plot.drawLine([[from, 0], end(from), ...within, end(to), [to, 0]], { fill });
      if (to < 1) plot.drawLine([[to, 0], [to, cut.top]], { color: theme.ink, dash: [4, 4], width: 1.5 * theme.size });
    }
    cut.curves.forEach((places, k) => {
      plot.drawLine(places, { color: lineColor(theme, styles[k]), width: 2 * theme.size });
      const peak = places.reduce((best, place) => (place[1] > best[1] ? place : best));
      plot.drawMarkers([peak], () => styles[k], () => false, theme.size); // not by colour alone
    });
  }

  /** Who wins where, in words. */
  words() {
    const { cut, state: { class_names: names } } = this.app;
    if (!cut) return "No decision.";
    const [first, ...others] = cut.pieces, place = ({ from }) => this.app.place(cut.at(from));
    const rest = others.map((piece) => `; class ${names[piece.winner]} from ${place(piece)}`);
    return `Class ${names[first.winner]} wins at P${rest.join("")}.`;
  }

  describe() {
    super.describe();
    setText(this.text, this.words());
  }
}
