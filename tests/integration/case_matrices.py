"""case_matrices.py - stored matrices: uploaded once, operands of many jobs."""
import io
import json

import numpy as np

from case_formats import accept, close, npy, npz, rng
from client import ASYNC, NPY, File, case, curl, finished, post

PUT = ("-X", "PUT")


def put(d, name, body, kind="x-npy", query="", *arguments):
    return curl(d, f"/matrices/{name}{query}", *PUT, "-H", f"Content-Type: application/{kind}", *arguments, body=body)


def fetched(d, name):
    r = curl(d, "/matrices/" + name, *accept("x-npy"))
    assert r.status == 200, r.body
    return np.load(io.BytesIO(r.body))


def names(d):
    return [m["name"] for m in curl(d, "/matrices").json()["matrices"]]


@case()
def a_stored_matrix_is_an_operand_by_its_name(d):
    a, b = rng.standard_normal((300, 200)), rng.standard_normal((200, 7)).astype("f4")
    r = put(d, "left", npy(a))
    assert r.status == 201 and r.headers["location"] == "/matrices/left", r.headers
    assert put(d, "right", npy(b)).status == 201
    for _ in range(2):
        r = post(d, "/matmul", {"a": {"ref": "left"}, "b": {"ref": "right"}})
        close(np.array(r.json()["result"]["c"]), a @ b)
    r = post(d, "/matmul", {"a": [[1.0] * 300], "b": {"ref": "left"}, "dtype": "float32"})
    close(np.array(r.json()["result"]["c"]), a.sum(0)[None], 1e-4)
    assert (fetched(d, "left") == a).all() and fetched(d, "right").dtype == np.float32
    post(d, "/lu", {"a": {"ref": "middle"}}).problem(404, "middle")
    post(d, "/lu", {"a": {"ref": 3}}).problem(400)
    post(d, "/matmul", {"a": {"ref": "left"}, "b": {"ref": "left"}}).problem(422)


@case()
def operations_leave_a_stored_matrix_as_it_is(d):
    for n in (5, 150):
        a = rng.standard_normal((n, n)) + n * np.eye(n)
        put(d, "kept", npy(a))
        for op, more in (("lu", {}), ("solve", {"b": [1.0] * n}), ("eigen", {}), ("transpose", {}), ("reduce", {"op": "sum"}),
                         ("spmv", {"x": [1.0] * n}), ("jacobi", {"b": [1.0] * n, "allow_partial": True}),
                         ("permute", {"p": list(range(n))[::-1]})):
            r = post(d, "/" + op, {"a": {"ref": "kept"}, **more})
            assert r.status in (200, 422), (op, r.body)
            assert (fetched(d, "kept") == a).all(), op


@case()
def every_format_is_stored_and_fetched(d):
    a = rng.standard_normal((20, 30))
    market = "%%MatrixMarket matrix array real general\n20 30\n" + "\n".join(repr(float(x)) for x in a.T.ravel()) + "\n"
    bodies = [("x-npy", "", npy(a)), ("x-npy", "", npy(np.asfortranarray(a))), ("x-npz", "", npz(matrix=a)),
              ("octet-stream", "?shape=20,30&dtype=float64", a.tobytes()), ("x-matrix-market", "", market.encode()),
              ("json", "", json.dumps({"matrix": a.tolist()}).encode()),
              ("json", "", json.dumps({"matrix": {"shape": [20, 30], "data": a.ravel().tolist()}}).encode())]
    for kind, query, body in bodies:
        assert put(d, "form", body, kind, query).status in (201, 204), kind
        assert (fetched(d, "form") == a).all(), kind
    with File(npy(a)) as f:
        assert curl(d, "/matrices/form", *PUT, "-F", f"matrix=@{f}").status == 204
    r = curl(d, "/matrices/form", *accept("octet-stream"))
    assert r.headers["linalgd-shape"] == "20,30" and r.headers["linalgd-dtype"] == "float64"
    assert (np.frombuffer(r.body).reshape(20, 30) == a).all()
    assert (np.array(curl(d, "/matrices/form").json()["matrix"]) == a).all()
    assert put(d, "copy", curl(d, "/matrices/form").body, "json").status == 201 and (fetched(d, "copy") == a).all()
    r = curl(d, "/matrices/form", *accept("x-matrix-market"))
    assert r.body.startswith(b"%%MatrixMarket matrix array real general"), r.body[:60]
    r = curl(d, "/matrices/form", "-I", *accept("octet-stream"))
    assert r.status == 200 and r.body == b"" and r.headers["content-length"] == str(20 * 30 * 8)
    assert put(d, "form", npy(a), query="?dtype=float32").status == 204
    assert (fetched(d, "form") == a.astype("f4")).all()


@case()
def a_sparse_matrix_stays_sparse(d):
    coo = {"format": "coo", "shape": [3, 4], "row": [0, 2, 2], "col": [1, 0, 3], "data": [5.0, 6.0, 7.0]}
    assert put(d, "thin", json.dumps({"matrix": coo}).encode(), "json").status == 201
    row = [m for m in curl(d, "/matrices").json()["matrices"] if m["name"] == "thin"][0]
    assert row["format"] == "coo" and row["nnz"] == 3 and row["shape"] == [3, 4] and row["dtype"] == "float64", row
    got = curl(d, "/matrices/thin").json()["matrix"]
    assert got == coo, got
    csr = {"format": "csr", "shape": [3, 4], "indptr": [0, 1, 1, 3], "indices": [1, 0, 3], "data": [5.0, 6.0, 7.0]}
    assert put(d, "rows", json.dumps({"matrix": csr}).encode(), "json").status == 201
    assert curl(d, "/matrices/rows").json()["matrix"] == csr
    for kind in ("x-npy", "octet-stream"):
        r = curl(d, "/matrices/thin", *accept(kind))
        r.problem(406)
        assert not any(name.startswith("linalgd-") for name in r.headers), r.headers
    assert post(d, "/spmv", {"a": {"ref": "thin"}, "x": [1, 1, 1, 1]}).json()["result"]["y"] == [5, 0, 13]
    assert post(d, "/matmul", {"a": {"ref": "thin"}, "b": [[1], [1], [1], [1]]}).json()["result"]["c"] == [[5], [0], [13]]


@case()
def generators_and_other_matrices_are_stored_too(d):
    body = {"matrix": {"generate": "random", "shape": [500, 400], "seed": 3, "dtype": "float32"}}
    assert put(d, "made", json.dumps(body).encode(), "json").status == 201
    a = fetched(d, "made")
    assert a.shape == (500, 400) and a.dtype == np.float32 and 0.49 < a.mean() < 0.51
    assert put(d, "twin", json.dumps({"matrix": {"ref": "made"}}).encode(), "json", "?dtype=float64").status == 201
    assert (fetched(d, "twin") == a).all() and fetched(d, "twin").dtype == np.float64 and fetched(d, "made").dtype == np.float32


@case()
def a_deleted_matrix_is_gone_and_its_jobs_go_on(d):
    put(d, "short", npy(np.eye(2)))
    put(d, "big", json.dumps({"matrix": {"generate": "random", "shape": [1500, 1500]}}).encode(), "json")
    r = post(d, "/matmul", {"a": {"ref": "big"}, "b": {"ref": "big"}, "return": "c"}, *ASYNC)
    assert curl(d, "/matrices/big", "-X", "DELETE").status == 204
    assert finished(d, r.headers["location"])["status"] == "successful"
    curl(d, "/matrices/big").problem(404, "big")
    curl(d, "/matrices/big", "-X", "DELETE").problem(404)
    assert "short" in names(d) and "big" not in names(d)


@case()
def rows_without_elements_are_bounded(d):
    """A HEAD counts the brackets of all of them."""
    def header(shape):
        text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}".ljust(117) + "\n"
        return b"\x93NUMPY\1\0v\0" + text.encode()
    for rows in (2**62, 2**31):
        put(d, "hollow", header((rows, 0))).problem(413, "no elements")
        put(d, "hollow", json.dumps({"matrix": {"shape": [rows, 0], "data": []}}).encode(), "json").problem(413, "no elements")
        post(d, "/transpose", {"a": {"generate": "zeros", "shape": [0, rows]}}).problem(422, "at most")
    tall = {"generate": "zeros", "shape": [2**16, 0]}
    post(d, "/kron", {"a": tall, "b": tall}).problem(413)
    assert put(d, "hollow", header((2**20, 0))).status == 201
    for more in (("-I",), ("-H", "Want-Content-Digest: sha-256=1")):
        r = curl(d, "/matrices/hollow", *accept("json"), *more)
        assert r.headers["content-length"] == str(len('{"matrix":[]}') + 3 * 2**20), r.headers


@case()
def wrong_matrices_are_refused_and_the_old_one_stays(d):
    put(d, "good", npy(np.eye(3)))
    for name in ("..%2f..%2fetc", ".hidden", "a%20b", "a:b", "x" * 129, "x" * 160, "x" * 4000, "%78" * 129,
                 "%zz", "a%00", "a%"):
        assert put(d, name, npy(np.eye(2))).problem(400), name
    assert put(d, "x" * 128, npy(np.eye(2))).status == 201
    put(d, "good", b"\x93NUMPY").problem(400)
    put(d, "good", b"[[1,2],[3]]", "json").problem(400)
    put(d, "good", b"{}", "json").problem(400)
    put(d, "good", b'{"matrix":[[1]],"other":[[2]]}', "json").problem(400)
    put(d, "good", b'{"matrix":{"ref":"nobody"}}', "json").problem(404)
    put(d, "good", npz(a=np.eye(2)), "x-npz").problem(400)
    put(d, "good", npy(np.eye(2)), query="?shape=2,2").problem(400)
    put(d, "good", npy(np.eye(2)), query="?color=red").problem(400)
    put(d, "good", bytes(32), "octet-stream", "?shape=2,2").problem(400, "dtype")
    put(d, "good", bytes(31), "octet-stream", "?shape=2,2&dtype=float64").problem(400)
    put(d, "good", b"x", "pdf").problem(415)
    curl(d, "/matrices/good", *accept("pdf")).problem(406)
    curl(d, "/matrices/good?x=1").problem(400)
    curl(d, "/matrices/good", "-X", "POST", body=b"x").problem(405)
    assert (fetched(d, "good") == np.eye(3)).all()


@case("--host-memory", "64M")
def a_stored_matrix_takes_its_own_bytes_alone(d):
    n = 1600                        # 19.5 MiB as they come, of which three fit; 9.8 as float32
    body = json.dumps({"matrix": {"generate": "ones", "shape": [n, n]}}).encode()
    for i in range(5):
        assert put(d, f"half{i}", body, "json", "?dtype=float32").status == 201, i
    for i in range(5):
        assert curl(d, f"/matrices/half{i}", "-X", "DELETE").status == 204


@case("--host-memory", "64M")
def a_full_store_refuses_and_gives_back(d):
    body = json.dumps({"matrix": {"generate": "ones", "shape": [1024, 1024, 2]}}).encode()
    got = [put(d, f"m{i}", body, "json").status for i in range(5)]
    assert got[:3] == [201] * 3 and got[-1] == 503, got
    put(d, "huge", json.dumps({"matrix": {"generate": "ones", "shape": [1 << 14, 1 << 14]}}).encode(), "json").problem(413)
    for n in names(d):
        assert curl(d, "/matrices/" + n, "-X", "DELETE").status == 204
    assert put(d, "m0", body, "json").status == 201
    assert curl(d, "/matrices/m0", "-X", "DELETE").status == 204
