"""case_cancel.py - jobs that are dismissed while LAPACK works for them on the host, or during long launches."""
import os
import time

from client import case, dismiss, idle, job, post, product, random_matrix, running, stat, submit, until, workers


def wide(m, n):
    return {"generate": "random", "shape": [m, n], "seed": 3}


def whole(n):
    return {"generate": "identity", "shape": [n, n]}


def stack(count, n):
    return {"generate": "spd", "shape": [count, n, n]}


def spd(n):
    return {"generate": "spd", "shape": [n, n]}


# Each is one launch of kernels that takes many seconds, unless it is divided; and a smaller one of the same kernels,
# with which these are compiled, which nothing can cut short.
LAUNCHES = [
    ("/matmul", product(9000), product(1500)),
    ("/matmul", {**product(5000), "variant": "register-tile"}, {**product(300), "variant": "register-tile"}),
    ("/matmul", {"a": whole(3000), "b": whole(3000), "dtype": "int64"}, {"a": whole(300), "b": whole(300), "dtype": "int64"}),
    ("/eigen", {"a": stack(60000, 48), "which": "all", "structure": "symmetric"},
     {"a": stack(200, 48), "which": "all", "structure": "symmetric"}),
    ("/svd", {"a": stack(60000, 16), "variant": "jacobi"}, {"a": stack(200, 16), "variant": "jacobi"}),
]

# LAPACK takes seconds for each, most of them in one of its routines.
REQUESTS = [
    ("/eigen", {"a": random_matrix(2000), "which": "all"}),
    ("/eigen", {"a": random_matrix(2000), "b": spd(2000), "which": "all"}),
    ("/qr", {"a": random_matrix(3000), "pivot": True, "return": "r"}),
    ("/lstsq", {"a": wide(2000, 4000), "b": wide(2000, 1)}),
    ("/lstsq", {"a": {"generate": "random", "shape": [40, 300, 600], "seed": 3}, "b": wide(300, 1)}),
    ("/solve", {"a": spd(5000), "b": wide(5000, 1), "structure": "symmetric"}),
    ("/expm", {"a": random_matrix(2000)}),
    ("/svd", {"a": random_matrix(2000)}),
]


def processor_seconds(pids):
    """What the processes have used, by fields 14 and 15 of /proc/PID/stat."""
    return sum(int(x) for pid in pids for x in stat(pid)[11:13]) / os.sysconf("SC_CLK_TCK")


def ends_while_it_works(d, requests):
    """Its worker lives on: it has answered before the front's patience with it, of 2 s, was over."""
    idle(d)
    pids = workers(d)
    for path, request in requests:
        at = submit(d, path, {**request, "timing": "none", "quality": "none"})
        running(d, at)
        before = processor_seconds(pids)
        until(f"{path} has worked for a while", lambda: processor_seconds(pids) > before + 0.6)
        assert job(d, at)["status"] == "running", (path, job(d, at))
        begun, before = time.monotonic(), processor_seconds(pids)
        dismiss(d, at)
        assert job(d, at)["status"] == "dismissed", path
        idle(d)
        used = processor_seconds(pids) - before
        print(f"       {path}: the device was free {1000 * (time.monotonic() - begun):.0f} ms after DELETE, in which "
              f"its worker used {1000 * used:.0f} ms of processor time")
        assert workers(d) == pids, f"{path}: the worker had to be killed"


@case()
def a_job_ends_while_lapack_works(d):
    ends_while_it_works(d, REQUESTS)


@case()
def a_job_ends_during_a_long_launch(d):
    for path, _, small in LAUNCHES:
        r = post(d, path, small)
        assert r.status == 200, (path, r.status, r.body[:300])
    ends_while_it_works(d, [(path, long) for path, long, _ in LAUNCHES])
