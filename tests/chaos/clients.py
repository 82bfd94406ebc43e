"""clients.py - what well-behaved and other clients do to a daemon, one named action at a time.

Every action ends by itself and checks the answers that it gets. Client.say()
defines which answers are allowed beside success, because other clients keep
the service busy, kill its workers or delete what this client stored; any other
answer is a failure, and so is a wrong result.
"""
import http.client
import io
import itertools
import json
import socket
import struct
import time
import uuid
import zipfile

import numpy as np

PATIENCE = 300                  # seconds; a longer wait is a failure
STORED = [f"m{i}" for i in range(6)]

# Answers that any request may get: no room, deadline passed, dismissed by
# another client.
ALWAYS = {503, 504, 409}
ENDLESS = {"a": [[1, -1], [1, 1]], "b": [1, 0], "max_iterations": 10**9}

DEEDS = []


def deed(f):
    DEEDS.append(f)
    return f


class Wrong(Exception):
    """The service did what it must not do."""


def generated(n, m=None, seed=1, name="random"):
    return {"generate": name, "shape": [n, m or n], "seed": seed}


class Client:
    def __init__(self, port, random):
        self.port, self.random = port, random

    # --- talking

    def connect(self):
        s = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return s

    def head(self, method, path, length, *headers):
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {length}", *headers]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def say(self, method, path, body=None, expected=(200,), **headers):
        """One request on a connection of its own: status, headers, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        if isinstance(body, dict):
            body = json.dumps(body)
            headers.setdefault("content_type", "application/json")
        try:
            connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
            r = connection.getresponse()
            data = r.read()
        finally:
            connection.close()
        lost = r.status == 500 and b"device-failure" in data
        if r.status not in expected and r.status not in ALWAYS and not lost:
            raise Wrong(f"{method} {path}: {r.status} {data[:300]}")
        return r.status, r.headers, data

    def post(self, op, document, expected=(200,), **headers):
        return self.say("POST", "/" + op, document, expected, **headers)

    def begin(self, op, document):
        """Sends the whole request; returns its connection."""
        body = json.dumps(document).encode()
        s = self.connect()
        s.sendall(self.head("POST", "/" + op, len(body), "Content-Type: application/json") + body)
        return s

    def leave(self, s):
        """Ends the connection by a reset or a close."""
        if self.random.random() < 0.5:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        s.close()

    def small(self, n=None, m=None):
        n, m = n or self.random.randrange(1, 12), m or self.random.randrange(1, 12)
        return np.array([[float(self.random.randrange(-9, 10)) for _ in range(m)] for _ in range(n)])


def want(got, value, what):
    if not np.array_equal(np.asarray(got), value):
        raise Wrong(f"{what}: wrong result")


def npy(a):
    f = io.BytesIO()
    np.save(f, a)
    return f.getvalue()


# --- clients that behave well

@deed
def small_product(c):
    a, b = c.small(4, 5), c.small(5, 3)
    status, _, data = c.post("matmul", {"a": a.tolist(), "b": b.tolist()})
    if status == 200:
        want(json.loads(data)["result"]["c"], a @ b, "small product")


@deed
def many_on_one_connection(c):
    connection = http.client.HTTPConnection("127.0.0.1", c.port, timeout=PATIENCE)
    for _ in range(5):
        a = c.small()
        connection.request("POST", "/transpose", json.dumps({"a": a.tolist()}), {"Content-Type": "application/json"})
        r = connection.getresponse()
        data = r.read()
        if r.status == 200:
            want(json.loads(data)["result"]["a"], a.T, "kept connection")
        elif r.status not in ALWAYS | {500}:
            raise Wrong(f"kept connection: {r.status} {data[:200]}")
    connection.close()


@deed
def pages(c):
    for path in ("/healthz", "/jobs?limit=20", "/matrices", "/ops", "/devices"):
        c.say("GET", path)
    c.say("GET", "/readyz", expected=(200, 503))
    c.say("GET", "/nothing", expected=(404,))


@deed
def archive(c):
    """Operands large enough to be announced to a device before all of their bytes have come."""
    n = c.random.choice([3, 40, 600])
    a, b = np.arange(n * n, dtype=float).reshape(n, n) % 7, np.eye(n)
    f = io.BytesIO()
    c.random.choice([np.savez, np.savez_compressed])(f, a=a, b=b)
    status, _, data = c.say("POST", "/matmul", f.getvalue(), content_type="application/x-npz", accept="application/x-npz")
    if status == 200:
        want(np.load(io.BytesIO(data))["c"], a, "npz")


@deed
def wrong_archive(c):
    f = io.BytesIO()
    with zipfile.ZipFile(f, "w") as z:
        for i in range(c.random.choice([1, 70])):
            z.writestr(f"x{i}.npy", npy(c.small()))
    body = bytearray(f.getvalue())
    body[c.random.randrange(len(body))] ^= 255
    c.say("POST", "/matmul", bytes(body), expected=(400,), content_type="application/x-npz")


@deed
def form(c):
    a, b = c.small(6, 4), c.small(4, 2)
    boundary = uuid.uuid4().hex
    parts = [("a", "; filename=a.npy", npy(a)), ("b", "; filename=b.npy", npy(b.astype(">i2"))), ("timing", "", b"none")]
    body = b"".join(b'--%s\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
                    % (boundary.encode(), name.encode(), more.encode(), value) for name, more, value in parts)
    body += b"--%s--\r\n" % boundary.encode()
    status, _, data = c.say("POST", "/matmul", body, content_type=f"multipart/form-data; boundary={boundary}")
    if status == 200:
        want(json.loads(data)["result"]["c"], a @ b, "form")


@deed
def other_formats(c):
    a = c.small(30, 20)
    status, _, data = c.say("POST", "/transpose", npy(np.asfortranarray(a.astype(c.random.choice(["f8", ">f4", "i1"])))),
                            content_type="application/x-npy", accept="application/x-npy")
    if status == 200:
        want(np.load(io.BytesIO(data)), a.T, "npy")
    status, _, data = c.say("POST", "/transpose?shape=30,20&dtype=float64", a.tobytes(), content_type="application/octet-stream",
                            accept="application/octet-stream")
    if status == 200:
        want(np.frombuffer(data).reshape(20, 30), a.T, "octets")


@deed
def sparse(c):
    n = c.random.choice([5, 3000, 200000])
    k = c.random.randrange(1, 50)
    rows, cols = [[c.random.randrange(n) for _ in range(k)] for _ in range(2)]
    a = {"format": "coo", "shape": [n, n], "row": rows, "col": cols, "data": [1.0] * k}
    status, _, data = c.post("spmv", {"a": a, "x": {"generate": "ones", "shape": [n]}}, accept="application/x-npy")
    if status == 200:
        want(np.load(io.BytesIO(data)), np.bincount(rows, minlength=n), "spmv")
    c.post("permute", {"a": a, "p": {"generate": "ramp", "shape": [n]}, "mode": "column"})


@deed
def large_answer(c):
    n = c.random.choice([300, 500])
    status, _, data = c.post("transpose", {"a": generated(n, name="ramp")})
    if status == 200:
        want(json.loads(data)["result"]["a"], np.arange(n * n, dtype=float).reshape(n, n).T, "large answer")


@deed
def short_deadline(c):
    n = c.random.choice([50, 500, 1500])
    c.post("matmul", {"a": generated(n), "b": generated(n, seed=2), "timeout_ms": c.random.randrange(1, 60)},
           accept="application/octet-stream")


@deed
def bad_requests(c):
    c.post("matmul", {"a": [[1, 2]], "b": [[1, 2]]}, expected=(422,))
    c.post("matmul", {"a": generated(300), "b": generated(299)}, expected=(422,))
    c.post("transpose", {"a": [[1], [2, 3]]}, expected=(400,))
    c.post("transpose", {"a": {"ref": "nobody"}}, expected=(404,))
    c.post("transpose", {"a": generated(1 << 40)}, expected=(413,))


# --- jobs and stored matrices, which any client may delete

@deed
def asynchronous(c):
    n = c.random.choice([3, 60, 400])
    document = {"a": generated(n), "b": generated(n, seed=2)}
    key = uuid.uuid4().hex
    prefer = {"prefer": "respond-async", "idempotency_key": key}
    status, headers, _ = c.post("matmul", document, expected=(202,), **prefer)
    if status != 202:
        return
    at = headers["Location"]
    status, again, _ = c.post("matmul", document, expected=(202, 410), **prefer)
    if status == 202 and again["Location"] != at:
        status, _, data = c.say("GET", at, expected=(200, 404))
        # Only a job that another client dismissed, or that a lost worker ended, runs again.
        if status == 200 and json.loads(data)["status"] not in ("dismissed", "failed"):
            raise Wrong(f"a repeat of {at} became {again['Location']}")
    if c.random.random() < 0.3:
        c.say("DELETE", at, expected=(204, 404))
        return
    for _ in range(200):
        status, _, data = c.say("GET", at, expected=(200, 404))
        if status != 200 or json.loads(data)["status"] in ("successful", "failed", "dismissed"):
            break
        time.sleep(0.05)
    c.say("GET", at + "/result", expected=(200, 404, 410, 500), accept="application/x-npy")
    c.say("DELETE", at, expected=(204, 404))


@deed
def follow_any_job(c):
    """Reads its events to their end, or leaves; or waits for its result; or takes its trace."""
    _, _, data = c.say("GET", "/jobs?limit=30")
    found = [j["id"] for j in json.loads(data)["jobs"]]
    if not found:
        return
    at = "/jobs/" + c.random.choice(found)
    choice = c.random.randrange(3)
    if choice == 0:
        s = c.connect()
        s.sendall(c.head("GET", at + "/events", 0))
        try:
            s.settimeout(c.random.random())
            while s.recv(1000):
                pass
        except OSError:
            pass
        c.leave(s)
    elif choice == 1:
        c.say("GET", at + c.random.choice(["", "/result"]), expected=(200, 400, 404, 410, 413, 422, 500), prefer="wait=1")
    else:
        status, _, data = c.say("GET", at + "/trace", expected=(200, 404, 410))
        if status == 200 and "traceEvents" not in json.loads(data):
            raise Wrong(f"{at}/trace: {data[:300]}")


@deed
def traced(c):
    n = c.random.choice([3, 60, 400])
    status, headers, data = c.post("lu", {"a": generated(n), "timing": "trace", "timeout_ms": 20000})
    if status == 200:
        at = "/jobs/" + json.loads(data)["id"]
        status, _, data = c.say("GET", at + "/trace", expected=(200, 404, 410))
        if status == 200:
            want(json.loads(data)["otherData"]["left_out"], 0, "the events that a short trace left out")


@deed
def delete_any_job(c):
    _, _, data = c.say("GET", "/jobs?limit=30")
    found = [j["id"] for j in json.loads(data)["jobs"]]
    if found:
        c.say("DELETE", "/jobs/" + c.random.choice(found), expected=(204, 404))


@deed
def endless(c):
    status, headers, _ = c.post("jacobi", ENDLESS, expected=(202,), prefer="respond-async")
    if status == 202:
        c.say("DELETE", headers["Location"], expected=(204, 404))


@deed
def store(c):
    name = "/matrices/" + c.random.choice(STORED)
    n = c.random.choice([4, 300, 1200])
    status, _, _ = c.say("PUT", name, {"matrix": generated(n, name="ramp")}, expected=(201, 204))
    if status in (201, 204):
        c.say("GET", name, expected=(200, 404), accept="application/x-npy")


@deed
def refer(c):
    name = c.random.choice(STORED)
    status, _, data = c.post("transpose", {"a": {"ref": name}}, expected=(200, 404), accept="application/x-npy")
    if status == 200:
        a = np.load(io.BytesIO(data))
        want(a, np.arange(a.size, dtype=float).reshape(a.shape[::-1]).T, "a stored matrix")
    c.post("matmul", {"a": {"ref": name}, "b": {"ref": name}, "dtype": "float32", "timeout_ms": 2000}, expected=(200, 404),
           accept="application/octet-stream")


@deed
def forget(c):
    c.say("DELETE", "/matrices/" + c.random.choice(STORED), expected=(204, 404))


# --- clients that do not behave

@deed
def cut_upload(c):
    media, body = c.random.choice([
        ("application/json", json.dumps({"a": np.ones((200, 200)).tolist()}).encode()),
        ("application/x-npy", npy(np.ones((900, 900)))),
        ("application/x-npz", npy(np.ones((700, 700)))),
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n' + bytes(100000)),
    ])
    s = c.connect()
    try:
        s.sendall(c.head("POST", "/transpose", len(body) + 10, f"Content-Type: {media}") + body[:c.random.randrange(len(body))])
    except OSError:
        pass                        # the service may refuse it sooner
    c.leave(s)


@deed
def leave_while_it_is_prepared(c):
    n = c.random.choice([200, 1500, 2500])
    name = c.random.choice(["kahan", "random", "spd"])
    s = c.begin("transpose", {"a": generated(n, name=name), "dtype": "float32"})
    time.sleep(c.random.random() / 20)
    c.leave(s)


@deed
def leave_while_it_is_answered(c):
    s = c.begin("transpose", {"a": generated(600)})
    try:
        for _ in range(c.random.randrange(4)):
            s.recv(20000)
    except ConnectionError:
        pass
    c.leave(s)


@deed
def slow_body(c):
    body = json.dumps({"a": [[1, 2], [3, 4]]}).encode()
    s = c.connect()
    try:
        s.sendall(c.head("POST", "/transpose", len(body), "Content-Type: application/json", "Connection: close"))
        for i in range(0, len(body), 4):
            s.sendall(body[i:i + 4])
            time.sleep(c.random.random() / 10)
        answer = b"".join(iter(lambda: s.recv(65536), b""))
        if answer.startswith(b"HTTP/1.1 200") and b"[[1,3],[2,4]]" not in answer.replace(b".0", b""):
            raise Wrong(f"slow body: {answer[-200:]}")
    except ConnectionError:
        pass
    c.leave(s)


@deed
def nonsense(c):
    s = c.connect()
    try:
        s.sendall(c.random.choice([
            b"", b"GET", b"\r\n\r\n", b"GET / HTTP/1.1\r\n", bytes(300), b"POST /lu HTTP/1.1\r\nHost: x\r\n\r\n",
            c.head("POST", "/lu", 10**9, "Content-Type: application/json", "Expect: 100-continue"),
            c.head("PUT", "/matrices/x", 3, "Content-Type: application/json") + b"{{{",
        ]))
        if c.random.random() < 0.5:
            s.shutdown(socket.SHUT_WR)
            s.settimeout(0.2)
            s.recv(1000)
    except OSError:
        pass
    c.leave(s)


@deed
def pipelined(c):
    """Sends several requests at once, and does not wait for the answers."""
    s = c.connect()
    s.sendall(b"".join(itertools.repeat(c.head("GET", "/healthz", 0), 10)))
    s.recv(100)
    c.leave(s)
