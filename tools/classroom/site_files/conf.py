"""How Sphinx makes the site: tools/classroom/site.py puts this file beside the pages and calls it."""

project = html_title = "BayesLab"
author = "The BayesLab authors"
extensions = ["myst_nb"]

nb_execution_mode = "off"  # the outputs are those that the notebooks store
nb_ipywidgets_js = {}  # else from another host
nb_merge_streams = True
nb_code_prompt_show = "Show the {type}"
nb_code_prompt_hide = "Hide the {type}"
myst_enable_extensions = ["amsmath", "dollarmath"]
mathjax_path = "mathjax/tex-svg-full.js"  # one file that holds its fonts; tex-svg.js lacks \boldsymbol

html_theme = "sphinx_book_theme"
html_theme_options = {
    "home_page_in_toc": True,
    "show_toc_level": 2,
    "use_download_button": False,
    "use_fullscreen_button": False,
}
html_context = {"default_mode": "auto"}
html_static_path = ["_static"]
html_css_files = ["course.css"]
html_js_files = [("course.js", {"defer": "defer"})]
html_favicon = "_static/favicon.svg"
html_copy_source = html_show_sourcelink = False
html_use_index = False
