"""Links between the notebooks, where they are pages."""

import re


def mend_links(text, names):
    """Point to pages of the site; a notebook that is not there is named without a link."""
    text = text.replace("](../data/README.md)", "](data.md)")
    return re.sub(
        r"\[([^]]*)\]\(((?:(?:\d\d|A\d)_|templates/)\w+\.ipynb)\)",
        lambda link: link[0] if link[2] in names else link[1],
        text,
    )
