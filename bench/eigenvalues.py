#!/usr/bin/python3
"""eigenvalues.py [--url URL] [--seed N] [--exact] [--companion N] [--scaled N] [--toeplitz N]

Asks a running linalgd for the dominant eigenvalue of random matrices that mislead eigenvalue solvers, and counts the
answers that are right, that are wrong, and the refusals. The truth is LAPACK's, of the balanced matrix, as far as the
condition of the eigenvalue lets it be; with --exact it is computed with 60 digits, by mpmath (not for Toeplitz, whose
matrices are larger).
"""
import argparse
import io
import json
import os
import sys
import urllib.error
import urllib.request

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "integration"))
import eigen_kinds


def ask(url, a):
    body = io.BytesIO()
    np.save(body, a)
    headers = {"Content-Type": "application/x-npy"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url + "/eigen?timing=none", body.getvalue(), headers)) as r:
            return json.load(r)["result"], None
    except urllib.error.HTTPError as e:
        return None, json.load(e)["detail"]


def exact_spectrum(a):
    import mpmath
    mpmath.mp.dps = 60
    return np.array([complex(z) for z in mpmath.eig(mpmath.matrix(a.tolist()), left=False, right=False)])


def count(url, kind, wanted, rng, exact):
    right, wrong, refused = 0, [], []
    for i in range(wanted):
        a = eigen_kinds.KINDS[kind](rng, i)
        result, why = ask(url, a)
        fault = result and eigen_kinds.fault(a, result, spectrum=exact_spectrum(a) if exact else None)
        if not result:
            refused.append(f"{i}, n = {len(a)}: {why}")
        elif fault:
            wrong.append(f"{i}, n = {len(a)}: {fault}")
        else:
            right += 1
    print(f"{kind}: {right} right, {len(wrong)} wrong, {len(refused)} refused", flush=True)
    for line in wrong + refused:
        print(" ", line)
    return len(wrong)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--url", default="http://127.0.0.1:8080")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--exact", action="store_true")
    p.add_argument("--companion", type=int, default=1000)
    p.add_argument("--scaled", type=int, default=1000)
    p.add_argument("--toeplitz", type=int, default=300)
    o = p.parse_args()
    rng = np.random.default_rng(o.seed)
    wrong = count(o.url, "companion", o.companion, rng, o.exact)
    wrong += count(o.url, "badly scaled", o.scaled, rng, o.exact)
    wrong += count(o.url, "toeplitz", o.toeplitz, rng, False)
    return wrong > 0


sys.exit(main())
