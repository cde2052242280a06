"""The named cases of the Gaussian family, which many tests go through."""

from bayeslab import GaussianNB, LinearDiscriminantAnalysis, NearestMean, QuadraticDiscriminantAnalysis

FAMILY = [QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis(), GaussianNB(), NearestMean()]
