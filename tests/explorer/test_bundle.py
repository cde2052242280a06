"""From modules to one text: what every explorer sends to the browser."""

import re

import pytest

from bayeslab.explore import _bundle
from bayeslab.explore._bundle import bundle

ENTRIES = [
    "boundary_page.js",
    *sorted(path.name for path in _bundle.MODULES.glob("*_explorer.js") if path.name != "boundary_explorer.js"),
]

# A name that the bundler cannot tell: taken from a list or an object, or the second of a line.
UNSEEN = r"""(?m)^(?:export )?(?:var .*|(?:const|let) [\[{].*|(?:const|let) \w+(?: = [^;{(\["'`\n]*)?, \w+.*)"""


@pytest.fixture
def folder(tmp_path):
    """Modules in which `top` needs `left` and `right`, and both of them `base`."""
    texts = {
        "base.js": "// Of the base.\nexport const base = 1;\n",
        "parts/left.js": 'import { base } from "../base.js";\n\nexport const left = base + 1;\n',
        "parts/right.js": 'import {\n  base,\n} from "../base.js";\n\nexport function right() { return base + 10; }\n',
        "top.js": 'import { left } from "./parts/left.js";\nimport { right } from "./parts/right.js";\n\n'
        "export default { value: left * right() };\n",
    }
    (tmp_path / "parts").mkdir()
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_module_comes_once_and_after_what_it_needs(folder):
    text = bundle("top.js", folder)
    assert re.findall(r"const (\w+)|function (\w+)", text) == [("base", ""), ("left", ""), ("", "right")]
    assert "import" not in text
    assert re.findall(r"(?m)^export.*", text) == ["export default { value: left * right() };"]
    assert text.startswith("// Of the base.")
    assert "left" not in bundle("parts/right.js", folder)


def test_comments_stay_but_not_the_dots_after_a_heading(folder):
    (folder / "base.js").write_text(f"// Of the base...\n  // Parts {'.' * 70}\nexport const base = 1; // why\n")
    assert bundle("base.js", folder) == "// Of the base...\n  // Parts\nconst base = 1; // why\n"


def test_a_name_is_defined_once_in_all_modules_of_a_bundle(folder):
    (folder / "parts" / "right.js").write_text('import { base } from "../base.js";\nfunction left() {}\n')
    with pytest.raises(ValueError, match=r"right\.js defines left, and so does left\.js"):
        bundle("top.js", folder)


def test_modules_have_an_order(folder):
    (folder / "base.js").write_text('import { left } from "./parts/left.js";\nexport const base = 1;\n')
    with pytest.raises(ValueError, match=r"left\.js imports itself, by way of base\.js"):
        bundle("top.js", folder)


def test_a_name_at_the_top_of_a_module_is_unique_among_all():
    """Then any module can be imported anywhere; only entries, which nobody imports, all define `render`."""
    homes = {}
    for path in sorted(_bundle.MODULES.rglob("*.js")):
        for name in _bundle._DEFINED.findall(path.read_text("utf-8")):
            homes.setdefault(name, []).append(path.name)
    assert {name: paths for name, paths in homes.items() if len(paths) > 1 and name != "render"} == {}


@pytest.mark.parametrize("entry", ENTRIES)
def test_nothing_is_lost_of_our_own_modules(entry):
    """As the bundler strips only what it recognises, and finds only the names that stand where it looks."""
    text = bundle(entry)
    assert re.findall(r"(?m)^(?:import|export)\b.*", text) == ["export default { render };"]
    assert not re.findall(UNSEEN, text), "a name that the bundler does not see"


def test_a_module_takes_only_what_the_other_gives():
    modules = sorted(_bundle.MODULES.rglob("*.js"))
    for path in modules:
        for names, target in re.findall(r'(?m)^import \{([^}]*)\} from "(\..*?)";', path.read_text("utf-8")):
            given = re.findall(
                r"(?m)^export (?:async )?(?:const|class|function) (\w+)", (path.parent / target).read_text("utf-8")
            )
            asked = {name.strip() for name in names.split(",")} - {""}
            assert asked <= set(given), path.name
