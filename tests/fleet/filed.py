"""filed.py - cases of tests/fleet/run about payloads that are files in a directory which the hosts share."""
import contextlib
import io
import os
import re
import stat
import tempfile
import threading
import time

import numpy as np

from hosts import Fleet, ask, finished, job, metric, submit, until
from stored import NPY, _get, _held, _npy, _put, _sum

MARKER = "linalgd-fleet"
ABOVE = 100 << 10       # bytes
rng = np.random.default_rng(37)
large, middle, small = rng.standard_normal((300, 300)), rng.standard_normal((80, 80)), rng.standard_normal((9, 9))


@contextlib.contextmanager
def _directory():
    with tempfile.TemporaryDirectory(prefix="linalgd-shared-") as d:
        yield d


def _options(directory):
    return "--shared-dir", directory, "--shared-above", str(ABOVE)


@contextlib.contextmanager
def _fleet(postgres, binary, n, directory):
    with Fleet(postgres, binary, n, *_options(directory)) as f:
        for h in f.hosts():
            _sees(h)
        yield f


def _sees(host):
    until(lambda: f"payloads above {ABOVE} bytes are in the shared directory" in host.log())


def _files(directory):
    return {x for x in os.listdir(directory) if x != MARKER}


def _named(f):
    """The names of files in the rows of jobs and stored matrices."""
    return {r[0] for r in f.sql("SELECT unnest(ARRAY[operand_file, result_file]) FROM linalgd.job UNION SELECT file FROM linalgd.matrix") if r[0]}


def _transpose(d, m, **headers):
    return submit(d, "/transpose", _npy(m), Content_Type=NPY, **headers)


def _result(d, at):
    r = ask(d, at + "/result", Accept=NPY)
    assert r.status == 200, (r.status, r.body[:500])
    return np.load(io.BytesIO(r.body))


def _file(f, column, at):
    return f.sql(f"SELECT {column} FROM linalgd.job WHERE id = '{os.path.basename(at)}'")[0][0]


def _chunks(f):
    return int(f.sql("SELECT count(*) FROM linalgd.chunk")[0][0])


def large_payloads_are_files_and_the_others_are_not(postgres, binary):
    """This holds for operands, results and stored matrices, each of which the other host reads, too. The names are random, and
    only the owner may read the files."""
    with _directory() as d, _fleet(postgres, binary, 2, d) as f:
        a, b = f.hosts()
        with _held(f):
            jobs = [_transpose(a, m) for m in (large, middle, small)]
            assert [bool(_file(f, "operand_file", at)) for at in jobs] == [True, False, False] and _chunks(f) == 1
            assert _files(d) == _named(f) and len(_files(d)) == 1
        for at, m in zip(jobs, (large, middle, small)):
            assert finished(b, at)["status"] == "successful" and (_result(a, at) == m.T).all() and (_result(b, at) == m.T).all()
        assert _chunks(f) == 2
        _put(a, "m", large), _put(a, "middle", middle)
        assert (_get(b, "m") == large).all() and (_get(b, "middle") == middle).all()
        at = submit(b, "/transpose", {"a": {"ref": "m"}, "store": "t"})
        assert finished(a, at)["status"] == "successful", job(a, at)
        assert (_get(a, "t") == large.T).all() and (_get(b, "t") == large.T).all()
        until(lambda: _files(d) == _named(f))
        assert len(_files(d)) == 3 and all(re.fullmatch("[0-9a-f]{32}", x) for x in _files(d)), _files(d)
        modes = {stat.S_IMODE(os.stat(os.path.join(d, x)).st_mode) for x in os.listdir(d)}
        assert modes == {0o600}, modes


def files_go_when_their_rows_do(postgres, binary):
    """The rows go because a result expires, a job is deleted or dismissed while it waits, or a stored matrix is replaced or
    removed."""
    with _directory() as d, _fleet(postgres, binary, 2, d) as f:
        a, b = f.hosts()
        expired, deleted, kept = (_transpose(a, large) for _ in range(3))
        for at in expired, deleted, kept:
            finished(b, at)
        with _held(f):
            dismissed = _transpose(b, large)
            for name in "replaced", "removed", "m":
                _put(a, name, large)
            until(lambda: len(_files(d)) == 7)
            f.sql(f"UPDATE linalgd.job SET expires = now() WHERE id = '{os.path.basename(expired)}'")
            assert ask(a, deleted, method="DELETE").status == 204 and ask(a, dismissed, method="DELETE").status in (200, 204)
            _put(b, "replaced", small)
            assert ask(b, "/matrices/removed", method="DELETE").status == 204
            until(lambda: len(_files(d)) == 2)
        assert ask(a, expired + "/result").status == 410 and f.sql("SELECT * FROM linalgd.dropped") == []
        assert _files(d) == _named(f) and (_result(b, kept) == large.T).all() and (_get(b, "m") == large).all()


def a_host_that_is_killed_before_the_commit_leaves_a_file_that_goes_when_it_is_old(postgres, binary):
    """The row's INSERT sleeps, and the host is killed meanwhile (kill -9). Old files that a row names, new ones, and those that
    linalgd has not written stay."""
    with _directory() as d, _fleet(postgres, binary, 2, d) as f:
        a, b = f.hosts()
        _put(b, "m", large)
        f.sql("CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$;"
              "CREATE TRIGGER stall BEFORE INSERT ON linalgd.job FOR EACH ROW EXECUTE FUNCTION stall()")
        named = _named(f)
        client = threading.Thread(target=_send_to_its_death, args=(a,))
        client.start()
        orphan, = until(lambda: {x for x in _files(d) if re.fullmatch("[0-9a-f]{32}", x)} - named)
        until(lambda: f.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
        a.kill()
        client.join()
        f.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'; DROP TRIGGER stall ON linalgd.job")
        others = {"notes.txt", ".new-" + 32 * "a", 32 * "b", 32 * "c"}
        for name in others:
            with open(os.path.join(d, name), "w", encoding="ascii"):
                pass
        _sweep(f)
        assert _files(d) == named | others | {orphan} and not f.sql("SELECT * FROM linalgd.job")
        for name in named | others | {orphan}:
            os.utime(os.path.join(d, name), (time.time() - 7 * 3600,) * 2)
        os.utime(os.path.join(d, 32 * "c"))
        _sweep(f)
        until(lambda: _files(d) == named | {"notes.txt", 32 * "c"})
        assert (_get(b, "m") == large).all() and "removed 3 files" in b.log()


def _send_to_its_death(host):
    with contextlib.suppress(OSError, Exception):
        _transpose(host, large)


def _sweep(f):
    """Waits until a host has looked for files that no row names, which it does once an hour."""
    f.sql("UPDATE linalgd.shared SET swept = now() - interval '2 hours'")
    until(lambda: f.sql("SELECT 1 FROM linalgd.shared WHERE swept > now() - interval '1 hour'"))
    time.sleep(0.3)


def _cut(path):
    os.truncate(path, os.path.getsize(path) - 1000)


def _flip(path):
    with open(path, "r+b") as f:
        f.seek(5000)
        byte = f.read(1)
        f.seek(5000)
        f.write(bytes([byte[0] ^ 1]))


def _other(path):
    """Replaces the file by an undamaged one of another payload."""
    other = max((e for e in os.scandir(os.path.dirname(path)) if e.name != MARKER), key=lambda e: e.stat().st_size)
    assert other.path != path
    os.unlink(path)
    os.link(other.path, path)


def damaged_files_are_told_and_never_give_wrong_data(postgres, binary):
    """Files are missing, truncated, changed, or those of other payloads. They belong to results, operands of waiting jobs, and stored
    matrices."""
    damages = {os.unlink: "missing", _cut: "damaged", _flip: "damaged", _other: "damaged"}
    with _directory() as d, _fleet(postgres, binary, 2, d) as f:
        a, b = f.hosts()
        _put(a, "whole", rng.standard_normal((310, 310)))
        for damage, word in damages.items():
            done = _transpose(a, large)
            finished(a, done)
            damage(os.path.join(d, _file(f, "result_file", done)))
            p = ask(b, done + "/result", Accept=NPY).problem(410, "gone")
            assert word in p["detail"] and d not in p["detail"], p
            with _held(f):
                waits = _transpose(a, large)
                damage(os.path.join(d, _file(f, "operand_file", waits)))
            ended = finished(b, waits)
            assert ended["status"] == "failed" and word in str(ended), ended
            _put(a, "m", large)
            damage(os.path.join(d, f.sql("SELECT file FROM linalgd.matrix WHERE name = 'm' AND removed IS NULL")[0][0]))
            assert word in _sum(b, "m").problem(410, "gone")["detail"]
        assert finished(b, _transpose(a, small))["status"] == "successful"
        f.check_once()


def a_host_that_does_not_see_the_directory_claims_no_job_that_needs_it(postgres, binary):
    """One host has no --shared-dir, and one sees another directory in its place. Both run other jobs, and say why they cannot
    serve what is in files."""
    with _directory() as d, _directory() as other, _fleet(postgres, binary, 1, d) as f:
        a = f.host["a"]
        done = _transpose(a, large)
        finished(a, done)
        _put(a, "m", large)
        b, c = f.start("b", options=()), f.start("c", options=_options(other))
        until(lambda: "claims no jobs that need it" in c.log())
        assert os.listdir(other) == []
        assert [metric(h, "linalgd_fleet_shared_directory") for h in (a, c)] == [1, 0]
        with _held(f):
            jobs = [_transpose(a, large), submit(a, "/reduce", {"a": {"ref": "m"}, "op": "sum"})]
            assert f.sql("SELECT count(*) FROM linalgd.job WHERE operand_bytes >= 1::bigint << 61 AND state = 'accepted'") == [["2"]]
            assert a.stop() == 0
        assert finished(b, _transpose(c, middle))["status"] == "successful"
        time.sleep(1.5)
        assert [job(b, at)["status"] for at in jobs] == 2 * ["accepted"]
        for h in b, c:
            assert "does not see" in ask(h, done + "/result").problem(503, "not-ready")["detail"]
            assert "does not see" in _sum(h, "m").problem(503, "not-ready")["detail"]
        e = f.start("e")
        assert [finished(e, at)["status"] for at in jobs] == 2 * ["successful"] and (_result(e, done) == large.T).all()
        f.check_once()


def a_directory_that_goes_is_done_without_until_it_is_back(postgres, binary):
    """Payloads go to the database meanwhile, also in the moment before the host has noticed."""
    with _directory() as d, _fleet(postgres, binary, 1, d) as f:
        a = f.host["a"]
        before = _transpose(a, large)
        finished(a, before)
        os.rename(d, d + "-away")
        at = _transpose(a, large)
        assert finished(a, at)["status"] == "successful" and (_result(a, at) == large.T).all() and _chunks(f) == 2
        ask(a, before + "/result").problem(503, "not-ready")
        until(lambda: "claims no jobs that need it" in a.log())
        assert finished(a, _transpose(a, large))["status"] == "successful" and not os.path.exists(d)
        os.rename(d + "-away", d)
        until(lambda: a.log().count("bytes are in the shared directory") == 2)
        assert (_result(a, before) == large.T).all() and len(_files(d)) == 1
        finished(a, _transpose(a, large))
        until(lambda: len(_files(d)) == 2)
