"""case_audit.py - the audit log: a line for every job, however it ended and whoever waited for it."""
import json
import os
import signal

from case_tenants import bearer, service
from client import ASYNC, ENDLESS, answer, case, curl, dismiss, endless, finished, post, random_matrix, send, submit, until, workers
from daemon import Daemon

ANN, BOB = bearer("atoken"), bearer("btoken")
TWO = ("atoken ann", "btoken bob", "admin")
OPTIONS = ("--log-format", "json")


def audits(d, job=None):
    """The lines of the audit log, or that of one job."""
    lines = [json.loads(line) for line in d.log().splitlines()]
    return [x for x in lines if "outcome" in x and job in (None, x["job"])]


def told(d, at):
    """The one line of that job, whose facts are those of every line."""
    job = at.split("/")[-1]
    until(f"{at} has a line", lambda: audits(d, job))
    assert len(audits(d, job)) == 1, audits(d, job)
    line = audits(d, job)[0]
    assert {"op", "outcome", "bytes_in", "bytes_out", "attempts", "queue_ms", "compute_ms", "ended_ms"} <= set(line), line
    assert line["message"] == f"job {job} {line['outcome']}", line
    return line


@case()
def the_audit_log_has_a_line_for_every_job(d):
    with service(d, TWO, *OPTIONS) as s:
        r = post(s, "/matmul", {"a": [[1, 2, 3], [4, 5, 6]], "b": [[1], [2], [3]]}, *ANN)
        line = told(s, r.headers["linalgd-job"])
        assert (line["tenant"], line["op"], line["shapes"], line["outcome"]) == ("ann", "matmul", "a:2x3,b:3x1", "successful")
        assert (line["bytes_in"], line["bytes_out"], line["device"]) == (9 * 8, 2 * 8, 0) and line["compute_ms"] > 0, line
        line = told(s, submit(s, "/transpose", {"a": [[1, 2]]}, *BOB))
        assert (line["tenant"], line["op"], line["shapes"], line["outcome"]) == ("bob", "transpose", "a:1x2", "successful")
        assert line["bytes_in"] == line["bytes_out"] == 16, line


@case(*OPTIONS)
def the_audit_log_tells_a_pipelines_steps(d):
    steps = [{"as": "p", "op": "matmul", "a": "@a", "b": "@a"}, {"as": "f", "op": "lu", "a": "p"}]
    for more in ((), ASYNC):
        r = post(d, "/pipelines", {"steps": steps, "a": [[4, 1], [1, 3]], "return": ["f"]}, *more)
        line = told(d, r.headers["linalgd-job"])
        assert line["op"] == "pipeline" and line["outcome"] == "successful", line
        assert line["shapes"] == "matmul(a:2x2,b:2x2),lu(a:2x2)" and line["bytes_in"] == 32 and line["bytes_out"] >= 32, line


@case(*OPTIONS)
def the_audit_log_tells_why_a_job_failed(d):
    line = told(d, submit(d, "/solve", {"a": [[1, 1], [1, 1]], "b": [1, 2]}))
    assert (line["outcome"], line["problem"], line["shapes"]) == ("failed", "singular", "a:2x2,b:2"), line
    assert line["detail"] and line["bytes_in"] == 48 and line["bytes_out"] == 0, line
    post(d, "/solve", {"a": [[1, 1], [1, 1]], "b": [1, 2], "timing": "none"}).problem(422)
    until("the other one has a line, too", lambda: len([x for x in audits(d) if x.get("problem") == "singular"]) == 2)


@case(*OPTIONS)
def the_audit_log_tells_who_was_dismissed_or_late(d):
    first = endless(d)
    second = submit(d, "/jacobi", ENDLESS)
    late = submit(d, "/jacobi", dict(ENDLESS, timeout_ms=50))
    assert told(d, late)["problem"] == "timeout"
    dismiss(d, second)
    line = told(d, second)
    assert (line["outcome"], line["attempts"], line["shapes"]) == ("dismissed", 0, "a:2x2,b:2"), line
    dismiss(d, first)
    assert told(d, first)["outcome"] == "dismissed"


@case(*OPTIONS)
def the_audit_log_has_the_job_of_a_client_that_left(d):
    before = len(audits(d))
    body = json.dumps(ENDLESS).encode()
    s = send(d, b"POST /jacobi HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
             b"Content-Length: %d\r\n\r\n" % len(body) + body)
    until("it runs", lambda: curl(d, "/jobs?status=running").json()["jobs"])
    s.close()
    until("its job has a line", lambda: len(audits(d)) > before)
    assert audits(d)[-1]["outcome"] == "dismissed" and audits(d)[-1]["shapes"] == "a:2x2,b:2", audits(d)[-1]


@case(*OPTIONS, "--host-memory", "64M", "--durability", "none")
def the_audit_log_has_a_job_whose_operands_could_not_be_made(d):
    at = submit(d, "/matmul", {"a": random_matrix(2000), "b": random_matrix(2000, 2)})
    line = told(d, at)
    assert (line["outcome"], line["problem"]) == ("failed", "out-of-memory"), line
    assert finished(d, at)["status"] == "failed"


@case()
def the_audit_log_tells_how_often_a_job_was_tried(d):
    with Daemon(d.binary, *OPTIONS) as s:
        at = endless(s)
        until("it runs", lambda: curl(s, at).json()["status"] == "running")
        pids = workers(s)
        os.kill(pids[0], signal.SIGKILL)
        until("the worker is another one", lambda: not set(pids) & set(workers(s)))
        until("it runs again", lambda: curl(s, at).json()["status"] == "running")
        dismiss(s, at)
        line = told(s, at)
        assert (line["outcome"], line["attempts"], line["op"]) == ("dismissed", 2, "jacobi"), line


@case(*OPTIONS, "--audit-log", "off")
def the_audit_log_can_be_off(d):
    assert post(d, "/lu", {"a": [[1]]}).status == 200
    until("the request is logged", lambda: '"/lu"' in d.log())
    assert not audits(d)
