"""case_dense.py - matmul, qr, svd, lstsq and pinv as clients get them: shapes and types, stacks with one bad matrix, the quality."""
import io

import numpy as np

from case_formats import accept
from client import case, curl, post


def npz(d, op, a, **parameters):
    """Sends a as npy and returns the arrays of the answer."""
    body = io.BytesIO()
    np.save(body, a)
    query = "&".join(f"{k}={v}" for k, v in {"timing": "none", **parameters}.items())
    r = curl(d, f"/{op}?{query}", "-H", "Content-Type: application/x-npy", *accept("x-npz"), body=body.getvalue())
    assert r.status == 200, r.body[:300]
    return np.load(io.BytesIO(r.body))


@case()
def qr_and_svd_of_a_stack(d):
    for dtype, tol in (("f4", 2e-5), ("f8", 2e-14)):
        a = np.random.default_rng(5).standard_normal((3, 40, 25)).astype(dtype)
        z = npz(d, "qr", a)
        assert z["q"].dtype == z["r"].dtype == a.dtype and z["q"].shape == (3, 40, 25), z["q"].shape
        assert np.abs(z["q"] @ z["r"] - a).max() < tol
        z = npz(d, "qr", a, pivot="true", mode="complete")
        for i in range(3):
            assert np.abs(z["q"][i] @ z["r"][i] - a[i][:, z["p"][i]]).max() < tol
        z = npz(d, "svd", a, vectors="full")
        assert z["u"].shape == (3, 40, 40) and z["vh"].shape == (3, 25, 25), z["u"].shape
        assert np.abs(z["u"][:, :, :25] * z["s"][:, None] @ z["vh"] - a).max() < tol
        assert np.abs(z["s"] - np.linalg.svd(a, compute_uv=False)).max() < 10 * tol


def by_reflections(h, tau):
    """Q R, with Q multiplied out of LAPACK's packed form in higher precision."""
    wide = np.result_type(h.dtype, np.float64)
    h, qr = h.astype(wide), np.triu(h).astype(wide)
    for j in reversed(range(len(tau))):
        v = np.concatenate([np.zeros(j), [1], h[j + 1:, j]]).astype(wide)
        qr -= tau[j] * np.outer(v, v.conj() @ qr)
    return qr


@case()
def qr_in_mode_raw_has_lapacks_packed_form(d):
    g = np.random.default_rng(6)
    for dtype in ("f4", "f8", "c8", "c16"):
        for shape in ((2, 120, 90), (80, 200), (1, 1), (0, 3)):
            a = (g.standard_normal(shape) + 1j * g.standard_normal(shape)).astype("c16")
            a = (a if dtype[0] == "c" else a.real).astype(dtype)
            # Smaller ones would run on the worker's second device, for which all kernels of "blocked" would be compiled once more.
            for variant in ("complex",) if dtype[0] == "c" else ("host", "blocked") if a.size > 1 else ("host",):
                z = npz(d, "qr", a, mode="raw", variant=variant)
                assert sorted(z.files) == ["h", "tau"] and z["h"].shape == a.shape and z["h"].dtype == z["tau"].dtype == a.dtype
                for x, h, tau in zip(a, z["h"], z["tau"]) if a.ndim > 2 else [(a, z["h"], z["tau"])]:
                    assert tau.shape == (min(h.shape),), tau.shape
                    off, eps = np.linalg.norm(by_reflections(h, tau) - x), np.finfo(dtype).eps
                    assert off <= 10 * max(h.shape) * eps * np.linalg.norm(x), (dtype, shape, off)
                    if x.size:
                        lapack, factors = np.linalg.qr(x, mode="raw")
                        assert np.abs(lapack.T - h).max() < 1e3 * eps and np.abs(factors - tau).max() < 1e3 * eps, (dtype, shape)
    r = post(d, "/qr", {"a": [[3, 6], [4, 8], [0, 2]], "mode": "raw", "pivot": True})
    assert r.status == 200 and list(r.json()["result"]) == ["p", "h", "tau"], r.body
    assert r.json()["result"]["p"] == [1, 0] and 0 <= r.json()["quality"]["residual"] < 30, r.body
    assert 0 <= r.json()["quality"]["orthogonality"] < 30, r.body


@case()
def qr_refuses_outputs_that_the_mode_has_not(d):
    a = [[3, 6], [4, 8], [0, 2]]
    for how, named, has in (({"mode": "raw"}, "q", "h, tau"), ({}, "tau", "q, r"), ({"mode": "complete"}, "p", "q, r"),
                            ({"mode": "raw", "pivot": True}, "r", "h, tau, p"), ({"pivot": True}, "r,h", "q, r, p")):
        p = post(d, "/qr", {"a": a, "return": named, **how}).problem(400, f"it has {has}")
        assert p["errors"][0]["pointer"] == "#/return", p
    for how, named in (({}, "r"), ({"pivot": True}, "p,r"), ({"mode": "raw"}, "tau"), ({}, "q,r,p,h,tau")):
        r = post(d, "/qr", {"a": a, "return": named, **how}).json()["result"]
        assert set(r) == set(named.split(",")) - (set() if named.count(",") < 4 else {"p", "h", "tau"}), r


@case()
def qr_by_cholesky_is_as_good_as_lapacks(d):
    """A column that nearly depends on others takes the shifted factorization, one of zeros Householder's."""
    a = np.random.default_rng(8).standard_normal((1500, 48))
    a[:, 7] = a[:, 3] + 1e-11 * a[:, 7]
    z = npz(d, "qr", a, variant="cholesky")
    signs = np.sign(np.diag(np.linalg.qr(a, "r")))
    assert (np.sign(np.diag(z["r"])) == signs).all(), "LAPACK's signs"
    for column in (a[:, 7], 0):
        a[:, 7] = column
        z = npz(d, "qr", a, variant="cholesky")
        assert np.abs(z["q"] @ z["r"] - a).max() < 2e-14 and np.tril(z["r"], -1).any() == 0
        assert np.abs(z["q"].T @ z["q"] - np.eye(48)).max() < 2e-14


@case()
def one_bad_matrix_of_a_stack_is_told(d):
    for op in ("qr", "svd"):
        a = [[[1, 2], [3, 4]], [[1, 1e308], [1, 1]], [[0, 0], [0, 0]]]
        r = post(d, f"/{op}", {"a": a}).json()
        assert "failed" not in r["result"] and 0 <= r["quality"]["residual"] < 30, r
        assert 0 <= r["quality"]["orthogonality"] < 30, r
    bad = np.ones((2, 3, 3))
    bad[1, 2, 0] = np.nan
    for op in ("qr", "svd"):
        body = io.BytesIO()
        np.save(body, bad)
        r = curl(d, f"/{op}", "-H", "Content-Type: application/x-npy", body=body.getvalue()).json()["result"]
        assert [(f["index"], f["kind"]) for f in r["failed"]] == [(1, "nonfinite")], r
        assert "row 2, column 0" in r["failed"][0]["detail"], r["failed"]


@case()
def least_squares_and_pseudoinverses(d):
    rng = np.random.default_rng(6)
    a, b = rng.standard_normal((30, 4)) @ rng.standard_normal((4, 20)), rng.standard_normal((30, 3))
    r = post(d, "/lstsq", {"a": a.tolist(), "b": b.tolist()}).json()
    assert r["result"]["rank"] == 4 and 0 <= r["quality"]["residual"] < 30, r["quality"]
    want = np.linalg.pinv(a, 1e-10)
    assert np.abs(np.array(r["result"]["x"]) - want @ b).max() < 1e-12
    assert 0 < r["timing"]["host_ms"] <= r["timing"]["compute_ms"], r["timing"]
    z = npz(d, "pinv", np.stack([a, 2 * a]))
    assert np.abs(z["pinv"] - np.stack([want, want / 2])).max() < 1e-13
    p = post(d, "/lstsq", {"a": [[1, 2]], "b": [1, 2]}).problem(422, "numbers of rows, 1 and 2, must be equal")
    assert p["errors"][0]["pointer"] == "#/b", p


@case()
def a_fast_product_tells_its_error_bound(d):
    a, unit = [[1, 2, 3], [4, 5, 6]], 3 * 2**-52
    fast = {"a": a, "b": a, "transpose_b": True, "precision": "fast"}
    for change, bound in (({}, unit), ({"dtype": "float32"}, 3 * 2**-23), ({"dtype": "float16"}, 3 * 2**-23 + 2**-10),
                          ({"dtype": "complex128"}, 2 * 2**.5 * unit), ({"dtype": "int32"}, 0),
                          ({"a": [[], []], "b": [[], []]}, 0), ({"a": [a, a]}, unit)):
        quality = post(d, "/matmul", {**fast, **change}).json()["quality"]
        assert list(quality) == ["error_bound"] and abs(quality["error_bound"] - bound) <= 1e-6 * bound, (change, quality)
    for change in ({"precision": "full"}, {"precision": "tf32"}, {"quality": "none"}):
        r = post(d, "/matmul", {**fast, **change}).json()
        assert "quality" not in r and r["result"]["c"] == [[14, 32], [32, 77]], r
    post(d, "/matmul", {**fast, "precision": "fastest"}).problem(400, "precision")
