"""The explorers' JavaScript, called from Python: an oracle can then be NumPy, SciPy or the package itself."""

import json
import re
import shutil
import subprocess
import zlib
from base64 import b64decode

import pytest

from bayeslab.explore._bundle import bundle

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def call(module, function, cases):
    """Return what a function makes of each list of arguments.

    It is a name or an expression of what a module, such as "covariance_explorer.js", and those that it imports define.
    """
    results = f"{json.dumps(list(cases))}.map((each) => ({function})(...each))"
    program = f"{bundle(module)}\nconsole.log(JSON.stringify({results}));"
    run = ["node", "--input-type=module", "-"]
    done = subprocess.run(run, input=program, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def script_of(page):
    """Return the script that a saved page unpacks."""
    packed = re.search(r'<script type="application/zlib" id="script">(.*?)</script>', page).group(1)
    return zlib.decompress(b64decode(packed, validate=True)).decode("utf-8")
