"""case_follow.py - following a job: its events, and requests that wait for its end."""
import json
import threading
import time

from client import ENDLESS, answer, busy, case, curl, dismiss, finished, head, job, random_matrix, send, submit, take, until


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
    """At once, though a connection may be silent for long between two of them."""
    with busy(d) as at:
        s = follow(d, at)
        assert events(next_event(s))[0][2]["status"] == "running"
        begun = time.monotonic()
        dismiss(d, at)
        assert events(next_event(s)) == [(2, "end", {"status": "dismissed", "progress": 100, "stage": "ended"})]
        assert time.monotonic() - begun < 1
        s.close()


@case()
def a_silent_stream_is_kept_alive(d):
    with busy(d) as at:
        s = follow(d, at)
        next_event(s)
        begun = time.monotonic()
        assert next_event(s) == b":\n\n"
        assert 14 < time.monotonic() - begun < 20
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
        assert 1 <= time.monotonic() - begun < 3
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
        assert time.monotonic() - begun < 5


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
