"""conformance.py - what a client can rely on of accepted jobs, wherever they are kept. Each case is run with the journal of a single
host and with a fleet of one host, by the same requests."""
import contextlib
import functools
import inspect
import io
import os
import sys
import time

import numpy as np

from hosts import LEASE, ask, finished, job, submit, until

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "torture"))
from service import Service

ENDLESS = {"a": [[1, -1], [1, 1]], "b": [1, 0], "max_iterations": 10**9}
SMALL = {"a": [[2]], "b": [[3]]}
NPY = "application/x-npy"


class Kept:
    """One host, whose process is replaced by again(). Both kinds of it differ only in their options."""

    def __init__(self, service):
        self.service, self.port = service, service.port

    def begin(self):
        self.service.start()
        assert self.service.until_ready(), self.service.log()[-2000:]
        until(lambda: ask(self, "/readyz").json().get("queue") in (None, "ready"))

    def again(self, kill):
        if kill:
            self.service.kill()
        else:
            assert self.service.terminate() == 0, self.service.log()[-2000:]
        self.begin()


@contextlib.contextmanager
def _journal(postgres, binary, *options):
    with Service(binary, "--drain-seconds", "1", *options) as s:
        kept = Kept(s)
        kept.begin()
        yield kept


@contextlib.contextmanager
def _fleet(postgres, binary, *options):
    database = f"conformance{os.urandom(4).hex()}"
    postgres.sql(f"CREATE DATABASE {database}")
    with _journal(postgres, binary, "--queue", postgres.url(database), "--lease", str(LEASE), *options) as kept:
        yield kept


def _npy(a):
    b = io.BytesIO()
    np.save(b, a)
    return b.getvalue()


def _runs(d, at):
    return job(d, at)["status"] == "running"


# The cases are below. Each gets `start`, which starts a host with its arguments as options.

def a_job_is_read_back_as_it_was_accepted(start):
    """Operands and results of no bytes, of few, and of so many that neither the journal nor the database keeps them in the job's row;
    before and after the process is replaced."""
    with start() as d:
        for shape in (0, 3), (2, 3), (600, 500):
            a = np.arange(np.prod(shape), dtype=float).reshape(shape)
            at = submit(d, "/transpose", _npy(a), Content_Type=NPY)
            assert finished(d, at)["status"] == "successful"
            for kill in None, True, False:
                if kill is not None:
                    d.again(kill)
                r = ask(d, at + "/result", Accept=NPY)
                assert r.status == 200, r.body
                got = np.load(io.BytesIO(r.body))
                assert got.shape == a.T.shape and (got == a.T).all()
        failed = submit(d, "/cholesky", {"a": [[1, 2], [2, 1]]})
        assert finished(d, failed)["status"] == "failed"
        before = ask(d, failed + "/result").problem(422)
        d.again(kill=True)
        assert ask(d, failed + "/result").problem(422)["detail"] == before["detail"]
        assert len(ask(d, "/jobs").json()["jobs"]) == 4


def a_repeated_key_makes_one_job(start):
    with start() as d:
        at = submit(d, "/matmul", SMALL, Idempotency_Key="k")
        for kill in None, True:
            if kill:
                d.again(kill)
            assert submit(d, "/matmul", SMALL, Idempotency_Key="k") == at
            ask(d, "/matmul", {"a": [[5]], "b": [[3]]}, Idempotency_Key="k", Prefer="respond-async").problem(422)
            assert finished(d, at)["status"] == "successful"
            r = ask(d, "/matmul", SMALL, Idempotency_Key="k")
            assert r.status == 200 and r.json()["result"]["c"] == [[6]], r.body
        assert len(ask(d, "/jobs").json()["jobs"]) == 1


def a_job_goes_on_when_the_process_is_replaced(start):
    """What runs and what waits, after SIGKILL and after SIGTERM."""
    with start() as d:
        runs = submit(d, "/jacobi", ENDLESS)
        until(lambda: _runs(d, runs))
        waits = submit(d, "/matmul", SMALL)
        for kill in True, False:
            d.again(kill)
            until(lambda: _runs(d, runs))
            assert job(d, waits)["status"] == "accepted"
        assert ask(d, runs, method="DELETE").status == 204
        assert finished(d, waits)["status"] == "successful"
        assert finished(d, runs)["status"] == "dismissed"


def a_job_fails_when_three_processes_died_of_it(start):
    """A process that is killed before its run was recorded does not count, so a run is given time before it is killed. In a fleet,
    the lease of the run before must lapse, too."""
    with start() as d:
        at, killed = submit(d, "/jacobi", ENDLESS), 0
        while until(lambda: job(d, at)["status"] in ("running", "failed") and job(d, at)["status"]) == "running" and killed < 8:
            time.sleep(2 * LEASE)
            if _runs(d, at):
                d.again(kill=True)
                killed += 1
        assert killed >= 3
        ask(d, at + "/result").problem(500, "device-failure")
        d.again(kill=True)
        assert job(d, at)["status"] == "failed"


def a_dismissed_job_stays_dismissed(start):
    """While it runs and while it waits; an ended job is forgotten."""
    with start() as d:
        runs = submit(d, "/jacobi", ENDLESS)
        until(lambda: _runs(d, runs))
        waits = submit(d, "/matmul", SMALL)
        for at in waits, runs:
            assert ask(d, at, method="DELETE").status == 204
            assert finished(d, at)["status"] == "dismissed"
        ended = submit(d, "/matmul", SMALL)
        assert finished(d, ended)["status"] == "successful"
        assert ask(d, ended, method="DELETE").status == 204
        for kill in True, False:
            d.again(kill)
            assert [job(d, at)["status"] for at in (runs, waits)] == ["dismissed", "dismissed"]
            ask(d, ended).problem(404)


def a_result_expires(start):
    with start("--result-ttl", "3") as d:
        at = submit(d, "/matmul", SMALL)
        assert finished(d, at)["status"] == "successful"
        assert ask(d, at + "/result").status == 200
        until(lambda: ask(d, at + "/result").status == 410)
        d.again(kill=True)
        ask(d, at + "/result").problem(410)
        assert job(d, at)["status"] == "successful"


def _with(case, start):
    def run(postgres, binary):
        case(functools.partial(start, postgres, binary))
    run.__name__ = f"{case.__name__}, {start.__name__[1:]}"
    return run


def _all():
    """Every case with either implementation, as functions of (postgres, binary)."""
    cases = [f for f in list(globals().values())
             if inspect.isfunction(f) and f.__module__ == __name__ and not f.__name__.startswith("_")]
    return [_with(f, start) for f in cases for start in (_journal, _fleet)]
