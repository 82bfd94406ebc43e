"""client.py - curl, raw sockets, and the registry of cases."""
import json
import os
import socket
import subprocess
import tempfile
import time

CASES = []


def case(*options):
    """Registers a case; options are the daemon's, cases with the same ones share it."""
    def keep(f):
        CASES.append((options, f))
        return f
    return keep


class Reply:
    def __init__(self, head, body):
        lines = head.decode("latin-1").strip().split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            self.headers[name.strip().lower()] = value.strip()
        self.body = body

    def json(self):
        kind = self.headers["content-type"]
        assert kind in ("application/json", "application/problem+json"), kind
        return json.loads(self.body)

    def problem(self, status, word=""):
        """It is a problem document with that status, which mentions the word."""
        assert self.status == status, f"status {self.status}, wanted {status}: {self.body[:300]}"
        assert self.headers["content-type"] == "application/problem+json", self.headers
        p = self.json()
        assert p["status"] == status and p["title"] and p["detail"], p
        assert p["type"].startswith("/problems/"), p
        assert word in json.dumps(p), f"{word!r} is not in {p}"
        return p


def heads(raw):
    """Splits what curl -i printed into the last head (100 Continue aside) and the body."""
    while True:
        head, _, rest = raw.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 100"):
            return head, rest
        raw = rest


def curl(d, path, *arguments, body=None):
    """curl -i of that path; body goes to --data-binary."""
    command = ["curl", "-s", "-i", "--max-time", "120", *arguments]
    if body is not None:
        command += ["--data-binary", "@-"]
    done = subprocess.run([*command, d.url + path], input=body, capture_output=True)
    assert done.returncode == 0, f"curl ended with {done.returncode}: {done.stderr}"
    return Reply(*heads(done.stdout))


def post(d, path, document, *arguments):
    return curl(d, path, "-H", "Content-Type: application/json", *arguments, body=json.dumps(document).encode())


def send(d, data):
    """A raw connection with data sent on it."""
    s = socket.create_connection(("127.0.0.1", d.port), timeout=60)
    try:
        s.sendall(data)
    except ConnectionError:
        pass                        # refused early; the answer can be read
    return s


def receive(s):
    """All that comes until the other side closes."""
    out = b""
    try:
        while True:
            piece = s.recv(65536)
            if not piece:
                return out
            out += piece
    except ConnectionError:
        return out
    finally:
        s.close()


def raw(d, data):
    return receive(send(d, data))


def until(what, ask, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = ask()
        if answer:
            return answer
        time.sleep(0.01)
    raise AssertionError(f"not within {seconds} s: {what}")


def job(d, at):
    r = curl(d, at)
    assert r.status == 200, r.body
    return r.json()


def finished(d, at):
    def ask():
        j = job(d, at)
        return j if j["status"] in ("successful", "failed", "dismissed") else None
    return until(f"{at} ends", ask)


def jobs(d, status):
    return curl(d, f"/jobs?status={status}").json()["jobs"]


def random_matrix(n, seed=1):
    return {"generate": "random", "shape": [n, n], "seed": seed}


def long_product(n=6000):
    """A product that takes seconds."""
    return {"a": random_matrix(n, 1), "b": random_matrix(n, 2), "return": "c"}


ASYNC = ("-H", "Prefer: respond-async")
NPY = ("-H", "Content-Type: application/x-npy")


class File:
    """with File(bytes) as name: ..."""

    def __init__(self, data):
        self.data = data

    def __enter__(self):
        fd, self.name = tempfile.mkstemp()
        with os.fdopen(fd, "wb") as f:
            f.write(self.data)
        return self.name

    def __exit__(self, *_):
        os.unlink(self.name)
