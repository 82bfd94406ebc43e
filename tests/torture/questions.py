"""questions.py - requests whose answers can be checked, each made from its own seed.

Elements are small integers, so that products and sums are exact in any order.
A question keeps nothing but its seed: what is checked is made again.
"""
import io
import json
import random

import numpy as np

KINDS = {}


def kind(weight):
    """Registers a function that returns the operation, the query, the media type, the body, and what checks the
    result: a function of the bytes that GET /jobs/{id}/result gave as npy."""
    def keep(f):
        KINDS[f.__name__] = (weight, f)
        return f
    return keep


def integers(g, *shape):
    return g.integers(-9, 10, shape).astype(float)


def npy(a):
    f = io.BytesIO()
    np.save(f, a)
    return f.getvalue()


def equals(value):
    return lambda got: np.array_equal(np.load(io.BytesIO(got)), value)


def document(**operands):
    return "application/json", json.dumps(operands).encode()


@kind(40)
def product(g):
    n, m, k = g.integers(1, 9, 3)
    a, b = integers(g, n, m), integers(g, m, k)
    return "matmul", *document(a=a.tolist(), b=b.tolist()), equals(a @ b)


@kind(20)
def sums(g):
    a = integers(g, *g.integers(1, 30, 2))
    return "reduce", *document(a=a.tolist(), op="sum", axis=0), equals(a.sum(0))


@kind(10)
def solution(g):
    n = g.integers(1, 9)
    a, x = integers(g, n, n) + 100 * np.eye(n), integers(g, n)
    right = lambda got: np.allclose(np.load(io.BytesIO(got)).ravel(), x, rtol=0, atol=1e-9)
    return "solve", *document(a=a.tolist(), b=(a @ x).tolist()), right


@kind(20)
def turned(g):
    a = integers(g, *g.integers(1, 60, 2))
    return "transpose", "application/x-npy", npy(a), equals(a.T)


@kind(4)
def half_a_mebibyte(g):
    a = integers(g, 256, 256)
    return "transpose", "application/x-npy", npy(a), equals(a.T)


@kind(3)
def large_document(g):
    a, b = integers(g, 400, 400), integers(g, 400, 2)
    return "matmul", *document(a=a.tolist(), b=b.tolist()), equals(a @ b)


@kind(2)
def archive(g):
    a, b = integers(g, 300, 300), integers(g, 300, 300)
    f = io.BytesIO()
    np.savez(f, a=a, b=b)
    return "matmul", "application/x-npz", f.getvalue(), equals(a @ b)


@kind(1)
def some_mebibytes(g):
    a = integers(g, int(g.integers(500, 800)), 600)
    return "transpose", "application/x-npy", npy(a), equals(a.T)


class Question:
    def __init__(self, seed, large=True):
        self.seed = seed
        names = [k for k in KINDS if large or KINDS[k][0] >= 10]
        self.kind = random.Random(seed).choices(names, [KINDS[k][0] for k in names])[0]
        self.large = KINDS[self.kind][0] < 10

    def made(self):
        generator = np.random.default_rng(list(self.seed.encode()))
        return KINDS[self.kind][1](generator)

    def request(self):
        """Path, media type, body."""
        op, media, body, _ = self.made()
        return "/" + op, media, body

    def right(self, got):
        return self.made()[3](got)
