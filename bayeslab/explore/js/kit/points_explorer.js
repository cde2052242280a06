// What explorers of labelled points have in common: any point can be dragged, and what takes long is kept.

import { gaussian } from "../math/gaussian.js";
import { nearestWithin } from "./stage.js";
import { CanvasExplorer } from "./canvas_explorer.js";

/** The state of a subclass has `points`, `class_names` and `classes`; the stage of the points is `this.plane`. */
export class PointsExplorer extends CanvasExplorer {
  /** What `make` returns, kept under a name until something in the list `from` is another. */
  keep(name, from, make) {
    this.kept ??= {};
    if (!this.kept[name]?.from.every((value, i) => value === from[i])) this.kept[name] = { from, value: make() };
    return this.kept[name].value;
  }

  /** What `knownFrom(gaussians, priors)` makes of the densities behind the points, kept; null if nobody knows them. */
  truth() {
    const { means, covariances, priors } = this.state, from = [means, covariances, priors];
    const gaussians = () => means.map((mean, k) => gaussian(mean, covariances[k]));
    return means.length ? this.keep("truth", from, () => this.knownFrom(gaussians(), priors)) : null;
  }

  /** What moves point number i. */
  mover(i) {
    const { points } = this.state;
    return ([x, y]) => ({ points: points.with(i, [x, y, points[i][2]]) });
  }

  /** The pointer takes the nearest point, if one is within reach. */
  takePoint(place, event) {
    const { viewport } = this.plane, [u, v] = viewport.toPixel(...place);
    const pixels = this.state.points.map(([x, y], i) => ({ i, at: [x, y], pixel: viewport.toPixel(x, y) }));
    const reach = event.pointerType === "touch" ? 22 : 9;
    const found = nearestWithin(pixels, ({ pixel }) => Math.hypot(pixel[0] - u, pixel[1] - v), reach);
    if (!found) return null;
    return this.plane.dragHandle({ name: `point-${found.i}`, at: found.at, move: this.mover(found.i) }, place);
  }
}
