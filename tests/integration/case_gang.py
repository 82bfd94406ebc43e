"""case_gang.py - several devices compute one factorization together: PoCL is made to show the processor as three devices."""
import os
import signal
import struct

from client import case, curl, finished, post, submit, until, workers
from daemon import Daemon

THREE = {"POCL_DEVICES": "pthread pthread pthread"}


def three(d):
    return Daemon(d.binary, env=THREE)


def all_healthy(d):
    sheets = curl(d, "/devices").json()["devices"]
    return len(sheets) == 3 and all(s["healthy"] for s in sheets)


def spd(n):
    return {"generate": "spd", "shape": [n, n], "seed": 3}


def general(rows, columns):
    return {"generate": "random", "shape": [rows, columns], "seed": 3}


def factors(d, op, a, **wanted):
    """The elements that a request of several devices answers, and its job."""
    reply = post(d, op, dict({"a": a}, **wanted), "-H", "Accept: application/octet-stream")
    assert reply.status == 200, reply.body[:300]
    elements = struct.unpack(f"<{len(reply.body) // 8}d", reply.body)
    return elements, curl(d, "/jobs/" + reply.headers["linalgd-job"]).json()


def close(x, y):
    most = max(map(abs, x))
    return len(x) == len(y) and all(abs(p - q) <= 1e-10 * most for p, q in zip(x, y))


def indices(job):
    return [s["index"] for s in job.get("devices", [])]


@case()
def a_gang_of_devices_gives_what_one_gives(d):
    with three(d) as m:
        until("all devices are healthy", lambda: all_healthy(m))
        for op, a in (("/lu", general(400, 330)), ("/lu", general(260, 400)), ("/cholesky", spd(330))):
            alone, whole = factors(m, op, a)
            assert "devices" not in whole, whole
            for n in (2, 3):
                parts, job = factors(m, op, a, devices=n)
                assert close(alone, parts), (op, n)
                assert len(indices(job)) == n and job["device"]["index"] == indices(job)[0], job
                assert 0 <= job["quality"]["residual"] < 30, job
                assert {k["device"]["index"] for k in job["timing"]["kernels"]} == set(indices(job)), job


@case()
def a_system_is_solved_by_a_gang_as_by_one(d):
    with three(d) as m:
        until("all devices are healthy", lambda: all_healthy(m))
        system = {"a": general(400, 400), "b": general(400, 3)}
        one = post(m, "/solve", system).json()
        for n in (2, 3):
            parts = post(m, "/solve", dict(system, devices=n)).json()
            assert close(sum(one["result"]["x"], []), sum(parts["result"]["x"], [])), n
            assert parts["quality"]["residual"] < 1 and set(parts["quality"]) == set(one["quality"]), parts["quality"]
            assert 0.5 < parts["quality"]["rcond"] / one["quality"]["rcond"] < 2, (parts["quality"], one["quality"])
            assert len(indices(curl(m, "/jobs/" + parts["id"]).json())) == n
        post(m, "/solve", dict(system, devices=2, structure="spd")).problem(400, "structure auto or general")
        given = post(m, "/lu", {"a": system["a"], "return": "lu,pivots"}).json()["result"]
        given = {"factors": given["lu"], "pivots": given["pivots"], "b": system["b"], "devices": 2}
        assert post(m, "/solve", given).problem(400)["errors"][0]["pointer"] == "#/devices"
        post(m, "/solve", {"a": {"generate": "hilbert", "shape": [300, 300]}, "b": [0] * 299, "devices": 2}).problem(422)


@case()
def q_and_r_of_a_gang_are_those_of_one_device(d):
    with three(d) as m:
        until("all devices are healthy", lambda: all_healthy(m))
        for shape in ((400, 330), (200, 400)):
            one = post(m, "/qr", {"a": general(*shape)}).json()
            for n in (2, 3):
                parts = post(m, "/qr", {"a": general(*shape), "devices": n}).json()
                for name in ("q", "r"):
                    assert close(sum(one["result"][name], []), sum(parts["result"][name], [])), (shape, n, name)
                assert set(parts["quality"]) == set(one["quality"]), parts["quality"]
                assert parts["quality"]["residual"] < 1 and parts["quality"]["orthogonality"] < 3, parts["quality"]
                assert len(indices(curl(m, "/jobs/" + parts["id"]).json())) == n
        for wrong in ({"pivot": True}, {"mode": "raw"}, {"quality": "full"}):
            p = post(m, "/qr", dict({"a": general(300, 300), "devices": 2}, **wrong)).problem(400, "answered as q and r")
            assert p["errors"][0]["pointer"] == "#/devices", p


def symmetric(n):
    return {"generate": "spd", "shape": [n, n], "seed": 5}


@case()
def eigenpairs_of_a_gang_are_those_of_one_device(d):
    with three(d) as m:
        until("all devices are healthy", lambda: all_healthy(m))
        ask = {"a": symmetric(200), "which": "all", "return": ["eigenvalues", "eigenvectors"]}
        one = post(m, "/eigen", dict(ask, method="tridiagonal")).json()
        for n in (2, 3):
            parts = post(m, "/eigen", dict(ask, devices=n)).json()
            assert set(parts["result"]) == set(one["result"]), parts["result"].keys()
            assert close(one["result"]["eigenvalues"], parts["result"]["eigenvalues"]), n
            assert set(parts["quality"]) == set(one["quality"]), parts["quality"]
            assert parts["quality"]["residual"] < 30 and parts["quality"]["orthogonality"] < 30, parts["quality"]
            assert len(indices(curl(m, "/jobs/" + parts["id"]).json())) == n
        for wrong in ({"which": "dominant", "return": None}, {"structure": "general"}, {"quality": "full"}, {"method": "lapack"}):
            wrong = {k: v for k, v in dict(ask, devices=2, **wrong).items() if v is not None}
            p = post(m, "/eigen", wrong).problem(400, "2 devices compute together one real matrix")
            assert p["errors"][0]["pointer"] == "#/devices", p
        post(m, "/eigen", {"a": general(200, 200), "which": "all", "devices": 2}).problem(422, "not symmetric")


@case()
def pivots_of_a_gang_are_those_of_one_device(d):
    with three(d) as m:
        until("all devices are healthy", lambda: all_healthy(m))
        ask = {"a": general(300, 300), "return": ["pivots", "sign", "singular", "p"]}
        one = post(m, "/lu", dict(ask, devices=1)).json()["result"]
        ask["return"].append("lu")
        parts = post(m, "/lu", dict(ask, devices=3)).json()["result"]
        assert all(parts[name] == one[name] for name in one), one["sign"]


@case()
def what_a_gang_cannot_compute_is_refused(d):
    with three(d) as m:
        until("all devices are healthy", lambda: all_healthy(m))
        for wrong, word in (({"a": general(600, 600), "devices": 4}, "allows only 3 that can"),
                            ({"a": general(600, 600), "devices": 2, "device": 1}, "allows only 1 that can"),
                            ({"a": general(100, 100), "devices": 3}, "64 rows and columns or more"),
                            ({"a": general(300, 300), "devices": 2, "pivot": "none"}, "partial pivoting"),
                            ({"a": general(300, 300), "devices": 2, "quality": "full"}, "quality of estimate or none"),
                            ({"a": {"generate": "random", "shape": [2, 300, 300]}, "devices": 2}, "one real matrix")):
            p = post(m, "/lu", wrong).problem(400, word)
            assert p["errors"][0]["pointer"] == "#/devices", p
        steps = [{"op": "lu", "a": "@a", "devices": 2, "as": "f"}]
        post(m, "/pipelines", {"steps": steps, "a": general(300, 300), "return": ["f.lu"]}).problem(400, "the steps of a pipeline run on one device")
        p = post(m, "/cholesky", {"a": general(300, 300), "devices": 3}).problem(422, "leading minor")
        assert p["type"].endswith("not-positive-definite"), p


def begun(d, at):
    """The job, if its devices are at work."""
    job = curl(d, at).json()
    return job if job["status"] == "running" and job["progress"] > 0 else None


# Computations that take seconds.
LONG = {"/lu": {"a": general(1800, 1800), "devices": 3},
        "/solve": {"a": general(1800, 1800), "b": general(1800, 64), "devices": 3},
        "/qr": {"a": general(1200, 1200), "devices": 3},
        "/eigen": {"a": symmetric(800), "which": "all", "return": ["eigenvectors", "eigenvalues"], "devices": 3}}


def warm(d):
    until("all devices are healthy", lambda: all_healthy(d))
    factors(d, "/lu", general(400, 400), devices=3)


def still_right(d):
    elements, job = factors(d, "/lu", general(300, 300), devices=3)
    assert close(elements, factors(d, "/lu", general(300, 300))[0])
    assert job["quality"]["residual"] < 30, job


@case()
def a_killed_worker_makes_its_gang_begin_anew(d):
    with three(d) as m:
        for op, request in LONG.items():
            warm(m)
            at = submit(m, op, request)
            job = until("it has begun", lambda: begun(m, at))
            os.kill(workers(m)[1], signal.SIGKILL)
            job = finished(m, at)
            assert job["status"] == "successful" and job["quality"]["residual"] < 30, job
            assert "was killed" in m.log() or "died by signal 9" in m.log(), m.log()
        still_right(m)


@case()
def a_dismissed_gang_ends_on_all_devices(d):
    with three(d) as m:
        warm(m)
        for op, request in LONG.items():
            at = submit(m, op, request)
            until("it has begun", lambda: begun(m, at))
            assert curl(m, at, "-X", "DELETE").status == 204
            assert curl(m, at).json()["status"] == "dismissed"
            still_right(m)


@case()
def a_gang_that_takes_too_long_is_answered_at_once(d):
    with three(d) as m:
        warm(m)
        for op, request in LONG.items():
            post(m, op, dict(request, timeout_ms=100)).problem(504)
            still_right(m)
