"""Links, pictures and code that a page gives away, and what it does where the browser or the link says no."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect
from screen import COPIED, three_classes

from bayeslab import load_iris
from bayeslab.explore import BoundaryExplorer

DENIED = "() => { navigator.clipboard.writeText = async () => { throw new DOMException('', 'NotAllowedError'); }; }"


def test_whatever_is_changed_is_in_the_link_and_gone_with_it(show):
    names = ["a,b", "#&=%", "é 中"]
    screen = show(three_classes(class_names=names))
    assert screen.copied("copy-link") == screen.page.url
    screen.click("draw", "show_posterior", "show_ellipses", "add-class", "tab-multiples")
    screen.choose(rule="kNN", mode="estimate")
    screen.type("k", 17)
    other = screen.opened(screen.copied("copy-link"))
    assert other.values() == screen.values()
    for name in ("title", "sample-error", "true-error", "bayes-error"):
        assert other.text(name) == screen.text(name)
    other.page.evaluate("location.hash = ''")  # back to the page as it was saved
    expect(other.part("rule-QDA")).to_be_checked()
    other.page.locator(".bx-root[data-theme]").wait_for()
    assert other.values()["class_names"] == names
    hiding = screen.opened("#hide=points,rule,tools&rule=LDA")
    for part in ("draw", "rule", "tool", "open-table"):
        assert not hiding.part(part).is_visible()
    assert hiding.copied("copy-link").endswith("#rule=LDA&hide=points,rule,tools")
    assert "hides “point”" in screen.opened("#hide=point").text("share-note")


def test_a_drawn_sample_is_a_seed_in_the_link_until_a_point_is_changed(show):
    screen = show(BoundaryExplorer(load_iris().select("petal length", "petal width")))
    screen.type("draw-count", 90)
    screen.click("draw")
    screen.choose(rule="LDA")
    link = screen.copied("copy-link")
    assert link.endswith("#rule=LDA&points=drawn,1,30,30,30")
    other = screen.opened(link)
    assert other.values() == screen.values()
    assert other.copied("copy-link") == link
    other.click("draw")
    assert "drawn,2," in other.copied("copy-link")  # another sample, not the same one again
    assert other.values()["points"] != screen.values()["points"]
    screen.choose(tool="add")
    screen.page.mouse.click(*np.add(screen.middle(screen.part("plot")), [80, 120]))
    screen.settle()
    longer = screen.copied("copy-link")
    assert "=drawn" not in longer
    assert screen.opened(longer).values() == screen.values()
    screen.click("undo")
    assert screen.copied("copy-link") == link


@pytest.mark.parametrize("compact", [0, 1])
def test_what_is_hidden_has_no_keys(show, compact):
    screen = show(three_classes())
    other = screen.opened(f"#rule=LDA&compact={compact}&side_by_side=1&hide=rule,undo")
    other.page.keyboard.press("1")  # nothing has the focus
    other.handle(0).focus()
    for key in "12456":
        other.page.keyboard.press(key)
    assert other.part("multiple-QDA").is_disabled()
    assert other.values()["rule"] == "LDA"
    assert not any(keys.is_visible() for keys in other.page.get_by_text("Keys 1 to").all())
    before = other.mean(0)
    other.handle(0).press("ArrowRight")
    moved = other.mean(0)
    assert moved[0] > before[0]
    other.page.keyboard.press("Control+z")
    np.testing.assert_array_equal(other.mean(0), moved)
    assert not other.part("undo").is_visible()
    assert other.part("redo").is_visible()
    only = screen.opened("#hide=points")
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
    for rule, mode in [("LDA", "truth"), ("RDA", "estimate")]:
        screen.choose(rule=rule, mode=mode)
        screen.click("draw")
        names = {}
        exec(screen.copied("copy-python"), names)
        made = names["explorer"]
        wrong = np.sum(names["classifier"].predict(made.X) != made.y)
        assert screen.text("sample-error").endswith(f"({wrong} of 150)")
        for name in ("means", "covariances", "priors", "points", "rule", "mode"):
            assert made.get_state(name)[name] == screen.values()[name]
    screen.click("clear")
    code = screen.copied("copy-python")
    assert "classifier()" not in code  # which would raise
    exec(code, {})


def test_the_code_of_a_data_set_of_the_course_has_a_line_for_it(show):
    screen = show(three_classes())
    screen.reveal("table-table").select_option("penguins")
    screen.choose(rule="LDA")
    code = screen.copied("copy-python")
    assert '(\n    load_penguins().select("flipper length", "body mass"),\n    rule="LDA",\n)' in code
    assert len(code.splitlines()) == 9
    names = {}
    exec(code, names)
    again = show(names["explorer"])
    assert again.text("readouts") == screen.text("readouts")
    screen.drag(screen.at(0), [30, 0])  # the points go with it, and are others now
    assert "load_penguins" not in screen.copied("copy-python")


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
    frame.locator('[data-bx="more"] > summary').click()
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
    frame.locator('[data-bx="more"] > summary').click()
    expect(frame.locator('[data-bx="copy-python"]')).to_be_visible()
    expect(frame.locator('[data-bx="copy-link"]')).to_have_count(0)
    frame.locator('[data-bx="copy-python"]').click()
    expect(frame.locator('[data-bx="share-text"]')).to_have_value(re.compile("from bayeslab.explore import"))
