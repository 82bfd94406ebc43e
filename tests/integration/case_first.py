"""case_first.py - the first requests into an empty cache: which of them wait for a compiler, which do not, and what their answers say."""
import contextlib
import os
import signal
import tempfile
import threading
import time

from client import case, curl, finished, job, post, until, workers
from daemon import Daemon

SQUARE = [[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]]
PRODUCT = {"a": [[1.0] * 64] * 64, "b": [[2.0] * 64] * 64}


@contextlib.contextmanager
def cold(d):
    with tempfile.TemporaryDirectory() as cache:
        with Daemon(d.binary, "--cache", cache, "--compile-ahead", "on") as other:
            yield other


def compile_ms(r):
    """The compilation time that an answer reports, in its document and in its header alike."""
    assert r.status == 200, r.body
    told = [float(t.split("=")[1]) for t in r.headers["server-timing"].split(", ") if t.startswith("compile;")]
    ms = r.json()["timing"].get("compile_ms", 0)
    assert told == ([ms] if ms else []), (told, ms)
    return ms


def compilers(d):
    """The processes that compile for the daemon's workers."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                words = f.read().decode().split("\0")
            if "--compile" in words and d.cache_option in words:
                found.append(int(pid))
    return found


@case()
def the_first_request_tells_that_it_waited_for_the_compiler(d):
    with cold(d) as other:
        assert compile_ms(post(other, "/transpose", {"a": SQUARE})) > 0
        for _ in range(20):
            assert compile_ms(post(other, "/transpose", {"a": SQUARE})) == 0
        lines = [line for line in other.log().splitlines() if "POST /transpose" in line]
        assert ["compile_ms=" in line for line in lines] == [True] + 20 * [False], lines


@case()
def what_is_compiled_is_answered_while_other_kernels_compile(d):
    calls = {"lu": {}, "solve": {"b": [1.0, 2.0, 3.0]}, "reduce": {"op": "sum"}, "jacobi": {"b": [1.0, 2.0, 3.0]}}
    passed = 0
    with cold(d) as other:
        compile_ms(post(other, "/transpose", {"a": SQUARE}))
        for op, more in calls.items():
            at = post(other, "/" + op, {"a": SQUARE, **more}, "-H", "Prefer: respond-async").headers["location"]
            assert compile_ms(post(other, "/transpose", {"a": SQUARE})) == 0
            j = job(other, at)
            passed += j["status"] == "accepted" and "started" not in j
            j = finished(other, at)
            assert j["status"] == "successful", j
            assert j["timing"]["compile_ms"] > 0, j["timing"]
    assert passed > 0, "nothing was answered while other kernels were compiled"


@case()
def products_go_one_by_one_until_their_batches_are_compiled(d):
    """The first requests are answered by the kernel that is there; none waits for the kernel of batches, which is used once it has been compiled."""
    answers, over = [], threading.Event()

    def ask(other):
        while not over.is_set():
            r = post(other, "/matmul", PRODUCT)
            answers.append((time.monotonic(), compile_ms(r), {k["name"] for k in r.json()["timing"]["kernels"]}))

    with cold(d) as other:
        post(other, "/matmul", PRODUCT)
        threads = [threading.Thread(target=ask, args=(other,)) for _ in range(8)]
        for t in threads:
            t.start()
        try:
            until("products in batches", lambda: any("matmul_batch" in kernels for _, _, kernels in answers), 300)
        finally:
            over.set()
            for t in threads:
                t.join()
    kinds = [kernels for _, _, kernels in sorted(answers, key=lambda a: a[0])]
    assert {"matmul_small"} in kinds[:kinds.index({"matmul_batch"})], kinds
    assert all(ms == 0 for _, ms, kernels in answers if kernels == {"matmul_small"}), answers


@case()
def sixteen_connections_wait_for_no_compiler_after_the_first_answer(d):
    """A request that waits while the kernel of batches is compiled is overtaken by those of all other connections, again and again. The machine's
    load delays all of them alike."""
    answers, over = [], threading.Event()

    def ask(other):
        while not over.is_set():
            begun = time.monotonic()
            kernels, = post(other, "/matmul", PRODUCT).json()["timing"]["kernels"]
            answers.append((begun, time.monotonic(), kernels["name"]))

    with cold(d) as other:
        threads = [threading.Thread(target=ask, args=(other,)) for _ in range(16)]
        for t in threads:
            t.start()
        try:
            until("both kernels are used", lambda: {name for *_, name in answers} == {"matmul_batch", "matmul_small"}, 300)
        finally:
            over.set()
            for t in threads:
                t.join()
    first = min(ended for _, ended, _ in answers)
    later = [(begun, ended) for begun, ended, _ in answers if begun > first]
    assert later
    for begun, ended in later:
        overtaken = sum(b > begun and e < ended for b, e in later)
        assert overtaken <= 8 * 16, (overtaken, begun - first, ended - begun, len(later))


@case()
def compilers_that_are_killed_cost_nobody_an_answer(d):
    with tempfile.TemporaryDirectory() as cache:
        with Daemon(d.binary, "--cache", cache, "--compile-ahead", "on") as other:
            other.cache_option = cache
            ats = [post(other, "/" + op, {"a": SQUARE}, "-H", "Prefer: respond-async").headers["location"]
                   for op in ("lu", "transpose", "eigen")]
            killed = 0
            while killed < 4 and any(job(other, at)["status"] == "accepted" for at in ats):
                for pid in compilers(other):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                        killed += 1
            assert killed > 0
            for at in ats:
                assert finished(other, at)["status"] == "successful"
