#!/usr/bin/python3
"""scipy_peer.py - a peer of `linalgd bench`: SciPy's sparse product and exponential, NumPy's traces, permutations and
norms, its decompositions of stacks, and the power and Jacobi's iterations as one writes them with these."""
import time

import numpy as np
import scipy
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg

from peer import serve, shortest


def timed(function):
    """run and results of a function of no arguments."""
    last = [None]

    def once():
        begin = time.perf_counter_ns()
        last[0] = function()
        return time.perf_counter_ns() - begin

    return lambda times: shortest(times, once), lambda: [np.asarray(x) for x in last[0]]


def spmv(r):
    a = scipy.sparse.csr_matrix(r.sparse(), shape=(r.m, r.m))
    x = r.array(r.m)
    return timed(lambda: [a @ x])


def power(r, most=1000):
    """The dominant eigenpair to linalgd's default tolerances: a float64, and a vector of unit length."""
    a, tol = r.array(r.m, r.m), 1e-5 if r.dtype == np.float32 else 1e-8

    def iterate():
        x = np.full(r.m, r.m ** -0.5, r.dtype)
        for _ in range(most):
            y = a @ x
            value = x @ y
            if np.linalg.norm(y - value * x) <= tol * abs(value):
                break
            x = y / np.linalg.norm(y)
        return value.astype("f8"), x

    return timed(iterate)


def jacobi(r, most=1000):
    """x to linalgd's default tolerance, |b - A x| <= tol |b|; computed in float64 as there, and rounded."""
    a = scipy.sparse.csr_matrix(r.sparse(), shape=(r.m, r.m)).astype("f8")
    b, diagonal = r.array(r.m).astype("f8"), a.diagonal()
    tol = 1e-5 if r.dtype == np.float32 else 1e-8

    def iterate():
        x = np.zeros(r.m)
        for _ in range(most):
            rest = b - a @ x
            if np.linalg.norm(rest) <= tol * np.linalg.norm(b):
                break
            x += rest / diagonal
        return [x.astype(r.dtype)]

    return timed(iterate)


def krylov(r, method, preconditioned):
    """x to linalgd's default tolerance by SciPy's method, with spilu's factors as its preconditioner, or none."""
    a = scipy.sparse.csr_matrix(r.sparse(), shape=(r.m, r.m)).astype(r.dtype)
    b, tol = r.array(r.m), 1e-5 if r.dtype == np.float32 else 1e-8

    def iterate():
        m = None
        if preconditioned:
            lu = scipy.sparse.linalg.spilu(a.tocsc())
            m = scipy.sparse.linalg.LinearOperator(a.shape, lu.solve, dtype=a.dtype)
        return [method(a, b, tol=tol, atol=0, maxiter=10000, M=m)[0].astype(r.dtype)]

    return timed(iterate)


def permute(r):
    a, p = r.array(r.m, r.n), r.array(r.m, dtype="f8").astype("i8")
    return timed(lambda: [a[p]])


def permute_both(r):
    a, p = r.array(r.m, r.m), r.array(r.m, dtype="f8").astype("i8")
    return timed(lambda: [a[np.ix_(p, p)]])


def trace(r):
    a = r.array(r.m, r.m)
    return timed(lambda: [np.trace(a)])


def of(function, *shapes):
    """A call that takes operands of these shapes, a letter per dimension, and returns its results in a list or tuple.
    The operands are copied because SciPy refuses arrays that are read-only."""
    def load(r):
        operands = [r.array(*(getattr(r, letter) for letter in shape)).copy() for shape in shapes]
        return timed(lambda: function(*operands))
    return load


serve(f"SciPy {scipy.__version__}, NumPy {np.__version__}", {
    "spmv": ("SciPy", spmv),
    "power": ("NumPy, power iteration", power),
    "jacobi": ("SciPy, Jacobi's iteration", jacobi),
    "cg": ("SciPy, cg", lambda r: krylov(r, scipy.sparse.linalg.cg, False)),
    "gmres ilu0": ("SciPy, gmres with spilu", lambda r: krylov(r, scipy.sparse.linalg.gmres, True)),
    "permute": ("NumPy", permute),
    "permute_both": ("NumPy", permute_both),
    "trace": ("NumPy", trace),
    "potrf_stack": ("NumPy", of(lambda a: [np.linalg.cholesky(a)], "kmm")),
    "geqrf_stack": ("NumPy", of(np.linalg.qr, "kmn")),
    "gesdd_stack": ("NumPy", of(lambda a: np.linalg.svd(a, full_matrices=False), "kmn")),
    "syevd_stack": ("NumPy", of(np.linalg.eigh, "kmm")),
    "pinv": ("NumPy", of(lambda a: [np.linalg.pinv(a)], "mn")),
    "norm_1": ("NumPy", of(lambda a: [np.linalg.norm(a, 1)], "mn")),
    "norm_2": ("NumPy", of(lambda a: [np.linalg.norm(a, 2)], "mn")),
    "cond_2": ("NumPy", of(lambda a: [np.linalg.cond(a, 2)], "mm")),
    "kron": ("NumPy", of(lambda a, b: [np.kron(a, b)], "mm", "nn")),
    "expm": ("SciPy", of(lambda a: [scipy.linalg.expm(a)], "mm")),
})
