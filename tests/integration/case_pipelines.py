"""case_pipelines.py - several operations as one job: POST /pipelines."""
import io
import json
import urllib.parse

import numpy as np
import scipy.linalg
import scipy.sparse

from client import ASYNC, busy, case, curl, dismiss, finished, job, post, send, submit, until

SOLVE = {"steps": [{"op": "matmul", "a": "@a", "b": "@b", "as": "c"}, {"op": "lu", "a": "c", "as": "f"},
                   {"op": "solve", "factors": "f", "b": "@y", "as": "x"}], "return": ["x", "f.pivots"]}
A, B, Y = [[4, 1], [1, 3]], [[2, 0], [1, 2]], [1, 2]


def answer(d, document, *arguments, at="/pipelines"):
    r = post(d, at, document, *arguments)
    assert r.status == 200, r.body
    return r.json()


def check_solution(result):
    assert list(result) == ["x", "f.pivots"], result
    assert np.allclose(result["x"], np.linalg.solve(np.dot(A, B), Y), rtol=1e-14), result
    assert result["f.pivots"] == scipy.linalg.lu_factor(np.dot(A, B))[1].tolist()


def npz(**arrays):
    b = io.BytesIO()
    np.savez(b, **arrays)
    return b.getvalue()


def npy(x):
    b = io.BytesIO()
    np.save(b, x)
    return b.getvalue()


def spd(n, seed=1, dtype="float64"):
    m = np.random.default_rng(seed).standard_normal((n, n))
    return (m @ m.T + n * np.eye(n)).astype(dtype)


@case()
def a_pipeline_feeds_one_operation_with_another(d):
    r = answer(d, {**SOLVE, "a": A, "b": B, "y": Y})
    check_solution(r["result"])
    assert r["op"] == "pipeline"
    assert [(s["as"], s["op"]) for s in r["timing"]["steps"]] == [("c", "matmul"), ("f", "lu"), ("x", "solve")]
    for s in r["timing"]["steps"]:
        assert s["compute_ms"] >= 0 and s["variant"]
        assert all(k["step"] == s["as"] for k in s["kernels"])
    assert r["timing"]["steps"][0]["kernels"]
    assert len(r["timing"]["kernels"]) == sum(len(s["kernels"]) for s in r["timing"]["steps"])


@case()
def a_pipeline_is_only_changed_as_the_preconditions_say(d):
    def put(*conditions):
        return curl(d, "/pipelines/once", "-X", "PUT", "-H", "Content-Type: application/json",
                    *[x for c in conditions for x in ("-H", c)], body=json.dumps(SOLVE).encode())

    put("If-Match: *").problem(412, "no such pipeline")
    assert put("If-None-Match: *").status == 201
    put("If-None-Match: *").problem(412, "is there")
    put('If-None-Match: *', 'If-Match: *').problem(412)
    put('If-Match: "x"').problem(412, "has changed")
    for condition in ('If-None-Match: "x"', "If-Match: *"):
        assert put(condition).status == 204, condition
    assert put('If-None-Match: "x"', 'If-None-Match: "y"').status == 204
    delete = lambda condition: curl(d, "/pipelines/once", "-X", "DELETE", "-H", condition)
    delete("If-None-Match: *").problem(412, "is there")
    delete('If-Match: "x"').problem(412)
    assert delete("If-Match: *").status == 204
    delete("If-Match: *").problem(404)


@case()
def a_saved_pipeline_has_an_entity_tag(d):
    at = "/pipelines/tagged"

    def ask(method, *conditions, op="lu"):
        body = json.dumps({"steps": [{"op": op, "a": "@a", "as": "t"}]}).encode() if method == "PUT" else None
        return curl(d, at, *(["-I"] if method == "HEAD" else ["-X", method]), "-H", "Content-Type: application/json",
                    *[x for c in conditions for x in ("-H", c)], body=body)
    ask("PUT", 'If-Match: "x"').problem(412, "no such pipeline")
    ask("DELETE", 'If-Match: "x"').problem(404)
    assert ask("PUT", 'If-None-Match: "x"').status == 201
    first = ask("GET").headers["etag"]
    for method in ("GET", "HEAD"):
        whole = ask(method)
        assert whole.status == 200 and whole.headers["etag"] == first, whole.headers
        for none in (first, "W/" + first, "*", f'"x", {first}'):
            r = ask(method, "If-None-Match: " + none)
            assert r.status == 304 and r.body == b"" and r.headers["etag"] == first, (method, none, r.headers)
            assert r.headers["content-length"] == whole.headers["content-length"], r.headers
        for condition in ('If-None-Match: "x"', "If-Match: " + first, "If-Match: *"):
            assert ask(method, condition).status == 200, (method, condition)
        for match in ('"x"', "W/" + first):
            assert ask(method, "If-Match: " + match).status == 412, (method, match)
    ask("GET", 'If-Match: "x"').problem(412, "has changed")
    ask("PUT", "If-Match: W/" + first, op="qr").problem(412, "has changed")
    ask("PUT", "If-None-Match: " + first, op="qr").problem(412, "is there")
    assert ask("GET").headers["etag"] == first
    assert ask("PUT", f'If-Match: "x", {first}', op="qr").status == 204
    second = ask("GET").headers["etag"]
    assert second != first and ask("GET", "If-None-Match: " + first).status == 200
    ask("PUT", "If-Match: " + first).problem(412, "has changed")
    ask("DELETE", "If-Match: " + first).problem(412, "has changed")
    ask("DELETE", "If-None-Match: " + second).problem(412, "is there")
    assert ask("PUT").status == 204 and ask("GET").headers["etag"] == first
    assert ask("DELETE", "If-Match: " + first).status == 204 and ask("GET", "If-None-Match: *").status == 404


@case()
def a_saved_pipeline_looks_stored_matrices_up_when_it_runs(d):
    def put(a, op="transpose"):
        return curl(d, "/pipelines/later", "-X", "PUT", "-H", "Content-Type: application/json",
                    body=json.dumps({"steps": [{"op": op, "a": a, "as": "t"}]}).encode())

    for a in ({"ref": "later-a"}, "@later-a", {"real": {"ref": "later-a"}, "imag": {"ref": "later-a"}}):
        assert put(a).status in (201, 204), a
        post(d, "/pipelines/later", {}).problem(404 if isinstance(a, dict) else 400)
        assert post(d, "/matrices/later-a", {"matrix": A}, "-X", "PUT").status == 201
        t = answer(d, {}, at="/pipelines/later")["result"]["t"]
        assert t == ({"real": [[4, 1], [1, 3]], "imag": [[4, 1], [1, 3]]} if "real" in a else [[4, 1], [1, 3]]), t
        assert curl(d, "/matrices/later-a", "-X", "DELETE").status == 204
    put({"ref": ".a"}).problem(400, "/steps/0/a")
    put({"ref": 5}).problem(400, "/steps/0/a")
    put({"share": "x", "shape": [1, 1], "dtype": "float32"}).problem(400, "/steps/0/a")
    assert curl(d, "/pipelines/later", "-X", "DELETE").status == 204
    curl(d, "/pipelines/.p", "-X", "PUT", "-H", "Content-Type: application/json", body=b"{}").problem(400, "pipeline")


@case()
def what_a_pipeline_returns_is_judged(d):
    q = answer(d, {**SOLVE, "a": A, "b": B, "y": Y})["quality"]
    assert "residual" in q["x"] and "residual" in q["f"] and "c" not in q
    q = answer(d, {**SOLVE, "return": ["x"], "a": A, "b": B, "y": Y})["quality"]
    assert list(q) == ["x"]
    assert "quality" not in answer(d, {**SOLVE, "a": A, "b": B, "y": Y, "quality": "none"})
    steps = [dict(s) for s in SOLVE["steps"]]
    steps[1]["quality"] = "full"
    q = answer(d, {"steps": steps, "a": A, "b": B, "y": Y, "quality": "none"})["quality"]
    assert list(q) == ["f"]


@case()
def without_return_a_pipeline_answers_its_last_step(d):
    r = answer(d, {"steps": [{"op": "transpose", "a": "@m", "as": "t"}, {"op": "lu", "a": "t", "as": "f"}],
                   "m": [[1, 2], [3, 4]]})
    assert list(r["result"]) == ["f"]


# A step, an output that its parameters remove, and the value that is its first one then.
FIRST_OF = (
    ({"op": "reduce", "parameters": {"op": "sum", "axis": 0}, "a": "@s"}, "value", lambda s: s.sum(0)),
    ({"op": "eigen", "which": "largest", "k": 2, "structure": "symmetric", "a": "@s"}, "eigenvalue",
     lambda s: np.linalg.eigvalsh(s)[2:]),
    ({"op": "svd", "vectors": "none", "a": "@s"}, "u", lambda s: np.linalg.svd(s)[1]),
)


@case()
def a_step_named_alone_means_the_first_output_that_it_has(d):
    s = spd(4)
    for step, removed, first in FIRST_OF:
        alone = answer(d, {"steps": [{**step, "as": "f"}], "s": s.tolist()})["result"]
        assert list(alone) == ["f"] and np.allclose(alone["f"], first(s), rtol=1e-12), (step, alone)
        fed = answer(d, {"steps": [{**step, "as": "f"}, {"op": "matmul", "a": "@s", "b": "@c", "as": "p"},
                                   {"op": "matmul", "a": "f", "b": "@e", "as": "g"}],
                         "return": ["g", "p"], "s": s.tolist(), "c": np.eye(4).tolist(), "e": np.eye(len(first(s))).tolist()})
        assert np.allclose(fed["result"]["g"], first(s), rtol=1e-12), (step, fed["result"])
        post(d, "/pipelines", {"steps": [{**step, "as": "f"}], "return": ["f." + removed], "s": s.tolist()}).problem(400, "no output")


@case()
def a_pipeline_in_an_archive_has_its_description_in_the_query(d):
    q = "/pipelines?pipeline=" + urllib.parse.quote(json.dumps(SOLVE))
    body = npz(a=np.array(A, float), b=np.array(B, float), y=np.array(Y, float))
    r = curl(d, q, "-H", "Content-Type: application/x-npz", body=body)
    assert r.status == 200, r.body
    check_solution(r.json()["result"])
    r = curl(d, q, "-H", "Content-Type: application/x-npz", "-H", "Accept: application/x-npz", body=body)
    with np.load(io.BytesIO(r.body)) as z:
        check_solution({k: z[k].tolist() for k in ("x", "f.pivots")})
    curl(d, q, "-H", "Content-Type: application/x-npz", body=npz(a=np.eye(2), b=np.eye(2))).problem(400, "/y")
    large = np.random.default_rng(0).standard_normal((3, 300, 300))
    r = curl(d, q, "-H", "Content-Type: application/x-npz", "-H", "Accept: application/x-npy",
             body=npz(a=large[0], b=large[1], y=large[2]))
    x = np.load(io.BytesIO(r.body))
    assert np.allclose(large[0] @ large[1] @ x, large[2], atol=1e-6)


@case()
def a_form_has_the_pipeline_as_a_part(d):
    for n, m in (("a", A), ("b", B)):
        with open(f"{d.state}/{n}.npy", "wb") as f:
            f.write(npy(np.array(m, float)))
    with open(f"{d.state}/p.json", "w") as f:
        json.dump(SOLVE, f)
    operands = ["-F", f"a=@{d.state}/a.npy", "-F", f"b=@{d.state}/b.npy", "-F", "y=[1,2]"]
    for description in ("pipeline=" + json.dumps(SOLVE) + ";type=application/json", f"pipeline=@{d.state}/p.json",
                        f"pipeline=<{d.state}/p.json"):
        r = curl(d, "/pipelines", "-F", description, *operands)
        assert r.status == 200, r.body
        check_solution(r.json()["result"])
        r = curl(d, "/pipelines", *operands, "-F", description)
        check_solution(r.json()["result"])


@case()
def operands_of_pipelines_without_names_come_in_the_order_of_the_steps(d):
    steps = {"steps": [{"op": "matmul", "a": "@p", "b": "@q", "as": "c"}]}
    q = "/pipelines?pipeline=" + urllib.parse.quote(json.dumps(steps))
    p, r = np.arange(6, dtype="float32").reshape(2, 3), np.ones((3, 1), "float32")
    got = curl(d, q + "&dtype=float32&q.shape=3,1&p.shape=2,3", "-H", "Content-Type: application/octet-stream",
               body=p.tobytes() + r.tobytes())
    assert got.status == 200, got.body
    assert got.json()["result"] == {"c": [[3], [12]]}
    one = {"steps": [{"op": "matmul", "a": "@p", "b": "@p", "transpose_b": True, "as": "c"}]}
    q = "/pipelines?pipeline=" + urllib.parse.quote(json.dumps(one))
    for kind, body in (("x-npy", npy(p)), ("x-matrix-market", b"%%MatrixMarket matrix array integer general\n"
                                           b"2 3\n0\n3\n1\n4\n2\n5\n")):
        got = curl(d, q, "-H", f"Content-Type: application/{kind}", body=body)
        assert got.status == 200, got.body
        assert got.json()["result"] == {"c": [[5, 14], [14, 50]]}
    curl(d, "/pipelines", "-H", "Content-Type: application/x-npy", body=npy(p)).problem(400, "in the query")


@case()
def operands_of_pipelines_may_be_stored_or_stand_in_a_step(d):
    assert post(d, "/matrices/pipe_b", {"matrix": B}, "-X", "PUT").status in (201, 204)
    r = answer(d, {"steps": [{"op": "matmul", "a": A, "b": "@pipe_b", "as": "c"},
                             {"op": "matmul", "a": "c", "b": {"ref": "pipe_b"}, "as": "e"},
                             {"op": "matmul", "a": "e", "b": {"generate": "identity", "shape": [2, 2]}, "as": "g"},
                             {"op": "matmul", "a": "g", "b": {"shape": [2, 1], "data": [1, 2]}, "as": "h"}]})
    assert r["result"]["h"] == (np.dot(np.dot(A, B), np.dot(B, [[1], [2]]))).tolist()
    r = answer(d, {"steps": [{"op": "matmul", "a": "@pipe_b", "b": "@pipe_b", "as": "c"}], "pipe_b": A})
    assert r["result"]["c"] == np.dot(A, A).tolist()
    assert curl(d, "/matrices/pipe_b", "-X", "DELETE").status == 204
    post(d, "/pipelines", {"steps": [{"op": "lu", "a": "@pipe_b", "as": "c"}]}).problem(400, "/pipe_b")


def every_dense_operation():
    """Returns steps of every kind: they take the product p = a b, a permutation k of its rows, or p's factors."""
    for op in ("cholesky", "svd", "qr", "inverse", "pinv", "expm", "trace", "norm", "det", "cond", "lu", "transpose"):
        yield {"op": op, "a": "p"}
    yield {"op": "eigen", "a": "p"}
    yield {"op": "eigen", "a": "p", "which": "all", "structure": "symmetric"}
    yield {"op": "solve", "a": "p", "b": "p"}
    yield {"op": "solve", "a": "p", "b": "@b"}
    yield {"op": "solve", "factors": "f", "b": "p"}
    yield {"op": "lstsq", "a": "p", "b": "p"}
    yield {"op": "matmul", "a": "p", "b": "p", "transpose_a": True}
    yield {"op": "kron", "a": "p", "b": "@k"}
    yield {"op": "reduce", "a": "p", "axis": 0}
    yield {"op": "reduce", "a": "p", "parameters": {"op": "max"}}
    yield {"op": "permute", "a": "p", "p": "f.p"}


def one_by_one(d, step, p, b, k):
    """Returns the outputs of a step that is sent as a request of its own."""
    lu = post(d, "/lu?return=lu,pivots,p", {"a": p}).json()["result"]
    known = {"p": p, "@b": b, "@k": k, "f": {"lu": lu["lu"], "pivots": lu["pivots"]}, "f.p": lu["p"]}
    body = {n: known.get(v, v) if isinstance(v, str) else v for n, v in step.items() if n not in ("op", "parameters")}
    body.update(step.get("parameters", {}))
    r = post(d, "/" + step["op"], body)
    assert r.status == 200, r.body
    return r.json()["result"]


@case()
def every_dense_operation_is_a_step_of_a_pipeline(d):
    a = spd(12).tolist()
    k = [[1.0, 2.0]]
    for step in every_dense_operation():
        steps = [{"op": "matmul", "a": "@a", "b": "@b", "as": "p"}, {"op": "lu", "a": "p", "as": "f"}, {**step, "as": "z"}]
        uses = json.dumps(step)
        body = {"a": a, "b": np.eye(12).tolist(), "k": k}
        if '"f' not in uses:
            del steps[1]
        if "@k" not in uses:
            del body["k"]
        wanted = one_by_one(d, step, a, body["b"], k)
        names = [n for n in wanted if n not in ("nonfinite", "failed")]
        got = answer(d, {"steps": steps, "return": ["z." + n for n in names], **body})["result"]
        for n in names:
            assert np.allclose(np.array(got["z." + n], float), np.array(wanted[n], float), rtol=1e-9, atol=1e-9), (step, n)


@case()
def stacks_flow_through_pipelines_and_failures_are_told_by_step(d):
    a = np.stack([spd(3, 1), np.zeros((3, 3)), spd(3, 2)])
    steps = [{"op": "matmul", "a": "@a", "b": "@e", "as": "c"}, {"op": "cholesky", "a": "c", "as": "l"},
             {"op": "matmul", "a": "l", "b": "l", "transpose_b": True, "as": "p"}]
    r = answer(d, {"steps": steps, "return": ["p"], "a": a.tolist(), "e": np.eye(3).tolist()})["result"]
    assert np.allclose(np.array(r["p"], float)[[0, 2]], a[[0, 2]])
    assert r["nonfinite"] and r["failed"][0]["step"] == "l" and r["failed"][0]["index"] == 1
    assert r["failed"][0]["kind"] == "not-positive-definite"
    q = "/pipelines?pipeline=" + urllib.parse.quote(json.dumps({"steps": steps}))
    z = curl(d, q, "-H", "Content-Type: application/x-npz", "-H", "Accept: application/x-npz", body=npz(a=a, e=np.eye(3)))
    with np.load(io.BytesIO(z.body)) as f:
        assert f["l.failed"].tolist() == [1], f.files


@case()
def sparse_operands_flow_through_pipelines(d):
    s = scipy.sparse.random(30, 30, 0.2, "csr", random_state=3)
    m = {"format": "csr", "shape": [30, 30], "indptr": s.indptr.tolist(), "indices": s.indices.tolist(),
         "data": s.data.tolist()}
    steps = [{"op": "permute", "a": "@s", "p": "@p", "as": "t"}, {"op": "spmv", "a": "t", "x": "@x", "as": "y"},
             {"op": "spmv", "a": "@s", "x": "y", "as": "z"}]
    x, p = np.arange(30.0), np.random.default_rng(4).permutation(30)
    for returned in (["z", "t"], ["z"]):
        r = answer(d, {"steps": steps, "return": returned, "s": m, "x": x.tolist(), "p": p.tolist()})["result"]
        assert np.allclose(r["z"], s @ (s[p] @ x)) and (len(returned) == 1 or r["t"]["format"] == "csr")
    dense = {"steps": [{"op": "matmul", "a": "@s", "b": "@s", "as": "c"}, {"op": "lu", "a": "c", "as": "f"}], "s": m}
    assert post(d, "/pipelines", dense).status == 200
    post(d, "/pipelines", {"steps": [steps[0], {"op": "lu", "a": "t", "as": "f"}], "s": m,
                           "p": p.tolist()}).problem(422, "/steps/1/a")
    post(d, "/pipelines", {"steps": [{"op": "matmul", "a": "@d", "b": "@d", "as": "c"},
                                     {"op": "spmv", "a": "c", "x": "@x", "as": "y"}],
                           "d": A, "x": [1, 2]}).problem(422, "/steps/1/a")


@case()
def every_sparse_method_takes_a_sparse_intermediate(d):
    n = 40
    s = scipy.sparse.random(n, n, 0.1, "csr", random_state=3)
    s = (s + s.T + 20 * scipy.sparse.eye(n)).tocsr()
    m = {"format": "csr", "shape": [n, n], "indptr": s.indptr.tolist(), "indices": s.indices.tolist(),
         "data": s.data.tolist()}
    x, p = np.cos(np.arange(n)), np.random.default_rng(4).permutation(n)
    t = s.toarray()[np.ix_(p, p)]
    steps = [{"op": "spmv", "x": "@x", "variant": v} for v in ("csr", "csr-lanes", "coo", "ellpack-r", "sell")]
    steps += [{"op": "solve", "b": "@x", "method": v, "tol": 1e-9} for v in ("auto", "cg", "minres", "gmres", "bicgstab", "jacobi")]
    steps += [{"op": "solve", "b": "@x", "method": "cg", "tol": 1e-9, "variant": v} for v in ("blocked", "tiled")]
    steps += [{"op": "jacobi", "b": "@x", "variant": v} for v in ("rows", "lanes")]
    for step in steps:
        r = answer(d, {"steps": [{"op": "permute", "a": "@s", "p": "@p", "as": "t", "mode": "symmetric"},
                                 {**step, "a": "t", "as": "y"}], "s": m, "x": x.tolist(), "p": p.tolist()})["result"]
        y = t @ x if step["op"] == "spmv" else np.linalg.solve(t, x)
        assert np.allclose(r["y"], y, rtol=1e-6, atol=1e-7), step


@case()
def a_sparse_intermediate_keeps_its_type(d):
    a = {"format": "csr", "shape": [2, 2], "indptr": [0, 1, 2], "indices": [0, 1], "data": [2.0, 3.0]}
    permute = {"op": "permute", "a": "@a", "p": "@p", "as": "t", "mode": "symmetric"}
    for step in ({"op": "spmv", "x": "@x"}, {"op": "solve", "b": "@x", "method": "cg"}, {"op": "jacobi", "b": "@x"}):
        for of_all, own in (("float64", "float32"), ("float32", "float64")):
            asked = {"steps": [{**permute, "dtype": of_all}, {**step, "a": "t", "as": "y", "dtype": own}],
                     "a": a, "p": [1, 0], "x": [1.0, 1.0]}
            post(d, "/pipelines", asked).problem(400, "/steps/1/a")
            asked["steps"][1]["dtype"] = of_all
            answer(d, asked)


@case()
def a_dense_matrix_becomes_sparse_beside_an_intermediate(d):
    a, x = np.array([[0, 2, 0], [1, 0, 3], [0, 0, 0]]), [4.0, 5, 6]
    for dtype, most in (("float32", 3e38), ("float64", 1.5e308)):
        r = answer(d, {"steps": [{"op": "matmul", "a": "@a", "b": "@x", "as": "y"},
                                 {"op": "spmv", "a": "@a", "x": "y", "as": "z", "repeat": 2},
                                 {"op": "spmv", "a": "@a", "x": "@x", "y": "y", "accumulate": True, "as": "w"}],
                       "return": ["z", "w"], "a": a.tolist(), "x": x, "dtype": dtype})["result"]
        assert r == {"z": (a @ a @ a @ x).tolist(), "w": (2 * a @ x).tolist()}, r
        # As in one request: a zero of a dense matrix times an infinity is NaN.
        r = answer(d, {"steps": [{"op": "reduce", "a": "@b", "axis": 0, "as": "y", "parameters": {"op": "sum"}},
                                 {"op": "spmv", "a": "@a", "x": "y", "as": "z"}],
                       "a": a.tolist(), "b": [[most, 0, 1], [most, 0, 1]], "dtype": dtype})["result"]
        assert r["z"] == [None] * 3, r


@case()
def element_types_flow_through_pipelines(d):
    a, b = spd(5, 1, "float32"), spd(5, 2)
    steps = {"steps": [{"op": "matmul", "a": "@a", "b": "@a", "as": "c"}, {"op": "matmul", "a": "c", "b": "@b", "as": "e"}],
             "return": ["c", "e"]}

    def types(description, **query):
        q = "/pipelines?" + urllib.parse.urlencode({"pipeline": json.dumps(description), **query})
        r = curl(d, q, "-H", "Content-Type: application/x-npz", "-H", "Accept: application/x-npz", body=npz(a=a, b=b))
        assert r.status == 200, r.body
        with np.load(io.BytesIO(r.body)) as z:
            return z["c"], z["e"]
    c, e = types(steps)
    assert (c.dtype, e.dtype) == ("float32", "float64")
    assert np.allclose(e, c.astype("float64") @ b, rtol=1e-14)
    c, e = types(steps, dtype="float32")
    assert (c.dtype, e.dtype) == ("float32", "float32")
    own = {**steps, "steps": [{**steps["steps"][0], "dtype": "float64"}, {**steps["steps"][1], "dtype": "float32"}]}
    c, e = types(own)
    assert (c.dtype, e.dtype) == ("float64", "float32")
    c, e = types(steps, dtype="float16")
    assert (c.dtype, e.dtype) == ("float16", "float16")
    assert np.allclose(e.astype(float), a.astype(float) @ a.astype(float) @ b, rtol=2e-2)
    r = answer(d, {"steps": [{"op": "matmul", "a": "@a", "b": "@a", "as": "c"}, {"op": "reduce", "a": "c", "as": "s"}],
                   "a": [[1, 2], [3, 4]], "dtype": "int32"})
    assert r["result"]["s"] == 54


@case()
def a_returned_float16_product_feeds_steps_of_other_types(d):
    x = [[1, 2], [3, 4.0]]
    for dtype in ("float16", "bfloat16"):
        for take, out, want in (({"op": "trace"}, "t", 29), ({"op": "trace", "dtype": "float64"}, "t", 29),
                                ({"op": "reduce", "dtype": "float32"}, "t", 54),
                                ({"op": "reduce", "dtype": "bfloat16"}, "t", 54),
                                ({"op": "reduce", "dtype": "float16"}, "t", 54),
                                ({"op": "inverse"}, "t", np.linalg.inv(np.array(x) @ x).tolist())):
            for returned in ([out], [out, "c"], ["c", out]):
                r = answer(d, {"steps": [{"op": "matmul", "a": "@x", "b": "@x", "as": "c", "dtype": dtype},
                                         {**take, "a": "c", "as": out}], "return": returned, "x": x})["result"]
                assert np.allclose(r[out], want, rtol=1e-5) and ("c" in r) == ("c" in returned), (dtype, take, r)
                assert "c" not in r or r["c"] == [[7, 10], [15, 22]], r


@case()
def no_pipeline_runs_before_the_whole_is_checked(d):
    good = {"op": "lu", "a": "@a", "as": "f"}

    def bad(status, pointer, *steps, **more):
        p = post(d, "/pipelines", {"steps": list(steps), "a": A, **more}).problem(status)
        assert p["errors"][0]["pointer"].lstrip("#") == pointer, p
        return p["detail"]
    assert "loo" in bad(400, "/steps/0/op", {"op": "loo", "a": "@a", "as": "f"})
    bad(400, "/steps/0/op", {"a": "@a", "as": "f"})
    bad(400, "/steps/0/as", {"op": "lu", "a": "@a"})
    bad(400, "/steps/0/as", {"op": "lu", "a": "@a", "as": "f.g"})
    bad(400, "/steps/1/as", good, good)
    bad(400, "/steps/0", 7)
    bad(400, "/steps/0/a", {"op": "lu", "a": "f", "as": "f"})
    assert "no earlier" in bad(400, "/steps/0/a", {"op": "lu", "a": "g", "as": "f"}, {"op": "lu", "a": "@a", "as": "g"})
    bad(400, "/steps/0/a", {"op": "lu", "a": "nobody", "as": "f"})
    bad(400, "/steps/1/a", good, {"op": "lu", "a": "f.pivot", "as": "g"})
    bad(400, "/steps/0/c", {"op": "lu", "a": "@a", "c": [[1]], "as": "f"})
    bad(400, "/steps/0/toll", {"op": "lu", "a": "@a", "toll": 1, "as": "f"})
    bad(400, "/steps/0/pivot", {**good, "pivot": "some"})
    bad(400, "/steps/0/variant", {**good, "variant": "fastest"})
    bad(400, "/steps/0/dtype", {**good, "dtype": "int64"})
    bad(400, "/steps/0/quality", {**good, "quality": "best"})
    bad(400, "/steps/0/pivot", {**good, "pivot": {"x": 1}})
    bad(400, "/steps/0", good, {"op": "lu", "a": "@a", "as": "g"})
    bad(400, "/steps/0/a", {"op": "lu", "as": "f"}, {"op": "lu", "a": "@a", "as": "g"}, **{"return": "f,g"})
    bad(400, "/steps/0/parameters", {**good, "parameters": [1]})
    bad(400, "/steps/0/parameters/some", {**good, "parameters": {"some": 1}})
    bad(400, "/steps/0/parameters/pivot", {**good, "pivot": "none", "parameters": {"pivot": "none"}})
    bad(400, "/return", good, **{"return": ["f", "g"]})
    bad(400, "/return", good, **{"return": ["f.nothing"]})
    bad(400, "/return", good, **{"return": ["f", "f"]})
    bad(400, "/steps/0", {"op": "lu", "a": [[1, 2]], "as": "f"}, {"op": "lu", "a": "@a", "as": "g"},
        **{"return": ["f.sign", "g"]})
    bad(400, "/b", good, b=A)
    bad(400, "/missing", {"op": "lu", "a": "@missing", "as": "f"}, {"op": "lu", "a": "@a", "as": "g"}, **{"return": "f,g"})
    bad(400, "/steps/0/a", {"op": "lu", "a": [[1, 2], [3]], "as": "f"})
    bad(404, "/steps/0/a", {"op": "lu", "a": {"ref": "nowhere"}, "as": "f"})
    bad(422, "/steps/1", good, {"op": "matmul", "a": "f", "b": [[1, 2, 3]], "as": "c"})
    bad(422, "/steps/1/a", {"op": "eigen", "a": "@a", "which": "all", "structure": "general", "as": "e"},
        {"op": "norm", "a": "e.eigenvalues", "as": "n"})
    bad(400, "/steps")
    bad(400, "/steps", *([good] * 33))
    bad(400, "/variant", good, variant="blocked")
    bad(400, "/timing", good, timing="some")
    for text in ("{}", '{"steps": {}}', '{"steps": "x"}', '{"steps": [}'):
        curl(d, "/pipelines", "-H", "Content-Type: application/json", body=text.encode()).problem(400)
    q = "/pipelines?pipeline=" + urllib.parse.quote('{"steps":[],"also":1}')
    curl(d, q, "-H", "Content-Type: application/json", body=b"{}").problem(400, "also")


@case()
def a_step_of_a_pipeline_that_fails_is_named(d):
    p = post(d, "/pipelines", {"steps": [{"op": "matmul", "a": "@a", "b": "@a", "as": "c"},
                                         {"op": "cholesky", "a": "c", "as": "l"}, {"op": "trace", "a": "l", "as": "t"}],
                               "a": [[0, 1], [-1, 0]]}).problem(422, "step l")
    assert p["type"] == "/problems/not-positive-definite" and p["errors"][0]["pointer"].startswith("#/steps/1"), p
    p = post(d, "/pipelines", {"steps": [{"op": "lu", "a": "@a", "as": "f"},
                                         {"op": "solve", "factors": "f", "b": "@b", "as": "x"}],
                               "a": [[1, 1], [1, 1]], "b": [1, 2]}).problem(422, "step x")
    assert p["type"] == "/problems/singular", p


@case()
def a_pipeline_may_be_asynchronous_and_repeated(d):
    key = "-H", "Idempotency-Key: pipeline-1"
    body = {**SOLVE, "a": A, "b": B, "y": Y}
    at = submit(d, "/pipelines", body, *key)
    assert finished(d, at)["op"] == "pipeline"
    check_solution(curl(d, at + "/result").json()["result"])
    assert submit(d, "/pipelines", body, *key) == at
    post(d, "/pipelines", {**body, "y": [2, 1]}, *ASYNC, *key).problem(422)
    status = job(d, at)
    assert status["progress"] == 100 and len(status["timing"]["steps"]) == 3
    trace = post(d, "/pipelines?timing=trace", {**SOLVE, "a": A, "b": B, "y": Y}, *ASYNC)
    at = trace.headers["location"]
    finished(d, at)
    assert "matmul" in curl(d, at + "/trace").body.decode()


@case()
def a_pipeline_waits_and_can_be_dismissed(d):
    with busy(d):
        at = submit(d, "/pipelines", {**SOLVE, "a": A, "b": B, "y": Y})
        assert job(d, at)["status"] == "accepted"
        dismiss(d, at)
    chain = [{"op": "matmul", "a": "@m", "b": "@m", "as": "s0"}] + [
        {"op": "matmul", "a": f"s{i}", "b": "@m", "as": f"s{i + 1}"} for i in range(31)]
    at = submit(d, "/pipelines", {"steps": chain, "m": {"generate": "random", "shape": [1500, 1500]}})
    until("it runs", lambda: job(d, at)["status"] == "running")
    until("it gets on", lambda: 0 < job(d, at)["progress"] < 100)
    dismiss(d, at)
    assert job(d, at)["status"] == "dismissed"
    check_solution(answer(d, {**SOLVE, "a": A, "b": B, "y": Y})["result"])
    post(d, "/pipelines?timeout_ms=20", {"steps": chain, "m": {"generate": "random", "shape": [1500, 1500]}}).problem(504)


@case()
def a_pipeline_can_be_saved(d):
    put = lambda name, text: curl(d, "/pipelines/" + name, "-X", "PUT", "-H", "Content-Type: application/json",
                                  body=text.encode())
    assert curl(d, "/pipelines").json() == {"pipelines": []}
    r = put("gauss", json.dumps(SOLVE))
    assert r.status == 201 and r.headers["location"] == "/pipelines/gauss"
    assert put("gauss", json.dumps(SOLVE)).status == 204
    assert curl(d, "/pipelines/gauss").json() == SOLVE
    assert curl(d, "/pipelines").json() == {"pipelines": [{"name": "gauss", "steps": 3, "operands": ["a", "b", "y"]}]}
    check_solution(answer(d, {"a": A, "b": B, "y": Y}, at="/pipelines/gauss")["result"])
    assert list(answer(d, {"a": A, "b": B, "y": Y, "return": "f"}, at="/pipelines/gauss")["result"]) == ["f"]
    body = npz(a=np.array(A, float), b=np.array(B, float), y=np.array(Y, float))
    r = curl(d, "/pipelines/gauss", "-H", "Content-Type: application/x-npz", body=body)
    check_solution(r.json()["result"])
    post(d, "/pipelines/gauss", {**SOLVE, "a": A}).problem(400, "twice")
    put("gauss", '{"steps": [{"op": "loo", "as": "f"}]}').problem(400, "/steps/0/op")
    put("gauss", "nonsense").problem(400)
    put(".gauss", json.dumps(SOLVE)).problem(400)
    put("large", json.dumps({**SOLVE, "x": "x" * 70000})).problem(413)
    curl(d, "/pipelines/gauss", "-X", "PUT", "-H", "Content-Type: text/plain", body=b"{}").problem(415)
    assert curl(d, "/pipelines/gauss", "-X", "DELETE").status == 204
    for method in ("GET", "DELETE"):
        curl(d, "/pipelines/gauss", "-X", method).problem(404)
    post(d, "/pipelines/gauss", {"a": A}).problem(404)


@case()
def pipelines_are_counted(d):
    answer(d, {**SOLVE, "a": A, "b": B, "y": Y})
    text = curl(d, "/metrics").body.decode()
    assert 'linalgd_jobs_total{op="pipeline",' in text
    assert 'linalgd_job_duration_seconds_count{op="pipeline",stage="compute"}' in text


@case("--host-memory", "64M")
def intermediates_of_pipelines_count_as_memory(d):
    chain = [{"op": "kron", "a": "@m", "b": "@m", "as": "k"}, {"op": "trace", "a": "k", "as": "t"}]
    m = np.eye(60).tolist()
    post(d, "/pipelines", {"steps": chain, "m": m}).problem(413, "intermediates")
    m = np.eye(40).tolist()
    assert answer(d, {"steps": chain, "m": m})["result"]["t"] == 1600
    for _ in range(5):
        assert answer(d, {"steps": chain, "m": m})["result"]["t"] == 1600


@case()
def an_operand_of_a_pipeline_may_have_any_name_but_a_parameters(d):
    def ask(name, more):
        return {"steps": [{"op": "trace", "a": "@" + name, "as": "t"}], **more}
    m = [[1, 2], [3, 4]]
    usual = ("shape", "a.shape", "shape.shape", "generate", "format", "ref", "data", "share", "base64", "real", "lu", "op", "as", "matrix",
             "parameters", "a", "x/y", "x y", "t", "n" * 63)
    for name in usual:
        for value in (m, {"shape": [2, 2], "data": [1, 2, 3, 4]}):
            assert answer(d, ask(name, {name: value}))["result"]["t"] == 5, name
        q = "/pipelines?" + urllib.parse.urlencode({"pipeline": json.dumps(ask(name, {}))})
        r = curl(d, q, "-H", "Content-Type: application/x-npz", body=npz(**{name: m}))
        assert r.json()["result"]["t"] == 5, r.body
        shape = urllib.parse.urlencode({name + ".shape": "2,2", "dtype": "float64"})
        r = curl(d, q + "&" + shape, "-H", "Content-Type: application/octet-stream", body=np.array(m, "float64").tobytes())
        assert r.json()["result"]["t"] == 5, r.body
        r = curl(d, "/pipelines", "-F", "pipeline=" + json.dumps(ask(name, {})), "-F", f"{name}={json.dumps(m)}")
        assert r.json()["result"]["t"] == 5, r.body
    assert curl(d, "/matrices/shape", "-X", "PUT", "-H", "Content-Type: application/json", body=b'{"matrix": [[7]]}').status == 201
    assert answer(d, ask("shape", {}))["result"]["t"] == 7
    curl(d, "/matrices/shape", "-X", "DELETE")
    for name in ("pipeline", "steps", "return", "device", "dtype", "variant", "timeout_ms", "priority", "timing", "quality", "store",
                 "ttl", "into"):
        p = post(d, "/pipelines", ask(name, {})).problem(400, "cannot be an operand's name: a parameter of pipelines has it")
        assert p["errors"][0]["pointer"] == "#/steps/0/a", p
    post(d, "/pipelines", ask("n" * 64, {})).problem(400, "it has 64 bytes, must have 1 to 63")
    post(d, "/pipelines", ask("", {})).problem(400, "it has 0 bytes, must have 1 to 63")


@case()
def a_long_list_of_pipelines_tells_steps_and_operands(d):
    """A pool thread parses the descriptions; clients that leave meanwhile get nothing."""
    long = [[i / 7 for i in range(2000)]]
    for i in range(12):
        steps = [{"op": "kron", "a": "@x", "b": long, "as": "k"}] + [{"op": "kron", "a": f"t{n - 1}" if n else "k", "b": "@y", "as": f"t{n}"} for n in range(i)]
        assert curl(d, f"/pipelines/long{i}", "-X", "PUT", "-H", "Content-Type: application/json", body=json.dumps({"steps": steps}).encode()).status in (201, 204)
    for _ in range(20):
        send(d, b"GET /pipelines HTTP/1.1\r\nHost: localhost\r\n\r\n").close()
    rows = {row["name"]: row for row in curl(d, "/pipelines").json()["pipelines"]}
    for i in range(12):
        assert rows[f"long{i}"] == {"name": f"long{i}", "steps": i + 1, "operands": ["x"] + ["y"] * (i > 0)}, rows[f"long{i}"]
        assert curl(d, f"/pipelines/long{i}", "-X", "DELETE").status == 204
