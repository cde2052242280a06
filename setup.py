"""What the metadata of the package takes from [tool.bayeslab] in pyproject.toml; all the rest stands there.

An index shows README.md away from its files. So links lead to the files of this version in the repository; where none
is set, they become plain text, and pictures are left out.
"""

import re
import tomllib
from pathlib import Path

from setuptools import setup

LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:|#)([^)]+)\)")
PLACES = {
    "Homepage": "",
    "Documentation": "/blob/{tag}/README.md",
    "Changelog": "/blob/{tag}/CHANGELOG.md",
    "Issues": "/issues",
    "Source": "/tree/{tag}",
}


def absolute(text, home, tag):
    """Point the links of a page to the files of a version."""

    def target(link):
        picture, words, path = link.groups()
        if not home:
            return "" if picture else words
        return f"{picture}[{words}]({home}/{'raw' if picture else 'blob'}/{tag}/{path})"

    return re.sub(r"\n{3,}", "\n\n", LINK.sub(target, text))


settings = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
ours, tag = settings["tool"]["bayeslab"], f"v{settings['project']['version']}"
home = ours["repository"] and f"https://github.com/{ours['repository']}"
setup(
    author="The BayesLab authors",
    author_email=ours["contact"] or None,
    long_description=absolute(Path("README.md").read_text("utf-8"), home, tag),
    long_description_content_type="text/markdown",
    project_urls={name: home + place.format(tag=tag) for name, place in PLACES.items()} if home else {},
)
