"""The hyperparameters of a `GaussianClassifier` at the time when it last saw data."""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from bayeslab._base.arrays import check_number, check_one_of, is_number
from bayeslab.covariance_kinds import KINDS

NEEDS_ALL_DATA = "the Ledoit-Wolf intensity needs all data at once: use fit, or a number as shrinkage"


class Settings(NamedTuple):
    """A copy of the hyperparameters: changing one of the classifier does not change what it has learned."""

    covariance: str
    shared: float
    ddof: float
    singular: str
    shrinkage: Any
    n_components: int | None = None  # of LDA only
    variances_only: bool = False  # is the diagonal of the scatter enough?

    @classmethod
    def of(cls, classifier) -> Settings:
        """Return the hyperparameters of a classifier, or raise a ValueError that names an invalid one."""
        values: list = [getattr(classifier, name, None) for name in cls._fields[:-1]]
        asked = cls(*values)
        check_one_of(asked.covariance, "covariance", KINDS)
        check_one_of(asked.singular, "singular", ("raise", "pseudo"))
        if not (isinstance(asked.shared, np.bool_) or (isinstance(asked.shared, Real) and 0 <= asked.shared <= 1)):
            raise ValueError(f"shared must be False, True or a number between them, not {asked.shared!r}")
        check_number(asked.ddof, "ddof", least=0)
        if isinstance(asked.shrinkage, str) and asked.shrinkage == "ledoit_wolf":
            if 0 < asked.shared < 1:
                raise ValueError(
                    f"shrinkage='ledoit_wolf' needs shared=False or shared=True, not {asked.shared!r}: "
                    f"use a number as shrinkage"
                )
        elif asked.shrinkage is not None and not (is_number(asked.shrinkage) and 0 <= asked.shrinkage <= 1):
            raise ValueError(f"shrinkage must be None, 'ledoit_wolf' or a number in [0, 1], not {asked.shrinkage!r}")
        return asked._replace(shared=float(asked.shared), variances_only=asked.covariance != "full")
