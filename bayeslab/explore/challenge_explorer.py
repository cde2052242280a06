"""The boundary explorer with challenges: scenes to start from, each with a task, a hint and a tick when it is done."""

from __future__ import annotations

import re
from typing import Any

import traitlets
from traitlets import TraitError

from bayeslab.explore._bundle import bundle, styles
from bayeslab.explore._canvas_explorer import Flag, Names, Text
from bayeslab.explore.boundary_explorer import BoundaryExplorer

_IDS = re.findall(r'\bid: "([^"]+)"', bundle("challenges.js"))


class ChallengeExplorer(BoundaryExplorer):
    """A `BoundaryExplorer` that sets tasks and ticks those that are done.

    The browser brings the scene of each challenge along, in place of data. On a saved page, it also keeps the ticks.

    Parameters
    ----------
    challenge : str
        "all", from easy to hard, or the name of one: see `ChallengeExplorer.names`.

    Attributes
    ----------
    current : str
        Name of the challenge on the screen; "" before it has been shown.
    done : list of str
        Names of the challenges that are ticked.

    Raises
    ------
    traitlets.TraitError
        If a trait is set to what makes no sense; it then keeps its value.

    Examples
    --------
    >>> ChallengeExplorer("ellipse").challenge
    'ellipse'
    >>> ChallengeExplorer.names[:3]
    ('line', 'ellipse', 'hyperbola')
    """

    _esm = bundle("challenge_explorer.js")
    _css = styles("kit.css", "boundary_explorer.css", "challenge_explorer.css")
    title: str = "Challenges"
    question: str = "How many of these thirty can you do?"
    task: str = "Do what the card says; a tick shows when it is done."
    names: tuple[str, ...] = tuple(_IDS)

    compact: Flag = traitlets.Bool(False).tag(sync=True)  # whose task needs what a lecture can do without
    challenge: Text = traitlets.Unicode("all", read_only=True).tag(sync=True)
    current: Text = traitlets.Unicode("").tag(sync=True)
    done: Names = traitlets.List(traitlets.Enum(names)).tag(sync=True)

    def __init__(self, challenge: str = "all", **traits: Any) -> None:
        if challenge not in ("all", *self.names):
            raise TraitError(f"there is no challenge {challenge!r}: ask for 'all', or one of {', '.join(self.names)}")
        self.set_trait("challenge", challenge)
        super().__init__(**{"points": []} | traits)  # the first scene has none: a picture without a browser shows it
        self.set_trait("datasets", {})  # which no challenge has a use for

    def _saved_state(self) -> dict[str, Any]:
        return super()._saved_state() | {"done": []}  # who opens the page has done nothing yet

    @traitlets.validate("current")
    def _check_offered(self, proposal: Any) -> Any:
        offered = self.names if self.challenge == "all" else (self.challenge,)
        if proposal.value not in ("", *offered):
            raise TraitError(f"current must be '' or one of {', '.join(offered)}, not {proposal.value!r}")
        return proposal.value
