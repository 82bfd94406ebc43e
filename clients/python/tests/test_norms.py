"""la.linalg.norm and la.linalg.cond have every order, type and error of NumPy's."""
import asyncio

import numpy as np
import pytest

from linalgd import AsyncClient
from test_linalg import GENERAL, STACK, TALL, np_linalg, same

VECTOR_ORDERS = [None, 0, 1, 2, np.inf, -np.inf, -1, -2, 0.5, 3, 2.5]
MATRIX_ORDERS = [None, "fro", "f", "nuc", 1, 2, np.inf, -1, -2, -np.inf]


@pytest.mark.parametrize("order", VECTOR_ORDERS)
def test_vectors(la, order):
    for kind in "bHifdFDegG":
        x = np.array([3, 1, 4, 1, 5]).astype(kind)
        tolerance = {"e": 1e-2, "f": 1e-5, "F": 1e-5}.get(kind, 1e-12)
        same(la.linalg.norm(x, order), np_linalg.norm(x, order), tolerance)
    for keep in (False, True):
        for axis in (0, -1, (1,)):
            same(la.linalg.norm(STACK, order, axis, keep), np_linalg.norm(STACK, order, axis, keep))


@pytest.mark.parametrize("order", MATRIX_ORDERS)
def test_matrices(la, order):
    for x in (TALL, TALL + 1j * TALL[::-1], (8 * TALL).astype(int), TALL.astype("f4"), (TALL + 1j).astype("F")):
        tolerance = 1e-5 if x.dtype.char in "fF" else 1e-11
        same(la.linalg.norm(x, order), np_linalg.norm(x, order), tolerance)
    for axis in ((0, 1), (2, 0), (-1, 1)):
        for keep in (False, True):
            same(la.linalg.norm(STACK, order, axis, keep), np_linalg.norm(STACK, order, axis, keep))
            same(la.linalg.norm(STACK * 1j, order, axis, keep), np_linalg.norm(STACK * 1j, order, axis, keep))


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 3), (0, 2, 3)])
def test_nothing(la, shape):
    x = np.empty(shape, "f4")
    same(la.linalg.norm(x), np_linalg.norm(x))
    for order in (VECTOR_ORDERS if len(shape) == 1 else MATRIX_ORDERS):
        axis = None if len(shape) == 1 else (-2, -1)
        try:
            want = np_linalg.norm(x, order, axis)
        except ValueError:
            with pytest.raises(ValueError):
                la.linalg.norm(x, order, axis)
        else:
            same(la.linalg.norm(x, order, axis), want)


@pytest.mark.parametrize("arguments", [
    (GENERAL, 0), (GENERAL, 3), (GENERAL, "nofro"), (GENERAL[0], "fro"), (GENERAL, "nuc", 0), (STACK, None, 3),
    (STACK, None, (2, 3)), (STACK, 2), (STACK, None, (1, 1)), (STACK, None, (1, -2)),
    (STACK, None, (0, 1, 2)), (STACK, None, "x")])
def test_errors(la, arguments):
    with pytest.raises((ValueError, TypeError)) as want:
        np_linalg.norm(*arguments)
    with pytest.raises(want.type):
        la.linalg.norm(*arguments)


@pytest.mark.parametrize("p", [None, 1, 2, np.inf, "fro", "nuc", -1, -2, -np.inf])
def test_condition_numbers(la, p):
    for x in (GENERAL, GENERAL + 1j * GENERAL[::-1], STACK, STACK * (1 + 1j), (9 * GENERAL).astype(int)):
        same(la.linalg.cond(x, p), np_linalg.cond(x, p), 1e-9)
    for kind in "fF":
        x = (GENERAL + 9 * np.eye(5)).astype(kind)
        same(la.linalg.cond(x, p), np_linalg.cond(x, p), 1e-5)


@pytest.mark.parametrize("p", [None, 1, 2, np.inf, "fro", "nuc", -1, -2, -np.inf])
def test_condition_numbers_of_what_has_none(la, p):
    x = np.stack([np.eye(2), np.zeros((2, 2)), np.eye(2)])
    x[2, 0, 1] = np.nan
    for kind in "fdFD":
        finite, infinite, undefined = la.linalg.cond(x.astype(kind), p)
        same(finite, np_linalg.cond(np.eye(2, dtype=kind), p), 1e-6)
        assert infinite == np.inf and np.isnan(undefined)
        assert la.linalg.cond(x[1].astype(kind), p) == np.inf and np.isnan(la.linalg.cond(x[2].astype(kind), p))


def test_condition_numbers_errors(la):
    for x, p in ((np.ones((2, 3)), 1), (np.empty((0, 0)), None), (np.ones(3), None)):
        with pytest.raises(np.linalg.LinAlgError):
            la.linalg.cond(x, p)
    same(la.linalg.cond(TALL), np_linalg.cond(TALL))
    with pytest.raises(ValueError, match="norm order"):
        la.linalg.cond(GENERAL, 3)


def test_condition_numbers_of_stored_matrices(la):
    m = la.store("norms-operand", GENERAL)
    for p in (None, -1, "nuc"):
        same(la.linalg.cond(m, p), np_linalg.cond(GENERAL, p), 1e-9)


def test_the_asynchronous_client_has_them(daemon):
    async def values():
        async with AsyncClient(daemon.url) as la:
            return await asyncio.gather(*of(la.linalg))

    def of(linalg):
        return linalg.norm(TALL, -2), linalg.cond(GENERAL, "nuc"), linalg.pinv(TALL + 1j)
    for x, want in zip(asyncio.run(values()), of(np_linalg)):
        same(x, want, 1e-9)
