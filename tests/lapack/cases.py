"""cases.py [NAME...] - calls routines in this process and judges their results: residuals in units of n eps as LAPACK's own
tests do, below 30, and what is not a matter of rounding exactly. Prints a line for each test: its name, and `passed` or
why it failed. run calls this with and without liblinalgd-lapack."""
import ctypes
import sys
import traceback

import numpy as np

import calls
from calls import TYPES

LIMIT = 30
SHAPES = ((60, 60), (70, 41), (41, 70))


def generator(*seed):
    return np.random.default_rng([7, *seed])


def matrix(t, m, n, *seed):
    g = generator(m, n, *seed)
    a = g.standard_normal((m, n))
    return (a + 1j * g.standard_normal((m, n)) if t in "cz" else a).astype(TYPES[t])


def hermitian(t, n):
    a = matrix(t, n, n)
    return ((a + a.conj().T) / 2).astype(TYPES[t])


def positive(t, n):
    a = matrix(t, n, n)
    return (a @ a.conj().T + n * np.eye(n)).astype(TYPES[t])


def other_triangle_is_nan(a, uplo):
    a = a.copy()
    a[np.tril_indices(len(a), -1) if uplo == "U" else np.triu_indices(len(a), 1)] = np.nan
    return a


def wide(a):
    return np.asarray(a, np.complex128)


def small(t, difference, scale, n):
    """Is the difference one of rounding?"""
    eps = np.finfo(TYPES[t]).eps
    ratio = np.linalg.norm(wide(difference)) / (scale * n * eps)
    assert ratio < LIMIT, f"ratio {ratio:.3g}"


def orthogonal(t, q):
    small(t, wide(q).conj().T @ q - np.eye(q.shape[1]), 1, len(q))


def op(a, trans):
    return {"N": a, "T": a.T, "C": a.conj().T}[trans]


# --- products

def gemm(t):
    for transa in "NTC":
        for transb in "NTC":
            a = matrix(t, *((50, 64) if transa == "N" else (64, 50)), 1)
            b = matrix(t, *((64, 45) if transb == "N" else (45, 64)), 2)
            c = matrix(t, 50, 45, 3)
            alpha, beta = (0.5 - 1.5j, 2 + 0.25j) if t in "cz" else (-1.5, 0.25)
            want = alpha * op(wide(a), transa) @ op(wide(b), transb) + beta * wide(c)
            got = calls.gemm(t, transa, transb, alpha, a, b, beta, c)
            small(t, got - want, np.linalg.norm(want), 64)
    nan = np.full((50, 45), np.nan, TYPES[t])
    got = calls.gemm(t, "N", "N", 1, matrix(t, 50, 64, 1), matrix(t, 64, 45, 2), 0, nan)
    assert np.isfinite(got).all(), "beta = 0 must not read C"


def cblas_gemm_in_both_orders(t):
    a, b = matrix(t, 40, 50, 1), matrix(t, 50, 60, 2)
    for order in "CF":
        got = calls.cblas_gemm(t, order, a, b)
        small(t, got - wide(a) @ wide(b).conj(), np.linalg.norm(a) * np.linalg.norm(b), 50)


# --- factors and systems

def permuted(a, pivots):
    a = a.copy()
    for i, p in enumerate(pivots - 1):
        a[[i, p]] = a[[p, i]]
    return a


def check_lu(t, a, lu, pivots):
    k = min(a.shape)
    lower, upper = np.tril(wide(lu)[:, :k], -1) + np.eye(len(a), k), np.triu(wide(lu)[:k])
    small(t, permuted(wide(a), pivots) - lower @ upper, np.linalg.norm(a), max(a.shape))
    assert abs(np.tril(lu[:, :k], -1)).max() <= 1.5 and pivots.min() >= 1 and pivots.max() <= len(a)


def getrf(t):
    for m, n in SHAPES:
        a = matrix(t, m, n)
        lu, pivots, info = calls.getrf(t, a)
        assert info == 0, info
        check_lu(t, a, lu, pivots)


def getrf_of_a_singular_matrix_tells_the_first_zero(t):
    a = np.eye(50, dtype=TYPES[t])
    a[20, 20] = a[31, 31] = 0
    assert calls.getrf(t, a)[2] == 21


def gesv(t):
    a, b = matrix(t, 60, 60), matrix(t, 60, 3)
    lu, pivots, x, info = calls.gesv(t, a, b)
    assert info == 0, info
    check_lu(t, a, lu, pivots)
    small(t, wide(a) @ x - b, np.linalg.norm(a) * np.linalg.norm(x), 60)


def gesv_of_a_singular_matrix_leaves_b(t):
    a, b = np.ones((50, 50), TYPES[t]), matrix(t, 50, 2)
    _, _, x, info = calls.gesv(t, a, b)
    assert info == 2 and (x == b).all(), info


def potrf(t):
    for uplo in "UL":
        a = positive(t, 60)
        got, info = calls.potrf(t, uplo, other_triangle_is_nan(a, uplo))
        assert info == 0, info
        other = got[np.tril_indices(60, -1) if uplo == "U" else np.triu_indices(60, 1)]
        assert np.isnan(other).all(), "the other triangle was changed"
        f = wide(np.triu(got) if uplo == "U" else np.tril(got))
        small(t, (f.conj().T @ f if uplo == "U" else f @ f.conj().T) - a, np.linalg.norm(a), 60)


def potrf_tells_the_minor_that_is_not_positive(t):
    for uplo in "UL":
        a = positive(t, 60)
        a[40, 40] = -1
        assert calls.potrf(t, uplo, a)[1] == 41


def posv(t):
    for uplo in "UL":
        a, b = positive(t, 60), matrix(t, 60, 3)
        _, x, info = calls.posv(t, uplo, other_triangle_is_nan(a, uplo), b)
        assert info == 0, info
        small(t, wide(a) @ x - b, np.linalg.norm(a) * np.linalg.norm(x), 60)


def check_inverse(t, a, x):
    scale = np.linalg.norm(a) * np.linalg.norm(x)
    small(t, wide(a) @ x - np.eye(len(a)), scale, len(a))
    small(t, wide(x) @ a - np.eye(len(a)), scale, len(a))


def getri(t):
    a = matrix(t, 60, 60)
    lu, pivots, _ = calls.getrf(t, a)
    x, info = calls.getri(t, lu, pivots)
    assert info == 0, info
    check_inverse(t, a, x)


def getri_of_a_singular_matrix_changes_nothing(t):
    lu = np.triu(matrix(t, 50, 50))
    lu[20, 20] = 0
    got, info = calls.getri(t, lu, np.arange(1, 51, dtype=np.int32))
    assert info == 21, info
    if t in "sd":
        assert (np.tril(got, -1) == 0).all()


def potri(t):
    for uplo in "UL":
        a = positive(t, 60)
        f, _ = calls.potrf(t, uplo, other_triangle_is_nan(a, uplo))
        got, info = calls.potri(t, uplo, f)
        assert info == 0, info
        other = got[np.tril_indices(60, -1) if uplo == "U" else np.triu_indices(60, 1)]
        assert np.isnan(other).all(), "the other triangle was changed"
        half = np.triu(got, 1) if uplo == "U" else np.tril(got, -1)
        assert (np.diag(got).imag == 0).all()
        check_inverse(t, a, half + half.conj().T + np.diag(np.diag(got)))


# --- reflections and least squares

def geqrf(t):
    for m, n in SHAPES:
        a, k = matrix(t, m, n), min(m, n)
        h, tau, info = calls.factored(t, "geqrf", a)
        assert info == 0, info
        q = calls.orthogonal(t, "geqrf", h, tau)
        orthogonal(t, q)
        small(t, wide(q) @ np.triu(h[:k]) - a, np.linalg.norm(a), max(m, n))
        assert (np.diag(h).imag == 0).all() or m <= n


def gelqf(t):
    for m, n in SHAPES:
        a, k = matrix(t, m, n), min(m, n)
        h, tau, info = calls.factored(t, "gelqf", a)
        assert info == 0, info
        q = calls.orthogonal(t, "gelqf", h, tau)
        orthogonal(t, q.conj().T)
        small(t, np.tril(wide(h[:, :k])) @ q - a, np.linalg.norm(a), max(m, n))


def gels(t):
    """The solution is the least of those with the least residual, and A has the factors afterwards."""
    for m, n in SHAPES:
        for trans in ("N", "C" if t in "cz" else "T"):
            a = matrix(t, m, n)
            of, b = op(wide(a), trans), matrix(t, max(m, n), 3, 5)
            rows, columns = of.shape
            factors, x, info = calls.gels(t, trans, a, b)
            assert info == 0, info
            want = np.linalg.lstsq(of, wide(b[:rows]), rcond=None)[0]
            condition = np.linalg.cond(of)
            small(t, x[:columns] - want, np.linalg.norm(want) * condition ** (2 if rows > columns else 1), max(m, n))
            left = of @ x[:columns] - b[:rows]
            small(t, of.conj().T @ left, np.linalg.norm(a) ** 2 * np.linalg.norm(want) + np.linalg.norm(a) * np.linalg.norm(b), max(m, n))
            if rows > columns:
                residuals = np.linalg.norm(wide(x[columns:rows]), axis=0)
                small(t, residuals - np.linalg.norm(left, axis=0), np.linalg.norm(b), max(m, n))
            k = min(m, n)
            diagonal = np.linalg.qr(wide(a if m >= n else a.conj().T), "r")
            small(t, abs(np.diag(factors)) - abs(np.diag(diagonal)), condition * np.linalg.norm(a), k)


def gels_of_a_matrix_without_full_rank_tells_where(t):
    a = matrix(t, 60, 40)
    a[:, 30] = 0
    assert calls.gels(t, "N", a, matrix(t, 60, 2))[2] == 31


def gels_scales(t):
    """What is left to LAPACK: elements near underflow, and a matrix of zeros."""
    a, b = matrix(t, 60, 40), matrix(t, 60, 2)
    want = calls.gels(t, "N", a, b)[1][:40]
    by = 2.0 ** (-120 if t in "sc" else -1010)
    got = calls.gels(t, "N", (a * TYPES[t](by)).astype(TYPES[t]), (b * TYPES[t](by)).astype(TYPES[t]))[1][:40]
    small(t, got - want, np.linalg.norm(want) * 1e3, 60)
    _, x, info = calls.gels(t, "N", np.zeros_like(a), b)
    assert info == 0 and not x[:40].any(), info


# --- eigenvalues and singular values

def eigh(t, name):
    a = hermitian(t, 60)
    for uplo in "UL":
        w, z, info = calls.eigh(t, name, "V", uplo, other_triangle_is_nan(a, uplo))
        assert info == 0 and (np.diff(w) >= 0).all(), info
        small(t, wide(a) @ z - wide(z) * w, np.linalg.norm(a), 60)
        orthogonal(t, z)
        alone, _, info = calls.eigh(t, name, "N", uplo, other_triangle_is_nan(a, uplo))
        assert info == 0, info
        small(t, alone - w, np.linalg.norm(a), 60)


def ev(t):
    eigh(t, "ev")


def evd(t):
    eigh(t, "evd")


def columns_of(t, w, v):
    """The complex eigenvectors, of pairs of columns where the matrix is real."""
    v = wide(v)
    if t in "sd":
        for j in np.flatnonzero(w.imag > 0):
            v[:, j], v[:, j + 1] = v[:, j] + 1j * v[:, j + 1], v[:, j] - 1j * v[:, j + 1]
    return v


def check_geev(t, a):
    w, vl, vr, info = calls.geev(t, "V", "V", a)
    assert info == 0, info
    left, right = columns_of(t, w, vl), columns_of(t, w, vr)
    small(t, wide(a) @ right - right * w, np.linalg.norm(a), len(a))
    small(t, left.conj().T @ a - w[:, None] * left.conj().T, np.linalg.norm(a), len(a))
    for v in (left, right):
        small(t, np.linalg.norm(v, axis=0) - 1, 1, len(a))
        largest = v[abs(v).argmax(axis=0), range(len(a))]
        assert (abs(largest.imag) < 1e-3 * abs(largest)).all()
    alone, _, _, info = calls.geev(t, "N", "N", a)
    assert info == 0, info
    small(t, np.sort_complex(alone) - np.sort_complex(w), 10 * np.linalg.norm(a), len(a))


def geev(t):
    check_geev(t, matrix(t, 60, 60))


def geev_with_real_eigenvalues(t):
    check_geev(t, np.triu(matrix(t, 40, 40), 1) / 99 + np.diag(np.arange(40)).astype(TYPES[t]))


def ggev(t):
    """Both routines answer pairs with two infinite eigenvalues. The ratio is that of LAPACK's test DGET52."""
    for name in ("ggev", "ggev3"):
        a, b = matrix(t, 60, 60, 1), matrix(t, 60, 60, 2)
        b[:, :2] = 0
        alpha, beta, vl, vr, info = calls.ggev(t, name, "V", "V", a, b)
        assert info == 0 and (wide(beta).real >= 0).all(), info
        assert (beta == 0).sum() == 2, beta
        left, right = columns_of(t, alpha, vl), columns_of(t, alpha, vr)
        scale = np.maximum(abs(alpha) * np.linalg.norm(b), abs(beta) * np.linalg.norm(a))
        small(t, (wide(a) @ right * beta - wide(b) @ right * alpha) / scale, 8, 60)
        small(t, (left.conj().T @ a * beta[:, None] - left.conj().T @ b * alpha[:, None]) / scale[:, None], 8, 60)
        for v in (left, right):
            small(t, (abs(v.real) + abs(v.imag)).max(axis=0) - 1, 1, 60)
        one, other, _, _, info = calls.ggev(t, name, "N", "N", a, b)
        assert info == 0, info
        finite = np.sort_complex(one[other != 0] / other[other != 0])
        want = np.sort_complex(alpha[beta != 0] / beta[beta != 0])
        assert abs(finite - want).max() < 1e3 * np.finfo(TYPES[t]).eps * 60 * abs(want).max()


def gesvd(t):
    for m, n in SHAPES:
        a, k = matrix(t, m, n), min(m, n)
        for jobs in ("AA", "SS", "NN", "SN", "NS", "AS", "SA"):
            check_svd(t, a, jobs, *calls.svd(t, "gesvd", jobs, a))


def gesdd(t):
    for m, n in SHAPES:
        a = matrix(t, m, n)
        for job in "ASN":
            check_svd(t, a, job * 2, *calls.svd(t, "gesdd", job, a))


def check_svd(t, a, jobs, u, s, vt, info):
    (m, n), k = a.shape, min(a.shape)
    assert info == 0 and (np.diff(s) <= 0).all(), info
    small(t, s - np.linalg.svd(wide(a), compute_uv=False), np.linalg.norm(a), max(m, n))
    columns, rows = {"A": m, "S": k, "N": 0}[jobs[0]], {"A": n, "S": k, "N": 0}[jobs[1]]
    assert not u[:, columns:][:m].any() and not vt[rows:n].any(), "elements beyond were changed"
    assert (u[m:] == calls.MARK).all() and (vt[n:] == calls.MARK).all()
    u, vt = u[:m, :columns], vt[:rows, :n]
    if columns:
        orthogonal(t, u)
    if rows:
        orthogonal(t, vt.conj().T)
    if columns and rows:
        small(t, (wide(u)[:, :k] * s) @ vt[:k] - a, np.linalg.norm(a), max(m, n))


# --- what is left to the next library

def queries_of_workspaces(t):
    for name, least in (("geev", 80), ("gesdd", 60), ("geqrf", 40), ("gelqf", 40), ("gels", 80), ("getri", 40)):
        assert calls.best_workspace(t, name, 40) >= least


def illegal_arguments(t):
    a, info = hermitian(t, 40), ctypes.c_int(99)
    try:
        calls.call(t + "potrf_", "U", 40, a, 39, info)
    except SystemError:
        pass                    # NumPy's xerbla_ was called, which prepares an exception
    assert info.value == -4, info


TESTS = [gemm, cblas_gemm_in_both_orders, getrf, getrf_of_a_singular_matrix_tells_the_first_zero, gesv, gesv_of_a_singular_matrix_leaves_b, potrf,
         potrf_tells_the_minor_that_is_not_positive, posv, getri, getri_of_a_singular_matrix_changes_nothing, potri, geqrf, gelqf, gels,
         gels_of_a_matrix_without_full_rank_tells_where, gels_scales, ev, evd, geev, geev_with_real_eigenvalues, ggev, gesvd, gesdd,
         queries_of_workspaces, illegal_arguments]


def main(wanted):
    for test in TESTS:
        for t in TYPES:
            name = f"{t} {test.__name__}"
            if wanted and test.__name__ not in wanted:
                continue
            try:
                test(t)
                print(name, "passed", flush=True)
            except Exception as e:
                where = traceback.extract_tb(e.__traceback__)
                print(name, f"failed: {type(e).__name__} {e} at line {[f.lineno for f in where]}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
