"""case_functions.py - kron, norm, cond, expm and products of integers, against NumPy and SciPy."""
import io
import tempfile

import numpy as np
from scipy.linalg import expm

from client import case, curl, post

rng = np.random.default_rng(31)


def npz_of(d, path, **arrays):
    """Posts the arrays as an npz and returns the npz of the answer."""
    with tempfile.NamedTemporaryFile(suffix=".npz") as f:
        np.savez(f, **arrays)
        f.flush()
        r = curl(d, path, "--data-binary", f"@{f.name}", "-H", "Content-Type: application/x-npz",
                 "-H", "Accept: application/x-npz")
    assert r.status == 200, r.body
    return np.load(io.BytesIO(r.body))


@case()
def kron_is_numpys_for_matrices_and_vectors(d):
    for dtype in ("float32", "float64"):
        for m, n, p, q in ((2, 3, 4, 5), (1, 1, 1, 1), (7, 2, 3, 40), (40, 30, 20, 33)):
            a, b = rng.standard_normal((m, n)).astype(dtype), rng.standard_normal((p, q)).astype(dtype)
            c = npz_of(d, "/kron", a=a, b=b)["kron"]
            assert c.dtype == dtype and (c == np.kron(a, b)).all()
            c = npz_of(d, "/kron", a=a[0], b=b)["kron"]
            assert (c == np.kron(a[0], b)).all()
    a, b = rng.standard_normal((3, 1, 2, 4)), rng.standard_normal((5, 3, 2))
    c = npz_of(d, "/kron", a=a, b=b)["kron"]
    assert c.shape == (3, 5, 6, 8)
    assert all((c[i, k] == np.kron(a[i, 0], b[k])).all() for i in range(3) for k in range(5))


@case()
def norms_are_numpys(d):
    for dtype, eps in (("float32", 1.2e-7), ("float64", 2.3e-16)):
        for shape in ((23, 40), (1, 1), (300, 7), (3, 4, 5), (600, 520)):
            a = rng.standard_normal(shape).astype(dtype)
            wide = a.astype(float)
            for o in ("fro", "nuc", 1, 2, "inf", "max"):
                want = abs(wide).max((-2, -1)) if o == "max" else np.linalg.norm(
                    wide, np.inf if o == "inf" else o, axis=(-2, -1))
                got = npz_of(d, f"/norm?ord={o}", a=a)["norm"]
                assert got.dtype == dtype and got.shape == a.shape[:-2]
                terms = 1 if o == "max" else max(shape[-2:])    # both sums may err by eps for every term
                assert (abs(got - want) <= 4 * eps * want * terms).all(), (o, got, want)
    r = post(d, "/norm", {"a": [[[1, 2], [3, 4]], [[0, None], [0, 0]]], "ord": 2})
    r.problem(400)
    a = np.ones((3, 2, 2))
    a[1, 0, 1] = np.inf
    z = npz_of(d, "/norm?ord=2", a=a)
    assert z["failed"].tolist() == [1] and np.isnan(z["norm"][1]) and abs(z["norm"][[0, 2]] - 2).max() < 1e-14
    z = npz_of(d, "/norm", a=a)
    assert np.isinf(z["norm"][1]) and "failed" not in z


@case()
def condition_numbers_are_numpys(d):
    for dtype, eps in (("float32", 1.2e-7), ("float64", 2.3e-16)):
        for shape in ((30, 30), (1, 1), (3, 4, 20, 20), (600, 600)):
            a = rng.standard_normal(shape).astype(dtype)
            wide = a.astype(float)
            for o in (1, 2, "inf", "fro"):
                want = np.linalg.cond(wide, np.inf if o == "inf" else o)
                got = npz_of(d, f"/cond?ord={o}", a=a)["cond"]
                assert got.dtype == dtype and got.shape == a.shape[:-2]
                assert (abs(got - want) <= eps * shape[-1] * want ** 2).all(), (o, got, want)
            true = 1 / np.linalg.cond(wide, 1)
            got = npz_of(d, "/cond", a=a)["rcond"]
            assert (0.9 * true <= got).all() and (got <= 10 * true).all()
    assert post(d, "/cond", {"a": [[1, 2], [2, 4]], "ord": 1}).json()["result"] == {"cond": None, "nonfinite": True}
    post(d, "/cond", {"a": [[1, 2, 3], [2, 4, 5]]}).problem(422, "2x3")


@case()
def an_output_that_is_not_made_is_not_returned(d):
    a = [[4, 1], [1, 3]]
    for path, document in (
            ("/reduce", {"a": a, "axis": 0, "return": "value"}), ("/reduce", {"a": a, "return": "values"}),
            ("/reduce", {"a": a, "return": "index"}), ("/svd", {"a": a, "vectors": "none", "return": "s,u"}),
            ("/cond", {"a": a, "return": "cond"}), ("/cond", {"a": a, "ord": 2, "return": "rcond"}),
            ("/eigen", {"a": a, "return": "eigenvalues"})):
        for accept in ("application/json", "application/x-npy", "application/x-npz", "application/octet-stream"):
            p = post(d, path, document, "-H", f"Accept: {accept}").problem(400)
            assert p["errors"][0]["pointer"] == "#/return" and "has no output" in p["detail"], p
    # Whether there is a tie, or a bracket, is known only afterwards.
    for document in ({"a": a, "return": "tie"}, {"a": [[4, -1], [-1, 3]], "return": "bracket"}):
        post(d, "/eigen", document, "-H", "Accept: application/x-npy").problem(400)


@case()
def exponentials_are_scipys(d):
    for dtype, eps in (("float32", 1.2e-7), ("float64", 2.3e-16)):
        for shape, size in (((1, 1), 1), ((5, 5), 1e-3), ((5, 5), 8), ((60, 60), 0.1), ((300, 300), 0.2), ((4, 3, 7, 7), 1)):
            a = (size * rng.standard_normal(shape)).astype(dtype)
            got = npz_of(d, "/expm", a=a)["expm"]
            assert got.dtype == dtype and got.shape == a.shape
            for x, y in zip(a.reshape(-1, *shape[-2:]), got.reshape(-1, *shape[-2:])):
                want = expm(x.astype(float))
                bound = 10 * len(x) * eps * (1 + np.linalg.norm(x, 1)) * np.linalg.norm(want, 1)
                assert np.linalg.norm(y - want, 1) <= bound, (dtype, shape, size)
    a = np.zeros((3, 2, 2))
    a[1, 0, 1] = np.nan
    z = npz_of(d, "/expm", a=a)
    assert z["failed"].tolist() == [1] and (z["expm"][[0, 2]] == np.eye(2)).all()
    post(d, "/expm", {"a": [[1, 2, 3], [2, 4, 5]]}).problem(422, "2x3")


@case()
def integers_are_multiplied_exactly_on_request(d):
    for dtype, size in (("int32", 900), ("int64", 2**28)):
        for m, k, n in ((3, 4, 5), (100, 300, 70)):
            a, b = (rng.integers(-size, size, s).astype(dtype) for s in ((m, k), (k, n)))
            c = npz_of(d, f"/matmul?dtype={dtype}", a=a, b=b)["c"]
            assert c.dtype == dtype and (c == a.astype(object) @ b.astype(object)).all()
            c = npz_of(d, f"/matmul?dtype={dtype}&transpose_a=true", a=a.T.astype(float), b=b)["c"]
            assert c.dtype == dtype and (c == a.astype(object) @ b.astype(object)).all()
            assert npz_of(d, "/matmul", a=a, b=b)["c"].dtype == np.float64
    post(d, "/matmul", {"a": [[2**40]], "b": [[2**40]], "dtype": "int64"}).problem(422, "int64")
    post(d, "/matmul", {"a": [[1.5]], "b": [[1]], "dtype": "int64"}).problem(400, "1.5")
