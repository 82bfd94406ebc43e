"""accounts.py - what a daemon holds for its clients, by its metrics and by /proc."""
import os
import re

from client import curl, until

GAUGES = ("linalgd_host_memory_bytes", "linalgd_queue_depth", "linalgd_jobs_running", "linalgd_stored_bytes",
          "linalgd_stored_matrices", "linalgd_shares", "linalgd_share_bytes")


def held(d):
    """The gauges that must return to what they were, and the sockets that the front has open. Free and spare memory, which are
    two kinds of unused memory, are left out."""
    text = curl(d, "/metrics").body.decode()
    found = {name + labels: float(value) for name, labels, value in re.findall(r"^(\w+)(\{[^}]*\}|) (\S+)$", text, re.M)
             if name in GAUGES and '"free"' not in labels and '"spare"' not in labels}
    return dict(found, sockets=sockets(d.process.pid))


def at_rest(d):
    """What a daemon holds that nobody uses: the connection of the last request may still be closing."""
    found = [held(d)]

    def settled():
        found.append(held(d))
        return found[-1] == found[-2]
    until("two looks at the daemon see the same", settled)
    return found[-1]


def sockets(pid):
    n = 0
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            n += os.readlink(f"/proc/{pid}/fd/{fd}").startswith("socket:")
        except OSError:
            pass
    return n


def returns_to(d, before):
    """Waits until the daemon holds what it held before."""
    now = {}

    def same():
        now.update(held(d))
        return now == before
    try:
        until("", same)
    except AssertionError:
        wrong = {k: (before.get(k), v) for k, v in now.items() if before.get(k) != v}
        raise AssertionError(f"held before, and now: {wrong}") from None


def resident(pid):
    """Bytes of the process's memory that are resident, and of these, those that no file or shared memory backs."""
    with open(f"/proc/{pid}/status") as f:
        kib = {line.split(":")[0]: int(line.split()[1]) for line in f if line.startswith(("VmRSS", "RssAnon", "VmHWM"))}
    return {k: v << 10 for k, v in kib.items()}
