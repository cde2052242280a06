// The decision-boundary explorer: an anywidget module and, inlined by `BoundaryExplorer.save`, a page without Python.

import { renderOf } from "./kit/canvas_explorer.js";
import { BoundaryExplorer } from "./boundary_explorer.js";

const render = renderOf(BoundaryExplorer);

export default { render };
