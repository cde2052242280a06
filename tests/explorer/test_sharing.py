"""What an explorer gives away: links, code that makes it again, pictures that say what they show; and its limits."""

from io import BytesIO

import numpy as np
import pytest
from javascript import call, needs_node
from PIL import Image
from traitlets import TraitError

from bayeslab.explore import BoundaryExplorer
from bayeslab.explore._content import MOST_POINTS_GIVEN, RULES

NAMES = ["b'c", 'say "no"', "back\\slash", "two\nlines", "é 中 😀", "#&=%", 7, 1.5, True, "\u2028", "{x}", "], [", ""]


def random_state(rng):
    """Return values of an explorer's traits, as the browser has them."""
    K = rng.integers(2, 6)
    names = [NAMES[i] for i in rng.permutation(len(NAMES))[:K]]
    roots = rng.normal(size=(K, 2, 2)) * [[[1], [100]]]
    points = np.column_stack([rng.normal(size=(30 * K, 2)) * [1, 1e-7], np.arange(30 * K) % K])
    return {
        "class_names": names,
        "classes": names,
        "feature_names": ["x", "y\t'"],
        "means": rng.normal(size=(K, 2)).tolist(),
        "covariances": (roots @ roots.transpose(0, 2, 1)).tolist(),
        "priors": rng.dirichlet(np.ones(K)).tolist(),
        "rule": str(rng.choice(list(RULES))),
        "mode": str(rng.choice(["truth", "estimate"])),
        "k": int(rng.integers(1, 40)),
        "shared": rng.uniform(),
        "show_regions": bool(rng.integers(2)),
        "points": [[x, y, int(k)] for x, y, k in points.tolist()],
    }


@needs_node
def test_the_code_of_a_scene_makes_the_same_scene_with_the_same_numbers():
    rng = np.random.default_rng(0)
    states = [random_state(rng) for _ in range(20)]
    codes = call("kit/python.js", "pythonCall", [["BoundaryExplorer", state] for state in states])
    for state, code in zip(states, codes, strict=True):
        made = eval(code, {"BoundaryExplorer": BoundaryExplorer})
        for name, value in state.items():
            np.testing.assert_array_equal(np.array(getattr(made, name), object), np.array(value, object), err_msg=name)
        assert list(map(type, made.class_names)) == list(map(type, state["class_names"]))


@needs_node
def test_a_picture_says_what_it_shows():
    words, png = "QDA: x₂ against x₁, 2 classes “é”, 😀.", BytesIO()
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3)).save(png, "PNG")
    (described,) = call("kit/png.js", "describedPNG", [[list(png.getvalue()), words]])
    image = Image.open(BytesIO(bytes(described.values())))
    image.verify()  # the checksums of all chunks
    image = Image.open(BytesIO(bytes(described.values())))
    assert image.text == {"Description": words}
    np.testing.assert_array_equal(np.array(image), np.arange(48).reshape(4, 4, 3))


def test_more_points_than_can_be_shown_are_refused_with_a_sentence():
    points = np.zeros((MOST_POINTS_GIVEN + 1, 3))
    points[:, 0] = np.arange(MOST_POINTS_GIVEN + 1)
    explorer = BoundaryExplorer()
    before = explorer.points
    with pytest.raises(
        TraitError, match=f"at most {MOST_POINTS_GIVEN} points, not {MOST_POINTS_GIVEN + 1}: take some, at random"
    ):
        explorer.points = points
    assert explorer.points is before
    explorer.points = points[:-1]
    assert len(explorer.points) == MOST_POINTS_GIVEN
