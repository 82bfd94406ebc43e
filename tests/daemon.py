"""daemon.py - a daemon of one's own, on a free port, in a fresh state directory."""
import contextlib
import fcntl
import glob
import itertools
import multiprocessing
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request


NOTES = "linalgd-launched"
CACHES = os.path.abspath(os.path.join(os.environ.get("B", "build"), "cache"))


def copy(source, target):
    """A link takes neither time nor space. The list of kernels must not be one, because it grows in place."""
    try:
        if os.path.basename(source) != NOTES:
            return os.link(source, target)
    except OSError:                     # another file system
        pass
    shutil.copy2(source, target)


def add_missing(source, target):
    """Copies the files that the target lacks. Another process may be using the source: PoCL writes each file under another name first, and
    renames it when it is complete."""
    os.makedirs(target, exist_ok=True)
    for entry in os.scandir(source):
        own = os.path.join(target, entry.name)
        with contextlib.suppress(FileNotFoundError):
            if entry.is_dir():
                add_missing(entry.path, own)
            elif not entry.name.startswith("tempfile") and not os.path.exists(own):
                copy(entry.path, own)


def seed(cache, device=0):
    """Gives the cache of a device's worker what the tests of operations and other workers have compiled since it was last given anything, so
    that nothing waits for the same kernels again. linalgd-launched grows with each kernel that is compiled."""
    own = os.path.join(cache, f"pocl-{device}")
    seeded = os.path.join(cache, f"seeded-{device}")
    before = os.path.getmtime(seeded) if os.path.exists(seeded) else 0
    with open(seeded, "w"):
        pass
    for notes in glob.glob(os.path.join(CACHES, "tests*", NOTES)) + glob.glob(os.path.join(CACHES, "daemon", "*", "pocl-*", NOTES)):
        if os.path.dirname(notes) != own and os.path.getmtime(notes) > before:
            add_missing(os.path.dirname(notes), own)


def take_cache(devices=1):
    """A cache of kernels that is kept for the next daemon, and that is this one's alone
    while the file is open, because PoCL's cache may be used by one process only."""
    for i in itertools.count():
        path = os.path.join(CACHES, "daemon", str(i))
        os.makedirs(path, exist_ok=True)
        lock = open(os.path.join(path, "lock"), "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for device in range(devices):
                seed(path, device)
            return path, lock
        except BlockingIOError:
            lock.close()


def interrupt(*_):
    raise KeyboardInterrupt


# So that the tests that are ended by SIGTERM leave nothing running, as after a terminal's interrupt. It is not SystemExit, which
# says that a daemon did not start. Processes that multiprocessing forks inherit the handler; those that it spawns start no daemons.
if multiprocessing.parent_process() is None:
    signal.signal(signal.SIGTERM, interrupt)


@contextlib.contextmanager
def uninterrupted():
    """Handles the signals that come meanwhile at the end. An exception within Popen() would lose the process that it has started."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = []
    before = {n: signal.signal(n, lambda number, _: came.append(number)) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came:
            os.kill(os.getpid(), number)


class Daemon:
    """with Daemon("build/linalgd") as d: ... d.url, d.port, d.process

    Unless the options say --compile-ahead on, it compiles only what its requests need."""

    def __init__(self, binary, *options, wait=300, env=None):
        self.binary, self.options, self.wait = binary, options, wait
        self.env = {**os.environ, "LINALGD_COMPILE_AHEAD": "off", **(env or {})}

    def __enter__(self):
        self.state = tempfile.mkdtemp(prefix="linalgd-test-")
        self.log_path = os.path.join(self.state, "log")
        self.cache, self.cache_lock = take_cache(len(self.env.get("POCL_DEVICES", "pthread").split()))
        self.process = None
        try:
            with uninterrupted(), open(self.log_path, "w") as log:
                self.process = subprocess.Popen(
                    [self.binary, "serve", "--listen", "127.0.0.1:0", "--device", "cpu",
                     "--state", self.state, "--cache", self.cache, *self.options],
                    stdout=log, stderr=log, env=self.env)
            self.port = self._port()
            self.url = f"http://127.0.0.1:{self.port}"
            self._ready()
        except KeyboardInterrupt:
            if self.process:
                self.process.kill()
                self.__exit__(None)
            raise
        return self

    def _until(self, what, ask):
        end = time.monotonic() + self.wait
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise SystemExit(f"the daemon ended: {self.log()}")
            answer = ask()
            if answer:
                return answer
            time.sleep(0.02)
        raise SystemExit(f"the daemon did not {what} within {self.wait} s: {self.log()}")

    def _port(self):
        """Takes the address from the line that the daemon logs: ... listening on 127.0.0.1:PORT"""
        def ask():
            for line in self.log().splitlines(keepends=True):
                if "listening on 127.0.0.1:" in line and line.endswith("\n"):
                    return int("".join(c for c in line.split("127.0.0.1:")[1][:5] if c.isdigit()))
        return self._until("listen", ask)

    def _ready(self):
        def ask():
            try:
                return urllib.request.urlopen(self.url + "/readyz", timeout=10).status == 200
            except (OSError, urllib.error.HTTPError):
                return False
        self._until("get ready", ask)

    def log(self):
        with open(self.log_path) as f:
            return f.read()

    def stop(self, seconds=120):
        """Sends SIGTERM; returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def __exit__(self, kind, *_):
        try:
            self.stop()
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.cache_lock.close()
        if kind:
            print(self.log()[-4000:])
        shutil.rmtree(self.state, ignore_errors=True)
