"""The EM algorithm half a step at a time: with a slider in a notebook, or as a page that plays without a kernel."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html import escape
from io import BytesIO

import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import IntSlider, Play, jslink
from matplotlib.animation import FuncAnimation
from matplotlib.colors import to_rgb
from PIL import Image

from bayeslab.explore._explorer import Explorer, look, new_figure
from bayeslab.plotting import COLORS, MARKERS

# What the icons of Matplotlib's player are called in its style sheet on the network, and characters instead.
ICONS = {
    "minus": "−",
    "fast-backward": "|◁",
    "step-backward": "◁◁",
    "play fa-flip-horizontal": "◀",
    "pause": "❚❚",
    "play": "▶",
    "step-forward": "▷▷",
    "fast-forward": "▷|",
    "plus": "+",
}


def play_em(mixture, X) -> Explorer:
    """Go forward and back through the E- and M-steps of a fitted mixture; the colours are the responsibilities.

    Parameters
    ----------
    mixture : fitted GaussianMixture of at most 10 components
    X : (n, 1) or (n, 2) array
        What it was fitted to.
    """
    figure, update, n_steps = _picture(mixture, X)
    step = IntSlider(0, min=0, max=n_steps)
    explorer = Explorer(figure, update, {"step": step})
    play = Play(min=0, max=n_steps, interval=600, show_repeat=False)
    jslink((play, "value"), (step, "value"))
    explorer.children = (play, *explorer.children)
    return explorer


def animate_em(mixture, X) -> EMAnimation:
    """Make the pictures of `play_em` an animation, whose `to_jshtml()` is a player that needs no kernel and no network.

    It shows every half step of the first four iterations, and some of the iterations after them. Parameters are those
    of `play_em`.
    """
    figure, update, n_steps = _picture(mixture, X)
    later = 2 * np.unique(np.geomspace(5, max(5, n_steps // 2), 10).astype(int))
    return EMAnimation(figure, update, [step for step in (*range(9), *later.tolist()) if step <= n_steps])


class EMAnimation(FuncAnimation):
    """Animation that is shown as its player, and says each of its frames in words as well."""

    def __init__(self, figure, update, steps):
        self.words = [update(step) for step in steps]
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # arranged once; from frame to frame only the artists move
        super().__init__(figure, lambda step: update(step) and [], frames=steps)

    def to_jshtml(self) -> str:
        """Return the player as HTML, the same at each call."""
        with plt.rc_context({"savefig.dpi": 72, "animation.embed_limit": 50}):
            html = super().to_jshtml(fps=1.5, default_mode="once")
        html = re.sub(r'<link rel="stylesheet"\s+href="[^"]*">', "", html)
        html = re.sub(r'<i class="fa fa-([\w -]+)"></i>', lambda found: ICONS[found[1]], html)
        html = re.sub(r"(?<=base64,)[^\"]+", _in_few_colors, html)
        html = html.replace("<img ", '<img alt="the EM algorithm, a picture per step" style="max-width: 100%" ')
        html = html.replace('type="range"', 'type="range" aria-label="step"')
        chance = re.search(r"_anim_img(\w+)", html)[1]
        html = html.replace(chance, sha256(html.replace(chance, "").encode()).hexdigest()[:16])
        lines = "".join(f"<li>{escape(words)}</li>" for words in self.words)
        return f"{html}<details><summary>In words</summary><ol>{lines}</ol></details>"

    _repr_html_ = to_jshtml

    def __repr__(self) -> str:
        return "\n".join(self.words)

    def __del__(self):
        """Go without Matplotlib's warning: an animation that nobody has shown is no mistake."""


def _in_few_colors(found) -> str:
    """Picture in base64 with a palette of 64 colours, a quarter of its size."""
    small, picture = BytesIO(), Image.open(BytesIO(b64decode(found[0].replace("\\\n", ""))))
    picture.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return b64encode(small.getvalue()).decode()


@look
def _picture(mixture, X):
    """Figure of samples, components and log-likelihood; the function that shows a half step there; their number."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[1] not in (1, 2):
        raise ValueError(f"the player draws samples of one or two features in rows, but X has shape {X.shape}")
    figure, (plane, side) = new_figure(2)
    history = mixture.history_
    likelihoods = [iteration.log_likelihood for iteration in history]
    colors = np.array([to_rgb(color) for color in COLORS[: len(history[0].weights)]])
    move, dots = (_plot_line if X.shape[1] == 1 else _plot_plane)(plane, X, colors, history)
    side.plot(likelihoods, color="0.6")
    side.xaxis.get_major_locator().set_params(integer=True)
    (here,) = side.plot([], [], "ko")
    side.set(xlabel="iteration", ylabel="mean log-likelihood per sample")
    label = side.text(0.97, 0.06, "", transform=side.transAxes, ha="right")

    def update(step):
        turn, now = (step + 1) // 2, history[step // 2]
        move(now)
        dots.set_color(np.clip(history[turn - 1].responsibilities(X) @ colors, 0, 1) if step else "0.6")
        here.set_data([step // 2], [now.log_likelihood])
        name = f"{'E' if step % 2 else 'M'}-step {turn}" if step else "start"
        label.set_text(name)
        shares = ", ".join(f"{weight:.3f}" for weight in now.weights)
        return f"{name}: mean log-likelihood {now.log_likelihood:.4f} per sample, weights {shares}"

    return figure, update, 2 * (len(history) - 1)


def _plot_plane(ax, X, colors, _):
    """Draw samples of two features; return what moves the components there, and the samples."""
    dots = ax.scatter(*X.T, s=14, color="0.6", linewidths=0)
    ellipses = [ax.plot([], [], color=color)[0] for color in colors]
    means = [
        ax.plot([], [], marker, color=color, markeredgecolor="black", markersize=9)[0]
        for marker, color in zip(MARKERS, colors, strict=False)
    ]
    ax.set(xlabel="x₁", ylabel="x₂", aspect="equal", xlim=_window(X[:, 0]), ylim=_window(X[:, 1]))

    def move(now):
        for gaussian, ellipse, mean in zip(now.gaussians, ellipses, means, strict=True):
            ellipse.set_data(*gaussian.ellipse(2).T)
            mean.set_data(*gaussian.mean[:, None])

    return move, dots


def _plot_line(ax, X, colors, history):
    """Draw samples of one feature as ticks; return what moves the curves λₖ N(x; μₖ, Σₖ) there, and the ticks."""
    dots = ax.vlines(X[:, 0], 0, 0.05, transform=ax.get_xaxis_transform(), linewidth=1)
    curves = [ax.plot([], [], color=color)[0] for color in colors]
    (total,) = ax.plot([], [], color="black", linewidth=1)
    x = np.linspace(*_window(X[:, 0]), 801)

    def densities(now):
        return [weight * np.exp(g.log_density(x)) for weight, g in zip(now.weights, now.gaussians, strict=True)]

    def move(now):
        for curve, density in zip(curves, densities(now), strict=True):
            curve.set_data(x, density)
        total.set_data(x, np.sum(densities(now), axis=0))

    highest = max(np.sum(densities(iteration), axis=0).max() for iteration in history)
    ax.set(xlabel="x", ylabel="density", xlim=x[[0, -1]], ylim=(0, 1.05 * highest))
    return move, dots


def _window(x):
    """Limits that hold the samples and some room about them."""
    margin = 0.15 * np.ptp(x) or 1.0
    return x.min() - margin, x.max() + margin
