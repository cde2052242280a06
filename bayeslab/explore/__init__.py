"""Things to play with: explorers that live in the browser, with or without Python."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bayeslab.explore.boundary_explorer import BoundaryExplorer
    from bayeslab.explore.challenge_explorer import ChallengeExplorer
    from bayeslab.explore.covariance_explorer import CovarianceExplorer
    from bayeslab.explore.em_explorer import EMExplorer
    from bayeslab.explore.likelihood_explorer import LikelihoodExplorer
    from bayeslab.explore.neighbours_explorer import NeighboursExplorer
    from bayeslab.explore.regularised_explorer import RegularisedExplorer
    from bayeslab.explore.threshold_explorer import ThresholdExplorer
    from bayeslab.explore.tour_explorer import TourExplorer
    from bayeslab.explore.variance_explorer import VarianceExplorer

__all__ = [
    "BoundaryExplorer",
    "ChallengeExplorer",
    "CovarianceExplorer",
    "EMExplorer",
    "LikelihoodExplorer",
    "NeighboursExplorer",
    "RegularisedExplorer",
    "ThresholdExplorer",
    "TourExplorer",
    "VarianceExplorer",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: the rest of the package needs neither anywidget nor ipywidgets."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = name.removesuffix("Explorer").lower()
        return getattr(import_module(f"{__name__}.{module}_explorer"), name)
    except ModuleNotFoundError as error:
        if error.name not in ("anywidget", "ipywidgets"):
            raise
        message = f"{name} needs the package {error.name}: pip install {error.name}"
        raise ModuleNotFoundError(message, name=error.name) from None
