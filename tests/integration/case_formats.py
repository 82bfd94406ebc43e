"""case_formats.py - matrices in and out, as curl sends and takes them."""
import io
import json

import numpy as np

from client import NPY, File, case, curl, post

rng = np.random.default_rng(7)


def npy(a):
    f = io.BytesIO()
    np.save(f, a)
    return f.getvalue()


def npz(**arrays):
    f = io.BytesIO()
    np.savez(f, **arrays)
    return f.getvalue()


def accept(kind):
    return ("-H", f"Accept: application/{kind}")


def close(got, want, tol=1e-12):
    assert got.shape == want.shape, (got.shape, want.shape)
    assert np.abs(got - want).max(initial=0) <= tol * max(np.abs(want).max(initial=0), 1), np.abs(got - want).max()


@case()
def an_npy_comes_back_as_npy_of_its_type(d):
    for shape in ((1, 1), (5, 3), (127, 129), (300, 1000), (3, 4, 5), (0, 3)):
        for dtype in ("f4", "f8"):
            a = rng.standard_normal(shape).astype(dtype)
            r = curl(d, "/transpose", *NPY, *accept("x-npy"), body=npy(a))
            got = np.load(io.BytesIO(r.body))
            assert r.status == 200 and got.dtype == a.dtype and (got == np.swapaxes(a, -1, -2)).all(), shape
            assert int(r.headers["content-length"]) == len(r.body)


@case()
def two_files_travel_as_a_form(d):
    a, b = rng.standard_normal((6, 8)), rng.standard_normal((8, 3))
    with File(npy(a)) as x, File(npy(b)) as y:
        r = curl(d, "/matmul", "-F", f"a=@{x}", "-F", f"b=@{y}", "-F", "dtype=float64", *accept("x-npy"))
    close(np.load(io.BytesIO(r.body)), a @ b)


@case()
def raw_octets_tell_their_shape(d):
    a, b = rng.standard_normal((40, 60)).astype("f4"), rng.standard_normal((60, 50)).astype("f4")
    r = curl(d, "/matmul?a.shape=40,60&b.shape=60,50&dtype=float32", "-H", "Content-Type: application/octet-stream",
             *accept("octet-stream"), body=a.tobytes() + b.tobytes())
    assert r.headers["linalgd-shape"] == "40,50" and r.headers["linalgd-dtype"] == "float32", r.headers
    close(np.frombuffer(r.body, "f4").reshape(40, 50), a @ b, 1e-5)
    r = post(d, "/reduce", {"a": [1, 2, 4]}, *accept("octet-stream"))
    assert r.headers["linalgd-shape"] == "" and np.frombuffer(r.body) == 7, r.headers
    curl(d, "/lu?shape=2,2", "-H", "Content-Type: application/octet-stream", body=bytes(32)).problem(400, "dtype")
    curl(d, "/lu?shape=2,2&dtype=float64", *NPY, body=npy(np.eye(2))).problem(400, "shape")


@case()
def an_archive_holds_all_operands_and_all_results(d):
    for n in (10, 200):
        a = rng.standard_normal((n, n))
        r = curl(d, "/lu", "-H", "Content-Type: application/x-npz", *accept("x-npz"), body=npz(a=a))
        z = np.load(io.BytesIO(r.body))
        assert set(z) == {"lu", "pivots", "singular", "sign"}, list(z)
        assert z["sign"].shape == () and abs(np.linalg.slogdet(a)[0] - z["sign"]) == 0


@case()
def matrix_market_goes_both_ways(d):
    text = b"%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n"
    r = curl(d, "/transpose", "-H", "Content-Type: application/x-matrix-market", *accept("x-matrix-market"), body=text)
    numbers = [float(x) for x in r.body.decode().split("\n")[1:] if x and " " not in x and not x.startswith("%")]
    assert numbers == [1, 2, 3, 4, 5, 6], r.body
    curl(d, "/transpose", *NPY, *accept("x-matrix-market"), body=npy(np.zeros((2, 2, 2)))).problem(406)


@case()
def large_json_goes_in_and_out_in_pieces(d):
    a = rng.standard_normal((400, 500))
    r = curl(d, "/transpose", "-H", "Content-Type: application/json", "-H", "Transfer-Encoding: chunked",
             body=json.dumps({"a": a.tolist()}).encode())
    assert r.headers["transfer-encoding"] == "chunked", r.headers
    assert (np.array(json.loads(r.body)["result"]["a"]) == a.T).all(), "a number changed in transit"
    assert post(d, "/transpose", {"a": [[1, 2]]}).headers["content-length"]


@case()
def mixed_types_are_converted(d):
    a, b = rng.standard_normal((300, 400)).astype("f4"), rng.standard_normal((400, 300))
    r = curl(d, "/matmul", "-H", "Content-Type: application/x-npz", *accept("x-npy"), body=npz(a=a, b=b))
    got = np.load(io.BytesIO(r.body))
    assert got.dtype == np.float64
    close(got, a.astype("f8") @ b)
    r = curl(d, "/matmul?dtype=float32", "-H", "Content-Type: application/x-npz", *accept("x-npy"), body=npz(a=a, b=b))
    assert np.load(io.BytesIO(r.body)).dtype == np.float32


@case()
def what_is_not_finite_is_null_and_told(d):
    r = curl(d, "/transpose", *NPY, body=npy(np.array([[1.0, np.inf], [np.nan, 2]]))).json()["result"]
    assert r["a"] == [[1, None], [None, 2]] and r["nonfinite"] is True, r
    assert "nonfinite" not in post(d, "/transpose", {"a": [[1]]}).json()["result"]


@case()
def return_gives_just_what_it_names(d):
    a = rng.standard_normal((4, 4)).tolist()
    assert set(post(d, "/lu", {"a": a, "return": "l,u"}).json()["result"]) == {"l", "u"}
    assert set(post(d, "/lu", {"a": a, "return": ["p"]}).json()["result"]) == {"p"}
    r = curl(d, "/lu?return=u", *NPY, *accept("x-npy"), body=npy(np.array(a)))
    assert (np.tril(np.load(io.BytesIO(r.body)), -1) == 0).all()


@case()
def the_best_acceptable_format_is_sent(d):
    a = npy(np.eye(2))
    for wish, kind in (("*/*", "json"), ("application/*;q=0.1, application/x-npy", "x-npy"),
                       ("application/json;q=0.2, application/x-npz;q=0.9", "x-npz"),
                       ("text/html, application/xml;q=0.9, */*;q=0.8", "json")):
        r = curl(d, "/transpose", *NPY, "-H", f"Accept: {wish}", body=a)
        assert r.headers["content-type"] == "application/" + kind, (wish, r.headers)
