"""calls.py - LAPACK's and the BLAS's routines by their Fortran symbols, of whatever library the process finds first:
with LD_PRELOAD that is liblinalgd-lapack, else the system's own. Arrays are in Fortran's order and have more
rows than their matrices, so that leading dimensions count; the rows beyond hold a mark that no routine may change."""
import ctypes

import numpy as np

LIBRARY = ctypes.CDLL("liblapack.so.3", mode=ctypes.RTLD_GLOBAL)
ctypes.CDLL("libblas.so.3", mode=ctypes.RTLD_GLOBAL)
PROCESS = ctypes.CDLL(None)

TYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
MARK = 77
PAD = 3


def real_of(t):
    return np.zeros(1, TYPES[t]).real.dtype


def call(name, *arguments):
    """Passes integers, numbers, arrays and letters as Fortran does."""
    passed, letters = [], 0
    for x in arguments:
        if isinstance(x, str):
            passed.append(ctypes.c_char_p(x.encode()))
            letters += 1
        elif isinstance(x, int):
            passed.append(ctypes.byref(ctypes.c_int(x)))
        elif isinstance(x, np.ndarray):
            passed.append(x.ctypes.data_as(ctypes.c_void_p))
        else:
            passed.append(ctypes.byref(x))
    getattr(PROCESS, name)(*passed, *[ctypes.c_size_t(1)] * letters)


def padded(a):
    """a in an array with PAD rows more, and its leading dimension."""
    a = a.reshape(len(a), -1)
    p = np.full((len(a) + PAD, a.shape[1]), MARK, a.dtype, order="F")
    p[:len(a)] = a
    return p, len(p)


def inner(p):
    """The matrix of a padded array, whose other rows have not changed."""
    assert (p[-PAD:] == MARK).all(), "rows beyond the matrix were changed"
    return p[:-PAD]


def gemm(t, transa, transb, alpha, a, b, beta, c):
    (pa, lda), (pb, ldb), (pc, ldc) = padded(a), padded(b), padded(c)
    k = a.shape[1] if transa == "N" else a.shape[0]
    one = [np.array([x], TYPES[t]) for x in (alpha, beta)]
    call(t + "gemm_", transa, transb, *c.shape, k, one[0], pa, lda, pb, ldb, one[1], pc, ldc)
    return inner(pc)


def cblas_gemm(t, order, a, b):
    """A conj(B), as a product with the conjugate transpose of the transpose of B."""
    c = np.zeros((len(a), b.shape[1]), a.dtype, order)
    a, b = np.asarray(a, order=order), np.asarray(b.T, order=order)
    one = [np.array([x], TYPES[t]) for x in (1, 0)]
    number = ctypes.c_float if t == "s" else ctypes.c_double
    alpha, beta = [x.ctypes.data_as(ctypes.c_void_p) if t in "cz" else number(x[0]) for x in one]
    lead = [ctypes.c_int(x.shape[1] if order == "C" else x.shape[0]) for x in (a, b, c)]
    m, n, k = [ctypes.c_int(x) for x in (*c.shape, a.shape[1])]
    at = [x.ctypes.data_as(ctypes.c_void_p) for x in (a, b, c)]
    getattr(PROCESS, f"cblas_{t}gemm")(101 if order == "C" else 102, 111, 113, m, n, k, alpha, at[0], lead[0], at[1], lead[1],
                                       beta, at[2], lead[2])
    return c


def getrf(t, a):
    (p, lda), info = padded(a), ctypes.c_int(99)
    pivots = np.zeros(min(a.shape), np.int32)
    call(t + "getrf_", *a.shape, p, lda, pivots, info)
    return inner(p), pivots, info.value


def gesv(t, a, b):
    (pa, lda), (pb, ldb), info = padded(a), padded(b), ctypes.c_int(99)
    pivots = np.zeros(len(a), np.int32)
    call(t + "gesv_", *b.shape, pa, lda, pivots, pb, ldb, info)
    return inner(pa), pivots, inner(pb), info.value


def potrf(t, uplo, a):
    (p, lda), info = padded(a), ctypes.c_int(99)
    call(t + "potrf_", uplo, len(a), p, lda, info)
    return inner(p), info.value


def posv(t, uplo, a, b):
    (pa, lda), (pb, ldb), info = padded(a), padded(b), ctypes.c_int(99)
    call(t + "posv_", uplo, *b.shape, pa, lda, pb, ldb, info)
    return inner(pa), inner(pb), info.value


def getri(t, lu, pivots):
    n = len(lu)
    (p, lda), info = padded(lu), ctypes.c_int(99)
    call(t + "getri_", n, p, lda, pivots, np.zeros(n, TYPES[t]), n, info)
    return inner(p), info.value


def potri(t, uplo, a):
    (p, lda), info = padded(a), ctypes.c_int(99)
    call(t + "potri_", uplo, len(a), p, lda, info)
    return inner(p), info.value


# --- reflections and least squares

def factored(t, name, a):
    """name: geqrf or gelqf"""
    (p, lda), info, size = padded(a), ctypes.c_int(99), 64 * max(a.shape)
    tau, work = np.zeros(min(a.shape), TYPES[t]), np.zeros(size, TYPES[t])
    call(t + name + "_", *a.shape, p, lda, tau, work, size, info)
    return inner(p), tau, info.value


def orthogonal(t, name, h, tau):
    """Q multiplied out by LAPACK, of geqrf's or gelqf's factors."""
    k = len(tau)
    h, info, size = np.array(h[:, :k] if name == "geqrf" else h[:k], order="F"), ctypes.c_int(99), 64 * max(h.shape)
    made = {"geqrf": "gqr_", "gelqf": "glq_"}[name]
    call(t + ("un" if t in "cz" else "or") + made, *h.shape, k, h, len(h), tau, np.zeros(size, TYPES[t]), size, info)
    assert info.value == 0, info
    return h


def gels(t, trans, a, b):
    """b has as many rows as the larger dimension of a."""
    (pa, lda), (pb, ldb), info, size = padded(a), padded(b), ctypes.c_int(99), 99 * max(a.shape)
    call(t + "gels_", trans, *a.shape, b.shape[1], pa, lda, pb, ldb, np.zeros(size, TYPES[t]), size, info)
    return inner(pa), inner(pb), info.value


def eigh(t, name, jobz, uplo, a):
    """name: ev or evd"""
    n = len(a)
    (p, lda), info = padded(a), ctypes.c_int(99)
    w, work = np.zeros(n, real_of(t)), np.zeros(8 * n * n + 99, TYPES[t])
    more = [np.zeros(8 * n * n + 99, real_of(t))] if t in "cz" else []
    if name == "evd":
        more += [8 * n * n + 99] * len(more) + [np.zeros(9 * n + 99, np.int32), 9 * n + 99]
    call(t + ("he" if t in "cz" else "sy") + name + "_", jobz, uplo, n, p, lda, w, work, len(work), *more, info)
    return w, inner(p), info.value


def geev(t, jobvl, jobvr, a):
    n = len(a)
    (p, lda), info = padded(a), ctypes.c_int(99)
    (vl, ldvl), (vr, ldvr) = padded(np.zeros_like(a)), padded(np.zeros_like(a))
    w, wi = np.zeros(n, TYPES[t]), np.zeros(n, TYPES[t])
    work, rwork = np.zeros(99 * n + 99, TYPES[t]), np.zeros(9 * n + 99, real_of(t))
    values, more = ([w], [rwork]) if t in "cz" else ([w, wi], [])
    call(t + "geev_", jobvl, jobvr, n, p, lda, *values, vl, ldvl, vr, ldvr, work, len(work), *more, info)
    return w + 1j * wi, inner(vl), inner(vr), info.value


def ggev(t, name, jobvl, jobvr, a, b):
    """name: ggev or ggev3. Returns alpha, beta, the left and the right eigenvectors and info."""
    n = len(a)
    (p, lda), (q, ldb), info = padded(a), padded(b), ctypes.c_int(99)
    (vl, ldvl), (vr, ldvr) = padded(np.zeros_like(a)), padded(np.zeros_like(a))
    alpha, im, beta = (np.zeros(n, TYPES[t]) for _ in range(3))
    work, rwork = np.zeros(999 * n + 9999, TYPES[t]), np.zeros(9 * n + 99, real_of(t))
    values, more = ([alpha, beta], [rwork]) if t in "cz" else ([alpha, im, beta], [])
    call(f"{t}{name}_", jobvl, jobvr, n, p, lda, q, ldb, *values, vl, ldvl, vr, ldvr, work, len(work), *more, info)
    return alpha + 1j * im, beta, inner(vl), inner(vr), info.value


def svd(t, name, jobs, a):
    """name: gesvd with the two letters of jobs, or gesdd with one"""
    (m, n), least = a.shape, min(a.shape)
    (p, lda), info = padded(a), ctypes.c_int(99)
    (u, ldu), (vt, ldvt) = padded(np.zeros((m, m), a.dtype)), padded(np.zeros((n, n), a.dtype))
    s, size = np.zeros(least, real_of(t)), 9 * least * least + 99 * (m + n)
    work, rwork = np.zeros(size, TYPES[t]), [np.zeros(size, real_of(t))] if t in "cz" else []
    iwork = [np.zeros(8 * least, np.int32)] if name == "gesdd" else []
    call(t + name + "_", *jobs, m, n, p, lda, s, u, ldu, vt, ldvt, work, size, *rwork, *iwork, info)
    return u, s, vt, info.value


def best_workspace(t, name, n):
    """What the routine answers to the query with lwork = -1."""
    a, work, info = np.zeros((n, n), TYPES[t], order="F"), np.zeros(1, TYPES[t]), ctypes.c_int(99)
    rwork, iwork = [a] if t in "cz" else [], [np.zeros(8 * n, np.int32)]
    if name in ("geqrf", "gelqf"):
        call(f"{t}{name}_", n, n, a, n, a, work, -1, info)
    elif name == "gels":
        call(t + "gels_", "N", n, n, 1, a, n, a, n, work, -1, info)
    elif name == "getri":
        call(t + "getri_", n, a, n, iwork[0], work, -1, info)
    elif name == "geev":
        call(t + "geev_", "V", "V", n, a, n, a, *[] if t in "cz" else [a], a, n, a, n, work, -1, *rwork, info)
    else:
        call(t + "gesdd_", "S", n, n, a, n, a, a, n, a, n, work, -1, *rwork, *iwork, info)
    assert info.value == 0, info
    return work[0].real
