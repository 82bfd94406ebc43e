"""case_unix.py - Unix sockets in addition to an address, and instead of one."""
import contextlib
import os
import signal
import socket
import stat
import subprocess
import tempfile

from client import case, curl, until
from daemon import Daemon


@contextlib.contextmanager
def directory():
    with tempfile.TemporaryDirectory(prefix="linalgd-unix-") as d:
        yield d


def ask(path, target="/version", *arguments):
    done = subprocess.run(["curl", "-s", "--max-time", "60", "--unix-socket", path, *arguments, "http://localhost" + target],
                          capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else f"curl ended with {done.returncode}"


def start(d, path):
    """Starts a daemon that listens only on that socket."""
    p = subprocess.Popen([d.binary, "serve", "--listen", "unix:" + path, "--device", "cpu", "--cache", d.cache],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    until("it answers", lambda: p.poll() is not None or "linalgd" in ask(path))
    return p


def end(p, how=signal.SIGTERM):
    p.send_signal(how)
    return p.communicate(timeout=120)[1]


@case()
def a_unix_socket_serves_beside_the_address(d):
    with directory() as home:
        path = os.path.join(home, "s.sock")
        with Daemon(d.binary, "--listen", "unix:" + path) as s:
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o660, oct(os.stat(path).st_mode)
            assert '"c":[[6]]' in ask(path, "/matmul", "--json", '{"a":[[2]],"b":[[3]]}')
            assert '"c":[[6]]' in curl(s, "/matmul", "--json", '{"a":[[2]],"b":[[3]]}').body.decode()
            assert "listening on unix:" + path in s.log() and "client=unix" in s.log(), s.log()
            assert "unknown-host" in ask(path, "/version", "-H", "Host: evil.example")
        assert not os.path.exists(path)


@case()
def a_unix_socket_serves_many_connections_at_once(d):
    with directory() as home:
        path = os.path.join(home, "s.sock")
        with Daemon(d.binary, "--listen", "unix:" + path):
            with contextlib.ExitStack() as stack:
                every = []
                for _ in range(200):
                    c = stack.enter_context(socket.socket(socket.AF_UNIX))
                    c.settimeout(60)
                    c.connect(path)
                    c.sendall(b"GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    every.append(c)
                for c in every:
                    assert c.recv(4096).startswith(b"HTTP/1.1 200")


@case()
def a_socket_that_nobody_listens_on_is_replaced_and_no_other_file(d):
    with directory() as home:
        path = os.path.join(home, "s.sock")
        p = start(d, path)
        assert "Address already in use" in subprocess.run(
            [d.binary, "serve", "--device", "cpu", "--listen", "unix:" + path], capture_output=True, text=True).stderr
        assert "linalgd" in ask(path)
        end(p, signal.SIGKILL)
        assert os.path.exists(path)
        p = start(d, path)
        assert "linalgd" in ask(path)
        end(p)
        assert p.returncode == 0 and not os.path.exists(path)
        with open(path, "w") as f:
            f.write("kept")
        done = subprocess.run([d.binary, "serve", "--listen", "unix:" + path], capture_output=True, text=True)
        assert done.returncode == 1 and path in done.stderr, done
        with open(path) as f:
            assert f.read() == "kept"


@case()
def what_listen_says_of_paths_is_checked(d):
    def refused(status, word, *arguments):
        done = subprocess.run([d.binary, "serve", "--device", "cpu", *arguments], capture_output=True, text=True)
        assert done.returncode == status and word in done.stderr, done
    refused(1, "1 to 107 bytes", "--listen", "unix:")
    refused(1, "1 to 107 bytes", "--listen", "unix:/tmp/" + 110 * "x")
    refused(2, "--listen has no address", "--listen", "unix:/tmp/x", "--port", "1")
    with directory() as home:
        path = os.path.join(home, "s.sock")
        refused(2, "no token is set", "--listen", "unix:" + path, "--listen", "0.0.0.0:0")
        assert not os.path.exists(path)


@case()
def systemd_may_pass_a_unix_socket_and_an_address(d):
    with directory() as home:
        path = os.path.join(home, "s.sock")
        with socket.create_server(("127.0.0.1", 0)) as first, socket.socket(socket.AF_UNIX) as second:
            second.bind(path)
            second.listen()

            def pass_both():
                a, b = os.dup(first.fileno()), os.dup(second.fileno())
                os.dup2(a, 3)
                os.dup2(b, 4)

            p = subprocess.Popen(["sh", "-c", 'LISTEN_PID=$$ LISTEN_FDS=2 exec "$0" serve --device cpu "$@"', d.binary,
                                  "--cache", d.cache], preexec_fn=pass_both, close_fds=False, stderr=subprocess.PIPE, text=True)
            assert "linalgd" in ask(path)
            url = f"http://127.0.0.1:{first.getsockname()[1]}/version"
            assert b"linalgd" in subprocess.run(["curl", "-s", url], capture_output=True).stdout
            end(p)
            assert p.returncode == 0 and os.path.exists(path)       # systemd owns the file: linalgd must not remove it
