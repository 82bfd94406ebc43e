"""case_jobs.py - asynchronous jobs, deadlines, dismissal, repeats, and ends of all kinds."""
import json
import os
import re
import signal
import socket
import subprocess
import threading
import uuid

from client import ASYNC, case, curl, finished, job, jobs, long_product, post, random_matrix, send, until


def submit(d, path, document, *arguments):
    r = post(d, path, document, *ASYNC, *arguments)
    assert r.status == 202, (r.status, r.body)
    assert r.headers["preference-applied"] == "respond-async"
    assert r.headers["location"] == "/jobs/" + r.headers["linalgd-job"]
    assert r.json()["id"] == r.headers["linalgd-job"]
    return r.headers["location"]


def running(d, at):
    return until(f"{at} runs", lambda: job(d, at)["status"] == "running")


def quiet(d):
    """Nothing runs or waits any more."""
    until("all jobs have ended", lambda: not jobs(d, "running") and not jobs(d, "accepted"))


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
    ats = [submit(d, "/matmul", long_product()) for _ in range(3)]
    running(d, ats[0])
    curl(d, ats[0] + "/result").problem(409, "running")
    curl(d, ats[1] + "/result").problem(409, "accepted")
    for at in reversed(ats):
        assert curl(d, at, "-X", "DELETE").status == 204
        assert job(d, at)["status"] == "dismissed"
        curl(d, at + "/result").problem(409)
    assert post(d, "/matmul", {"a": [[2]], "b": [[3]]}).json()["result"]["c"] == [[6]]


@case()
def a_job_is_found_and_dismissed_while_its_operands_are_made(d):
    at = submit(d, "/matmul", long_product())
    j = job(d, at)
    assert j["status"] == "accepted" and j["progress"] == 0, j
    assert curl(d, at, "-X", "DELETE").status == 204
    assert job(d, at)["status"] == "dismissed"
    assert curl(d, at, "-X", "DELETE").status == 204
    curl(d, at).problem(404)


@case()
def long_operands_that_do_not_fit_fail_their_job(d):
    at = submit(d, "/matmul", {"a": random_matrix(1000), "b": random_matrix(999)})
    j = finished(d, at)
    assert j["status"] == "failed" and j["error"]["status"] == 422 and "999" in j["error"]["detail"], j
    curl(d, at + "/result").problem(422)


@case()
def a_job_ends_when_its_client_leaves(d):
    quiet(d)
    body = json.dumps(long_product()).encode()
    s = send(d, b"POST /matmul HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
             b"Content-Length: %d\r\n\r\n" % len(body) + body)
    j = until("the job runs", lambda: jobs(d, "running"))[0]
    s.close()
    until("the job is dismissed", lambda: job(d, "/jobs/" + j["id"])["status"] == "dismissed", 10)


@case()
def an_asynchronous_job_outlives_its_client(d):
    at = submit(d, "/matmul", long_product(2500))
    assert finished(d, at)["status"] == "successful"
    assert len(curl(d, at + "/result", "-H", "Accept: application/octet-stream").body) == 2500 * 2500 * 8
    assert curl(d, at, "-X", "DELETE").status == 204


@case()
def a_deadline_gives_504_while_the_job_runs_or_waits(d):
    quiet(d)
    post(d, "/matmul", dict(long_product(), timeout_ms=100)).problem(504, "timeout")
    at = submit(d, "/matmul", long_product())
    running(d, at)
    post(d, "/matmul", {"a": [[1]], "b": [[1]], "timeout_ms": 50}).problem(504)
    assert curl(d, at, "-X", "DELETE").status == 204
    assert post(d, "/matmul", {"a": [[2]], "b": [[3]]}).json()["result"]["c"] == [[6]]


@case()
def a_repeat_with_the_same_key_is_the_same_job(d):
    key = ("-H", f"Idempotency-Key: {uuid.uuid4()}")
    at = submit(d, "/lu", {"a": [[2, 1], [1, 3]]}, *key)
    assert submit(d, "/lu", {"a": [[2, 1], [1, 3]]}, *key) == at
    finished(d, at)
    assert submit(d, "/lu", {"a": [[2, 1], [1, 3]]}, *key) == at
    assert post(d, "/lu", {"a": [[2, 1], [1, 3]]}, *key).headers["linalgd-job"] == at[6:]
    post(d, "/lu", {"a": [[9]]}, *ASYNC, *key).problem(422, at[6:])
    post(d, "/lu?timing=none", {"a": [[2, 1], [1, 3]]}, *ASYNC, *key).problem(422)
    post(d, "/lu", {"a": [[1]]}, "-H", "Idempotency-Key: " + "x" * 200).problem(400)


@case()
def a_synchronous_repeat_of_a_running_job_is_a_conflict(d):
    key = ("-H", f"Idempotency-Key: {uuid.uuid4()}")
    at = submit(d, "/matmul", long_product(), *key)
    post(d, "/matmul", long_product(), *key).problem(409, at[6:])
    assert curl(d, at, "-X", "DELETE").status == 204


@case("--queue-limit", "2")
def a_full_queue_is_told_before_the_body_is_read(d):
    first = submit(d, "/matmul", long_product())
    running(d, first)
    ats = [submit(d, "/matmul", {"a": [[1]], "b": [[1]]}) for _ in range(2)]
    r = post(d, "/matmul", {"a": [[1]], "b": [[1]]})
    r.problem(503, "queue")
    assert int(r.headers["retry-after"]) >= 1
    s = send(d, b"POST /matmul HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
             b"Expect: 100-continue\r\nContent-Length: 99999\r\n\r\n")
    assert s.recv(100).startswith(b"HTTP/1.1 503")
    s.close()
    assert curl(d, "/healthz").status == 200 and curl(d, first, "-X", "DELETE").status == 204
    assert [finished(d, at)["status"] for at in ats] == ["successful"] * 2


@case("--queue-limit", "2")
def the_more_urgent_job_goes_first(d):
    first = submit(d, "/matmul", long_product())
    running(d, first)
    later = submit(d, "/lu", dict(a=[[1]], priority=9))
    sooner = submit(d, "/lu", dict(a=[[1]], priority=0))
    assert curl(d, first, "-X", "DELETE").status == 204
    assert finished(d, sooner)["started"] <= finished(d, later)["started"]


@case("--result-ttl", "1")
def a_result_does_not_live_for_ever(d):
    at = submit(d, "/lu", {"a": [[2]]})
    assert finished(d, at)["status"] == "successful"
    until("the result is gone", lambda: curl(d, at + "/result").status == 410, 10)
    curl(d, at + "/result").problem(410)
    assert job(d, at)["status"] == "successful"


@case("--host-memory", "100M")
def memory_is_promised_before_it_is_used(d):
    post(d, "/transpose", {"a": random_matrix(4000)}).problem(413)
    curl(d, "/lu?shape=5000,5000&dtype=float64", "-H", "Content-Type: application/octet-stream", "-H", "Expect:",
         body=bytes(200_000_000)).problem(413)
    ats = [submit(d, "/transpose", {"a": random_matrix(1500)}) for _ in range(2)]
    assert [finished(d, at)["status"] for at in ats] == ["successful"] * 2
    kept = 0
    while kept < 10 and post(d, "/transpose", {"a": random_matrix(1500)}, *ASYNC).status == 202:
        kept += 1
        quiet(d)
    r = post(d, "/transpose", {"a": random_matrix(2200)})
    r.problem(503, "left")
    assert r.headers["retry-after"]
    for at in ats:
        assert curl(d, at, "-X", "DELETE").status == 204
    assert post(d, "/transpose", {"a": random_matrix(1500)}, "-H", "Accept: application/x-npy").status == 200


def crashed(pid):
    """Sends it SIGSEGV, of which LLVM's handler swallows the first; is it dead?"""
    try:
        os.kill(pid, signal.SIGSEGV)
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def workers(d):
    out = subprocess.run(["pgrep", "-P", str(d.process.pid)], capture_output=True).stdout.split()
    return [int(p) for p in out]


@case()
def a_worker_that_crashes_fails_its_job_alone(d):
    quiet(d)
    at = submit(d, "/matmul", long_product())
    for _ in range(2):              # a crash before the worker has begun with it is not the job's fault
        until("it runs, or has ended", lambda: job(d, at)["status"] != "accepted")
        pids = workers(d) if job(d, at)["status"] == "running" else []
        for pid in pids:
            until("it dies", lambda: crashed(pid))
        until("the worker is gone", lambda: not set(pids) & set(workers(d)))
    j = finished(d, at)
    assert j["status"] == "failed" and j["error"]["status"] == 500 and "signal" in j["error"]["detail"], j
    assert post(d, "/matmul", {"a": [[2]], "b": [[3]]}).json()["result"]["c"] == [[6]]


@case()
def a_job_whose_worker_is_killed_runs_once_more(d):
    quiet(d)
    at = submit(d, "/matmul", long_product(3000))
    running(d, at)
    for pid in workers(d):
        os.kill(pid, signal.SIGKILL)
    assert finished(d, at)["status"] == "successful"
    assert curl(d, at, "-X", "DELETE").status == 204


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
    """Some of one shape come at the same time: they are computed together."""
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


@case("--drain-seconds", "60")
def sigterm_lets_what_runs_be_answered(d):
    body = json.dumps(dict(long_product(3000))).encode()
    s = send(d, b"POST /matmul HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: application/octet-stream\r\n"
             b"Content-Length: %d\r\n\r\n" % len(body) + body)
    until("the job runs", lambda: jobs(d, "running"))
    d.process.send_signal(signal.SIGTERM)
    s.settimeout(60)
    got = s.recv(15)
    assert got.startswith(b"HTTP/1.1 200"), got
    total = 0
    try:
        while piece := s.recv(1 << 20):
            total += len(piece)
    except ConnectionError:
        pass
    assert total > 3000 * 3000 * 8, f"only {total} bytes came"
    s.close()
    assert d.stop() == 0
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", d.port)) != 0


sigterm_lets_what_runs_be_answered.ends_it = True
