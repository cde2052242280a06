"""What is wrong with the moments of the classes, in terms of the user's labels and columns."""

from __future__ import annotations

import numpy as np

from bayeslab._base.warn import listed, warn_user
from bayeslab.gaussian import Gaussian, SingularCovarianceError
from bayeslab.moments import Moments


def columns_that_vary(moments: list[Moments], labels: list, names: np.ndarray) -> np.ndarray:
    """Mark the columns that vary, shape (d,); warn about the others, raise if a class is empty or nothing varies."""
    for label, each in zip(labels, moments, strict=True):
        if not each.weight:
            raise ValueError(f"class {label!r} is empty: none of its samples was given, with a weight above 0")
    means = np.array([each.mean for each in moments])
    # Merging and removing may leave rounding errors in the means of a constant column.
    varies = means.max(axis=0) - means.min(axis=0) > 1e-13 * np.abs(means).max(axis=0)
    if varies.all():
        return varies
    varies |= Moments.pooled(moments).variation > 0
    if not varies.any():
        raise ValueError("no column of X varies at all, so nothing distinguishes the classes")
    if not varies.all():
        warn_user(f"left out, since they never vary: columns {listed(names[~varies].tolist())}")
    return varies


def name_class_and_columns(
    error: ValueError, moments: list[Moments], labels: list, names: np.ndarray, settings
) -> ValueError:
    """Return the error of a covariance or a Gaussian of these moments with the names of its class and columns."""
    if not isinstance(error, SingularCovarianceError):
        few = [label for label, each in zip(labels, moments, strict=True) if not each.weight > settings.ddof]
        owner = f"class {few[0]!r}" if few and settings.shared < 1 else "all classes pooled"
        return ValueError(f"{owner}: {error}")
    if settings.shared == 1:
        owner, cause, samples = "all classes pooled", " within the classes", moments
    else:
        owner, cause, samples = f"class {labels[error.index]!r}", " within the class", [moments[error.index]]
    n = sum(each.weight for each in samples)
    needed = error.dimension + len(samples)  # one more for each mean
    if settings.covariance == "full" and settings.shared in (0, 1) and n < needed:
        cause += f" ({n:g} samples, but a full covariance needs at least {needed})"
    return SingularCovarianceError(error.rank, error.dimension, names[error.columns].tolist(), owner, cause)


def warn_if_ranks_differ(gaussians: list[Gaussian], labels: list) -> None:
    """Warn if the densities live on spaces of different dimension."""
    if len({gaussian.rank for gaussian in gaussians}) > 1:
        ranks = ", ".join(f"{label!r} {each.rank}" for label, each in zip(labels, gaussians, strict=True))
        warn_user(
            f"the covariances of the classes have different ranks ({ranks}), so their pseudo-densities live on spaces "
            f"of different dimension and are not comparable; use shrinkage, or PCA first"
        )
