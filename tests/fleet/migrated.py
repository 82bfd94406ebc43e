"""migrated.py - cases of tests/fleet/run about databases that an earlier version of linalgd has made."""
import contextlib
import functools
import io
import os
import re
import tempfile

import numpy as np

from hosts import Fleet, Host, ask, finished, submit
from stored import _held, _npy

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "fleet", "schema.c")
SMALL = {"a": [[2]], "b": [[3]]}
NPY = "application/x-npy"
PARTITIONED = 6         # the first version with partitions


def _changes():
    """The rows of schema_changes[]: row i brings a schema from version i to i + 1."""
    with open(SCHEMA) as f:
        body = re.sub(r"/\*.*?\*/", "", re.search(r"schema_changes\[\] = \{(.*)\};", f.read(), re.S)[1], flags=re.S)
    tokens = re.findall(r'"([^"\\]*)"|(,)', body)
    rows = [""]
    for text, comma in tokens:
        if comma:
            rows.append("")
        rows[-1] += text
    assert rows.pop() == "" and all("linalgd." in r for r in rows), rows
    return rows


def _make(sql, version, changes):
    sql(f"CREATE SCHEMA linalgd; CREATE TABLE linalgd.schema(version int NOT NULL); INSERT INTO linalgd.schema VALUES({version});"
        + "".join(changes[:version]))


def _columns(sql, table):
    return {r[0] for r in sql("SELECT column_name FROM information_schema.columns "
                              f"WHERE table_schema = 'linalgd' AND table_name = '{table}'")}


def _copy(postgres, old, new):
    """Copies the jobs and their chunks to another database, without columns that it does not have."""
    directory = tempfile.mkdtemp(dir=postgres.directory)
    os.chmod(directory, 0o777)
    if _columns(new, "chunk") >= {"created"}:
        new("SELECT linalgd.add_partitions()")
    for table in "job", "chunk":
        columns = ", ".join(sorted(_columns(new, table) & _columns(old, table)))
        path = os.path.join(directory, table)
        old(f"COPY (SELECT {columns} FROM linalgd.{table}) TO '{path}'")
        new(f"COPY linalgd.{table}({columns}) FROM '{path}'")
    new("SELECT setval(pg_get_serial_sequence('linalgd.job', 'serial'), (SELECT max(serial) FROM linalgd.job))")


def _answers(d, paths):
    """Every job's status and its result, as this host replies with them."""
    return [(ask(d, at).json(), ask(d, at + "/result", Accept=NPY).body) for at in paths]


def _check(d, ended, expected, waits, large):
    assert _answers(d, ended) == expected
    assert finished(d, waits)["status"] == "successful"
    assert (np.load(io.BytesIO(ask(d, waits + "/result", Accept=NPY).body)) == large.T).all()
    repeat = ask(d, "/matmul", SMALL, Prefer="respond-async", Idempotency_Key="first")
    assert repeat.status == 202 and repeat.headers["location"] == ended[0], (repeat.status, repeat.headers)
    fresh = submit(d, "/matmul", SMALL)
    assert finished(d, fresh)["status"] == "successful"
    assert ask(d, "/matrices/m", _npy(large), "PUT", Content_Type=NPY).status == 201
    assert [j["id"] for j in ask(d, "/jobs").json()["jobs"]] == [os.path.basename(x) for x in reversed(ended + [waits, fresh])]


def a_database_of_an_earlier_version_keeps_its_jobs_and_results(postgres, binary):
    """A small and a large result, a failure, and a waiting job with large operands, in a schema of each earlier version, which is made
    from the list of changes itself. The first host that starts with it brings it up to date."""
    changes = _changes()
    large = np.random.default_rng(5).standard_normal((400, 400))
    with Fleet(postgres, binary, 1) as f:
        a = f.host["a"]
        ended = [submit(a, "/matmul", SMALL, Idempotency_Key="first"), submit(a, "/cholesky", {"a": [[1, 2], [2, 1]]}),
                 submit(a, "/transpose", _npy(large), Content_Type=NPY)]
        assert [finished(a, x)["status"] for x in ended] == ["successful", "failed", "successful"]
        expected = _answers(a, ended)
        with _held(f):
            waits = submit(a, "/transpose", _npy(large), Content_Type=NPY)
            assert f.sql("SELECT version FROM linalgd.schema") == [[str(len(changes))]]
            a.stop()
            for version in range(1, len(changes)):
                database = f"{f.database}v{version}"
                postgres.sql(f"CREATE DATABASE {database}")
                sql = functools.partial(postgres.sql, database=database)
                _make(sql, version, changes)
                _copy(postgres, f.sql, sql)
                sql("UPDATE linalgd.job SET not_before = now(); DROP ROLE IF EXISTS writer; CREATE ROLE writer;"
                    "GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA linalgd TO writer")
                with Host(binary, postgres.url(database), "b") as d:
                    d.joined()
                    assert sql("SELECT version FROM linalgd.schema") == [[str(len(changes))]]
                    _check(d, ended, expected, waits, large)
                    kept = sql("SELECT count(DISTINCT job) FROM linalgd.chunk_kept WHERE job <> 'matrix'")
                    assert kept == [["2" if version < PARTITIONED else "0"]]
                    assert sql("SELECT " + ", ".join(f"has_table_privilege('writer', 'linalgd.{t}', '{x}')" for t in ("chunk", "dropped")
                                                     for x in ("SELECT", "INSERT", "DELETE"))) == [2 * ["t", "t", "f"]]
                sql("DROP OWNED BY writer")


def a_host_that_is_older_than_the_schema_says_so_and_ends(postgres, binary):
    """The database gets the schema of a later version. A host that starts, and one that lost its place, end with status 1 and one
    error that names both versions; a host that is in the fleet goes on."""
    newest = len(_changes())
    with Fleet(postgres, binary, 2) as f:
        a, b = f.host["a"], f.host["b"]
        f.sql(f"UPDATE linalgd.schema SET version = {newest + 3}")
        c = Host(binary, postgres.url(f.database), "c")
        with contextlib.suppress(SystemExit):       # it may end before it is ready
            c.__enter__()
        assert c.process.wait(60) == 1, c.log()
        _told(c, newest)
        c.__exit__(None)
        assert finished(a, submit(b, "/matmul", SMALL))["status"] == "successful"
        f.sql("DELETE FROM linalgd.node WHERE id LIKE 'b-%'")
        assert b.process.wait(60) == 1, b.log()
        _told(b, newest)
        assert finished(a, submit(a, "/matmul", SMALL))["status"] == "successful"


def _told(host, newest):
    errors = [line for line in host.log().splitlines() if " error " in line]
    assert len(errors) == 1 and f"version {newest + 3}, and" in errors[0] and f"needs {newest}:" in errors[0], errors
