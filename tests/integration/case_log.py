"""case_log.py - the log: a line for every request, and what workers and drivers print."""
import fcntl
import json
import os
import shlex
import socket
import struct
import subprocess
import tempfile
import termios
import threading

from client import NPY, case, curl, finished, post, raw, submit, until, workers
from case_formats import npy
from daemon import Daemon
import numpy as np

A = [[4, 1], [1, 3]]


def access(d, word):
    """The facts of the lines whose message contains the word, in order; the log is JSON."""
    lines = [json.loads(line) for line in d.log().splitlines()]
    return [line for line in lines if "path" in line and word in line["message"]]


def line(d, word):
    found = until(f"the log has {word}", lambda: access(d, word))
    assert len(found) == 1, found
    return found[0]


@case("--log-format", "json")
def every_request_is_a_line_of_facts(d):
    r = post(d, "/matmul?timing=none", {"a": [[1, 2, 3], [4, 5, 6]], "b": [[1], [2], [3]]})
    facts = line(d, "POST /matmul?timing=none 200")
    assert facts["method"] == "POST" and facts["path"] == "/matmul" and facts["query"] == "timing=none", facts
    assert facts["status"] == 200 and facts["op"] == "matmul" and facts["shapes"] == "a:2x3,b:3x1", facts
    assert facts["job"] == r.headers["linalgd-job"] and facts["device"] == 0 and facts["variant"], facts
    assert 0 <= facts["queue_ms"] <= facts["total_ms"] and 0 < facts["compute_ms"] < facts["total_ms"], facts
    assert facts["bytes_out"] == len(r.body) == int(r.headers["content-length"]), facts
    assert facts["bytes_in"] == len(json.dumps({"a": [[1, 2, 3], [4, 5, 6]], "b": [[1], [2], [3]]})), facts
    assert facts["client"] == "127.0.0.1" and facts["level"] == "info" and "token" not in facts, facts


@case("--log-format", "json")
def a_line_has_the_stages_of_its_reply(d):
    for path, document in (("/matmul", {"a": [[1.0]], "b": [[2.0]]}), ("/cholesky", {"a": [[4.0, 2.0], [2.0, 3.0]]})):
        timing = post(d, path + "?timing=summary", document).json()["timing"]
        facts = line(d, f"POST {path}?timing=summary 200")
        stages = {name for name in timing if name.endswith("_ms")}
        assert stages == {name for name in facts if name.endswith("_ms")}, (timing, facts)
        assert all(abs(facts[s] - timing[s]) < 0.002 for s in stages - {"total_ms"}), (timing, facts)


@case("--log-format", "json")
def a_line_about_a_job_names_it(d):
    at = submit(d, "/lu", {"a": [[1]]})
    finished(d, at)
    curl(d, at + "/result"), curl(d, at + "/events"), curl(d, at, "-X", "DELETE")
    for word in (f"GET {at}/result 200", f"GET {at}/events 200", f"DELETE {at} 204"):
        assert line(d, word)["job"] == at.split("/")[-1], word


@case("--log-format", "json")
def results_and_errors_are_told_as_they_were(d):
    a = npy(np.zeros((300, 400)))
    r = curl(d, "/transpose", *NPY, "-H", "Accept: application/x-npy", body=a)
    facts = line(d, "POST /transpose 200")
    assert facts["bytes_in"] == len(a) and facts["bytes_out"] == len(r.body) and facts["shapes"] == "a:300x400", facts
    r = post(d, "/transpose?priority=1", {"a": np.zeros((90, 200)).tolist()})       # printed as it leaves, in chunks
    assert line(d, "POST /transpose?priority=1 200")["bytes_out"] == len(r.body)
    post(d, "/eigen", {"a": A, "tool": 1})
    facts = line(d, "POST /eigen 400")
    assert facts["problem"] == "bad-parameter" and "did you mean tol?" in facts["detail"], facts
    assert facts["op"] == "eigen" and "job" not in facts and "device" not in facts, facts
    curl(d, "/nothing/here")
    assert line(d, "GET /nothing/here 404")["problem"] == "not-found"
    curl(d, "/ops", "-I")
    facts = line(d, "HEAD /ops 200")
    assert facts["bytes_out"] == 0, facts
    at = submit(d, "/lu?priority=1", {"a": A})
    finished(d, at)
    assert line(d, "POST /lu?priority=1 202")["job"] == at.split("/")[-1]
    facts = access(d, f"GET {at} 200")[0]
    assert facts["job"] == at.split("/")[-1] and "compute_ms" not in facts and "op" not in facts, facts
    curl(d, "/readyz"), curl(d, "/healthz")
    assert curl(d, "/devices?x=1").status == 400
    line(d, "GET /devices?x=1 400")
    assert not access(d, "/readyz") and not access(d, "/healthz"), "a probe is in the log"


@case("--log-format", "json")
def nothing_in_a_request_forges_a_line(d):
    raw(d, b'GET /\xff%0a"x\\?q="\xc3\xa9\x80 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    raw(d, b"BREW /pot HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    facts = line(d, "? /pot 404")
    assert facts["method"] == "?", facts
    lines = list(map(json.loads, d.log().splitlines()))
    assert [x for x in lines if x["message"] == "? ? 400"], lines       # such bytes are no request


@case("--log-format", "json")
def a_client_that_leaves_is_told_as_such(d):
    body = json.dumps({"a": {"generate": "random", "shape": [3, 3]}}).encode()
    s = socket.create_connection(("127.0.0.1", d.port))
    s.sendall(b"POST /lu?timeout_ms=12345 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
              b"Content-Length: %d\r\n\r\n" % (len(body) + 10) + body)
    s.close()
    facts = line(d, "POST /lu?timeout_ms=12345 499")
    assert facts["status"] == 499 and facts["end"] == "aborted" and "job" not in facts, facts


ID, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@case("--log-format", "json")
def a_request_stays_in_its_trace(d):
    r = post(d, "/lu?priority=2", {"a": A}, "-H", f"traceparent: 00-{ID}-{SPAN}-01")
    version, trace, span, flags = r.headers["traceparent"].split("-")
    assert (version, trace, flags) == ("00", ID, "01") and span != SPAN and int(span, 16), r.headers
    facts = line(d, "POST /lu?priority=2 200")
    assert (facts["trace"], facts["span"]) == (ID, span), facts
    seen = set()
    for given in ([], ["-H", f"traceparent: 00-{ID}-{SPAN}"], ["-H", f"traceparent: 00-{ID}-{SPAN}-01"] * 2):
        r = curl(d, "/nothing?priority=3", *given)
        version, trace, span, flags = r.headers["traceparent"].split("-")
        assert (version, flags) == ("00", "00") and int(trace, 16) and trace != ID, r.headers
        until("it is told", lambda: any((x.get("trace"), x.get("span")) == (trace, span) for x in access(d, "GET /nothing?priority=3 404")))
        seen.add(trace)
    assert len(seen) == 3, seen


@case()
def as_text_it_is_the_same_in_a_line(d):
    r = post(d, "/eigen?q=3", {"a": A})         # no such parameter
    until("it is there", lambda: "POST /eigen?q=3 400 " in d.log())
    words = [x for x in d.log().splitlines() if "POST /eigen?q=3 400 " in x][0]
    facts = dict(x.split("=", 1) for x in shlex.split(words.split(" 400 ")[1]))
    assert facts["op"] == "eigen" and facts["bytes_out"] == str(len(r.body)), words
    assert "has no parameter q" in facts["detail"] and facts["problem"] == "bad-parameter", words


@case()
def the_access_log_can_be_less_or_none(d):
    for which, lines in (("errors", 1), ("off", 0)):
        with Daemon(d.binary, "--access-log", which, "--log-format", "json") as s:
            assert post(s, "/lu", {"a": A}).status == 200 and curl(s, "/nothing").status == 404
            assert s.stop() == 0
            assert [x["status"] for x in access(s, "")] == [404] * lines, s.log()


@case()
def the_token_is_named_and_never_told(d):
    with tempfile.TemporaryDirectory() as t:
        path = os.path.join(t, "tokens")
        with open(path, "w") as f:
            f.write("sesame alice\nabracadabra\n")
        env = {"LINALGD_TOKEN": "simsala"}
        # No sandbox, in which a worker's environment cannot be read at all.
        with Daemon(d.binary, "--token-file", path, "--log-format", "json", "--sandbox", "off", env=env) as s:
            for i, (token, name) in enumerate((("sesame", "alice"), ("abracadabra", None), ("simsala", None))):
                assert curl(s, f"/ops?{name}", "-H", f"Authorization: Bearer {token}").status == 400
                until("the line", lambda: len(access(s, "/ops")) == i + 1)
                assert access(s, "/ops")[-1].get("token") == name
            assert curl(s, "/ops").status == 401
            assert workers(s)
            for pid in workers(s):
                assert b"simsala" not in environment(pid), "a worker knows the token"
            assert s.stop() == 0
            assert not [x for x in ("sesame", "abracadabra", "simsala") if x in s.log()]


def environment(pid):
    with open(f"/proc/{pid}/environ", "rb") as f:
        return f.read()


@case()
def what_workers_and_drivers_print_is_in_the_log_by_the_workers_name(d):
    env = {"OCL_ICD_DEBUG": "7", "POCL_DEBUG": "all"}          # makes the loader and the driver print
    with Daemon(d.binary, "--log-format", "json", env=env) as s:
        assert post(s, "/lu", {"a": A}).status == 200
        assert s.stop() == 0
        lines = [json.loads(x) for x in s.log().splitlines()]
    said = [x for x in lines if ": worker " in x["message"] and "is ready after" not in x["message"]]
    assert said and all(x["device"] == 0 and x["worker"] > 1 and x["device_name"] in x["message"] for x in said), said[:3]
    assert [x for x in lines if x["message"].startswith("looking at the devices: ")], "--list did not speak"


def unread(pipe):
    """The number of bytes that wait in the pipe."""
    return struct.unpack("i", fcntl.ioctl(pipe.fileno(), termios.FIONREAD, b"\0" * 4))[0]


@case()
def a_log_that_nobody_reads_stops_nothing(d):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as state:
        process = subprocess.Popen([d.binary, "serve", "-p", str(port), "--device", "cpu", "--cache", d.cache + "-mute",
                                    "--state", state], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        s = type("Mute", (), {"url": f"http://127.0.0.1:{port}"})
        try:
            until("it is ready", lambda: subprocess.run(["curl", "-fs", "-o", "/dev/null", s.url + "/readyz"]).returncode == 0)
            path = "/" + "x" * 600
            for _ in range(150):                                # 150 KB, where a pipe holds 64
                assert curl(s, path).status == 404
            reader = threading.Thread(target=lambda: log.append(process.stderr.read().decode()))
            log = []
            reader.start()
            until("the pipe is empty", lambda: not unread(process.stderr))
            assert curl(s, "/ops").status == 200                # its log line reports how many lines are missing
        finally:
            process.terminate()
            assert process.wait(120) == 0
        reader.join()
        assert "lines of this log were dropped" in log[0], log[0][-500:]


@case()
def unknown_variables_are_warned_of(d):
    with Daemon(d.binary, env={"LINALGD_LSITEN": "x", "LINALGD_QUEUE_LIM": "9", "LINALGD_TEST_X": "", "LINALGDX": ""}) as s:
        assert s.stop() == 0
        warned = [x for x in s.log().splitlines() if "not a setting of linalgd" in x]
    assert len(warned) == 2, warned
    assert any("LINALGD_LSITEN" in x and "did you mean LINALGD_LISTEN?" in x for x in warned), warned
    assert any("LINALGD_QUEUE_LIM " in x and "did you mean LINALGD_QUEUE_LIMIT?" in x for x in warned), warned
