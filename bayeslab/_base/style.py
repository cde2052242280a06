"""Colour and marker of each class, the same in every picture, and which samples can be drawn."""

from __future__ import annotations

import numpy as np

# Okabe and Ito's palette, safe for colour-blind readers; the marker identifies the class too.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999933", "#000000", "#882255", "#44AA99")
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*", "<", ">")


def style_index(label, known):
    """Index of a class in the lists of colours and markers."""
    if len(known) > len(COLORS):
        raise ValueError(f"{len(known)} classes cannot be told apart: there are {len(COLORS)} colours and markers")
    if label not in known:
        raise ValueError(f"class {label!r} is not among classes, {known}")
    return known.index(label)


def as_drawable(X) -> np.ndarray:
    """Return samples of one or two features as an array of shape (n, 1) or (n, 2)."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[1] not in (1, 2):
        raise ValueError(f"samples of one or two features can be drawn, but X has shape {X.shape}; try X[:, [0, 1]]")
    return X
