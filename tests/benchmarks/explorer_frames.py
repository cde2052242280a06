"""Frames of every explorer while something is dragged.

All in one run and one Chromium, with as many points and classes as a lecture may want (`make bench-browser`, or with
words such as `EM` those rows alone), at device ratio 1, that of a projector, and 2. Explorer: from the pointer's event
until the frame that answers it is painted, on a page 1200 pixels wide. Chromium gives these events away when a frame
begins, so no time is spent waiting for the screen: it is the main thread's, and what it waits for the thread that puts
the page together.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bayeslab import Gaussian, TrueClassifier
from bayeslab.explore import (
    BoundaryExplorer,
    CovarianceExplorer,
    EMExplorer,
    LikelihoodExplorer,
    NeighboursExplorer,
    RegularisedExplorer,
    ThresholdExplorer,
    TourExplorer,
    VarianceExplorer,
)

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from chromium import chromium
from screen import Screen

CENTRES = np.array([[0, 0], [3, 3], [-3, 2], [4, -2], [-2, -3]])
TRUTH = TrueClassifier([Gaussian(centre, [[1, 0.3], [0.3, 1]]) for centre in CENTRES], list("ABCDE"))
X, Y = TRUTH.sample(120, np.random.default_rng(0))  # of each class
POINTS = np.column_stack([X, np.searchsorted(TRUTH.classes_, Y)])
FEW = X[::3], Y[::3]  # 200 points, as many as the regularised explorer takes

# What is shown, and the handle that is dragged.
ROWS = {
    "boundary, QDA": (lambda: BoundaryExplorer(TRUTH, points=POINTS), "mean-1"),
    "boundary, RDA": (lambda: BoundaryExplorer(TRUTH, "RDA", points=POINTS, mode="estimate"), "mean-1"),
    "boundary, kNN": (lambda: BoundaryExplorer(TRUTH, "kNN", points=POINTS), "mean-1"),
    "covariance": (CovarianceExplorer, "axis-1"),
    "threshold": (lambda: ThresholdExplorer([Gaussian(mean, 1) for mean in (0, 3, 6)]), "mean-1"),
    "likelihood": (lambda: LikelihoodExplorer(X[:, 0]), "both"),
    "EM, at the start": (lambda: EMExplorer(X, CENTRES), "start-0"),
    "EM, at the end": (lambda: EMExplorer(X, CENTRES, step=800), "start-0"),
    "regularised": (lambda: RegularisedExplorer(FEW), "pair"),
    "regularised, mean": (lambda: RegularisedExplorer(FEW), "mean-1"),
    "tour, LDA": (lambda: TourExplorer(5), "ring1-0"),
    "variance, 100 ghosts": (lambda: VarianceExplorer(drawn=100), "mean-1"),
    "neighbours": (lambda: NeighboursExplorer((X, Y)), "query"),
    "neighbours, k = 1": (lambda: NeighboursExplorer((X, Y), k=1), "neighbour"),
    "neighbours, point": (lambda: NeighboursExplorer((X, Y)), "neighbour"),
}
SECONDS = 3

# When a frame has been painted, the message that was sent at its start arrives.
RECORD_FRAMES = """() => {
    window.times = [];
    const request = window.requestAnimationFrame.bind(window);
    let began = null;
    addEventListener("pointermove", () => { began ??= performance.now(); }, true);
    window.requestAnimationFrame = (draw) => request((now) => {
        const start = began, { port1, port2 } = new MessageChannel();
        began = null;
        draw(now);
        if (start !== null) port1.onmessage = () => window.times.push([start, performance.now()]);
        port2.postMessage(null);
    });
}"""


def drag(browser, folder: Path, explorer, handle: str, ratio: int) -> np.ndarray:
    """Drag a handle along a curve; returns start and end of each frame in ms, shape (n, 2)."""
    explorer.save(folder / "page.html")
    page = browser.new_page(viewport={"width": 1200, "height": 1000}, device_scale_factor=ratio)
    page.goto((folder / "page.html").as_uri())
    screen = Screen(page)
    page.evaluate(RECORD_FRAMES)
    start = screen.middle(page.locator(f'[data-handle="{handle}"]'))
    page.mouse.move(*start)
    page.mouse.down()
    begin = time.monotonic()
    while (t := time.monotonic() - begin) < SECONDS:
        page.mouse.move(*np.add(start, [80 * np.sin(4 * t), 60 * np.sin(6 * t)]))
        page.wait_for_timeout(4)
    page.mouse.up()
    times = np.array(page.evaluate("window.times"))
    page.close()
    return times[10:]  # while the browser warms up


def report(name: str, times: np.ndarray) -> None:
    """Print percentiles of the durations, and the share of those that fit between two pictures of a screen."""
    milliseconds = np.diff(times).ravel()
    median, most = np.percentile(milliseconds, [50, 95])
    share = np.mean(milliseconds < 1000 / 60)
    print(
        f"{name:22s} {len(times):4d} times  50 % {median:6.1f} ms  95 % {most:6.1f} ms  {share:6.1%} within 16.7 ms",
        flush=True,
    )


def main(words: list[str]) -> None:
    """Print the times of all rows, or of those that have one of the words in their name."""
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        for row, (explorer, handle) in ROWS.items():
            if not words or any(word in row for word in words):
                for ratio in (1, 2):
                    report(f"{row}, {ratio}×", drag(browser, Path(name), explorer(), handle, ratio))


if __name__ == "__main__":
    main(sys.argv[1:])
