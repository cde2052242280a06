"""The explorers' JavaScript, called from Python: an oracle can then be NumPy, SciPy or the package itself."""

import json
import re
import shutil
import subprocess
import zlib
from base64 import b64decode

import pytest

from bayeslab.explore._bundle import MODULES

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def call(module, function, cases):
    """Return what a function of a module, such as "covariance_explorer.js", makes of each list of arguments."""
    program = f"""
        import {{ readFileSync }} from "node:fs";
        import {{ {function} }} from "{(MODULES / module).as_uri()}";
        const cases = JSON.parse(readFileSync(0, "utf-8"));
        console.log(JSON.stringify(cases.map((each) => {function}(...each))));
    """
    run = ["node", "--input-type=module", "--eval", program]
    done = subprocess.run(run, input=json.dumps(cases), capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def script_of(page):
    """Return the script that a saved page unpacks."""
    packed = re.search(r'<script type="application/zlib" id="script">(.*?)</script>', page).group(1)
    return zlib.decompress(b64decode(packed, validate=True)).decode("utf-8")
