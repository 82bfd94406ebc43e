"""case_durable.py - what outlives the process: jobs, results, stored matrices, pipelines, keys; after SIGTERM and SIGKILL."""
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import uuid

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "torture"))
from case_formats import accept, npy, npz, rng
from case_matrices import put
from case_pipelines import A, B, SOLVE, Y
from case_tenants import bearer, write
from client import ASYNC, ENDLESS, NPY, case, curl, dismiss, endless, finished, job, post, running, submit, until
from service import Service

ENDS = ("kill", "terminate")


@contextlib.contextmanager
def service(d, *options):
    with Service(d.binary, *options) as s:
        begin(s)
        yield s


def begin(s):
    s.start()
    assert s.until_ready(), s.log()[-2000:]


def again(s, how):
    if how == "kill":
        s.kill()
    else:
        assert s.terminate() == 0, s.log()[-2000:]
    begin(s)


def key():
    return "-H", f"Idempotency-Key: {uuid.uuid4()}"


def told(s, path, *arguments):
    """What does not depend on when it is asked."""
    r = curl(s, path, *arguments)
    return r.status, r.headers.get("content-type"), r.headers.get("etag"), r.body


@case()
def results_are_the_same_in_each_format_after_a_restart(d):
    a, big = rng.standard_normal((5, 5)), rng.standard_normal((150, 150))
    with service(d) as s:
        at = [submit(s, "/lu", {"a": a.tolist()}),
              curl(s, "/transpose", *NPY, *ASYNC, body=npy(big)).headers["location"],
              submit(s, "/solve", {"a": a.tolist(), "b": [1, 2, 3, 4, 5], "quality": "full"}),
              submit(s, "/solve", {"a": [[1, 2], [2, 4]], "b": [1, 2]}),
              submit(s, "/permute", {"a": {"format": "csr", "shape": [2, 3], "indptr": [0, 1, 2], "indices": [1, 2],
                                           "data": [5, 6]}, "p": [1, 0]}),
              submit(s, "/solve", {"a": [[[1, 2], [2, 4]], [[2, 0], [0, 2]]], "b": [[1, 2], [2, 4]]}),
              submit(s, "/eigen", {"a": [[0, -1], [1, 0]], "which": "all"})]
        for x in at:
            finished(s, x)
        formats = [accept(f) for f in ("json", "x-npy", "octet-stream", "x-npz", "x-matrix-market")]
        records = [job(s, x) for x in at]
        results = [[told(s, x + "/result", *f) for f in formats] for x in at]
        assert sum(r[0] == 200 for all in results for r in all) > 20
        for how in ENDS:
            again(s, how)
            for x, record, result in zip(at, records, results):
                assert job(s, x) == record, (job(s, x), record)
                for f, old in zip(formats, result):
                    new = told(s, x + "/result", *f)
                    assert new == old, (x, f, new[:3], old[:3], new[3][:500], old[3][:500])


@case()
def what_waits_and_runs_goes_on(d):
    """The endless job has run in as many processes as ended, and the others behind it wait."""
    a = rng.standard_normal((200, 200))
    for how in ENDS:
        with service(d, "--drain-seconds", "1") as s:
            first = endless(s)
            running(s, first)
            small = submit(s, "/matmul", {"a": [[2]], "b": [[3]], "store": "six"})
            large = curl(s, "/transpose", *NPY, *ASYNC, body=npy(a)).headers["location"]
            chain = submit(s, "/pipelines", {**SOLVE, "a": A, "b": B, "y": Y})
            again(s, how)
            running(s, first)
            assert job(s, small)["status"] == "accepted" and job(s, small)["progress"] == 0
            dismiss(s, first)
            assert finished(s, first)["status"] == "dismissed"
            assert finished(s, small)["status"] == finished(s, large)["status"] == finished(s, chain)["status"] == "successful"
            r = curl(s, large + "/result", *accept("x-npy"))
            assert (np.load(io.BytesIO(r.body)) == a.T).all()
            assert (np.load(io.BytesIO(curl(s, "/matrices/six", *accept("x-npy")).body)) == 6).all()
            assert [x["as"] for x in job(s, chain)["timing"]["steps"]], job(s, chain)
            before, result = job(s, chain), curl(s, chain + "/result").body
            again(s, how)
            assert job(s, chain) == before and curl(s, chain + "/result").body == result
            assert job(s, first)["status"] == "dismissed"
            curl(s, first + "/result").problem(409)


@case()
def a_job_that_three_processes_died_of_fails(d):
    with service(d) as s:
        at = endless(s)
        for _ in range(3):
            running(s, at)
            s.kill()
            begin(s)
        j = job(s, at)
        assert j["status"] == "failed" and j["error"]["type"] == "/problems/device-failure", j
        assert "ended 3 times" in j["error"]["detail"] and j["error"]["detail"].count("Z") == 3, j


@case()
def a_result_that_the_disk_refuses_is_not_stored(d):
    """The directory of large payloads is gone, which the journal finds out when it writes the first one."""
    big = rng.standard_normal((2, 100, 100))
    ask = {"a": {"ref": "a"}, "store": "b"}
    with service(d) as s:
        put(s, "a", npy(np.eye(3)))
        put(s, "b", npy(np.eye(2)))
        put(s, "large", npy(np.eye(2)))
        before = curl(s, "/matrices").json()["matrices"]
        for name in os.listdir(os.path.join(s.state, "payloads")):
            os.unlink(os.path.join(s.state, "payloads", name))
        os.rmdir(os.path.join(s.state, "payloads"))
        for path, body in (("/transpose?store=large", npy(big[0])), ("/matmul?store=c:new", npz(a=big[0], b=big[1]))):
            kind = NPY if path.startswith("/t") else ("-H", "Content-Type: application/x-npz")
            curl(s, path, *kind, body=body).problem(503, "payload")
            assert curl(s, "/matrices").json()["matrices"] == before, (path, curl(s, "/matrices").json())
            post(s, "/transpose", ask).problem(503)
        assert s.asks("/readyz") == 503


@case()
def stored_matrices_are_the_same_after_a_restart(d):
    big = rng.standard_normal((100, 100))
    with service(d) as s:
        put(s, "small", npy(np.eye(3)))
        put(s, "big", npy(big))
        put(s, "timed", npy(np.eye(2)), "x-npy", "?ttl=86400")
        put(s, "gone", npy(big))
        assert curl(s, "/matrices/gone", "-X", "DELETE").status == 204
        put(s, "replaced", npy(big))
        put(s, "replaced", npy(np.full((1, 1), 7.0)))
        sheet = curl(s, "/matrices").json()
        assert [m["name"] for m in sheet["matrices"]] == ["big", "replaced", "small", "timed"], sheet
        old = [told(s, "/matrices/" + m["name"], *accept("x-npy")) for m in sheet["matrices"]]
        for how in ENDS:
            again(s, how)
            assert curl(s, "/matrices").json() == sheet, (curl(s, "/matrices").json(), sheet)
            assert [told(s, "/matrices/" + m["name"], *accept("x-npy")) for m in sheet["matrices"]] == old
            curl(s, "/matrices/gone").problem(404)
        etag = old[0][2]
        assert curl(s, "/matrices/big", "-X", "PUT", "-H", f"If-Match: {etag}", *NPY, body=npy(np.eye(4))).status == 204
        assert curl(s, "/matrices/big", *accept("x-npy")).headers["etag"] != etag
        files = os.listdir(os.path.join(s.state, "payloads"))
        assert files == [], files


@case()
def pipelines_and_deletions_stay(d):
    with service(d) as s:
        assert post(s, "/pipelines/p", SOLVE, "-X", "PUT").status == 201
        assert post(s, "/pipelines/q", SOLVE, "-X", "PUT").status == 201
        assert curl(s, "/pipelines/q", "-X", "DELETE").status == 204
        at = submit(s, "/lu", {"a": [[2]]})
        finished(s, at)
        assert curl(s, at, "-X", "DELETE").status == 204
        old = curl(s, "/pipelines/p").json()
        for how in ENDS:
            again(s, how)
            assert curl(s, "/pipelines/p").json() == old
            curl(s, "/pipelines/q").problem(404)
            curl(s, at).problem(404)
            assert post(s, "/pipelines/p", {"a": A, "b": B, "y": Y}).status == 200


@case()
def keys_are_the_tenants_across_restarts(d):
    k, body, ann, bob = key(), {"a": [[2, 1], [1, 3]]}, bearer("one"), bearer("two")
    with tempfile.TemporaryDirectory(prefix="linalgd-test-") as folder:
        tokens = os.path.join(folder, "tokens")
        write(tokens, ["one ann", "two bob"])
        with service(d, "--token-file", tokens) as s:
            at = submit(s, "/lu", body, *k, *ann)
            until("it has ended", lambda: curl(s, at, *ann).json()["status"] == "successful")
            other = submit(s, "/lu", body, *k, *bob)
            assert other != at
            waits, wk = submit(s, "/jacobi", ENDLESS, *key(), *ann), key()
            slow = submit(s, "/jacobi", ENDLESS, *wk, *ann)
            for how in ENDS:
                s.options = (*s.options[:2], "--drain-seconds", "1")
                again(s, how)
                assert submit(s, "/lu", body, *k, *ann) == at and submit(s, "/lu", body, *k, *bob) == other
                post(s, "/lu", {"a": [[9]]}, *ASYNC, *k, *ann).problem(422, at[6:])
                post(s, "/jacobi", ENDLESS, *wk, *ann).problem(409, slow[6:])
                assert post(s, "/lu", body, *k, *ann).headers["linalgd-job"] == at[6:]
                curl(s, at, *bob).problem(404)
            for x in (slow, waits):
                assert curl(s, x, "-X", "DELETE", *ann).status == 204


@case()
def a_synchronous_request_with_a_key_is_replayed(d):
    k, body = key(), {"a": [[2, 1], [1, 3]]}
    with service(d) as s:
        first = post(s, "/lu", body, *k)
        plain = post(s, "/lu", body)
        for how in ENDS:
            again(s, how)
            second = post(s, "/lu", body, *k)
            assert second.headers["linalgd-job"] == first.headers["linalgd-job"]
            assert second.json()["result"] == first.json()["result"]
            curl(s, "/jobs/" + plain.headers["linalgd-job"]).problem(404)


@case()
def expired_results_stay_gone(d):
    with service(d, "--result-ttl", "1") as s:
        at = submit(s, "/lu", {"a": [[2]]})
        until("the result is gone", lambda: curl(s, at + "/result").status == 410)
        late = submit(s, "/transpose", {"a": rng.standard_normal((80, 80)).tolist()})
        assert finished(s, late)["status"] == "successful"
        s.kill()
        begin(s)
        curl(s, at + "/result").problem(410)
        until("that expires while no service runs, or after", lambda: curl(s, late + "/result").status == 410)
        again(s, "terminate")
        curl(s, late + "/result").problem(410)
        assert job(s, late)["status"] == "successful"


@case()
def without_durability_nothing_is_written(d):
    with service(d, "--durability", "none") as s:
        at = submit(s, "/lu", {"a": [[2]]})
        put(s, "m", npy(np.eye(3)))
        finished(s, at)
        assert not os.path.exists(os.path.join(s.state, "journal.sqlite"))
        again(s, "terminate")
        curl(s, at).problem(404)
        curl(s, "/matrices/m").problem(404)


@case()
def a_state_directory_is_one_processes(d):
    with service(d) as s:
        done = subprocess.run([d.binary, "serve", "--listen", "127.0.0.1:0", "--device", "cpu", "--state", s.state],
                              capture_output=True, text=True, timeout=120)
        assert done.returncode not in (0, -6, -11) and "another linalgd uses the journal" in done.stderr, done
        assert finished(s, submit(s, "/lu", {"a": [[2]]}))["status"] == "successful"


@case()
def config_tells_the_durability(d):
    for value in ("none", "full"):
        done = subprocess.run([d.binary, "config", "--durability", value], capture_output=True, text=True, timeout=60)
        if value == "none":
            assert done.returncode == 0 and "durability = none" in done.stdout, done
    done = subprocess.run([d.binary, "config", "--durability", "some"], capture_output=True, text=True, timeout=60)
    assert done.returncode and "durability" in done.stderr, done
