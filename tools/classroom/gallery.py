"""The explorers on the front page of the site: a page, a picture and a dare for each."""

from dataclasses import dataclass

import numpy as np
from matplotlib import pyplot as plt

import bayeslab.explore
from bayeslab import Dataset, Gaussian, TrueClassifier, load_iris, load_penguins
from bayeslab.explore import TourExplorer

# On the front page the tour is in a window of its own: on a phone, an answer takes the place of what was asked.
HERO_STYLE = """<style>
html.framed body .bx-root.bx-tour { --high: 100vh; }
@media (max-width: 739px) {
  .bx-root.bx-tour { padding: 4px 8px; }
  .bx-words:has(> .bx-answer[data-met]) > .bx-says { display: none; }
}
</style>
"""
# Where the tour leads; any other page leads to that of the next explorer.
WAYS = {
    "TourExplorer": [
        ("../../00_start_here.html", "Start the course"),
        ("boundary.html", "Try your own table"),
        ("challenges.html", "30 challenges"),
    ],
    "ChallengeExplorer": [("../../00_start_here.html", "Start the course →")],
}
PICTURE = (3.0, 1.9)  # sides in inches, at 110 dots per inch


@dataclass(frozen=True)
class Exhibit:
    """An explorer of the gallery: what it is called, what to try, where it is taught, and how its scene is made."""

    name: str
    dare: str
    notebook: int
    arguments: object = dict  # a function that returns those of the class, by name

    def make(self, kind):
        """Return the explorer."""
        return getattr(bayeslab.explore, kind)(**self.arguments())


def drawn(real, classes, n, seed):
    """Return n samples of each class, drawn from Gaussians with the moments of the real ones: the truth is known."""
    own = [real.X[real.y == name] for name in classes]
    densities = [Gaussian(X.mean(axis=0).round(2), np.cov(X.T).round(3)) for X in own]
    return sample_of(TrueClassifier(densities, classes), real.feature_names, n, seed)


def sample_of(truth, feature_names, n, seed):
    """Return n samples of each class."""
    X, y = truth.sample(n, np.random.default_rng(seed))
    return Dataset(X.round(2), y, feature_names, "Drawn from Gaussians.", truth)


# Flowers of the tour, each kind with a shape of its own.
PETALS = ["petal length (cm)", "petal width (cm)"]
KINDS = ["blue", "orange"]
BIRDS = ["Adelie", "Chinstrap", "Gentoo"]
FLOWERS = TrueClassifier([Gaussian([3, 3], [[1, 0.5], [0.5, 1]]), Gaussian([6, 6], [1, 2])], KINDS)

# In the order of the course, by the names in bayeslab.explore; a test asks for each of them. Each leads to the next.
EXHIBITS = {
    "TourExplorer": Exhibit("Tour", "What the whole course is about, in seven steps.", 0),
    "LikelihoodExplorer": Exhibit(
        "Likelihood",
        "Climb to the top of the hill by feel, without the button.",
        1,
        lambda: {
            "points": load_iris().select("petal length").X[50:80, 0],
            "mean": 3.2,
            "deviation": 0.6,
            "feature_name": "petal length (cm)",
        },
    ),
    "CovarianceExplorer": Exhibit(
        "Covariance",
        "Make an ellipse that is not round, in which x₁ says nothing about x₂.",
        2,
        lambda: {"covariance": [[1, 0.6], [0.6, 1]], "cut": 1.5},
    ),
    "ThresholdExplorer": Exhibit(
        "Threshold",
        "Find the place with the fewest mistakes, then the cheapest one. How far apart are they?",
        9,
        lambda: {
            "gaussians": [Gaussian(4.6, 0.25), Gaussian(6.1, 0.5625)],
            "class_names": ["healthy", "sick"],
            "feature_name": "blood sugar (mmol/l)",
            "costs": [1, 5],
            "thresholds": [5.8],
        },
    ),
    "BoundaryExplorer": Exhibit(
        "Boundary",
        "Make QDA's boundary as straight as LDA's.",
        5,
        lambda: {"data_or_classifier": sample_of(FLOWERS, PETALS, 60, 3), "rule": "QDA"},
    ),
    "EMExplorer": Exhibit(
        "EM",
        "Start so badly that EM ends below the best log-likelihood.",
        6,
        lambda: {
            "X": (birds := load_penguins().select("bill length", "flipper length")).X,
            "starts": birds.X[[5, 160, 300]],
            "feature_names": birds.feature_names,
        },
    ),
    "NeighboursExplorer": Exhibit(
        "Neighbours",
        "Find the k that is best for new points. Which curve would have told you?",
        11,
        lambda: {
            "data": drawn(load_iris().select("sepal length", "sepal width"), ["versicolor", "virginica"], 60, 3),
            "k": 1,
            "query": [6.7, 2.2],  # whose neighbour is some way off
        },
    ),
    "RegularisedExplorer": Exhibit(
        "Regularised",
        "Beat QDA and LDA at the same time.",
        13,
        lambda: {"data": drawn(load_penguins().select("bill length", "bill depth"), BIRDS, 6, 3), "error": "none"},
    ),
    "VarianceExplorer": Exhibit(
        "Variance",
        "Draw 100 samples. How many points does QDA need before it beats LDA?",
        12,
        lambda: {
            "drawn": 30,
            "means": [each.mean for each in FLOWERS.gaussians],
            "covariances": [each.covariance for each in FLOWERS.gaussians],
            "class_names": KINDS,
            "classes": KINDS,
            "feature_names": PETALS,
        },
    ),
    "ChallengeExplorer": Exhibit("Challenges", "Thirty tasks, from easy to hard. How many can you do?", 19),
}


def hero():
    """Return what the front page opens with."""
    return TourExplorer()


def page_of(kind):
    """Name of the page of an explorer, such as boundary.html; that of the challenges has always been this."""
    return "challenges.html" if kind == "ChallengeExplorer" else f"{kind.removesuffix('Explorer').lower()}.html"


def save_gallery(folder):
    """Write a page and a picture of each explorer into a folder."""
    following = [*EXHIBITS, *EXHIBITS][1:]
    for (kind, exhibit), after in zip(EXHIBITS.items(), following, strict=False):
        explorer = exhibit.make(kind)
        explorer.save(folder / page_of(kind))
        place_in_course(folder / page_of(kind), WAYS.get(kind, [(page_of(after), f"Next: {EXHIBITS[after].name} →")]))
        with plt.style.context("bayeslab.bayeslab"):
            bare(explorer._draw()).savefig(folder / page_of(kind).replace(".html", ".png"), dpi=110)


def place_in_course(page, ways):
    """Write into the head of a page where it belongs and where it leads: (address, words) of each link."""
    text = page.read_text(encoding="utf-8")
    pages = [page_of(kind) for kind in EXHIBITS]
    number = f" · page {pages.index(page.name) + 1} of {len(pages)}" if page.name in pages else ""
    home = f'<a id="course" href="../../index.html">BayesLab</a>{number}'
    links = " · ".join(f'<a href="{address}">{words}</a>' for address, words in ways)
    for empty, full in (
        ('<b id="course">BayesLab</b>', home),
        ('<p id="next"></p>', f'<p id="next">{links}</p>'),
    ):
        text = text.replace(empty, full)
    page.write_text(text, encoding="utf-8")


def bare(figure):
    """Return a picture of an explorer without its words and axes, as large as a card."""
    first, *others = figure.axes
    for each in [*others, *first.texts, *first.artists, *filter(None, [first.get_legend()])]:
        each.remove()
    figure.set_layout_engine("none")
    figure.set_size_inches(PICTURE)
    first.set(position=(0, 0, 1, 1), aspect="auto", title="", xlabel="", ylabel="", xticks=[], yticks=[])
    first.spines[:].set_visible(False)
    return figure


def cards(notebooks):
    """Return the gallery as HTML; notebooks are those of `front_page.read_notebooks`."""
    items = []
    for kind, exhibit in EXHIBITS.items():
        page = f"_static/explorers/{page_of(kind)}"
        taught = notebooks[exhibit.notebook]["page"]
        where = f'<a class="where" href="{taught}">notebook {exhibit.notebook:02}</a>'
        picture = page.replace(".html", ".png")
        items.append(
            f'<li><a class="exhibit" href="{page}"><img src="{picture}" alt="" width="330" height="209" loading="lazy">'
            f"<strong>{exhibit.name}</strong><span>{exhibit.dare}</span></a>{where}</li>"
        )
    return "\n".join(['<ul class="gallery">', *items, "</ul>"])
