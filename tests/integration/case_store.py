"""case_store.py - the parameter `store`, which keeps outputs as stored matrices."""
import io
import json
import threading

import numpy as np

from case_formats import accept, close, npy, npz, rng
from case_matrices import fetched, names, put
from client import ASYNC, ENDLESS, NPY, case, curl, dismiss, finished, post, running, submit


def row(d, name):
    return [m for m in curl(d, "/matrices").json()["matrices"] if m["name"] == name][0]


@case()
def a_result_is_stored_instead_of_answered(d):
    for n in (3, 200):
        a, b = rng.standard_normal((n, n)), rng.standard_normal((n, 4))
        r = post(d, "/matmul", {"a": a.tolist(), "b": b.tolist(), "store": "c1"})
        assert r.status == 200 and r.json()["result"] == {}, r.body
        assert r.json()["stored"] == {"c": {"name": "c1", "shape": [n, 4], "dtype": "float64"}}, r.body
        assert r.headers["linalgd-stored"] == "c:c1"
        close(fetched(d, "c1"), a @ b)
        r = post(d, "/matmul", {"a": a.tolist(), "b": b.tolist(), "store": "c1", "return": "c"})
        assert r.json()["stored"]["c"]["name"] == "c1"
        close(np.array(r.json()["result"]["c"]), a @ b)


@case()
def stored_factors_solve_later(d):
    for n in (4, 300):
        a, b = rng.standard_normal((n, n)), rng.standard_normal(n)
        r = post(d, "/lu", {"a": a.tolist(), "store": "lu:f,pivots:p"})
        j = r.json()
        assert sorted(j["stored"]) == ["lu", "pivots"] and "lu" not in j["result"] and "singular" in j["result"], j["result"].keys()
        assert j["stored"]["pivots"] == {"name": "p", "shape": [n], "dtype": row(d, "p")["dtype"]}
        assert r.headers["linalgd-stored"] == "lu:f,pivots:p"
        whole = post(d, "/solve", {"factors": {"lu": {"ref": "f"}, "pivots": {"ref": "p"}}, "b": b.tolist()})
        assert whole.status == 200, whole.body
        r = post(d, "/solve", {"factors": {"ref": "f"}, "pivots": {"ref": "p"}, "b": b.tolist()})
        close(np.array(r.json()["result"]["x"]), np.linalg.solve(a, b), 1e-8)


@case()
def the_first_output_is_that_of_the_call(d):
    a = [[2.0, 1.0], [1.0, 2.0]]
    j = post(d, "/eigen", {"a": a, "which": "all", "store": "values"}).json()
    assert list(j["stored"]) == ["eigenvalues"] and "eigenvalues" not in j["result"], j
    assert np.allclose(fetched(d, "values"), [1, 3])
    j = post(d, "/lu", {"a": a, "store": "f", "return": "sign"}).json()
    assert list(j["stored"]) == ["lu"] and list(j["result"]) == ["sign"], j
    j = post(d, "/lu", {"a": a, "store": "pivots:p", "return": "pivots,l"}).json()
    assert list(j["stored"]) == ["pivots"] and sorted(j["result"]) == ["l", "pivots"], j
    j = post(d, "/lu", {"a": a, "store": "p:p"}).json()
    assert list(j["stored"]) == ["p"] and sorted(j["result"]) == ["lu", "pivots", "sign", "singular"], j
    assert post(d, "/reduce", {"a": a, "op": "sum", "store": "sum"}).json()["stored"]["value"]["shape"] == []
    assert fetched(d, "sum") == 6
    j = post(d, "/lu", {"a": a, "store": "singular:bad"}).json()
    assert j["stored"]["singular"]["dtype"] == "bool" and fetched(d, "bad").dtype == bool, j


@case()
def a_binary_answer_names_what_was_stored(d):
    a = rng.standard_normal((5, 5))
    for kind in ("x-npy", "octet-stream", "x-npz", "x-matrix-market"):
        r = curl(d, "/transpose?store=t", *NPY, *accept(kind), body=npy(a))
        assert r.status == 204 and r.body == b"" and r.headers["linalgd-stored"] == "a:t", (kind, r.headers)
        assert (fetched(d, "t") == a.T).all()
    r = curl(d, "/transpose?store=t&return=a", *NPY, *accept("x-npy"), body=npy(a))
    assert r.status == 200 and (np.load(io.BytesIO(r.body)) == a.T).all() and r.headers["linalgd-stored"] == "a:t"
    r = curl(d, "/lu?store=lu:f", *NPY, *accept("x-npz"), body=npy(a))
    assert sorted(np.load(io.BytesIO(r.body))) == ["pivots", "sign", "singular"]
    r = curl(d, "/transpose", "-F", "store=t2", "-F", "a=[[1,2]];type=application/json")
    assert r.json()["stored"]["a"]["shape"] == [2, 1], r.body


@case()
def an_asynchronous_job_stores_too(d):
    a = rng.standard_normal((200, 200))
    at = post(d, "/lu", {"a": a.tolist(), "store": "lu:af,pivots:ap"}, *ASYNC).headers["location"]
    j = finished(d, at)
    assert j["status"] == "successful" and j["stored"]["lu"]["name"] == "af", j
    r = curl(d, at + "/result")
    assert "lu" not in r.json()["result"] and r.json()["stored"]["pivots"]["shape"] == [200]
    assert "af" in names(d) and "ap" in names(d)
    at = post(d, "/transpose", {"a": a.tolist(), "store": "at"}, *ASYNC).headers["location"]
    finished(d, at)
    assert curl(d, at + "/result", *accept("x-npy")).status == 204
    assert (fetched(d, "at") == a.T).all()


@case()
def sparse_results_stay_sparse_operands(d):
    for n in (3, 20000):
        m = {"format": "csr", "shape": [n, n + 1], "indptr": list(range(n + 1)), "indices": list(range(1, n + 1)),
             "data": [float(i) for i in range(n)]}
        j = post(d, "/permute", {"a": m, "p": list(range(n))[::-1], "store": "st"}).json()
        assert j["stored"]["a"]["shape"] == [n, n + 1] and j["result"] == {}, j
        assert row(d, "st")["format"] == "csr" and row(d, "st")["nnz"] == n
        y = post(d, "/spmv", {"a": {"ref": "st"}, "x": [1.0] * (n + 1)}).json()["result"]["y"]
        assert y == [float(i) for i in range(n)][::-1]


@case()
def complex_results_are_stored_and_are_operands_of_what_computes_with_them(d):
    j = post(d, "/eigen", {"a": [[0, -1], [1, 0]], "which": "all", "store": "eigenvalues:turn"}).json()
    assert j["stored"]["eigenvalues"]["dtype"] == "complex128", j
    assert sorted(fetched(d, "turn").imag) == [-1, 1]
    c = post(d, "/matmul", {"a": {"ref": "turn"}, "b": [[1], [2]]}).json()["result"]["c"]
    assert c["real"] == [0] and abs(c["imag"][0]) == 1, c
    post(d, "/norm", {"a": {"ref": "turn"}}).problem(400, "complex")
    post(d, "/matmul", {"a": {"ref": "turn"}, "b": [[1], [2]], "dtype": "float32"}).problem(400, "complex")
    put(d, "real", b'{"matrix":{"ref":"turn"}}', "json", "?dtype=float64").problem(400, "complex")
    assert put(d, "twin", b'{"matrix":{"ref":"turn"}}', "json").status in (201, 204)


@case()
def wrong_names_are_refused_before_anything_runs(d):
    a = [[1.0, 2.0], [3.0, 4.0]]
    before = len(curl(d, "/jobs").json()["jobs"])
    for store, word in (("", "no name"), (".x", "no name"), ("a b", "no name"), ("lu:a,pivots:a", "two outputs"), ("lu:a,lu:b", "twice"),
                        ("lv:a", "lu"), ("lu:a,b", "twice"), ("a,b", "twice"), ("x" * 129, "no name"), ("lu:", "no name")):
        post(d, "/lu", {"a": a, "store": store}).problem(400, word)
    post(d, "/lu", {"a": [[1.0, 2.0]], "store": "sign:s"}).problem(400, "no output sign")
    post(d, "/lu?store=x&store=y", {"a": a}).problem(400, "twice")
    p = post(d, "/lu?store=.x", {"a": a}).problem(400)
    assert p["errors"][0]["parameter"] == "store", p
    assert len(curl(d, "/jobs").json()["jobs"]) == before and "s" not in names(d)
    put(d, "m", b'{"matrix": [[1]]}', "json", "?store=x").problem(400, "store")


@case()
def a_job_that_fails_stores_nothing(d):
    post(d, "/solve", {"a": [[1, 2], [2, 4]], "b": [1, 2], "store": "failed"}).problem(422)
    post(d, "/eigen", {"a": [[1, 2], [3, -4]], "store": "eigenvalue:one,bracket:two"}).problem(422, "bracket")
    at = submit(d, "/jacobi", dict(ENDLESS, store="endless"))
    running(d, at)
    dismiss(d, at)
    finished(d, at)
    assert not {"failed", "one", "two", "endless"} & set(names(d)), names(d)


@case()
def readers_of_a_replaced_matrix_keep_the_old_one(d):
    n = 400
    put(d, "turn", npy(np.full((n, n), 0.0)))
    seen, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            x = fetched(d, "turn")
            seen.append((x.min(), x.max(), x.shape))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for t in readers:
        t.start()
    for k in range(1, 12):
        body = {"a": {"generate": "ones", "shape": [n, 1]}, "b": [[float(k)] * n], "store": "turn"}
        assert post(d, "/matmul", body).status == 200
    stop.set()
    for t in readers:
        t.join()
    assert seen and all(low == high and shape == (n, n) for low, high, shape in seen), seen
    assert fetched(d, "turn").max() == 11


@case("--host-memory", "64M")
def a_full_memory_names_the_largest_stored_matrices(d):
    ones = {"generate": "ones", "shape": [1600, 1600]}
    for name in ("first", "second"):
        assert post(d, "/transpose", {"a": ones, "dtype": "float32", "store": name}).status == 200
    put(d, "tiny", npy(np.eye(2)))
    body = {"a": {"generate": "ones", "shape": [2500, 1]}, "b": {"generate": "ones", "shape": [1, 2500]}, "store": "third"}
    p = post(d, "/matmul", body).problem(503, "first (10240000 bytes)")
    assert "second (10240000 bytes)" in p["detail"] and "third" not in names(d), p
    put(d, "third", json.dumps({"matrix": {"generate": "ones", "shape": [2500, 2500]}}).encode(), "json").problem(503, "first (")


@case()
def an_output_that_is_stored_is_made_as_if_return_had_named_it(d):
    """For every output that these calls can have; what is answered beside it stays what the call has without any name."""
    s, g, b = [[2, 1], [1, 3]], [[1, 2], [3, 4]], [[2, 0], [0, 3]]
    calls = [("eigen", {"a": s}), ("eigen", {"a": s, "which": "all"}), ("eigen", {"a": g, "which": "all"}),
             ("eigen", {"a": s, "which": "largest", "k": 1}), ("eigen", {"a": g, "b": b, "which": "all", "problem": "general"}),
             ("svd", {"a": g}), ("svd", {"a": g, "vectors": "none"}), ("qr", {"a": g}), ("qr", {"a": g, "pivot": True}),
             ("qr", {"a": g, "mode": "raw"}), ("lu", {"a": g}), ("solve", {"a": s, "b": [1, 2], "method": "cg"}), ("det", {"a": g}),
             ("lstsq", {"a": g, "b": [1, 2]}), ("reduce", {"a": g, "op": "max"}), ("reduce", {"a": g, "op": "argmax"})]
    outputs = {o["name"]: [x["name"] for x in o["outputs"]] for o in curl(d, "/ops").json()["ops"]}
    stored = set()
    for op, call in calls:
        usual = post(d, "/" + op, call)
        if usual.status != 200:
            continue
        usual = set(usual.json()["result"])
        for name in outputs[op]:
            named = post(d, "/" + op, {**call, "return": name})
            if named.status != 200 or name not in named.json()["result"]:
                continue
            r = post(d, "/" + op, {**call, "store": name + ":made"})
            assert r.status == 200, (op, call, name, r.body)
            assert set(r.json()["result"]) == usual - {name} and set(r.json()["stored"]) == {name}, (op, call, name, usual, r.body)
            stored.add((op, call.get("which"), name))
            answered = np.array(named.json()["result"][name] if not isinstance(named.json()["result"][name], dict) else 0)
            if answered.dtype.kind in "fi" and "real" not in str(named.json()["result"][name]):
                close(fetched(d, "made"), answered)
    for name in ("eigenvectors", "left_eigenvectors"):
        assert ("eigen", "all", name) in stored, stored
    assert ("solve", None, "history") in stored and ("qr", None, "tau") in stored and ("lu", None, "u") in stored, stored
    for returned in ({}, {"return": "eigenvalues"}):
        p = post(d, "/eigen", {"a": s, "which": "all", "store": "bracket:made", **returned}).problem(400, "no output bracket")
        assert p["errors"][0]["pointer"] == "#/store", p
    p = post(d, "/eigen", {"a": s, "which": "all", "store": "eigenvectors:made", "return": "bracket"}).problem(400, "no output bracket")
    assert p["errors"][0]["pointer"] == "#/return", p
    r = post(d, "/eigen", {"a": s, "which": "all", "store": "made,left_eigenvectors:more"}).json()
    assert set(r["stored"]) == {"eigenvalues", "left_eigenvectors"} and r["result"] == {}, r
    r = post(d, "/eigen", {"a": s, "which": "all", "return": "eigenvectors", "store": "eigenvectors:made"}).json()
    assert set(r["stored"]) == set(r["result"]) == {"eigenvectors"}, r
    for name in ("made", "more"):
        curl(d, "/matrices/" + name, "-X", "DELETE")
