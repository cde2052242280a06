"""Random data against exact arithmetic: a result is right to the digits that rounding leaves, or refused for a reason.

A failure is a RuntimeWarning, a posterior that is no number, an error that is not ours, a refusal that the data do not
deserve, or a number farther from the exact one than rounding can take it: that follows from the condition number, and
from what the weights leave of the spread. `--hypothesis-profile=search` draws new and many more cases.
"""

from __future__ import annotations

import traceback
import warnings
from functools import partial

import mpmath
import numpy as np
import pandas as pd
import pytest
from draws import Data, draw_data, draw_form, draw_labels, draw_mixture, draw_model, new_rows, weights_of
from exact import EPSILON, exact, truth_of
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from bayeslab import CollapsedComponentError, GaussianMixture, SingularCovarianceError
from bayeslab._base.arrays import estimate_priors
from bayeslab.covariance_kinds import INTENSITIES

ANSWERS = (ValueError, SingularCovarianceError, CollapsedComponentError)


def compare(model, data: Data, new, given, learn, ever: Data | None = None) -> None:
    """Compare what a model learns with exact arithmetic; an error of ours is raised if the data deserve it."""
    try:
        fitted = learn()
        log_proba, joint = fitted.predict_log_proba(given), fitted.joint_log_likelihood(given)
    except ANSWERS as error:
        check_refusal(error, truth_of(model, data, ever))
        raise
    assert not np.isnan(log_proba).any(), "a posterior is no number"
    truth = truth_of(model, data, ever)
    if truth is None:
        return
    np.testing.assert_array_equal(fitted.varies_, truth.varies, "columns that vary")
    for k, Σ in enumerate(truth.covariances):
        found, size = fitted.gaussians_[k].covariance, exact(np.sqrt(Σ.diagonal()))
        error = np.abs((exact(found) - Σ) / np.outer(size, size)).astype(float).max()
        assert error <= 100 * truth.rounding[k], f"covariance of class {k} is wrong by {error:.2g}"
    expected, tolerance = truth.joint(new, exact(fitted._log_priors))
    scores = fitted._in_blocks(np.asarray, given)
    check_close(joint, expected, tolerance, "joint log-likelihood")
    check_close(scores, expected, tolerance, "score")
    check_close(log_proba, expected, tolerance, "log posterior")


def check_close(found, expected, tolerance, what: str) -> None:
    """No row, relative to its largest entry, may be off by more than its tolerance."""
    near = tolerance < 1e290  # squared distances beyond are no floats, which a warning says
    excess = np.zeros(len(tolerance))
    with np.errstate(invalid="ignore"):  # a share of 1e-400 is a prior of 0
        largest = expected.argmax(axis=1)[:, None]
        found, expected = (each - np.take_along_axis(each, largest, axis=1) for each in (found, expected))
        errors = np.where(found == expected, 0, np.abs(found - expected)).max(axis=1)
    excess[near] = errors[near] / tolerance[near]
    i = int(np.argmax(np.nan_to_num(excess, nan=np.inf)))
    assert excess[i] <= 1, f"{what} of row {i} is {found[i]} instead of {expected[i]} ± {tolerance[i]:.2g}"


def check_refusal(error: Exception, truth) -> None:
    """An error must come from this package or scikit-learn, and only if there is no answer."""
    where = traceback.extract_tb(error.__traceback__)[-1].filename
    assert "bayeslab" in where or "sklearn" in where, f"a raw error: {error!r}"
    assert truth is None, f"refused, though there is an answer: {error!r}"


def fit_at_once(rng, rule: str | None = None) -> None:
    """Any form of data, any hyperparameters, or this rule for the intensity of shrinkage."""
    data = draw_data(rng)
    form, labels, model = draw_form(rng, data.X), draw_labels(rng, data.index), draw_model(rng, data.index.max() + 1)
    data = data._replace(X=np.array(form, dtype=float))
    w = weights_of(data)
    if rule:
        model.set_params(shrinkage=rule, shared=round(model.shared))
    if model.shrinkage == "ledoit_wolf" and w.max() > 1e100 * w.min(initial=np.inf, where=w > 0):
        model.shrinkage = None  # fourth powers of deviations overflow there, which gives 1 or a ValueError
    new = new_rows(rng, data)
    given = pd.DataFrame(new, columns=form.columns) if isinstance(form, pd.DataFrame) else new
    compare(model, data, new, given, lambda: model.fit(form, labels, data.weights))


def learn_in_pieces(rng) -> None:
    """Pieces in any order, merged or not, and one of them taken away again."""
    data = draw_data(rng)
    K = data.index.max() + 1
    pieces = np.array_split(rng.permutation(len(data.X)), rng.integers(1, min(6, len(data.X) + 1)))
    merges, gone = rng.random() < 0.4, len(pieces) > 1 and rng.random() < 0.4
    model, left = draw_model(rng, K, streaming=True), data.part(np.concatenate(pieces[int(gone) :]))

    def add(rule, rows):
        part = data.part(rows)
        return rule.partial_fit(part.X, part.index, np.arange(K), part.weights)

    def learn():
        rule = add(clone(model), pieces[0])
        for rows in pieces[1:]:
            rule = rule.merge(add(clone(model), rows)) if merges else add(rule, rows)
        part = data.part(pieces[0])
        return rule.remove(part.X, part.index, part.weights) if gone else rule

    new = new_rows(rng, data)
    compare(model, left, new, new, learn, ever=data)


def leave_one_out(rng) -> None:
    """Each row by all others, of which three are compared."""
    data = draw_data(rng)
    model = draw_model(rng, data.index.max() + 1, streaming=True)
    rests = [data.part(np.arange(len(data.X)) != i) for i in range(len(data.X))]
    try:
        found = model.leave_one_out_log_proba(data.X, data.index, data.weights)
    except ANSWERS as error:
        check_refusal(error, None if any(truth_of(model, rest, data) is None for rest in rests) else rests)
        raise
    assert not np.isnan(found).any(), "a posterior is no number"
    for i in rng.integers(len(data.X), size=3):
        truth = truth_of(model, rests[i], data)
        if truth is not None:
            sizes = np.bincount(rests[i].index, weights_of(rests[i]))
            log_priors = exact(np.log(estimate_priors(model.priors, np.arange(len(sizes)), sizes)[0]))
            expected, tolerance = truth.joint(data.X[[i]], log_priors)
            check_close(found[[i]], expected, tolerance, f"row {i} left out: log posterior")


def single_gaussians(rng) -> None:
    """Many columns and classes: all classes at once, each Gaussian by itself, and with a gap that hides nothing."""
    d, K = int(rng.integers(1, 90)), int(rng.integers(2, 7))
    index = np.repeat(np.arange(K), d + rng.integers(2, 40))
    X = rng.normal(size=(len(index), d)) + rng.choice([0, 1, 30]) * rng.normal(size=(K, d))[index]
    X *= 10 ** rng.uniform(-3, 3, d)
    model = draw_model(rng, K)
    fitted = model.fit(X, index)
    single = np.transpose([gaussian.log_density(X) for gaussian in fitted.gaussians_]) + fitted._log_priors
    condition = max(np.linalg.cond(correlation(g.covariance)) for g in fitted.gaussians_)
    tolerance = 100 * EPSILON * (condition * (d + np.abs(single - single[:, :1]).max(axis=1)) + 1e4 * np.sqrt(d))
    if condition < 1e10:
        check_close(fitted._in_blocks(np.asarray, X), single, tolerance, "score")
        check_close(fitted.joint_log_likelihood(X), single, tolerance, "joint log-likelihood")
        with_gap = np.column_stack([X, X[:, 0]])
        with_gap[:, 0] = np.nan
        shifted = [g.marginal([*range(1, d), 0]).log_density(with_gap[:, 1:]) for g in fitted.gaussians_]
        check_close(np.transpose(shifted) + fitted._log_priors, single, tolerance + 1e-9 * d, "marginal")


def mixture(rng) -> None:
    """Check that the objective never falls, weights are repetitions, components have no order, one is a Gaussian."""
    X, weights, settings = draw_mixture(rng)
    K, sizes = settings["n_components"], np.ones(len(X)) if weights is None else weights
    fitted = GaussianMixture(**settings, max_iter=60).fit(X, sample_weight=weights)
    condition = max(np.linalg.cond(correlation(g.covariance)) for each in fitted.history_ for g in each.gaussians)
    rounding = max(EPSILON * np.abs(g.mean / np.sqrt(g.covariance.diagonal())).max() for g in fitted.gaussians_)
    objectives = np.array([each.objective for each in fitted.history_])
    slack = 100 * EPSILON * condition * (1 + np.abs(objectives).max()) + condition * rounding**2
    falls = -np.diff(objectives).min(initial=0)
    assert falls <= slack, f"the objective falls by {falls:.2g}, rounding explains {slack:.2g}"
    assert not np.isnan(fitted.predict_proba(X)).any(), "a responsibility is no number"
    if K == 1:
        mpmath.mp.dps = 1000
        w, Y = exact(sizes / 1.0), exact(X)
        mean = w @ Y / w.sum()
        S = ((Y - mean).T * w) @ (Y - mean) / w.sum()
        deviation = np.sqrt(np.sqrt(np.outer(S.diagonal(), S.diagonal())).astype(float).diagonal())
        assert (np.abs(fitted.means_[0] - mean.astype(float)) <= 1e-9 * deviation + 4 * EPSILON * np.abs(X).max()).all()
        reach = float(max((Y.max(axis=0) - Y.min(axis=0)) ** 2 / S.diagonal()))
        found = fitted.gaussians_[0].covariance.diagonal()
        expected = np.full(len(found), S.diagonal().mean()) if settings["covariance"] == "spherical" else S.diagonal()
        np.testing.assert_allclose(found, expected.astype(float), rtol=1e-12 + 1e3 * EPSILON**2 * reach)
    start = fitted.history_[0]
    order, few = rng.permutation(K), {**settings, "max_iter": 4, "tol": 0}
    init = start.weights, start.means, start.covariances
    one = GaussianMixture(**{**few, "init": init}).fit(X, sample_weight=weights)
    others = [(GaussianMixture(**{**few, "init": tuple(p[order] for p in init)}).fit(X, sample_weight=weights), order)]
    if weights is not None and weights.dtype.kind == "i":
        others.append((GaussianMixture(**{**few, "init": init}).fit(np.repeat(X, weights, axis=0)), np.arange(K)))
    for other, order in others:
        if condition < 1e6 and rounding < 1e-10:
            np.testing.assert_allclose(other.weights_, one.weights_[order], rtol=1e-5, atol=1e-6)
            scale = np.sqrt(one.gaussians_[0].covariance.diagonal())
            np.testing.assert_allclose(other.means_ / scale, one.means_[order] / scale, rtol=1e-9, atol=1e-4)


def correlation(covariance: np.ndarray) -> np.ndarray:
    """Covariance in units of the standard deviations."""
    deviations = np.sqrt(covariance.diagonal())
    return covariance / deviations / deviations[:, None]


CHECKS = (fit_at_once, learn_in_pieces, leave_one_out, single_gaussians, mixture)


def judge(check, seed: int) -> None:
    """Run a check; an error of ours is an answer, if there is no other."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # ours: columns left out, ranks, rows too far away
        try:
            check(np.random.default_rng(seed))
        except ANSWERS as error:
            check_refusal(error, None)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=settings.default.max_examples // 2)
def test_a_drawn_case_is_right_or_refused_for_a_reason(check, seed):
    judge(check, seed)


@pytest.mark.parametrize("rule", INTENSITIES)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=settings.default.max_examples // 5)
def test_so_is_every_rule_for_the_intensity(rule, seed):
    judge(partial(fit_at_once, rule=rule), seed)
