"""The classifier that knows the truth: the densities that generated the data are given, not estimated."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from bayeslab._base.arrays import (
    Array,
    Labelled,
    as_classes,
    as_generator,
    check_number,
    check_priors,
    check_shares,
    code_labels,
)
from bayeslab.classifier import BayesClassifier
from bayeslab.gaussian import Gaussian
from bayeslab.risk import Mixture, Priors, bayes_error


class TrueClassifier(BayesClassifier):
    """Bayes classifier with known densities: each class is one Gaussian or a mixture of several.

    No classifier has a smaller true error, the probability of being wrong on a new sample whose class is drawn with
    these priors. On a given set of samples, another classifier may still make fewer errors.

    Parameters
    ----------
    gaussians : list of `Gaussian`
    labels : list
        The class of each Gaussian.
    priors : "equal" or (K,) array
    weights : list, optional
        Weight of each Gaussian in the mixture of its class; equal by default.

    Attributes
    ----------
    densities_ : list of K lists
        The pairs (weight, Gaussian) of each class.

    Examples
    --------
    >>> truth = TrueClassifier([Gaussian(0, 1), Gaussian(2, 1)], ["a", "b"])
    >>> truth.predict([[0.5], [1.5]]).tolist(), round(truth.bayes_error(), 3)  # 15.9 % lie beyond 1 σ on one side
    (['a', 'b'], 0.159)
    """

    # Again, because `__init__` sets them: without a type here, type checkers may differ.
    classes_: Labelled
    priors_: Array
    n_features_in_: int
    densities_: list[Mixture]

    def __init__(
        self, gaussians: list[Gaussian], labels: list[Any], priors: Priors = "equal", weights: ArrayLike | None = None
    ):
        if len(gaussians) != len(labels) or len({gaussian.n_features for gaussian in gaussians}) != 1:
            raise ValueError(
                f"one label per Gaussian is needed, and all Gaussians need the same features: {len(labels)} labels "
                f"for {gaussians}"
            )
        if weights is not None and np.size(weights) != len(gaussians):
            raise ValueError(f"one weight per Gaussian is needed, not {np.size(weights)} for {len(gaussians)}")
        self.gaussians = gaussians
        self.labels = labels
        self.priors: Priors = priors
        self.weights = weights
        # Nothing has to be learned, so the attributes of a fitted classifier are set here.
        self.classes_, index = code_labels(as_classes(labels))
        shares = 1 / np.bincount(index)[index] if weights is None else np.asarray(weights, dtype=float)
        self.densities_ = []
        for k, label in enumerate(self.classes_.tolist()):
            members = np.flatnonzero(index == k)
            check_shares(shares[members], f"the weights of class {label!r}")
            total = shares[members].sum()
            self.densities_.append([(float(shares[i] / total), gaussians[i]) for i in members])
        self.n_features_in_ = gaussians[0].n_features
        self.priors_ = check_priors(priors, self.classes_)

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Return the classifier, with `priors_` set from `priors`; it learns nothing from X and y."""
        self.priors_ = check_priors(self.priors, self.classes_)
        return self

    def _terms(self, X: np.ndarray) -> dict[str, np.ndarray]:
        with np.errstate(divide="ignore"):  # a weight of 0
            terms = [[np.log(share) + each.log_density(X) for share, each in parts] for parts in self.densities_]
        return {"ln p(x|C)": np.stack([np.logaddexp.reduce(each) for each in terms], axis=-1)}

    def sample(self, n_per_class: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw K · `n_per_class` samples, sorted by class: X of shape (n, d) and y of shape (n,).

        The classes have shares of them in proportion to the priors, rounded: `n_per_class` each for equal priors.
        """
        as_generator(rng)
        check_number(n_per_class, "n_per_class", least=0, whole=True)
        counts = _apportion(len(self.classes_) * n_per_class, self.priors_)
        drawn = []
        for count, members in zip(counts, self.densities_, strict=True):
            of_each = rng.multinomial(count, [weight for weight, _ in members])
            drawn += [gaussian.sample(n, rng) for n, (_, gaussian) in zip(of_each, members, strict=True)]
        return np.concatenate(drawn), np.repeat(self.classes_, counts)

    def bayes_error(self) -> float:
        """Return the true error of this rule under its priors, 1 − ∫ max_k π_k p(x | C_k) dx."""
        return bayes_error(self.densities_, self.priors_).value


def _apportion(total: int, shares: np.ndarray) -> np.ndarray:
    """Divide a total into whole numbers in proportion to the shares; the largest remainders are rounded up."""
    counts = np.floor(exact := np.round(total * shares, 9)).astype(int)
    counts[np.argsort(counts - exact, kind="stable")[: total - counts.sum()]] += 1
    return counts
