"""The EM player against scikit-learn's steps from the same start, and the page that plays without a kernel."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from sklearn.mixture import GaussianMixture as SklearnMixture

from bayeslab import GaussianMixture, load_iris, make_gaussian_pair
from bayeslab.explore import animate_em, play_em
from bayeslab.plotting import COLORS

PLANE = make_gaussian_pair("P1b", 100, np.random.default_rng(0)).X
STARTS = {1: [[-1.0], [5.0]], 2: [[0.0, 3.0], [3.0, -1.0]]}


def fitted(d):
    X = PLANE[:, :d]
    return GaussianMixture(2, init=np.array(STARTS[d]), tol=0, max_iter=12).fit(X), X


@pytest.mark.parametrize("d", [1, 2])
def test_em_player_shows_each_half_step(d):
    mixture, X = fitted(d)
    explorer = play_em(mixture, X)
    plane, side = explorer.figure.axes
    assert explorer.controls["step"].max == 24
    assert explorer.summary.startswith("start")
    first, palette = explorer.picture.value, np.array([to_rgb(color) for color in COLORS[:2]])
    for step, name, seen, now in [
        (1, "E-step 1", 0, 0),
        (2, "M-step 1", 0, 1),
        (7, "E-step 4", 3, 3),
        (24, "M-step 12", 11, 12),
    ]:
        explorer.controls["step"].value = step
        before, after = sklearn_after(X, d, seen), sklearn_after(X, d, now)
        np.testing.assert_allclose(
            plane.collections[0].get_edgecolor()[:, :3], before.predict_proba(X) @ palette, atol=1e-5
        )
        assert side.lines[1].get_xdata() == [now]
        assert side.lines[1].get_ydata() == pytest.approx([after.score(X)], abs=1e-5)
        assert explorer.summary.startswith(f"{name}: mean log-likelihood {after.score(X):.4f} per sample")
        weights = explorer.summary.rsplit("weights ")[1].split(", ")
        assert [float(weight) for weight in weights] == pytest.approx(after.weights_.tolist(), abs=1e-3)
    explorer.controls["step"].value = 0
    assert explorer.picture.value == first


def sklearn_after(X, d, n_iterations):
    """Let scikit-learn make so many iterations from the same start."""
    covariance = np.cov(X.T, ddof=0).reshape(d, d)
    start = {
        "weights_init": np.array([0.5, 0.5]),
        "means_init": np.array(STARTS[d]),
        "precisions_init": np.array([np.linalg.inv(covariance)] * 2),
    }
    mixture = SklearnMixture(2, max_iter=1, tol=1e9, reg_covar=0, warm_start=True, **start)
    mixture._initialize_parameters(X, np.random.RandomState(0))
    for _ in range(n_iterations):
        _, log_responsibilities = mixture._e_step(X)
        mixture._m_step(X, log_responsibilities)
    return mixture


def test_em_player_draws_one_or_two_features():
    X = load_iris().X[:, :3]
    mixture = GaussianMixture(2, random_state=0).fit(X)
    for show in (play_em, animate_em):
        with pytest.raises(ValueError, match=r"one or two features.*\(150, 3\)"):
            show(mixture, X)


def test_the_player_is_one_small_page_of_its_own():
    players = [animate_em(*fitted(d)) for d in (1, 2)]
    pages = [player.to_jshtml() for player in players]
    for player, html in zip(players, pages, strict=True):
        assert "http" not in html
        assert "fa-" not in html
        assert 'src="' not in html
        assert len(html.encode()) < 400_000
        n_frames = html.count("data:image/png;base64,")
        assert n_frames == html.count("<li>") == 9 + 7  # all half steps of 4 iterations, then 7 of the next 8 M-steps
        assert re.findall("<li>(.*?)</li>", html) == repr(player).splitlines() == player.words
        assert player.words[-1].startswith("M-step 12")
    assert len({re.search(r"_anim_img(\w+)", html)[1] for html in pages}) == 2  # both may stand on one page
    assert pages[0] == animate_em(*fitted(1))._repr_html_()  # nothing random in it
    assert not plt.get_fignums()
