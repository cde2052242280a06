"""Settings that all tests share."""

import matplotlib
from hypothesis import settings

matplotlib.use("agg")  # no window, wherever the tests run

# Reproducible examples, and no deadline: the first one of a test pays for imports.
settings.register_profile("bayeslab", deadline=None, derandomize=True)
settings.load_profile("bayeslab")
