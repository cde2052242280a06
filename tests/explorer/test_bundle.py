"""From modules to one text: what every explorer sends to the browser."""

import re
import shutil
import subprocess
from pathlib import Path

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


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_bundle_does_what_the_modules_do(folder):
    (folder / "bundle.mjs").write_text(bundle("top.js", folder), encoding="utf-8")
    program = 'console.log(String((await import("./bundle.mjs")).default.value))'
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", program], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout == "22\n"


def test_a_name_is_defined_once_in_all_modules_of_a_bundle(folder):
    (folder / "parts" / "right.js").write_text('import { base } from "../base.js";\nfunction left() {}\n')
    with pytest.raises(ValueError, match=r"right\.js defines left, and so does left\.js"):
        bundle("top.js", folder)


def test_modules_have_an_order(folder):
    (folder / "base.js").write_text('import { left } from "./parts/left.js";\nexport const base = 1;\n')
    with pytest.raises(ValueError, match=r"left\.js imports itself, by way of base\.js"):
        bundle("top.js", folder)


def test_what_the_bundler_does_not_see_is_found():
    for line in ("var a = 1;", "const [a] = b;", "let { a } = b;", "const a = 1, b = 2;", "export let a, b;"):
        assert re.findall(UNSEEN, f"// a\n{line}\n"), line
    for line in (
        "const a = f(1, b = 2);",
        'const a = "1, b = 2";',
        "  const a = 1, b = 2;",
        "const a = (b, c = 1) => b;",
    ):
        assert not re.findall(UNSEEN, f"// a\n{line}\n"), line


def test_a_name_at_the_top_of_a_module_is_unique_among_all():
    """Then any module can be imported anywhere; only entries, which nobody imports, all define `render`."""
    homes = {}
    for path in sorted(_bundle.MODULES.rglob("*.js")):
        for name in _bundle._DEFINED.findall(path.read_text("utf-8")):
            homes.setdefault(name, []).append(path.name)
    assert len(homes) > 200
    assert {name: paths for name, paths in homes.items() if len(paths) > 1 and name != "render"} == {}


@pytest.mark.parametrize("entry", ENTRIES)
def test_nothing_is_lost_of_our_own_modules(entry):
    """As the bundler strips only what it recognises, and finds only the names that stand where it looks."""
    text = bundle(entry)
    assert re.findall(r"(?m)^(?:import|export)\b.*", text) == ["export default { render };"]
    assert not re.findall(UNSEEN, text), "a name that the bundler does not see"


def test_a_module_takes_only_what_the_other_gives():
    modules = sorted(_bundle.MODULES.rglob("*.js"))
    assert len(modules) > 15
    for path in modules:
        for names, target in re.findall(r'(?m)^import \{([^}]*)\} from "(\..*?)";', path.read_text("utf-8")):
            given = re.findall(
                r"(?m)^export (?:async )?(?:const|class|function) (\w+)", (path.parent / target).read_text("utf-8")
            )
            asked = {name.strip() for name in names.split(",")} - {""}
            assert asked <= set(given), path.name


def test_nothing_is_given_that_nobody_takes():
    texts = {path: path.read_text("utf-8") for path in _bundle.MODULES.rglob("*.js")}
    names = {
        name for text in texts.values() for name in re.findall(r"(?m)^export (?:const|class|function) (\w+)", text)
    }
    taken = {
        name
        for text in texts.values()
        for group in re.findall(r"(?m)^import \{([^}]*)\}", text)
        for name in re.findall(r"\w+", group)
    }
    here = Path(__file__).parent
    tested = {
        word
        for path in [*here.glob("*.mjs"), *here.glob("*.py")]
        for word in re.findall(r"\w+", path.read_text("utf-8"))
    }
    read_by_python = set(_bundle.constants("constants.js"))
    assert names - taken - tested - read_by_python == set()


@pytest.mark.parametrize("path", sorted(_bundle.MODULES.rglob("*.js")), ids=lambda path: path.name)
def test_a_module_can_be_read_in_one_sitting(path):
    """As tests/core/test_package.py has it for Python: about 200 lines of code, none of them long."""
    lines = path.read_text("utf-8").splitlines()
    assert lines[0].startswith("// "), "the first line says what the module is about"
    assert max(map(len, lines)) <= 120
    code = [line for line in map(str.strip, lines) if line and not line.startswith(("//", "/*", "*"))]
    assert len(code) <= 220
