"""The processes that compute are confined, unless --sandbox off says otherwise."""
import os

from case_tenants import bearer, service
from client import case, curl, post, workers
from daemon import Daemon


def status(pid):
    with open(f"/proc/{pid}/status") as f:
        return dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)


@case()
def workers_are_confined(d):
    assert workers(d)
    for pid in workers(d):
        s = status(pid)
        assert s["NoNewPrivs"] == "1" and s["Seccomp"] == "2", s
        assert int(s["CapEff"], 16) == int(s["CapPrm"], 16) == 0, s
        with open(f"/proc/{pid}/limits") as f:
            assert [line.split()[4] for line in f if line.startswith("Max core file size")] == ["0"]
    assert status(d.process.pid)["Seccomp"] == str(status(os.getpid())["Seccomp"])


@case()
def a_daemon_without_the_sandbox_works_as_well(d):
    with Daemon(d.binary, "--sandbox", "off") as s:
        assert [status(pid)["Seccomp"] for pid in workers(s)] == [status(os.getpid())["Seccomp"]]
        assert "without protection" not in s.log()
        assert curl(s, "/version").status == 200


@case()
def tenants_who_take_turns_get_their_own_results(d):
    """Small and large operands, and a worker that clears what is kept between them."""
    with service(d, ("a ann", "b bob")) as s:
        for i in range(12):
            x, n = i + 1, 2 if i % 3 else 130
            r = post(s, "/matmul", {"a": [[x] * n] * n, "b": [[1] * n] * n}, *bearer("ab"[i % 2]))
            assert r.status == 200, r.body[:300]
            assert r.json()["result"]["c"] == [[x * n] * n] * n, i
