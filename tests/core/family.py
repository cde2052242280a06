"""The named cases of the Gaussian family, which many tests go through."""

import sklearn
from packaging.version import Version

from bayeslab import GaussianNB, LinearDiscriminantAnalysis, NearestMean, QuadraticDiscriminantAnalysis

FAMILY = [QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis(), GaussianNB(), NearestMean()]
# Since 1.9, scikit-learn's QDA and LDA divide by n, as ours do with ddof=0; before, by n_k - 1 and n - K.
PEER_DDOF = 0 if Version(sklearn.__version__) >= Version("1.9") else 1
