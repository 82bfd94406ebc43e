"""case_stop.py - SIGTERM as orchestrators send it: not ready, a delay, what was accepted, the end."""
import json
import signal

from client import (ENDLESS, case, compile_endless, curl, dismiss, endless, jobs, post, product, receive, running, send, state,
                    stopped, until, workers)
from daemon import Daemon

SMALL = {"a": [[2]], "b": [[5]], "return": "c"}
NEVER = ("--drain-seconds", "1000000")


def request(d, path, document):
    """Sends the request; returns its connection."""
    body = json.dumps(document).encode()
    return send(d, b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Accept: application/octet-stream\r\nContent-Length: %d\r\n\r\n" % (path.encode(), len(body)) + body)


def terminate(d, word="taking no new jobs"):
    d.process.send_signal(signal.SIGTERM)
    until("it says so", lambda: word in d.log())


def unavailable(answer, word):
    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert head.startswith(b"http/1.1 503") and b"retry-after: " in head and word in answer, answer[:600]


@case()
def during_the_delay_all_goes_on_but_readiness(d):
    with Daemon(d.binary, "--drain-delay", "1000000") as s:
        assert curl(s, "/readyz").status == 200
        terminate(s, "SIGTERM")
        curl(s, "/readyz").problem(503)
        assert curl(s, "/healthz").status == 200
        r = post(s, "/matmul", SMALL)
        assert r.json()["result"]["c"] == [[10]] and r.headers.get("connection") != "close", r.headers
        curl(s, "/readyz").problem(503)
        s.process.send_signal(signal.SIGTERM)
        assert s.process.wait(120) == -signal.SIGTERM


@case()
def after_the_delay_it_ends(d):
    with Daemon(d.binary, "--drain-delay", "0.2") as s:
        assert s.stop() == 0
        log = s.log()
    assert log.index("SIGTERM") < log.index("taking no new jobs"), log


@case()
def what_runs_and_what_waits_is_answered_and_nothing_new_is_taken(d):
    with Daemon(d.binary, *NEVER) as s:
        at = endless(s)
        running(s, at)
        waits, prepared = request(s, "/matmul", SMALL), request(s, "/matmul", product(1000))
        until("both wait", lambda: len(jobs(s, "accepted")) == 2)
        terminate(s)
        r = post(s, "/matmul", SMALL)
        r.problem(503, "stopping")
        assert r.headers["retry-after"] and r.headers["connection"] == "close", r.headers
        curl(s, "/readyz").problem(503)
        assert len(jobs(s, "accepted")) == 2
        dismiss(s, at)
        assert receive(waits).startswith(b"HTTP/1.1 200")
        got = receive(prepared)
        assert got.startswith(b"HTTP/1.1 200") and len(got) > 1000 * 1000 * 8, len(got)
        assert s.process.wait(120) == 0


@case()
def a_large_answer_is_sent_to_its_end(d):
    with Daemon(d.binary, *NEVER) as s:
        with stopped(s):
            c = request(s, "/matmul", product(1000))
            until("the job runs", lambda: jobs(s, "running"))
            terminate(s)
        got = receive(c)
        assert got.startswith(b"HTTP/1.1 200"), got[:300]
        assert len(got) > 1000 * 1000 * 8, f"only {len(got)} bytes came"
        assert s.process.wait(120) == 0


@case()
def a_request_that_has_begun_is_answered(d):
    """A client may be slow between its connection and its request, as on a busy machine."""
    head = b"GET /version HTTP/1.1\r\nHost: x\r\n\r\n"
    for first in b"", head[:20]:
        with Daemon(d.binary) as s:
            kept = send(s, head)
            assert kept.recv(1 << 16).startswith(b"HTTP/1.1 200")
            c = send(s, first)
            curl(s, "/version")         # by now it is accepted
            terminate(s)
            c.sendall(head[len(first):])
            answer = receive(c)
            assert answer.startswith(b"HTTP/1.1 ") and b"connection: close" in answer.lower(), answer[:300]
            assert s.process.wait(120) == 0
            kept.close()


@case()
def a_connection_without_a_request_does_not_keep_it(d):
    with Daemon(d.binary, *NEVER) as s:
        c = send(s, b"")
        curl(s, "/version")
        assert s.stop() == 0
        c.close()


@case()
def what_cannot_be_finished_in_time_gets_503(d):
    with Daemon(d.binary, "--drain-seconds", "0.1") as s:
        compile_endless(s)
        runs = request(s, "/jacobi", ENDLESS)
        until("it runs", lambda: jobs(s, "running"))
        waits = request(s, "/matmul", SMALL)
        until("it waits", lambda: jobs(s, "accepted"))
        assert s.stop() == 0
        for c in (runs, waits):
            unavailable(receive(c), b"not-ready")


@case()
def a_second_signal_ends_it_at_once_and_its_workers(d):
    for number in (signal.SIGTERM, signal.SIGINT):
        with Daemon(d.binary, *NEVER) as s:
            pids = workers(s)
            c = request(s, "/jacobi", ENDLESS)
            until("it runs", lambda: jobs(s, "running"))
            terminate(s)
            s.process.send_signal(number)
            assert s.process.wait(120) == -number
            c.close()
            until("the workers are gone", lambda: all(state(p) == "Z" for p in pids))
