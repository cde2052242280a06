"""What both languages must agree on stands once, in js/constants.js: Python refuses by what is written there."""

import numpy as np
import pytest
from traitlets import TraitError

from bayeslab.explore import EMExplorer, LikelihoodExplorer, NeighboursExplorer, RegularisedExplorer
from bayeslab.explore._bundle import constants

LIMITS = constants("constants.js")["LIMITS"]


def sample(n):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 2)), np.arange(n) % 2


MAKE = {
    "EM": lambda n: EMExplorer(sample(n)[0], starts=[[0, 0]]),
    "likelihood": lambda n: LikelihoodExplorer(sample(n)[0][:, 0]),
    "neighbours": lambda n: NeighboursExplorer(sample(n)),
    "regularised": lambda n: RegularisedExplorer(sample(n)),
}


@pytest.mark.parametrize("name", MAKE)
def test_python_takes_as_many_points_as_are_written_there(name):
    most = LIMITS[name]["points"]
    MAKE[name](most)
    with pytest.raises(TraitError, match=rf"\b{most}\b"):
        MAKE[name](most + 1)
