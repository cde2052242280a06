"""The explorers' JavaScript, called from Python: an oracle can then be NumPy, SciPy or the package itself."""

import json
import re
import shutil
import subprocess
import zlib
from base64 import b64decode, b64encode
from functools import cache

import pytest

from bayeslab.explore._bundle import bundle

NODE = shutil.which("node")

# Answers a line on stdin, [module, program], with a line on stdout. `eval` sees all names that the module defines.
SERVER = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const [url, program] = JSON.parse(line);
  let answer;
  try {
    answer = { value: (await import(url)).evaluate(program) };
  } catch (error) {
    answer = { error: error.stack };
  }
  console.log(JSON.stringify(answer));
}
"""


@cache
def _node():
    """Start the one process that answers all tests; it ends with Python, when its stdin closes."""
    run = [NODE, "--input-type=module", "--eval", SERVER]
    return subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")


@cache
def _url(module):
    text = f"{bundle(module)}\nexport const evaluate = (program) => eval(program);"
    return f"data:text/javascript;base64,{b64encode(text.encode()).decode()}"


def call(module, function, cases):
    """Return what a function makes of each list of arguments; skip the test where Node.js is not installed.

    It is a name or an expression of what a module, such as "covariance_explorer.js", and those that it imports define.
    """
    if NODE is None:
        pytest.skip("Node.js is not installed")
    node, program = _node(), f"{json.dumps(list(cases))}.map((each) => ({function})(...each))"
    print(json.dumps([_url(module), program]), file=node.stdin, flush=True)
    answer = json.loads(node.stdout.readline() or '{"error": "Node.js ended"}')
    assert "error" not in answer, answer["error"]
    return answer["value"]


def script_of(page):
    """Return the script that a saved page unpacks."""
    packed = re.search(r'<script type="application/zlib" id="script">(.*?)</script>', page).group(1)
    return zlib.decompress(b64decode(packed, validate=True)).decode("utf-8").split("\0")[1]  # after the style sheet
