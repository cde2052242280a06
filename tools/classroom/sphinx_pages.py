"""Let Sphinx make pages of Markdown and notebooks, all with the same settings and styles: the site and the guide."""

import html
import re
import shutil
import subprocess
import sys
from pathlib import Path

FILES = Path(__file__).parent / "site_files"
MATHJAX = Path(sys.prefix, "classroom", "node_modules", "mathjax", "es5", "tex-svg-full.js")  # put there by `make site`
# What Sphinx and its theme leave that no page asks for.
UNUSED = ("_sources", ".buildinfo", "objects.inv", "_static/**/*.map", "_static/locales")


def make(out, gather):
    """Let Sphinx make pages of what `gather` writes into a folder with the settings and styles of all pages.

    Returns
    -------
    float
        Megabytes of the pages.
    """
    work = out.with_name(f"{out.name}_work")
    for folder in (out, work):
        shutil.rmtree(folder, ignore_errors=True)
    source, made = work / "source", work / "site"  # beside the latter, myst-nb leaves a folder of its own
    (source / "_static" / "mathjax").mkdir(parents=True)
    shutil.copy(MATHJAX, source / "_static" / "mathjax")
    shutil.copy(FILES / "conf.py", source)
    shutil.copy(FILES / "scorer.js", source)
    for name in ("course.css", "course.js", "favicon.svg"):
        shutil.copy(FILES / name, source / "_static")
    gather(source)
    sphinx = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "2", "-d", work / "doctrees"]
    if subprocess.call([*map(str, sphinx), str(source), str(made)]) != 0:
        sys.exit("Sphinx has complained: see above.")
    for pattern in UNUSED:
        for path in made.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    made.rename(out)
    shutil.rmtree(work)
    return sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 1e6


def math_in_details(text):
    r"""Write $…$ as \(…\) where MyST takes a folded text for HTML; after an empty line, MyST reads it itself."""

    def mend(found):
        inner = re.sub(
            r"(?<!\\)\$([^$\n]+)\$",
            lambda math: rf'<span class="math notranslate nohighlight">\({html.escape(math[1])}\)</span>',
            found[0],
        )
        return re.sub(r"`([^`\n]+)`", lambda code: f"<code>{html.escape(code[1], quote=False)}</code>", inner)

    return re.sub(r"<details>.*?(?=\n\n|</details>)", mend, text, flags=re.DOTALL)
