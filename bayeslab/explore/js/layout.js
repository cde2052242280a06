// What the panel shows, and where.

import { RULES } from "./rules.js";
import { MOST_NEIGHBOURS, MOST_POINTS } from "./constants.js";

export const MODES = { truth: "True densities", estimate: "Estimated from the points" };
export const TOOLS = { move: "Move", pan: "Pan", add: "Add", delete: "Delete" };

export const LAYERS = {
  show_regions: "Regions",
  show_posterior: "Posterior shading",
  show_boundary: "Boundary",
  show_ellipses: "1-2-3σ ellipses",
  show_contours: "Density contours",
  show_cut: "Cut of prior × density",
};

// What has a name in `data-bx` is referred to by it; controls stand where their name is in `data-at`.
export const LAYOUT = `
<div class="bx-main">
 <div class="bx-plot">
  <div class="bx-bar bx-tools" data-bx="tools">
   <div class="bx-group" data-hide="tools"><i data-at="tool"></i> <i data-at="fit"></i></div>
   <div class="bx-group" data-bx="history"></div>
   <details class="bx-more" data-bx="more">
    <summary class="bx-button" aria-label="More: zoom, reset, link, picture, code, keys" title="More">⋯</summary>
    <div class="bx-card">
     <div class="bx-row" data-bx="more-row"><i data-at="zoom-out"></i> <i data-at="zoom-in"></i></div>
     <div class="bx-row" data-bx="share-place"></div>
     <details><summary>Mouse, keys and fingers</summary>
     <p>Drag a mean to move a class with its points, a ring to stretch and turn it, or empty space to move the
     window. Tab reaches every handle; the arrow keys move it, with Shift in larger steps. On the plot itself
     they move a cross, where Enter uses the current tool. Escape cancels a drag, and Ctrl+Z undoes the
     last step. <span data-hide="rule">Keys 1 to ${Object.keys(RULES).length} choose the rule.</span></p>
     <p>One finger away from the handles scrolls the page. Rest it on a point for a moment to move the point, or
     choose the tool Pan to move the window. Two fingers move and zoom the window.</p>
     <p>A strong rim marks a misclassified point. Nearest mean and LDA give all classes one covariance.
     kNN uses only the points, not the priors.</p></details>
    </div>
   </details>
  </div>
  <div class="bx-room" data-bx="room"></div>
  <div data-bx="plot-place"></div>
  <div class="bx-below">
   <p class="bx-place" aria-hidden="true" data-bx="place"></p>
   <p class="bx-hint" data-bx="hint"><span class="bx-long">Drag a
    <span data-lights="mean" tabindex="0">mean</span> to move its class<span class="bx-turns">, or a <span data-lights="ring" tabindex="0">ring</span>
    to turn its <span data-lights="ellipse" tabindex="0">ellipses</span></span>. The
    <span data-lights="boundary" tabindex="0">boundary</span> follows. Strong rims are mistakes.</span><span class="bx-keys">Drag a mean or a ring. <span data-hide="rule">Keys 1 to
    ${Object.keys(RULES).length} choose the rule.</span></span></p>
  </div>
 </div>
 <div class="bx-side" data-bx="side-place">
  <div data-bx="rules-place">
   <div class="bx-bar" data-bx="rules">
    <i data-at="rule"></i>
    <i data-at="mode"></i>
    <label class="bx-group" data-bx="neighbours" data-hide="k">k
     <input type="number" min="1" max="${MOST_NEIGHBOURS}" data-bx="k"></label>
    <div class="bx-group" data-bx="between"></div>
   </div>
  </div>
  <section class="bx-card bx-readouts" aria-label="Readouts" data-bx="readouts" data-hide="readouts">
   <dl class="bx-errors">
    <div><dt>Error on the sample</dt><dd data-bx="sample-error"></dd></div>
    <div><dt>Error under the <span data-bx="source-1"></span></dt><dd data-bx="true-error"></dd></div>
    <div><dt>Bayes error</dt><dd data-bx="bayes-error"></dd></div>
   </dl>
   <p class="bx-kind" data-bx="kind"></p>
   <p class="bx-note" data-bx="dashed">Dashed: the <span data-bx="source-2"></span></p>
  </section>
  <section class="bx-panel bx-readouts" data-tab="Mistakes" data-bx="mistakes" data-hide="mistakes">
   <h2 data-bx="title"></h2>
   <div class="bx-scroll" tabindex="0" role="region" aria-label="Confusion matrix">
    <table role="grid" data-bx="confusion">
     <caption>Confusion: rows are the truth, columns the decision</caption><thead></thead><tbody></tbody>
    </table>
   </div>
   <p class="bx-equation" data-bx="equation"></p>
   <p class="bx-note" data-bx="side"></p>
  </section>
  <section class="bx-panel" data-tab="Classes" data-bx="classes-panel" data-hide="classes">
   <div data-bx="classes"></div>
   <p class="bx-message" role="alert" data-bx="prior-message"></p>
   <div class="bx-row"><i data-at="add-class"></i> <i data-at="priors-equal"></i> <i data-at="priors-sample"></i></div>
  </section>
  <section class="bx-panel" data-tab="Data" data-bx="data" data-hide="points">
   <div class="bx-row"><i data-at="draw"></i>
    <input type="number" min="1" max="${MOST_POINTS}" value="150" data-bx="draw-count" aria-label="How many">
    new points from the <span data-bx="source-3"></span></div>
   <div class="bx-row"><i data-at="clear"></i> <i data-at="clear-class"></i></div>
   <p class="bx-message" role="alert" data-bx="message"></p>
   <div data-bx="table-place"></div>
  </section>
  <section class="bx-panel" data-tab="Show" data-bx="layers" data-hide="show">
   ${Object.keys(LAYERS).map((name) => `<i data-at="${name}"></i>`).join("")}
  </section>
  <section class="bx-panel" data-tab="All rules" data-bx="multiples" data-hide="side_by_side"></section>
  <section class="bx-card" aria-label="Cut" data-bx="cut-card" hidden></section>
 </div>
</div>`;
