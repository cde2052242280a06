"""The classifier that knows the truth: the densities that made the data are given, not estimated."""

from __future__ import annotations

import numpy as np

from bayeslab._base.arrays import as_generator
from bayeslab._base.labels import check_priors, check_shares
from bayeslab.classifier import BayesClassifier
from bayeslab.gaussian import Gaussian
from bayeslab.risk import bayes_error, log_densities


class TrueClassifier(BayesClassifier):
    """Bayes classifier of known densities: each class one Gaussian, or a mixture of several.

    No classifier has a smaller true error: the probability to be wrong on a new sample whose class is drawn with these
    priors. Errors counted on a sample vary, and another classifier may make fewer of them there.

    Parameters
    ----------
    gaussians : list of `Gaussian`
    labels : list
        The class of each Gaussian.
    priors : "equal" or (K,) array
    weights : list, optional
        The share that each Gaussian has in its class; by default those of a class are equally probable.

    Attributes
    ----------
    densities_ : list of K lists
        The pairs (weight, Gaussian) of each class.

    Examples
    --------
    >>> truth = TrueClassifier([Gaussian(0, 1), Gaussian(2, 1)], ["a", "b"])
    >>> truth.predict([[0.5], [1.5]]).tolist(), round(truth.bayes_error(), 3)  # beyond 1 σ on one side: 15.9 %
    (['a', 'b'], 0.159)
    """

    def __init__(self, gaussians: list[Gaussian], labels: list, priors="equal", weights=None):
        if len(gaussians) != len(labels) or len({gaussian.n_features for gaussian in gaussians}) != 1:
            raise ValueError(
                f"one label per Gaussian of the same features is needed, not {len(labels)} for {gaussians}"
            )
        if weights is not None and len(weights) != len(gaussians):
            raise ValueError(f"one weight per Gaussian is needed, not {len(weights)} for {len(gaussians)}")
        self.gaussians = gaussians
        self.labels = labels
        self.priors = priors
        self.weights = weights
        # Trailing underscores, as after a fit: this classifier is born fitted.
        self.classes_, index = np.unique(labels, return_inverse=True)
        shares = 1 / np.bincount(index)[index] if weights is None else np.asarray(weights, dtype=float)
        self.densities_ = []
        for k, label in enumerate(self.classes_.tolist()):
            members = np.flatnonzero(index == k)
            check_shares(shares[members], f"the weights of class {label!r}")
            total = shares[members].sum()
            self.densities_.append([(float(shares[i] / total), gaussians[i]) for i in members])
        self.n_features_in_ = gaussians[0].n_features
        self.priors_ = check_priors(priors, self.classes_)

    def fit(self, X, y):
        """Take the priors as they are now: nothing else is to learn, but it can stand where the others are compared."""
        self.priors_ = check_priors(self.priors, self.classes_)
        return self

    def _terms(self, X: np.ndarray) -> dict[str, np.ndarray]:
        return {"ln p(x|C)": log_densities(self.densities_, X)}

    def sample(self, n_per_class: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw samples, class after class: X of shape (n, d) and y of shape (n,).

        There are K · `n_per_class` of them, divided among the classes as the priors say: `n_per_class` each, if these
        are equal. The share of them that this rule gets wrong estimates `bayes_error`.
        """
        as_generator(rng)
        counts = _divided(len(self.classes_) * n_per_class, self.priors_)
        drawn = []
        for count, members in zip(counts, self.densities_, strict=True):
            of_each = rng.multinomial(count, [weight for weight, _ in members])
            drawn += [gaussian.sample(n, rng) for n, (_, gaussian) in zip(of_each, members, strict=True)]
        return np.concatenate(drawn), np.repeat(self.classes_, counts)

    def bayes_error(self, rng: np.random.Generator | None = None) -> float:
        """Return the true error of this rule under its priors, 1 − ∫ max_k π_k p(x | C_k) dx.

        `risk.bayes_error` says how exactly. `rng` is needed where it is estimated by samples: in three and more
        dimensions, mostly.
        """
        return bayes_error(self.densities_, self.priors_, rng).value


def _divided(total: int, shares: np.ndarray) -> np.ndarray:
    """Divide a number into whole numbers in about these shares; what is left goes to the largest remainders."""
    counts = np.floor(exact := np.round(total * shares, 9)).astype(int)
    counts[np.argsort(counts - exact, kind="stable")[: total - counts.sum()]] += 1
    return counts
