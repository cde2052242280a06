"""How Sphinx makes site and guide: tools/classroom/sphinx_pages.py puts this file beside the pages and calls it."""

import os
import re
from pathlib import Path

project = html_title = "BayesLab"
author = "The BayesLab authors"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"]

nb_execution_mode = "off"  # the outputs are those that the notebooks store
nb_ipywidgets_js = {}  # else from another host
nb_merge_streams = True
nb_code_prompt_show = "Show the {type}"
nb_code_prompt_hide = "Hide the {type}"
myst_enable_extensions = ["amsmath", "dollarmath"]
mathjax_path = "mathjax/tex-svg-full.js"  # one file that holds its fonts; tex-svg.js lacks \boldsymbol

default_role = "py:obj"  # in docstrings `fit` is a link
autodoc_typehints = "none"  # the docstrings give types and shapes
autosummary_generate = False  # reference.py writes the pages
numpydoc_show_class_members = False
smartquotes_action = "De"  # not the quotes, which may be those of code
add_module_names = False
toc_object_entries = False

html_theme = "sphinx_book_theme"
html_theme_options = {
    "home_page_in_toc": True,
    "show_toc_level": 2,
    "use_download_button": False,
    "use_fullscreen_button": False,
}
if os.environ.get("REPO"):  # `make site REPO=owner/name`: each notebook gets buttons that open it elsewhere
    html_theme_options |= {
        "repository_url": f"https://github.com/{os.environ['REPO']}",
        "repository_branch": "main",
        "path_to_docs": "notebooks",
        "launch_buttons": {
            "binderhub_url": "https://mybinder.org",
            "colab_url": "https://colab.research.google.com",
            "notebook_interface": "jupyterlab",
        },
    }
html_context = {"default_mode": "auto"}
html_static_path = ["_static"]
html_css_files = ["course.css"]
html_js_files = [("course.js", {"defer": "defer"})]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_favicon = "_static/favicon.svg"
html_copy_source = html_show_sourcelink = False
html_use_index = False


def as_plain_text(app, what, name, obj, options, lines):
    """Keep |Σ| and n_iter_ in a docstring as they are, which reStructuredText would take for its own marks."""
    examples = next((place for place, line in enumerate(lines) if line == ".. rubric:: Examples"), len(lines))
    for place, line in enumerate(lines[:examples]):
        parts = re.split(r"(`+[^`]*`+)", line)
        parts[::2] = [re.sub(r"\||(?<=\w)_(?!\w)", r"\\\g<0>", part) for part in parts[::2]]
        lines[place] = "".join(parts)


def setup(app):
    """Read docstrings after numpydoc has arranged them."""
    app.connect("autodoc-process-docstring", as_plain_text, priority=900)
