"""Settings that all tests share."""

import matplotlib
from hypothesis import Phase, settings

matplotlib.use("agg")  # no window, wherever the tests run

# Reproducible examples, and no deadline: the first one of a test pays for imports.
settings.register_profile("bayeslab", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=2000, print_blob=True)  # new cases in each run
# For tools/mutate.py, which asks whether a test fails, and not for its smallest example.
settings.register_profile("mutants", deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])
settings.load_profile("bayeslab")
