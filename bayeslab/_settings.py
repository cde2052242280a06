"""The hyperparameters of a `GaussianClassifier`, as they were when it last saw data."""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from bayeslab._base.arrays import check_number, check_one_of, is_number
from bayeslab.covariance_kinds import KINDS

NEEDS_ALL_DATA = "the Ledoit-Wolf intensity needs all data at once: take fit, or a number as shrinkage"


class Settings(NamedTuple):
    """What was asked for: changing a hyperparameter of the classifier does not change what it has learned."""

    covariance: str
    shared: float
    ddof: float
    singular: str
    shrinkage: Any
    n_components: int | None = None  # of those that have it
    variances_only: bool = False  # whether the diagonal of the scatter is enough

    @classmethod
    def of(cls, classifier) -> Settings:
        """Return the hyperparameters of a classifier, or raise a ValueError that names one which makes no sense."""
        asked = cls(*(getattr(classifier, name, None) for name in cls._fields[:-1]))
        check_one_of(asked.covariance, "covariance", KINDS)
        check_one_of(asked.singular, "singular", ("raise", "pseudo"))
        if not (isinstance(asked.shared, np.bool_) or (isinstance(asked.shared, Real) and 0 <= asked.shared <= 1)):
            raise ValueError(f"shared must be False, True or a number between them, not {asked.shared!r}")
        check_number(asked.ddof, "ddof", least=0)
        if isinstance(asked.shrinkage, str) and asked.shrinkage == "ledoit_wolf":
            if 0 < asked.shared < 1:
                raise ValueError(
                    f"shrinkage='ledoit_wolf' goes with shared=False or True, not {asked.shared!r}: "
                    f"take a number as shrinkage"
                )
        elif asked.shrinkage is not None and not (is_number(asked.shrinkage) and 0 <= asked.shrinkage <= 1):
            raise ValueError(f"shrinkage must be None, 'ledoit_wolf' or a number in [0, 1], not {asked.shrinkage!r}")
        return asked._replace(shared=float(asked.shared), variances_only=asked.covariance != "full")
