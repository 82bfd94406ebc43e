"""case_tenants.py - tokens have tenants, scopes and an end; a tenant sees only its own."""
import contextlib
import hashlib
import json
import os
import select
import signal
import socket
import time

from client import ASYNC, ENDLESS, File, answer, case, curl, head, post, random_matrix, send, submit, until
from daemon import Daemon


@contextlib.contextmanager
def service(d, lines, *options, env=None):
    """A daemon with a token file of those lines; .tokens is its path."""
    import tempfile
    with tempfile.TemporaryDirectory(prefix="linalgd-test-") as folder:
        path = os.path.join(folder, "tokens")
        write(path, lines)
        with Daemon(d.binary, "--token-file", path, *options, env=env) as s:
            s.tokens = path
            yield s


def write(path, lines):
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")


def bearer(token):
    return ("-H", f"Authorization: Bearer {token}")


ONE = {"a": [[1]]}


@case()
def scopes_open_what_they_name(d):
    lines = ("r reader scopes=read", "w runner scopes=run", "m scraper scopes=admin", "both ann", "all")
    with service(d, lines) as s:
        opens = {"r": (200, 403, 403), "w": (403, 200, 403), "m": (403, 403, 200), "both": (200, 200, 403), "all": (200, 200, 200)}
        for token, wanted in opens.items():
            found = (curl(s, "/jobs", *bearer(token)).status, post(s, "/lu", ONE, *bearer(token)).status,
                     curl(s, "/metrics", *bearer(token)).status)
            assert found == wanted, (token, found)
        p = curl(s, "/jobs", *bearer("w")).problem(403, "read")
        assert p["type"] == "/problems/forbidden" and "scope read; this one has run" in p["detail"], p
        curl(s, "/matrices/a", "-X", "DELETE", *bearer("r")).problem(403, "scope run")
        curl(s, "/matrices/a", "-X", "PUT", *bearer("r"), body=b"[[1]]").problem(403, "scope run")
        assert curl(s, "/healthz", *bearer("w")).status == 200
        assert curl(s, "/healthz", *bearer("nobody")).status == 200
        assert curl(s, "/jobs", "-I", *bearer("r")).status == 200


@case()
def a_tenant_leaves_streams_of_events_to_others(d):
    with service(d, ("a ann", "b bob")) as s:
        at = submit(s, "/lu", ONE, *bearer("a"))
        other = submit(s, "/jacobi", ENDLESS, *bearer("a"))
        bobs = submit(s, "/lu", ONE, *bearer("b"))

        def follow(token, path):
            return send(s, f"GET {path}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())

        many = [follow("a", other) for _ in range(64)]
        curl(s, at + "/events", *bearer("a")).problem(503, "64 clients of this tenant")
        many.append(follow("b", bobs))
        assert all(head(one).startswith(b"HTTP/1.1 200") for one in many)
        for one in many:
            one.close()
        curl(s, other, "-X", "DELETE", *bearer("a"))


@case()
def an_expired_token_is_no_token(d):
    lines = ("old ann expires=2020-02-29T12:00:00Z", "new ann expires=2999-01-01T00:00:00Z")
    with service(d, lines) as s:
        assert curl(s, "/jobs", *bearer("new")).status == 200
        r = curl(s, "/jobs", *bearer("old"))
        assert "2020-02-29T12:00:00" in r.problem(401, "expired")["detail"]
        assert r.headers["www-authenticate"].startswith("Bearer")
        assert curl(s, "/healthz", *bearer("old")).status == 200


@case()
def a_file_may_hold_digests_alone(d):
    digest = hashlib.sha256(b"sesame").hexdigest()
    with service(d, (f"sha256:{digest} ann",)) as s:
        assert curl(s, "/jobs", *bearer("sesame")).status == 200
        curl(s, "/jobs", *bearer(digest)).problem(401)
        curl(s, "/jobs", *bearer("sha256:" + digest)).problem(401)


@case()
def a_wrong_line_changes_nothing_and_is_not_told(d):
    with service(d, ("sesame ann",), "--log-format", "json") as s:
        write(s.tokens, ("simsala ann", "abracadabra ben running=hokuspokus"))
        os.kill(s.process.pid, signal.SIGHUP)
        until("the log tells the line", lambda: "line 2: running wants a whole number" in s.log())
        assert curl(s, "/jobs", *bearer("sesame")).status == 200
        curl(s, "/jobs", *bearer("simsala")).problem(401)
        write(s.tokens, ("simsala ann", "abracadabra ben running=2"))
        os.kill(s.process.pid, signal.SIGHUP)
        until("the new token opens", lambda: curl(s, "/jobs", *bearer("simsala")).status == 200)
        curl(s, "/jobs", *bearer("sesame")).problem(401)
        assert not [x for x in ("sesame", "simsala", "abracadabra", "hokuspokus") if x in s.log()]


TWO = ("atoken ann", "btoken bob", "admin")
ANN, BOB, ADMIN = bearer("atoken"), bearer("btoken"), bearer("admin")
JSON = ("-H", "Content-Type: application/json")


def put(s, path, document, who):
    return curl(s, path, "-X", "PUT", *JSON, *who, body=json.dumps(document).encode())


def alike(s, there, nowhere, who, *arguments):
    """Asserts that a path which another tenant has answers as one that nobody has, but for the name itself."""
    a, b = curl(s, there, *who, *arguments), curl(s, nowhere, *who, *arguments)
    own, none = (p.split("/")[2].encode() for p in (there, nowhere))
    strip = {"date", "traceparent", "content-length", "server-timing"}
    assert a.status == b.status == 404, (a.status, b.status, there)
    assert a.body.replace(own, b"") == b.body.replace(none, b""), (a.body, b.body)
    assert {k: v for k, v in a.headers.items() if k not in strip} == {k: v for k, v in b.headers.items() if k not in strip}
    assert set(a.headers) == set(b.headers)


@case()
def jobs_are_their_tenants(d):
    with service(d, TWO) as s:
        at = submit(s, "/lu", dict(ONE, timing="trace"), *ANN)
        until("it ends", lambda: curl(s, at, *ANN).json()["status"] == "successful")
        assert curl(s, at, *ANN).json()["tenant"] == "ann"
        for what in ("", "/result", "/trace", "/events"):
            assert curl(s, at + what, *ANN).status == 200, what
            alike(s, at + what, "/jobs/" + 32 * "0" + what, BOB)
            assert curl(s, at + what, *ADMIN).status == 200, what
        alike(s, at, "/jobs/" + 32 * "0", BOB, "-X", "DELETE")
        assert [j["id"] for j in curl(s, "/jobs", *ANN).json()["jobs"]] == [at.split("/")[2]]
        assert curl(s, "/jobs", *BOB).json()["jobs"] == []
        assert len(curl(s, "/jobs", *ADMIN).json()["jobs"]) == 1
        assert len(curl(s, "/jobs?tenant=ann", *ADMIN).json()["jobs"]) == 1
        assert curl(s, "/jobs?tenant=bob", *ADMIN).json()["jobs"] == []
        assert curl(s, "/jobs?tenant=eve", *ADMIN).json()["jobs"] == []
        assert len(curl(s, "/jobs?tenant=ann", *ANN).json()["jobs"]) == 1
        curl(s, "/jobs?tenant=ann", *BOB).problem(403, "admin")
        curl(s, "/jobs?tenant=ann&tenant=ann", *ADMIN).problem(400, "twice")
        assert curl(s, at, "-X", "DELETE", *ADMIN).status == 204


@case()
def matrices_are_their_tenants(d):
    with service(d, TWO) as s:
        assert put(s, "/matrices/m", {"matrix": [[2.0]]}, ANN).status == 201
        assert put(s, "/matrices/m-1", {"matrix": [[2.0]]}, ANN).status == 201
        alike(s, "/matrices/m-1", "/matrices/n-1", BOB)
        alike(s, "/matrices/m-1", "/matrices/n-1", BOB, "-X", "DELETE")
        assert curl(s, "/matrices", *BOB).json()["matrices"] == []
        p = post(s, "/lu", {"a": {"ref": "m-1"}}, *BOB).problem(404)
        q = post(s, "/lu", {"a": {"ref": "n-1"}}, *BOB).problem(404)
        assert p["detail"].replace("m-1", "") == q["detail"].replace("n-1", ""), (p, q)
        pipe = {"steps": [{"op": "transpose", "as": "t", "a": "@m"}]}
        post(s, "/pipelines", pipe, *BOB).problem(400, "no stored matrix")
        assert post(s, "/pipelines", pipe, *ANN).status == 200
        assert put(s, "/matrices/m", {"matrix": [[3.0]]}, BOB).status == 201
        for who, value in ((ANN, 2), (BOB, 3)):
            assert post(s, "/transpose", {"a": {"ref": "m"}}, *who).json()["result"]["a"] == [[value]]
        assert post(s, "/transpose?store=x", {"a": [[5]]}, *BOB).status == 200
        assert post(s, "/transpose?store=m", {"a": [[7]]}, *BOB).status == 200
        assert curl(s, "/matrices/x", *ANN).status == 404
        assert curl(s, "/matrices/m", *ANN).json()["matrix"] == [[2]]
        assert [m["name"] for m in curl(s, "/matrices", *BOB).json()["matrices"]] == ["m", "x"]
        assert curl(s, "/matrices/m", "-X", "DELETE", *BOB).status == 204
        assert [m["name"] for m in curl(s, "/matrices", *ANN).json()["matrices"]] == ["m", "m-1"]


@case()
def pipelines_and_keys_are_their_tenants(d):
    with service(d, TWO) as s:
        pipe = {"steps": [{"op": "transpose", "as": "t", "a": "@a"}]}
        twice = {"steps": [{"op": "matmul", "as": "t", "a": "@a", "b": "@a"}]}
        assert put(s, "/pipelines/p", pipe, ANN).status == 201
        assert put(s, "/pipelines/zz-1", pipe, ANN).status == 201
        alike(s, "/pipelines/zz-1", "/pipelines/zz-2", BOB)
        alike(s, "/pipelines/zz-1", "/pipelines/zz-2", BOB, "-X", "DELETE")
        assert curl(s, "/pipelines", *BOB).json()["pipelines"] == []
        post(s, "/pipelines/p", {"a": [[3]]}, *BOB).problem(404)
        assert put(s, "/pipelines/p", twice, BOB).status == 201
        assert put(s, "/pipelines/p", twice, BOB).status == 204
        assert curl(s, "/pipelines/p", *ANN).json() == pipe
        assert [p["name"] for p in curl(s, "/pipelines", *ANN).json()["pipelines"]] == ["p", "zz-1"]
        found = [post(s, "/pipelines/p", {"a": [[3]]}, *who).json()["result"] for who in (ANN, BOB)]
        assert [list(f.values()) for f in found] == [[[[3]]], [[[9]]]], found
        assert curl(s, "/pipelines/p", "-X", "DELETE", *BOB).status == 204
        assert curl(s, "/pipelines/p", *ANN).status == 200

        key = ("-H", "Idempotency-Key: once")
        a = submit(s, "/transpose", {"a": [[1]]}, *key, *ANN)
        b = submit(s, "/transpose", {"a": [[2]]}, *key, *BOB)
        assert a != b and submit(s, "/transpose", {"a": [[1]]}, *key, *ANN) == a
        post(s, "/transpose", {"a": [[1]]}, *ASYNC, *key, *BOB).problem(422, b.split("/")[2])


@case()
def what_fills_the_memory_is_told_to_its_tenant(d):
    with service(d, TWO, "--host-memory", "64M") as s:
        assert put(s, "/matrices/secret", {"matrix": random_matrix(2500)}, ANN).status == 201
        other = curl(s, "/matrices/x", "-X", "PUT", *JSON, *BOB, body=json.dumps({"matrix": random_matrix(1800)}).encode())
        assert "secret" not in other.problem(503)["detail"]
        own = curl(s, "/matrices/x", "-X", "PUT", *JSON, *ANN, body=json.dumps({"matrix": random_matrix(1800)}).encode())
        assert "secret (" in own.problem(503)["detail"]


@case()
def the_log_names_the_tenant_and_the_metrics_do_not(d):
    with service(d, ("atoken alice tenant=ann", "admin"), "--log-format", "json") as s:
        assert post(s, "/lu", ONE, *bearer("atoken")).status == 200
        line = until("the line", lambda: [x for x in s.log().splitlines() if '"/lu"' in x])[0]
        assert json.loads(line)["tenant"] == "ann" and json.loads(line)["token"] == "alice", line
        assert b"alice" not in curl(s, "/metrics", *ADMIN).body and b'ann"' not in curl(s, "/metrics", *ADMIN).body
        curl(s, "/v2/models/stats", *bearer("atoken")).problem(403, "admin")
        curl(s, "/v2/models/lu/stats", *bearer("atoken")).problem(403, "admin")
        assert curl(s, "/v2/models/lu", *bearer("atoken")).status == 200


def quota(r, name, *numbers):
    """Asserts that the reply is 429 for that quota and tells the numbers; its Retry-After, or None."""
    p = r.problem(429, "quota " + name)
    assert p["type"] == "/problems/quota-exceeded", p
    assert all(n in p["detail"] for n in numbers), p
    return int(r.headers["retry-after"]) if "retry-after" in r.headers else None


def use(s, who):
    return curl(s, "/tenant", *who).json()["use"]


@contextlib.contextmanager
def endless(s, who):
    """A job of that token runs until the block ends."""
    post(s, "/jacobi", dict(ENDLESS, max_iterations=1), *who).problem(422)
    at = submit(s, "/jacobi", ENDLESS, *who)
    until("it runs", lambda: curl(s, at, *who).json()["status"] == "running")
    try:
        yield at
    finally:
        curl(s, at, "-X", "DELETE", *who)


@case()
def a_tenant_that_fills_its_queue_gets_429_and_others_go_on(d):
    with service(d, ("atoken ann queued=2", "btoken bob", "admin")) as s, endless(s, BOB):
        at = [submit(s, "/lu", ONE, *ANN) for _ in range(2)]
        assert quota(post(s, "/lu", ONE, *ANN), "queued", "2 jobs wait, 2 may") >= 1
        assert quota(post(s, "/lu", ONE, *ANN, *ASYNC), "queued") >= 1
        assert use(s, ANN)["queued"] == 2 and use(s, ANN)["running"] == 0
        assert use(s, BOB)["running"] == 1 and use(s, BOB)["queued"] == 0
        submit(s, "/lu", ONE, *BOB)
        assert curl(s, at[0], "-X", "DELETE", *ANN).status == 204
        assert use(s, ANN)["queued"] == 1
        submit(s, "/lu", ONE, *ANN)


@case()
def a_tenant_that_runs_what_it_may_waits(d):
    with service(d, ("atoken ann running=1", "btoken bob", "admin")) as s:
        with endless(s, ANN) as first:
            at = submit(s, "/lu", ONE, *ANN)
            assert curl(s, at, *ANN).json()["status"] == "accepted"
            assert use(s, ANN) | {"in_flight_bytes": 0, "device_seconds": 0} == {
                "running": 1, "queued": 1, "stored_bytes": 0, "in_flight_bytes": 0, "device_seconds": 0}
            assert curl(s, first, "-X", "DELETE", *ANN).status == 204
            until("the next one runs", lambda: curl(s, at, *ANN).json()["status"] == "successful")
        found = [submit(s, "/lu", ONE, *ANN) for _ in range(40)]
        for at in found:
            until("it ends", lambda: curl(s, at, *ANN).json()["status"] == "successful")
        assert use(s, ANN)["running"] == use(s, ANN)["queued"] == 0
        assert [post(s, "/lu", ONE, *ANN).status for _ in range(3)] == [200] * 3


@case()
def what_a_tenant_has_in_flight_is_bounded(d):
    n = 1 << 10                     # operand and result of a transposition: 8 MiB each
    with service(d, ("atoken ann in-flight=20M", "btoken bob", "admin")) as s:
        big = {"a": random_matrix(n)}
        at = submit(s, "/transpose", big, *ANN)
        until("it ends", lambda: curl(s, at, *ANN).json()["status"] == "successful")
        assert use(s, ANN)["in_flight_bytes"] == 8 * n * n, use(s, ANN)
        assert quota(post(s, "/transpose", big, *ANN), "in-flight", str(8 * n * n), str(20 << 20)) >= 1
        assert post(s, "/transpose", big, *BOB).status == 200
        body = bytes(16 << 20)
        raw = (*ANN, "-H", "Content-Type: application/octet-stream", "-H", "Expect:")
        quota(curl(s, "/trace?shape=1024,2048&dtype=float64", *raw, body=body), "in-flight")
        assert curl(s, at, "-X", "DELETE", *ANN).status == 204
        assert use(s, ANN)["in_flight_bytes"] == 0
        assert post(s, "/transpose", big, *ANN).status == 200
        assert use(s, ANN)["in_flight_bytes"] == 0
        post(s, "/transpose", {"a": random_matrix(2 * n)}, *ANN).problem(413, "quota in-flight")
        assert use(s, ANN)["in_flight_bytes"] == 0


@case()
def who_waits_for_kept_results_is_told_when_they_expire(d):
    n, ttl = 1 << 9, 30             # operand and result of a transposition: 2 MiB each
    with service(d, ("atoken ann in-flight=9M", "btoken bob", "admin"), "--result-ttl", str(ttl)) as s:
        def keep(n):
            begun = time.monotonic()
            at = submit(s, "/transpose", {"a": random_matrix(n)}, *ANN)
            until("it ends", lambda: curl(s, at, *ANN).json()["status"] == "successful")
            return at, begun, time.monotonic()

        def told(n, begun, ended):
            asked = time.monotonic()
            seconds = quota(post(s, "/transpose", {"a": random_matrix(n)}, *ANN), "in-flight")
            assert begun + ttl - time.monotonic() <= seconds <= ended + ttl - asked + 2, (seconds, asked - begun)
        first, begun, ended = keep(n)
        told(n + 200, begun, ended)
        until("a while has passed", lambda: time.monotonic() > ended + 4)
        second, begun_2, ended_2 = keep(n)
        told(n + 140, begun, ended)     # the end of the first suffices
        told(n + 200, begun_2, ended_2)
        assert curl(s, first, "-X", "DELETE", *ANN).status == 204
        told(n + 200, begun_2, ended_2)
        with endless(s, ANN):           # whose end would free little
            told(n + 200, begun_2, ended_2)


@case()
def what_a_tenants_pipelines_have_in_flight_is_bounded(d):
    n = 1 << 10                     # each operand has 8 MiB, and so has what is between the steps
    steps = [{"op": "matmul", "as": "p", "a": "@a", "b": "@b"}, {"op": "trace", "as": "t", "a": "p"}]
    with service(d, ("atoken ann in-flight=25M", "btoken bob", "admin")) as s:
        at = submit(s, "/pipelines", {"steps": steps[:1], "a": random_matrix(n), "b": random_matrix(n, 2)}, *ANN)
        until("it ends", lambda: curl(s, at, *ANN).json()["status"] == "successful")
        assert use(s, ANN)["in_flight_bytes"] == 8 * n * n, use(s, ANN)
        more = {"steps": steps, "a": random_matrix(n), "b": random_matrix(n, 2)}
        quota(post(s, "/pipelines", more, *ANN), "in-flight", str(8 * n * n))
        assert post(s, "/pipelines", more, *BOB).status == 200
        assert curl(s, at, "-X", "DELETE", *ANN).status == 204
        once = dict(more, steps=[{"op": "matmul", "as": "p", "a": "@a", "b": "@a"}, steps[1]])
        del once["b"]
        assert post(s, "/pipelines", once, *ANN).status == 200      # an operand of two places counts once
        assert use(s, ANN)["in_flight_bytes"] == 0


@case()
def what_a_tenant_stores_is_bounded(d):
    with service(d, ("atoken ann stored=1000", "btoken bob", "admin")) as s:
        rows = {"matrix": random_matrix(10)}
        assert put(s, "/matrices/a?ttl=3600", rows, ANN).status == 201
        assert put(s, "/matrices/a?ttl=3600", rows, ANN).status == 204
        assert 3590 <= quota(put(s, "/matrices/b", rows, ANN), "stored", "800 bytes", "1000") <= 3601
        r = post(s, "/transpose?store=b", {"a": random_matrix(10)}, *ANN)
        quota(r, "stored", "800 bytes")
        assert curl(s, "/matrices/b", *ANN).status == 404
        assert post(s, "/transpose?store=a", {"a": random_matrix(10)}, *ANN).status == 200
        assert put(s, "/matrices/b", rows, BOB).status == 201
        assert use(s, ANN)["stored_bytes"] == 800
        put(s, "/matrices/c", {"matrix": random_matrix(20)}, ANN).problem(413, "quota stored")
        assert put(s, "/matrices/b", {"matrix": random_matrix(5)}, ANN).status == 201
        assert quota(put(s, "/matrices/c", rows, ANN), "stored") is None        # nothing expires
        assert curl(s, "/matrices/a", "-X", "DELETE", *ANN).status == 204
        assert put(s, "/matrices/c", rows, ANN).status == 201


@case()
def the_days_device_seconds_are_counted(d):
    with service(d, ("atoken ann device-seconds=1", "btoken bob", "admin")) as s:
        with endless(s, ANN) as at:
            end = time.monotonic() + 1.2
            until("the job has run for a second", lambda: time.monotonic() > end)
            assert curl(s, at, "-X", "DELETE", *ANN).status == 204
        assert use(s, ANN)["device_seconds"] >= 1
        now = time.time()
        seconds = quota(post(s, "/lu", ONE, *ANN), "device-seconds", "of 1 ")
        assert abs(seconds - (86400 - now % 86400)) < 60, seconds
        assert post(s, "/lu", ONE, *BOB).status == 200
        assert 0 < use(s, BOB)["device_seconds"] < 1


@case()
def a_priority_that_is_too_urgent_is_refused(d):
    with service(d, ("atoken ann priority=7", "btoken bob priority=2", "admin")) as s:
        post(s, "/lu?priority=6", ONE, *ANN).problem(403, "allows 7 to 9")
        post(s, "/lu", dict(ONE, priority=0), *BOB).problem(403, "allows 2 to 9")
        pipe = {"steps": [{"op": "transpose", "as": "t", "a": "@a"}], "a": [[1]]}
        post(s, "/pipelines?priority=6", pipe, *ANN).problem(403, "allows 7 to 9")
        for who, priority in ((ANN, 7), (BOB, 5)):
            at = submit(s, "/lu", ONE, *who)
            assert curl(s, at, *who).json()["priority"] == priority
        assert post(s, "/lu?priority=2", ONE, *BOB).status == 200


@case()
def a_token_tells_what_it_allows(d):
    line = "atoken alice tenant=ann scopes=run expires=2999-01-31T00:00:00Z running=2 queued=3 stored=4K in-flight=5M device-seconds=6 priority=7 weight=8"
    with service(d, (line, "admin")) as s:
        told = curl(s, "/tenant", *bearer("atoken")).json()
        assert told == {
            "tenant": "ann", "token": "alice", "scopes": ["run"], "expires": "2999-01-31T00:00:00.000Z",
            "limits": {"running": 2, "queued": 3, "stored_bytes": 4096, "in_flight_bytes": 5 << 20, "device_seconds": 6, "priority": 7, "weight": 8},
            "use": {"running": 0, "queued": 0, "stored_bytes": 0, "in_flight_bytes": 0, "device_seconds": 0}}, told
        told = curl(s, "/tenant", *ADMIN).json()
        assert told["tenant"] == "" and told["scopes"] == ["read", "run", "admin"] and told["limits"] == {"priority": 0, "weight": 1}, told
        curl(s, "/tenant").problem(401)
        curl(s, "/tenant?x=1", *ADMIN).problem(400)
    assert curl(d, "/tenant").json()["scopes"] == ["read", "run", "admin"]


@contextlib.contextmanager
def narrow(d, lines, connections):
    """A service with room for so few connections, which follow from the descriptors that it may open."""
    with File(f"#!/bin/sh\nulimit -n {2 * connections}\nexec {d.binary} \"$@\"\n".encode()) as path:
        os.chmod(path, 0o755)
        with File("\n".join(lines).encode() + b"\n") as tokens, Daemon(path, "--token-file", tokens) as s:
            yield s


def dial(s, source):
    return socket.create_connection(("127.0.0.1", s.port), timeout=300, source_address=(source, 0))


def is_open(c):
    """Has the service not closed the connection? Nothing else is expected to come."""
    if not select.select([c], [], [], 0)[0]:
        return True
    try:
        return c.recv(1, socket.MSG_PEEK) != b""
    except ConnectionError:
        return False


def ask(s, c, token):
    c.sendall(f"GET /version HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    return answer(c).status


@case()
def silent_connections_of_an_address_lock_no_other_out(d):
    with narrow(d, TWO, 100) as s, contextlib.ExitStack() as ends:
        kept = [ends.enter_context(dial(s, "127.0.0.3")) for _ in range(4)]
        assert [ask(s, c, "btoken") for c in kept] == [200] * 4
        crowd = [ends.enter_context(dial(s, f"127.0.0.{2 + 2 * (i % 2)}")) for i in range(400)]
        # Not because of their silence alone, which ends after 20 s: until then, those that the service does not accept look open.
        until("those that are too many are closed", lambda: sum(map(is_open, crowd)) < 100, seconds=15)
        assert all(map(is_open, kept)), "a connection of another address gave way"
        assert [ask(s, c, "btoken") for c in kept] == [200] * 4
        assert curl(s, "/version", *ANN).status == 200


@case()
def connections_of_a_tenant_lock_no_other_out(d):
    with narrow(d, TWO, 100) as s, contextlib.ExitStack() as ends:
        crowd = [ends.enter_context(dial(s, "127.0.0.1")) for _ in range(80)]
        assert [ask(s, c, "atoken") for c in crowd] == [200] * 80
        until("one tenant has three quarters", lambda: sum(map(is_open, crowd)) == 75)
        assert not any(map(is_open, crowd[:5])), "the longest silent ones give way"
        other = [ends.enter_context(dial(s, "127.0.0.1")) for _ in range(10)]
        assert [ask(s, c, "btoken") for c in other] == [200] * 10
        assert sum(map(is_open, crowd)) == 75 and all(map(is_open, other))
