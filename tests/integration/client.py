"""client.py - curl, raw sockets, and the registry of cases."""
import contextlib
import json
import os
import signal
import socket
import subprocess
import tempfile
import time

CASES = []


def case(*options):
    """Registers a case. options are the daemon's; cases with the same options share a daemon."""
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
        """Asserts that the reply is a problem document with that status, which mentions the word."""
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
        if head.split(b" ", 2)[1] != b"100":
            return head, rest
        raw = rest


def curl(d, path, *arguments, body=None, stdin=None):
    """curl -i of that path; body goes to --data-binary, stdin to what the arguments say."""
    command = ["curl", "-s", "-i", "--max-time", "300", *arguments]
    if body is not None:
        command += ["--data-binary", "@-"]
    done = subprocess.run([*command, d.url + path], input=stdin if body is None else body, capture_output=True)
    assert done.returncode == 0, f"curl ended with {done.returncode}: {done.stderr}"
    return Reply(*heads(done.stdout))


def post(d, path, document, *arguments):
    return curl(d, path, "-H", "Content-Type: application/json", *arguments, body=json.dumps(document).encode())


def send(d, data):
    """A raw connection with data sent on it."""
    s = socket.create_connection(("127.0.0.1", d.port), timeout=300)
    try:
        s.sendall(data)
    except ConnectionError:
        pass                        # refused early; the answer can be read
    return s


def receive(s):
    """All that arrives until the other side closes."""
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


def take(s, out, n):
    """out, extended by n more bytes from the connection."""
    while n > 0:
        piece = s.recv(n)
        assert piece, f"the connection ended after {out}"
        out, n = out + piece, n - len(piece)
    return out


def head(s):
    """What arrives on the connection up to the next blank line."""
    out = b""
    while not out.endswith(b"\r\n\r\n"):
        out = take(s, out, 1)
    return out


def answer(s):
    """The next answer on a kept connection; the answer's head gives its length."""
    r = Reply(head(s), b"")
    r.body = take(s, b"", int(r.headers["content-length"]))
    return r


def until(what, ask, seconds=120):
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


def product(n):
    """A request whose operands take a while to prepare."""
    return {"a": random_matrix(n, 1), "b": random_matrix(n, 2), "return": "c"}


ASYNC = ("-H", "Prefer: respond-async")
NPY = ("-H", "Content-Type: application/x-npy")

# A request to /jacobi whose updates go round in a circle and never converge.
# The job takes next to no memory and can be dismissed at any time. Its operands
# are there with the request, so that such jobs wait in the order in which they
# came.
ENDLESS = {"a": [[1, -1], [1, 1]], "b": [1, 0], "max_iterations": 10**9}


def submit(d, path, document, *arguments):
    r = post(d, path, document, *ASYNC, *arguments)
    assert r.status == 202, (r.status, r.body)
    assert r.headers["preference-applied"] == "respond-async"
    assert r.headers["location"] == "/jobs/" + r.headers["linalgd-job"]
    assert r.json()["id"] == r.headers["linalgd-job"]
    return r.headers["location"]


def running(d, at):
    return until(f"{at} runs", lambda: job(d, at)["status"] == "running")


def dismiss(d, at):
    assert curl(d, at, "-X", "DELETE").status == 204


def compile_endless(d, **more):
    """Has the kernels of ENDLESS compiled: a job that waits for them is accepted again, and others overtake it."""
    post(d, "/jacobi", dict(ENDLESS, max_iterations=1, **more)).problem(422, "did not converge")


def endless(d, **more):
    """Submits a job that occupies a device."""
    compile_endless(d, **more)
    return submit(d, "/jacobi", dict(ENDLESS, **more))


@contextlib.contextmanager
def busy(d, **more):
    """Keeps a device busy with a job until the block ends."""
    at = endless(d, **more)
    try:
        running(d, at)
        yield at
    finally:
        curl(d, at, "-X", "DELETE")


def dismiss_all(d):
    for status in ("accepted", "running"):
        for j in jobs(d, status):
            dismiss(d, "/jobs/" + j["id"])


def idle(d):
    """Asserts that nothing runs or waits any more, in the worker either."""
    until("all jobs have ended", lambda: not jobs(d, "running") and not jobs(d, "accepted"))
    assert post(d, "/matmul", {"a": [[2]], "b": [[3]]}).json()["result"]["c"] == [[6]]


def stat(pid):
    """State, parent and the following fields of /proc/PID/stat; just Z if there is no such process any more."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()
    except OSError:
        return ["Z"]


def state(pid):
    """The process's state, a letter as ps prints it."""
    return stat(pid)[0]


def workers(d):
    """Processes whose parent is the daemon, by the fourth field of /proc/PID/stat."""
    parent = str(d.process.pid)
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and stat(int(pid))[1:2] == [parent]]


def stop(pid):
    os.kill(pid, signal.SIGSTOP)
    until("it stops", lambda: state(pid) == "T")


@contextlib.contextmanager
def stopped(d):
    """Stops the workers until the block ends, so that whatever a device is given runs until then; gives the workers' processes."""
    idle(d)
    pids = workers(d)
    for pid in pids:
        stop(pid)
    try:
        yield pids
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


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
