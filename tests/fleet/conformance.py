"""conformance.py - what a client can rely on of accepted jobs, stored matrices and saved pipelines, wherever they are
kept. Each case is run with the journal of a single host and with a fleet of one host, by the same requests."""
import concurrent.futures
import contextlib
import functools
import http.client
import inspect
import io
import json
import os
import sys
import tempfile
import time

import numpy as np

from hosts import LEASE, ask, finished, job, submit, until

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "torture"))
from service import Service

ENDLESS = {"a": [[1, -1], [1, 1]], "b": [1, 0], "max_iterations": 10**9}
SMALL = {"a": [[2]], "b": [[3]]}
NPY = "application/x-npy"


class Kept:
    """One host, whose process is replaced by again(). Both kinds of it differ only in their options."""

    def __init__(self, service, in_fleet):
        self.service, self.port, self.in_fleet = service, service.port, in_fleet

    def begin(self):
        self.service.start()
        assert self.service.until_ready(), self.service.log()[-2000:]
        until(lambda: ask(self, "/readyz").json().get("queue") in (None, "ready"))

    def again(self, kill):
        if kill:
            self.service.kill()
        else:
            assert self.service.terminate() == 0, self.service.log()[-2000:]
        self.begin()


@contextlib.contextmanager
def _journal(postgres, binary, *options):
    with Service(binary, "--drain-seconds", "1", *options) as s:
        kept = Kept(s, "--queue" in options)
        kept.begin()
        yield kept


@contextlib.contextmanager
def _fleet(postgres, binary, *options):
    database = f"conformance{os.urandom(4).hex()}"
    postgres.sql(f"CREATE DATABASE {database}")
    with _journal(postgres, binary, "--queue", postgres.url(database), "--lease", str(LEASE), *options) as kept:
        yield kept


def _npy(a):
    b = io.BytesIO()
    np.save(b, a)
    return b.getvalue()


def _runs(d, at):
    return job(d, at)["status"] == "running"


def _listed(d, query=""):
    return ["/jobs/" + j["id"] for j in ask(d, "/jobs" + query).json()["jobs"]]


def _put(d, name, a, status=None, **headers):
    r = ask(d, "/matrices/" + name, _npy(a), "PUT", Content_Type=NPY, **headers)
    assert r.status in ((201, 204) if status is None else (status,)), (r.status, r.body[:500])
    return r


# The cases are below. Each gets `start`, which starts a host with its arguments as options.

def a_job_is_read_back_as_it_was_accepted(start):
    """Operands and results of no bytes, of few, and of so many that neither the journal nor the database keeps them in the job's row;
    before and after the process is replaced."""
    with start() as d:
        for shape in (0, 3), (2, 3), (600, 500):
            a = np.arange(np.prod(shape), dtype=float).reshape(shape)
            at = submit(d, "/transpose", _npy(a), Content_Type=NPY)
            assert finished(d, at)["status"] == "successful"
            for kill in None, True, False:
                if kill is not None:
                    d.again(kill)
                r = ask(d, at + "/result", Accept=NPY)
                assert r.status == 200, r.body
                got = np.load(io.BytesIO(r.body))
                assert got.shape == a.T.shape and (got == a.T).all()
        failed = submit(d, "/cholesky", {"a": [[1, 2], [2, 1]]})
        assert finished(d, failed)["status"] == "failed"
        before = ask(d, failed + "/result").problem(422)
        d.again(kill=True)
        assert ask(d, failed + "/result").problem(422)["detail"] == before["detail"]
        assert len(ask(d, "/jobs").json()["jobs"]) == 4


def a_repeated_key_makes_one_job(start):
    with start() as d:
        at = submit(d, "/matmul", SMALL, Idempotency_Key="k")
        for kill in None, True:
            if kill:
                d.again(kill)
            assert submit(d, "/matmul", SMALL, Idempotency_Key="k") == at
            ask(d, "/matmul", {"a": [[5]], "b": [[3]]}, Idempotency_Key="k", Prefer="respond-async").problem(422)
            assert finished(d, at)["status"] == "successful"
            r = ask(d, "/matmul", SMALL, Idempotency_Key="k")
            assert r.status == 200 and r.json()["result"]["c"] == [[6]], r.body
        assert len(ask(d, "/jobs").json()["jobs"]) == 1


def a_client_that_waits_gets_the_result(start):
    """With a key, and with a preference to wait; also of operands whose preparation takes long, and of a job that fails."""
    a = np.arange(1200 * 1000, dtype="int32").reshape(1200, 1000)
    with start() as d:
        for headers in {"Idempotency_Key": "w"}, {"Prefer": "respond-async, wait=60"}:
            r = ask(d, "/transpose?dtype=float32", _npy(a), Content_Type=NPY, Accept=NPY, **headers)
            assert r.status == 200, (r.status, r.body[:500])
            got = np.load(io.BytesIO(r.body))
            assert got.dtype == "float32" and (got == a.T).all()
            at = "/jobs/" + r.headers["linalgd-job"]
            assert job(d, at)["status"] == "successful"
            assert (np.load(io.BytesIO(ask(d, at + "/result", Accept=NPY).body)) == a.T).all()
        for headers in {"Idempotency_Key": "f"}, {"Prefer": "respond-async, wait=60"}:
            p = ask(d, "/cholesky", {"a": [[1, 2], [2, 1]]}, **headers).problem(422)
            assert job(d, p["instance"])["status"] == "failed"


def a_key_in_use_is_a_conflict(start):
    with start() as d, concurrent.futures.ThreadPoolExecutor() as pool:
        waits = pool.submit(ask, d, "/jacobi", ENDLESS, Idempotency_Key="k")
        at = until(lambda: _listed(d, "?status=running"))[0]
        ask(d, "/jacobi", ENDLESS, Idempotency_Key="k").problem(409)
        assert submit(d, "/jacobi", ENDLESS, Idempotency_Key="k") == at
        assert ask(d, at, method="DELETE").status == 204
        waits.result().problem(409, "dismissed")
        again = submit(d, "/jacobi", ENDLESS, Idempotency_Key="k")
        assert again != at
        assert ask(d, again, method="DELETE").status == 204


def a_job_that_no_device_can_run_is_refused(start):
    with start() as d:
        for headers in {}, {"Prefer": "respond-async"}, {"Idempotency_Key": "n"}:
            ask(d, "/matmul?device=gpu", {**SMALL}, **headers).problem(400)
            ask(d, "/matmul", dict(SMALL, variant="none"), **headers).problem(400)
            ask(d, "/matmul", {"a": [[1, 2]], "b": [[3]]}, **headers).problem(422)
        assert _listed(d) == []


def as_many_jobs_wait_as_may(start):
    with start("--queue-limit", "2") as d:
        ats = [submit(d, "/jacobi", ENDLESS)]
        until(lambda: _runs(d, ats[0]))
        until(lambda: _refused(d, ats))
        assert 2 <= len(ats) <= 4, ats
        for at in ats:
            assert ask(d, at, method="DELETE").status == 204
        assert finished(d, submit(d, "/matmul", SMALL))["status"] == "successful"


def _refused(d, ats):
    """Submits one more job, and returns whether that is refused."""
    r = ask(d, "/jacobi", ENDLESS, Prefer="respond-async")
    if r.status == 202:
        ats.append(r.headers["location"])
        return False
    assert int(r.headers["retry-after"]) >= 1
    return r.problem(503)


def a_job_goes_on_when_the_process_is_replaced(start):
    """What runs and what waits, after SIGKILL and after SIGTERM. In a fleet, a job that was killed runs again only when its lease has
    lapsed; until then the device is free for the one that waits."""
    with start() as d:
        runs = submit(d, "/jacobi", ENDLESS)
        until(lambda: _runs(d, runs))
        waits = submit(d, "/matmul", SMALL)
        for kill in True, False:
            d.again(kill)
            until(lambda: _runs(d, runs))
            assert job(d, waits)["status"] in (("accepted", "running", "successful") if d.in_fleet else ("accepted",))
        assert ask(d, runs, method="DELETE").status == 204
        assert finished(d, waits)["status"] == "successful"
        assert finished(d, runs)["status"] == "dismissed"


def a_job_fails_when_three_processes_died_of_it(start):
    """A process that is killed before its run was recorded does not count, so a run is given time before it is killed. In a fleet,
    the lease of the run before must lapse, too; on a busy machine one may lapse although its process lives, which counts as well."""
    with start() as d:
        at, killed = submit(d, "/jacobi", ENDLESS), 0
        while until(lambda: job(d, at)["status"] in ("running", "failed") and job(d, at)["status"]) == "running" and killed < 8:
            time.sleep(2 * LEASE)
            if _runs(d, at):
                d.again(kill=True)
                killed += 1
        detail = ask(d, at + "/result").problem(500, "device-failure")["detail"]
        assert killed >= 3 or (d.in_fleet and killed >= 1 and detail.startswith("3 hosts were lost")), (killed, detail)
        d.again(kill=True)
        assert job(d, at)["status"] == "failed"


def a_dismissed_job_stays_dismissed(start):
    """While it runs and while it waits; an ended job is forgotten."""
    with start() as d:
        runs = submit(d, "/jacobi", ENDLESS)
        until(lambda: _runs(d, runs))
        waits = submit(d, "/matmul", SMALL)
        for at in waits, runs:
            assert ask(d, at, method="DELETE").status == 204
            assert finished(d, at)["status"] == "dismissed"
        ended = submit(d, "/matmul", SMALL)
        assert finished(d, ended)["status"] == "successful"
        assert ask(d, ended, method="DELETE").status == 204
        for kill in True, False:
            d.again(kill)
            assert [job(d, at)["status"] for at in (runs, waits)] == ["dismissed", "dismissed"]
            ask(d, ended).problem(404)


def a_result_expires(start):
    with start("--result-ttl", "3") as d:
        at = submit(d, "/matmul", SMALL)
        assert finished(d, at)["status"] == "successful"
        assert ask(d, at + "/result").status == 200
        until(lambda: ask(d, at + "/result").status == 410)
        d.again(kill=True)
        ask(d, at + "/result").problem(410)
        assert job(d, at)["status"] == "successful"


def jobs_are_listed_newest_first(start):
    """By their states and as many as are asked for, with those that only this process has among them."""
    with start() as d, concurrent.futures.ThreadPoolExecutor() as pool:
        runs = submit(d, "/jacobi", ENDLESS)
        until(lambda: _runs(d, runs))
        own = pool.submit(ask, d, "/jacobi", dict(ENDLESS, timeout_ms=60000))
        until(lambda: len(_listed(d)) == 2)
        newest = submit(d, "/matmul", SMALL)
        assert [_listed(d)[i] for i in (0, 2)] == [newest, runs]
        assert _listed(d, "?limit=1") == [newest]
        assert _listed(d, "?status=running") == [runs]
        assert _listed(d, "?status=accepted&limit=9") == _listed(d)[:2]
        assert _listed(d, "?status=successful") == _listed(d, "?tenant=nobody") == []
        ask(d, "/jobs?status=over").problem(400)
        for at in _listed(d)[1:]:
            assert ask(d, at, method="DELETE").status == 204
        own.result().problem(409)
        assert finished(d, newest)["status"] == "successful"


def a_job_that_does_not_exist_is_not_found(start):
    with start() as d:
        for at in "/jobs/" + "0" * 32, "/jobs/none":
            for what in "", "/result", "/trace", "/events":
                ask(d, at + what).problem(404)
            ask(d, at, method="DELETE").problem(404)
            ask(d, at + "/retry", method="POST").problem(404)
            ask(d, at + "?a=b", method="DELETE").problem(400)


def a_job_that_lost_no_host_is_not_retried(start):
    with start() as d:
        for path, body, state in ("/matmul", SMALL, "successful"), ("/cholesky", {"a": [[1, 2], [2, 1]]}, "failed"):
            at = submit(d, path, body)
            assert finished(d, at)["status"] == state
            ask(d, at + "/retry", method="POST").problem(409)


def _events(d, job):
    """What a job's events tell, as they come."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", d.port, timeout=60)) as connection:
        connection.request("GET", job + "/events")
        for line in connection.getresponse():
            if line.startswith(b"data: "):
                yield json.loads(line[6:])


def a_job_is_followed_to_its_end(start):
    with start() as d, concurrent.futures.ThreadPoolExecutor() as pool:
        at = submit(d, "/jacobi", ENDLESS)
        until(lambda: _runs(d, at))
        waits = submit(d, "/matmul", SMALL)
        events = [_events(d, one) for one in (at, waits)]
        assert [next(told)["status"] for told in events] == ["running", "accepted"]
        result = pool.submit(ask, d, waits + "/result", Prefer="wait=60")
        assert ask(d, at, method="DELETE").status == 204
        assert [list(told)[-1]["status"] for told in events] == ["dismissed", "successful"]
        assert result.result().json()["result"]["c"] == [[6]]
        assert ask(d, at, Prefer="wait=60").json()["status"] == "dismissed"


def a_stored_matrix_is_kept_replaced_and_removed(start):
    with start() as d:
        a = np.arange(6.0).reshape(2, 3)
        first = _put(d, "a", a)
        assert first.status == 201 and _put(d, "a", a + 1).status == 204
        last = _put(d, "a", a + 2)
        assert last.headers["etag"] != first.headers["etag"]
        _put(d, "b.1", np.ones((300, 500)))
        for kill in None, True, False:
            if kill is not None:
                d.again(kill)
            r = ask(d, "/matrices/a", Accept=NPY)
            assert (np.load(io.BytesIO(r.body)) == a + 2).all()
            assert ask(d, "/matrices/a", method="HEAD").headers["etag"].split("-")[0] == last.headers["etag"].rstrip('"')
            rows = ask(d, "/matrices").json()["matrices"]
            assert [(m["name"], m["shape"]) for m in rows] == [("a", [2, 3]), ("b.1", [300, 500])]
            assert rows[0]["etag"] == last.headers["etag"]
            assert ask(d, "/reduce", {"a": {"ref": "b.1"}, "op": "sum"}).json()["result"]["value"] == 150000
        for name in "a", "b.1":
            assert ask(d, "/matrices/" + name, method="DELETE").status == 204
        d.again(kill=True)
        assert ask(d, "/matrices").json()["matrices"] == []
        for method in "GET", "DELETE":
            ask(d, "/matrices/a", method=method).problem(404)
            ask(d, "/matrices/.a", method=method).problem(400)


def a_change_of_a_matrix_is_conditional(start):
    with start() as d:
        a = np.eye(2)
        old = _put(d, "a", a, If_None_Match="*").headers["etag"]
        _put(d, "a", a, 412, If_None_Match="*")
        _put(d, "b", a, 412, If_Match="*")
        new = _put(d, "a", a + 1, If_Match=old).headers["etag"]
        _put(d, "a", a, 412, If_Match=old)
        ask(d, "/matrices/a", method="DELETE", If_Match=old).problem(412)
        ask(d, "/reduce?op=sum&axis=0&store=a", _npy(a), Content_Type=NPY, If_Match=old).problem(412)
        assert ask(d, "/matrices/a", If_None_Match=f"{new}").status == 304
        at = submit(d, "/transpose?store=t", _npy(a + 1), Content_Type=NPY, If_None_Match="*")
        assert finished(d, at)["status"] == "successful"
        assert ask(d, "/transpose?store=t", _npy(a), Content_Type=NPY).status == 200
        assert (np.load(io.BytesIO(ask(d, "/matrices/t", Accept=NPY).body)) == a).all()
        assert ask(d, "/matrices/a", method="DELETE", If_Match=new).status == 204


def a_stored_matrix_expires(start):
    with start() as d:
        assert _put(d, "a?ttl=2", np.eye(2)).status == 201
        assert _put(d, "b", np.eye(2)).status == 201
        until(lambda: ask(d, "/matrices/a").status == 404)
        assert [m["name"] for m in ask(d, "/matrices").json()["matrices"]] == ["b"]
        assert _put(d, "a", np.eye(2)).status == 201


def a_tenant_stores_as_many_bytes_as_it_may(start):
    with tempfile.NamedTemporaryFile("w") as tokens:
        tokens.write("one-token one stored=100K\ntwo-token two\n")
        tokens.flush()
        with start("--token-file", tokens.name) as d:
            one, two = ({"Authorization": f"Bearer {t}-token"} for t in ("one", "two"))
            a = np.zeros((100, 100))
            assert _put(d, "a", a, **one).status == 201
            _put(d, "b", a, 429, **one)
            assert _put(d, "a", a + 1, **one).status == 204
            assert _put(d, "a", a + 2, **two).status == 201
            assert ask(d, "/matrices/a", method="DELETE", **one).status == 204
            assert ask(d, "/matrices", **one).json()["matrices"] == []
            assert len(ask(d, "/matrices", **two).json()["matrices"]) == 1


def a_pipeline_is_kept_replaced_and_removed(start):
    square = {"steps": [{"op": "matmul", "a": "@x", "b": "@x", "as": "c"}]}
    double = {"steps": [{"op": "matmul", "a": "@x", "b": [[2]], "as": "c"}]}
    with start() as d:
        assert ask(d, "/pipelines/p", square, "PUT").status == 201
        assert ask(d, "/pipelines/p", double, "PUT").status == 204
        assert ask(d, "/pipelines/q.1", square, "PUT").status == 201
        ask(d, "/pipelines/bad", {"steps": [{"op": "none"}]}, "PUT").problem(400)
        ask(d, "/pipelines/p", b"1", "PUT", Content_Type="text/plain").problem(415)
        for kill in None, True, False:
            if kill is not None:
                d.again(kill)
            assert ask(d, "/pipelines/p").json() == double
            assert [(p["name"], p["steps"], p["operands"]) for p in ask(d, "/pipelines").json()["pipelines"]] == \
                [("p", 1, ["x"]), ("q.1", 1, ["x"])]
            assert ask(d, "/pipelines/p", {"x": [[3]]}).json()["result"]["c"] == [[6]]
        for name in "p", "q.1":
            assert ask(d, "/pipelines/" + name, method="DELETE").status == 204
        d.again(kill=True)
        assert ask(d, "/pipelines").json()["pipelines"] == []
        for method in "GET", "DELETE", "POST":
            ask(d, "/pipelines/p", {"x": [[3]]} if method == "POST" else None, method).problem(404)


def a_pipeline_is_changed_only_if_it_has_the_tag(start):
    first = {"steps": [{"op": "matmul", "a": "@x", "b": "@x", "as": "c"}]}
    second = {"steps": [{"op": "matmul", "a": "@x", "b": [[2]], "as": "c"}]}
    with start() as d:
        ask(d, "/pipelines/p", first, "PUT", If_Match='"x"').problem(412)
        assert ask(d, "/pipelines/p", first, "PUT", If_None_Match='"x"').status == 201
        tag = ask(d, "/pipelines/p").headers["etag"]
        d.again(kill=True)
        for method in "GET", "HEAD":
            assert ask(d, "/pipelines/p", method=method, If_None_Match=tag).status == 304
            assert ask(d, "/pipelines/p", method=method, If_Match='"x"').status == 412
            assert ask(d, "/pipelines/p", method=method, If_Match=tag).headers["etag"] == tag
        ask(d, "/pipelines/p", second, "PUT", If_Match='"x"').problem(412)
        ask(d, "/pipelines/p", second, "PUT", If_None_Match=tag).problem(412)
        assert ask(d, "/pipelines/p", second, "PUT", If_Match=tag).status == 204
        ask(d, "/pipelines/p", first, "PUT", If_Match=tag).problem(412)
        ask(d, "/pipelines/p", method="DELETE", If_Match=tag).problem(412)
        assert ask(d, "/pipelines/p").json() == second
        tag = ask(d, "/pipelines/p").headers["etag"]
        assert ask(d, "/pipelines/p", method="DELETE", If_Match=tag).status == 204
        ask(d, "/pipelines/p", method="DELETE", If_Match=tag).problem(404)


def _with(case, start):
    def run(postgres, binary):
        case(functools.partial(start, postgres, binary))
    run.__name__ = f"{case.__name__}, {start.__name__[1:]}"
    return run


def _all():
    """Every case with either implementation, as functions of (postgres, binary)."""
    cases = [f for f in list(globals().values())
             if inspect.isfunction(f) and f.__module__ == __name__ and not f.__name__.startswith("_")]
    return [_with(f, start) for f in cases for start in (_journal, _fleet)]
