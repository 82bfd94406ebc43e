"""case_prepare.py - operands that take long to prepare: they hold up no other request, count as work, and are given up when no client wants them."""
import json

from client import ASYNC, busy, case, curl, dismiss_all, idle, job, jobs, post, random_matrix, send, stopped, submit, until

MOST_THREADS = 4                # of preparation, however many processors there are
RAW = ("-H", "Accept: application/octet-stream")


def slow(n, **more):
    """A request whose operands take long to prepare."""
    return dict({"a": {"generate": "kahan", "shape": [n, n], "dtype": "float32"}}, **more)


def request(d, path, document, method="POST"):
    """Sends the request; returns its connection."""
    body = json.dumps(document).encode()
    return send(d, b"%s %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                % (method.encode(), path.encode(), len(body)) + body)


@case("--durability", "none")
def a_short_preparation_goes_before_long_ones(d):
    """The short job is prepared first, and so it is the first that the stopped worker is given."""
    with stopped(d):
        for _ in range(MOST_THREADS + 1):
            submit(d, "/transpose", slow(4000))
        at = submit(d, "/transpose", {"a": random_matrix(70)})
        first = until("one of them runs", lambda: jobs(d, "running"))
        assert [j["id"] for j in first] == [at[6:]], first
        dismiss_all(d)
    idle(d)


@case("--host-memory", "400M")
def a_deadline_ends_a_preparation_and_frees_its_memory(d):
    """The memory has room for one at a time."""
    for _ in range(5):
        def answered():
            r = post(d, "/transpose", slow(7000, timeout_ms=5))
            return r if r.status != 503 else None
        until("the memory is there", answered).problem(504, "was prepared")
    until("the memory is back", lambda: post(d, "/transpose", slow(6000), *RAW).status == 200)


@case("--host-memory", "400M")
def a_client_that_leaves_frees_what_was_prepared_for_it(d):
    for _ in range(5):
        s = request(d, "/transpose", slow(7000))
        j = until("it is prepared", lambda: jobs(d, "accepted"))[0]
        s.close()
        until("it is dismissed", lambda: job(d, "/jobs/" + j["id"])["status"] == "dismissed")
    idle(d)
    until("the memory is back", lambda: post(d, "/transpose", slow(6000), *RAW).status == 200)


@case("--queue-limit", "2")
def what_is_prepared_counts_against_the_queue(d):
    """Whether or not its client waits, and even if it is not a job."""
    with busy(d):
        kept = [request(d, "/transpose", slow(4000)), request(d, "/transpose", slow(4000))]
        until("both are prepared", lambda: len(jobs(d, "accepted")) == 2)
        post(d, "/transpose", {"a": [[1]]}).problem(503, "queue")
        curl(d, "/matrices/m", "-X", "PUT", "-H", "Content-Type: application/json",
             body=json.dumps({"matrix": random_matrix(500)}).encode()).problem(503, "queue")
        for s in kept:
            s.close()
        until("they are dismissed", lambda: not jobs(d, "accepted"))
        assert submit(d, "/transpose", {"a": [[1]]})
    idle(d)


@case("--durability", "none")
def a_job_that_waits_for_its_operands_can_be_found_and_dismissed(d):
    """A durable job is accepted when its operands have been prepared and written, and so would not wait with the others."""
    with stopped(d):
        for _ in range(MOST_THREADS + 1):
            submit(d, "/transpose", slow(4000))
        s = request(d, "/transpose", slow(3000))
        until("it is found", lambda: len(jobs(d, "accepted")) + len(jobs(d, "running")) == MOST_THREADS + 2)
        newest = jobs(d, "accepted")[0]
        assert curl(d, "/jobs/" + newest["id"], "-X", "DELETE").status == 204
        assert s.recv(12) == b"HTTP/1.1 409"
        s.close()
        dismiss_all(d)
    idle(d)


@case()
def a_repeat_of_what_is_prepared_is_a_conflict(d):
    key = ("-H", "Idempotency-Key: while-it-is-prepared")
    with stopped(d):
        at = submit(d, "/transpose", slow(3000), *key)
        post(d, "/transpose", slow(3000), *key).problem(409, at[6:])
        assert post(d, "/transpose", slow(3000), *ASYNC, *key).headers["linalgd-job"] == at[6:]
        dismiss_all(d)
    idle(d)
