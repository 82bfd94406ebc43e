"""case_call.py - `linalgd call`: operands of every kind, results in every format, errors, exit statuses, a terminal."""
import contextlib
import http.server
import json
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import threading
import time

import numpy as np
import scipy.io
import scipy.sparse

from client import ENDLESS, case, curl, finished, idle, jobs, until
from daemon import Daemon

A, B = np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(4, 2)


def call(d, *arguments, data=None, **environment):
    return subprocess.run([d.binary, "call", *arguments], input=data, capture_output=True, timeout=300,
                          env=dict(os.environ, LINALGD_URL=d.url, **environment))


def well(d, *arguments, data=None, **environment):
    done = call(d, *arguments, data=data, **environment)
    assert done.returncode == 0, done
    return done.stdout


def bad(d, status, word, *arguments, **more):
    done = call(d, *arguments, **more)
    error = done.stderr.decode()
    assert done.returncode == status and word in error and not done.stdout, done
    assert error.startswith("linalgd: ") and error.count("\n") == 1, error


@contextlib.contextmanager
def files():
    """Makes a directory with the operands a and b in every format, and makes it the working directory for the block."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="linalgd-call-") as home:
        os.chdir(home)
        try:
            np.save("a.npy", A)
            np.save("b.npy", B)
            np.savez("a.npz", a=A)
            scipy.sparse.save_npz("sparse.npz", scipy.sparse.csr_matrix(A))
            scipy.io.mmwrite("a.mtx", A)
            scipy.io.mmwrite("sparse.mtx", scipy.sparse.coo_matrix(A))
            with open("a.json", "w") as f:
                json.dump(A.tolist(), f)
            yield home
        finally:
            os.chdir(before)


@case()
def call_takes_operands_of_every_format(d):
    with files():
        for a in ("@a.npy", "@a.npz", "@sparse.npz", "@a.mtx", "@sparse.mtx", "@a.json", json.dumps(A.tolist())):
            well(d, "matmul", "a=" + a, "b=@b.npy", "-o", "c.npy")
            assert np.array_equal(np.load("c.npy"), A @ B), a
            os.unlink("c.npy")
        for name in ("a.npy", "a.npz", "a.mtx", "a.json"):
            with open(name, "rb") as f:
                well(d, "matmul", "a=@-", "b=@b.npy", "-oc.npy", data=f.read())
            assert np.array_equal(np.load("c.npy"), A @ B), name
        well(d, "transpose", "a=generate:hilbert:3x4", "--output=t.npy", "dtype=float32")
        t = np.load("t.npy")
        assert t.shape == (4, 3) and t.dtype == np.float32 and t[1, 1] == np.float32(1 / 3)
        one, other = (well(d, "transpose", f"a=generate:random:3x4:seed={s}", "-o", "-") for s in (1, 2))
        assert one != other
        stored = ["curl", "-s", "-T", "a.npy", "-H", "Content-Type: application/x-npy", d.url + "/matrices/call-a"]
        assert subprocess.run(stored).returncode == 0
        well(d, "matmul", "a=ref:call-a", "b=@b.npy", "-o", "c.npy")
        assert np.array_equal(np.load("c.npy"), A @ B)


@case()
def call_writes_results_of_every_format(d):
    with files():
        m = np.array([[4.0, 1.0], [1.0, 3.0]])
        matrix = "a=" + json.dumps(m.tolist())
        well(d, "inverse", matrix, "-o", "x.mtx")
        assert np.allclose(scipy.io.mmread("x.mtx") @ m, np.eye(2))
        well(d, "lu", matrix, "return=p,l,u", "-o", "x.npz")
        x = np.load("x.npz")
        assert sorted(x) == ["l", "p", "u"] and np.allclose(x["l"] @ x["u"], m[x["p"]])
        well(d, "lu", matrix, "-o", "x.json")
        with open("x.json") as f:
            assert json.load(f)["result"]["sign"] == 1
        well(d, "inverse", matrix, "-o", "y", "--format", "npy")
        well(d, "inverse", matrix, "-o", "y.bin")
        assert np.fromfile("y.bin").tolist() == np.load("y").ravel().tolist()
        piped = well(d, "matmul", "a=-", "b=@a.npy", data=well(d, "transpose", "a=@a.npy", "-o", "-"))
        assert piped.split(b"\n")[0] == b"c  4x4"
        well(d, "inverse", matrix, "-o", "/dev/null", "--format", "npy")
        bad(d, 2, "nowhere", "inverse", matrix, "-o", "nowhere/x.npy")
        assert sorted(os.listdir("."))[-2:] == ["y", "y.bin"] and not [n for n in os.listdir(".") if "part" in n]


@case()
def call_prints_results_as_text(d):
    out = well(d, "matmul", "a=[[1,2],[3,4]]", "b=[[0.5],[-1]]").decode()
    assert out == "c  2x1\n   -1.5\n   -2.5\n", out
    out = well(d, "eigen", "a=[[0,1],[-1,0]]", "which=all", "return=eigenvalues").decode()
    assert out.splitlines()[:2] == ["eigenvalues  2", "   0+1i  0-1i"], out
    out = well(d, "lu", "a=[[2,1],[1,1]]").decode()
    for line in ("lu  2x2", "pivots  2", "singular  false", "sign  1"):
        assert line in out.splitlines(), out
    assert re.search(r"^quality  residual \d", out, re.M), out
    out = well(d, "transpose", "a=generate:ramp:100x50").decode()
    assert out.startswith("a  50x100\n") and out.count("\n") == 8 and out.count("...") == 7 and "4999" in out, out
    out = well(d, "reduce", "a=generate:ones:4x30", "axis=0").decode()
    assert out.startswith("values  30\n") and out.count("4") == 30 and max(map(len, out.splitlines())) <= 78, out
    out = well(d, "transpose", "a=[[[1,2]],[[3,4]]]").decode()
    assert out == "a  2x2x1\n   1\n   2\n\n   3\n   4\n", out


@case()
def call_says_what_is_wrong_before_it_asks(d):
    with files():
        before = len(jobs(d, "failed"))
        bad(d, 2, "did you mean matmul?", "matmull", "a=[[1]]")
        bad(d, 2, "did you mean axis?", "reduce", "a=[[1]]", "axs=1")
        bad(d, 2, "did you mean which?", "eigen", "a=[[1]]", "wich=all")
        bad(d, 2, "did you mean largest-real?", "eigen", "a=[[1]]", "which=largestreal")
        bad(d, 2, "at least 1", "eigen", "a=[[1]]", "k=0")
        bad(d, 2, "greater than 0", "eigen", "a=[[1]]", "tol=0")
        bad(d, 2, "must be an integer", "eigen", "a=[[1]]", "k=1.5")
        bad(d, 2, "must be a number", "eigen", "a=[[1]]", "tol=small")
        bad(d, 2, "one of true, false", "qr", "a=[[1]]", "pivot=maybe")
        bad(d, 2, "did you mean pivots?", "lu", "a=[[1]]", "return=lu,pivot")
        bad(d, 2, "did you mean blocked?", "lu", "a=[[1]]", "variant=blockd")
        bad(d, 2, "from 0 to 9", "lu", "a=[[1]]", "priority=10")
        bad(d, 2, "matmul needs operand b", "matmul", "a=[[1]]")
        bad(d, 2, "a is given twice", "lu", "a=[[1]]", "a=[[2]]")
        bad(d, 2, "must be NAME=VALUE", "lu", "a.npy")
        bad(d, 2, "did you mean the file, with @?", "lu", "a=a.npy")
        bad(d, 2, "No such file", "lu", "a=@nothing.npy")
        bad(d, 2, "is a directory", "lu", "a=@.")
        bad(d, 2, "character 4", "lu", "a=[[1,")
        bad(d, 2, "generate:hilbert:4x4", "lu", "a=generate:hilbert")
        bad(d, 2, "extension", "lu", "a=[[1]]", "-o", "x.foo")
        bad(d, 2, "did you mean --timing?", "lu", "a=[[1]]", "--timin")
        bad(d, 2, "which operation?")
        bad(d, 2, "unix:/", "lu", "a=[[1]]", "--url", "localhost:8080")
        assert len(jobs(d, "failed")) == before
        assert not os.path.exists("x.foo")


@case()
def call_tells_refusals_and_missing_services_apart(d):
    with files():
        bad(d, 1, "Singular matrix: solve: matrix is singular", "solve", "a=[[1,2],[2,4]]", "b=[1,2]", "-o", "x.npy")
        bad(d, 1, "Impossible shapes", "matmul", "a=@a.npy", "b=@a.npy")
        assert not os.path.exists("x.npy")
        bad(d, 3, "127.0.0.1:1", "lu", "a=[[1]]", "--url", "http://127.0.0.1:1")
        bad(d, 3, "unix:/nowhere", "lu", "a=[[1]]", "--unix", "/nowhere")
        bad(d, 3, "no linalgd", "lu", "a=[[1]]", "--url", d.url + "/version#")


@case()
def call_has_help_of_its_own_and_of_operations(d):
    for arguments in (("--help",), ("-h",)):
        out = well(d, *arguments).decode()
        for word in ("--unix PATH", "LINALGD_URL", "NAME=generate:KIND", "--timing"):
            assert word in out, out
    assert subprocess.run([d.binary, "help", "call"], capture_output=True).stdout == well(d, "--help")
    out = well(d, "qr", "--help").decode()
    for word in ("qr: ", "operands\n  a\n", "pivot", "One of thin, complete", "(default \"thin\")", "quality", "outputs\n  q\n"):
        assert word in out, (word, out)
    bad(d, 2, "did you mean qr?", "qrr", "--help")
    assert well(d, "--version").startswith(b"linalgd ")


@case()
def call_prints_times(d):
    done = call(d, "lu", "a=generate:spd:50x50", "--timing", "-o", "-")
    error = done.stderr.decode()
    assert done.returncode == 0 and done.stdout.startswith(b"\x93NUMPY"), done
    assert re.search(r"^compute +\d+\.\d+ ms$", error, re.M) and re.search(r"^  lu_\w+ .* calls  \w+", error, re.M), error


@case()
def call_sends_tokens_and_speaks_over_unix_sockets(d):
    with files() as home:
        path = os.path.join(home, "s.sock")
        with open("tokens", "w") as f:
            f.write("secret somebody\n")
        with Daemon(d.binary, "--token-file", "tokens", "--listen", "unix:" + path) as s:
            bad(s, 1, "Token missing", "lu", "a=[[1]]")
            well(s, "lu", "a=[[1]]", "--token-file", "tokens")
            well(s, "lu", "a=[[1]]", LINALGD_TOKEN="secret")
            bad(s, 1, "Token missing", "lu", "a=[[1]]", LINALGD_TOKEN="wrong")
            well(s, "matmul", "a=@a.npy", "b=@b.npy", "-oc.npy", "--unix", path, LINALGD_TOKEN="secret")
            assert np.array_equal(np.load("c.npy"), A @ B)
            assert "lu" in well(s, "lu", "a=[[1]]", "--url", "unix:" + path, LINALGD_TOKEN="secret").decode()
            bad(s, 2, "No such file", "lu", "a=[[1]]", "--token-file", "nothing")


@case()
def call_takes_an_address_with_a_slash_at_its_end(d):
    for slashes in ("/", "//"):
        assert well(d, "trace", "a=[[3]]", "--url", d.url + slashes) == b"trace  3\n"


@case()
def call_reads_one_operand_from_standard_input(d):
    with files():
        with open("a.npy", "rb") as f:
            data = f.read()
        for one, other in (("-", "-"), ("-", "@-"), ("@-", "@-")):
            bad(d, 2, "only one operand", "matmul", "a=" + one, "b=" + other, data=data)
        bad(d, 2, "standard input is empty", "lu", "a=-", data=b"")
        done = subprocess.run([d.binary, "call", "lu", "a=@a.npy", "-o", "-"], stdout=open("/dev/full", "w"), stderr=subprocess.PIPE,
                              env=dict(os.environ, LINALGD_URL=d.url))
        assert done.returncode == 2 and done.stderr.count(b"\n") == 1, done


@case()
def call_reads_operands_from_pipes(d):
    """A named pipe, or what a shell makes of <(command): its length is not known before, and /dev/fd/63 has no extension."""
    def pipe(path, data):
        def write():
            with open(path, "wb") as f:
                f.write(data)
        os.mkfifo(path)
        threading.Thread(target=write, daemon=True).start()

    with files():
        with open("a.npy", "rb") as f:
            pipe("first", f.read())
        pipe("second.json", json.dumps(B.tolist()).encode())
        well(d, "matmul", "a=@first", "b=@second.json", "-o", "c.npy")
        assert np.array_equal(np.load("c.npy"), A @ B)
        pipe("third", b"[[7]]")
        assert well(d, "trace", "a=@third") == b"trace  7\n"
        pipe("fourth", b"")
        bad(d, 2, "a=@fourth is empty", "lu", "a=@fourth")
        bad(d, 2, "a=@/dev/null is empty", "lu", "a=@/dev/null")


class Storing(http.server.BaseHTTPRequestHandler):
    """A stand-in for the service: it has the operations of a real one, and replies that it has stored every output."""
    sheet = b""

    def reply(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.reply(200, self.sheet)

    def do_POST(self):
        assert b'name="store"' in self.rfile.read(int(self.headers["Content-Length"]))
        self.reply(204, b"")

    def log_message(self, *_):
        pass


@case()
def call_tells_when_every_output_is_stored(d):
    Storing.sheet = curl(d, "/ops").body
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Storing) as s, files():
        threading.Thread(target=s.serve_forever, daemon=True).start()
        done = call(d, "matmul", "a=@a.npy", "b=@b.npy", "store=c", "-o", "c.npy", "--url", f"http://127.0.0.1:{s.server_port}")
        s.shutdown()
        assert done.returncode == 0 and b"stored" in done.stderr and not os.path.exists("c.npy"), done


class Stranger(http.server.BaseHTTPRequestHandler):
    """Another service: it replies 200 to everything."""
    body = b""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_):
        pass


def devices(d, *arguments, **environment):
    return subprocess.run([d.binary, "devices", *arguments], capture_output=True, timeout=300, env=dict(os.environ, **environment))


def no_devices(d, status, word, *arguments, **environment):
    done = devices(d, *arguments, **environment)
    error = done.stderr.decode()
    assert done.returncode == status and word in error and not done.stdout, done
    assert error.startswith("linalgd: ") and error.count("\n") == 1, error


@case()
def devices_of_a_service_are_listed_as_those_of_this_machine(d):
    until("the device is healthy", lambda: all(s["healthy"] for s in curl(d, "/devices").json()["devices"]))
    here, there = devices(d), devices(d, "--url", d.url + "/")
    assert there.returncode == 0 and there.stdout and there.stdout == here.stdout, (here, there)
    asis = devices(d, "--url", d.url, "--json")
    assert asis.returncode == 0 and asis.stdout == curl(d, "/devices").body + b"\n", asis
    assert devices(d, LINALGD_URL="http://127.0.0.1:1").stdout == here.stdout
    with open("/dev/full", "w") as full:
        done = subprocess.run([d.binary, "devices", "--url", d.url], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1 and b"No space left" in done.stderr, done


@case()
def devices_of_a_service_that_is_none_are_an_error(d):
    no_devices(d, 3, "127.0.0.1:1", "--url", "http://127.0.0.1:1")
    no_devices(d, 3, "unix:/nowhere", "--unix", "/nowhere")
    no_devices(d, 2, "must begin with", "--url", "localhost:8080")
    no_devices(d, 1, "Not found", "--url", d.url + "/version")
    no_devices(d, 2, "--measure", "--url", d.url, "--measure")
    no_devices(d, 2, "--url or --unix", "--token-file", "/nowhere")
    no_devices(d, 2, "No such file", "--url", d.url, "--token-file", "/nowhere")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as s:
        threading.Thread(target=s.serve_forever, daemon=True).start()
        for Stranger.body in (b"", b"hello", b"[]", b'{"devices": 1}'):
            for more in ((), ("--json",)):
                no_devices(d, 3, "is no linalgd", "--url", f"http://127.0.0.1:{s.server_port}", *more)
        Stranger.body = b'{"devices": [{"name": "a\\u001b[31mb", "index": -1, "subgroup_sizes": [1,2,3,4,5,6,7,8,9]}, 3]}'
        done = devices(d, "--url", f"http://127.0.0.1:{s.server_port}")
        assert done.returncode == 0 and b"0  other  a?[31mb\n" in done.stdout, done
        s.shutdown()


@case()
def devices_of_a_service_need_its_token(d):
    with files() as home:
        path = os.path.join(home, "s.sock")
        with open("tokens", "w") as f:
            f.write("secret somebody\n")
        with Daemon(d.binary, "--token-file", "tokens", "--listen", "unix:" + path) as s:
            no_devices(s, 1, "Token missing", "--url", s.url)
            no_devices(s, 1, "Token missing", "--url", s.url, LINALGD_TOKEN="wrong")
            for arguments in (("--url", s.url), ("--unix", path), ("--url", "unix:" + path)):
                done = devices(s, *arguments, LINALGD_TOKEN="secret")
                assert done.returncode == 0 and b"compute units" in done.stdout, done
            assert devices(s, "--url", s.url, "--token-file", "tokens").returncode == 0


class Terminal:
    """linalgd call, with a terminal as its standard error."""

    def __init__(self, d, *arguments):
        self.terminal, side = pty.openpty()
        self.process = subprocess.Popen([d.binary, "call", *arguments], stderr=side, stdout=subprocess.PIPE,
                                        env=dict(os.environ, LINALGD_URL=d.url))
        os.close(side)
        self.shown = b""

    def read(self):
        """Reads the bytes that the terminal has shown so far."""
        while select.select([self.terminal], [], [], 0)[0]:
            try:
                piece = os.read(self.terminal, 4096)
            except OSError:             # the process has ended
                return self.shown
            if not piece:
                return self.shown
            self.shown += piece
        return self.shown

    def end(self):
        out = self.process.communicate(timeout=120)[0]
        self.read()
        os.close(self.terminal)
        return out


def endless():
    return [f"{k}={json.dumps(v)}" for k, v in ENDLESS.items()]


@case()
def call_shows_progress_on_a_terminal_and_fetches_the_result(d):
    t = Terminal(d, "matmul", "a=[[2]]", "b=[[3]]")
    assert t.end() == b"c  1x1\n   6\n" and t.process.returncode == 0, t.shown
    t = Terminal(d, "solve", "a=[[1,2],[2,4]]", "b=[1,2]")
    assert t.end() == b"" and t.process.returncode == 1 and b"Singular matrix" in t.shown, t.shown
    t = Terminal(d, "jacobi", *endless(), "timeout_ms=3000")
    until("a bar is drawn", lambda: b"running" in t.read())
    t.end()
    assert t.process.returncode == 1 and b"%" in t.shown and b"Timed out" in t.shown, t.shown
    t = Terminal(d, "jacobi", *endless(), "timeout_ms=1000", "--quiet")
    t.end()
    assert b"running" not in t.shown and b"Timed out" in t.shown, t.shown


class Late(Storing):
    """A stand-in that accepts a job, and sends its reply half a second later."""
    accepting, dismissed = threading.Event(), []

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.accepting.set()
        time.sleep(0.5)
        self.send_response(202)
        self.send_header("Linalgd-Job", "6" * 32)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def do_DELETE(self):
        self.dismissed.append(self.path)
        self.send_response(204)
        self.end_headers()


@case()
def call_dismisses_a_job_of_which_it_hears_after_the_signal(d):
    Storing.sheet = curl(d, "/ops").body
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Late) as s:
        threading.Thread(target=s.serve_forever, daemon=True).start()
        t = Terminal(d, "matmul", "a=[[2]]", "b=[[3]]", "--url", f"http://127.0.0.1:{s.server_port}")
        assert Late.accepting.wait(60)
        t.process.send_signal(signal.SIGINT)
        t.end()
        s.shutdown()
    assert t.process.returncode == -signal.SIGINT and Late.dismissed == ["/jobs/" + "6" * 32], (Late.dismissed, t.shown)


@case()
def call_dismisses_its_job_when_it_is_interrupted(d):
    idle(d)
    for number in (signal.SIGINT, signal.SIGTERM):
        t = Terminal(d, "jacobi", *endless())
        at = until("the job runs", lambda: jobs(d, "running"))[0]["id"]
        t.process.send_signal(number)
        t.end()
        assert t.process.returncode == -number, (t.process.returncode, t.shown)
        assert finished(d, "/jobs/" + at)["status"] == "dismissed" and at.encode() in t.shown, t.shown
    p = subprocess.Popen([d.binary, "call", "jacobi", *endless()], env=dict(os.environ, LINALGD_URL=d.url), stderr=subprocess.PIPE)
    until("the job runs", lambda: jobs(d, "running"))
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=120)
    assert p.returncode == -signal.SIGINT
    idle(d)
