#!/usr/bin/python3
"""scipy_peer.py - a peer of `linalgd bench`: SciPy's sparse product, NumPy's traces and permutations, and the power and
Jacobi's iterations as one writes them with these."""
import time

import numpy as np
import scipy
import scipy.sparse

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


def permute(r):
    a, p = r.array(r.m, r.n), r.array(r.m, dtype="f8").astype("i8")
    return timed(lambda: [a[p]])


def permute_both(r):
    a, p = r.array(r.m, r.m), r.array(r.m, dtype="f8").astype("i8")
    return timed(lambda: [a[np.ix_(p, p)]])


def trace(r):
    a = r.array(r.m, r.m)
    return timed(lambda: [np.trace(a)])


serve(f"SciPy {scipy.__version__}, NumPy {np.__version__}", {
    "spmv": ("SciPy", spmv),
    "power": ("NumPy, power iteration", power),
    "jacobi": ("SciPy, Jacobi's iteration", jacobi),
    "permute": ("NumPy", permute),
    "permute_both": ("NumPy", permute_both),
    "trace": ("NumPy", trace),
})
