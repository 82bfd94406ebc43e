"""case_follow.py - following a job: its events, requests that wait for its end, its trace."""
import json
import threading
import time

from client import (ENDLESS, answer, busy, case, curl, dismiss, endless, finished, head, job, jobs, post, random_matrix, running, send,
                    submit, take, until)
from daemon import Daemon


def events(raw):
    """The events of a stream, as (id, event, data); comments are left out."""
    found = []
    for block in raw.decode().split("\n\n")[:-1]:
        lines = [line for line in block.split("\n") if not line.startswith(":")]
        if lines:
            names, values = zip(*(line.split(": ", 1) for line in lines))
            assert names == ("id", "event", "data"), block
            found.append((int(values[0]), values[1], json.loads(values[2])))
    return found


def next_event(s):
    """The next chunk of a reply that is sent in chunks."""
    line = b""
    while not line.endswith(b"\r\n"):
        line = take(s, line, 1)
    n = int(line, 16)
    return take(s, b"", n + 2)[:-2]


def follow(d, at):
    s = send(d, f"GET {at}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
    h = head(s)
    assert h.startswith(b"HTTP/1.1 200"), h
    return s


@case()
def events_tell_a_job_from_its_queue_to_its_end(d):
    with busy(d) as first:
        at = submit(d, "/jacobi", dict(ENDLESS, max_iterations=200000))
        s = follow(d, at)
        told = events(next_event(s))
        assert told[0] == (1, "status", {"status": "accepted", "progress": 0, "stage": "waiting"}), told
        dismiss(d, first)
    while told[-1][1] != "end":
        told += events(next_event(s))
    assert next_event(s) == b""          # the last chunk: the stream is over, and the connection is kept
    s.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert answer(s).status == 200
    s.close()
    assert [i for i, _, _ in told] == list(range(1, len(told) + 1)), told
    assert [e for _, e, _ in told] == ["status"] * (len(told) - 1) + ["end"], told
    assert told[-1][2] == {"status": "failed", "progress": 100, "stage": "ended"}, told
    assert {x["stage"] for _, _, x in told} == {"waiting", "running", "ended"}, told
    progress = [x["progress"] for _, _, x in told]
    assert progress == sorted(progress) and len(set(progress)) > 3, told


@case()
def events_of_an_ended_job_are_its_end(d):
    at = submit(d, "/solve", {"a": [[1, 2], [2, 4]], "b": [1, 2]})
    finished(d, at)
    r = curl(d, at + "/events", "-N", "-H", "Last-Event-ID: 17")
    assert r.status == 200 and r.headers["content-type"] == "text/event-stream", r.headers
    assert r.headers["cache-control"] == "no-store" and r.headers["linalgd-job"] == at.split("/")[2], r.headers
    assert events(r.body) == [(1, "end", {"status": "failed", "progress": 100, "stage": "ended"})], r.body
    assert curl(d, at + "/events", "-I").status == 200
    curl(d, "/jobs/none/events").problem(404)
    curl(d, at + "/events?x=1").problem(400)
    r = curl(d, at + "/events", "-X", "POST")
    r.problem(405)
    assert r.headers["allow"] == "GET, HEAD", r.headers


@case()
def events_come_when_something_changes(d):
    """The change is told before the comment that a silent stream gets every 15 s."""
    with busy(d) as at:
        s = follow(d, at)
        assert events(next_event(s))[0][2]["status"] == "running"
        dismiss(d, at)
        assert events(next_event(s)) == [(2, "end", {"status": "dismissed", "progress": 100, "stage": "ended"})]
        s.close()


@case()
def a_silent_stream_is_kept_alive(d):
    with busy(d) as at:
        s = follow(d, at)
        next_event(s)
        begun = time.monotonic()
        assert next_event(s) == b":\n\n"
        assert time.monotonic() - begun > 14
        s.close()


@case()
def streams_are_limited_and_end_with_their_clients(d):
    with busy(d) as at:
        many = [follow(d, at) for _ in range(128)]
        r = curl(d, at + "/events")
        r.problem(503, "128 clients")
        assert int(r.headers["retry-after"]) >= 1
        assert curl(d, "/healthz").status == 200
        for s in many:
            s.close()
        until("there is room again", lambda: [s.close() for s in [send(d, f"GET {at}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode())]
                                              if head(s).startswith(b"HTTP/1.1 200")])


@case()
def a_status_waits_as_long_as_the_client_prefers(d):
    with busy(d) as at:
        begun = time.monotonic()
        r = curl(d, at, "-H", "Prefer: wait=1")
        assert time.monotonic() - begun >= 1
        assert r.status == 200 and r.json()["status"] == "running" and r.headers["preference-applied"] == "wait=1", r.headers
        r = curl(d, at + "/result", "-H", "Prefer: wait=1")
        r.problem(409, "running")
        assert r.headers["preference-applied"] == "wait=1" and r.headers["retry-after"] == "1", r.headers
        assert curl(d, at, "-H", "Prefer: wait=0").headers["preference-applied"] == "wait=0"
        assert "preference-applied" not in curl(d, at, "-H", "Prefer: wait=soon").headers
        later = threading.Timer(0.5, dismiss, (d, at))
        later.start()
        begun = time.monotonic()
        r = curl(d, at, "-H", "Prefer: wait=1000")
        later.join()
        assert r.json()["status"] == "dismissed" and r.headers["preference-applied"] == "wait=300", r.headers
        assert time.monotonic() - begun < 100


WAIT = ("-H", "Prefer: respond-async, wait=60")


@case()
def an_asynchronous_request_may_wait_for_its_result(d):
    r = post(d, "/matmul", {"a": [[2]], "b": [[3]]}, *WAIT)
    assert r.status == 200 and r.json()["result"]["c"] == [[6]] and r.headers["preference-applied"] == "wait=60", r.headers
    assert "location" not in r.headers
    at = "/jobs/" + r.headers["linalgd-job"]
    assert job(d, at)["status"] == "successful" and curl(d, at + "/result").json()["result"]["c"] == [[6]]
    large = post(d, "/lu", {"a": random_matrix(600)}, *WAIT, "-H", "Accept: application/x-npy")
    assert large.status == 200 and large.body.startswith(b"\x93NUMPY"), large.headers
    post(d, "/solve", {"a": [[1, 2], [2, 4]], "b": [1, 2]}, *WAIT).problem(422, "singular")
    post(d, "/solve", {"a": [[1, 2]], "b": [1, 2]}, *WAIT).problem(422)


@case()
def an_asynchronous_request_is_accepted_when_its_wait_is_over(d):
    with busy(d):
        begun = time.monotonic()
        r = post(d, "/matmul", {"a": [[2]], "b": [[3]]}, "-H", "Prefer: respond-async, wait=1")
        assert time.monotonic() - begun >= 1
        at = r.headers["location"]
        assert r.status == 202 and r.json()["status"] == "accepted" and at == "/jobs/" + r.json()["id"], r.headers
        now = post(d, "/matmul", {"a": [[2]], "b": [[3]]}, "-H", "Prefer: respond-async, wait=0")
        assert now.status == 202, now.headers
    assert finished(d, at)["status"] == "successful"
    assert curl(d, at + "/result").json()["result"]["c"] == [[6]]


@case()
def a_job_outlives_the_client_that_waited_for_it(d):
    body = b'{"a":[[2]],"b":[[3]]}'
    with busy(d):
        s = send(d, b"POST /matmul HTTP/1.1\r\nHost: x\r\nPrefer: respond-async, wait=60\r\nContent-Type: application/json\r\n"
                 b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        at = "/jobs/" + until("it waits", lambda: jobs(d, "accepted"))[0]["id"]
        s.close()
        time.sleep(0.2)
        assert job(d, at)["status"] == "accepted"
    assert finished(d, at)["status"] == "successful"
    assert curl(d, at + "/result").json()["result"]["c"] == [[6]]


@case()
def a_result_is_answered_as_soon_as_it_is_there(d):
    at = submit(d, "/lu", {"a": random_matrix(600)})
    r = curl(d, at + "/result", "-H", "Prefer: wait=60", "-H", "Accept: application/x-npy")
    assert r.status == 200 and r.body.startswith(b"\x93NUMPY") and r.headers["preference-applied"] == "wait=60", r.headers
    curl(d, at + "/result", "-H", "Prefer: wait=60", "-H", "Accept: image/png").problem(406)


@case()
def a_client_that_waits_may_leave(d):
    with busy(d) as at:
        for path in (at, at + "/result"):
            s = send(d, f"GET {path} HTTP/1.1\r\nHost: x\r\nPrefer: wait=60\r\n\r\n".encode())
            time.sleep(0.2)
            s.close()
        time.sleep(0.2)
        assert job(d, at)["status"] == "running"


@case()
def events_end_with_the_service(d):
    with Daemon(d.binary, "--drain-seconds", "0.5", "--durability", "none") as s:
        at = endless(s)
        running(s, at)
        c = follow(s, at)
        waits = send(s, f"GET {at} HTTP/1.1\r\nHost: x\r\nPrefer: wait=300\r\n\r\n".encode())
        assert events(next_event(c))[0][2]["status"] == "running"
        assert s.stop() == 0
        assert events(next_event(c)) == [(2, "end", {"status": "dismissed", "progress": 100, "stage": "ended"})]
        assert answer(waits).json()["status"] == "dismissed"
        c.close()
        waits.close()


@case()
def who_follows_a_job_that_is_left_to_the_next_process_is_let_go(d):
    with Daemon(d.binary, "--drain-seconds", "0.5") as s:
        at = endless(s)
        running(s, at)
        c = follow(s, at)
        waits = send(s, f"GET {at} HTTP/1.1\r\nHost: x\r\nPrefer: wait=300\r\n\r\n".encode())
        assert events(next_event(c))[0][2]["status"] == "running"
        assert s.stop() == 0
        assert answer(waits).json()["status"] == "running"
        rest = b"".join(iter(lambda: c.recv(4096), b""))
        assert b"event: end" not in rest and rest.endswith(b"0\r\n\r\n"), rest
        c.close()
        waits.close()


def traced(d, path, document):
    """The reply to a request with timing=trace, and its trace: the document, and its complete events."""
    r = post(d, path, dict(document, timing="trace"))
    t = curl(d, "/jobs/" + r.headers["linalgd-job"] + "/trace")
    assert t.status == 200 and t.headers["content-type"] == "application/json", t.headers
    document = t.json()
    return r, document, [e for e in document["traceEvents"] if e["ph"] == "X"]


@case()
def a_trace_tells_every_launch(d):
    r, document, found = traced(d, "/lu", {"a": random_matrix(300)})
    assert document["displayTimeUnit"] == "ms" and document["otherData"]["left_out"] == 0, document["otherData"]
    kernels = {}
    for e in found:
        assert e["ts"] >= 0 and e["dur"] >= 0, e
        if e["cat"] == "kernel":
            kernels.setdefault(e["name"], []).append(e["dur"])
    timing = r.json()["timing"]
    assert timing["kernels"]
    for k in timing["kernels"]:
        durations = kernels.pop(k["name"])
        assert len(durations) == k["calls"], k
        assert abs(sum(durations) / 1000 - k["total_ms"]) < 1e-3 * len(durations), (k, durations)
    assert not kernels, kernels
    lanes = {(e["pid"], e["tid"]): e["args"]["name"] for e in document["traceEvents"] if e["ph"] == "M" and e["name"] == "thread_name"}
    assert {"queue", "stages", "kernels"} <= set(lanes.values()), lanes
    assert {(e["pid"], e["tid"]) for e in found} <= set(lanes), lanes
    run = next(e for e in found if e["name"] == "run")
    for e in found:
        if e["pid"]:
            assert run["ts"] <= e["ts"] and e["ts"] + e["dur"] <= run["ts"] + run["dur"] + 0.01, (e, run)
    assert abs(run["ts"] + run["dur"] - timing["total_ms"] * 1000) < 5000, (run, timing)


@case()
def a_trace_of_a_pipeline_tells_the_steps_of_its_launches(d):
    a = random_matrix(40)
    steps = [{"op": "matmul", "a": "@a", "b": "@a", "as": "product"}, {"op": "lu", "a": "product", "as": "factors"}]
    r, document, found = traced(d, "/pipelines", {"steps": steps, "return": ["factors.lu"], "a": a})
    told = {}
    for e in found:
        assert ("args" in e) == (e["cat"] == "kernel"), e
        if e["cat"] == "kernel":
            told[e["args"]["step"], e["name"]] = told.get((e["args"]["step"], e["name"]), 0) + 1
    assert told == {(k["step"], k["name"]): k["calls"] for k in r.json()["timing"]["kernels"]}, told
    assert "problem" not in document["otherData"], document["otherData"]
    assert {step for step, _ in told} == {"product", "factors"}, told


@case()
def launches_of_a_trace_follow_each_other(d):
    """In one lane, in order; and what the host computes is in a lane of its own."""
    _, _, found = traced(d, "/solve", {"a": {"generate": "spd", "shape": [200, 200]}, "b": {"generate": "ones", "shape": [200]}})
    kernels = sorted((e["ts"], e["ts"] + e["dur"]) for e in found if e["cat"] == "kernel")
    assert len(kernels) > 3 and all(a[1] <= b[0] + 0.01 for a, b in zip(kernels, kernels[1:])), kernels
    _, _, found = traced(d, "/eigen", {"a": random_matrix(60), "which": "all"})
    assert any(e["name"] == "LAPACK" and e["cat"] == "host" for e in found), found


@case()
def a_long_trace_says_what_it_left_out(d):
    r, document, found = traced(d, "/jacobi", dict(ENDLESS, max_iterations=40000))
    r.problem(422, "did not converge")
    assert document["otherData"]["status"] == "failed" and document["otherData"]["left_out"] > 10000, document["otherData"]
    assert document["otherData"]["problem"] == "not-converged", document["otherData"]
    assert len([e for e in found if e["pid"]]) == 16384


@case()
def a_trace_is_there_when_it_was_asked_for(d):
    """The default tells the stages; less than the default, nothing."""
    r = post(d, "/lu", {"a": random_matrix(20)})
    document = curl(d, "/jobs/" + r.json()["id"] + "/trace").json()
    names = [e["name"] for e in document["traceEvents"] if e["ph"] == "X"]
    assert names == ["request", "queue", "run"] and "timing=trace" in document["otherData"]["note"], document
    for level in ("summary", "none"):
        r = post(d, "/lu", {"a": [[2]], "timing": level})
        curl(d, "/jobs/" + r.headers["linalgd-job"] + "/trace").problem(404, "timing=trace")
    curl(d, "/jobs/none/trace").problem(404)
    with busy(d, timing="trace") as at:
        r = curl(d, at + "/trace", "-H", "Prefer: wait=1")
        r.problem(409, "running")
        assert r.headers["retry-after"] == "1" and r.headers["preference-applied"] == "wait=1", r.headers


@case()
def the_newest_traces_are_kept(d):
    ids = [post(d, "/matmul", {"a": [[1]], "b": [[1]], "timing": "trace"}).headers["linalgd-job"] for _ in range(33)]
    curl(d, f"/jobs/{ids[0]}/trace").problem(410, "newest")
    for i in ids[1:]:
        assert any(e.get("cat") == "kernel" for e in curl(d, f"/jobs/{i}/trace").json()["traceEvents"]), i
