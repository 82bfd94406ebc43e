"""case_signals.py - the programs that run tests: on a signal they end in time, and leave nothing running."""
import os
import signal
import subprocess
import sys
import tempfile
import time

from client import case, stat, until

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")

# A layer, with two processes in the background, of which one ignores SIGTERM; and a daemon that never gets ready.
LAYER = """#!/bin/sh
sh -c 'echo $$ >>{pids}; exec sleep 600' &
sh -c 'trap "" TERM; echo $$ >>{pids}; while :; do sleep 0.2; done' &
echo $$ >>{pids}
wait
"""

DAEMON = """#!/bin/sh
echo $$ >>{pids}
exec sleep 600
"""

# Starts a daemon by daemon.py; the signal comes when its process runs and Popen() has not returned.
INTERRUPTED = """
import os, signal, subprocess, sys
sys.path.insert(0, sys.argv[1])
import daemon

class Popen(subprocess.Popen):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        while not os.path.exists(sys.argv[3]):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

daemon.subprocess.Popen = Popen
daemon.Daemon(sys.argv[2]).__enter__()
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, 0o755)


def numbers(path):
    if not os.path.exists(path):
        return []
    with open(path) as f:
        return [int(line) for line in f]


def ends(command, pids, count, number, seconds, **environment):
    """Starts the command, sends it the signal once that many processes run, and returns its status; all of them must have ended."""
    p = subprocess.Popen(command, env=dict(os.environ, **environment), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         start_new_session=True)
    try:
        until("it runs", lambda: len(numbers(pids)) == count)
        begun = time.monotonic()
        p.send_signal(number)
        status = p.wait(seconds)
        assert time.monotonic() - begun < seconds
        until("nothing is left", lambda: all(stat(pid)[0] == "Z" for pid in numbers(pids)))
    finally:
        for pid in [p.pid, *numbers(pids)]:
            if stat(pid)[0] != "Z":
                os.kill(pid, signal.SIGKILL)
        p.wait()
    return status


@case()
def a_signal_ends_every_layer_of_the_tests(_):
    for number, status in (signal.SIGINT, 130), (signal.SIGTERM, 143):
        with tempfile.TemporaryDirectory() as b:
            pids = os.path.join(b, "pids")
            write(os.path.join(b, "test-unit"), LAYER.format(pids=pids))
            assert ends(["sh", os.path.join(TESTS, "run"), "unit"], pids, 3, number, 30, B=b) == status


@case()
def a_signal_ends_the_tests_of_faults_while_a_daemon_starts(_):
    with tempfile.TemporaryDirectory() as b:
        pids = os.path.join(b, "pids")
        write(os.path.join(b, "faulty", "linalgd"), DAEMON.format(pids=pids))
        command = [sys.executable, os.path.join(TESTS, "faults", "run"), b, "1", "start"]
        assert ends(command, pids, 1, signal.SIGTERM, 30, B=b) != 0


@case()
def a_signal_while_a_daemon_is_started_does_not_lose_it(_):
    with tempfile.TemporaryDirectory() as b:
        pids, binary = os.path.join(b, "pids"), os.path.join(b, "linalgd")
        write(binary, DAEMON.format(pids=pids))
        done = subprocess.run([sys.executable, "-c", INTERRUPTED, TESTS, binary, pids], capture_output=True, text=True, timeout=30,
                              env=dict(os.environ, B=b))
        try:
            assert "KeyboardInterrupt" in done.stderr, done.stderr
            assert [stat(pid)[0] for pid in numbers(pids)] == ["Z"]
        finally:
            for pid in numbers(pids):
                if stat(pid)[0] != "Z":
                    os.kill(pid, signal.SIGKILL)
