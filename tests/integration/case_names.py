"""case_names.py - what is said about a mistyped name, about a fault's place, and about formats that nearly fit."""
import io

import numpy as np
import scipy.sparse

from case_formats import accept, npy, npz
from client import NPY, File, busy, case, curl, job, post, until

JSON = ("-H", "Content-Type: application/json")
NPZ = ("-H", "Content-Type: application/x-npz")
A = [[4, 1], [1, 3]]


def raw(d, path, text, *arguments):
    return curl(d, path, *JSON, *arguments, body=text.encode())


@case()
def mistyped_names_are_answered_with_the_nearest(d):
    mean = "did you mean {}?".format
    post(d, "/eigen", {"A": A}).problem(400, "eigen has no operand A; " + mean("a"))
    post(d, "/eigen", {"A": 3}).problem(400, mean("a"))
    post(d, "/matmul", {"a": A, "B": A}).problem(400, mean("b"))
    post(d, "/matmul", {"matrix": A}).problem(400, "matmul has no operand matrix. Its operands are a, b")
    post(d, "/eigen", {"a": A, "tool": 1e-3}).problem(400, "eigen has no parameter tool; " + mean("tol"))
    post(d, "/eigen", {"a": A, "maxiterations": 9}).problem(400, mean("max_iterations"))
    post(d, "/eigen", {"a": A, "timeout": 9}).problem(400, mean("timeout_ms"))
    post(d, "/eigen", {"a": A, "method": "krilov"}).problem(400, mean("krylov"))
    post(d, "/eigen", {"a": A, "variant": "fusd"}).problem(400, mean("fused"))
    post(d, "/reduce", {"a": A, "op": "summ"}).problem(400, mean("sum"))
    post(d, "/lu", {"a": A, "return": "pivot"}).problem(400, mean("pivots"))
    post(d, "/lu", {"a": A, "timing": "sumary"}).problem(400, mean("summary"))
    post(d, "/lu", {"a": A, "device": "gpo"}).problem(400, mean("gpu"))
    post(d, "/lu", {"a": {"generate": "hilbrt", "shape": [2, 2]}}).problem(400, mean("hilbert"))
    post(d, "/lu", {"a": {"generate": "hilbert", "shap": [2, 2]}}).problem(400, mean("shape"))
    curl(d, "/lu?a.shap=2,2", *NPY, body=npy(np.eye(2))).problem(400, mean("a.shape"))
    curl(d, "/egien", "--data", "{}", *JSON).problem(404, "did you mean /eigen? GET /ops lists")
    curl(d, "/job/x/result").problem(404, mean("/jobs/x/result"))
    curl(d, "/frobnicate").problem(404, "GET /ops lists")
    curl(d, "/jobs?status=runing").problem(400, mean("running"))
    curl(d, "/jobs?limt=1").problem(400, mean("limit"))
    assert curl(d, "/matrices/basis", "-X", "PUT", *JSON, body=b'{"matrix": [[1]]}').status == 201
    post(d, "/lu", {"a": {"ref": "bases"}}).problem(404, mean("basis"))
    curl(d, "/matrices/Basis").problem(404, mean("basis"))
    curl(d, "/matrices/x", "-X", "PUT", *JSON, body=b'{"matrx": [[1]]}').problem(400, 'is named \\"matrix\\"')
    curl(d, "/matrices/x?dtpe=float32", "-X", "PUT", *JSON, body=b"{}").problem(400, mean("dtype"))


@case()
def an_unknown_dtype_is_told_those_of_the_operation(d):
    for name in ("complex256", "int16", "flaot64"):
        p = post(d, "/eigen", {"a": A, "dtype": name}).problem(400, f"eigen: dtype is {name}")
        assert "int32" not in p["detail"] and "float32, float64" in p["detail"], p
    post(d, "/reduce", {"a": A, "dtype": "int16"}).problem(400, "int32")


@case()
def a_fault_of_the_query_is_no_place_in_the_body(d):
    def places(r):
        return [{k: v for k, v in e.items() if k != "detail"} for e in r.problem(r.status)["errors"]]

    for query, body, place in (
            ("?tool=1", {}, {"parameter": "tool"}), ("", {"tool": 1}, {"pointer": "#/tool"}),
            ("?tol=-1", {}, {"parameter": "tol"}), ("", {"tol": -1}, {"pointer": "#/tol"}),
            ("?dtype=int32", {}, {"parameter": "dtype"}), ("", {"dtype": "int32"}, {"pointer": "#/dtype"}),
            ("?variant=none", {}, {"parameter": "variant"}), ("", {"variant": "none"}, {"pointer": "#/variant"})):
        r = post(d, "/eigen" + query, dict({"a": A}, **body))
        assert r.status == 400 and places(r) == [place], (query, body, places(r))
    r = post(d, "/reduce?axis=7", {"a": A})                 # found when the operands are known
    assert r.status == 422 and places(r) == [{"parameter": "axis"}], places(r)
    assert places(post(d, "/reduce", {"a": A, "axis": 7})) == [{"pointer": "#/axis"}]
    assert places(curl(d, "/jobs?limit=x")) == [{"parameter": "limit"}]
    assert places(curl(d, "/lu?shape=2,2", "-H", "Content-Type: application/octet-stream", body=bytes(32))) == [
        {"parameter": "dtype"}]


@case()
def malformed_json_is_told_what_and_where(d):
    raw(d, "/lu", '{"a": [[1,2],[3,4],]}').problem(400, "a trailing comma before the ] at byte 19")
    raw(d, "/lu", '{"a": [[1,2],[3,4]],}').problem(400, "a trailing comma before the } at byte 20")
    raw(d, "/lu", '{"a": [[1,2],3]}').problem(400, "side by side at byte 13, element 2")
    raw(d, "/lu", '{"a": [[1,NaN]]}').problem(400, "JSON has no NaN")
    raw(d, "/lu", "[[1,2],[3,4]]").problem(400, '{\\"a\\": [[1,2],[3,4]]}')
    raw(d, "/matrices/x", "[[1,2],[3,4]]", "-X", "PUT").problem(400, '{\\"matrix\\": [[1,2],[3,4]]}')
    raw(d, "/lu", "{'a': [[1,2]]}").problem(400, "a name in double quotes")


@case()
def a_wrong_content_type_is_told_the_right_one(d):
    curl(d, "/lu", body=b'{"a": [[1]]}').problem(415, "use curl --json")
    curl(d, "/lu", "-H", "Content-Type: application/npy", body=npy(np.eye(2))).problem(
        415, "did you mean application/x-npy?")
    curl(d, "/lu", "-H", "Content-Type:", body=b"").problem(415, "application/json")


@case()
def arrays_without_names_are_told_how_to_get_them(d):
    f = io.BytesIO()
    np.savez(f, np.eye(2), np.eye(2))
    curl(d, "/matmul", *NPZ, body=f.getvalue()).problem(400, "np.savez(file, a=..., b=...)")
    curl(d, "/lu", *NPZ, body=f.getvalue()).problem(400, "np.savez(file, a=...)")
    curl(d, "/matrices/x", "-X", "PUT", *NPZ, body=f.getvalue()).problem(400, "np.savez(file, matrix=...)")
    curl(d, "/lu", *NPZ, body=npz(A=np.eye(2))).problem(400, "did you mean a?")


def saved(a, **options):
    f = io.BytesIO()
    scipy.sparse.save_npz(f, a, **options)
    return f.getvalue()


def sparse(kind, dtype="f8"):
    return scipy.sparse.random(40, 60, 0.1, kind, dtype=dtype, random_state=3)


@case()
def scipys_sparse_files_are_read(d):
    x = np.arange(60.0)
    for kind in ("csr", "csc", "coo"):
        for compressed in (True, False):
            a = sparse(kind)
            body = saved(a, compressed=compressed)
            r = curl(d, "/transpose", *NPZ, body=body).json()["result"]["a"]
            assert (np.array(r) == a.toarray().T).all(), kind
            with File(body) as file, File(npy(x)) as vector:
                r = curl(d, "/spmv", "-F", f"a=@{file}", "-F", f"x=@{vector}", *accept("x-npy"))
            assert np.allclose(np.load(io.BytesIO(r.body)), a @ x, rtol=1e-13), kind
            assert curl(d, "/matrices/sparse", "-X", "PUT", *NPZ, body=body).status in (201, 204)
            r = post(d, "/spmv", {"a": {"ref": "sparse"}, "x": x.tolist()}, *accept("x-npy"))
            assert np.allclose(np.load(io.BytesIO(r.body)), a @ x, rtol=1e-13), kind
    r = curl(d, "/reduce", *NPZ, body=saved(sparse("csr")))       # of an operation without sparse operands
    assert abs(r.json()["result"]["value"] - sparse("csr").sum()) < 1e-12, r.body
    stored = saved(sparse("csr", "f4"))
    assert curl(d, "/matrices/sparse", "-X", "PUT", *NPZ, body=stored).status == 204
    row = [m for m in curl(d, "/matrices").json()["matrices"] if m["name"] == "sparse"][0]
    assert row["dtype"] == "float32" and row["format"] == "csr" and row["nnz"] == 240, row
    curl(d, "/matrices/sparse", "-X", "DELETE")


@case()
def what_is_no_sparse_matrix_of_ours_is_refused(d):
    good = dict(format=np.array(b"csr"), shape=np.array([2, 2]), data=np.ones(2), indices=np.array([0, 1]),
                indptr=np.array([0, 1, 2]))

    def refused(word, **changes):
        members = {k: v for k, v in dict(good, **changes).items() if v is not None}
        curl(d, "/transpose", *NPZ, body=npz(**members)).problem(400, word)

    assert curl(d, "/transpose", *NPZ, body=npz(**good)).status == 200
    array = dict(good, _is_array=np.array(True))       # as SciPy from 1.12 on writes csr_array
    assert curl(d, "/transpose", *NPZ, body=npz(**array)).json()["result"]["a"] == [[1, 0], [0, 1]]
    curl(d, "/transpose", *NPZ, body=saved(scipy.sparse.eye(4, format="dia"))).problem(400, "csr, csc or coo")
    curl(d, "/transpose", *NPZ, body=saved(scipy.sparse.eye(4, format="bsr"))).problem(400, "csr, csc or coo")
    refused("format", format=np.array(b"crs"))
    refused("format", format=np.arange(3))
    refused("shape", shape=np.array([2, 2, 2]))
    refused("shape", shape=np.array([-1, 2]))
    refused("shape", shape=np.array([2.5, 2]))
    refused("shape", shape=np.array([np.nan, 2]))
    refused("indptr.npy of a sparse npz is missing", indptr=None)
    refused("indices[1] is 2", indices=np.array([0, 2]))
    refused("indptr", indptr=np.array([0, 1, 3]))
    refused("indptr", indptr=np.array([0, 2]))
    refused("flat list", indices=np.array([[0, 1]]))
    refused("more members", other=np.eye(2))
    with File(npz(a=np.eye(2), b=np.eye(2))) as file:
        curl(d, "/transpose", "-F", f"a=@{file}").problem(400, "must be one")
    with File(npz(arr_0=np.array([[1.0, 2.0]]))) as file:
        assert curl(d, "/transpose", "-F", f"a=@{file}").json()["result"]["a"] == [[1], [2]]


@case()
def every_problem_is_explained_where_its_type_leads(d):
    kinds = curl(d, "/problems").json()["problems"]
    assert len({k["type"] for k in kinds}) == len(kinds) > 20
    for kind in kinds:
        page = curl(d, kind["type"]).json()
        assert page == kind and len(page["meaning"]) > 20 and len(page["remedy"]) > 20 and page["title"], page
        html = curl(d, kind["type"], "-H", "Accept: text/html,application/xml;q=0.9,*/*;q=0.8")
        assert html.status == 200 and html.headers["content-type"].startswith("text/html"), html.headers
        text = html.body.decode().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        assert text.startswith("<!DOCTYPE html>") and page["meaning"] in text and page["remedy"] in text, text
    for path, body in (("/eigen", {"x": A}), ("/eigen", {"a": [[1, 2]]}), ("/solve", {"a": [[0]], "b": [1]})):
        p = post(d, path, body).problem(post(d, path, body).status)
        assert curl(d, p["type"]).json()["status"] == p["status"], p
    curl(d, "/problems/timeuot").problem(404, "did you mean timeout?")
    curl(d, "/problems/none").problem(404)
    curl(d, "/problems?x=1").problem(400)
    curl(d, "/problems/timeout", "-H", "Accept: image/png").problem(406, "text/html")
    listed = curl(d, "/problems", "-H", "Accept: text/html").body.decode()
    assert all(f'href="{k["type"]}"' in listed for k in kinds)


@case()
def a_result_that_is_not_there_yet_is_told_how_to_wait_for(d):
    with busy(d) as at:
        r = curl(d, at + "/result")
        assert r.headers["retry-after"] == "1", r.headers
        r.problem(409, f"GET {at} until its status is successful")
    until("it is dismissed", lambda: job(d, at)["status"] == "dismissed")
    r = curl(d, at + "/result")
    assert r.status == 409 and "retry-after" not in r.headers, r.headers
