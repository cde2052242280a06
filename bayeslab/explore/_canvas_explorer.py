"""What explorers in the browser have in common: arrays as traits, a saved page, and a picture where no widget runs."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from inspect import signature
from io import BytesIO
from os import PathLike
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, TypeAlias

import anywidget
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import traitlets
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from numpy.typing import ArrayLike, NDArray
from traitlets import TraitError

from bayeslab._base.arrays import check_finite
from bayeslab._base.failures import name_arguments_of

PAGE = Path(__file__).with_name("page.html")
STILL = "A picture: run this cell to drag."  # where a notebook has not been run
NOTE = 30  # pixels that it takes
LIMIT = 1e100  # of numbers, so that there is room for their squares; as in js/math/numbers.js


# What a type checker knows of traits; at run time, the traitlets of some hosts (before 5.10) take no types.
if TYPE_CHECKING:
    _Arrays: TypeAlias = traitlets.TraitType[NDArray[np.float64], ArrayLike]
    _Numbers: TypeAlias = traitlets.Float[float, float]
    Count: TypeAlias = traitlets.Int[int, int]
    Flag: TypeAlias = traitlets.Bool[bool, bool | int]
    Names: TypeAlias = traitlets.List[str]
    Classes: TypeAlias = traitlets.List[Any]
    Text: TypeAlias = traitlets.Unicode[str, str | bytes]

    class _Widget(traitlets.HasTraits):  # what ours use of anywidget.AnyWidget, whose own base has no types
        _esm: str
        _css: str
        layout: Any
        model_id: Any

        def open(self) -> None: ...
        def close(self) -> None: ...
        def get_state(self, key: Any = None) -> dict[str, Any]: ...
        def _repr_mimebundle_(self, **kwargs: Any) -> Any: ...
else:
    _Widget = anywidget.AnyWidget
    _Arrays, _Numbers, Count, Flag = traitlets.TraitType, traitlets.Float, traitlets.Int, traitlets.Bool
    Names, Classes, Text = traitlets.List, traitlets.List, traitlets.Unicode


class Array(_Arrays):
    """A read-only array of finite numbers, shared with the browser as nested lists.

    Parameters
    ----------
    *shape : int
        Of each of any number of rows.
    """

    def __init__(self, *shape: int) -> None:
        super().__init__(np.zeros((0, *shape)))
        self.tag(sync=True, to_json=lambda array, widget: array.tolist(), from_json=lambda value, widget: value)

    def validate(self, obj: Any, value: Any) -> Any:
        """Return a copy as an array of floats."""
        try:
            array = np.array(value, dtype=float)
            check_finite(array, str(self.name))
            if (np.abs(array) >= LIMIT).any():
                raise ValueError(f"they must be below {LIMIT:g}, but one is {np.abs(array).max():g}")
        except (TypeError, ValueError) as error:
            raise TraitError(f"{self.name} must be an array of finite numbers: {error}") from None
        array = array.reshape(self.default_value.shape) if not array.size else array
        array.setflags(write=False)
        return array

    def set(self, obj: Any, value: ArrayLike) -> None:
        """Set it, and tell only if that changes anything."""
        array: Any = self._validate(obj, value)
        if not np.array_equal(array, getattr(obj, self.name or "")):
            super().set(obj, array)


class _Told(np.ndarray):
    """The array of which a trait's observers are told. ``!=`` is one answer, as `traitlets.link` needs it."""

    def __ne__(self, other: object) -> bool:  # type: ignore[override]
        return not np.array_equal(self, other)  # type: ignore[arg-type]


class Points(Array):
    """Points in rows; a saved page has their coordinates in few digits.

    Parameters
    ----------
    *shape : int
        As of an `Array`.
    labelled : bool, optional
        Whether the last number of a row is no coordinate, but the index of a class.
    """

    def __init__(self, *shape: int, labelled: bool = False) -> None:
        super().__init__(*shape)
        self.labelled = labelled
        if labelled:
            self.tag(to_json=lambda points, widget: [[*place, int(k)] for *place, k in points.tolist()])

    def saved(self, points: NDArray[np.float64]) -> list[Any] | dict[str, Any]:
        """Return what a saved page has: few digits; those of each class in one list, which page.html reads."""
        rounded = self.rounded(points)
        if not self.labelled:
            return rounded.tolist()
        K = int(points[:, 2].max()) + 1
        return {"byClass": [rounded[points[:, 2] == k, :2].ravel().tolist() for k in range(K)]}

    def rounded(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Round the coordinates to a ten-thousandth of the range that they have without outliers."""
        rows = points.reshape(len(points), -1).copy()
        for column in rows.T[: -1 if self.labelled else None]:
            span = np.ptp(np.quantile(column, [0.1, 0.9])) or np.ptp(column) or 0.5
            column[:] = column.round(int(np.ceil(4 - np.log10(2 * span))))  # which is off by half a unit
        return rows.reshape(points.shape)


class Number(_Numbers):
    """A finite number, shared with the browser."""

    def __init__(self, value: float = 0.0, **limits: Any) -> None:
        super().__init__(value, **limits)
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> float:
        """Refuse infinities and NaN, which JSON cannot say, and numbers without a square."""
        number = super().validate(obj, value)
        if not abs(number) < LIMIT:
            raise TraitError(f"{self.name} must be a finite number below {LIMIT:g}, not {number}")
        return number


class CanvasExplorer(_Widget):
    """Base of the explorers that live in the browser; each is the twin of a class in js/ and has a file there.

    A subclass has `_esm`, from `bundle`, `_css`, from `styles`, a `title`, `question` and `task`, its traits, of
    which the browser sees those tagged with ``sync=True``, a `__repr__` in one line without an address, and `_draw`.

    Parameters
    ----------
    compact : bool, optional
        What moves and its numbers only, in larger type, on a projector of 1280 × 720. By default so in a notebook, and
        not on a page that is saved.
    """

    title: str = "Explorer"
    question: str = ""  # what a page of its own asks on top, and what to do there and what to look for
    task: str = ""

    compact: traitlets.Bool[bool | None, bool | int | None] = traitlets.Bool(None, allow_none=True).tag(
        sync=True, to_json=lambda value, widget: value is not False
    )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        name_arguments_of(cls)

    def __init__(self, **traits: Any) -> None:
        unknown = [name for name in traits if not self.has_trait(name)]
        if unknown:
            taken = [name for name in signature(type(self).__init__).parameters if name not in ("self", "traits")]
            taken += [
                name for name in self.traits() if self._is_ours(name) and name not in (*taken, "datasets", "table")
            ]
            raise TypeError(f"{type(self).__name__} takes no {', '.join(unknown)}; it takes {', '.join(taken)}")
        super().__init__(**traits)

    def notify_change(self, change: Any) -> None:
        """Tell the observers of a trait and the browser that it has changed."""
        if isinstance(change.new, np.ndarray):
            change.new = change.new.view(_Told)
        super().notify_change(change)

    def open(self) -> None:
        """Do nothing yet: an explorer that nobody shows, as in a loop, needs no model in the browser."""

    @property
    def model_id(self) -> str:
        """Name of the model in the browser, which is made when something asks for it: when the explorer is shown."""
        super().open()
        return super().model_id

    def save(self, path: str | PathLike[str]) -> None:
        """Write a page that does the same without Python: one HTML file, which needs no other and no network.

        "Copy link" on it makes an address that leads to the scene on the screen; a teacher hides controls in it with
        ``hide=``: ``page.html#rule=LDA&hide=rule,points``. Where a name is wrong, the page lists those that it knows.
        """
        # No label can end the script that it stands in.
        text = json.dumps(self._saved_state(), ensure_ascii=False, separators=(",", ":"), default=str)
        script = zlib.compress(f"{self._css}\0{self._esm}\n//# sourceURL=bayeslab.js\n".encode(), 9)
        page = Template(PAGE.read_text("utf-8")).substitute(
            title=self.title,
            question=self.question,
            task=self.task,
            name=type(self).__name__,
            state=text.replace("<", "\\u003c"),
            script=b64encode(script).decode(),
        )
        data = page.encode("utf-8", errors="replace")  # all of it, before a page that was there is overwritten
        draft = Path(path).with_name(f"{Path(path).name}.part")
        draft.write_bytes(data)
        draft.replace(path)

    def _saved_state(self) -> dict[str, Any]:
        """Values of the traits that are ours, as the browser has them, but points in little room: a page is small."""
        state = self.get_state([name for name in self.traits(sync=True) if self._is_ours(name)])
        state["compact"] = bool(self.compact)
        for name, trait in self.traits().items():
            if isinstance(trait, Points) and len(getattr(self, name)):
                state[name] = trait.saved(getattr(self, name))
        return state

    def _is_ours(self, name: str) -> bool:
        return issubclass(self.traits()[name].this_class or object, CanvasExplorer) and not name.startswith("_")

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
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
