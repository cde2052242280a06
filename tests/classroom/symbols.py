"""What the symbols in the formulas of the slides mean: the words that say so, and in which notebook they stand."""

import re

ACCENTS = re.compile(r"\\(?:hat|bar|tilde|mathbf|boldsymbol|mathcal)\b")
NAMES = re.compile(
    r"\\(?:text|operatorname|begin|end)\{[^{}]*\}|[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-z]+|.)|\\[a-zA-Z]+"
    r"|\b[a-zA-Z]{2,}\b"
)
GREEK = re.compile(
    r"\\(?:alpha|beta|gamma|delta|lambda|mu|nu|pi|rho|sigma|theta|varphi|chi|ell|Delta|Lambda|Sigma|Phi)\b"
)

# Said once, in the notebook of this number, and true in all that follow.
COURSE = {
    "C": ("00", "class"), "x": ("00", "measurement"), "p": ("00", "density"), "P": ("00", "probab"),
    r"\pi": ("00", "prior"), r"\mu": ("01", "mean"), r"\sigma": ("01", "standard deviation"),
    "N": ("01", "Gaussian"), "n": ("01", "flowers"), r"\ell": ("01", "log-likelihood"),
    r"\Sigma": ("02", "covariance matrix"), "D": ("02", "Mahalanobis distance"),
    r"\Phi": ("08", "share of the bell to the left"), "F": ("10", "exact law"), "E": ("10", "mean of this doubt"),
}  # fmt: skip
# Words that say it where no sentence holds the symbol itself.
HERE = {
    ("02", "L"): "Three numbers turn it into", ("03", "A"): "versicolor", ("03", "B"): "virginica",
    ("03", "c"): "log-determinant rule", ("06", r"\gamma"): "responsibility", ("06", "B"): "an easier function",
    ("06", r"\nu"): "ν pseudo-samples", ("06", r"\Lambda"): "variance Λ", ("10", "q"): "posterior",
    ("10", "R"): "Bayes error", ("12", "e"): "true error", ("12", "T"): "it's about", ("14", "e"): "error",
    ("14", "S"): "scatter of each species",
    ("14", r"\lambda"): "they scatter by", ("14", "J"): "class means scatter most",
    ("15", "q"): "quantile", ("15", r"\varphi"): "small bell", ("15", "z"): "small bell",
    ("18", "t"): "Student's t", ("19", "a"): "terms with", ("19", "b"): "terms with",
}  # fmt: skip
INDICES = set("ijkld")  # d also of an integral; notebook 02 says what the number of measurements is


def symbols(tex):
    """Return the letters of a formula that stand for something, without accents and without indices."""
    tex = ACCENTS.sub("", tex)
    greek = set(GREEK.findall(re.sub(r"[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-z]+|.)", "", tex)))
    return (greek | set(re.findall("[a-zA-Z]", NAMES.sub(" ", tex)))) - INDICES


def undefined(number, slides):
    """Return (place, symbol) of what stands in a formula before any slide has said what it is."""
    named, said, missing = set(), "", []
    for place, slide in enumerate(slides, start=1):
        texts = [block.text for block in [*slide.blocks, *slide.steps] if block.kind not in ("figure", "explorer")]
        said += " ".join(texts)
        named |= {
            each for text in texts for tex in re.findall(r"(?<!\$)\$([^$\n]+)\$(?!\$)", text) for each in symbols(tex)
        }
        for tex in (tex for text in texts for tex in re.findall(r"\$\$(.+?)\$\$", text, re.DOTALL)):
            for each in sorted(symbols(tex) - named):
                course, words = COURSE.get(each, ("99", "")), HERE.get((number, each))
                known = course[0] < number or (course[0] == number and course[1] in said) or (words and words in said)
                missing += [] if known else [(place, each)]
    return missing
