"""Links, pictures and code that a page gives away, and what it does where the browser or the link says no."""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect
from screen import three_classes
from sharing import COPIED, copied, open_link

from bayeslab import load_iris
from bayeslab.explore import BoundaryExplorer

DENIED = "() => { navigator.clipboard.writeText = async () => { throw new DOMException('', 'NotAllowedError'); }; }"


def changed(screen):
    """Change whatever can be changed."""
    screen.click("draw", "show_posterior", "show_ellipses", "side_by_side", "add-class")
    screen.choose(rule="kNN", mode="estimate")
    screen.type("k", 17)
    screen.type("prior-number-1", 0.123)
    screen.drag(screen.at(0), [31, -17])
    screen.drag(screen.at(1, "axis1"), [13, 11])
    screen.settle()


def test_a_link_shows_a_fresh_page_the_same(show):
    screen = show(three_classes(class_names=["a,b", "#&=%", "é 中"]))
    start = screen.page.url
    assert copied(screen, "copy-link") == start
    changed(screen)
    link = copied(screen, "copy-link")
    other = open_link(screen, link)
    assert other.values() == screen.values()
    for name in ("title", "sample-error", "true-error", "bayes-error"):
        assert other.text(name) == screen.text(name)
    other.click("draw", "reset")  # the link's scene is where the page starts
    assert other.values() == screen.values()
    other.drag(other.at(0), [20, 20])
    other.page.evaluate("location.hash = ''")  # back to the page as it was saved
    other.page.locator(".bx-root[data-theme]").wait_for()
    assert other.values()["class_names"] == ["a,b", "#&=%", "é 中"]
    assert other.values()["rule"] == "QDA"


def test_a_drawn_sample_is_a_seed_in_the_link_until_a_point_is_changed(show):
    screen = show(BoundaryExplorer(load_iris().select("petal length", "petal width")))
    screen.type("draw-count", 600)
    screen.click("draw")
    screen.choose(rule="LDA")
    link = copied(screen, "copy-link")
    assert link.endswith("#rule=LDA&points=drawn,1,200,200,200")
    other = open_link(screen, link)
    assert other.values() == screen.values()
    assert copied(other, "copy-link") == link
    other.click("draw")
    assert "drawn,2," in copied(other, "copy-link")  # another sample, not the same one again
    assert other.values()["points"] != screen.values()["points"]
    screen.choose(tool="add")
    screen.page.mouse.click(*np.add(screen.middle(screen.part("plot")), [80, 120]))
    screen.settle()
    longer = copied(screen, "copy-link")
    assert "=drawn" not in longer
    assert open_link(screen, longer).values() == screen.values()
    screen.click("undo")
    assert copied(screen, "copy-link") == link


@pytest.mark.parametrize(
    ("fragment", "why"),
    [
        ("rul=LDA", "knows no “rul”"),
        ("rule=LDA&priors=0.5,0.6,-0.1", "do not go together"),
        ("rule=LDA&class_names=a,<img src=x onerror=alert(1)>", "needs one value"),
        ("rule=LDA&points=drawn,1,999999,1,1", "5000 in all"),
        ("rule=LDA&class_names=%E0%A4%A", "cut or changed"),
        ("rule=LDA&means=" + "1,1;" * 30_000, "characters"),
        ("rule=LDA&covariances=1,0;0,1", "do not go together"),
        ("__proto__=1", "knows no “__proto__”"),
    ],
)
def test_a_bad_link_is_refused_as_a_whole_with_a_sentence(show, fragment, why):
    screen = show(three_classes())
    other = open_link(screen, f"{screen.page.url}#{fragment}")
    assert why in other.text("share-note")
    assert "shown as it was saved" in other.text("share-note")
    assert other.values() == screen.values()
    assert other.text("readouts") == screen.text("readouts")
    np.testing.assert_array_equal(other.picture()[0], screen.picture()[0])


def test_a_link_hides_controls(show):
    screen = show(three_classes())
    other = open_link(screen, f"{screen.page.url}#hide=points,rule,tools&rule=LDA")
    for part in ("draw", "rule", "tool", "csv-open"):
        assert screen.part(part).is_visible()
        assert not other.part(part).is_visible()
    assert other.text("share-note") == ""
    assert copied(other, "copy-link").endswith("#rule=LDA&hide=points,rule,tools")
    assert other.faults() == []
    wrong = open_link(screen, f"{screen.page.url}#hide=point")
    assert "hides “point”" in wrong.text("share-note")


@pytest.mark.parametrize("compact", [0, 1])
def test_what_is_hidden_has_no_keys(show, compact):
    screen = show(three_classes())
    other = open_link(screen, f"{screen.page.url}#rule=LDA&compact={compact}&side_by_side=1&hide=rule,undo")
    other.page.keyboard.press("1")  # nothing has the focus
    other.handle(0).focus()
    for key in "12456":
        other.page.keyboard.press(key)
    assert other.part("multiple-QDA").is_disabled()
    assert other.values()["rule"] == "LDA"
    assert not other.page.get_by_text("Keys 1 to").is_visible()
    before = other.mean(0)
    other.handle(0).press("ArrowRight")
    moved = other.mean(0)
    assert moved[0] > before[0]
    other.page.keyboard.press("Control+z")
    np.testing.assert_array_equal(other.mean(0), moved)
    assert not other.part("undo").is_visible()
    assert other.part("redo").is_visible()
    only = open_link(screen, f"{screen.page.url}#hide=points")
    only.handle(0).press("1")  # which has nothing to do with the points
    only.page.keyboard.press("Control+z")
    only.page.keyboard.press("Control+Shift+Z")
    assert only.values()["rule"] == "nearest mean"


def test_where_the_clipboard_is_refused_the_text_stands_in_a_field(show):
    screen = show(three_classes())
    for trouble in (DENIED, "() => delete Navigator.prototype.clipboard"):
        screen.page.evaluate(trouble)
        screen.choose(rule="LDA")
        screen.click("copy-link")
        field = screen.part("share-text")
        expect(field).to_be_focused()
        selected = field.evaluate("(e) => e.value.slice(e.selectionStart, e.selectionEnd)")
        assert selected == f"{screen.page.url}#rule=LDA"
        assert "Ctrl+C" in screen.text("share-note")
        assert screen.faults() == []


def test_the_code_makes_what_is_on_the_screen(show):
    screen = show(three_classes(class_names=["a'b", 'c"d', "e\\f"]))
    for rule, mode in [("LDA", "truth"), ("QDA", "estimate"), ("RDA", "estimate"), ("kNN", "truth")]:
        screen.choose(rule=rule, mode=mode)
        screen.click("draw")
        names = {}
        exec(copied(screen, "copy-python"), names)
        made = names["explorer"]
        wrong = np.sum(names["classifier"].predict(made.X) != made.y)
        assert screen.text("sample-error").endswith(f"({wrong} of 150)")
        for name in ("means", "covariances", "priors", "points", "rule", "mode"):
            assert made.get_state(name)[name] == screen.values()[name]
    screen.click("clear")
    code = copied(screen, "copy-python")
    assert "classifier()" not in code  # which would raise
    exec(code, {})


def test_a_picture_is_saved_with_a_description(show, tmp_path):
    screen = show(three_classes(), color_scheme="dark")
    with screen.page.expect_download() as download:
        screen.click("save-picture")
    assert download.value.suggested_filename == "boundary-explorer QDA.png"
    download.value.save_as(tmp_path / "picture.png")
    with Image.open(tmp_path / "picture.png") as image:
        colours = np.array(image.convert("RGB"))
    assert "60 points of 3 classes. 3 classes, QDA. Error on the sample: " in image.text["Description"]
    assert "Arrow" not in image.text["Description"]
    np.testing.assert_array_equal(colours, screen.picture()[0])


def test_within_another_page_the_link_leads_to_the_explorers_own(show, tmp_path):
    screen = show(three_classes())
    outside = tmp_path / "outside.html"
    page = Path(screen.page.url.removeprefix("file://")).name
    outside.write_text(f'<iframe src="{page}" width="1100" height="900"></iframe>', encoding="utf-8")
    shared = screen.page.context.new_page()
    shared.goto(outside.as_uri())
    frame = shared.frames[1]
    frame.locator(".bx-root[data-theme]").wait_for()
    frame.locator('[data-bx="rule-LDA"] + span').click()
    frame.evaluate(COPIED)
    frame.locator('[data-bx="copy-link"]').click()
    expect(frame.locator('[data-bx="share-note"]')).to_contain_text("copied")
    assert frame.evaluate("window.copied") == f"{screen.page.url}#rule=LDA"


def test_a_page_without_an_address_offers_no_link(show):
    screen = show(three_classes())
    page = screen.page.context.new_page()
    page.set_content('<iframe sandbox="allow-scripts" width="1100" height="900"></iframe>')
    source = Path(screen.page.url.removeprefix("file://")).read_text(encoding="utf-8")
    page.evaluate("(text) => { document.querySelector('iframe').srcdoc = text; }", source)
    frame = page.frame_locator("iframe")
    frame.locator(".bx-root[data-theme]").wait_for()
    expect(frame.locator('[data-bx="copy-python"]')).to_be_visible()
    expect(frame.locator('[data-bx="copy-link"]')).to_have_count(0)
    frame.locator('[data-bx="copy-python"]').click()
    expect(frame.locator('[data-bx="share-text"]')).to_have_value(re.compile("from bayeslab.explore import"))
