"""Twenty minutes of a deck, chosen by rule.

They are the title, and what to take away; then one explorer with its questions and answers; then of each section, in
turns, what is best for a lecture, in this order: a prediction with its answer, a figure with its words, a figure, a
formula, and a text; until the talk has `MOST` slides. An answer comes with its question only. The order stays.
"""

MOST = 14
BEST = ("predict", "reading", "figure", "math", "text")


def value(slide):
    """Return how good a slide is for a short lecture; the smallest is the best."""
    return BEST.index("reading" if slide.kind == "figure" and slide.words else slide.kind)


def with_answer(slides, place):
    """Return a prediction's place and that of its answer: the one beside a text that reads it, where there is one."""
    if slides[place].kind != "predict":
        return [place]
    answer = next(k for k in range(place + 1, len(slides)) if slides[k].kind == "answer")
    reads = answer + 1 < len(slides) and slides[answer + 1].kind == "reading"
    return [place, answer + reads]


def with_questions(slides, place):
    """Return the place of an explorer with those of the slide that says what to try there, and of the answers."""
    before, after = slides[place - 1], slides[min(place + 1, len(slides) - 1)]
    asks = before.kind in ("text", "math") and before.section == slides[place].section
    return [place - 1] * asks + [place] + [place + 1] * (after.kind == "answer")


def choose(slides):
    """Mark the slides of the twenty minutes."""
    chosen = {k for k, slide in enumerate(slides) if slide.kind in ("title", "takeaway")}
    explorer = next((k for k, slide in enumerate(slides) if slide.kind == "explorer"), None)
    chosen |= set() if explorer is None else set(with_questions(slides, explorer))
    sections = list(dict.fromkeys(slide.section for slide in slides if slide.kind in BEST))
    while len(chosen) < MOST:
        before = len(chosen)
        for section in sections:
            left = [k for k, slide in enumerate(slides) if slide.section == section and slide.kind in BEST]
            left = sorted(set(left) - chosen, key=lambda k: (value(slides[k]), k))
            taken = next((group for k in left if len(chosen | set(group := with_answer(slides, k))) <= MOST), [])
            chosen |= set(taken)
        if len(chosen) == before:
            break
    for place in chosen:
        slides[place].short = True
