"""case_shares.py - memory that clients of a Unix socket share with the service."""
import array
import contextlib
import json
import mmap
import os
import re
import socket
import stat
import subprocess
import tempfile
import threading

from client import case, until
from daemon import Daemon

N = 256
FLOATS = 4 * N * N


class Client:
    """Requests by curl and shares by the share socket; both go when it ends."""

    def __init__(self, path, *arguments):
        self.path, self.arguments = path, arguments
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(60)
        self.socket.connect(path + ".share")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def ask(self, target, *arguments):
        done = subprocess.run(["curl", "-s", "--max-time", "120", "-w", "\n%{http_code}", "--unix-socket", self.path, *self.arguments,
                               *arguments, "http://localhost" + target], capture_output=True, text=True)
        text, status = done.stdout.rsplit("\n", 1)
        return int(status), text

    def post(self, target, body, *arguments):
        return self.ask(target, "--json", json.dumps(body), *arguments)

    def make(self, n):
        status, text = self.ask(f"/shares?bytes={n}", "-X", "POST")
        assert status == 201, text
        return json.loads(text)["id"]

    def say(self, text):
        self.socket.send(text.encode())
        said, fds, _, _ = socket.recv_fds(self.socket, 64, 1)
        return said.decode(), fds

    def claim(self, id):
        said, fds = self.say("claim " + id)
        if said == "none":
            return None
        assert said.startswith("ok ") and len(fds) == 1, (said, fds)
        return Share(id, fds[0], int(said[3:]))

    def share(self, n):
        return self.claim(self.make(n))

    def metric(self, name):
        return float(re.search(rf"^{re.escape(name)} (\S+)$", self.ask("/metrics")[1], re.M).group(1))


class Share:
    def __init__(self, id, fd, size):
        self.id, self.fd, self.size = id, fd, size
        self.memory = mmap.mmap(fd, size)

    def put(self, values, at=0):
        data = array.array("f", values).tobytes()
        self.memory[at:at + len(data)] = data

    def floats(self, count, at=0):
        return array.array("f", self.memory[at:at + 4 * count]).tolist()

    def of(self, n=N, **more):
        return {"share": self.id, "shape": [n, n], "dtype": "float32", **more}


@contextlib.contextmanager
def service(binary, *options):
    with tempfile.TemporaryDirectory(prefix="linalgd-share-") as home:
        path = os.path.join(home, "s.sock")
        with Daemon(binary, "--listen", "unix:" + path, *options) as d:
            d.path = path
            yield d


def identity(scale):
    return [scale if i % (N + 1) == 0 else 0 for i in range(N * N)]


@case()
def operands_and_results_lie_in_shares(d):
    with service(d.binary) as s, Client(s.path) as c:
        x, y, z = c.share(2 * FLOATS), c.share(FLOATS), c.share(FLOATS)
        x.put(identity(3), FLOATS)
        y.put(range(N * N))
        status, text = c.post("/matmul", {"a": x.of(offset=FLOATS), "b": y.of(), "into": z.id})
        assert status == 200, text
        assert json.loads(text)["result"] == {"c": {"share": z.id, "offset": 0, "shape": [N, N], "dtype": "float32"}}, text
        assert z.floats(N * N) == [3.0 * i for i in range(N * N)]
        # What was shared is an operand wherever others are: copied, of a form, of a pipeline, to be stored.
        assert json.loads(c.post("/norm", {"a": x.of(offset=FLOATS), "ord": "max"})[1])["result"]["norm"] == 3
        status, text = c.ask("/trace", "-F", "a=" + json.dumps(x.of(offset=FLOATS)) + ";type=application/json")
        assert json.loads(text)["result"]["trace"] == 3 * N, text
        status, text = c.post("/pipelines", {"a": x.of(offset=FLOATS), "steps": [{"op": "matmul", "a": "@a", "b": "@a", "as": "q"},
                                                                               {"op": "trace", "a": "q", "as": "t"}]})
        assert "2304" in text and 9 * N == 2304, text
        status, text = c.ask("/matrices/kept", "-X", "PUT", "--json", json.dumps({"matrix": x.of(offset=FLOATS)}))
        assert status == 201, text
        x.put(identity(5), FLOATS)
        assert json.loads(c.post("/trace", {"a": {"ref": "kept"}})[1])["result"]["trace"] == 3 * N
        # Whole numbers and booleans are copied and converted, too.
        x.memory[:32] = array.array("i", range(8)).tobytes()
        whole = {"share": x.id, "shape": [2, 4], "dtype": "int32"}
        assert json.loads(c.post("/reduce", {"a": whole, "op": "sum"})[1])["result"]["value"] == 28


@case()
def the_share_socket_has_the_permissions_of_the_other_and_goes_with_it(d):
    with service(d.binary) as s:
        share = s.path + ".share"
        assert stat.S_IMODE(os.stat(share).st_mode) == 0o660, oct(os.stat(share).st_mode)
        if os.geteuid() == 0:               # another user can neither connect nor claim
            os.chmod(os.path.dirname(s.path), 0o755)
            code = f"import socket; socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).connect({share!r})"
            done = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True, user=65534, group=65534, extra_groups=[])
            assert "PermissionError" in done.stderr, done
    assert not os.path.exists(share)


@case()
def a_share_is_claimed_once_by_who_knows_its_id(d):
    with service(d.binary) as s, Client(s.path) as c, Client(s.path) as other:
        id = c.make(1)
        assert other.claim("0" * 32) is None and other.claim(id[:-1]) is None
        mine = c.claim(id)
        assert mine.size == 65536 and other.claim(id) is None and c.claim(id) is None
        assert other.say("drop " + id)[0] == "none"
        assert c.say("drop " + id)[0] == "ok" and c.say("drop " + id)[0] == "none"
        assert c.post("/trace", {"a": mine.of(4)})[0] == 404
        for wrong in b"claim", b"x" * 100, b"\0" * 48:
            with Client(s.path) as w:
                w.socket.send(wrong)
                assert w.socket.recv(64) in (b"", b"none"), wrong
        # Descriptors that a client sends are not taken.
        before = len(os.listdir(f"/proc/{s.process.pid}/fd"))
        with open("/dev/null") as f:
            for _ in range(20):
                socket.send_fds(c.socket, [b"claim " + b"0" * 32], [f.fileno()] * 4)
                assert c.socket.recv(64) == b"none"
        assert len(os.listdir(f"/proc/{s.process.pid}/fd")) <= before + 1


@case()
def the_memory_cannot_be_made_shorter_nor_sealed_by_its_client(d):
    import fcntl
    with service(d.binary) as s, Client(s.path) as c:
        x = c.share(FLOATS)
        for change in lambda: os.ftruncate(x.fd, 0), lambda: os.ftruncate(x.fd, 2 * FLOATS), \
                lambda: fcntl.fcntl(x.fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE):
            try:
                change()
                raise AssertionError("the descriptor let its file be changed")
            except PermissionError:
                pass
        x.put(identity(1))
        assert json.loads(c.post("/trace", {"a": x.of()})[1])["result"]["trace"] == N


@case()
def wrong_references_are_told(d):
    with service(d.binary) as s, Client(s.path) as c:
        x, z = c.share(FLOATS), c.share(FLOATS // 2)

        def refused(status, pointer, word, target, body, *arguments):
            got, text = c.post(target, body, *arguments)
            assert got == status and word in text and f'"{pointer}"' in text, (got, text)
        assert c.post("/trace", {"a": {"share": "0" * 32, "shape": [2, 2]}})[0] == 404
        refused(400, "#/a/share", "must be a share's id", "/trace", {"a": {"share": 1, "shape": [2, 2]}})
        refused(400, "#/a/share", "the operand ends after 0 + 524288", "/trace", {"a": {"share": x.id, "shape": [N, N]}})
        refused(400, "#/a/share", "ends after", "/trace", {"a": x.of(4, offset=FLOATS)})
        refused(400, "#/a/offset", "multiple of 128", "/trace", {"a": x.of(4, offset=64)})
        refused(400, "#/a/offset", "multiple of 128", "/trace", {"a": x.of(4, offset=-128)})
        refused(400, "#/a/share", "does not go with", "/trace", {"a": x.of(2, data=[1, 2, 3, 4])})
        assert c.post("/trace", {"a": {"share": x.id, "shape": [2**40, 2**40]}})[0] in (400, 413)
        both = {"a": x.of(), "b": x.of()}
        refused(400, "#/into", "the outputs take", "/matmul", {**both, "into": z.id})
        refused(400, "#/into", "holds an operand", "/matmul", {**both, "into": x.id})
        refused(400, "#/into", "needs an answer in JSON", "/matmul", {**both, "into": z.id}, "-H", "Accept: application/x-npy")
        refused(400, "#/into", "respond-async", "/matmul", {**both, "into": z.id}, "-H", "Prefer: respond-async")
        refused(400, "#/into", "cannot be in a share", "/lu", {"a": x.of(), "into": z.id})
        refused(400, "#/into", "do not go together", "/matmul", {**both, "into": z.id, "store": "m"})
        assert c.post("/matmul", {**both, "into": "nobody"})[0] == 404
        assert '"into is not possible here"' in c.post("/pipelines", {"into": z.id, "a": x.of(), "steps": [{"op": "trace", "a": "@a", "as": "t"}]})[1]
        for target in "/shares", "/shares?bytes=0", "/shares?bytes=-1", "/shares?bytes=1x", "/shares?n=1", "/shares?bytes=1&bytes=2":
            assert c.ask(target, "-X", "POST")[0] == 400, target
        c.socket.close()
        until("no refusal keeps memory", lambda: c.metric('linalgd_host_memory_bytes{state="used"}') == 0)


@case()
def shares_count_against_their_limit_and_the_memory(d):
    with service(d.binary, "--share-memory", "1M", "--host-memory", "64M") as s, Client(s.path) as c:
        assert c.ask("/shares?bytes=1048577", "-X", "POST")[0] == 413
        assert c.ask("/shares?bytes=18446744073709551615", "-X", "POST")[0] == 413
        x = c.share(512 << 10)
        y = c.share(512 << 10)
        assert c.ask("/shares?bytes=1", "-X", "POST")[0] == 503
        assert c.metric("linalgd_shares") == 2 and c.metric("linalgd_share_bytes") == 1 << 20
        assert c.metric('linalgd_host_memory_bytes{state="used"}') == 1 << 20
        c.say("drop " + x.id)
        c.share(512 << 10)
        c.socket.close()
        with Client(s.path) as again:
            until("the shares are gone", lambda: again.metric("linalgd_shares") == 0)
            until("their pages are, too", lambda: set(y.memory[:]) == {0})
            until("nothing is used", lambda: again.metric('linalgd_host_memory_bytes{state="used"}') == 0)
            again.share(1 << 20)
    with service(d.binary, "--share-memory", "0") as s:
        assert not os.path.exists(s.path + ".share")
        done = subprocess.run(["curl", "-s", "--unix-socket", s.path, "-X", "POST", "http://localhost/shares?bytes=1"], capture_output=True)
        assert b"not-found" in done.stdout and b"shares no memory" in done.stdout, done


@case()
def what_nobody_claims_is_freed(d):
    with service(d.binary) as s, Client(s.path) as c:
        c.make(1)
        claimed = c.share(1)
        assert c.metric("linalgd_shares") == 2
        until("the one that was not claimed is gone", lambda: c.metric("linalgd_shares") == 1)
        assert c.post("/trace", {"a": claimed.of(4)})[0] == 200


@case()
def tokens_hold_for_shares(d):
    with tempfile.NamedTemporaryFile("w") as f:
        f.write("secret\n")
        f.flush()
        with service(d.binary, "--token-file", f.name) as s, Client(s.path) as c, Client(s.path, "-H", "Authorization: Bearer secret") as t:
            assert c.ask("/shares?bytes=1", "-X", "POST")[0] == 401
            x = t.share(1)
            assert c.post("/trace", {"a": x.of(4)})[0] == 401 and t.post("/trace", {"a": x.of(4)})[0] == 200


@case()
def a_share_is_its_tenants(d):
    with tempfile.NamedTemporaryFile("w") as f:
        f.write("atoken ann\nbtoken bob\n")
        f.flush()
        ann, bob = (("-H", f"Authorization: Bearer {t}") for t in ("atoken", "btoken"))
        with service(d.binary, "--token-file", f.name) as s, Client(s.path, *ann) as a, Client(s.path, *bob) as b:
            x = a.share(FLOATS)
            for body in ({"a": x.of(4)}, {"a": [[1]], "into": x.id}):
                status, text = b.post("/transpose", body)
                assert status == 404 and "no share of that id" in text, (status, text)
            assert b.ask("/matrices/m", "-X", "PUT", "--json", json.dumps({"matrix": x.of(4)}))[0] == 404
            assert a.post("/transpose", {"a": x.of(4)})[0] == 200


@case()
def a_client_that_leaves_while_its_job_runs_takes_nothing_with_it(d):
    n = 2048
    with service(d.binary) as s:
        with Client(s.path) as c:
            x, z = c.share(4 * n * n), c.share(4 * n * n)
            p = subprocess.Popen(["curl", "-s", "--unix-socket", s.path, "--json", json.dumps(
                {"a": x.of(n), "b": x.of(n), "into": z.id}), "http://localhost/matmul"], stdout=subprocess.PIPE)
            until("the job runs", lambda: p.poll() is not None or '"running"' in c.ask("/jobs")[1])
        out = p.communicate(timeout=120)[0]
        assert json.loads(out)["result"]["c"]["share"] == z.id, out
        with Client(s.path) as c:
            until("its memory is free", lambda: c.metric('linalgd_host_memory_bytes{state="used"}') == 0)
            assert "crashed" not in s.log() and c.metric('linalgd_device_healthy{device="0"}') == 1


@case()
def a_client_may_write_while_its_job_runs(d):
    """Whatever the elements become meanwhile, the service answers or refuses, and its worker lives. Operations that are
    led by elements work on a copy, so that their answer is that of one matrix."""
    ends = threading.Event()

    def scribble(x):
        values = [array.array("f", [v] * 1024).tobytes() for v in (0.0, 1.0, float("nan"), float("inf"), -7.5e30)]
        i = 0
        while not ends.is_set():
            at = (i * 4096) % FLOATS
            x.memory[at:at + 4096] = values[i % len(values)]
            i += 1

    with service(d.binary) as s, Client(s.path) as c:
        x, z = c.share(FLOATS), c.share(FLOATS)
        x.put(identity(1))
        before = [line for line in s.log().splitlines() if "is ready" in line]
        writer = threading.Thread(target=scribble, args=(x,))
        writer.start()
        try:
            for _ in range(3):
                for op, more in (("matmul", {"b": x.of(), "into": z.id}), ("lu", {}), ("transpose", {"into": z.id}), ("kron", {"b": [[1.5, 2]]}),
                                 ("reduce", {"op": "argmax"}), ("inverse", {}), ("qr", {}), ("norm", {"ord": 1}), ("permute", {
                                     "p": {"share": x.id, "shape": [N], "dtype": "int32"}})):
                    status, text = c.post("/" + op, {"a": x.of(), **more})
                    assert status in (200, 400, 422), (op, status, text)
        finally:
            ends.set()
            writer.join()
        assert [line for line in s.log().splitlines() if "is ready" in line] == before, s.log()


@case()
def what_a_client_maps_stays_when_the_service_ends(d):
    with service(d.binary) as s, Client(s.path) as c:
        x = c.share(FLOATS)
        x.put(range(N * N))
        s.process.terminate()
        s.process.wait(timeout=120)
        assert x.floats(8) == [float(i) for i in range(8)]
