"""A Gaussian mixture of data in parts: each EM iteration adds up, over the parts, what it would over the rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from operator import add

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import validate_data

from bayeslab._machinery.arrays import as_weights, must_be_finite
from bayeslab._machinery.blocks import one_thread
from bayeslab._machinery.em_start import Samples, as_random_state, must_not_be_huge, spread_of
from bayeslab._machinery.parts import columns_of_parts, over_parts
from bayeslab.em import expected_moments
from bayeslab.mixture import GaussianMixture
from bayeslab.moments import Moments

SAMPLE = 10_000  # rows that a start is looked for in


@dataclass(frozen=True, eq=False)
class Survey:
    """What has to be known of samples before the first iteration.

    Attributes
    ----------
    model : GaussianMixture
        Not fitted, but with the number and names of the columns.
    moments : Moments
    largest_weight : float
    sample : (m, d + 2) array
        Rows drawn at random: those with the smallest random keys, of all of which those of two parts hold their own.
        The last two columns are their weights and keys.
    """

    model: GaussianMixture
    moments: Moments
    largest_weight: float
    sample: np.ndarray

    @classmethod
    def of(cls, model: GaussianMixture, X, sample_weight, seed: int) -> Survey:
        """Check samples, and survey them."""
        model = clone(model)
        X = validate_data(model, X, dtype=np.float64, ensure_all_finite=False)
        must_be_finite(X, "X")
        X, weights = _that_weigh(X, as_weights(sample_weight, len(X), may_vanish=True))
        must_not_be_huge(X)
        diagonal = model.covariance != "full"
        moments = Moments.of(X, weights, diagonal=diagonal) if len(X) else Moments.none(X.shape[1], diagonal)
        keys = np.random.default_rng(seed).random(len(X))
        kept = _smallest(keys)
        sample = np.column_stack([X[kept], weights[kept], keys[kept]])
        return cls(model, moments, weights.max(initial=0.0), sample)

    def merged(self, other: Survey) -> Survey:
        """Survey of both."""
        names = [list(getattr(each.model, "feature_names_in_", [])) for each in (self, other)]
        if names[0] != names[1]:
            raise ValueError(f"their columns have the names {names[0]} and {names[1]}")
        moments, largest = self.moments + other.moments, max(self.largest_weight, other.largest_weight)
        sample = np.vstack([self.sample, other.sample])
        return Survey(self.model, moments, largest, sample[_smallest(sample[:, -1])])


def _smallest(keys: np.ndarray) -> np.ndarray:
    """Return where the `SAMPLE` smallest keys are, in the order of the rows."""
    return np.sort(np.argpartition(keys, SAMPLE)[:SAMPLE]) if len(keys) > SAMPLE else np.arange(len(keys))


def fitted_mixture(model: GaussianMixture, X, sample_weight, progress: bool) -> GaussianMixture:
    """Return a copy of a mixture, fitted to all parts of X."""
    model = clone(model)
    model._check_parameters()
    what = "X" if sample_weight is None else "X and sample_weight"
    parts = columns_of_parts(what, X=X, sample_weight=sample_weight)
    seeds = as_random_state(model.random_state).randint(2**31, size=len(parts)).tolist()
    seeded = [(*data, seed) for data, seed in zip(parts, seeds, strict=True)]
    survey = over_parts(partial(Survey.of, model), Survey.merged, seeded, what, progress)
    if not survey.moments.weight:
        raise ValueError("all weights are zero: no sample is left")
    unit = survey.largest_weight  # in which sums and products of weights are floats
    rows, row_weights = survey.sample[:, :-2], survey.sample[:, -2] / unit

    def sums(weights, gaussians):
        compute = partial(_expected, unit, weights, gaussians, model._diagonal)
        return over_parts(compute, _added, parts, what, progress)

    spread = spread_of(survey.moments, rows, model.covariance)
    samples = Samples(rows, row_weights, spread, survey.moments.weight / unit, sums)
    survey.model._fit_samples(samples, min(float(model.prior_samples) / unit, 1e100))
    return survey.model


def _expected(unit: float, weights, gaussians, diagonal: bool, X, sample_weight):
    X = np.asarray(X, dtype=np.float64)
    X, sample_weight = _that_weigh(X, as_weights(sample_weight, len(X), may_vanish=True) / unit)
    with one_thread(*X.shape):
        return expected_moments(X, sample_weight, weights, gaussians, diagonal)


def _added(a, b):
    return a[0] + b[0], list(map(add, a[1], b[1]))


def _that_weigh(X: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a weight above 0: what weighs nothing is not there."""
    kept = weights > 0
    return (X, weights) if kept.all() else (X[kept], weights[kept])
