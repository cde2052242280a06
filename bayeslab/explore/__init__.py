"""Things to play with: the decision-boundary explorer, one function per idea with sliders, and the EM player."""

from importlib import import_module

_MODULES = {
    "BoundaryExplorer": "boundary_explorer",
    "ChallengeExplorer": "challenge_explorer",
    "CovarianceExplorer": "covariance_explorer",
    "animate_em": "em_player",
    "explore_correlation": "sliders",
    "explore_gaussian": "sliders",
    "explore_k_fold": "sliders",
    "explore_naive_against_full": "sliders",
    "explore_shrinkage": "sliders",
    "play_em": "em_player",
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
