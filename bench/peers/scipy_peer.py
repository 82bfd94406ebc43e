#!/usr/bin/python3
"""scipy_peer.py - a peer of `linalgd bench`: SciPy's sparse product, and a power iteration as one writes it in NumPy."""
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


serve(f"SciPy {scipy.__version__}, NumPy {np.__version__}", {
    "spmv": ("SciPy", spmv),
    "power": ("NumPy, power iteration", power),
})
