"""What explorers of labelled points have in common: their traits, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import traitlets
from traitlets import TraitError

from bayeslab._base.arrays import Array as Matrix
from bayeslab._base.arrays import Labelled
from bayeslab.explore._canvas_explorer import Array, CanvasExplorer, Classes, Names, Points
from bayeslab.explore._content import MOST_CLASSES, styles_of
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.plotting import COLORS

TOGETHER = ("class_names", "points", "means", "covariances", "priors")


class PointsExplorer(CanvasExplorer):
    """Base of explorers of points in the plane, and of the densities that made them, where these are known.

    A subclass has `MOST_POINTS`, with which a drag is still followed, and may ask more in `_check`.
    """

    MOST_POINTS: int

    class_names: Classes = traitlets.List().tag(sync=True)
    classes: Classes = traitlets.List().tag(sync=True)
    feature_names: Names = traitlets.List(traitlets.Unicode(), ["x₁", "x₂"], minlen=2, maxlen=2).tag(sync=True)
    points: Points = Points(3, labelled=True)
    means: Array = Array(2)
    covariances: Array = Array(2, 2)
    priors: Array = Array()
    table: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)  # whose columns the browser offers

    @property
    def X(self) -> Matrix:
        """Points without their class, shape (n, 2)."""
        return self.points[:, :2]

    @property
    def y(self) -> Labelled:
        """Label of each point, shape (n,)."""
        return np.array(self.class_names)[self.points[:, 2].astype(int)]

    @property
    def _styles(self) -> list[int]:
        """Number of the colour and the marker of each class."""
        return styles_of(self.class_names, self.classes)

    @property
    def _order(self) -> list[Any]:
        """Names of the classes, each at the place of its colour and marker."""
        names = dict(zip(self._styles, self.class_names, strict=True))
        return [names.get(place) for place in range(len(COLORS))]

    @traitlets.validate(*TOGETHER)
    def _check_sense(self, proposal: Any) -> Any:
        """Check a new value against all others; several may be new, while notifications are held."""
        self._check(**{name: getattr(self, name) for name in TOGETHER} | {proposal.trait.name: proposal.value})
        return proposal.value

    def _check(self, class_names: list[Any], points: Matrix, **densities: Matrix) -> None:
        """Raise a TraitError that says what makes no sense; densities may all be missing."""
        K = len(class_names)
        if not 2 <= K <= MOST_CLASSES or len(set(class_names)) < K:
            raise TraitError(f"class_names must be 2 to {MOST_CLASSES} different labels, not {class_names}")
        if points.ndim != 2 or points.shape[1] != 3:
            raise TraitError(f"points must have shape (n, 3), x, y and index of the class, not {points.shape}")
        if len(points) > self.MOST_POINTS:
            raise TraitError(
                f"this explorer shows at most {self.MOST_POINTS} points, not {len(points)}: take some, at random"
            )
        wrong = points[~np.isin(points[:, 2], range(K)), 2]
        if wrong.size:
            raise TraitError(f"points must have the index of their class, 0 to {K - 1}, last, but one has {wrong[0]:g}")
        if any(len(array) for array in densities.values()):
            check_densities(class_names, **densities)


def check_densities(class_names: list[Any], means: Matrix, covariances: Matrix, priors: Matrix) -> None:
    """Raise a TraitError that says what is wrong with the Gaussians of the classes, or with their priors."""
    K = len(class_names)
    for name, array, shape in (
        ("means", means, (K, 2)),
        ("covariances", covariances, (K, 2, 2)),
        ("priors", priors, (K,)),
    ):
        if array.shape != shape:
            raise TraitError(f"{name} must have shape {shape}, for {K} classes, not {array.shape}")
    for label, mean, covariance in zip(class_names, means, covariances, strict=True):
        try:
            Gaussian(mean, covariance)
        except ValueError as error:
            why = f"its rank is {error.rank} of 2" if isinstance(error, SingularCovarianceError) else error
            raise TraitError(f"the covariance of class {label!r} must be positive definite: {why}") from None
    if (priors < 0).any() or not np.isclose(priors.sum(), 1):
        raise TraitError(f"priors must be non-negative and sum to 1, but {priors.tolist()} sums to {priors.sum():g}")
