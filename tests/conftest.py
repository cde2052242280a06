"""Settings that all tests share."""

import matplotlib
from hypothesis import settings

matplotlib.use("agg")  # no window, wherever the tests run

# Reproducible examples, and no deadline: the first one of a test pays for imports.
settings.register_profile("bayeslab", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=2000, print_blob=True)  # new cases in each run
settings.load_profile("bayeslab")
