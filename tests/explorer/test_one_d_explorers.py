"""The Python twins of the one-dimensional explorers: what they start from, refuse, save and show without a widget."""

import re

import numpy as np
import pytest
from scipy.stats import norm
from traitlets import TraitError

from bayeslab import Gaussian, load_iris
from bayeslab.explore import LikelihoodExplorer, ThresholdExplorer

PAIR = [Gaussian(0, 1), Gaussian(2, 4)]
TRIPLE = [Gaussian(4, 1), Gaussian(0, 1), Gaussian(10, 9)]


def test_thresholds_start_halfway_between_means_and_priors_equal():
    explorer = ThresholdExplorer(TRIPLE)
    np.testing.assert_array_equal(explorer.thresholds, [2, 5])  # in ascending order, whatever that of the means
    np.testing.assert_allclose(explorer.priors, [1 / 3] * 3)
    np.testing.assert_array_equal(explorer.deviations, [1, 1, 3])
    assert [str(g) for g in explorer.gaussians] == [str(g) for g in TRIPLE]
    assert explorer.class_names == explorer.classes == ["A", "B", "C"]


def test_a_class_keeps_its_colour_among_all_classes():
    iris = load_iris()
    explorer = ThresholdExplorer(PAIR, class_names=iris.class_names[1:], classes=iris.class_names)
    figure = explorer._draw()
    colors = [line.get_color() for line in figure.axes[0].get_lines()[:2]]
    assert colors == ["#D55E00", "#009E73"]


def test_thresholds_of_three_classes_ascend():
    with pytest.raises(TraitError, match=re.escape("not [3.0, 1.0]")):
        ThresholdExplorer(TRIPLE, thresholds=[3, 1])


@pytest.mark.parametrize("source", [[Gaussian([0, 0], 1), Gaussian([1, 1], 1)], [1.0, 2.0]])
def test_only_gaussians_on_a_line_will_do(source):
    with pytest.raises(TypeError, match="Gaussians on a line"):
        ThresholdExplorer(source)


@pytest.mark.parametrize("n", [1, 4])
def test_two_or_three_classes(n):
    with pytest.raises(TraitError, match="2 or 3 different labels"):
        ThresholdExplorer([Gaussian(k, 1) for k in range(n)])


def test_a_sample_starts_off_its_maximum():
    explorer = LikelihoodExplorer([1, 2, 4])
    assert (explorer.mean, explorer.deviation) == (1, np.std([1, 2, 4]) / 2)
    assert LikelihoodExplorer([3, 3]).deviation == 1


def test_the_picture_says_the_error_and_the_cost():
    explorer = ThresholdExplorer(PAIR, [0.25, 0.75], thresholds=[1], costs=[2, 1])
    error = 0.25 * 0.15865525393145707, 0.75 * 0.3085375387259869  # one and one half standard deviation away
    (note,) = explorer._draw().axes[0].artists
    assert note.txt.get_text() == f"error {sum(error):.4f}\naverage cost {2 * error[0] + error[1]:.4f}"


@pytest.mark.parametrize(
    ("gaussians", "priors"),
    [
        (PAIR, [0.25, 0.75]),
        (TRIPLE, [0.3, 0.3, 0.4]),
        (TRIPLE, [0.6, 0, 0.4]),
        ([Gaussian(0, 1), Gaussian(2, 1), Gaussian(4, 1)], [0.495, 0.01, 0.495]),  # nobody is ever called B
        (PAIR, [0.01, 0.99]),  # nor A here
    ],
)
def test_the_picture_shows_where_the_bayes_rule_changes_its_decision(gaussians, priors):
    explorer = ThresholdExplorer(gaussians, priors)
    (ax,) = explorer._draw().axes
    x = np.linspace(*ax.get_xlim(), 100_001)
    winners = np.argmax(explorer.priors * norm.pdf(x[:, None], explorer.means, explorer.deviations), axis=1)
    dotted = [line.get_xdata()[0] for line in ax.get_lines() if line.get_linestyle() == ":"]
    np.testing.assert_allclose(dotted, x[1:][np.diff(winners) != 0], atol=x[1] - x[0])
    named = [text.get_position()[0] for text in ax.texts if text.get_text() == "Bayes"]
    assert set(named) <= set(dotted)
    assert bool(named) == bool(dotted)


def test_the_map_in_the_picture_has_the_log_likelihood():
    points = np.random.default_rng(0).normal(3, 2, 20)
    (contours,) = [c for c in LikelihoodExplorer(points)._draw().axes[1].collections if hasattr(c, "levels")]
    top = norm.logpdf(points, points.mean(), points.std()).sum()
    for level, path in zip(contours.levels[-4:], contours.get_paths()[-4:], strict=True):
        values = norm.logpdf(points[:, None], *path.vertices.T).sum(axis=0)
        np.testing.assert_allclose(values, level, atol=0.05 * (top - level) + 0.05)  # between places of a grid


def set_together(explorer, other, *names):
    with explorer.hold_trait_notifications():
        for name in (*names, "class_names"):
            setattr(explorer, name, getattr(other, name))


def test_a_class_more_or_less_needs_another_explorer():
    explorer = ThresholdExplorer([Gaussian(mean, 1) for mean in (0, 3, 6)])
    with pytest.raises(TraitError, match="has 3 classes: make a new one for 2"):
        set_together(explorer, ThresholdExplorer(PAIR), "means", "deviations", "costs", "priors", "thresholds")
    assert explorer.class_names == ["A", "B", "C"]
