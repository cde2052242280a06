"""Every explorer's page in Firefox and in WebKit: it opens, a handle follows the mouse, Undo goes back, no error."""

import json
import time

import numpy as np
import pytest
from engines import ENGINES
from every_explorer import EXPLORERS, IN_BROWSER
from screen import COLOURS, SHOW_VALUES
from settling import SETTLED

CONTROL = "\ue009"  # as WebDriver writes the key
# Before everything else on the page: its values, and what goes wrong.
WATCH = f"""<script>
window.complaints = [];
addEventListener("error", ({{ message }}) => complaints.push(message));
addEventListener("unhandledrejection", ({{ reason }}) => complaints.push(String(reason)));
console.error = (...words) => complaints.push(words.join(" "));
{SHOW_VALUES}
</script>
<link rel="icon" """
STATE = "JSON.stringify({ ...window.values, done: null })"  # ticks of challenges stay, whatever is undone
MIDDLE = """(() => {{
    const element = document.querySelector('[data-handle="{}"]');
    element.scrollIntoView({{ block: "center" }});
    const {{ left, right, top, bottom }} = element.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
}})()"""
PAINTED = f"""[...document.querySelectorAll("canvas[data-bx]")].filter((e) => e.checkVisibility()).map({COLOURS})"""


# A file in UTF-16 with semicolons and decimal commas.
DROP = """(() => {
    const row = (i) => `${String(i / 2).replace(".", ",")};${(i * i) % 7};${"ab"[i % 2]}`;
    const rows = Array.from({ length: 9 }, (_, i) => row(i));
    const text = ["Breite;Länge;Art", ...rows].join("\\r\\n"), data = new DataTransfer();
    data.items.add(new File([Uint16Array.from(`\\uFEFF${text}`, (mark) => mark.charCodeAt(0))], "a.csv"));
    document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
    return true;
})()"""


@pytest.fixture(scope="module", params=ENGINES)
def engine(request, tmp_path_factory):
    start, remedy = ENGINES[request.param]
    with start(tmp_path_factory.mktemp("profile")) as engine:
        if engine is None:
            pytest.skip(f"there is no {request.param}: {remedy}")
        engine.resize(1280, 1000)
        yield engine


def wait_for(engine, condition):
    for _ in range(200):
        if engine.run(condition):
            return
        time.sleep(0.1)
    raise AssertionError(f"{condition} is not so after 20 s; {engine.run('window.complaints')}")


def mouse(engine, *places):
    """Press the button at the first place, and release it at the last."""
    moves = [{"type": "pointerMove", "duration": 30, "x": round(x), "y": round(y)} for x, y in places]
    down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
    engine.act([{"type": "pointer", "id": "mouse", "actions": [moves[0], down, *moves[1:], up]}])


def undo(engine):
    """Press its keys: after a drag, an answer may push the button away at the last moment."""
    keys = [("keyDown", CONTROL), ("keyDown", "z"), ("keyUp", "z"), ("keyUp", CONTROL)]
    engine.act([{"type": "key", "id": "keys", "actions": [{"type": kind, "value": key} for kind, key in keys]}])


@pytest.mark.parametrize("name", IN_BROWSER)
def test_it_opens_is_dragged_and_goes_back(engine, name, tmp_path):
    case = EXPLORERS[name]
    case.make().save(tmp_path / "explorer.html")
    page = (tmp_path / "explorer.html").read_text("utf-8").replace('<link rel="icon" ', WATCH, 1)
    (tmp_path / "explorer.html").write_text(page, "utf-8")
    engine.open((tmp_path / "explorer.html").as_uri())
    wait_for(engine, "document.querySelector('.bx-root[data-theme]') !== null")
    engine.run(f"({SETTLED})()")
    assert min(engine.run(PAINTED)) > 5
    before = engine.run(STATE)
    at = np.array(engine.run(MIDDLE.format(case.handles.split()[0])))
    mouse(engine, at, at - [8, 20], at - [16, 40])
    wait_for(engine, f"{STATE} !== {json.dumps(before)}")
    start, after = json.loads(before), json.loads(engine.run(STATE))
    assert {trait for trait in start if after[trait] != start[trait]} <= case.traits
    undo(engine)
    wait_for(engine, f"{STATE} === {json.dumps(before)}")
    if hasattr(case.kind, "table") and name != "challenges":
        engine.run(DROP)
        # Not by JSON.parse, which is watched: its latest result is taken for the values.
        wait_for(engine, "window.values.feature_names[1] === 'Länge'")
        assert [place[:2] for place in json.loads(engine.run(STATE))["points"]] == [
            [i / 2, i * i % 7] for i in range(9)
        ]
    assert engine.run("window.complaints") == []
