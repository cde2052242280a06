"""What Plot draws stands where its window says, on screens of any resolution."""

from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from bayeslab.explore._bundle import bundle

PLACES = np.array([[-2.2, 0.4], [0, 3.3], [2.71, -1.9]])
MEAN, FACTOR = np.array([0.5, 1]), np.array([[1.2, 0], [0.7, 0.8]])
VIEW = {"x": [-4, 4], "y": [-3, 5]}

SCREENS = [(1, False), (1.5, False), (2, False), (3, True)]  # pixels of the screen to one of CSS, and whether it moves

# Blue dots and a red ellipse, drawn by one Plot on each screen: resolution, picture, and where in it the plot is.
DRAW = """([view, mean, [[l11], [l21, l22]], places, screens]) => {
    const plot = new Plot(document.body.appendChild(document.createElement("canvas")));
    return screens.map(([finest, isMoving]) => {
        Object.defineProperty(window, "devicePixelRatio", { value: finest, configurable: true });
        plot.isMoving = isMoving;
        plot.clear(LIGHT, 400, view);
        plot.drawDots(places, { color: "#0000ff", size: 3 });
        plot.drawEllipse({ mean, l11, l21, l22 }, 2, { color: "#ff0000", width: 3 });
        const { canvas, ratio, viewport: { width, height } } = plot;
        return [ratio, canvas.toDataURL().split(",")[1], [plot.left, plot.top], [width, height]];
    });
}"""


@pytest.fixture(scope="module")
def pictures(browser):
    """Return of each resolution a picture, shape (height, width, 3), and what gives the pixel of places."""
    low, high = np.transpose([VIEW["x"], VIEW["y"]])
    given = [VIEW, MEAN.tolist(), FACTOR.tolist(), PLACES.tolist(), SCREENS]
    page = browser.new_page()
    drawn = page.evaluate(f"(given) => {{ {bundle('kit/plot.js')}\nreturn ({DRAW})(given); }}", given)
    page.close()

    def picture(ratio, png, corner, size):
        def pixel(places):
            share = (places - low) / (high - low)
            return ratio * (np.array(corner) + np.column_stack([share[:, 0], 1 - share[:, 1]]) * size)

        return ratio, np.array(Image.open(BytesIO(b64decode(png))).convert("RGB")), pixel

    return [picture(*each) for each in drawn]


def test_dots_are_round_and_on_their_places(pictures):
    for ratio, picture, pixel in pictures:
        ink = (1 - picture[:, :, 0] / 255) * (picture[:, :, 2] > 200)  # of blue, a share of each pixel
        v, u = np.indices(ink.shape) + 0.5
        for at in pixel(PLACES):
            near = ink * (np.hypot(u - at[0], v - at[1]) < 6 * ratio)
            assert near.sum() == pytest.approx(np.pi * (3 * ratio) ** 2, rel=0.05)
            assert abs(np.sum(near * u) / near.sum() - at[0]) < 0.6
            assert abs(np.sum(near * v) / near.sum() - at[1]) < 0.6


def test_an_ellipse_is_the_circle_that_the_factor_maps(pictures):
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    for _, picture, pixel in pictures:
        for n, is_red in ((1.7, False), (2, True), (2.3, False)):
            u, v = np.floor(pixel(MEAN + n * circle @ FACTOR.T)).astype(int).T
            red = (picture[v, u] == [255, 0, 0]).all(axis=1)
            assert (red == is_red).all()
