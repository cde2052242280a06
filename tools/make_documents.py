"""Make data/austen.npz and data/spambase.npz from two Debian packages, of which only counts and rates are kept.

    python tools/make_documents.py austen    # from r-cran-janeaustenr 1.0.0-1
    python tools/make_documents.py spambase  # from r-cran-kernlab 0.9-32-1

Needs `apt-get`, `dpkg` and the Python package `rdata`, which reads R's files without R.
"""

import gzip
import re
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parents[1] / "data"
NOVELS = ["Emma", "Mansfield Park", "Northanger Abbey", "Persuasion", "Pride and Prejudice", "Sense and Sensibility"]
HEADING = re.compile(r"^(?:CHAPTER|Chapter) (?:\d+|[IVXL]+)$", re.MULTILINE)
# What stands between or after the chapters and is not Austen's, or no chapter's: volumes, ends, notes of the editors.
NOT_TEXT = (
    r"^VOLUME [IV]+$|\[(?:At|End)[^\]]*\]|\(End of volume one\.\)|^(?:FINIS|Finis|THE END)$|^\*Vide a letter[\s\S]*"
)
RUN = "longest run of capitals (letters)"
SIGNS = dict(
    zip(["Semicolon", "Roundbracket", "Squarebracket", "Exclamation", "Dollar", "Hash"], ";([!$#", strict=True)
)
CAPITALS = {"capitalAve": "mean run of capitals (letters)", "capitalLong": RUN, "capitalTotal": "capitals (letters)"}


def austen(data: Path, rdata) -> dict:
    """Count in each chapter the 1000 commonest words, and the 1000 commonest that are no names."""
    index = rdata.conversion.convert(rdata.parser.parse_data(gzip.decompress((data / "Rdata.rdx").read_bytes())))
    chapters, novels, lower = [], [], set()
    for novel in NOVELS:
        key = re.sub(" and |[ ]", "", novel).lower()
        start, length = map(int, index["variables"][key])
        packed = (data / "Rdata.rdb").read_bytes()[start + 4 : start + length]  # four bytes say how long it is unpacked
        lines = rdata.conversion.convert(rdata.parser.parse_data(zlib.decompress(packed)))
        for text in HEADING.split("\n".join(map(str, lines)))[1:]:  # [0] is the title
            plain = re.sub(NOT_TEXT, "", text, flags=re.MULTILINE).replace("_", " ").replace("'s", "")
            found = re.findall(r"[A-Za-z]+(?:'[a-z]+)?", plain)
            lower |= {word for word in found if word.islower()}
            chapters.append(Counter(map(str.lower, found)))
            novels.append(novel)
    total = sum(chapters, Counter())
    by_number = sorted(total, key=lambda word: (-total[word], word))
    chosen = {*by_number[:1000], *[word for word in by_number if word in lower][:1000]}
    words = [word for word in by_number if word in chosen]
    counts = np.array([[chapter[word] for chapter in chapters] for word in words], dtype=np.uint16)
    return {"counts": counts, "words": words, "is_name": [word not in lower for word in words], "novels": novels}


def spambase(data: Path, rdata) -> dict:
    """Write rates as whole thousandths, one row a feature, and give the features readable names."""
    table = rdata.read_rda(data / "spam.rda")["spam"]

    def name(column: str) -> str:
        return CAPITALS.get(column) or f"{SIGNS.get(column.removeprefix('char'), column.removeprefix('num'))} (%)"

    values = table.drop(columns="type").to_numpy(float)
    thousandths = np.rint(values * 1000).astype(np.int32)
    assert (thousandths / 1000 == values).all()  # nothing is rounded
    names = [name(column) for column in map(str, table.columns) if column != "type"]
    return {"thousandths": thousandths.T, "features": names, "kinds": table["type"].astype(str).to_list()}


def main(which: str) -> None:
    """Download the package, read it, and write the file."""
    import rdata

    package = {"austen": "janeaustenr", "spambase": "kernlab"}[which]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", f"r-cran-{package}"], check=True, cwd=folder)
        subprocess.run(["dpkg", "-x", *Path(folder).glob("*.deb"), folder], check=True)
        arrays = {"austen": austen, "spambase": spambase}[which](
            Path(folder) / "usr/lib/R/site-library" / package / "data", rdata
        )
    # NumPy dates the parts of the archive 1980, so that the same data are the same bytes.
    np.savez_compressed(DATA / f"{which}.npz", **{key: np.ascontiguousarray(value) for key, value in arrays.items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
