"""What explorers in the browser have in common: arrays as traits, a saved page, and a picture where no widget runs."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from string import Template

import anywidget
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import traitlets
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from traitlets import TraitError

from bayeslab._base.arrays import check_finite

PAGE = Path(__file__).with_name("page.html")
STILL = "A picture: run this cell to drag."  # where a notebook has not been run
NOTE = 30  # pixels that it takes
LIMIT = 1e100  # of numbers, so that there is room for their squares; as in js/math/numbers.js


class Array(traitlets.TraitType):
    """A read-only array of finite numbers, shared with the browser as nested lists.

    Parameters
    ----------
    *shape : int
        Of each of any number of rows.
    """

    def __init__(self, *shape):
        super().__init__(np.zeros((0, *shape)))
        self.tag(sync=True, to_json=lambda array, widget: array.tolist(), from_json=lambda value, widget: value)

    def validate(self, obj, value):
        """Return a copy as an array of floats."""
        try:
            array = np.array(value, dtype=float)
            check_finite(array, self.name)
            if (np.abs(array) >= LIMIT).any():
                raise ValueError(f"they must be below {LIMIT:g}, but one is {np.abs(array).max():g}")
        except (TypeError, ValueError) as error:
            raise TraitError(f"{self.name} must be an array of finite numbers: {error}") from None
        array = array.reshape(self.default_value.shape) if not array.size else array
        array.setflags(write=False)
        return array

    def set(self, obj, value):
        """Set it, and tell only if that changes anything."""
        value = self._validate(obj, value)
        if not np.array_equal(value, getattr(obj, self.name)):
            super().set(obj, value)


class Points(Array):
    """Points in rows; a saved page has their coordinates in few digits.

    Parameters
    ----------
    *shape : int
        As of an `Array`.
    labelled : bool, optional
        Whether the last number of a row is no coordinate, but the index of a class.
    """

    def __init__(self, *shape, labelled=False):
        super().__init__(*shape)
        self.labelled = labelled
        if labelled:
            self.tag(to_json=lambda points, widget: [[*place, int(k)] for *place, k in points.tolist()])

    def saved(self, points) -> list | dict:
        """Return what a saved page has: few digits; those of each class in one list, which page.html reads."""
        rounded = self.rounded(points)
        if not self.labelled:
            return rounded.tolist()
        K = int(points[:, 2].max()) + 1
        return {"byClass": [rounded[points[:, 2] == k, :2].ravel().tolist() for k in range(K)]}

    def rounded(self, points) -> np.ndarray:
        """Round the coordinates to a ten-thousandth of the range that they have without outliers."""
        rows = points.reshape(len(points), -1).copy()
        for column in rows.T[: -1 if self.labelled else None]:
            span = np.ptp(np.quantile(column, [0.1, 0.9])) or np.ptp(column) or 0.5
            column[:] = column.round(int(np.ceil(4 - np.log10(2 * span))))  # which is off by half a unit
        return rows.reshape(points.shape)


class Number(traitlets.Float):
    """A finite number, shared with the browser."""

    def __init__(self, value=0.0, **limits):
        super().__init__(value, **limits)
        self.tag(sync=True)

    def validate(self, obj, value):
        """Refuse infinities and NaN, which JSON cannot say, and numbers without a square."""
        number = super().validate(obj, value)
        if not abs(number) < LIMIT:
            raise TraitError(f"{self.name} must be a finite number below {LIMIT:g}, not {number}")
        return number


class CanvasExplorer(anywidget.AnyWidget):
    """Base of the explorers that live in the browser; each is the twin of a class in js/ and has a file there.

    A subclass has `_esm`, from `bundle`, `_css`, from `styles`, a `title`, its traits, those that the browser sees
    tagged with ``sync=True``, a `__repr__` in one line without an address, and `_draw`.

    Parameters
    ----------
    compact : bool, optional
        What moves and its numbers only, in larger type, on a projector of 1280 × 720. By default so in a notebook, and
        not on a page that is saved.
    """

    title = "Explorer"

    compact = traitlets.Bool(None, allow_none=True).tag(sync=True, to_json=lambda value, widget: value is not False)

    def open(self) -> None:
        """Do nothing yet: an explorer that nobody shows, as in a loop, needs no model in the browser."""

    @property
    def model_id(self) -> str:
        """Name of the model in the browser, which is made when something asks for it: when the explorer is shown."""
        super().open()
        return super().model_id

    def save(self, path) -> None:
        """Write a page that does the same without Python: one HTML file, which needs no other and no network.

        "Copy link" on it makes an address that leads to the scene on the screen; a teacher hides controls in it with
        ``hide=``: ``page.html#rule=LDA&hide=rule,points``. Where a name is wrong, the page lists those that it knows.
        """
        # No label can end the script that it stands in.
        text = json.dumps(self._saved_state(), ensure_ascii=False, separators=(",", ":"), default=str)
        script = zlib.compress(f"{self._css}\0{self._esm}\n//# sourceURL=bayeslab.js\n".encode(), 9)
        page = Template(PAGE.read_text("utf-8")).substitute(
            title=self.title,
            name=type(self).__name__,
            state=text.replace("<", "\\u003c"),
            script=b64encode(script).decode(),
        )
        data = page.encode("utf-8", errors="replace")  # all of it, before a page that was there is overwritten
        draft = Path(path).with_name(f"{Path(path).name}.part")
        draft.write_bytes(data)
        draft.replace(path)

    def _saved_state(self) -> dict:
        """Values of the traits that are ours, as the browser has them, but points in little room: a page is small."""
        state = self.get_state([name for name in self.traits(sync=True) if self._is_ours(name)])
        state["compact"] = bool(self.compact)
        for name, trait in self.traits().items():
            if isinstance(trait, Points) and len(getattr(self, name)):
                state[name] = trait.saved(getattr(self, name))
        return state

    def _is_ours(self, name) -> bool:
        return issubclass(self.traits()[name].this_class, CanvasExplorer) and not name.startswith("_")

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        # For readers where no widget can run.
        return data | {"text/plain": repr(self), "image/png": b64encode(self._picture(STILL)).decode()}, metadata

    def _picture(self, note: str = "") -> bytes:
        """Draw what is on the screen, as a PNG, with a note below."""
        with plt.style.context(["bayeslab.bayeslab", {"text.parse_math": False}]):  # a name may have a $
            png, figure = BytesIO(), self._draw()
            figure.draw_without_rendering()
            (left, bottom), (right, top) = (
                figure.get_tightbbox().padded(mpl.rcParams["savefig.pad_inches"]).get_points()
            )
            if note:
                width, height = figure.get_size_inches()
                figure.text((left + right) / 2 / width, bottom / height, note, ha="center", va="top", style="italic")
                bottom -= NOTE / figure.dpi
            figure.savefig(png, bbox_inches=Bbox([(left, bottom), (right, top)]))
        return png.getvalue()

    def _draw(self) -> Figure:
        """Draw what is on the screen with Matplotlib, in the style of the course."""
        raise NotImplementedError
