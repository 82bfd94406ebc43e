"""Errors, repeats, tokens, addresses, jobs, stored matrices, pipelines."""
import json
import os
import signal
import subprocess
import sys
import threading
import time

import httpx
import numpy as np
import pytest
import scipy.sparse as sparse

import linalgd
from linalgd import Client, Problem, errors
from linalgd.core import Core

A = np.arange(12.0).reshape(4, 3)
ENDLESS = {"a": [[1, -1], [1, 1]], "b": [1, 0], "max_iterations": 10**9}


# --- errors

def test_every_kind_of_problem_has_its_class(la):
    listed = la._run(la._core.json("GET", "/problems"))["problems"]
    kinds = {p["type"].rsplit("/", 1)[-1]: p["status"] for p in listed}
    assert kinds.keys() <= errors._kinds.keys()
    for kind, status in kinds.items():
        made = errors._kinds[kind]
        mathematical = status == 422 and kind != "key-reused"
        assert issubclass(made, np.linalg.LinAlgError) == mathematical, kind
        assert getattr(errors, made.__name__) is made


def test_problems_tell_what_the_service_told(la):
    with pytest.raises(errors.Singular) as e:
        la.solve([[1, 2], [2, 4]], [1, 2])
    p = e.value
    assert p.status == 422 and p.kind == "singular" and "singular" in p.detail and p.title in str(p)
    assert la.job(p.job).status == "failed"
    with pytest.raises(errors.BadParameter) as e:
        la.lu(A, variant="nothing")
    assert e.value.errors and e.value.job is None
    with pytest.raises(errors.NotFound):
        la.stored("nothing-of-this-name")


def test_an_unknown_kind_is_still_a_problem():
    p = errors.problem_of(418, b'{"type":"/problems/tea","title":"Tea","status":418,"detail":"no"}')
    assert type(p) is Problem and p.kind == "tea"
    assert isinstance(errors.problem_of(502, b"<html>"), errors.Unexpected)


# --- repeats

class Scripted(httpx.BaseTransport):
    """A transport that replies to each request by the next item of a script: a status, an exception, or a function."""

    def __init__(self, *script):
        self.script, self.requests = list(script), []

    def handle_request(self, request):
        body = b"".join(request.stream)
        self.requests.append((request, body))
        step = self.script.pop(0)
        if isinstance(step, Exception):
            raise step
        if callable(step):
            return step(request, body)
        return step


def problem(status, kind, **headers):
    document = {"type": "/problems/" + kind, "title": kind, "status": status, "detail": "why"}
    return httpx.Response(status, json=document, headers=headers)


def ops():
    inputs = [{"name": n, "help": n, "optional": False, "min_dims": 2} for n in "ab"]
    op = {"name": "matmul", "summary": "s", "dtypes": ["float64"], "inputs": inputs, "parameters": [],
          "outputs": [{"name": "c", "help": "c", "on_request": False}], "variants": []}
    lu = {**op, "name": "lu", "inputs": inputs[:1], "outputs": [{"name": n, "help": n, "on_request": False} for n in ("lu", "pivots")]}
    solve = {**op, "name": "solve", "outputs": [{"name": "x", "help": "x", "on_request": False}],
             "inputs": [{**inputs[0], "optional": True}, inputs[1], {**inputs[0], "name": "factors", "optional": True}]}
    return httpx.Response(200, json={"ops": [op, lu, solve]})


def npy(*_):
    from linalgd.body import npy_pieces
    return httpx.Response(200, content=b"".join(npy_pieces(np.eye(2))), headers={"Content-Type": "application/x-npy",
                                                                               "Linalgd-Job": "j1"})


@pytest.fixture
def pauses(monkeypatch):
    """Records the pauses between repeats instead of waiting."""
    seen = []
    monkeypatch.setattr("linalgd.drive.time.sleep", seen.append)
    return seen


def test_lost_connections_and_full_queues_are_tried_again(pauses):
    t = Scripted(ops(), httpx.ConnectError("refused"), problem(503, "busy", **{"Retry-After": "2"}), httpx.ReadError("gone"), npy)
    la = Client("http://x", transport=t, retries=3)
    assert np.array_equal(la.matmul(np.eye(2), np.eye(2)).c, np.eye(2))
    bodies = {body for _, body in t.requests[1:]}
    keys = {r.headers["idempotency-key"] for r, _ in t.requests[1:]}
    assert len(t.requests) == 5 and len(bodies) == 1 and len(keys) == 1 and len(bodies.pop()) == 64
    assert 0.08 <= pauses[0] <= 0.12 and 1.6 <= pauses[1] <= 2.4 and 0.3 <= pauses[2] <= 0.5


def test_repeats_end(pauses):
    la = Client("http://x", transport=Scripted(ops(), *[httpx.ConnectError("refused")] * 3), retries=2)
    with pytest.raises(linalgd.Unreachable, match="http://x"):
        la.matmul(np.eye(2), np.eye(2))
    assert len(pauses) == 2
    la = Client("http://x", transport=Scripted(ops(), problem(503, "busy", **{"Retry-After": "1"})), retries=0)
    with pytest.raises(errors.Busy):
        la.matmul(np.eye(2), np.eye(2))
    with pytest.raises(ConnectionError):
        Client("http://127.0.0.1:1", retries=0).devices()
    with pytest.raises(linalgd.Unreachable):
        Client("http://127.0.0.1:1").ready()


def test_what_a_repeat_does_not_mend_is_told_at_once(pauses):
    for status, kind in ((422, "singular"), (400, "bad-parameter"), (503, "not-ready"), (409, "conflict"), (500, "internal")):
        t = Scripted(ops(), problem(status, kind))
        with pytest.raises(Problem):
            Client("http://x", transport=t).matmul(np.eye(2), np.eye(2))
        assert len(t.requests) == 2
    assert not pauses


def test_a_repeat_waits_while_the_first_attempt_still_runs(pauses):
    t = Scripted(ops(), httpx.ReadError("gone"), problem(409, "conflict"), npy)
    assert Client("http://x", transport=t).matmul(np.eye(2), np.eye(2)).id == "j1"


def test_large_computations_have_no_key_and_jobs_always_have_one(pauses):
    t = Scripted(ops(), npy, httpx.Response(202, json={"id": "j"}, headers={"Linalgd-Job": "j"}))
    la = Client("http://x", transport=t)
    large = np.zeros((300, 300))
    la.matmul(large, large)
    assert la.submit.matmul(large, large).id == "j"
    assert "idempotency-key" not in t.requests[1][0].headers and t.requests[2][0].headers["idempotency-key"]
    assert t.requests[2][0].headers["prefer"] == "respond-async"
    assert int(t.requests[1][0].headers["content-length"]) == len(t.requests[1][1]) == 2 * 8 * 300 * 300


def test_something_else_at_the_address_is_told():
    with pytest.raises(linalgd.Unexpected):
        Client("http://x", transport=Scripted(httpx.Response(200, text="hello"))).devices()


# --- addresses and tokens

def test_tokens_and_addresses_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("LINALGD_URL", "unix:/run/x.sock")
    monkeypatch.setenv("LINALGD_TOKEN", "secret")
    core = Core(None, None, 1, 0)
    assert core.unix_path == "/run/x.sock" and core.headers()["Authorization"] == "Bearer secret"
    assert Core("http://y/", "other", 1, 0).headers()["Authorization"] == "Bearer other"
    assert "Authorization" not in Core("http://y", "", 1, 0).headers()
    with pytest.raises(ValueError, match="must begin with"):
        Core("localhost:8080", None, 1, 0)


def test_unix_sockets(daemon):
    with Client(daemon.unix) as la:
        assert la.ready() and np.array_equal(la.matmul(A, np.eye(3)).c, A)
        assert list(la.submit.lu(A).events())[-1]["status"] == "successful"


def test_tokens(tmp_path):
    from conftest import BINARY
    from daemon import Daemon
    (tmp_path / "tokens").write_text("secret\n")
    with Daemon(BINARY, "--token-file", str(tmp_path / "tokens")) as d:
        with pytest.raises(errors.Unauthorized):
            Client(d.url).lu(A)
        assert Client(d.url, token="secret").version()["name"] == "linalgd"


def test_sheets(la):
    assert la.ready() and la.devices()[0]["name"] and any(k["op"] == "lu" for k in la.kernels())
    assert repr(la).startswith("Client('http://") and la.url.startswith("http://127")


# --- jobs

def test_a_job_is_followed_and_fetched(la, capsys):
    job = la.submit.lu(A, return_="l,u")
    events = list(job.events())
    assert events[-1] == {"status": "successful", "progress": 100, "stage": "ended"}
    assert job.done and job.wait(progress=True) is job and "\r" in capsys.readouterr().err
    r = job.result()
    assert r._fields == ("l", "u") and r.timing["kernels"] and r.l.shape == (4, 3) and r.u.shape == (3, 3)
    assert la.job(job.id).op == "lu" and repr(job).startswith("<Job lu ")
    assert job.id in [j["id"] for j in la.jobs(status="successful", limit=5)]


def test_a_job_is_cancelled(la):
    job = la.submit.jacobi(**ENDLESS)
    with pytest.raises(TimeoutError):
        job.wait(timeout=0.2)
    with pytest.raises(TimeoutError):
        job.result(timeout=0.2)
    seen = threading.Event()

    def follow():
        for event in job.events():
            if event["status"] == "running":
                seen.set()

    t = threading.Thread(target=follow)
    t.start()
    assert seen.wait(60)
    job.cancel()
    t.join(60)
    assert job.status == "dismissed" and not t.is_alive()
    with pytest.raises(Problem) as e:
        job.result()
    assert e.value.status == 409


def test_a_failed_job_raises_its_problem(la):
    job = la.submit.solve([[1, 2], [2, 4]], [1, 2])
    assert job.wait().status == "failed"
    with pytest.raises(errors.Singular) as e:
        job.result()
    assert e.value.job == job.id


@pytest.mark.parametrize("scheme", ["http", "unix"])
def test_an_interrupted_call_is_dismissed(daemon, scheme):
    """As by Ctrl-C, in a process of its own."""
    program = "import sys; from linalgd import Client; Client(sys.argv[1]).jacobi([[1, -1], [1, 1]], [1, 0], max_iterations=10**9)"
    url = daemon.url if scheme == "http" else daemon.unix
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    with Client(daemon.url) as la, subprocess.Popen([sys.executable, "-c", program, url], env=env, stderr=subprocess.PIPE) as p:
        end = time.monotonic() + 60
        while not la.jobs(status="running") and time.monotonic() < end:
            time.sleep(0.05)
        p.send_signal(signal.SIGINT)
        assert b"KeyboardInterrupt" in p.communicate(timeout=60)[1]
        while la.jobs(status="running") and time.monotonic() < end:
            time.sleep(0.05)
        assert la.jobs(limit=1)[0]["status"] == "dismissed"


@pytest.mark.parametrize("scheme", ["http", "unix"])
@pytest.mark.parametrize("retries", [0, 1])
def test_a_call_that_is_not_answered_in_time_is_dismissed(daemon, la, scheme, retries):
    with Client(daemon.url if scheme == "http" else daemon.unix, timeout=1.0, retries=retries) as hasty:
        with pytest.raises(linalgd.LinalgdError):
            hasty.jacobi([[1, -1], [1, 1]], [1, 0], max_iterations=10**9)
        end = time.monotonic() + 60
        while la.jobs(status="running") and time.monotonic() < end:
            time.sleep(0.05)
        assert [j["status"] for j in la.jobs() if j["op"] == "jacobi"][0] == "dismissed"


# --- stored matrices

def test_a_stored_matrix_looks_like_an_array(la):
    m = la.store("looks-like", A)
    assert m.shape == (4, 3) and m.dtype == A.dtype and m.ndim == 2 and m.size == 12 and len(m) == 4 and m.nbytes == 96
    assert np.array_equal(np.asarray(m), A) and np.array_equal(m.fetch(), A) and np.asarray(m, dtype="f4").dtype == np.float32
    for key in (slice(1, 3), slice(None), slice(-2, None), slice(3, 1), slice(0, 4, 2), 1, -1, np.int64(2), (1, 2), (slice(1, 3), 1),
                (slice(None), slice(1)), [0, 2], slice(None, None, -1), A[:, 0] > 2, np.True_, ()):
        assert np.array_equal(m[key], A[key]), key
    for wrong in (4, -5):
        with pytest.raises(IndexError):
            m[wrong]
    assert "looks-like" in [s.name for s in la.matrices()] and "4x3" in repr(m)
    b = np.arange(6.0).reshape(3, 2)
    assert np.array_equal(m @ b, A @ b) and np.array_equal(b.T @ m.T, b.T @ A.T) and np.array_equal(m.T, A.T)
    assert np.array_equal(np.ones((1, 4)) @ m, np.ones((1, 4)) @ A)
    assert np.array_equal(m @ la.store("other", b), A @ b)
    m.delete()
    assert not m.exists() and la.stored("other").exists()


def test_sparse_and_generated_matrices_are_stored(la):
    s = sparse.random(9, 7, 0.3, "csr", random_state=2)
    m = la.store("sparse", s)
    assert m.format == "csr" and (m.fetch() != s).nnz == 0 and np.array_equal(np.asarray(m), s.toarray())
    assert (m[2:5] != s[2:5]).nnz == 0
    h = la.store("hilbert", linalgd.generate("hilbert", 4))
    assert h[1, 1] == 1 / 3


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_sparse_stored_matrices_are_indexed_as_scipy_does(la, dtype):
    dense = np.diag([1, 2, 3, np.inf]).astype(dtype)
    dense[0, 2] = dense[3, 1] = -4j if dense.dtype.kind == "c" else -4
    s = sparse.csr_matrix(dense)
    m = la.store("sparse-indexed", s)
    assert m.fetch().dtype == s.dtype and np.array_equal(np.asarray(m), s.toarray())
    for key in ((0, 0), (0, 2), (1, 0), (-1, 3), (3, slice(None)), (slice(1, 3), 1), slice(1, 3), 2, ([0, 3], [2, 1])):
        mine, theirs = (x.toarray() if sparse.issparse(x) else x for x in (m[key], s[key]))
        assert np.array_equal(mine, theirs), key


def test_scalars_and_short_floats_are_stored(la):
    z = la.store("scalar", np.float64(3))
    assert z[()] == 3 and z[...] == 3 and z.fetch().shape == ()
    with pytest.raises(IndexError):
        z[0]
    document = {"matrix": [[1.0, 2.0], [3.0, 4.0]]}
    assert httpx.put(la.url + "/matrices/brain", params={"dtype": "bfloat16"}, json=document).status_code in (201, 204)
    m = la.stored("brain")
    assert "bfloat16 2x2" in repr(m) and m.dtype.itemsize == 2 and m[0:0].shape == (0, 2) and m.fetch().dtype.itemsize == 2
    assert "brain" in m._repr_html_() and np.array_equal(m @ np.eye(2), document["matrix"])


def test_outputs_that_are_stored_are_told():
    made = httpx.Response(204, headers={"Linalgd-Job": "j", "Linalgd-Stored": "c:product"})
    t = Scripted(ops(), made, httpx.Response(200, text="hello"))
    la = Client("http://x", transport=t)
    r = la.matmul(np.eye(2), np.eye(2), store="product")
    assert len(r) == 0 and r.stored == {"c": "product"} and t.requests[1][0].url.params["store"] == "product"
    with pytest.raises(linalgd.Unexpected):
        la.lu(np.eye(2))


# --- pipelines

def test_a_pipeline_is_recorded_as_one_request():
    def check(request, body):
        assert request.url.path == "/pipelines" and request.url.params["timing"] == "none"
        head, _, rest = body.partition(b"\r\n\r\n")
        assert b'name="pipeline"' in head and b"application/json" in head
        assert json.loads(rest.split(b"\r\n", 1)[0]) == {
            "steps": [{"op": "matmul", "as": "s1", "a": "@m1", "b": "@b"}, {"op": "lu", "as": "s2", "a": "s1"},
                      {"op": "solve", "as": "s3", "b": "@y", "factors": "s2"}],
            "return": ["s3", "s2.pivots"]}
        assert body.count(b"\x93NUMPY") == 2 and b'{"ref": "stored"}' in body
        import io
        out = io.BytesIO()
        np.savez(out, **{"s2.pivots": np.arange(2), "s3": np.ones(2)})
        return httpx.Response(200, content=out.getvalue(), headers={"Content-Type": "application/x-npz", "Linalgd-Job": "j"})

    la = Client("http://x", transport=Scripted(ops(), check))
    with la.pipeline() as p:
        f = (p.put(np.eye(2)) @ p.put(np.eye(2), "b")).lu()
        x = p.solve(factors=f, b=p.put(linalgd.ref("stored"), "y"))
    x_value, pivots = p.run(x, f["pivots"], timing="none")
    assert x_value.tolist() == [1, 1] and pivots.tolist() == [0, 1]


def test_mistakes_in_pipelines_are_told():
    la = Client("http://x", transport=Scripted(ops()))
    p, q = la.pipeline(), la.pipeline()
    with pytest.raises(ValueError, match="no steps"):
        p.run()
    a = p.put(np.eye(2))
    with pytest.raises(ValueError, match="another pipeline"):
        q.lu(a)
    with pytest.raises(ValueError, match="there already"):
        p.put(np.eye(2), "m1")
    with pytest.raises(KeyError, match="no output q"):
        a.lu()["q"]
    with pytest.raises(KeyError, match="has no outputs"):
        a["lu"]
    with pytest.raises(AttributeError, match="did you mean lu"):
        a.lux()
    with pytest.raises(ValueError, match="no result"):
        p.run(a)
    assert p.description() == {"steps": [{"op": "lu", "as": "s1", "a": "@m1"}], "return": ["s1"]}


def test_a_pipeline_runs_on_the_service(la):
    if httpx.get(la.url + "/pipelines").status_code == 404:
        pytest.skip("this service has no pipelines")
    a, b = np.array([[4.0, 1], [1, 3]]), np.array([1.0, 2])
    with la.pipeline() as p:
        f = (p.put(a) @ p.put(a)).lu()
        x = p.solve(factors=f, b=b)
    r = p.run(x, f["pivots"])
    np.testing.assert_allclose(r[0], np.linalg.solve(a @ a, b))
    assert r.timing


def test_outputs_of_a_pipeline_are_stored(la):
    full = np.array([[4.0, 1, 0], [1, 3, 1], [0, 2, 5]])
    with la.pipeline() as p:
        c = p.put(full.T) @ p.put(full)
        f = c.lu()
    r = p.run(f["sign"], store={"pipe-f": f, "pipe-p": f["pivots"], "pipe-c": c}, timing="none", ttl=3600)
    assert len(r) == 1 and r.stored == {"s2": "pipe-f", "s2.pivots": "pipe-p", "s1": "pipe-c"}
    np.testing.assert_allclose(np.asarray(la.stored("pipe-c")), full.T @ full)
    x = la.solve(factors=la.stored("pipe-f"), pivots=la.stored("pipe-p"), b=np.ones(3)).x
    np.testing.assert_allclose(x, np.linalg.solve(full.T @ full, np.ones(3)))
    assert len(p.run(store={"pipe-f": f})) == 0
    with pytest.raises(ValueError, match="no result"):
        p.run(store={"m": p.stored("pipe-c")})


def test_a_pipeline_is_saved_and_run_with_other_operands(la):
    with la.pipeline() as p:
        a, b = p.put(np.eye(2), "a"), p.put(np.ones(2), "b")
        x = p.lstsq(a, b)
    assert p.save("fit", x, x["rank"]) is None
    assert {"name": "fit", "steps": 1, "operands": ["a", "b"]} in la.pipelines()
    fit = la.saved("fit")
    assert fit.description() == p.description(x, x["rank"]) and repr(fit) == "<saved pipeline fit>"
    b = np.arange(4.0)
    r = fit.run(a=A, b=b, device="cpu")
    np.testing.assert_allclose(r[0], np.linalg.lstsq(A, b, rcond=None)[0])
    assert r[1] == 2 and r.timing
    la.store("a", A)
    la.store("b", b)
    assert len(fit.run()) == 2 and len(fit.run(b=la.stored("b"), return_="s1")) == 1
    assert fit.run(return_=["s1.rank"], store="s1:fitted").stored == {"s1": "fitted"} and la.stored("fitted").shape == (3,)
    fit.delete()
    with pytest.raises(errors.NotFound):
        fit.run(a=A, b=b)
