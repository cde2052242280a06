// The decision-boundary explorer: an anywidget module and, inlined by `BoundaryExplorer.save`, a page without Python.

import { MOST_POINTS } from "./constants.js";
import { renderOf } from "./kit/canvas_explorer.js";
import { BoundaryBase } from "./boundary_explorer.js";
import { columnsShown, fittedTo, tableOf } from "./data.js";
import { DEFAULTS } from "./state.js";
import { addTables, knownTable } from "./table/table_picker.js";

class BoundaryExplorer extends BoundaryBase {
  static tables = { n_axes: 2, labelled: true, most: MOST_POINTS };
  static invites = "axis1-1";

  build() {
    super.build();
    const known = Object.entries(this.model.get("datasets")).map(([name, set]) => [name, knownTable(name, tableOf(set))]);
    addTables(this, Object.fromEntries(known));
  }

  /** With QDA, all classes have as good as one covariance. */
  isDone() {
    const { rule, covariances: [S, ...others] } = this.state, { abs, sqrt } = Math;
    const isNear = (T) => S.every((row, i) => row.every((value, j) => abs(T[i][j] - value) < 0.2 * sqrt(S[i][i] * S[j][j])));
    return rule === "QDA" && others.every(isNear);
  }

  takeTable(chosen) { return this.replace(fittedTo(chosen)); }

  /** A data set of the course, or a file, and what it gives the traits. */
  pythonSource() {
    const { model, state } = this, shown = columnsShown(model.get("datasets"), state), made = super.pythonSource();
    if (!shown) return made && { ...made, gives: { ...DEFAULTS, ...made.gives } };
    const { name, features, scene } = shown, names = features.map((feature) => `"${feature.split(" (")[0]}"`);
    const gives = { ...DEFAULTS, ...scene, points: state.points };
    return { imports: `from bayeslab import load_${name}\n`, source: `load_${name}().select(${names.join(", ")})`, gives };
  }
}

const render = renderOf(BoundaryExplorer);

export default { render };
