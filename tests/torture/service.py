"""service.py - a daemon that is killed and started again, while its listening socket stays open.

The socket is held here and given to each process by LISTEN_FDS, as systemd's
socket activation does, so that no client is ever refused: a connection that
comes while no daemon runs waits for the next one.
"""
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from daemon import take_cache

# LISTEN_PID must be the daemon's own process, so a shell sets it and becomes the daemon.
START = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@" 3<&0 </dev/null'


def lives(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def children(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as f:
                found += [int(p) for p in f.read().split()]
    except OSError:
        pass
    return found


def send_signal(pid, number):
    try:
        os.kill(pid, number)
        return True
    except ProcessLookupError:
        return False


class Service:
    """with Service("build/linalgd") as s: s.start() ... s.kill() ... s.start()"""

    def __init__(self, binary, *options, env=None):
        self.binary, self.options = os.path.abspath(binary), options
        self.env = dict(os.environ, **(env or {}))
        self.process = None
        self.orphans = set()            # workers of a front that was killed
        self.ready_s = []               # how long each start took to be ready

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="linalgd-torture-")
        self.state = os.path.join(self.directory, "state")
        self.log_path = os.path.join(self.directory, "log")
        os.mkdir(self.state, 0o700)
        self.cache, self.cache_lock = take_cache()
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def start(self):
        self.begun, self.was_ready = time.monotonic(), False
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", START, self.binary, "serve", "--device", "cpu", "--access-log", "errors",
                 "--state", self.state, "--cache", self.cache, *self.options],
                stdin=self.socket, stdout=log, stderr=log, env=self.env)

    def asks(self, path, seconds=10):
        """The status of GET path; 0 if nobody answers in time."""
        try:
            return urllib.request.urlopen(self.url + path, timeout=seconds).status
        except urllib.error.HTTPError as e:
            return e.code
        except OSError:
            return 0

    def until_ready(self, seconds=120):
        """Whether it gets ready in time; it is not if it ends instead."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if self.asks("/readyz") == 200:
                if not self.was_ready:
                    self.ready_s.append(time.monotonic() - self.begun)
                self.was_ready = True
                return True
            time.sleep(0.02)
        return False

    def workers(self):
        return children(self.process.pid)

    def kill(self):
        """SIGKILL to the front."""
        self.orphans |= set(self.workers())
        self.process.kill()
        self.process.wait()

    def outlived(self, seconds=20):
        """The workers that live on after their front was killed."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and any(map(lives, self.orphans)):
            time.sleep(0.05)
        return [p for p in self.orphans if lives(p)]

    def terminate(self, seconds=120):
        """SIGTERM; returns the exit status, None if it had to be killed."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def log(self):
        with open(self.log_path, errors="replace") as f:
            return f.read()

    def __exit__(self, kind, *_):
        if self.process and self.process.poll() is None:
            self.terminate()
        self.socket.close()
        self.cache_lock.close()
        if os.environ.get("TORTURE_KEEP"):
            print(f"kept: {self.directory}")
        else:
            shutil.rmtree(self.directory, ignore_errors=True)
