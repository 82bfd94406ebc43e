#!/usr/bin/python3
"""uneven.py BEFORE AFTER - compares how two builds of linalgd multiply sparse matrices with uneven rows by vectors during
iterations. Each matrix is stored in both daemons, which solve the same system by bicgstab in turns; printed are the medians of
the kernels' time for one product, and of the ratios of pairs. Needs SciPy."""
import io
import json
import os
import statistics
import sys
import urllib.request

import numpy as np
import scipy.sparse as sp

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests"))
from daemon import Daemon

ROWS = {
    "5 each": lambda n, rng: np.full(n, 5),
    "1 to 20": lambda n, rng: rng.integers(1, 21, n),
    "15 ± 4": lambda n, rng: np.clip(rng.normal(15, 4, n), 1, 40).astype(int),
    "power law, at most 800": lambda n, rng: np.minimum((2 / rng.random(n) ** 0.6).astype(int) + 1, 800),
}
TURNS = 15


def matrix(lengths, n, rng):
    """n rows with so many entries near the diagonal each, and a diagonal that dominates them."""
    rows = np.repeat(np.arange(n), lengths)
    columns = np.clip(rows + rng.integers(-2000, 2001, rows.size), 0, n - 1)
    a = sp.csr_matrix((rng.random(rows.size) / np.repeat(lengths, lengths), (rows, columns)), (n, n)) + 1.02 * sp.eye(n)
    a = a.tocsr()
    a.sort_indices()
    return a


def send(daemon, method, path, body, media):
    request = urllib.request.Request(daemon.url + path, body, {"Content-Type": media}, method=method)
    with urllib.request.urlopen(request) as reply:
        return reply.read()


def store(daemon, name, save):
    b = io.BytesIO()
    save(b)
    send(daemon, "PUT", "/matrices/" + name, b.getvalue(), "application/x-npz" if name == "a" else "application/x-npy")


def product_ms(daemon):
    """The time of one product; two kernels may share it."""
    call = {"a": {"ref": "a"}, "b": {"ref": "b"}, "method": "bicgstab", "tol": 1e-16, "max_iterations": 60, "allow_partial": True}
    reply = json.loads(send(daemon, "POST", "/solve?timing=full", json.dumps(call).encode(), "application/json"))
    kernels = [k for k in reply["timing"]["kernels"] if k["name"].startswith("spmv_") and k["calls"] > 10]
    return sum(k["total_ms"] / k["calls"] for k in kernels)


def main():
    rng = np.random.default_rng(1)
    print("| entries of a row | rows | entries | ms before | ms after | times as fast |")
    print("|---|---|---|---|---|---|")
    with Daemon(sys.argv[1]) as before, Daemon(sys.argv[2]) as after:
        for name, lengths in ROWS.items():
            for n in 20000, 400000:
                a = matrix(lengths(n, rng), n, rng)
                for d in before, after:
                    store(d, "a", lambda f: sp.save_npz(f, a, compressed=False))
                    store(d, "b", lambda f: np.save(f, np.ones(n)))
                pairs = [(product_ms(before), product_ms(after)) for _ in range(TURNS)]
                median = [statistics.median(p[i] for p in pairs) for i in (0, 1)]
                print(f"| {name} | {n:,} | {a.nnz:,} | {median[0]:.3f} | {median[1]:.3f} | "
                      f"{statistics.median(p[0] / p[1] for p in pairs):.2f} |", flush=True)


if __name__ == "__main__":
    main()
