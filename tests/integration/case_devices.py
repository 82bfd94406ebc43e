"""case_devices.py - several devices at once: PoCL shows two of the one processor."""
import os
import signal
import subprocess
import threading

from client import case, curl, post, until
from daemon import Daemon

TWO = {"POCL_DEVICES": "pthread basic"}


def sheet(d):
    return curl(d, "/devices").json()["devices"]


def both_healthy(d):
    return all(s["healthy"] for s in sheet(d)) and sheet(d)


def ran_on(d, **wanted):
    return post(d, "/matmul", dict({"a": [[2]], "b": [[3]]}, **wanted)).json()["device"]["index"]


@case()
def a_request_picks_its_device(d):
    with Daemon(d.binary, env=TWO) as two:
        devices = until("both devices are healthy", lambda: both_healthy(two))
        assert [s["index"] for s in devices] == [0, 1], devices
        for s in devices:
            assert ran_on(two, device=s["index"]) == s["index"]
            assert ran_on(two, device=s["name"].split("-")[0]) == s["index"]
        post(two, "/matmul", {"a": [[2]], "b": [[3]], "device": 2}).problem(400, "device 2")


@case()
def jobs_are_spread_over_the_idle_devices(d):
    with Daemon(d.binary, env=TWO) as two:
        until("both devices are healthy", lambda: both_healthy(two))
        m = {"generate": "random", "shape": [700, 700]}
        used = []
        asks = [threading.Thread(target=lambda: used.append(ran_on(two, a=m, b=m))) for _ in range(6)]
        for a in asks:
            a.start()
        for a in asks:
            a.join()
        assert set(used) == {0, 1} and len(used) == 6, used


@case()
def one_device_fails_and_the_other_goes_on(d):
    with Daemon(d.binary, env=TWO) as two:
        until("both devices are healthy", lambda: both_healthy(two))
        workers = subprocess.run(["pgrep", "-P", str(two.process.pid)], capture_output=True, text=True).stdout.split()
        assert len(workers) == 2, workers
        os.kill(int(workers[0]), signal.SIGKILL)
        for _ in range(20):
            assert ran_on(two) in (0, 1)
            assert curl(two, "/readyz").status == 200
        until("the worker is back", lambda: both_healthy(two))
