"""The named cases of the Gaussian family, a density of a user's own, and what several files of tests check alike."""

import numpy as np
import pytest
import sklearn
from packaging.version import Version
from sklearn.base import BaseEstimator

from bayeslab import GaussianNB, LinearDiscriminantAnalysis, NearestMean, QuadraticDiscriminantAnalysis

FAMILY = [QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis(), GaussianNB(), NearestMean()]
# Since 1.9, scikit-learn's QDA and LDA divide by n, as ours do with ddof=0; before, by n_k - 1 and n - K.
PEER_DDOF = 0 if Version(sklearn.__version__) >= Version("1.9") else 1


def assert_same(one, other, tolerance=1e-12):
    """Parameters equal, relative to the size of each covariance and to the spread of the means."""
    assert one.classes_.tolist() == other.classes_.tolist()
    np.testing.assert_allclose(one.priors_, other.priors_, rtol=1e-13)
    spread = np.sqrt(np.diagonal(other.covariance_, axis1=-2, axis2=-1)).reshape(-1, one.n_features_in_).max(axis=0)
    assert (np.abs(one.means_ - other.means_) <= tolerance * (spread + np.abs(other.means_))).all()
    size = np.abs(other.covariance_).max()
    np.testing.assert_allclose(one.covariance_, other.covariance_, rtol=0, atol=tolerance * size)


def state(classifier):
    return {name: str(value) for name, value in vars(classifier).items()}


def refusals(*cases, error=ValueError):
    """Make a test of calls that must fail, each with what its error says."""

    @pytest.mark.parametrize(("call", "message"), cases)
    def test(call, message):
        with pytest.raises(error, match=message):
            call()

    return test


class Laplace(BaseEstimator):
    """Independent Laplace densities: what a user writes. Weights and a floor of the scale are for the checks."""

    def fit(self, X, sample_weight=None):
        w = np.ones(len(X)) if sample_weight is None else sample_weight
        self.median_ = np.quantile(X, 0.5, axis=0, weights=w, method="inverted_cdf")
        self.scale_ = np.maximum(np.average(np.abs(X - self.median_), axis=0, weights=w), 1e-9)
        return self

    def score_samples(self, X):
        return -(np.abs(X - self.median_) / self.scale_ + np.log(2 * self.scale_)).sum(axis=1)
