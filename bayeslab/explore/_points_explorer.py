"""What explorers of labelled points have in common: their traits, and what is refused."""

from __future__ import annotations

import numpy as np
import traitlets
from traitlets import TraitError

from bayeslab.explore._canvas_explorer import Array, CanvasExplorer, Points
from bayeslab.explore._content import MOST_CLASSES, points_of


class PointsExplorer(CanvasExplorer):
    """Base of explorers of points in the plane, and of the densities that made them, where these are known.

    A subclass has `MOST_POINTS`, with which a drag is still followed, and may ask more of points in `_check_points`.
    """

    class_names = traitlets.List().tag(sync=True)
    classes = traitlets.List().tag(sync=True)
    feature_names = traitlets.List(traitlets.Unicode(), ["x₁", "x₂"], minlen=2, maxlen=2).tag(sync=True)
    points = Points(3, labelled=True)
    means = Array(2)
    covariances = Array(2, 2)
    priors = Array()

    def __init__(self, data, **traits):
        given = {"points", "class_names"} <= traits.keys()  # as code that was copied in the browser has them
        super().__init__(**({} if data is None and given else points_of(data)) | traits)

    X = property(lambda self: self.points[:, :2])
    y = property(lambda self: np.array(self.class_names)[self.points[:, 2].astype(int)])

    @traitlets.validate("points")
    def _must_be_points(self, proposal):
        self._check_points(proposal.value)
        return proposal.value

    def _check_points(self, points):
        """Raise a TraitError that says what is wrong with points."""
        most, K = self.MOST_POINTS, len(self.class_names)
        if not 2 <= K <= MOST_CLASSES:
            raise TraitError(f"there must be 2 to {MOST_CLASSES} classes, not {K}")
        if points.ndim != 2 or points.shape[1] != 3 or not 2 <= len(points) <= most:
            raise TraitError(f"points must have shape (n, 3), with n from 2 to {most}, not {points.shape}")
        if not np.isin(points[:, 2], range(K)).all():
            raise TraitError(
                f"points must have the index of their class, 0 to {K - 1}, last, not {points[:, 2].max():g}"
            )
