"""eigen_kinds.py - matrices that mislead eigenvalue solvers, and a judge of the answers for them."""
import numpy as np
import scipy.linalg as sl

EPS = np.finfo(float).eps


def companion(coefficients):
    """The companion matrix of the polynomial with these coefficients, which begin with that of the highest power."""
    n = len(coefficients) - 1
    a = np.diag(np.ones(n - 1), -1)
    a[0] = -np.real(coefficients[1:]) / coefficients[0]
    return a


def random_companion(rng, i):
    """Companion matrices of order 5 to 12. Their polynomials have integer roots, equidistant roots, or random coefficients whose magnitudes
    are alike or spread over 10 orders."""
    n = int(rng.integers(5, 13))
    if i % 4 == 0:
        return companion(np.poly(rng.integers(-12, 13, n)))
    if i % 4 == 1:
        return companion(np.poly(np.arange(1, n + 1) * rng.choice([1, -1, 0.5, 2])))
    spread = 10.0 ** (rng.uniform(-3, 6) if i % 4 == 2 else rng.uniform(-5, 5, n))
    return companion(np.r_[1, rng.standard_normal(n) * spread])


def badly_scaled(rng, i):
    """D B D^-1, where the elements of D span 12 or 24 orders of magnitude and B is general, non-negative or symmetric."""
    n = int(rng.integers(2, 13))
    b = rng.standard_normal((n, n)) if i % 3 else rng.uniform(0, 1, (n, n))
    if i % 5 == 0:
        b = b + b.T
    d = 10 ** (rng.uniform(-6, 6, n) if i % 2 else rng.uniform(-12, 12, n))
    return d[:, None] * b / d[None, :]


def toeplitz(rng, i):
    """Toeplitz matrices up to n = 200: Grcar's with 1 to 5 superdiagonals, random banded ones, random full ones."""
    n = int(rng.integers(5, 201))
    if i % 3 == 0:
        above = int(rng.integers(1, 6))
        return sl.toeplitz(np.r_[1, -1, np.zeros(n - 2)], (np.arange(n) <= above).astype(float))
    fall = np.arange(n) < rng.integers(2, 9) if i % 3 == 1 else rng.uniform(0.5, 1) ** np.arange(n)
    return sl.toeplitz(rng.standard_normal(n) * fall, rng.standard_normal(n) * fall)


KINDS = {"companion": random_companion, "badly scaled": badly_scaled, "toeplitz": toeplitz}


def number(x):
    """The array of a number or matrix in JSON, which is real or has the members real and imag."""
    return np.array(x["real"]) + 1j * np.array(x["imag"]) if isinstance(x, dict) else np.array(x, dtype=complex)


def fault(a, result, tol=1e-8, spectrum=None):
    """Returns what is wrong with this answer for a, or None. spectrum: all eigenvalues, if they are known better than LAPACK computes them."""
    value, v = complex(number(result["eigenvalue"])), number(result["eigenvector"])
    residual = np.linalg.norm(a @ v - value * v) / (np.linalg.norm(a) * np.linalg.norm(v))
    if residual > tol:
        return f"its residual is {residual:.3g}"
    if value.imag < 0:
        return f"{value} has a negative imaginary part"
    balanced = sl.matrix_balance(a)[0]
    w, left, right = sl.eig(balanced, left=True)
    k = np.argmin(abs(w - value))
    condition = 1 / max(abs(np.vdot(left[:, k], right[:, k])), 1e-300)
    known = w if spectrum is None else spectrum
    top = max(abs(known))
    slack = max(tol * top, min(100 * condition * EPS * np.linalg.norm(balanced), top))
    off = min(abs(z - value) for z in known if abs(z) >= top - slack)
    return f"{value} is off by {off:.3g}, the condition allows {slack:.3g}" if off > slack else None
