"""aged.py - cases of tests/fleet/run about the partitions of payloads, which are dropped by age."""
import concurrent.futures
import io
import os

import numpy as np

from hosts import Fleet, ask, finished, submit, until
from stored import NPY, _get, _held, _npy, _put

HOUR = "(floor(extract(epoch FROM now()) / 3600)::bigint - {}) * 3600"
rng = np.random.default_rng(31)


def _transpose(d, m):
    return submit(d, "/transpose", _npy(m), Content_Type=NPY)


def _aged(hours, *jobs):
    """The SQL that makes the jobs, and their payloads, so many hours older."""
    ids = ", ".join(f"'{os.path.basename(at)}'" for at in jobs)
    return "".join(f"UPDATE linalgd.{t} SET {c} = {c} - interval '{hours} hours' WHERE {k} IN ({ids});"
                   for t, c, k in (("job", "created", "id"), ("job", "finished", "id"), ("chunk", "created", "job")))


def _age(f, hours, *jobs):
    """Does that, with a partition for that hour."""
    f.sql(f"SELECT linalgd.add_partition(h) FROM generate_series({HOUR.format(hours)}, {HOUR.format(hours - 1)}, 3600) AS h"
          " WHERE NOT linalgd.has_partition(h);" + _aged(hours, *jobs))


def _partitions(f):
    """The hours of the partitions, counted from the present one."""
    return sorted(int(r[0]) for r in f.sql(
        "SELECT substr(relname, 7)::bigint / 3600 - floor(extract(epoch FROM now()) / 3600)::bigint FROM pg_inherits"
        " JOIN pg_class ON oid = inhrelid WHERE inhparent = 'linalgd.chunk'::regclass AND relname <> 'chunk_kept'"))


def _chunks(f, at):
    return int(f.sql(f"SELECT count(*) FROM linalgd.chunk WHERE job = '{os.path.basename(at)}'")[0][0])


def _result(d, at):
    r = ask(d, at + "/result", Accept=NPY)
    return np.load(io.BytesIO(r.body)) if r.status == 200 else r.status


def payloads_are_dropped_when_nothing_needs_them(postgres, binary):
    """Partitions of 3, 6 and 9 hours ago: with the operands of a job that waits, with a result that can be fetched, and with one that
    has expired. Only the last is dropped, then the others when nothing in them is needed any more."""
    m = rng.standard_normal((300, 300))
    with Fleet(postgres, binary, 2) as f:
        a, b = f.hosts()
        until(lambda: [h for h in _partitions(f) if h >= 0] == [0, 1, 2, 3])
        _put(a, "m", m)
        fresh, old, ended = (_transpose(a, m) for _ in range(3))
        assert [finished(a, at)["status"] for at in (fresh, old, ended)] == 3 * ["successful"]
        with _held(f):
            waits = _transpose(a, m)
            _age(f, 3, waits), _age(f, 6, old), _age(f, 9, ended)
            assert (_result(b, ended) == m.T).all()
            f.sql(f"UPDATE linalgd.job SET expires = now() WHERE id = '{os.path.basename(ended)}'")
            until(lambda: not set(_partitions(f)) & {-10, -9, -8})
            assert _chunks(f, ended) == 0 and _result(b, ended) == 410
            assert _chunks(f, waits) == 1 and (_result(b, old) == m.T).all()
        assert finished(b, waits)["status"] == "successful" and (_result(a, waits) == m.T).all()
        until(lambda: not set(_partitions(f)) & {-4, -3, -2})
        assert (_result(b, old) == m.T).all() and (_result(b, waits) == m.T).all() and (_result(a, fresh) == m.T).all()
        assert ask(a, old, method="DELETE").status == 204 and _chunks(f, old) == 0
        until(lambda: min(_partitions(f)) >= -1)
        assert (_get(b, "m") == m).all() and (_result(b, fresh) == m.T).all()


def a_dismissed_job_leaves_no_payload(postgres, binary):
    """While it waits, and of any age."""
    with Fleet(postgres, binary, 1) as f, _held(f):
        a = f.host["a"]
        jobs = [_transpose(a, rng.standard_normal((300, 300))) for _ in range(2)]
        _age(f, 5, jobs[0])
        assert [_chunks(f, at) for at in jobs] == [1, 1]
        for at in jobs:
            assert ask(a, at, method="DELETE").status in (200, 204)
        assert [_chunks(f, at) for at in jobs] == [0, 0]


def a_partition_is_kept_while_a_transaction_writes_to_it(postgres, binary):
    """For 3 s, in which all hosts try to drop it. What is written stays, and other transactions do not wait."""
    m = rng.standard_normal((300, 300))
    with Fleet(postgres, binary, 2) as f, concurrent.futures.ThreadPoolExecutor() as pool:
        a, b = f.hosts()
        ended = _transpose(a, m)
        finished(a, ended)
        with _held(f):
            waits = _transpose(a, m)
            _age(f, 8, ended)
            writing = pool.submit(f.sql, _aged(8, waits) + "SELECT pg_sleep(3)")
            until(lambda: f.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
            f.sql(f"UPDATE linalgd.job SET expires = now() WHERE id = '{os.path.basename(ended)}'")
            until(lambda: ask(a, ended + "/result").status == 410, 2)
            _put(b, "m", m)
            assert ask(a, _transpose(b, m), method="DELETE").status in (200, 204) and not writing.done()
            writing.result()
        assert finished(b, waits)["status"] == "successful" and (_result(a, waits) == m.T).all()
