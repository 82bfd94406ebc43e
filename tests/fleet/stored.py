"""stored.py - cases of tests/fleet/run about stored matrices and saved pipelines, which belong to the whole fleet."""
import concurrent.futures
import contextlib
import io
import json
import os
import tempfile
import time

import numpy as np

from case_shares import FLOATS, N, Client
from hosts import LEASE, Fleet, ask, finished, metric, submit, until

ENDLESS = {"a": [[1, -1], [1, 1]], "b": [1, 0], "max_iterations": 10**9}
NPY = "application/x-npy"
rng = np.random.default_rng(11)


def _npy(a):
    b = io.BytesIO()
    np.save(b, a)
    return b.getvalue()


def _put(d, name, a, status=None, **headers):
    r = ask(d, "/matrices/" + name, _npy(a), "PUT", Content_Type=NPY, **headers)
    assert r.status in ((201, 204) if status is None else (status,)), (r.status, r.body[:500])
    return r


def _get(d, name):
    r = ask(d, "/matrices/" + name, Accept=NPY)
    assert r.status == 200, (r.status, r.body[:500])
    return np.load(io.BytesIO(r.body))


def _sum(d, name, **headers):
    return ask(d, "/reduce", {"a": {"ref": name}, "op": "sum"}, **headers)


def _value(r):
    assert r.status == 200, (r.status, r.body[:500])
    return r.json()["result"]["value"]


@contextlib.contextmanager
def _held(f):
    """Jobs that are accepted meanwhile are not claimed before its end."""
    f.sql("CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.not_before = now() + interval '1 hour'; RETURN NEW;"
          " END $$; CREATE TRIGGER hold BEFORE INSERT ON linalgd.job FOR EACH ROW EXECUTE FUNCTION hold()")
    yield
    f.sql("DROP TRIGGER hold ON linalgd.job; UPDATE linalgd.job SET not_before = now(); NOTIFY linalgd_job")


def _end(d):
    """Ends the jobs that the host runs for its own clients."""
    for j in ask(d, "/jobs?status=running").json()["jobs"]:
        ask(d, "/jobs/" + j["id"], method="DELETE")


def _fetched(d):
    return metric(d, 'linalgd_fleet_matrices_total{outcome="fetched"}')


def a_matrix_put_at_one_host_is_used_at_every_other(postgres, binary):
    """Small and large ones, dense, sparse and complex, in all places that a name can have in a request."""
    small, large = rng.standard_normal((5, 5)), rng.standard_normal((700, 700))
    z = rng.standard_normal((3, 3)) + 1j * rng.standard_normal((3, 3))
    sparse = {"format": "csr", "shape": [2, 3], "indptr": [0, 1, 2], "indices": [1, 2], "data": [5, 6]}
    with Fleet(postgres, binary, 3) as f:
        a, b, c = f.hosts()
        assert _put(a, "small", small).status == 201 and _put(b, "large", large).status == 201
        _put(a, "z", z), _put(a, "seven", np.array(7.0)), _put(a, "null", small + 1), _put(a, "none", np.zeros((0, 4)))
        assert ask(a, "/matrices/sparse", {"matrix": sparse}, "PUT").status == 201
        assert ask(c, "/matrices/copy", {"matrix": {"ref": "large"}}, "PUT").status == 201
        for h in a, b, c:
            for name, m in {"small": small, "large": large, "z": z, "null": small + 1, "copy": large, "none": np.zeros((0, 4))}.items():
                got = _get(h, name)
                assert got.shape == m.shape and got.dtype == m.dtype and (got == m).all(), name
            assert abs(_value(_sum(h, "large")) - large.sum()) < 1e-6
            assert ask(h, "/matrices/sparse").json()["matrix"]["indices"] == [1, 2]
            head = ask(h, "/matrices/large", method="HEAD", Accept=NPY)
            assert head.headers["linalgd-shape"] == "700,700" and not head.body
            r = ask(h, "/spmv", {"a": {"ref": "sparse"}, "x": [1, 2, 3]})
            assert r.json()["result"]["y"] == [10, 18], r.body
            r = ask(h, "/matmul", {"a": {"real": {"ref": "small"}, "imag": {"ref": "null"}}, "b": np.eye(5).tolist()})
            assert (np.array(r.json()["result"]["c"]["imag"]) == small + 1).all(), r.body[:500]
            listed = ask(h, "/matrices").json()["matrices"]
            assert [m["name"] for m in listed] == ["copy", "large", "none", "null", "seven", "small", "sparse", "z"], listed
            assert listed[6] | {"etag": 0, "created": 0} == {"name": "sparse", "shape": [2, 3], "dtype": "float64", "format": "csr",
                                                            "bytes": 16 + 8 * 3 + 4 * 2, "nnz": 2, "etag": 0, "created": 0}, listed
            steps = {"steps": [{"op": "matmul", "a": "@small", "b": {"ref": "null"}, "as": "c"}]}
            r = ask(h, "/pipelines", steps, Accept=NPY)
            assert r.status == 200 and np.allclose(np.load(io.BytesIO(r.body)), small @ (small + 1)), r.body[:500]
            _sum(h, "missing").problem(404, "not-found")
            ask(h, "/matrices/missing").problem(404, "not-found")
            ask(h, "/matrices/missing", method="DELETE").problem(404, "not-found")
            ask(h, "/matrices/.x").problem(400)
            _sum(h, ".x").problem(400)


def a_copy_is_never_used_after_it_was_replaced_or_removed(postgres, binary):
    with Fleet(postgres, binary, 2) as f, concurrent.futures.ThreadPoolExecutor(4) as pool:
        a, b = f.hosts()
        for i in range(40):
            one, other = (a, b) if i % 2 else (b, a)
            size = (60, 60) if i % 4 < 2 else (3, 3)
            _put(one, "m", np.full(size, float(i)))
            assert _value(_sum(other, "m")) == i * size[0] ** 2 == _value(_sum(one, "m"))
            assert _get(other, "m")[0, 0] == i
        assert ask(a, "/matrices/m", method="DELETE").status == 204
        for h in a, b:
            _sum(h, "m").problem(404), ask(h, "/matrices/m").problem(404)
            assert ask(h, "/matrices").json()["matrices"] == []
        # While one client replaces it, the others always get one whole version, and never an older one than before.
        _put(a, "m", np.zeros((200, 200)))

        def read(h):
            last = 0
            for _ in range(60):
                m = _get(h, "m")
                assert m.min() == m.max() >= last, (m.min(), m.max(), last)
                last = m.max()
            return last
        readers = [pool.submit(read, h) for h in (a, b, b)]
        n = 0
        while not all(r.done() for r in readers):
            n += 1
            _put((a, b)[n % 2], "m", np.full((200, 200), float(n)))
        assert all(r.result() <= n for r in readers)
        until(lambda: f.sql("SELECT count(*), count(DISTINCT run) FROM linalgd.chunk") == [["1", "1"]])
        assert f.sql("SELECT count(*) FROM linalgd.matrix") == [["1"]]


def preconditions_hold_between_hosts(postgres, binary):
    with Fleet(postgres, binary, 2) as f, concurrent.futures.ThreadPoolExecutor(8) as pool:
        a, b = f.hosts()
        first = _put(a, "m", np.eye(2), 201, If_None_Match="*").headers["etag"]
        _put(b, "m", np.eye(2), 412, If_None_Match="*")
        tags = {ask(h, "/matrices/m", Accept=NPY).headers["etag"] for h in (a, b)}
        assert tags == {first[:-1] + '-npy"'}, (tags, first)
        assert {m["etag"] for h in (a, b) for m in ask(h, "/matrices").json()["matrices"]} == {first}
        assert ask(b, "/matrices/m", If_None_Match=first).status == 304
        second = _put(b, "m", 2 * np.eye(2), 204, If_Match=first).headers["etag"]
        assert second != first
        _put(a, "m", 3 * np.eye(2), 412, If_Match=first)
        ask(a, "/matrices/m", method="DELETE", If_Match=first).problem(412, "precondition-failed")
        ask(a, "/matrices/m", If_Match=first).problem(412)
        assert ask(a, "/matrices/m", If_None_Match=first).status == 200
        since = ask(a, "/matrices/m").headers.get("last-modified")
        assert since is None or ask(b, "/matrices/m", If_Modified_Since=since).status == 304
        # Of several clients that replace the same version at the same time one succeeds.
        for i in range(5):
            tag = ask(a, "/matrices").json()["matrices"][0]["etag"]
            r = list(pool.map(lambda k: ask((a, b)[k % 2], "/matrices/m", _npy(np.full((90, 90), k)), "PUT", Content_Type=NPY,
                                            If_Match=tag).status, range(8)))
            assert sorted(r) == [204] + 7 * [412], r
            r = list(pool.map(lambda k: ask((a, b)[k % 2], f"/matrices/new{i}", _npy(np.full((90, 90), k)), "PUT", Content_Type=NPY,
                                            If_None_Match="*").status, range(8)))
            assert sorted(r) == [201] + 7 * [412], r
        now = ask(b, "/matrices/m").headers["etag"]
        store = {"a": [[1, 2], [3, 4]], "store": "m"}
        ask(a, "/transpose", store, If_Match=first).problem(412)
        assert ask(a, "/transpose", store, If_Match=now).status == 200
        assert (_get(b, "m") == [[1, 3], [2, 4]]).all()
        assert ask(b, "/matrices/m", method="DELETE", If_Match=ask(a, "/matrices/m").headers["etag"]).status == 204
        ask(a, "/matrices/m", method="DELETE", If_Match=now).problem(404)


def concurrent_requests_share_one_fetch(postgres, binary):
    large = rng.standard_normal((1500, 1500))
    with Fleet(postgres, binary, 2) as f, concurrent.futures.ThreadPoolExecutor(24) as pool:
        a, b = f.hosts()
        _put(a, "m", large)
        before = _fetched(b)
        values = list(pool.map(lambda _: _value(_sum(b, "m")), range(24)))
        assert len(set(values)) == 1 and abs(values[0] - large.sum()) < 1e-6
        assert _fetched(b) - before == 1, _fetched(b)
        assert _value(_sum(a, "m")) == values[0] and _fetched(a) == 0
        assert metric(b, "linalgd_fleet_copies") == 1 and metric(b, "linalgd_fleet_copy_bytes") >= large.nbytes


def a_stored_matrix_is_not_written_again_with_jobs(postgres, binary):
    large = rng.standard_normal((600, 600))
    with Fleet(postgres, binary, 2) as f, concurrent.futures.ThreadPoolExecutor() as pool:
        a, b = f.hosts()
        _put(a, "m", large)
        chunks = f.sql("SELECT count(*) FROM linalgd.chunk")
        client = pool.submit(ask, a, "/jacobi", dict(ENDLESS, timeout_ms=60000))
        until(lambda: ask(a, "/jobs?status=running").json()["jobs"])
        at = [submit(a, "/transpose", {"a": {"ref": "m"}}) for _ in range(3)]
        at.append(submit(a, "/pipelines", {"steps": [{"op": "transpose", "a": "@m", "as": "t"}]}))
        at.append(submit(a, "/transpose", {"a": {"ref": "m"}, "dtype": "float32"}))
        for x in at:
            j = finished(b, x)
            assert j["status"] == "successful" and j["host"] == "b", j
            got = np.load(io.BytesIO(ask(b, x + "/result", Accept=NPY).body))
            assert np.allclose(got, large.T, rtol=1e-6), x
        assert _fetched(b) == 1, _fetched(b)
        held = f.sql("SELECT count(*) FROM linalgd.job WHERE uses IS NOT NULL AND operand_bytes % (1::bigint << 60) < 1000 AND use_bytes = 2880000")
        assert held == [["4"]], held
        assert chunks == [["3"]], chunks
        _end(a)
        client.result()
        # A job keeps the version that its request named, although it was replaced and removed before the job runs.
        with _held(f):
            old = submit(b, "/reduce", {"a": {"ref": "m"}, "op": "sum"})
            _put(a, "m", np.zeros((600, 600)))
            assert ask(b, "/matrices/m", method="DELETE").status == 204
            for h in a, b:
                h.kill()
            c = f.start("c")
            time.sleep(3 * LEASE)
            assert f.sql("SELECT count(*) FROM linalgd.matrix") == [["1"]]
        assert finished(c, old)["status"] == "successful" and _fetched(c) == 1
        assert abs(_value(ask(c, old + "/result")) - large.sum()) < 1e-6
        until(lambda: f.sql("SELECT (SELECT count(*) FROM linalgd.matrix), (SELECT count(*) FROM linalgd.chunk WHERE job = 'matrix')")
              == [["0", "0"]])


def results_are_stored_for_every_host(postgres, binary):
    m = rng.standard_normal((400, 400))
    with Fleet(postgres, binary, 3) as f, concurrent.futures.ThreadPoolExecutor(4) as pool:
        a, b, c = f.hosts()
        _put(a, "m", m)
        # By a synchronous request, and by an asynchronous one that another host runs.
        r = ask(a, "/transpose", {"a": {"ref": "m"}, "store": "t"})
        assert r.status == 200 and r.json()["stored"]["a"]["name"] == "t", r.body[:500]
        assert (_get(b, "t") == m.T).all() and (_get(c, "t") == m.T).all()
        clients = [pool.submit(ask, h, "/jacobi", dict(ENDLESS, timeout_ms=60000)) for h in (a, c)]
        until(lambda: all(ask(h, "/jobs?status=running").json()["jobs"] for h in (a, c)))
        at = submit(a, "/lu", {"a": {"ref": "m"}, "store": "lu:f,pivots:p", "ttl": 3600})
        j = finished(c, at)
        assert j["status"] == "successful" and j["host"] == "b", j
        assert j["stored"]["lu"] == {"name": "f", "shape": [400, 400], "dtype": "float64"}, j["stored"]
        x = ask(c, "/matrices/f", Accept=NPY)
        assert x.status == 200 and "lu" not in ask(c, at + "/result").json()["result"]
        r = submit(c, "/solve", {"factors": {"ref": "f"}, "pivots": {"ref": "p"}, "b": m.sum(axis=1).tolist()})
        assert finished(a, r)["status"] == "successful"
        assert np.allclose(ask(a, r + "/result").json()["result"]["x"], 1)
        assert all("expires" in row for row in ask(a, "/matrices").json()["matrices"] if row["name"] in "fp")
        at = submit(a, "/pipelines", {"steps": [{"op": "matmul", "a": "@m", "b": "@m", "as": "s"}], "store": "s:square"})
        assert finished(b, at)["status"] == "successful" and np.allclose(_get(c, "square"), m @ m)
        # A job whose condition does not hold any more fails, and stores nothing.
        tag = ask(a, "/matrices/p", Accept=NPY).headers["etag"]
        with _held(f):
            at = submit(a, "/transpose", {"a": [[1, 2]], "store": "p"}, If_Match=tag)
            _put(b, "p", np.ones(3))
        j = finished(c, at)
        assert j["status"] == "failed" and j["error"]["type"] == "/problems/precondition-failed" and "stored" not in j, j
        assert (_get(a, "p") == 1).all()
        _end(a), _end(c)
        for x in clients:
            x.result()
        f.check_once()


def a_spilled_request_stores_its_result(postgres, binary):
    with Fleet(postgres, binary, 1, "--queue-limit", "2") as f, concurrent.futures.ThreadPoolExecutor(8) as pool:
        a = f.host["a"]
        clients = [pool.submit(ask, a, "/jacobi", dict(ENDLESS, timeout_ms=60000)) for _ in range(3)]
        until(lambda: metric(a, "linalgd_queue_depth") == 2)
        b = f.start("b")
        _put(b, "m", np.arange(6.0).reshape(2, 3))
        r = ask(a, "/transpose", {"a": {"ref": "m"}, "store": "t"})
        assert r.status == 200 and r.json()["stored"]["a"]["name"] == "t", (r.status, r.body[:500])
        assert (_get(a, "t") == np.arange(6.0).reshape(2, 3).T).all()
        until(lambda: f.sql("SELECT count(*) FROM linalgd.job") == [["0"]])
        for j in ask(a, "/jobs").json()["jobs"]:
            ask(a, "/jobs/" + j["id"], method="DELETE")
        for x in clients:
            x.result()


def a_spilled_request_has_its_result_in_the_clients_share(postgres, binary):
    with tempfile.TemporaryDirectory(prefix="linalgd-share-") as home, concurrent.futures.ThreadPoolExecutor(8) as pool:
        path = os.path.join(home, "s")
        with Fleet(postgres, binary, 1, "--queue-limit", "2", "--listen", "unix:" + path) as f, Client(path) as c:
            a, x, y = f.host["a"], c.share(FLOATS), c.share(FLOATS)
            x.put(range(N * N))
            clients = [pool.submit(ask, a, "/jacobi", dict(ENDLESS, timeout_ms=60000)) for _ in range(3)]
            until(lambda: metric(a, "linalgd_queue_depth") == 2)
            f.options = ()
            f.start("b")
            status, text = c.post("/transpose", {"a": x.of(), "into": y.id})
            assert status == 200 and json.loads(text)["host"] == "b", text
            assert json.loads(text)["result"] == {"a": {"share": y.id, "offset": 0, "shape": [N, N], "dtype": "float32"}}, text
            assert y.floats(N * N) == [float(j * N + i) for i in range(N) for j in range(N)]
            small = c.share(64)
            status, text = c.post("/transpose", {"a": x.of(), "into": small.id})
            assert status == 400 and "/into" in text, text
            for w in clients:
                until(lambda: _end(a) or w.done())


def a_matrix_of_256_mib_survives_the_host_that_took_it(postgres, binary):
    n = 5793
    large = np.arange(n * n, dtype=np.float64).reshape(n, n)
    body = _npy(large)
    with Fleet(postgres, binary, 2) as f:
        a, b = f.hosts()
        begun = time.monotonic()
        r = ask(a, "/matrices/big", body, "PUT", Content_Type=NPY)
        put = time.monotonic() - begun
        a.kill()
        assert r.status == 201, (r.status, r.body[:500])
        begun = time.monotonic()
        got = ask(b, "/matrices/big", Accept=NPY)
        took = time.monotonic() - begun
        assert got.status == 200 and got.body == body
        print(f"       256 MiB: put {len(body) / put / 1e6:.0f} MB/s, get {len(body) / took / 1e6:.0f} MB/s")
        assert _value(ask(b, "/reduce", {"a": {"ref": "big"}, "op": "max"})) == n * n - 1 and _fetched(b) == 1


def without_its_database_a_host_uses_the_copies_that_it_has(postgres, binary):
    with Fleet(postgres, binary, 2) as f:
        a, b = f.hosts()
        _put(a, "m", np.eye(100)), _put(a, "other", np.eye(100))
        assert _value(_sum(b, "m")) == 100
        assert "linalgd-queue" not in _sum(b, "m").headers
        postgres.stop("fast")
        until(lambda: ask(b, "/readyz").json()["queue"] == "away")
        r = _sum(b, "m")
        assert _value(r) == 100 and r.headers["linalgd-queue"] == "away", r.headers
        _sum(b, "other").problem(503, "state-failed")
        _sum(b, "m", Prefer="respond-async").problem(503)
        _put(b, "m", np.eye(3), 503)
        ask(b, "/transpose", {"a": [[1]], "store": "x"}).problem(503, "state-failed")
        for r in ask(b, "/matrices"), ask(b, "/matrices/m"), ask(b, "/matrices/m", method="DELETE"), ask(b, "/pipelines"):
            r.problem(503, "state-failed")
            assert "retry-after" in r.headers
        assert ask(b, "/reduce", {"a": [1, 2], "op": "sum"}).status == 200
        postgres.start()
        for h in a, b:
            h.joined()
        assert _value(_sum(b, "other")) == 100 and _put(b, "m", 2 * np.eye(100)).status == 204
        assert _value(_sum(a, "m")) == 200


def limits_of_stored_bytes_hold_for_the_whole_fleet(postgres, binary):
    with tempfile.NamedTemporaryFile("w") as tokens:
        tokens.write("secret-of-ann ann tenant=ann stored=100000\nsecret-of-bob bob tenant=bob\n")
        tokens.flush()
        with Fleet(postgres, binary, 2, "--token-file", tokens.name) as f, concurrent.futures.ThreadPoolExecutor(8) as pool:
            a, b = f.hosts()
            ann, bob = ({"Authorization": "Bearer secret-of-" + n} for n in ("ann", "bob"))
            _put(a, "x", np.zeros(6000), 201, **ann)
            for d in a, b:
                assert ask(d, "/tenant", **ann).json()["use"]["stored_bytes"] == 48000
                assert ask(d, "/tenant", **bob).json()["use"]["stored_bytes"] == 0
            _put(b, "y", np.zeros(7000), 429, **ann)
            _put(b, "y", np.zeros(20000), 413, **ann)
            _put(b, "y", np.zeros(7000), 201, **bob)
            _put(b, "x", np.zeros(12000), 204, **ann)
            assert [m["name"] for m in ask(a, "/matrices", **bob).json()["matrices"]] == ["y"]
            assert ask(a, "/matrices/y", **ann).status == 404 and ask(b, "/matrices/x", **bob).status == 404
            ask(a, "/transpose", {"a": {"generate": "ones", "shape": [100, 100]}, "store": "t"}, **ann).problem(429, "quota-exceeded")
            at = ask(a, "/transpose", {"a": {"generate": "ones", "shape": [100, 100]}, "store": "t"}, Prefer="respond-async", **ann)
            j = until(lambda: (lambda j: j if j["status"] in ("failed", "successful") else None)(
                ask(b, at.headers["location"], **ann).json()))
            assert j["status"] == "failed" and j["error"]["type"] == "/problems/quota-exceeded", j
            ask(b, "/matrices/x", method="DELETE", **ann)
            r = list(pool.map(lambda k: ask((a, b)[k % 2], f"/matrices/m{k}", _npy(np.zeros(4000)), "PUT", Content_Type=NPY,
                                            **ann).status, range(8)))
            assert sorted(r) == 3 * [201] + 5 * [429], r


def copies_make_room(postgres, binary):
    """Each host has memory for a few of the matrices. All can be used, again and again."""
    with Fleet(postgres, binary, 2, "--host-memory", str(96 << 20)) as f:
        a, b = f.hosts()
        for i in range(12):
            _put(a, f"m{i}", np.full((1100, 1100), float(i)))
        for _ in range(2):
            for i in range(12):
                assert _get(b, f"m{i}")[0, 0] == i
                assert _value(ask(b, "/reduce", {"a": {"ref": f"m{i}"}, "op": "max"})) == i
                at = submit(b, "/reduce", {"a": {"ref": f"m{i}"}, "op": "max"})
                assert finished(a, at)["status"] == "successful"
        assert metric(b, "linalgd_fleet_copy_bytes") < 96 << 20 and metric(b, 'linalgd_fleet_matrices_total{outcome="evicted"}') > 5
        assert _put(b, "large", np.zeros((2700, 2700))).status == 201


def a_matrix_lives_as_long_as_it_should(postgres, binary):
    with Fleet(postgres, binary, 2, "--store-ttl", "3600") as f:
        a, b = f.hosts()
        _put(a, "m?ttl=2", np.eye(90)), _put(a, "stays?ttl=0", np.eye(2)), _put(a, "usual", np.eye(2))
        assert _value(_sum(b, "m")) == 90
        rows = {m["name"]: m for m in ask(b, "/matrices").json()["matrices"]}
        assert "expires" in rows["m"] and "expires" in rows["usual"] and "expires" not in rows["stays"], rows
        until(lambda: _sum(b, "m").status == 404)
        assert ask(a, "/matrices/m").status == 404 and _put(b, "m", np.eye(2), If_None_Match="*").status == 201
        until(lambda: f.sql("SELECT count(*) FROM linalgd.matrix") == [["3"]])


def saved_pipelines_belong_to_the_fleet(postgres, binary):
    fit = {"steps": [{"op": "lstsq", "a": "@a", "b": "@b", "as": "x"}]}
    with Fleet(postgres, binary, 2) as f:
        a, b = f.hosts()
        assert ask(a, "/pipelines/fit", fit, "PUT").status == 201
        for h in a, b:
            assert ask(h, "/pipelines/fit").json() == fit
            assert ask(h, "/pipelines").json() == {"pipelines": [{"name": "fit", "steps": 1, "operands": ["a", "b"]}]}
            r = ask(h, "/pipelines/fit", {"a": [[2, 0], [0, 4]], "b": [2, 4]})
            assert r.status == 200 and np.allclose(r.json()["result"]["x"], 1), r.body
        _put(b, "a", np.diag([2.0, 4.0]))
        at = submit(b, "/pipelines/fit", {"b": [2, 4]})
        assert finished(a, at)["status"] == "successful"
        r = ask(a, "/pipelines/fit?b.shape=2&dtype=float64", np.array([2.0, 4.0]).tobytes(), Content_Type="application/octet-stream")
        assert r.status == 200 and np.allclose(r.json()["result"]["x"], 1), r.body
        ask(b, "/pipelines/fit", {"b": [2, 4], "c": 1}).problem(400)
        other = {"steps": [{"op": "solve", "a": {"ref": "a"}, "b": "@b", "as": "x"}]}
        assert ask(b, "/pipelines/fit", other, "PUT").status == 204
        for h in a, b:
            assert ask(h, "/pipelines/fit").json() == other
            assert np.allclose(ask(h, "/pipelines/fit", {"b": [4, 4]}).json()["result"]["x"], [2, 1])
        ask(a, "/pipelines/bad", {"steps": [{"op": "nothing", "as": "x"}]}, "PUT").problem(400)
        ask(a, "/pipelines/.bad", fit, "PUT").problem(400)
        later = {"steps": [{"op": "solve", "a": {"ref": "no"}, "b": "@b", "as": "x"}]}
        assert ask(a, "/pipelines/later", later, "PUT", If_None_Match="*").status == 201
        ask(b, "/pipelines/later", later, "PUT", If_None_Match="*").problem(412)
        ask(b, "/pipelines/later", {"b": [4, 4]}).problem(404)
        assert ask(b, "/pipelines/later", method="DELETE").status == 204
        a.kill()
        assert ask(b, "/pipelines/fit", {"b": [4, 4]}).status == 200
        assert ask(b, "/pipelines/fit", method="DELETE").status == 204
        large = b'{"b":[' + b"1," * 100000 + b"1]}"
        for r in (ask(b, "/pipelines/fit", {"b": [4, 4]}), ask(b, "/pipelines/fit"), ask(b, "/pipelines/fit", method="DELETE"),
                  ask(b, "/pipelines/fit", large, Content_Type="application/json")):
            r.problem(404, "not-found")


def a_role_that_can_only_use_the_tables_is_enough(postgres, binary):
    with Fleet(postgres, binary, 1) as f:
        f.sql("DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA linalgd TO reader;"
              "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA linalgd TO reader;"
              "ALTER ROLE reader SET search_path = linalgd")  # for the trigger of hosts.py
        b = f.start("b", postgres.url(f.database).replace("user=linalgd", "user=reader"))
        assert f.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader'") != [["0"]]
        _put(b, "m", np.eye(100)), _put(b, "m", 2 * np.eye(100))
        assert _value(_sum(f.host["a"], "m")) == 200
        assert ask(b, "/pipelines/p", {"steps": [{"op": "trace", "a": "@m", "as": "t"}]}, "PUT").status == 201
        at = submit(b, "/transpose", {"a": {"ref": "m"}, "store": "t"})
        assert finished(b, at)["status"] == "successful" and _get(b, "t")[1, 1] == 2
        assert ask(b, "/matrices/m", method="DELETE").status == 204
        until(lambda: f.sql("SELECT count(*) FROM linalgd.matrix") == [["1"]])
        # It makes and drops the partitions of payloads by the functions of the schema's owner.
        f.host["a"].stop()
        f.sql("DO $$ DECLARE t text; BEGIN FOR t IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'linalgd.chunk'::regclass"
              " AND inhrelid <> 'linalgd.chunk_kept'::regclass LOOP EXECUTE 'DROP TABLE ' || t; END LOOP; END $$;"
              "SELECT linalgd.add_partition(1000000800)")
        until(lambda: f.sql("SELECT count(*), to_regclass('linalgd.chunk_1000000800') FROM pg_inherits WHERE inhparent = 'linalgd.chunk'::regclass")
              == [["5", ""]])
        at = submit(b, "/transpose", _npy(np.eye(200)), Content_Type=NPY)
        assert finished(b, at)["status"] == "successful"
