"""Frames of the boundary explorer while a class is dragged, beside a slider that redraws scikit-learn's picture.

Both in one run and one Chromium at device ratio 2, with three classes and 600 points (`make bench-browser`). Explorer:
from the pointer's event until the frame that answers it is painted, on a plot of 480 × 480 CSS pixels. Slider of
ipywidgets in JupyterLab: from the key's event until the new picture from `DecisionBoundaryDisplay` is on the screen.
"""

import sys
import tempfile
from pathlib import Path

import nbformat
import numpy as np

from bayeslab import make_three_classes
from bayeslab.explore import BoundaryExplorer

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from chromium import chromium
from lab import Notebook, jupyter_lab
from screen import Screen

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

RECORD_PICTURES = """() => {
    window.times = [];
    let began = null;
    addEventListener("keydown", () => { began = performance.now(); }, true);
    new MutationObserver((changes) => {
        const image = changes.flatMap((change) => [...change.addedNodes]).map((node) => node.querySelector?.("img"))
            .find((image) => image);
        if (!image || began === null) return;
        const start = began;
        began = null;
        image.decode().then(() => requestAnimationFrame(() => setTimeout(() =>
            window.times.push([start, performance.now()]))));
    }).observe(document.querySelector(".jp-Notebook"), { childList: true, subtree: true });
}"""

SLIDER = """
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import interact
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.inspection import DecisionBoundaryDisplay
from bayeslab import make_three_classes

data = make_three_classes(200, np.random.default_rng(0))

@interact(shift=(0, 5, 0.1))
def redraw(shift=0.0):
    X = data.X + shift * (data.y == 1)[:, None]
    fig, ax = plt.subplots(figsize=(4.8, 4.8))
    model = QuadraticDiscriminantAnalysis().fit(X, data.y)
    DecisionBoundaryDisplay.from_estimator(model, X, response_method="predict", ax=ax, alpha=0.4)
    ax.scatter(*X.T, c=data.y, s=12)
    plt.show()
"""


def drag(browser, folder: Path, rule: str, n_moves: int = 400) -> np.ndarray:
    """Drag a mean along a curve; returns start and end of each frame in ms, shape (n, 2)."""
    BoundaryExplorer(make_three_classes(200, np.random.default_rng(0)), rule).save(folder / "page.html")
    page = browser.new_page(viewport={"width": 1200, "height": 1000}, device_scale_factor=2)
    page.goto((folder / "page.html").as_uri())
    page.locator(".bx-stage").evaluate("(stage) => { stage.style.width = '542px'; }")  # margins of 54 and 8
    screen = Screen(page)
    page.evaluate(RECORD_FRAMES)
    start = screen.at(1)
    page.mouse.move(*start)
    page.mouse.down()
    for t in range(n_moves):
        page.mouse.move(*np.add(start, [120 * np.sin(t / 20), 90 * np.sin(t / 13)]))
        page.wait_for_timeout(8)
    page.mouse.up()
    times = np.array(page.evaluate("window.times"))
    page.close()
    return times[10:]  # while the browser warms up


def press(browser, folder: Path, n_keys: int = 30) -> np.ndarray:
    """Press an arrow key on the slider; returns start and end of each redrawing in ms, shape (n, 2)."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [nbformat.v4.new_code_cell(SLIDER)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), folder / "slider.ipynb")
    page = browser.new_page(viewport={"width": 1200, "height": 1000}, device_scale_factor=2)
    with jupyter_lab(folder) as (address, token):
        Notebook(page, address, token, "slider.ipynb").run_all()
        page.locator(".jp-OutputArea img").wait_for()
        page.evaluate(RECORD_PICTURES)
        page.locator(".noUi-handle").focus()
        for n in range(n_keys):
            page.keyboard.press("ArrowRight")
            page.wait_for_function("(n) => window.times.length > n", arg=n)
        times = np.array(page.evaluate("window.times"))
        page.close()
    return times[3:]


def report(name: str, times: np.ndarray) -> float:
    """Print the percentiles of the durations; returns the median."""
    milliseconds = np.diff(times).ravel()
    median, most, nearly_all = np.percentile(milliseconds, [50, 95, 99])
    print(
        f"{name:16s} {len(times):4d} times  50 % {median:6.1f}  95 % {most:6.1f}  99 % {nearly_all:6.1f} ms", flush=True
    )
    return median


def main() -> None:
    """Print the times of both, and how often the slider's holds that of the explorer."""
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        frames = {rule: drag(browser, Path(name), rule) for rule in ("QDA", "kNN")}
        medians = {rule: report(f"explorer, {rule}", times) for rule, times in frames.items()}
        slider = report("slider", press(browser, Path(name)))
    for rule, times in frames.items():
        share = np.mean(np.diff(times) < 1000 / 60)
        print(f"{rule}: {share:.1%} of frames under 16.7 ms; {slider / medians[rule]:.0f} times as quick as the slider")


if __name__ == "__main__":
    main()
