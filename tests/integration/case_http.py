"""case_http.py - HTTP itself: what is refused, at which moment, and what remains of the connection."""
import base64
import hashlib
import json
import os
import re
import signal
import subprocess
import tempfile
import time

from client import File, Reply, answer, case, curl, finished, head, heads, post, raw, receive, send, stop, submit, until
from daemon import Daemon

HELLO = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
HEAD = "POST /lu HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
BODY = '{"a":[[1]]}'


@case()
def the_version_is_told(d):
    v = curl(d, "/version").json()
    assert v["name"] == "linalgd" and v["compiler"], v
    told = subprocess.run([d.binary, "--version"], capture_output=True, text=True).stdout
    assert told == f"linalgd {v['version']}\n", (told, v)
    curl(d, "/version?x=1").problem(400, "x")


@case()
def the_first_curl_answers_an_eigenpair_and_the_time_of_every_kernel(d):
    r = post(d, "/eigen", {"a": [[2, 1], [1, 3]]}).json()
    assert abs(r["result"]["eigenvalue"] - 3.618033988749895) < 1e-7, r
    assert r["timing"]["kernels"] and all(k["total_ms"] > 0 for k in r["timing"]["kernels"]), r


@case()
def a_connection_is_kept(d):
    one = ["-o", os.devnull, d.url + "/healthz"]
    out = subprocess.run(["curl", "-s", "-w", "%{num_connects} ", *one * 3], capture_output=True).stdout.decode()
    assert out == "1 0 0 ", out


@case()
def head_has_the_headers_alone(d):
    for path in ("/healthz", "/devices", "/openapi.yaml", "/openapi.json"):
        with_body, without = curl(d, path), curl(d, path, "-I")
        assert without.status == 200 and without.body == b""
        assert without.headers["content-length"] == str(len(with_body.body))


@case()
def nothing_follows_the_head_of_a_reply_without_a_body(d):
    """Whatever the length of the body of a GET, and whether it is known or not."""
    matrix = {"generate": "random", "shape": [60, 60]}
    assert post(d, "/matrices/headed", {"matrix": matrix}, "-X", "PUT").status in (201, 204)
    at = submit(d, "/lu", {"a": matrix, "timing": "trace"})
    finished(d, at)
    for path in ("/metrics", "/kernels", "/openapi.json", "/matrices", "/matrices/headed", at, at + "/events", at + "/result", at + "/trace"):
        for more in ("", "Accept-Encoding: gzip\r\n", "Accept-Encoding: zstd\r\n", "Accept: application/x-npz, */*;q=0.1\r\n",
                     "Accept: application/x-npy, */*;q=0.1\r\nAccept-Encoding: zstd, identity;q=0.5\r\n"):
            s = send(d, f"HEAD {path} HTTP/1.1\r\nHost: x\r\n{more}\r\n".encode())
            assert head(s).startswith(b"HTTP/1.1 200 "), path
            s.sendall(HELLO.replace(b"Host", b"Connection: close\r\nHost"))
            rest = receive(s)
            assert not rest or rest.startswith(b"HTTP/1.1 200 OK\r\n"), (path, more, rest[:40])


@case()
def blanks_at_the_end_of_a_header_are_no_part_of_it(d):
    with File(b"blank\n") as tokens, Daemon(d.binary, "--token-file", tokens) as s:
        def ask(more, method="POST", path="/trace", text=BODY):
            return Reply(*heads(raw(s, (
                f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json \r\n{more}"
                f"Content-Length: {len(text)}\r\n\r\n{text}").encode())))
        token = "Authorization: Bearer blank\r\n"
        for blanks in (" ", "\t", " \t  "):
            assert ask(f"Authorization: Bearer blank{blanks}\r\n").status == 200, blanks
            assert ask(token + f"Content-Encoding: identity{blanks}\r\n").status == 200, blanks
            digest = base64.b64encode(hashlib.sha256(BODY.encode()).digest()).decode()
            assert ask(token + f"Content-Digest: sha-256=:{digest}:{blanks}\r\n").status == 200, blanks
            one, two = (ask(token + f"Idempotency-Key: key{end}\r\nPrefer: respond-async{blanks}\r\n") for end in ("", blanks))
            assert one.status == two.status == 202 and one.headers["location"] == two.headers["location"], (one.body, two.body)
            assert ask(token, "PUT", "/matrices/blanks", '{"matrix":[[1]]}').status in (201, 204)
            until("the matrix has a date", lambda: "last-modified" in ask(token, "HEAD", "/matrices/blanks", "").headers)
            r = ask(token + f"If-Modified-Since: Fri, 30 Nov 2040 14:00:00 GMT{blanks}\r\n", "GET", "/matrices/blanks", "")
            assert r.status == 304, blanks
            r = ask(token + f"Accept: application/octet-stream{blanks}\r\nRange: bytes=0-3{blanks}\r\n", "GET", "/matrices/blanks", "")
            assert r.status == 206 and len(r.body) == 4, r.headers


@case()
def what_is_wrong_has_its_status(d):
    curl(d, "/nowhere").problem(404, "/nowhere")
    r = curl(d, "/lu")
    r.problem(405)
    assert r.headers["allow"] == "POST"
    r = curl(d, "/jobs", "-X", "DELETE")
    assert r.status == 405 and r.headers["allow"] == "GET, HEAD"
    r = curl(d, "/v2/models/stats", "-X", "PUT")
    assert r.status == 405 and r.headers["allow"] == "GET, HEAD"
    curl(d, "/lu", "-H", "Content-Type: text/plain", body=b"x").problem(415, "text/plain")
    post(d, "/lu", {"a": [[1]]}, "-H", "Content-Encoding: br").problem(415, "br")
    assert post(d, "/lu", {"a": [[1]]}, "-H", "Content-Encoding: identity").status == 200
    post(d, "/lu", {"a": [[1]]}, "-H", "Accept: image/png").problem(406, "image/png")
    curl(d, "/jobs/none").problem(404, "none")
    curl(d, "/jobs?limit=0").problem(400, "limit")
    curl(d, "/jobs?limit=1&limit=2").problem(400, "limit is given twice")
    curl(d, "/jobs?status=failed&status=failed").problem(400, "status is given twice")
    curl(d, "/jobs?status=odd").problem(400, "odd")
    curl(d, "/devices?odd=1").problem(400, "odd")
    curl(d, "/lu", "-H", "Content-Type: application/x-npy", "-H", "Transfer-Encoding: chunked", body=b"x").problem(411)


@case()
def a_list_may_stand_on_several_lines(d):
    r = post(d, "/lu", {"a": [[1]]}, "-H", "Accept: image/png", "-H", "Accept: application/x-npy")
    assert r.status == 200 and r.headers["content-type"] == "application/x-npy"
    post(d, "/lu", {"a": [[1]]}, "-H", "Accept: image/png", "-H", "Accept: text/html").problem(406, "image/png, text/html")
    assert post(d, "/lu", {"a": [[1]]}, "-H", "Prefer: handling=lenient", "-H", "Prefer: respond-async").status == 202


@case()
def a_target_may_name_the_host(d):
    for target, status in (("http://x/healthz", b"200"), ("HTTP://x:80/jobs?limit=1", b"200"), ("http://x", b"200"),
                           ("http://x/none?limit=1", b"404"), ("http:/healthz", b"404")):
        out = raw(d, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        assert out.startswith(b"HTTP/1.1 " + status), out


@case()
def errors_point_at_the_culprit(d):
    p = post(d, "/eigen", {"a": [[1]], "tol": -1}).problem(400, "tol")
    assert p["errors"][0]["pointer"] == "#/tol", p
    p = post(d, "/matmul", {"a": [[1]]}).problem(400, "operand b")
    assert p["errors"][0]["pointer"] == "#/b", p
    for name, value in (("priority", 10), ("timeout_ms", 0), ("timing", "odd"), ("quality", 1), ("dtype", "float16"),
                        ("device", "no-such"), ("variant", "no-such"), ("return", "no-such"), ("shape", "1,1")):
        assert post(d, "/lu", {"a": [[1]], name: value}).problem(400)["errors"][0]["pointer"] == "#/" + name, name
    post(d, "/lu?timing=none", {"a": [[1]], "timing": "none"}).problem(400, "twice")
    for name, value in (("q", [[1]]), ("timing", None), ("a", None), ("a", "text"), ("a", {"ref": 1})):
        p = post(d, "/lu", {"a": [[1]], name: value}).problem(400, name)
        assert p["errors"][0]["pointer"].startswith("#/" + name), p
    p = curl(d, "/lu", "-H", "Content-Type: application/json", body=b'{"a":[[1]],"a":[[2]]}').problem(400, "twice")
    assert p["errors"][0]["pointer"] == "#/a", p
    p = curl(d, "/lu", "-F", "a=[[1]];type=application/json", "-F", "q=[[1]];type=application/json").problem(400, "q")
    assert p["errors"][0]["pointer"] == "#/q", p


@case()
def the_sheet_names_every_kernel_of_an_answer(d):
    sheet = {(k["op"], k["variant"], k["kernel"]) for k in curl(d, "/kernels").json()["kernels"]}
    for op, body in (("lu", {"a": [[2, 1], [1, 3]]}), ("solve", {"a": [[2, 1], [1, 3]], "b": [1, 2]}),
                     ("eigen", {"a": [[2, 1], [1, 3]]})):
        for quality in ("estimate", "full"):
            told = post(d, "/" + op, {**body, "quality": quality}).json()["timing"]["kernels"]
            missing = [k["name"] for k in told if (op, k["variant"], k["name"]) not in sheet]
            assert told and not missing, missing


@case()
def bytes_that_are_no_text_do_not_break_the_problem(d):
    curl(d, "/lu?%ff%01=%c3", "-H", "Content-Type: application/json", body=b"{}").problem(400, "no parameter")
    curl(d, "/jobs/%ff%01").problem(404)


@case()
def smuggled_requests_are_refused_and_closed(d):
    for bad in ("Content-Length: 11\r\nContent-Length: 11\r\n", "Content-Length: 11\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: xchunked\r\n", "Content-Length : 11\r\n",
                "Content-Length: 18446744073709551615\r\n", "Content-Length: +11\r\n", "X(y): 1\r\nContent-Length: 11\r\n"):
        out = raw(d, (HEAD + bad + "\r\n" + BODY).encode() + HELLO)
        assert re.match(rb"HTTP/1\.1 (400|413|501) ", out), (bad, out[:100])
        assert b" 200 OK" not in out, f"{bad!r}: what followed was taken as a request"
    for line in (b"GET /healthz\0x HTTP/1.1", b"GET /healthz\x01 HTTP/1.1", b"GET /health z HTTP/1.1"):
        assert raw(d, line + b"\r\nHost: x\r\n\r\n").startswith(b"HTTP/1.1 400"), line
    assert raw(d, b"GET /healthz HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 400"), "no Host"


@case()
def huge_promises_are_refused_before_they_are_kept(d):
    for length in (10**15, 2**63 - 1, 2**64 - 1, 2**64 + 5):
        out = raw(d, f"POST /lu?shape=3,3&dtype=float64 HTTP/1.1\r\nHost: x\r\n"
                  f"Content-Type: application/octet-stream\r\nContent-Length: {length}\r\n\r\n".encode())
        assert re.match(rb"HTTP/1\.1 (400|413) ", out), (length, out[:100])
    assert raw(d, b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 100000).startswith(b"HTTP/1.1 431")


@case()
def a_continue_is_asked_for_and_given_when_the_headers_are_fine(d):
    s = send(d, (HEAD + f"Expect: 100-continue\r\nContent-Length: {len(BODY)}\r\n\r\n").encode())
    assert head(s).startswith(b"HTTP/1.1 100 "), "no 100 Continue"
    s.sendall(BODY.encode())
    assert answer(s).status == 200
    s.close()
    refused = HEAD.replace("json", "odd") + "Expect: 100-continue\r\nContent-Length: 11\r\n\r\n"
    assert raw(d, refused.encode()).startswith(b"HTTP/1.1 415 ")
    r = curl(d, "/lu", "-H", "Expect: 100-continue", "--expect100-timeout", "300", "-H", "Content-Type: application/odd",
             body=b"x" * 10**7)
    r.problem(415)


@case()
def a_refusal_found_mid_upload_is_told(d):
    text = b'{"a": [[1, 2], [3, oops' + b" " * 2_000_000
    curl(d, "/lu", "-H", "Content-Type: application/json", "-H", "Expect:", body=text).problem(400)
    assert curl(d, "/healthz").status == 200


@case("--max-body", "1M")
def a_body_in_chunks_is_limited_too(d):
    r = curl(d, "/lu", "-H", "Content-Type: application/json", "-H", "Transfer-Encoding: chunked",
             body=b'{"a": [[1' + b" " * 2_000_000 + b"]]}")
    r.problem(413, "1048576")
    out = raw(d, (HEAD + "Content-Length: 2000000\r\n\r\n").encode() + b" " * 2_000_000)
    assert out.startswith(b"HTTP/1.1 413"), out[:300]


@case()
def pipelined_requests_are_answered_in_order(d):
    one = (HEAD + f"Content-Length: {len(BODY)}\r\n\r\n" + BODY).encode()
    last = HELLO.replace(b"Host", b"Connection: close\r\nHost")
    out = raw(d, one * 3 + HELLO + last)
    assert out.count(b"HTTP/1.1 200 OK") == 5 and out.rindex(b'"lu"') < out.rindex(b'"status"'), out[-300:]


def ready_together(d, n):
    """n kept connections all have a request ready when the stopped daemon goes on."""
    connections = [send(d, HELLO) for _ in range(n)]
    for s in connections:
        assert answer(s).status == 200
    stop(d.process.pid)
    for s in connections:
        s.sendall(HELLO)
    os.kill(d.process.pid, signal.SIGCONT)
    for i, s in enumerate(connections):
        try:
            assert answer(s).status == 200
        except TimeoutError:
            raise AssertionError(f"of {n} ready connections, number {i} got no answer")
        s.close()


@case()
def any_number_of_ready_connections_is_served(d):
    for n in (127, 128, 129, 256):
        ready_together(d, n)


@case()
def half_a_request_holds_nobody_up(d):
    waiting = [send(d, HELLO[:20]), send(d, (HEAD + "Content-Length: 100\r\n\r\n{").encode())]
    assert curl(d, "/healthz").status == 200
    for s in waiting:
        s.close()


FOLDER = tempfile.TemporaryDirectory(prefix="linalgd-test-")
TOKENS = os.path.join(FOLDER.name, "tokens")
with open(TOKENS, "w") as tokens:
    tokens.write("# the staff\nalpha\n")


@case("--token-file", TOKENS)
def only_a_token_opens(d):
    for path in ("/healthz", "/readyz"):
        assert curl(d, path).status == 200, path
    for header in ("X: y", "Authorization: Bearer beta", "Authorization: Basic alpha", "Authorization: Bearer"):
        r = curl(d, "/devices", "-H", header)
        r.problem(401)
        assert r.headers["www-authenticate"].startswith("Bearer"), r.headers
    post(d, "/lu", {"a": [[1]]}).problem(401)
    assert curl(d, "/devices", "-H", "Authorization: Bearer alpha").status == 200
    assert post(d, "/lu", {"a": [[1]]}, "-H", "Authorization: Bearer alpha").status == 200


@case("--token-file", TOKENS)
def options_tell_the_methods_of_a_path(d):
    """As proxies ask that check a service's health, without a token."""
    for path, methods in (("/lu", "POST"), ("/", "GET, HEAD"), ("/jobs?limit=1", "GET, HEAD"),
                          ("/matrices/none", "GET, HEAD, PUT, DELETE")):
        r = curl(d, path, "-X", "OPTIONS")
        assert r.status == 204 and not r.body and sorted(r.headers["allow"].split(", ")) == sorted(methods.split(", ")), r.headers
    r = curl(d, "/", "-X", "OPTIONS", "--request-target", "*")
    assert r.status == 204 and "content-type" not in r.headers, r.headers
    curl(d, "/nowhere", "-X", "OPTIONS").problem(404)
    curl(d, "/", "--request-target", "*").problem(404)
    two = raw(d, b"OPTIONS / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert two.startswith(b"HTTP/1.1 204") and two.count(b"HTTP/1.1 200") == 1, two
    assert raw(d, b"OPTIONS / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 204")


@case("--token-file", TOKENS)
def tokens_are_read_again_on_sighup(d):
    with open(TOKENS, "a") as f:
        f.write("gamma\n")
    os.kill(d.process.pid, signal.SIGHUP)
    until("the new token opens", lambda: curl(d, "/devices", "-H", "Authorization: Bearer gamma").status == 200)
    assert curl(d, "/devices", "-H", "Authorization: Bearer alpha").status == 200


@case()
def the_sheets_say_what_there_is(d):
    device = curl(d, "/devices").json()["devices"][0]
    for key in ("index", "name", "platform", "type", "driver", "compute_units", "global_memory_bytes", "local_memory_bytes",
                "max_allocation_bytes", "max_work_group_size", "subgroup_sizes", "cache_line_bytes", "clock_mhz", "float64", "healthy"):
        assert key in device, key
    ops = {o["name"]: o for o in curl(d, "/ops").json()["ops"]}
    assert {"eigen", "lu", "solve", "matmul", "reduce", "transpose"} <= set(ops), list(ops)
    assert [i["name"] for i in ops["matmul"]["inputs"]] == ["a", "b"]
    for row in curl(d, "/kernels").json()["kernels"]:
        assert row["op"] in ops and row["variant"] in ops[row["op"]]["variants"] and row["kernel"], row
        assert row["available"] or row["reason"], row
        assert row["devices"][0]["index"] == device["index"], row
    page = curl(d, "/openapi.yaml")
    with open(os.path.join(os.path.dirname(__file__), "..", "..", "api", "openapi.yaml"), "rb") as f:
        assert page.body == f.read() and page.headers["content-type"] == "application/yaml"


def shared(d):
    """KiB that the front shares with its workers."""
    with open(f"/proc/{d.process.pid}/status") as f:
        return int(re.search(r"RssShmem:\s+(\d+)", f.read())[1])


@case()
def an_upload_that_breaks_off_leaves_nothing(d):
    length = 4096 * 4096 * 8
    upload = ("POST /lu?shape=4096,4096&dtype=float64 HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n"
              f"Content-Length: {length}\r\n\r\n").encode() + b"x" * 50_000_000
    with Daemon(d.binary) as alone:
        before = shared(alone)
        s = send(alone, upload)
        until("the upload is under way", lambda: shared(alone) > before + 20_000)
        s.close()
        until("its memory is given back", lambda: shared(alone) < before + 2_000)
        assert curl(alone, "/healthz").status == 200


@case()
def many_empty_rows_leave_as_they_are_printed(d):
    body = b'{"a":{"shape":[0,1000000000],"data":[]}}'
    s = send(d, b"POST /transpose HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    got = b""
    while b"[],[],[]," not in got:
        piece = s.recv(65536)
        assert piece, got
        got += piece
    s.close()
    assert got.startswith(b"HTTP/1.1 200"), got[:100]
    assert curl(d, "/healthz", "-m", "60").status == 200


@case()
def empty_shapes_beyond_any_memory_are_refused(d):
    n = 1 << 40
    for shape in ([n, n], [n, n, 0], [0, n, n], [n, 0, n]):
        post(d, "/reduce", {"a": {"shape": shape, "data": []}, "op": "sum"}).problem(413, "beyond")
    post(d, "/reduce", {"a": {"shape": [n, 0], "data": []}, "op": "sum"}).problem(413, "no elements")
    for shape in ([1 << 30, 0], [0, n], [1 << 29, 0, 1 << 10]):
        assert post(d, "/reduce", {"a": {"shape": shape, "data": []}, "op": "sum"}).json()["result"]["value"] == 0, shape


@case()
def clients_may_leave_while_their_operands_are_made(d):
    """A client may leave at any moment, also when the preparation ends: other requests keep the loop busy, so that both fall into one turn."""
    made = b'{"a":{"generate":"random","shape":[1200,1200]}}'
    request = f"POST /transpose HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(made)}\r\n\r\n"
    with File(json.dumps({"a": [[0.123456789 * (i + j) for j in range(600)] for i in range(600)], "op": "sum"}).encode()) as body:
        others = [subprocess.Popen(["curl", "-s", "-o", "/dev/null", "-H", "Content-Type: application/json",
                                    "--data-binary", f"@{body}", d.url + "/reduce"]) for _ in range(24)]
        for i in range(60):
            leaving = [send(d, request.encode() + made) for _ in range(3)]
            time.sleep(0.003 * (i % 12))
            for s in leaving:
                s.close()
        assert not any([o.wait() for o in others])
    assert curl(d, "/healthz").status == 200
