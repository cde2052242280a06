"""Every family of `NaiveBayes` and a sample of each, for the tests that run over all of them."""

import numpy as np

from bayeslab import Binomial, Categorical, StudentT, families
from bayeslab.families import Family, Support
from bayeslab.naive_bayes import has_statistics

BASES = (Family, families.ExponentialFamily)
CLASSES = [each for each in vars(families).values() if isinstance(each, type) and issubclass(each, Family)]
PARAMETERS = {Binomial: {"n": 12}, Categorical: {"alpha": 0.5}}
FAMILIES = [Class(**PARAMETERS.get(Class, {})) for Class in CLASSES if Class not in BASES]
EVERY = [*FAMILIES, StudentT()]
STREAMING = [family for family in EVERY if has_statistics(family)]


def support_of(family) -> Support:
    return getattr(family, "support", Support())


def is_continuous(family) -> bool:
    return not (support_of(family).whole or isinstance(family, Categorical))


def draw(family, n=41, k=1, seed=0) -> np.ndarray:
    """Draw n numbers that lie in the support, larger ones for a larger k; the first is its least, if it has one."""
    rng, support = np.random.default_rng(seed), support_of(family)
    if isinstance(family, Categorical):
        return rng.integers(0, 3 + k, n).astype(float)
    if support.whole:
        x = rng.poisson(0.3 + k, n).clip(support.least, support.most).astype(float)
    elif support.least == -np.inf:
        return rng.normal(3 * k, 1 + k, n)
    else:
        x = support.least + rng.gamma(1.5, 1 + k, n)
    x[0] = support.least if support.contains(support.least) else x[0]
    return x
