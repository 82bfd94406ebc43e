"""case_jobs.py - asynchronous jobs, deadlines, dismissal, and ends of all kinds."""
import json
import os
import re
import signal
import socket
import threading

from client import (ASYNC, ENDLESS, busy, case, curl, dismiss, endless, finished, head, idle, job, jobs, post, product,
                    random_matrix, raw, receive, running, send, state, stopped, submit, until, workers)


@case()
def a_long_list_of_jobs_is_printed_as_it_is_sent(d):
    """With all times, a job of 32 steps has some 10 KiB in the list."""
    steps = [{"op": "transpose", "a": f"s{i}" if i else "@a", "as": f"s{i + 1}"} for i in range(32)]
    ask = {"steps": steps, "return": ["s32"], "a": [[1, 2], [3, 4]], "timing": "full"}
    ids = [post(d, "/pipelines", ask).headers["linalgd-job"] for _ in range(40)]
    whole = curl(d, "/jobs?limit=40")
    assert len(whole.body) > 1 << 17 and "content-length" not in whole.headers, whole.headers
    assert [j["id"] for j in whole.json()["jobs"]] == ids[::-1]
    assert all(len(j["timing"]["kernels"]) == 32 for j in whole.json()["jobs"])
    for coding in ("gzip", "zstd"):
        assert curl(d, "/jobs?limit=40", "--compressed", "-H", f"Accept-Encoding: {coding}").body == whole.body, coding
    assert curl(d, "/jobs?limit=40", "-I").status == 200 and curl(d, "/jobs?limit=1").json()["jobs"] == whole.json()["jobs"][:1]


@case()
def a_job_is_accepted_runs_and_is_fetched(d):
    at = submit(d, "/lu", {"a": random_matrix(64)})
    j = finished(d, at)
    assert j["status"] == "successful" and j["progress"] == 100 and j["op"] == "lu", j
    for key in ("created", "started", "finished", "updated"):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", j[key]), (key, j)
    assert j["timing"]["kernels"] and j["device"]["name"], j
    r = curl(d, at + "/result")
    assert r.status == 200 and len(r.json()["result"]["lu"]) == 64 and r.headers["linalgd-job"] == j["id"]
    assert curl(d, at + "/result", "-H", "Accept: application/x-npy").body.startswith(b"\x93NUMPY")
    assert curl(d, at + "/result", "-I").body == b""
    curl(d, at + "/result", "-H", "Accept: image/png").problem(406)
    assert j["id"] in [x["id"] for x in jobs(d, "successful")]
    assert curl(d, at, "-X", "DELETE").status == 204
    curl(d, at).problem(404)
    curl(d, at + "/result").problem(404)


@case()
def a_failed_job_tells_why(d):
    at = submit(d, "/solve", {"a": [[1, 2], [2, 4]], "b": [1, 2]})
    j = finished(d, at)
    assert j["status"] == "failed" and j["error"]["status"] == 422 and j["error"]["instance"] == at, j
    curl(d, at + "/result").problem(422, "singular")


@case()
def a_synchronous_job_keeps_its_record_alone(d):
    r = post(d, "/lu", {"a": [[2]]}, "-H", "Accept: application/x-npy")
    at = "/jobs/" + r.headers["linalgd-job"]
    assert job(d, at)["status"] == "successful" and job(d, at)["timing"]["kernels"]
    assert "total;dur=" in r.headers["server-timing"], r.headers
    curl(d, at + "/result").problem(410)


@case()
def timing_is_as_much_as_was_asked_for(d):
    full = post(d, "/lu", {"a": [[2]]})
    name = full.json()["timing"]["kernels"][0]["name"]
    assert name + ";dur=" in full.headers["server-timing"]
    summary = post(d, "/lu", {"a": [[2]], "timing": "summary"})
    assert "kernels" not in summary.json()["timing"] and summary.json()["timing"]["total_ms"] > 0
    assert name + ";dur=" not in summary.headers["server-timing"]
    assert "timing" not in post(d, "/lu", {"a": [[2]], "timing": "none"}).json()
    assert "quality" not in post(d, "/lu", {"a": [[2]], "quality": "none"}).json()


@case()
def running_and_waiting_jobs_are_dismissed(d):
    ats = [endless(d) if i == 0 else submit(d, "/jacobi", ENDLESS) for i in range(3)]
    running(d, ats[0])
    curl(d, ats[0] + "/result").problem(409, "running")
    for at in ats[1:]:
        curl(d, at + "/result").problem(409, "accepted")
    for at in reversed(ats):
        dismiss(d, at)
        assert job(d, at)["status"] == "dismissed"
        curl(d, at + "/result").problem(409)
    idle(d)


@case()
def a_job_is_found_and_dismissed_while_its_operands_are_made(d):
    """It is dismissed while it waits, if its operands are ready before this asks."""
    with busy(d):
        at = submit(d, "/matmul", product(4000))
        j = job(d, at)
        assert j["status"] == "accepted" and j["progress"] == 0, j
        dismiss(d, at)
        assert job(d, at)["status"] == "dismissed"
        dismiss(d, at)
        curl(d, at).problem(404)


@case()
def long_operands_that_do_not_fit_are_refused_before_the_job_is_accepted(d):
    post(d, "/matmul", {"a": random_matrix(1000), "b": random_matrix(999)}, "-H", "Prefer: respond-async").problem(422, "999")


@case("--durability", "none")
def long_operands_that_do_not_fit_fail_their_job(d):
    at = submit(d, "/matmul", {"a": random_matrix(1000), "b": random_matrix(999)})
    j = finished(d, at)
    assert j["status"] == "failed" and j["error"]["status"] == 422 and "999" in j["error"]["detail"], j
    curl(d, at + "/result").problem(422)


@case()
def a_job_ends_when_its_client_leaves(d):
    idle(d)
    body = json.dumps(ENDLESS).encode()
    s = send(d, b"POST /jacobi HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
             b"Content-Length: %d\r\n\r\n" % len(body) + body)
    j = until("the job runs", lambda: jobs(d, "running"))[0]
    s.close()
    until("the job is dismissed", lambda: job(d, "/jobs/" + j["id"])["status"] == "dismissed")


@case()
def an_asynchronous_job_outlives_its_client(d):
    at = submit(d, "/matmul", product(1000))
    assert finished(d, at)["status"] == "successful"
    assert len(curl(d, at + "/result", "-H", "Accept: application/octet-stream").body) == 1000 * 1000 * 8
    dismiss(d, at)


@case()
def a_deadline_gives_504_while_the_job_runs_or_waits(d):
    idle(d)
    post(d, "/jacobi", dict(ENDLESS, timeout_ms=100)).problem(504, "while the job ran")
    with busy(d):
        post(d, "/matmul", {"a": [[1]], "b": [[1]], "timeout_ms": 50}).problem(504, "while the job waited")
    idle(d)


@case("--default-timeout-ms", "300")
def a_request_without_timeout_ms_has_the_default_one(d):
    post(d, "/jacobi", ENDLESS).problem(504, "says so by its timeout_ms")
    post(d, "/jacobi", dict(ENDLESS, timeout_ms=100)).problem(504, "after 100 ms")
    at = submit(d, "/jacobi", ENDLESS)
    assert finished(d, at)["status"] == "failed"


def begin_to_read(d, kind, body):
    """A connection on which the head of an asynchronous job's result has arrived, and the address of the result."""
    def ask():
        at = submit(d, "/lu", body)
        finished(d, at)
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        s.settimeout(300)
        s.connect(("127.0.0.1", d.port))
        s.sendall(f"GET {at}/result HTTP/1.1\r\nHost: localhost\r\nAccept: {kind}\r\nConnection: close\r\n\r\n".encode())
        return (at, s) if head(s).startswith(b"HTTP/1.1 200") else s.close()
    return until("its head came before it was gone", ask)


@case("--result-ttl", "1")
def a_result_that_is_being_read_is_read_to_its_end(d):
    """Even when other clients no longer find it, and take all the memory that they can get."""
    n = 1024
    body = dict(a=random_matrix(n), **{"return": "l,u", "timing": "none", "quality": "none"})
    for kind in ("application/octet-stream", "application/x-npz", "application/x-matrix-market", "application/json"):
        whole = post(d, "/lu", body, "-H", f"Accept: {kind}").body
        at, s = begin_to_read(d, kind, body)
        until("the result is gone", lambda: curl(d, at + "/result").status == 410)
        for i in range(4):
            curl(d, f"/matrices/zeros{i}?shape={n},{n}&dtype=float64", "-X", "PUT", "-H",
                 "Content-Type: application/octet-stream", body=bytes(8 * n * n))
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        out = receive(s)
        if kind == "application/json":
            assert json.loads(dechunk(out))["result"] == json.loads(whole)["result"]
        else:
            assert (out if kind != "application/x-matrix-market" else dechunk(out)) == whole, (kind, len(out), len(whole))
        for i in range(4):
            curl(d, f"/matrices/zeros{i}", "-X", "DELETE")


def dechunk(out):
    """Reads a chunked body."""
    pieces, at, n = [], 0, -1
    while n:
        begin = out.index(b"\r\n", at) + 2
        n = int(out[at:begin], 16)
        pieces.append(out[begin:begin + n])
        at = begin + n + 2
    return b"".join(pieces)


@case("--queue-limit", "2")
def a_full_queue_is_told_before_the_body_is_read(d):
    with busy(d):
        ats = [submit(d, "/matmul", {"a": [[1]], "b": [[1]]}) for _ in range(2)]
        r = post(d, "/matmul", {"a": [[1]], "b": [[1]]})
        r.problem(503, "queue")
        assert int(r.headers["retry-after"]) >= 1
        out = raw(d, b"POST /matmul HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                  b"Expect: 100-continue\r\nContent-Length: 99999\r\n\r\n")
        assert out.startswith(b"HTTP/1.1 503"), out
        assert curl(d, "/healthz").status == 200
    assert [finished(d, at)["status"] for at in ats] == ["successful"] * 2


@case("--queue-limit", "0")
def without_a_queue_an_idle_device_still_takes_jobs(d):
    small = {"a": [[1]], "b": [[1]]}
    for _ in range(3):
        assert post(d, "/matmul", small).status == 200
    with busy(d):
        post(d, "/matmul", small).problem(503, "0 may")
    until("the device is idle", lambda: post(d, "/matmul", small).status == 200)
    assert finished(d, submit(d, "/matmul", small))["status"] == "successful"


@case()
def the_more_urgent_job_goes_first_and_the_older_of_two(d):
    with busy(d) as first:
        ats = [submit(d, "/jacobi", dict(ENDLESS, priority=p)) for p in (9, 5, 0, 5)]
        order = [first, ats[2], ats[1], ats[3], ats[0]]
        for i in range(1, len(order)):
            dismiss(d, order[i - 1])
            running(d, order[i])
            assert all(job(d, at)["status"] == "accepted" for at in order[i + 1:]), i
        dismiss(d, order[-1])


@case("--result-ttl", "1")
def a_result_does_not_live_for_ever(d):
    at = submit(d, "/lu", {"a": [[2]]})
    assert finished(d, at)["status"] == "successful"
    until("the result is gone", lambda: curl(d, at + "/result").status == 410)
    curl(d, at + "/result").problem(410)
    assert job(d, at)["status"] == "successful"


@case("--host-memory", "100M")
def memory_is_promised_before_it_is_used(d):
    post(d, "/transpose", {"a": random_matrix(4000)}).problem(413)
    out = raw(d, b"POST /lu?shape=5000,5000&dtype=float64 HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n"
              b"Content-Length: 200000000\r\n\r\n" + bytes(1_000_000))
    assert out.startswith(b"HTTP/1.1 413"), out
    ats = [submit(d, "/transpose", {"a": random_matrix(1500)}) for _ in range(2)]
    assert [finished(d, at)["status"] for at in ats] == ["successful"] * 2
    kept = 0
    while kept < 10 and post(d, "/transpose", {"a": random_matrix(1500)}, *ASYNC).status == 202:
        kept += 1
        until("it has ended", lambda: not jobs(d, "running") and not jobs(d, "accepted"))
    r = post(d, "/transpose", {"a": random_matrix(2200)})
    r.problem(503, "left")
    assert r.headers["retry-after"]
    for at in ats:
        dismiss(d, at)
    assert post(d, "/transpose", {"a": random_matrix(1500)}, "-H", "Accept: application/x-npy").status == 200


def crashed(pid):
    """Sends SIGSEGV to the process, whose first one LLVM's handler swallows; is it dead?"""
    try:
        os.kill(pid, signal.SIGSEGV)
    except ProcessLookupError:
        return True
    return state(pid) == "Z"


def gone(d, pids):
    """Has the daemon noticed that these workers ended?"""
    return not set(pids) & set(workers(d))


def kill(d):
    pids = workers(d)
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    until("the worker is gone", lambda: gone(d, pids))


@case()
def a_worker_that_crashes_fails_its_job_alone(d):
    idle(d)
    with busy(d) as at:
        for _ in range(2):          # a crash before the worker has begun the job is not counted against it
            until("it runs, or has ended", lambda: job(d, at)["status"] != "accepted")
            pids = workers(d) if job(d, at)["status"] == "running" else []
            for pid in pids:
                until("it dies", lambda: crashed(pid))
            until("the worker is gone", lambda: gone(d, pids))
        j = finished(d, at)
        assert j["status"] == "failed" and j["error"]["status"] == 500 and "signal" in j["error"]["detail"], j
    idle(d)


@case()
def a_job_whose_worker_is_killed_runs_once_more(d):
    with stopped(d):
        at = submit(d, "/matmul", {"a": [[2]], "b": [[5]]})
        running(d, at)
        kill(d)
        assert finished(d, at)["status"] == "successful"
        assert curl(d, at + "/result").json()["result"]["c"] == [[10]]


@case()
def a_job_whose_worker_is_killed_three_times_fails(d):
    idle(d)
    with busy(d) as at:
        for _ in range(2):
            kill(d)
            running(d, at)
        kill(d)
        j = finished(d, at)
        assert j["status"] == "failed" and j["error"]["status"] == 500 and "signal 9" in j["error"]["detail"], j
    idle(d)


@case()
def many_clients_get_their_own_answers(d):
    def one(i):
        n = 3 + i % 20
        a = [[float(i * 31 + r * n + c) for c in range(n)] for r in range(n)]
        got = post(d, "/transpose", {"a": a}).json()["result"]["a"]
        if got != [list(r) for r in zip(*a)]:
            wrong.append(i)
    wrong = []
    threads = [threading.Thread(target=one, args=(i,)) for i in range(100)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong, wrong


@case()
def small_products_of_many_clients_are_their_own(d):
    """Requests of one shape that come at the same time are computed together."""
    def one(i):
        n = 5 if i % 3 else 12
        a = [[float((i * 7 + r * n + c) % 19 - 9) for c in range(n)] for r in range(n)]
        b = [[float((i * 5 + r + 3 * c) % 17 - 8) for c in range(n)] for r in range(n)]
        want = [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]
        for _ in range(3):
            r = post(d, "/matmul", {"a": a, "b": b}).json()
            if r["result"]["c"] != want or r["timing"]["kernels"][0]["calls"] != 1:
                wrong.append((i, r))
    wrong = []
    threads = [threading.Thread(target=one, args=(i,)) for i in range(60)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong, wrong[0]
