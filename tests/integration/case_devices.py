"""case_devices.py - several devices at once: PoCL is made to show the processor as two devices."""
import math
import os
import re
import signal

import exposition
from client import busy, case, curl, finished, job, post, submit, until, workers
from daemon import Daemon

TWO = {"POCL_DEVICES": "pthread basic"}


def sheet(d):
    return curl(d, "/devices").json()["devices"]


def both_healthy(d):
    return all(s["healthy"] for s in sheet(d)) and sheet(d)


def ran_on(d, **wanted):
    return post(d, "/matmul", dict({"a": [[2]], "b": [[3]]}, **wanted)).json()["device"]["index"]


@case()
def a_request_picks_its_device(d):
    with Daemon(d.binary, env=TWO) as two:
        devices = until("both devices are healthy", lambda: both_healthy(two))
        assert [s["index"] for s in devices] == [0, 1], devices
        for s in devices:
            assert ran_on(two, device=s["index"]) == s["index"]
            assert ran_on(two, device=s["name"].split("-")[0]) == s["index"]
        post(two, "/matmul", {"a": [[2]], "b": [[3]], "device": 2}).problem(400, "device 2")


@case("--device-memory", "8M")
def what_a_device_can_never_hold_is_refused_with_the_sizes(d):
    at_most = 8 << 20
    for s in sheet(d):
        assert s["global_memory_bytes"] == s["max_allocation_bytes"] == at_most, s
    large = {"generate": "hilbert", "shape": [1100, 1100]}
    for op, word in (("/det", "of the memory"), ("/eigen", "in one piece")):
        p = post(d, op, {"a": large}).problem(413, word)
        needed, there = (int(n) for n in re.findall(r"\b\d{7,}\b", p["detail"]))
        assert needed > there and there in (at_most, at_most - at_most // 32), p
        later = post(d, op, {"a": large}, "-H", "Prefer: respond-async")
        assert later.status == 202, later.body
        failed = finished(d, later.headers["location"])
        assert failed["status"] == "failed" and failed["error"]["detail"] == p["detail"], failed
    assert ran_on(d) == 0


def solution(a, p, lu, b):
    """Solves A x = b by factors with A[p] = L U; all are lists."""
    n = len(b)
    x = [b[i] for i in p]
    for i in range(n):
        x[i] -= math.fsum(lu[i][k] * x[k] for k in range(i))
    for i in reversed(range(n)):
        x[i] = (x[i] - math.fsum(lu[i][k] * x[k] for k in range(i + 1, n))) / lu[i][i]
    return x


@case("--device-memory", "8M")
def a_matrix_larger_than_the_device_is_factored(d):
    n = 1100
    large = {"generate": "random", "shape": [n, n], "seed": 3}
    wanted = "lu,pivots,singular,sign,p"
    reply = post(d, "/lu", {"a": large, "return": wanted}).json()
    kernels = reply["timing"]["kernels"]
    assert {k["variant"] for k in kernels} == {"streamed"}, kernels
    assert 0 < reply["quality"]["residual"] < 30, reply["quality"]
    r = reply["result"]
    assert sorted(r["p"]) == list(range(n)) and not r["singular"] and abs(r["sign"]) == 1
    b = post(d, "/matmul", {"a": large, "b": [[1]] * n}).json()["result"]["c"]
    x = solution(large, r["p"], r["lu"], [row[0] for row in b])
    assert all(abs(e - 1) < 1e-8 for e in x), max(abs(e - 1) for e in x)
    at, peak = submit(d, "/lu", {"a": large}), 0
    while job(d, at)["status"] in ("accepted", "running"):
        found = exposition.parse(curl(d, "/metrics").body.decode())
        peak = max(peak, exposition.value(found, "linalgd_device_memory_bytes", device="0", state="used"))
    assert job(d, at)["status"] == "successful" and peak <= 8 << 20, peak
    post(d, "/lu", {"a": large, "quality": "full"}).problem(413, "of the memory")
    refused = post(d, "/lu", {"a": large, "variant": "streamed", "quality": "full"}).problem(400, "exact residual")
    assert refused["errors"][0]["pointer"] == "#/quality", refused
    post(d, "/lu", {"a": {"generate": "random", "shape": [20000, 100], "seed": 1}, "return": "pivots"}).problem(413)


@case("--device-memory", "8M")
def a_system_larger_than_the_device_is_solved(d):
    n = 1100
    large = [[(7 * i * i + 13 * j) % 101 / 50 - 1 + 30 * (i == j) for j in range(n)] for i in range(n)]
    for turned in (False, True):
        sums = [math.fsum(line) for line in (zip(*large) if turned else large)]
        reply = post(d, "/solve", {"a": large, "b": [[s, -s] for s in sums], "transpose_a": turned}).json()
        assert {k["variant"] for k in reply["timing"]["kernels"]} == {"streamed"}, reply["timing"]
        quality = reply["quality"]
        assert quality["residual"] < 1 and 1e-9 < quality["rcond"] < 1e-2, quality
        assert 0 < quality["forward_error"] < 1e-6, quality
        assert all(abs(x - 1) < 1e-8 and abs(y + 1) < 1e-8 for x, y in reply["result"]["x"])
    b = [1] * n
    singular = {"generate": "ones", "shape": [n, n]}
    post(d, "/solve", {"a": singular, "b": b}).problem(422, "column 1")
    post(d, "/solve", {"a": large, "b": b, "structure": "spd", "variant": "streamed"}).problem(400, "general")


@case("--device-memory", "8M")
def operands_larger_than_a_buffer_are_cut(d):
    n = 1100
    large = {"generate": "hilbert", "shape": [n, n]}
    hilbert = [[1 / (i + j + 1) for j in range(n)] for i in range(n)]
    total = post(d, "/reduce", {"a": large, "op": "sum"}).json()["result"]["value"]
    assert abs(total - math.fsum(map(math.fsum, hilbert))) < 1e-12 * total, total
    rows = post(d, "/reduce", {"a": large, "op": "max", "axis": 1}).json()["result"]["values"]
    assert rows == [row[0] for row in hilbert]
    c = post(d, "/matmul", {"a": large, "b": {"generate": "ones", "shape": [n, 2]}}).json()["result"]["c"]
    assert all(abs(c[i][1] - math.fsum(hilbert[i])) < 1e-13 * n for i in range(n))


@case()
def a_job_goes_to_the_device_that_is_idle(d):
    with Daemon(d.binary, env=TWO) as two:
        until("both devices are healthy", lambda: both_healthy(two))
        for i in (0, 1, 0):
            with busy(two, device=i):
                for _ in range(5):
                    assert ran_on(two) == 1 - i
            assert ran_on(two, device=i) == i


@case()
def one_device_fails_and_the_other_goes_on(d):
    with Daemon(d.binary, env=TWO) as two:
        until("both devices are healthy", lambda: both_healthy(two))
        pids = workers(two)
        assert len(pids) == 2, pids
        os.kill(pids[0], signal.SIGKILL)
        for _ in range(20):
            assert ran_on(two) in (0, 1)
            assert curl(two, "/readyz").status == 200
        until("the worker is back", lambda: both_healthy(two))


def large_product(d, **wanted):
    def random(rows, columns):
        return {"generate": "random", "shape": [rows, columns], "seed": rows}
    ask = dict({"a": random(2304, 1536), "b": random(1536, 1536)}, **wanted)
    reply = post(d, "/matmul", ask, "-H", "Accept: application/octet-stream")
    assert reply.status == 200, reply.body[:300]
    return reply.body, curl(d, "/jobs/" + reply.headers["linalgd-job"]).json()


@case()
def a_large_product_runs_on_both_devices(d):
    with Daemon(d.binary, env={"POCL_DEVICES": "pthread pthread"}) as two:
        until("both devices are healthy", lambda: both_healthy(two))
        whole, alone = large_product(two, device=0)
        assert "devices" not in alone and alone["device"]["index"] == 0, alone
        assert large_product(two, device=1)[0] == whole     # which also compiles its kernels
        parts, job = large_product(two, precision="fast")
        assert parts == whole
        assert abs(job["quality"]["error_bound"] - 1536 * 2**-52) < 1e-18, job["quality"]
        assert [s["index"] for s in job["devices"]] == [0, 1], job
        assert job["device"] == job["devices"][0], job
        assert {k["device"]["index"] for k in job["timing"]["kernels"]} == {0, 1}, job
        assert all("device" not in k for k in alone["timing"]["kernels"]), alone
