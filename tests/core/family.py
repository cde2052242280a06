"""The named cases of the Gaussian family, which many tests go through."""

import numpy as np
import sklearn
from packaging.version import Version

from bayeslab import GaussianNB, LinearDiscriminantAnalysis, NearestMean, QuadraticDiscriminantAnalysis

FAMILY = [QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis(), GaussianNB(), NearestMean()]
# Since 1.9, scikit-learn's QDA and LDA divide by n, as ours do with ddof=0; before, by n_k - 1 and n - K.
PEER_DDOF = 0 if Version(sklearn.__version__) >= Version("1.9") else 1


def assert_same(one, other, tolerance=1e-12):
    """Parameters equal, relative to the size of each covariance and to the spread of the means."""
    assert one.classes_.tolist() == other.classes_.tolist()
    np.testing.assert_allclose(one.priors_, other.priors_, rtol=1e-14)
    np.testing.assert_allclose(one.means_, other.means_, rtol=tolerance)
    size = np.abs(other.covariance_).max()
    np.testing.assert_allclose(one.covariance_, other.covariance_, rtol=0, atol=tolerance * size)


def state(classifier):
    return {name: str(value) for name, value in vars(classifier).items()}
