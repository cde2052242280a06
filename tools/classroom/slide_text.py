"""Text for a slide: a Markdown cell in its parts, as they are projected, and how much room they take."""

import re
from dataclasses import dataclass, field

WIDTH = 84  # letters in a line of prose
PIECES = re.compile(r"(<details>.*?</details>|^```.*?^```|\$\$.+?\$\$)", re.DOTALL | re.MULTILINE)
CAPTION = re.compile(r"\*[^*]+(\*\*[^*]+\*\*[^*]*)*\*")
SPANS = re.compile(r"<!-- long -->.*?<!-- /long -->|`[^`]+`|\$[^$\n]+\$|\[[^]]+\]\([^)]+\)")
ENDS_LONG = re.compile(r"(?!(?:[-*]|\d+\.) )(.+) <!-- long -->", re.DOTALL)  # a paragraph
END = re.compile(
    r"(?:(?<=[.!?])|(?<=[.!?][*)])|(?<=[.!?]\*\*))\s+(?=[A-ZΑ-Ωa-zµ0-9\"“(*\x00])"
    r"|(?<=[.!?][\"”])\s+(?=[A-ZΑ-Ω0-9\"“(*\x00])"  # a question that a sentence quotes does not end it
)
# What only a notebook has: cells, places of the page, and a short path.
ELSEWHERE = re.compile(
    r"\b(?:slider|drawn|figures?|loop|cell|merge|paragraph|formulas?|function|dots|as) (?:above|below)\b"
    r"|\b(?:next|this|that|run the|first|second|code) cell\b|\brunning (?:notebook|kernel)\b|^Below,|^All notebooks:"
    r"|^\([^)]*\bshort path\b[^)]*\)$|^\*\*On the short path|\bisn't on the short path\b"
    r"|^The folded `|^Change these \w+ lines\b|^Try other priors\b|^\(The numbers in the text\b|^\(Its row number\b",
    re.IGNORECASE,
)
RUN = re.compile(r"\b(r)un the cell(?:,? and|,) (\w)", re.IGNORECASE)  # on a slide it has been run


@dataclass
class Block:
    """A part of a slide.

    Parameters
    ----------
    kind : str
        prose, list, table, math, details, fence, caption (all Markdown); code, output, html; figure, explorer.
    text : str
        What it says; of a figure the name of its file, of an explorer that of its page.
    alt : str
        Words for those who do not see a figure.
    shape : tuple of int
        Width and height of a figure.
    """

    kind: str
    text: str
    alt: str = ""
    shape: tuple = field(default=(3, 2))


def blocks_of(text):
    """Return the parts of a Markdown text."""
    found = []
    for piece in PIECES.split(text):
        if piece.startswith("$$"):
            found.append(Block("math", piece))
        elif piece.startswith("<details>"):
            found.append(Block("details", piece))
        elif piece.startswith("```"):
            found.append(Block("fence", piece))
        else:
            found += [_block(part) for part in re.split(r"\n\s*\n", piece.strip()) if part.strip()]
    return found


def _block(part):
    if ends_long := ENDS_LONG.fullmatch(part):
        part = f"<!-- long -->{ends_long[1]}<!-- /long -->"
    if part.startswith("|"):
        return Block("table", part)
    if re.match(r"(-|\d+\.) ", part):
        return Block("list", part)
    return Block("caption" if CAPTION.fullmatch(part) else "prose", part)


def sentences(text):
    """Return the sentences of a paragraph; none ends within a formula, a link or code."""
    spans = []

    def hide(found):
        spans.append(found[0])
        return f"\x00{len(spans) - 1}\x00"

    parts = END.split(SPANS.sub(hide, text.replace("\n", " ")))
    return [re.sub(r"\x00(\d+)\x00", lambda found: spans[int(found[1])], part) for part in parts if part]


def count(text):
    """Return the number of words; a formula within a line is one."""
    return len(SPANS.sub("x", text).split())


def projected(text):
    """Return a paragraph without what speaks of cells or of the page."""
    parts, mark = _told(text)
    return f"{mark}{' '.join(parts)}{mark}" if parts else ""


def in_steps(text, words):
    """Return the same in pieces of about so many words, whole sentences each."""
    (first, *others), mark = _told(text)
    pieces = [first]
    for part in others:
        if count(pieces[-1]) + count(part) <= words:
            pieces[-1] += f" {part}"
        else:
            pieces.append(part)
    return [f"{mark}{piece}{mark}" for piece in pieces]


def _told(text):
    """Return the sentences that are projected, and the mark of a caption."""
    mark = "*" * (CAPTION.fullmatch(text) is not None)
    text = text[len(mark) :].removesuffix(mark)
    return [part for part in sentences(run_already(text)) if not ELSEWHERE.search(part)], mark


def run_already(text):
    """Return a text that asks to run the cell of an explorer as it reads where the explorer lives."""
    text = RUN.sub(lambda found: found[2].upper() if found[1] == "R" else found[2], text)
    return re.sub(r"\s*\([^()]*until you run the cell\.\)", "", text)


def length(text):
    """Return about how many letters wide a line of Markdown is."""
    text = re.sub(r"\]\([^)]+\)", "]", text)
    text = re.sub(r"[{}$*\[\]^_`]|\\(?:boldsymbol|mathbf|mathcal|mathrm)", "", text)
    return len(re.sub(r"\\[a-zA-Z]+|\\.", "x", text))


def room(block):
    """Return about how many of a slide's 570 pixels a block needs, at the smaller size of letters."""
    if block.kind in ("figure", "explorer"):
        return 400
    if block.kind == "math":
        return 70 + 42 * block.text.count(r"\\") + 24 * (r"\frac" in block.text) + 50 * (r"\underbrace" in block.text)
    rows = block.text.splitlines() or [""]
    if block.kind == "table":
        return sum(40 + 26 * (length(row) // 90) for row in rows) - 40  # without the rule below the head
    if block.kind == "html":
        return 38 * max(1, block.text.count("<tr")) if "<tr" in block.text else 480
    if block.kind in ("code", "output", "fence"):
        return 27 * sum(1 + len(row) // 96 for row in rows) + 26
    lines = sum(-(-max(1, length(row)) // WIDTH) for row in (rows if block.kind == "list" else [" ".join(rows)]))
    return 34 * lines + 14
