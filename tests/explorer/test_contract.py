"""The contract of all explorers: traits that make sense, a complete page, links and code that lead back."""

import json
import re
import typing
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import traitlets
from every_explorer import EXPLORERS, NAMES
from ipywidgets import DOMWidget, HBox
from javascript import call, script_of
from PIL import Image
from traitlets import TraitError

from bayeslab import explore, load_iris, load_penguins, make_gaussian_pair, make_three_classes
from bayeslab.explore import BoundaryExplorer, ChallengeExplorer, LikelihoodExplorer
from bayeslab.explore._bundle import constants
from bayeslab.explore._content import RULES, Rule, tables
from bayeslab.explore.variance_explorer import OPTIONS, Variant

every = pytest.mark.parametrize("each", EXPLORERS.values(), ids=EXPLORERS)
TEXTS = ["b'c", 'say "no"', "back\\slash", "two\nlines", "é 中 😀", "#&=%;;", 7, -2.5, True, "\u2028", "{x}", "",
         "1", "true", "'", "__proto__", "x" * 200]  # fmt: skip

SHELF = make_gaussian_pair("P1a", 100, np.random.default_rng(11)).X


def changed(explorer, changes):
    """Set several traits at once."""
    with explorer.hold_trait_notifications():
        for name, value in changes.items():
            setattr(explorer, name, value)
    return explorer


def accepted(each, changes):
    """Return what the JavaScript says of states with these changes."""
    changes = json.loads(json.dumps(changes, default=np.ndarray.tolist))
    states = [each.make().get_state() | one for one in changes]
    return call(each.module, f"(state) => {each.kind.__name__}.prototype.accepts(state)", [[state] for state in states])


# Traits ..............................................................................................................


@every
def test_nonsense_is_refused_with_a_sentence_and_changes_nothing(each):
    for changes, message in each.nonsense + each.python_alone:
        explorer = each.make()
        before = explorer.get_state()
        with pytest.raises(TraitError, match=message):
            changed(explorer, changes)
        assert explorer.get_state() == before


@every
def test_a_wrong_keyword_is_named_with_those_that_are_right(each):
    made = each.make()
    with pytest.raises(TypeError, match=f"^{each.kind.__name__} takes no dta; it takes .*compact") as refusal:
        eval(re.sub(r"(\()?\)$", lambda end: f"{end[1] or ', '}dta=1)", each.code), dict(NAMES))
    offered = str(refusal.value).partition("it takes ")[2].split(", ")
    assert len(set(offered)) == len(offered)
    own = {name for name, trait in made.traits(sync=True).items() if made._is_ours(name) and not trait.read_only}
    assert set(offered) >= own - {"table"}  # which comes with the data
    assert "table" not in offered


def test_a_data_set_under_a_wrong_name_is_not_dropped():
    with pytest.raises(TypeError, match="takes no data; it takes data_or_classifier, rule"):
        BoundaryExplorer(data=load_iris().select("petal length", "petal width"))


def test_arrays_of_two_explorers_can_be_linked():
    here, there = BoundaryExplorer(), BoundaryExplorer()
    traitlets.link((here, "points"), (there, "points"))
    there.points = np.array([[0, 0, 0], [1, 1, 1], [2, 1.5, 1]])
    np.testing.assert_array_equal(here.points, there.points)
    here.points = here.points[:2]
    assert there.points.tolist() == [[0, 0, 0], [1, 1, 1]]
    assert type(there.points) is np.ndarray


def test_the_rules_that_a_type_checker_knows_are_those_of_the_browser():
    assert set(typing.get_args(Rule)) == set(RULES)
    assert set(typing.get_args(Variant)) == set(OPTIONS)


@every
def test_the_browser_refuses_and_takes_the_same(each):
    assert accepted(each, [changes for changes, _ in each.nonsense]) == [False] * len(each.nonsense)
    for changes in each.sense:
        changed(each.make(), changes)
    assert accepted(each, [{}, *each.sense]) == [True] * (1 + len(each.sense))


@pytest.mark.parametrize("each", [each for each in EXPLORERS.values() if each.limit], ids=lambda each: each.limit)
def test_both_take_as_many_points_as_are_written_in_the_constants(each):
    most, shape = constants("constants.js")["LIMITS"][each.limit]["points"], each.make().points.shape[1:]
    points = np.random.default_rng(0).normal(size=(most + 1, *shape))
    if shape == (3,):
        points[:, 2] = np.arange(most + 1) % len(each.make().class_names)
    some, more = {"points": points[:-1]}, {"points": points}
    changed(each.make(), some)
    with pytest.raises(TraitError, match=rf"\b{most}\b"):
        changed(each.make(), more)
    assert accepted(each, [some, more]) == [True, False]


@every
def test_a_link_to_what_makes_no_sense_is_refused(each):
    ask = """(link, page) => {
        const { links, prototype } = %s;
        try { return prototype.accepts(readLink(links, link, page)); } catch { return false; }
    }"""
    links, page = each.wrong_links.split(), each.make().get_state()
    assert call(each.module, ask % each.kind.__name__, [[link, page] for link in links]) == [False] * len(links)
    assert call(each.module, ask % each.kind.__name__, [["", page]]) == [True]


# Links and code ......................................................................................................


def random_state(rng):
    """Return values of the boundary explorer's traits, as drags leave them."""
    K = rng.integers(2, 6)
    names = [TEXTS[i] for i in rng.permutation(len(TEXTS))[:K]]
    roots = rng.normal(size=(K, 2, 2)) * [[[1], [100]]]
    points = np.column_stack([rng.normal(size=(30 * K, 2)) * [1, 1e-7], np.arange(30 * K) % K])
    return {
        "class_names": names,
        "classes": names[:: rng.choice([-1, 1])],
        "feature_names": ["x", "y\t'"],
        "means": (rng.normal(size=(K, 2)) * 10.0 ** rng.integers(-9, 26, (K, 2))).tolist(),
        "covariances": (roots @ roots.transpose(0, 2, 1)).tolist(),
        "priors": rng.dirichlet(np.ones(K)).tolist(),
        "rule": str(rng.choice(list(RULES))),
        "mode": str(rng.choice(["truth", "estimate"])),
        "k": int(rng.integers(1, 40)),
        "shared": rng.uniform(),
        "show_regions": bool(rng.integers(2)),
        "points": [[x, y, int(k)] for x, y, k in points.tolist()],
    }


def states_of(each):
    """Return the state of an explorer as it is made, and some that it may have later."""
    made = [each.make(), *(changed(each.make(), changes) for changes in each.sense)]
    states = [explorer.get_state() for explorer in made]
    if each.kind is BoundaryExplorer:
        rng = np.random.default_rng(0)
        states += [states[0] | random_state(rng) for _ in range(15)]
    return states


# As an address has it: nothing is lost in a browser's hands.
THERE_AND_BACK = """(state, base) => {
    const { links } = %s, link = writeLink(links, state, base);
    const back = readLink(links, new URL(`https://example.org/a.html#${link}`).hash.slice(1), base);
    const isSame = (one, name) => JSON.stringify(one[name]) === JSON.stringify(state[name]);
    const unlike = (one) => Object.keys(links).filter((name) => !isSame(one, name));
    return [link, unlike(back), unlike(base)];
}"""


@every
def test_a_link_leads_back_to_the_state_that_it_was_made_of(each):
    states = states_of(each)
    cases = [[state, base] for state in states for base in (states[0], states[-1])]
    for link, lost, said in call(each.module, THERE_AND_BACK % each.kind.__name__, cases):
        assert lost == [], link
        assert re.fullmatch(r"[\w\-.~!*'(),;=&%]*", link, re.ASCII)
        assert [part.split("=")[0] for part in link.split("&") if part] == said  # and no more


@every
def test_the_code_of_an_explorer_makes_the_same_explorer(each):
    states, name = states_of(each), each.kind.__name__
    ask = """(state) => {
        const { links, pythonNames } = %s, named = (trait) => [pythonNames?.[trait] ?? trait, state[trait]];
        return [pythonCall("%s", Object.fromEntries(Object.keys(links).map(named))), Object.keys(links)];
    }"""
    for state, (code, names) in zip(
        states, call(each.module, ask.replace("%s", name), [[state] for state in states]), strict=True
    ):
        made = eval(code, vars(explore) | {name: each.kind}).get_state()
        assert {trait: made[trait] for trait in names} == {trait: state[trait] for trait in names}
        if "class_names" in made:
            assert list(map(type, made["class_names"])) == list(map(type, state["class_names"]))


def test_long_code_is_broken_between_rows():
    points = [[n + 0.125, -n, n % 2] for n in range(40)]
    (code,) = call("kit/python.js", "pythonCall", [["Explorer", {"points": points, "name": "a\n], [b", "yes": True}]])
    assert max(map(len, code.splitlines())) <= 100
    assert code.startswith("Explorer(\n    points=[[0.125, 0, 0], ")
    assert code.endswith('name="a\\n], [b",\n    yes=True,\n)')


def test_a_drawn_sample_is_a_seed_and_counts_as_long_as_nobody_moves_a_point():
    ask = """(state) => {
        const counts = state.means.map(() => 3), page = { ...state, rule: "LDA", k: 5, points: [[0, 0, 0]] };
        const drawn = { ...page, rule: "kNN", k: 7, points: drawSample(page, counts, 5) };
        const moved = { ...drawn, points: [[9, 9, 0], ...drawn.points.slice(1)] };
        const elsewhere = { ...drawn, means: page.means.map(([x, y]) => [2 * x + 1, y]) };
        return [drawn, moved, elsewhere].map((one) => {
            const link = writeLink(CODECS, one, page);
            return [link, one.points, readLink(CODECS, link, page).points];
        });
    }"""
    ((drawn, moved, elsewhere),) = call("boundary_page.js", ask, [[EXPLORERS["boundary"].make().get_state()]])
    assert drawn[0] == "rule=kNN&k=7&points=drawn,5,3,3,3"
    assert "points=9,9,0;" in moved[0]
    assert "points=drawn" not in elsewhere[0]  # the densities moved, and the points stayed
    for _, points, back in (drawn, moved, elsewhere):
        assert back == points


def test_a_link_that_cannot_be_read_is_refused_with_what_is_wrong():
    page = EXPLORERS["boundary"].make().get_state()
    refusals = {
        "“rul”": ["rul=LDA"],
        "knows no": ["__proto__=1", "constructor=1", "((("],
        "needs one value": ["rule", "rule=LDA&rule=QDA", "rule=LDA=1"],
        "none of": ["rule=toString", "mode=<img onerror>", "show_regions=2"],
        "whole number": ["k=0", "k=1e9", "k=2.5"],
        "not a number": ["shared=", "shared=NaN", "shared=1e999", "shared=0x1"],
        " parts": ["means=1,2;3", "means=1,2;;3,4", "covariances=1,0;0", "points=drawn"],
        "a sample needs": [
            "points=drawn,1,1e9",
            "points=drawn,1,-5,5,5",
            "points=drawn,1,0,0,0",
            "points=drawn,.5,1,1,1",
        ],
        "URI malformed": ["class_names=%", "class_names=%E0%A4%A"],
        "characters": [f"class_names={'a' * 80_000}"],
    }
    ask = "(link, page) => { try { readLink(CODECS, link, page); } catch ({ message }) { return message; } }"
    for words, links in refusals.items():
        for link, message in zip(links, call("boundary_page.js", ask, [[link, page] for link in links]), strict=True):
            assert message is not None, link
            assert words in message or "not a number" in message, link


# Pages and pictures ..................................................................................................


def saved(explorer, folder):
    """Text of a saved page, and the values of the traits in it."""
    explorer.save(folder / "page.html")
    text = (folder / "page.html").read_text(encoding="utf-8")
    return text, json.loads(re.search(r'id="state">(.*?)</script>', text, re.DOTALL).group(1))


@every
def test_a_saved_page_is_one_file_that_holds_everything(each, tmp_path):
    explorer = changed(each.make(), each.sense[-1])
    page, state = saved(explorer, tmp_path)
    assert len(page.encode()) < 130_000  # so that it can be sent
    # The only addresses in it are names of XML, and nothing is asked for but the script that it has unpacked.
    address = r"https?://(?!www\.w3\.org/)|\bsrc=|@import|url\(|\bimport\b *[({*\"']|fetch\(|XMLHttp|WebSocket"
    assert re.findall(address, page) == ["import("]
    assert "default-src 'none'" in page
    assert page.count("<script") == page.count("</script>") == 3
    script = script_of(page)
    assert not re.search(address, script)
    assert script.startswith(explorer._esm)  # comments and all
    ours = [trait for trait in explorer.traits(sync=True) if explorer._is_ours(trait)]
    assert set(state) == set(ours)
    assert {"layout", "tabbable", "_esm"} & set(ours) == set()
    assert state["compact"] is False
    assert explorer.get_state(["compact"])["compact"] is (each.kind is not ChallengeExplorer)  # in a notebook
    for trait in set(ours) - {"points", "compact"}:
        assert state[trait] == explorer.get_state([trait])[trait]


@every
def test_a_notebook_keeps_a_picture_a_text_and_a_hint_to_run_the_cell(each):
    explorer = changed(each.make(), each.sense[-1])
    assert explorer.comm is None  # a model in the browser is made when the explorer is shown
    data, _ = explorer._repr_mimebundle_()
    assert explorer.comm is not None
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/plain"] == repr(explorer)
    assert repr(explorer).startswith(f"{each.kind.__name__}(")
    assert " at 0x" not in repr(explorer)
    pictures = (explorer._picture(), b64decode(data["image/png"]))
    plain, noted = (np.asarray(Image.open(BytesIO(png)).convert("L"), int) for png in pictures)
    height, width = plain.shape
    assert noted.shape[1] == width
    np.testing.assert_array_equal(noted[: height - 6], plain[: height - 6])
    below = noted[height:] < 128
    assert below.any(axis=1).sum() > 8  # a line of text
    assert below.any(axis=0).sum() > 100
    within = each.make()
    HBox([within])
    assert within.comm is not None


@every
def test_no_trait_of_ours_means_something_else_to_ipywidgets(each):
    ours = {name for name, trait in each.kind.class_traits().items() if trait.this_class.__module__.startswith("bayes")}
    assert not ours & {*DOMWidget.class_trait_names(), "style"}  # which a view in the browser takes for a model


@pytest.mark.parametrize("name", ["boundary", "em", "likelihood", "neighbours"])
def test_points_are_saved_to_a_ten_thousandth_of_their_range(name, tmp_path):
    explorer = EXPLORERS[name].make()
    if name == "likelihood":
        explorer.points = SHELF[:, 0]
    points, (_, state) = explorer.points, saved(explorer, tmp_path)
    theirs = state["points"]
    if name in ("neighbours", "boundary"):  # each class in one list, in its order
        points = points[np.argsort(points[:, 2], kind="stable")]
        assert [len(each) for each in theirs["byClass"]] == (2 * np.bincount(points[:, 2].astype(int))).tolist()
        points, theirs = points[:, :2], np.concatenate(theirs["byClass"])
    ours, theirs = (np.reshape(array, (len(points), -1)) for array in (points, theirs))
    assert (np.abs(theirs - ours).max(axis=0) <= 1e-4 * np.ptp(ours, axis=0)).all()
    assert max(len(str(value)) for value in theirs.ravel()) <= 8


@pytest.mark.parametrize(
    "points",
    [[2.5], [1e-12, 3e-12, 2e-12], [1.23456789e9] * 2, [123456.0, 987654.0], [*SHELF[:59, 0], 1e6]],
    ids=["one", "near 0", "equal", "far", "one far out"],
)
def test_few_or_far_points_are_rounded_as_well(points, tmp_path):
    _, state = saved(LikelihoodExplorer(points, mean=0, deviation=1), tmp_path)
    usual = np.ptp(points[:59]) if len(points) == 60 else np.ptp(points)
    np.testing.assert_allclose(state["points"], points, rtol=0, atol=1e-4 * (usual or 0.5))


@pytest.mark.parametrize("classes", [[2, 0, 1, 0, 2, 2], [1, 1], [2, 0, 2], []])
def test_a_page_reads_its_points_back(classes, tmp_path):
    """Also of classes without points; page.html does it, in lines that are run here without a page."""
    points = np.column_stack([np.random.default_rng(3).normal(size=(len(classes), 2)).round(3), classes])
    text, state = saved(BoundaryExplorer(make_three_classes(5, np.random.default_rng(0)), points=points), tmp_path)
    reading = re.search(r"(?m)^const pointsOf = .*\n.*byClass.*$", text).group()
    (back,) = call("constants.js", f"(values) => {{ {reading}\nreturn values.points; }}", [[state]])
    assert back == sorted(points.tolist(), key=lambda point: point[2])


@pytest.mark.parametrize(("name", "load"), [("iris", load_iris), ("penguins", load_penguins)])
def test_data_sets_are_saved_to_the_last_digit(name, load):
    dataset = load()
    (table,) = call("data.js", "tableOf", [[tables()[name]]])
    assert table["features"] == dataset.feature_names
    assert table["labels"] == sorted(dataset.y)
    assert table["rows"] == dataset.X[np.argsort(dataset.y, kind="stable")].tolist()


def test_saving_takes_labels_of_any_kind_and_spares_the_page_that_was_there(tmp_path, monkeypatch):
    days = np.array(["2026-01-01", "2026-01-02"], dtype="datetime64[D]")
    path = tmp_path / "page.html"
    BoundaryExplorer((X := np.random.default_rng(0).normal(size=(20, 2)), days[np.arange(20) % 2])).save(path)
    assert "2026-01-02" in (before := path.read_text("utf-8"))
    BoundaryExplorer((X, np.array(["a", "\ud800"])[np.arange(20) % 2])).save(tmp_path / "surrogate.html")
    explorer = BoundaryExplorer((X, np.arange(20) % 2))
    monkeypatch.setattr(Path, "write_bytes", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        explorer.save(path)
    assert path.read_text("utf-8") == before
