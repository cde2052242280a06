"""Things to play with: explorers that live in the browser, with or without Python."""

from importlib import import_module

_MODULES = {
    "BoundaryExplorer": "boundary_explorer",
    "ChallengeExplorer": "challenge_explorer",
    "CovarianceExplorer": "covariance_explorer",
    "EMExplorer": "em_explorer",
    "LikelihoodExplorer": "likelihood_explorer",
    "NeighboursExplorer": "neighbours_explorer",
    "RegularisedExplorer": "regularised_explorer",
    "ThresholdExplorer": "threshold_explorer",
    "VarianceExplorer": "variance_explorer",
}
__all__ = list(_MODULES)


def __getattr__(name):
    """Import what is asked for only then: the rest of the package needs neither anywidget nor ipywidgets."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in ("anywidget", "ipywidgets"):
            raise
        message = f"{name} needs the package {error.name}: pip install {error.name}"
        raise ModuleNotFoundError(message, name=error.name) from None
