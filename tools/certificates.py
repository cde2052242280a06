"""Certificates of the numerics: correct digits against NIST and mpmath, printed as a table (`make certificates`).

Digits are −log10 of the relative error, 15.7 where it vanishes. Each row has the digits it must reach.
"""

from __future__ import annotations

import mpmath
import numpy as np
from nist import STRD, doubles, moments_in_decimal
from sklearn.naive_bayes import GaussianNB as Peer

from bayeslab import Gaussian, Moments


def digits(value: float, exact) -> float:
    """Correct significant digits of a value."""
    error = abs((mpmath.mpf(float(value)) - exact) / exact)
    return min(15.7, -float(mpmath.log10(error))) if error else 15.7


def least_digits(values, exact, size) -> float:
    """Return the least number of correct digits among some values, relative to a given size."""
    error = np.max(np.abs(np.asarray(values, dtype=float) - np.asarray(exact, dtype=float)) / size)
    return min(15.7, -float(np.log10(error))) if error else 15.7


def in_blocks(x: np.ndarray, rng=None) -> Moments:
    """Moments merged from blocks of 7, in their order or in random order."""
    parts = [Moments.of(x[start : start + 7]) for start in range(0, len(x), 7)]
    if rng is not None:
        parts = [parts[i] for i in rng.permutation(len(parts))]
    return sum(parts[1:], parts[0])


def peer_deviation(x: np.ndarray) -> float:
    """Return the standard deviation by scikit-learn's naive Bayes, fed by partial_fit in blocks of 7."""
    peer = Peer(var_smoothing=0)
    for start in range(0, len(x), 7):
        part = x[start : start + 7, None]
        peer.partial_fit(part, np.zeros(len(part)), classes=[0, 1])
    return float(np.sqrt(peer.var_[0, 0] * len(x) / (len(x) - 1)))


def univariate(name: str):
    """Yield for a set of NIST: way, digits of the mean, of the deviation, of scikit-learn's deviation, and needed."""
    x = doubles(name)
    mean, deviation = moments_in_decimal(x)  # of the stored doubles: how they were rounded is not our error
    peer = digits(peer_deviation(x), deviation)
    ways = {
        "in one go": Moments.of(x),
        "blocks of 7": in_blocks(x),
        "random order": in_blocks(x, np.random.default_rng(7)),
    }
    for way, moments in ways.items():
        ours = digits(moments.mean[0], mean), digits(np.sqrt(moments.covariance()[0, 0]), deviation)
        yield (way, *ours, peer, 14)


def problem(d: int, condition: float, seed: int):
    """Two classes of d features: means, covariances of this condition number (1 on the diagonal scale), samples."""
    rng = np.random.default_rng(seed)
    means, covariances = rng.normal(size=(2, d)), []
    for _ in range(2):
        Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
        covariance = (Q * np.geomspace(1, 1 / condition, d)) @ Q.T
        covariances.append((covariance + covariance.T) / 2)
    # Samples near both classes, so that no posterior is trivially 0 or 1.
    means[1] = means[0] + np.linalg.cholesky(covariances[0]) @ rng.normal(size=d) / np.sqrt(d)
    X = means[0] + rng.normal(size=(5, d)) @ np.linalg.cholesky(covariances[0]).T
    return means, covariances, X


def exact_gaussian(mean, covariance, X):
    """Return log densities and squared Mahalanobis distances with 50 digits."""
    factors, order = mpmath.mp.LU_decomp(mpmath.matrix(covariance.tolist()))
    log_det = mpmath.log(abs(mpmath.fprod(factors[i, i] for i in range(len(mean)))))
    distances = []
    for x in X:
        v = mpmath.matrix([mpmath.mpf(a) - mpmath.mpf(b) for a, b in zip(x.tolist(), mean.tolist(), strict=True)])
        solved = mpmath.mp.U_solve(factors, mpmath.mp.L_solve(factors, v, order))
        distances.append((v.T * solved)[0])
    constant = len(mean) * mpmath.log(2 * mpmath.pi) + log_det
    return [-(constant + distance) / 2 for distance in distances], distances


PROBLEMS = [(1, 1.0), *((d, condition) for d in (2, 5, 20, 50) for condition in (1.0, 1e5, 1e10))]


def multivariate(d: int, condition: float):
    """Return the digits of D², of the log density, of the log posterior odds, and those needed.

    An input perturbed in its last bit moves D² by up to ε times the condition number, so that no algorithm can promise
    more than 15.7 − log10(condition) digits of it; where that is all of them, the d operations may cost one.
    """
    means, covariances, X = problem(d, condition, seed=d)
    with mpmath.workdps(50):
        densities, distances = zip(
            *(exact_gaussian(m, c, X) for m, c in zip(means, covariances, strict=True)), strict=True
        )
        odds = [float(b - a) for a, b in zip(*densities, strict=True)]
    ours = [Gaussian(m, c) for m, c in zip(means, covariances, strict=True)]
    D = np.array([[float(v) for v in row] for row in distances])
    log_p = np.array([[float(v) for v in row] for row in densities])
    got_D = np.array([g.mahalanobis_squared(X) for g in ours])
    got_log_p = np.array([g.log_density(X) for g in ours])
    size = np.maximum(np.abs(log_p).max(axis=0), D.max(axis=0))
    return (
        least_digits(got_D, D, D),
        least_digits(got_log_p, log_p, np.maximum(np.abs(log_p), D)),
        least_digits(got_log_p[1] - got_log_p[0], odds, size),
        min(14.7, 15.7 - np.log10(condition)),
    )


def main() -> None:
    """Print the table."""
    print("NIST StRD, digits of        mean   deviation   scikit-learn's   needed")
    for name in STRD:
        for way, mean, deviation, peer, needed in univariate(name):
            print(f"  {name:9s} {way:13s} {mean:6.1f} {deviation:11.1f} {peer:16.1f} {needed:8d}")
    print("\nGaussian against mpmath, digits of    D²   log density   log odds   needed")
    for d, condition in PROBLEMS:
        D, density, odds, needed = multivariate(d, condition)
        print(f"  d = {d:2d}, condition {condition:7.0e}       {D:9.1f} {density:13.1f} {odds:10.1f} {needed:8.1f}")


if __name__ == "__main__":
    main()
