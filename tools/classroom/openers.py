"""What the page of a notebook opens with, where its first figure would come late; none answers a prediction."""

import html
import re
from base64 import b64decode
from dataclasses import dataclass

import nbformat
import numpy as np
from explorers import stored_picture
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from sklearn.model_selection import cross_val_predict

from bayeslab import (
    GaussianClassifier,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    k_fold,
    load_digits,
    load_mnist5k,
    load_penguins,
    load_tumours,
)
from bayeslab.plotting import plot_points, plot_regions

FIGURE = '<figure class="opener"><img src="{picture}" alt="{alt}"><figcaption>{caption}</figcaption></figure>'
FRAME = """<div class="full-width"><figure class="opener live">
<iframe class="explorer" src="{page}" title="{alt}"></iframe><figcaption>{caption}</figcaption></figure></div>"""
ABLE = re.compile(r"You will be able to\n\n(.+?)\n\n(?=\*\*Needs|Needs)", re.DOTALL)
FOLD = '<details class="able"><summary>You will be able to …</summary>\n\n{able}\n\n</details>\n\n'


@dataclass(frozen=True)
class Opener:
    """What to show: the id of a cell, or a function that draws and returns words for those who don't see it."""

    shown: object
    caption: str


def _gentoos(figure):
    birds = load_penguins().select("flipper length", "body mass")
    gentoos = birds.X[birds.y == "Gentoo"]
    measured = np.random.default_rng(8).choice(len(gentoos), 8, replace=False)
    ax = figure.subplots()
    ax.scatter(*gentoos.T, s=24, facecolors="none", edgecolors="C2", linewidths=0.8)
    ax.scatter(*gentoos[measured].T, s=44, color="C2")
    ax.set(xlabel="flipper length (mm)", ylabel="body mass (g)")
    return "Body mass against flipper length of Gentoo penguins: eight filled dots among many hollow ones."


def _tumours(figure):
    data = load_tumours().select("mean radius", "mean concavity")
    ax = plot_points(data.X, data.y, figure.subplots())
    ax.set(xlabel="mean radius", ylabel="mean concavity")
    return "Scatter plot of two measurements of 569 tumours, benign and malignant: two clouds that overlap."


def _posteriors(figure):
    data = load_tumours()
    folds = k_fold(data.y, 10, np.random.default_rng(10), stratify=True)
    p = cross_val_predict(GaussianClassifier("diagonal"), data.X, data.y, cv=folds, method="predict_proba")[:, 1]
    ax = figure.subplots()
    ax.hist([p[data.y == name] for name in ("benign", "malignant")], 20, stacked=True, label=["benign", "malignant"])
    ax.set(xlabel="posterior of malignant", ylabel="tumours", yscale="log")
    ax.legend()
    return (
        "Histogram of the posteriors that naive Bayes gives to tumours, by what they are: nearly all are close to 0 or "
        "to 1, and at both ends there are tumours of the other kind."
    )


def _digits(figure):
    data = load_digits()
    _strip(figure, data.X[[np.flatnonzero(data.y == digit)[7] for digit in (8, 0, 3, 5)]].reshape(4, 8, 8))
    return "A postcode of four digits, written by hand, in squares of eight by eight grey pixels."


def _alike(figure):
    data = load_mnist5k()
    _strip(
        figure, data.X[[np.flatnonzero(data.y == digit)[k] for digit in (3, 5, 8) for k in (0, 1)]].reshape(6, 28, 28)
    )
    return "Six digits, written by hand: two threes, two fives and two eights."


def _strip(figure, images):
    figure.set_size_inches(6, 1.6)
    for ax, image in zip(figure.subplots(1, len(images)), images, strict=True):
        ax.imshow(image, cmap="Greys")
        ax.axis("off")


def _rules(figure):
    birds = load_penguins().select("bill length", "bill depth")
    figure.set_size_inches(7.6, 2.6)
    rules = {"nearest mean": NearestMean(), "naive Bayes": GaussianClassifier("diagonal")}
    rules |= {"LDA": LinearDiscriminantAnalysis(), "QDA": QuadraticDiscriminantAnalysis()}
    for ax, (name, rule) in zip(figure.subplots(1, 4, sharex=True, sharey=True), rules.items(), strict=True):
        plot_regions(rule.fit(birds.X, birds.y), birds.X, ax)
        ax.scatter(*birds.X.T, s=2, color="0.3")
        ax.set(title=name, xlabel="bill length (mm)")
        ax.label_outer()
    figure.axes[0].set_ylabel("bill depth (mm)")
    return "Four rules divide the same penguins among three species, each with other boundaries."


OPENERS = {
    "00": Opener("00-21", "Two species, and a flower that could be either: the star."),
    "03": Opener(
        "03-70", "Petal widths of both species. The black line decides: where would you put it, and what would it cost?"
    ),
    "04": Opener(
        "04-62", "Two classes whose measurements are related. Choose naive Bayes, which ignores it, then LDA."
    ),
    "05": Opener("05-81", "Three species of penguins. Choose LDA, then QDA: which boundary would you trust?"),
    "07": Opener("07-32", "Each row is a round. What is dark waits for the test; the rule learns from what is pale."),
    "08": Opener("08-18", "Four measurements of three species, and a bell for each. Do they fit?"),
    "09": Opener("09-08", "How deep the dents in a nucleus are, in benign and in malignant tumours."),
    "10": Opener(_posteriors, "What naive Bayes says of 569 tumours that it hasn't seen. It's nearly always sure."),
    "12": Opener("12-06", "Two plastics, seen by three instruments. Which lines are orange, and how would you know?"),
    "13": Opener(_digits, "A postcode, as the camera sees it."),
    "14": Opener(_alike, "Threes, fives and eights. In which directions do they differ?"),
    "15": Opener("15-81", "Days between disasters in British mines, before 1890 and after: no bell to be seen."),
    "16": Opener("16-line", "Two words, counted in the chapters of two novels. A dot is a chapter."),
    "17": Opener("17-08", "Pulse and cadence, second by second, of somebody who walks, runs or cycles."),
    "18": Opener(_gentoos, "Filled: the eight Gentoos that were measured. Hollow: the others. Which are unusual?"),
    "19": Opener(_rules, "Four rules for the same birds. Which one should she carry?"),
    "20": Opener(_tumours, "569 tumours, two measurements: which would you look at again?"),
}


def opened(cells, title, pages, static):
    """Return the cells of a notebook with an opening: name, question, story, picture, and what to learn in a fold.

    Parameters
    ----------
    cells : list
        The cells of a notebook.
    title : str
        Number and name, as in all lists.
    pages : dict
        The pages of explorers, by cell.
    static : Path
        The folder _static, for the picture.
    """
    question, text = cells[0].source.removeprefix("# ").split("\n", 1)
    asked = "" if question.strip("?") in title else f'<p class="question">{html.escape(question)}</p>\n\n'
    story, *able = ABLE.split(text, maxsplit=1)
    picture = show(title[:2], cells, pages, static)
    rest = FOLD.format(able=able[0]) + able[1] if able else ""
    first = nbformat.v4.new_markdown_cell(f"# {title}\n\n{asked}{story.strip()}\n\n{picture}\n\n{rest}", id=cells[0].id)
    return [first, *cells[1:]]


def show(number, cells, pages, static):
    """Return the opener of a notebook as HTML, and write its picture; "" where it needs none."""
    if number not in OPENERS:
        return ""
    opener = OPENERS[number]
    picture = static / "openers" / f"{number}.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    if callable(opener.shown):
        with plt.style.context("bayeslab.bayeslab"):
            figure = Figure(figsize=(6, 3.3), layout="constrained")
            alt = opener.shown(figure)
            figure.savefig(picture, dpi=110)
    else:
        cell = next(cell for cell in cells if cell.id == opener.shown)
        alt = cell.metadata["alt"]
        if stored_picture(cell):
            page = f"_static/explorers/{pages[cell.id]}"
            return FRAME.format(page=page, alt=html.escape(alt), caption=opener.caption)
        data = next(output.data for output in cell.outputs if "image/png" in output.get("data", {}))
        picture.write_bytes(b64decode(data["image/png"]))
    return FIGURE.format(picture=f"_static/openers/{picture.name}", alt=html.escape(alt), caption=opener.caption)
