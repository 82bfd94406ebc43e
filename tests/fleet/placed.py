"""placed.py - cases of tests/fleet/run about where jobs that use stored matrices run."""
import collections
import concurrent.futures
import contextlib

import claims
import numpy as np

from hosts import Fleet, ask, finished, submit, until
from stored import ENDLESS, _end, _fetched, _held, _put, _sum, _value

rng = np.random.default_rng(23)


@contextlib.contextmanager
def _busy(*hosts):
    """The hosts compute something for clients of their own, and claim nothing but jobs that no idle host claims."""
    with concurrent.futures.ThreadPoolExecutor(len(hosts)) as pool:
        clients = [pool.submit(ask, h, "/jacobi", dict(ENDLESS, timeout_ms=120000), timeout=130) for h in hosts]
        for h in hosts:
            until(lambda h=h: ask(h, "/jobs?status=running").json()["jobs"])
        try:
            yield
        finally:
            for h in hosts:
                _end(h)
        for c in clients:
            c.result()


def _reduce(d, name):
    return submit(d, "/reduce", {"a": {"ref": name}, "op": "sum"})


def _ran(d, jobs):
    """How many of the jobs each host has run."""
    ended = [finished(d, at) for at in jobs]
    assert all(j["status"] == "successful" for j in ended), ended
    return collections.Counter(j["host"] for j in ended)


def jobs_run_on_the_idle_host_that_has_their_matrices(postgres, binary):
    """The host that accepts the jobs is busy. Of the two idle ones only c has copies of the matrices, of which each job uses another."""
    names = [f"m{i}" for i in range(16)]
    with Fleet(postgres, binary, 3) as f:
        a, b, c = f.hosts()
        for x in names:
            _put(a, x, rng.standard_normal((1200, 1200)))
            _value(_sum(c, x))
        with _busy(a):
            ran = sum((_ran(b, [_reduce(a, x)]) for x in names), collections.Counter())
        print(f"       of {len(names)} jobs c ran {ran['c']}, and b, which had no copies, {ran['b']}")
        assert ran["c"] >= 12 and not ran["a"] and _fetched(b) == ran["b"], ran


def an_idle_host_takes_the_jobs_of_a_busy_one(postgres, binary):
    """Only the busy host has copies of the matrices, of which each job uses another. The idle one waits for the head start of 30 ms,
    and not for its next look at the database, which it has every second."""
    names = [f"m{i}" for i in range(8)]
    with Fleet(postgres, binary, 2) as f:
        a, b = f.hosts()
        for x in names:
            _put(a, x, rng.standard_normal((850, 850)))
        assert ask(b, "/reduce", {"a": [[1, 2]], "op": "sum"}).status == 200
        with _busy(a):
            assert sum((_ran(b, [_reduce(a, x)]) for x in names), collections.Counter()) == {"b": len(names)}
        waited = sorted(float(r[0]) for r in f.sql("SELECT extract(epoch FROM started - created) FROM linalgd.job"))
        print("       waited for", ", ".join(f"{1000 * w:.0f}" for w in waited), "ms")
        assert _fetched(b) == len(names) and waited[len(names) // 2] < 0.25, waited


def waiting_jobs_run_where_their_matrices_are(postgres, binary):
    """Forty jobs wait, which use two matrices in turns. Of the hosts that claim, each has one of these. A busy machine lets some head starts
    pass; without any preference, the bound of 26 holds once in 25 times."""
    with Fleet(postgres, binary, 3) as f:
        a, b, c = f.hosts()
        for name, h in ("x", b), ("y", c):
            _put(a, name, rng.standard_normal((1000, 1000)))
            _value(_sum(h, name))
        with _busy(a):
            with _held(f):
                jobs = {name: [] for name in "xy"}
                for _ in range(20):
                    for name in "xy":
                        jobs[name].append(_reduce(a, name))
            x, y = _ran(b, jobs["x"]), _ran(c, jobs["y"])
        print(f"       jobs on a matrix of b: {dict(x)}, of c: {dict(y)}")
        assert x["b"] > x["c"] and y["c"] > y["b"] and x["b"] + y["c"] >= 26, (x, y)


def _claimed(f, binary, n=1, copies="{}", needs=None):
    """The ids of the jobs that the node `ghost` claims. needs: what its devices can do, if it is to look only at jobs that need that."""
    session = "".join(f"SET {x} = off;" for x in claims.SESSION)
    more = [copies] * (copies != "{}") + [needs] * (needs is not None)
    rows = f.sql(session + claims.statement(binary, "'ghost'", "'30000'", f"'{n}'", "'1000000000'", "'f'", *(f"'{x}'" for x in more),
                                           copies=copies != "{}", needs=needs is not None))
    return [r[0] for r in rows if len(r) > 1]


def a_preference_starves_no_job(postgres, binary):
    """A job is overtaken by liked ones whose ranks are within 10 s of its own, and by no others, however often the host claims."""
    with Fleet(postgres, binary, 1) as f:
        claims.ghost(f.sql, "unnest(ARRAY['first', 'near', 'both', 'far', 'urgent', 'other'])")
        f.sql("""UPDATE linalgd.job SET id = r.id, rank = now() + r.s * interval '1 s', uses = r.uses::bigint[] FROM (VALUES
            ('first', 0, NULL), ('near', 2, '{0,7}'), ('other', 3, '{8}'), ('both', 9, '{7,8}'), ('far', 11, '{7}'),
            ('urgent', -30, NULL)) AS r(id, s, uses) WHERE job.id = md5(r.id)""")
        order = [_claimed(f, binary, 1, "{0,7}") for _ in range(7)]
        assert order == [["urgent"], ["near"], ["first"], ["far"], ["other"], ["both"], []], order
        f.sql("UPDATE linalgd.job SET state = 'accepted', owner = NULL")
        assert sorted(_claimed(f, binary, 3, "{0,8,7}")) == ["first", "near", "urgent"]
        assert sorted(_claimed(f, binary, 9, "{}")) == ["both", "far", "other"]


def a_claim_looks_for_liked_jobs_among_the_first_that_use_any(postgres, binary):
    """So that the cost of a claim does not grow with the queue. All ranks are equal."""
    with Fleet(postgres, binary, 1) as f:
        claims.ghost(f.sql, "generate_series(1, 200)", "ARRAY[CASE WHEN i = 30 THEN 7 WHEN i > 100 THEN 9 ELSE 8 END]")
        thirty, one, two = (f.sql(f"SELECT md5('{i}')")[0][0] for i in (30, 1, 2))
        assert _claimed(f, binary, 1, "{0,7}") == [thirty]
        assert _claimed(f, binary, 1, "{0,9}") == [one] and _claimed(f, binary, 1, "{0,7}") == [two]


def a_host_reads_few_of_the_jobs_that_it_cannot_run(postgres, binary):
    """20,000 jobs wait for a GPU, which the host does not have. It claims every second, and counts 257 of them."""
    with Fleet(postgres, binary, 1) as f:
        def beat(seconds):
            last = f.sql("SELECT max(seen) FROM linalgd.node WHERE id LIKE 'a-%'")[0][0]
            until(lambda: f.sql(f"SELECT max(seen) > '{last}'::timestamptz + interval '{seconds} s' FROM linalgd.node WHERE id LIKE 'a-%'")
                  == [["t"]])
            return int(f.sql("SELECT idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'job'")[0][0])

        claims.ghost(f.sql, "generate_series(1, 20000)")
        before = beat(4)
        rows = beat(4) - before
        print(f"       {rows} rows were read in 4 s")
        assert rows < 10000, rows


def a_host_that_looks_for_jobs_which_it_can_run_finds_the_same(postgres, binary):
    """By both statements, of jobs with all kinds of needs. Some have been refused, and some use stored matrices. The order is the same
    without copies; of those that it likes, a host claims any first."""
    needs = "(ARRAY['auto', 'cpu', 'gpu', '0', '1', 'host', 'nothing', 'cluster'])"
    with Fleet(postgres, binary, 1) as f:
        f.host["a"].stop()
        claims.ghost(f.sql, "generate_series(1, 400)", "CASE WHEN i % 3 = 0 THEN ARRAY[i % 9, 0]::bigint[] END", "cpu")
        f.sql(f"UPDATE linalgd.job SET need_device = {needs}[1 + serial % 8], need_float64 = serial % 7 < 4, rank = now() +"
              " (serial * 37 % 101) * interval '0.2 s', created = now() - interval '1 h',"
              " refused = CASE WHEN serial % 11 = 0 THEN '{ghost}' ELSE '{}' END::text[]")
        for float64, met in ("true", "{0,1,2,4}"), ("false", "{0,2,4}"):
            f.sql(f"UPDATE linalgd.device SET float64 = {float64} WHERE node = 'ghost'")
            for copies in "{}", "{0,3}":
                found = []
                for wanted in None, met:
                    f.sql("UPDATE linalgd.job SET state = 'accepted', owner = NULL, epoch = 0")
                    found.append([_claimed(f, binary, 1, copies, wanted) for _ in range(12 * (copies == "{}"))])
                    found[-1].append(sorted(_claimed(f, binary, 400, copies, wanted)))
                assert found[0] == found[1] and found[0][-1] and all(found[0]), (float64, copies, found)
