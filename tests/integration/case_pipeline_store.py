"""case_pipeline_store.py - outputs of pipelines that are kept as stored matrices, and the time to live and preconditions of
all stored results."""
import json
import urllib.parse

import numpy as np
import scipy.linalg

from case_formats import accept
from case_matrices import fetched, names, put
from case_pipelines import A, B, SOLVE, Y, answer, npz, spd
from case_stored_http import h, row, tag
from client import ASYNC, busy, case, curl, finished, post, submit, until

OPERANDS = {"a": A, "b": B, "y": Y}
PRODUCT = np.dot(A, B)


@case()
def pipelines_store_intermediates_and_results(d):
    r = answer(d, {**SOLVE, **OPERANDS, "return": "f.pivots", "store": "x:ps-x,f:ps-f,c:ps-c"})
    assert list(r["result"]) == ["f.pivots"], r["result"]
    assert r["stored"]["f"] == {"name": "ps-f", "shape": [2, 2], "dtype": "float64"} and list(r["stored"]) == ["x", "f", "c"]
    assert (fetched(d, "ps-c") == PRODUCT).all() and np.allclose(fetched(d, "ps-f"), scipy.linalg.lu_factor(PRODUCT)[0])
    assert np.allclose(PRODUCT @ fetched(d, "ps-x"), Y)
    again = answer(d, {"steps": [{"op": "solve", "a": "@ps-c", "b": "@y", "as": "x"}], "y": Y})
    assert np.allclose(again["result"]["x"], fetched(d, "ps-x"))


@case()
def large_outputs_of_pipelines_are_stored_as_they_are_answered(d):
    n = 300
    a, b = spd(n, 1, "float32"), spd(n, 2, "float32")
    chain = {"steps": [{"op": "matmul", "a": "@a", "b": "@b", "as": "c"}, {"op": "cholesky", "a": "@a", "as": "l"},
                       {"op": "eigen", "a": "c", "as": "e", "which": "all"}], "return": ["c", "e.eigenvalues"], "store": "l:pl"}
    q = "/pipelines?pipeline=" + urllib.parse.quote(json.dumps(chain))
    r = curl(d, q, "-H", "Content-Type: application/x-npz", *accept("x-npz"), body=npz(a=a, b=b))
    assert r.status == 200 and r.headers["linalgd-stored"] == "l:pl", r.body[:300]
    assert fetched(d, "pl").dtype == "float32" and np.allclose(fetched(d, "pl"), np.linalg.cholesky(a), rtol=1e-3, atol=1e-3)
    r = curl(d, q + "&store=c:pc,e.eigenvalues:pe", "-H", "Content-Type: application/x-npz", body=npz(a=a, b=b)).json()
    assert list(r["stored"]) == ["c", "e.eigenvalues"] and len(r["result"]["e.eigenvalues"]) == n
    assert np.allclose(fetched(d, "pc"), a @ b, rtol=1e-3, atol=1e-2 * n)
    assert row(d, "pe")["dtype"] == r["stored"]["e.eigenvalues"]["dtype"]
    assert row(d, "pe")["bytes"] == n * np.dtype(row(d, "pe")["dtype"]).itemsize


@case()
def halves_are_stored_as_halves_though_a_step_takes_them(d):
    steps = [{"op": "matmul", "a": "@a", "b": "@b", "as": "c"}, {"op": "matmul", "a": "c", "b": "@b", "as": "e"}]
    answer(d, {"steps": steps, "a": A, "b": B, "dtype": "float16", "store": "c:half-c,e:half-e"})
    assert row(d, "half-c")["dtype"] == row(d, "half-e")["dtype"] == "float16"
    assert (fetched(d, "half-e") == PRODUCT @ B).all() and (fetched(d, "half-c") == PRODUCT).all()


@case()
def the_first_output_of_a_pipeline_is_that_it_returns(d):
    r = answer(d, {**SOLVE, **OPERANDS, "store": "pf"})
    assert list(r["stored"]) == ["x"] and list(r["result"]) == ["x", "f.pivots"]
    bare = {k: v for k, v in SOLVE.items() if k != "return"}
    r = answer(d, {**bare, **OPERANDS, "store": "pf"})
    assert list(r["stored"]) == ["x"] and r["result"] == {}
    r = answer(d, {**bare, **OPERANDS, "store": ["f.pivots:pp", "f:pf"]})
    assert list(r["stored"]) == ["f.pivots", "f"] and list(r["result"]) == ["x"]
    q = "/pipelines?pipeline=" + urllib.parse.quote(json.dumps(bare))
    r = curl(d, q + "&store=pf", "-H", "Content-Type: application/x-npz", *accept("x-npy"), body=npz(**OPERANDS))
    assert r.status == 204 and r.body == b"" and r.headers["linalgd-stored"] == "x:pf", r.headers
    factors = {"steps": bare["steps"][:2], "a": A, "b": B}
    r = answer(d, {**factors, "return": ["f", "f.lu"], "store": "f:pf,f.lu:pg"})
    assert r["result"]["f"] == r["result"]["f.lu"] and (fetched(d, "pf") == fetched(d, "pg")).all()
    r = answer(d, {**factors, "store": "f.singular:flag"})
    assert r["stored"]["f.singular"] == {"name": "flag", "shape": [], "dtype": "bool"}


@case()
def saved_pipelines_may_store(d):
    saved = {**SOLVE, "return": ["f.pivots"], "store": "x:saved-x"}
    assert post(d, "/pipelines/stores", saved, "-X", "PUT").status == 201
    assert curl(d, "/pipelines/stores").json() == saved
    r = answer(d, OPERANDS, at="/pipelines/stores")
    assert list(r["stored"]) == ["x"] and list(r["result"]) == ["f.pivots"]
    r = answer(d, {**OPERANDS, "store": "c:other"}, at="/pipelines/stores")
    assert list(r["stored"]) == ["c"] and (fetched(d, "other") == PRODUCT).all()
    r = answer(d, {**OPERANDS, "return": "c"}, at="/pipelines/stores")
    assert list(r["stored"]) == ["x"] and list(r["result"]) == ["c"]
    for store in ("z:name", "x:.name", "x:", ["x:a", "c:a"], [], [1], {}, ",".join(f"f.{o}:n{o}" for o in "uplux")):
        post(d, "/pipelines/stores", {**SOLVE, "store": store}, "-X", "PUT").problem(400, "/store")
    assert curl(d, "/pipelines/stores", "-X", "DELETE").status == 204


@case()
def what_a_pipeline_stores_is_checked_before_it_runs(d):
    jobs = len(curl(d, "/jobs").json()["jobs"])
    for store, word in (("x:.x", "no name"), ("x:a,c:a", "two outputs"), ("x:a,x:b", "twice"), ("z:a", "no step"), ("", "nothing"),
                        ("f.pivot:a", "pivots"), ("a,b", "twice"), ("c.values:a", "no output values"),
                        (",".join(f"f.{o}:{o}" for o in ("lu", "pivots", "p", "l", "u", "sign", "singular")) + ",c:c1,c.c:c2,x.x:x2", "more than")):
        post(d, "/pipelines", {**SOLVE, **OPERANDS, "store": store}).problem(400, word)
    wide = {"steps": [{"op": "lu", "a": "@a", "as": "f"}], "a": [[1, 2, 3], [4, 5, 6]], "store": "f.sign:s"}
    assert "sign" in post(d, "/pipelines", wide).problem(400, "/steps/0")["detail"]
    curl(d, "/pipelines?store=x&store=y", "-H", "Content-Type: application/json", body=json.dumps({**SOLVE, **OPERANDS}).encode()).problem(
        400, "twice")
    assert len(curl(d, "/jobs").json()["jobs"]) == jobs
    bad = {**SOLVE, "a": [[1, 2], [2, 4]], "b": B, "y": Y, "store": "c:never,x:neither"}
    post(d, "/pipelines", bad).problem(422, "step x")
    assert not {"never", "neither"} & set(names(d))


@case()
def an_asynchronous_pipeline_stores_too(d):
    at = post(d, "/pipelines", {**SOLVE, **OPERANDS, "return": "x", "store": "x:async-x,f.pivots:async-p"}, *ASYNC).headers["location"]
    j = finished(d, at)
    assert j["stored"]["f.pivots"]["name"] == "async-p" and fetched(d, "async-p").shape == (2,)
    r = curl(d, at + "/result")
    assert np.allclose(r.json()["result"]["x"], fetched(d, "async-x")) and r.headers["linalgd-stored"] == "x:async-x,f.pivots:async-p"


def requests(name):
    """A request to an operation and one to a pipeline, which both store a matrix of that name."""
    return (("/matmul", {"a": A, "b": B, "store": name}),
            ("/pipelines", {"steps": [{"op": "matmul", "a": "@a", "b": "@b", "as": "c"}], "a": A, "b": B, "store": "c:" + name}))


@case()
def stored_results_have_times_to_live(d):
    for at, body in requests("brief"):
        assert post(d, at + "?ttl=86400", body).status == 200 and "expires" in row(d, "brief")
        assert post(d, at, body).status == 200 and "expires" not in row(d, "brief")
        assert post(d, at, {**body, "ttl": 0.3}).status == 200
        until("it is gone", lambda: "brief" not in names(d))
        post(d, at, {**body, "ttl": -1}).problem(400, "/ttl")
        post(d, at, {k: v for k, v in {**body, "ttl": 5}.items() if k != "store"}).problem(400, "store names")


@case()
def results_replace_only_the_version_that_the_preconditions_name(d):
    for at, body in requests("version"):
        curl(d, "/matrices/version", "-X", "DELETE")
        post(d, at, body, *h("If-Match", "*")).problem(412)
        assert post(d, at, body, *h("If-None-Match", "*")).status == 200
        post(d, at, body, *h("If-None-Match", "*")).problem(412)
        first = tag(d, "version")
        assert post(d, at, body, *h("If-Match", first)).status == 200
        post(d, at, body, *h("If-Match", first)).problem(412)
        now = tag(d, "version")
        with busy(d):
            job = submit(d, at, body, *h("If-Match", now))
            assert put(d, "version", b'{"matrix": [[7]]}', "json").status == 204
        assert finished(d, job)["status"] == "failed"
        curl(d, job + "/result").problem(412, "changed while the job ran")
        assert fetched(d, "version") == [[7]]


@case("--host-memory", "64M")
def pipelines_that_find_no_memory_to_store_name_the_largest_matrices(d):
    ones = {"generate": "ones", "shape": [1600, 1600]}
    for name in ("first", "second"):
        assert post(d, "/transpose", {"a": ones, "dtype": "float32", "store": name}).status == 200
    body = {"steps": [{"op": "matmul", "a": {"generate": "ones", "shape": [2500, 1]}, "b": {"generate": "ones", "shape": [1, 2500]},
                       "as": "c"}], "store": "c:third"}
    p = post(d, "/pipelines", body).problem(503, "first (10240000 bytes)")
    assert "second (10240000 bytes)" in p["detail"] and "third" not in names(d), p
    for name in ("first", "second"):
        assert curl(d, "/matrices/" + name, "-X", "DELETE").status == 204
