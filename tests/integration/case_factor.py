"""case_factor.py - cholesky, det, inverse and solve against NumPy."""
import io
import json

import numpy as np

from case_formats import NPY, accept, npy
from client import case, curl, post

rng = np.random.default_rng(11)


def definite(n, dtype=float):
    a = rng.standard_normal((n, n))
    return (a @ a.T + n * np.eye(n)).astype(dtype)


def array(d, path, a):
    """Sends a as npy and returns the first output."""
    return np.load(io.BytesIO(curl(d, path, *NPY, *accept("x-npy"), body=npy(a)).body))


def is_small(residual, scale, dtype):
    assert np.linalg.norm(residual) <= 30 * np.finfo(dtype).eps * len(residual) * np.linalg.norm(scale), np.linalg.norm(residual)


@case()
def cholesky_of_every_size_and_variant(d):
    for n, dtype in ((1, "f8"), (5, "f4"), (64, "f8"), (200, "f4"), (700, "f8")):
        a = definite(n, dtype)
        for variant in ("auto", "host", "tiled"):
            l = array(d, f"/cholesky?variant={variant}", a)
            assert l.dtype == a.dtype and (np.tril(l) == l).all() and (np.diag(l) > 0).all()
            is_small(l.astype(float) @ l.T - a, a, dtype)


@case()
def cholesky_reads_the_lower_triangle_as_numpy_does(d):
    a = definite(40)
    assert np.array_equal(array(d, "/cholesky", np.tril(a)), array(d, "/cholesky", a))
    r = post(d, "/cholesky", {"a": [[4, 0], [2, -3]]}).problem(422, "leading minor of order 2")
    assert r["type"] == "/problems/not-positive-definite", r


@case()
def an_indefinite_matrix_of_a_stack_fails_alone(d):
    a = np.stack([definite(6) for _ in range(3)])
    a[1, 2, 2] = -1
    for variant in ("host", "tiled"):
        j = curl(d, f"/cholesky?variant={variant}", *NPY, body=npy(a)).json()
        failed, = j["result"]["failed"]
        assert failed["index"] == 1 and failed["kind"] == "not-positive-definite" and "order 3" in failed["detail"], failed
        assert all(x is None for row in j["result"]["l"][1] for x in row) and j["quality"]["residual"] < 2, j


@case()
def the_determinant_agrees_with_numpys_slogdet(d):
    for n in (1, 2, 9, 100, 400):
        a = rng.standard_normal((2, n, n))
        z = np.load(io.BytesIO(curl(d, "/det", *NPY, *accept("x-npz"), body=npy(a)).body))
        sign, log = np.linalg.slogdet(a)
        assert (z["sign"] == sign).all() and np.allclose(z["logabsdet"], log, rtol=1e-12), (n, z["logabsdet"], log)
    r = post(d, "/det", {"a": [[1, 2], [2, 4]]}).json()["result"]
    assert r == {"det": 0, "sign": 0, "logabsdet": None, "nonfinite": True}, r


@case()
def the_inverse_of_every_size_and_variant(d):
    for n, dtype in ((1, "f8"), (7, "f4"), (64, "f8"), (300, "f8")):
        a = rng.standard_normal((n, n)).astype(dtype)
        for variant in ("auto", "host", "tiled"):
            x = array(d, f"/inverse?variant={variant}", a)
            assert x.dtype == a.dtype
            is_small(a.astype(float) @ x - np.eye(n), np.linalg.norm(a) * np.linalg.norm(x), dtype)
    q = post(d, "/inverse", {"a": {"generate": "hilbert", "shape": [14, 14]}}).json()["quality"]
    assert q["ill_conditioned"] is True and 0 < q["rcond"] < 2.3e-16, q
    post(d, "/inverse", {"a": [[1, 2], [2, 4]]}).problem(422, "singular")


@case()
def solve_uses_the_structure_and_the_factors_of_lu(d):
    b = rng.standard_normal((160, 2))
    spd, general = definite(160), rng.standard_normal((160, 160))
    saddle = general + general.T
    saddle[:60, :60] = 0
    for structure, a in (("lower", np.tril(spd)), ("upper", np.triu(spd)), ("spd", spd), ("general", general), ("symmetric", saddle)):
        for how in (structure, "auto"):
            for transpose in (False, True):
                j = post(d, "/solve", {"a": a.tolist(), "b": b.tolist(), "structure": how, "transpose_a": transpose}).json()
                is_small((a.T if transpose else a) @ np.array(j["result"]["x"]) - b, a, "f8")
                want = 1 / np.linalg.cond(a.T if transpose else a, 1)
                assert 0.99 * want <= j["quality"]["rcond"] <= 3 * want and j["quality"]["residual"] < 2, j["quality"]
    f = post(d, "/lu", {"a": general.tolist()}).json()["result"]
    for transpose in (False, True):
        j = post(d, "/solve", {"factors": f["lu"], "pivots": f["pivots"], "b": b.tolist(), "transpose_a": transpose}).json()
        whole = post(d, "/solve", {"b": b.tolist(), "factors": f, "transpose_a": transpose}).json()
        assert whole["result"] == j["result"], "solve must take the object that lu answered like its two members"
        is_small((general.T if transpose else general) @ np.array(j["result"]["x"]) - b, general, "f8")
    post(d, "/solve", {"a": [[1, 0], [5, 0]], "b": [1, 2], "structure": "lower"}).problem(422, "singular")
    swap = post(d, "/solve", {"a": [[0, 7], [1, 0]], "b": [1, 2], "structure": "symmetric"}).json()
    assert swap["result"]["x"] == [2, 1], "of [[0, 1], [1, 0]]: the lower triangle"
    post(d, "/solve", {"a": [[1, 1], [1, 1]], "b": [1, 2], "structure": "symmetric"}).problem(422, "singular")
    for wrong in ({"factors": f["lu"]}, {"factors": {"lu": f["lu"]}}, {"a": {"lu": f["lu"], "pivots": f["pivots"]}},
                  {"factors": {"lu": f["lu"], "pivots": f["pivots"]}, "pivots": f["pivots"]}):
        post(d, "/solve", dict(wrong, b=b.tolist())).problem(400, "pivots")


def json_of(a):
    return {"real": a.real.tolist(), "imag": a.imag.tolist()} if np.iscomplexobj(a) else a.tolist()


@case()
def what_lu_answered_is_sent_back_in_json_and_in_forms(d):
    for dtype in (float, complex):
        a, b = (x if dtype is float else x + 1j * rng.standard_normal(x.shape) for x in (rng.standard_normal((7, 7)), rng.standard_normal(7)))
        f = post(d, "/lu", {"a": json_of(a)}).json()["result"]
        whole = post(d, "/solve", {"factors": f, "b": json_of(b)}).json()["result"]
        x = whole["x"] if dtype is float else np.array(whole["x"]["real"]) + 1j * np.array(whole["x"]["imag"])
        assert np.abs(a @ x - b).max() < 1e-10, dtype
        form = curl(d, "/solve", "-F", "factors=" + json.dumps(f), "-F", "b=" + json.dumps(json_of(b))).json()["result"]
        assert form == whole, (form, whole)
        twice = curl(d, "/solve", "-F", "factors=" + json.dumps(f), "-F", "pivots=" + json.dumps(f["pivots"]), "-F", "b=[1]")
        twice.problem(400, "pivots")
