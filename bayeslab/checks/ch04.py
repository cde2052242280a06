"""Checks of notebook 04: a naive covariance, the number of parameters, and what copies of a feature do."""

from __future__ import annotations

import numpy as np

from bayeslab.checks import compare, exercise

# Three classes of four features; every entry is different, so that each mistake gives a value of its own.
_FACTORS = np.array(
    [
        [[1.0, 0, 0, 0], [0.5, 1.2, 0, 0], [-0.3, 0.4, 0.9, 0], [0.2, 0.1, -0.6, 1.4]],
        [[2.0, 0, 0, 0], [-0.7, 0.8, 0, 0], [0.6, 0.3, 1.1, 0], [0.9, -0.2, 0.25, 0.7]],
        [[0.6, 0, 0, 0], [0.35, 1.7, 0, 0], [0.15, -0.8, 1.3, 0], [-0.4, 0.55, 0.45, 1.9]],
    ]
)
_S = _FACTORS @ _FACTORS.transpose(0, 2, 1)


@exercise("4.1")
def make_naive(answer) -> str | None:
    """Keep the diagonal of each matrix of a stack."""
    right = _S * np.eye(4)
    given = _S.copy()
    result = answer(given)
    for explanation, values in _of_other_shape(right).items():
        if any(compare(result, value) is None for value in values):
            return explanation
    problem = compare(result, right, _naive_mistakes(right), what="what make_naive returns")
    if problem is None:
        problem = compare(answer(_S[:2, :2, :2].copy()), right[:2, :2, :2], what="make_naive of two 2 × 2 matrices")
    if problem is None and compare(given, right) is None:
        problem = (
            "these are the right matrices, but the caller's S was changed, too, and its covariances are lost: "
            "S *= ... and S[...] = ... write into the array that was given. Make a new one."
        )
    return problem


def _of_other_shape(right) -> dict:
    variances = np.diagonal(_S, axis1=1, axis2=2)
    return {
        "these are the variances alone; return matrices that have them on the diagonal.": (variances, variances.T),
        "np.diagonal of a stack takes other axes; work matrix by matrix.": (np.diagonal(_S), np.diagonal(_S).T),
        "this is one matrix; return one per class. Does return stand inside the loop?": right,
        "this is the mean over the classes; each class keeps its own.": [right.mean(axis=0)],
    }


def _naive_mistakes(right) -> dict:
    variances = np.diagonal(_S, axis1=1, axis2=2)
    σ = np.sqrt(variances)
    return {
        "nothing was set to 0: this is S itself.": _S,
        "you removed the diagonal and kept the rest; it is the other way.": _S - right,
        "only one triangle was set to 0; naive has zeros above and below the diagonal.": (np.tril(_S), np.triu(_S)),
        "this is the mean over the classes; each class keeps its own.": np.array([right.mean(axis=0)] * 3),
        "these are correlation matrices; keep the variances.": _S / (σ[:, :, None] * σ[:, None, :]),
        "these are standard deviations; a covariance matrix has the variances on its diagonal.": np.sqrt(right),
        "these are identity matrices; keep the variances on the diagonal.": np.array([np.eye(4)] * 3),
        "this is one variance for all features; each feature keeps its own.": (
            variances.mean(axis=1)[:, None, None] * np.eye(4)
        ),
        "this has 1 / variance: it is the inverse of the naive matrix.": np.eye(4) / variances[:, None, :],
        "you set zeros in the inverses; set them in the covariances.": np.linalg.inv(_S) * np.eye(4),
    }


_SWAPPED = "naive and full are swapped."
_ONE_EACH = "count d entries of Σ if naive, otherwise d(d + 1)/2."


@exercise("4.2")
def count_parameters(answer) -> str | None:
    """Count means, covariances and priors of a classifier, naive or full, with a shared covariance or not."""
    # Numbers for which no two of the mistakes below give the same count, but those named together.
    for d, K, naive, shared in [(6, 5, False, False), (6, 5, True, False), (6, 5, False, True), (6, 5, True, True)]:
        mistakes = {}
        # The free priors may be missing as well, whatever else is wrong.
        for free, also in [(K - 1, ""), (0, " The K − 1 free priors are missing, too.")]:
            for text, numbers in _wrong_counts(d, K, naive, shared).items():
                mistakes[text + also] = tuple(number + free for number in numbers)
        right = _without_priors(d, K, naive, shared)
        mistakes |= {
            "the priors are missing: K numbers with sum 1, of which K − 1 are free.": right,
            "the K priors sum to 1, so only K − 1 of them are free.": right + K,
        }
        what = f"count_parameters({d}, {K}, naive={naive}, shared={shared})"
        result = answer(d, K, naive, shared)
        if problem := compare(result, right + K - 1, mistakes, what=what):
            if _SWAPPED in problem and compare(answer(d, K, not naive, shared), result) is None:
                problem = problem.replace(
                    _SWAPPED, f"the number is the same for naive=True and naive=False; {_ONE_EACH}"
                )
            return problem if what in problem else f"{what}: {problem}"
    return None


def _without_priors(d, K, naive, shared) -> int:
    return K * d + (1 if shared else K) * (d if naive else d * (d + 1) // 2)


def _wrong_counts(d, K, naive, shared) -> dict:
    """Say what is wrong → numbers of means and of entries of Σ that this mistake gives."""
    n_matrices, entries = (1 if shared else K), (d if naive else d * (d + 1) // 2)
    # Where each class has its own full covariance, lost diagonals are as many numbers as lost means.
    either = "" if naive or shared else ", or the diagonals,"
    wrong = {
        f"the means{either} are missing: d numbers for each class.": (n_matrices * entries,),
        "this is one class; the means of all K count.": (d + entries,),
        _SWAPPED: (_without_priors(d, K, not naive, shared),),
        f"shared is {shared} here: count the entries of {'one matrix' if shared else 'K matrices'}.": (
            _without_priors(d, K, naive, not shared),
        ),
        "the means are counted twice: 2d and d(d + 3)/2 hold them already.": (K * d + n_matrices * (d + entries),),
    }
    if not naive:
        wrong["Σ is symmetric: of its d² entries d(d + 1)/2 are free."] = (K * d + n_matrices * d * d,)
        wrong["the diagonal of Σ is missing: d(d − 1)/2 entries above it, and the d on it."] = (
            K * d + n_matrices * d * (d - 1) // 2,
        )
    return wrong


@exercise("4.3")
def copied(answer) -> str | None:
    """Posterior with k copies: the odds to the power k."""
    for p, k in [(0.6, 3), (0.25, 2), (0.8, 1), (0.5, 7)]:
        with np.errstate(all="ignore"):
            result = answer(p, k)
        right = _from_log_odds(k * np.log(p / (1 - p)))
        if problem := compare(result, right, _copy_mistakes(p, k), what=f"copied({p}, {k})"):
            return problem
    for p, right in [(0.5, 0.5), (0.6, 1.0)]:
        try:
            with np.errstate(all="ignore"):
                result = np.asarray(answer(p, 5000), dtype=float)
        except ArithmeticError:
            result = np.array(np.nan)
        if np.isnan(result).all():
            return (
                f"right for few copies, but copied({p}, 5000) fails: powers this high become 0 or infinite for a "
                f"computer. Multiply the log odds by k instead."
            )
        if problem := compare(result, right, what=f"copied({p}, 5000)"):
            return problem
    return None


def _copy_mistakes(p, k) -> dict:
    q, log_odds = 1 - p, np.log(p / (1 - p))
    return {
        "this is the posterior of one copy; naive treats each copy as new evidence.": p,
        "this is p^k, not yet divided by its sum with (1 − p)^k.": p**k,
        "this is the chance that one of k independent guesses is right; densities multiply instead.": 1 - q**k,
        "this is k p, which may exceed 1; densities multiply, they do not add.": (k * p, min(1, k * p)),
        "this is the posterior of B; you swapped A and B.": _from_log_odds(-k * log_odds),
        "these are the odds o; the probability is o / (1 + o).": (p / q) ** k,
        "these are the log odds; turn them into a probability.": k * log_odds,
        "you multiplied the odds by k; k densities multiply, so take the odds to the power k.": k * p / (k * p + q),
        "p^k is divided by p^k + (1 − p); the power belongs to both.": p**k / (p**k + q),
        "you counted k copies besides the first; k is the number of columns in all.": (
            _from_log_odds((k + 1) * log_odds)
        ),
        "one copy is missing; k is the number of columns in all.": _from_log_odds((k - 1) * log_odds),
        "you divided the log odds by k: copies make naive more certain, not less.": _from_log_odds(log_odds / k),
    }


def _from_log_odds(value):
    return 1 / (1 + np.exp(-value))
