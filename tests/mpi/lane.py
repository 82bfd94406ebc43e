"""lane.py - a daemon with processes of linalgd-mpi, and requests to it."""
import io
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from daemon import Daemon

EPS = {np.dtype(np.float32): 2.0 ** -24, np.dtype(np.float64): 2.0 ** -53}


def command(program, ranks):
    """Runs more processes than there are processors, even as root, as containers do."""
    as_root = "--allow-run-as-root " if os.geteuid() == 0 else ""
    return f"mpirun {as_root}--oversubscribe -n {ranks} {program}"


class Lane(Daemon):
    """with Lane(binary, program, ranks) as d: ..."""

    def __init__(self, binary, program, ranks, **settings):
        super().__init__(binary, "--mpi", command(program, ranks), "--access-log", "off", env=settings)
        self.ranks = ranks

    def sheet(self):
        return self.get("/devices")["devices"][-1]

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return json.load(answer)

    def wait_until_ready(self):
        self._until("be ready again", lambda: self.sheet()["healthy"])

    def post(self, path, operands, accept="application/json", headers=None, **query):
        """Returns the status and the answer: npz as a dict of arrays, or parsed JSON."""
        body = io.BytesIO()
        np.savez(body, **operands)
        text = "&".join(f"{key}={value}" for key, value in query.items())
        request = urllib.request.Request(f"{self.url}{path}?{text}", body.getvalue(),
                                         {"Content-Type": "application/x-npz", "Accept": accept, **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                data = answer.read()
                return answer.status, dict(np.load(io.BytesIO(data))) if accept.endswith("npz") else json.loads(data)
        except urllib.error.HTTPError as e:
            return e.code, json.load(e)

    def answer(self, path, operands, device="mpi", **query):
        """The arrays of the result and the quality, of a request that must succeed."""
        arrays = {}
        for accept in ("application/x-npz", "application/json"):
            status, answer = self.post(path, operands, accept, device=device, **query)
            assert status == 200, answer
            if accept.endswith("npz"):
                arrays = answer
        assert device != "mpi" or answer["device"]["index"] == self.sheet()["index"], answer["device"]
        return arrays, answer.get("quality", {})

    def processes(self):
        """The process numbers of all ranks."""
        lines = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout.splitlines()
        rows = [line.split(None, 2) for line in lines]
        front = {pid for pid, parent, _ in rows if parent == str(self.process.pid)}
        starters = {pid for pid, parent, _ in rows if parent in front}
        return [int(pid) for pid, parent, args in rows if parent in starters and "--front" in args]

    def kill_one(self, number):
        ranks = self.processes()
        assert len(ranks) == self.ranks, ranks
        os.kill(ranks[-1], number)


def norm1(a):
    return abs(a).sum(axis=0).max() if a.size else 0.0


def wide(a):
    return np.asarray(a, dtype=np.float64)


def runs(pid):
    """Does the process run? One that has ended may remain a zombie where process 1 does not reap orphans."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def are_gone(pids, seconds=20):
    """Have all these processes ended?"""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(runs(pid) for pid in pids):
            return True
        time.sleep(0.05)
    return False


SIGNALS = {"killed": signal.SIGKILL, "crashed": signal.SIGSEGV}
