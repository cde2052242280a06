"""scikit-learn's base classes, with types for what a user calls: scikit-learn itself has none.

Without them, a type checker takes whatever is asked of a model for granted, a misspelt method too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, Self

    from numpy.typing import ArrayLike

    from bayeslab._base.arrays import Array, Labels, Weights

    class BaseEstimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def __sklearn_tags__(self) -> Any: ...
        def __getstate__(self) -> dict[str, Any]: ...

    class ClassifierMixin:
        def score(self, X: ArrayLike, y: Labels, sample_weight: Weights = None) -> float: ...

    class DensityMixin:
        def score(self, X: ArrayLike, y: object = None) -> float: ...

    class TransformerMixin:
        def fit_transform(self, X: ArrayLike, y: Labels | None = None, **fit_params: Any) -> Array: ...
        def set_output(self, *, transform: str | None = None) -> Self: ...

    class ClassNamePrefixFeaturesOutMixin:
        def get_feature_names_out(self, input_features: ArrayLike | None = None) -> Any: ...
else:
    from sklearn.base import BaseEstimator as _BaseEstimator
    from sklearn.base import (
        ClassifierMixin,
        ClassNamePrefixFeaturesOutMixin,
        DensityMixin,
        TransformerMixin,
    )
    from sklearn.exceptions import NotFittedError

    class BaseEstimator(_BaseEstimator):
        def __getattr__(self, name):
            """Say why a model that isn't fitted lacks what a fit would give it; this is asked for what isn't there."""
            given_by_fit = name.endswith("_") and not name.startswith("_")
            if given_by_fit and not any(each.endswith("_") for each in vars(self)):
                raise NotFittedError(
                    f"this {type(self).__name__} is not fitted yet, so it has no {name}; call fit first"
                )
            return self.__getattribute__(name)  # which raises the error again


__all__ = [
    "BaseEstimator",
    "ClassNamePrefixFeaturesOutMixin",
    "ClassifierMixin",
    "DensityMixin",
    "TransformerMixin",
]
