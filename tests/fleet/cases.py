"""cases.py - the cases of tests/fleet/run. Each starts a fleet of its own. Any host may run a job, so a case must not depend on
which one does, unless it has occupied the others."""
import concurrent.futures
import contextlib
import datetime
import email.utils
import io
import json
import os
import socket
import subprocess
import tempfile
import time
import uuid

import numpy as np

from hosts import LEASE, Fleet, Wire, ask, finished, job, metric, submit, until
from postgres import Pair, Postgres, Replica

ENDLESS = {"a": [[1, -1], [1, 1]], "b": [1, 0], "max_iterations": 10**9}
rng = np.random.default_rng(7)


def _npy(a):
    b = io.BytesIO()
    np.save(b, a)
    return b.getvalue()


def _result(d, at, media="application/json"):
    r = ask(d, at + "/result", Accept=media)
    assert r.status == 200, (r.status, r.body[:500])
    return r


def _occupy(pool, host):
    """Occupies the host's only device with a synchronous request that does not end; returns the future of its reply."""
    client = pool.submit(ask, host, "/jacobi", dict(ENDLESS, timeout_ms=60000))
    until(lambda: metric(host, "linalgd_device_jobs_running") == 1 or _runs(host))
    return client


def _runs(host):
    """The host's running jobs that are not the fleet's."""
    return [j for j in ask(host, "/jobs?status=running").json()["jobs"] if "host" not in j]


def _free(host):
    """Ends what _occupy() began."""
    for j in _runs(host):
        ask(host, "/jobs/" + j["id"], method="DELETE")


def _waiting(host):
    return ask(host, "/jobs?status=accepted").json()["jobs"]


def _begin(host, path, body):
    """Sends the head of a request, and returns when the host asks for the body."""
    s = socket.create_connection(("127.0.0.1", host.port))
    s.sendall(f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
              f"Content-Length: {len(body)}\r\n\r\n".encode())
    assert s.recv(4096).startswith(b"HTTP/1.1 100 ")
    return s, body


def _end(s, body):
    """Sends the body, and returns the status of the reply."""
    with s:
        s.sendall(body)
        return int(s.recv(4096).split()[1])


def every_kind_of_job_gives_what_it_gives_on_one_host(postgres, binary):
    """Jobs of all kinds of operands, results and errors. One host accepts each job, the other replies with its result in all
    formats; the reply must equal that of a synchronous request."""
    a, z = rng.standard_normal((6, 6)), rng.standard_normal((4, 4)) + 1j * rng.standard_normal((4, 4))
    requests = [
        ("/lu", {"a": a.tolist()}), ("/eigen", {"a": (a + a.T).tolist(), "which": "all"}),
        ("/solve", {"a": a.tolist(), "b": [1, 2, 3, 4, 5, 6], "quality": "full"}),
        ("/solve", {"a": [[1, 2], [2, 4]], "b": [1, 2]}), ("/cholesky", {"a": [[1, 2], [2, 1]]}),
        ("/solve", {"a": [[[1, 2], [2, 4]], [[2, 0], [0, 2]]], "b": [[1, 2], [2, 4]]}),
        ("/matmul", {"a": {"real": z.real.tolist(), "imag": z.imag.tolist()}, "b": np.eye(4).tolist()}),
        ("/reduce", {"a": [1, 2, 3], "op": "sum", "dtype": "int32"}),
        ("/permute", {"a": {"format": "csr", "shape": [2, 3], "indptr": [0, 1, 2], "indices": [1, 2], "data": [5, 6]}, "p": [1, 0]}),
        ("/matmul", {"a": {"generate": "random", "shape": [300, 300], "seed": 1}, "b": {"generate": "identity", "shape": [300, 300]},
                     "dtype": "float32"}),
        ("/pipelines", {"a": a.tolist(), "steps": [{"op": "matmul", "a": "@a", "b": "@a", "as": "square"},
                                                   {"op": "trace", "a": "square", "as": "t"}], "return": ["t.trace"]}),
    ]
    formats = ["application/json", "application/x-npy", "application/octet-stream", "application/x-npz",
               "application/x-matrix-market"]
    changes = {"id", "timing", "host", "instance"}
    with Fleet(postgres, binary, 2) as f:
        hosts = f.hosts()
        for i, (path, document) in enumerate(requests):
            here = ask(hosts[i % 2], path, document)
            at = submit(hosts[i % 2], path, document)
            assert finished(hosts[(i + 1) % 2], at)["status"] == ("successful" if here.status == 200 else "failed"), (path, here.body)
            for media in formats if here.status == 200 else formats[:1]:
                plain = ask(hosts[i % 2], path, document, Accept=media)
                far = ask(hosts[(i + 1) % 2], at + "/result", Accept=media)
                assert far.status == plain.status, (path, media, far.body, plain.body)
                if "json" in far.headers["content-type"]:
                    one, two = ({k: v for k, v in r.json().items() if k not in changes} for r in (plain, far))
                    assert one == two, (path, one, two)
                else:
                    assert far.body == plain.body, (path, media)
        listed = [ask(h, "/jobs?limit=1000").json()["jobs"] for h in hosts]
        ours = [[j for j in jobs if "host" in j] for jobs in listed]
        assert len(ours[0]) == len(requests) and ours[0] == ours[1], (len(ours[0]), len(ours[1]))
        assert ask(hosts[0], "/jobs/" + "0" * 32).status == ask(hosts[0], "/jobs/nonsense").status == 404
        f.check_once()


def a_job_accepted_at_one_host_runs_on_another_and_is_read_from_a_third(postgres, binary):
    large = rng.standard_normal((1500, 1500))
    with Fleet(postgres, binary, 3) as f, concurrent.futures.ThreadPoolExecutor() as pool:
        a, b, c = f.hosts()
        clients = [_occupy(pool, a), _occupy(pool, c)]
        small = submit(a, "/matmul", {"a": [[2]], "b": [[3]]})
        at = submit(a, "/transpose", _npy(large), Content_Type="application/x-npy")
        assert job(c, at)["id"] == at.split("/")[-1]
        for x in small, at:
            j = finished(c, x)
            assert j["status"] == "successful" and j["host"] == "b", j
        assert (np.load(io.BytesIO(_result(c, at, "application/x-npy").body)) == large.T).all()
        assert _result(a, small).json()["result"]["c"] == [[6]]
        assert metric(b, "linalgd_fleet_runs_total") >= 4 and metric(a, "linalgd_fleet_accepted_total") == 2
        events = ask(a, at + "/events").body.decode()
        assert "event: end" in events and "successful" in events, events
        stages = ask(c, at + "/trace")
        assert stages.status in (200, 404), stages.body
        for h in a, c:
            _free(h)
        for x in clients:
            x.result()


def a_large_result_survives_its_hosts(postgres, binary):
    """The operand and the result are of 46 MiB each, and so in chunks. Both hosts are killed before the result is read."""
    large = rng.standard_normal((2450, 2450))
    with Fleet(postgres, binary, 2) as f:
        a, b = f.hosts()
        at = submit(a, "/transpose", _npy(large), Content_Type="application/x-npy")
        assert finished(b, at)["status"] == "successful"
        chunks = [int(r[0]) for r in f.sql("SELECT count(*) FROM linalgd.chunk GROUP BY run")]
        assert len(chunks) == 2 and all(45 <= n <= 50 for n in chunks), chunks
        a.kill()
        b.kill()
        c = f.start("c")
        assert (np.load(io.BytesIO(_result(c, at, "application/x-npy").body)) == large.T).all()
        assert ask(c, at, method="DELETE").status == 204
        assert ask(c, at).status == 404
        assert f.sql("SELECT count(*) FROM linalgd.chunk") == [["0"]]


def repeats_of_a_key_at_two_fronts_make_one_job(postgres, binary):
    with Fleet(postgres, binary, 2) as f, concurrent.futures.ThreadPoolExecutor(16) as pool:
        hosts, n = f.hosts(), 40
        keys = [str(uuid.uuid4()) for _ in range(n)]

        def send(i):
            return submit(hosts[i % 2], "/matmul", {"a": [[i // 4]], "b": [[2]]}, Idempotency_Key=keys[i // 4])
        at = list(pool.map(send, range(4 * n)))
        assert len(set(at)) == n and all(len(set(at[4 * i:4 * i + 4])) == 1 for i in range(n)), len(set(at))
        assert f.sql("SELECT count(*) FROM linalgd.job") == [[str(n)]]
        for i in range(n):
            assert finished(hosts[0], at[4 * i])["status"] == "successful"
            r = ask(hosts[i % 2], "/matmul", {"a": [[i]], "b": [[2]]}, Idempotency_Key=keys[i])
            assert r.status == 200 and r.json()["result"]["c"] == [[2 * i]] and r.headers["linalgd-job"] in at[4 * i], r.body
        ask(hosts[1], "/matmul", {"a": [[1]], "b": [[1]]}, Idempotency_Key=keys[0]).problem(422, "key-reused")
        again = submit(hosts[1], "/jacobi", ENDLESS, Idempotency_Key="endless")
        ask(hosts[0], "/jacobi", ENDLESS, Idempotency_Key="endless").problem(409, "conflict")
        assert ask(hosts[0], again, method="DELETE").status == 204
        other = submit(hosts[0], "/jacobi", ENDLESS, Idempotency_Key="endless")
        assert other != again
        ask(hosts[1], other, method="DELETE")
        f.check_once()


def only_a_whole_id_names_a_job(postgres, binary):
    with Fleet(postgres, binary, 1) as f:
        a, = f.hosts()
        at = submit(a, "/det", {"a": [[2]]})
        finished(a, at)
        for path in (at + "0", at + "%20", at[:-1], "/jobs/%ff", "/jobs/%zz", "/jobs/nope"):
            for method, more in (("GET", ""), ("DELETE", ""), ("POST", "/retry"), ("GET", "/result"), ("GET", "/events"), ("GET", "/trace")):
                ask(a, path + more, method=method).problem(404, "not-found")
        assert ask(a, at + "/result").status == 200
        assert " error " not in a.log(), a.log()


def a_dismissal_reaches_the_host_that_runs_the_job(postgres, binary):
    with Fleet(postgres, binary, 2) as f:
        at = [submit(f.host["a"], "/jacobi", ENDLESS) for _ in range(2)]
        waits = submit(f.host["b"], "/jacobi", ENDLESS)
        owners = [f.owner(x) for x in at]
        assert owners[0] is not owners[1]
        for x, owner in zip(at, owners):
            other = f.others(owner)[0]
            ask(other, x + "/result").problem(409, "conflict")
            assert job(other, x)["host"] == owner.name and "device" not in job(other, x), job(other, x)
            assert job(owner, x)["host"] == owner.name and until(lambda: job(owner, x).get("device"))["index"] == 0, job(owner, x)
            assert [j["host"] for j in ask(other, "/jobs?status=running").json()["jobs"] if x.endswith(j["id"])] == [owner.name]
            if x == at[0]:
                assert ask(other, waits, method="DELETE").status == 204
            assert ask(other, x, method="DELETE").status == 204
            for h in f.hosts():
                assert job(h, x)["status"] == "dismissed" and "host" not in job(h, x), job(h, x)
                ask(h, x + "/result").problem(409, "dismissed")
        last = submit(f.host["a"], "/matmul", {"a": [[2]], "b": [[3]]})
        assert finished(f.host["b"], last)["status"] == "successful"
        until(lambda: all(metric(h, 'linalgd_fleet_jobs{state="leased"}') == 0 for h in f.hosts()))
        assert ask(f.host["b"], at[0], method="DELETE").status == 204
        assert ask(f.host["a"], at[0]).status == 404
        f.check_once()


def no_accepted_job_is_lost_or_recorded_twice_when_hosts_are_killed(postgres, binary):
    """Each of three hosts is killed once while clients submit jobs. Every job that was accepted with 202 must end with its result."""
    with Fleet(postgres, binary, 3) as f, concurrent.futures.ThreadPoolExecutor(6) as pool:
        ledger, stop = {}, []

        def client(i):
            n = 0
            while not stop:
                n += 1
                x, hosts = 1000 * i + n, f.hosts()
                a = {"generate": "random", "shape": [200, 200], "seed": x} if n % 8 == 0 else [[x]]
                document = {"a": a, "op": "norminf"} if n % 8 == 0 else {"a": [x, 1], "op": "sum"}
                try:
                    at = submit(hosts[n % len(hosts)], "/reduce", document, Idempotency_Key=str(x))
                    ledger[at] = None if n % 8 == 0 else x + 1
                except (OSError, AssertionError, EOFError):
                    time.sleep(0.05)
                except Exception as e:
                    if "http.client" not in type(e).__module__:
                        raise
        clients = [pool.submit(client, i) for i in range(6)]
        for name in "abc":
            before = len(ledger)
            until(lambda: len(ledger) > before + 40)
            f.host[name].kill()
            f.start(name)
        stop.append(True)
        for c in clients:
            c.result()
        assert len(ledger) > 120
        last = f.host["b"]
        for at, value in ledger.items():
            j = finished(last, at)
            assert j["status"] == "successful", j
            if value is not None:
                assert _result(last, at).json()["result"]["value"] == value
        until(lambda: f.sql("SELECT count(*) FROM linalgd.job WHERE state IN ('accepted', 'running')") == [["0"]])
        f.check_once()
        print(f"       {len(ledger)} accepted, 0 lost, 0 recorded twice; "
              f"{f.sql('SELECT count(*) FROM linalgd.job WHERE epoch > 1')[0][0]} ran again")


def _steps_of(seconds, host):
    """The number of iterations that jacobi does on a small system in that time."""
    n = 2000
    while True:
        begun = time.monotonic()
        ask(host, "/jacobi", dict(ENDLESS, max_iterations=n)).problem(422, "not-converged")
        took = time.monotonic() - begun
        if took > 0.3:
            return int(n * seconds / took)
        n *= 4


def a_stalled_host_loses_its_lease_and_its_late_result_is_refused(postgres, binary):
    """The front of the host that runs a job is paused, while its worker finishes it. Another host runs the job and records its end.
    When the first host goes on, its end must be refused."""
    with Fleet(postgres, binary, 2) as f:
        steps = _steps_of(LEASE, f.host["a"])
        ask(f.host["b"], "/jacobi", dict(ENDLESS, max_iterations=10))
        at = submit(f.host["a"], "/jacobi", dict(ENDLESS, max_iterations=steps))
        owner = f.owner(at)
        other = f.others(owner)[0]
        owner.pause()
        j = finished(other, at)
        assert j["status"] == "failed" and j["error"]["type"] == "/problems/not-converged" and j["host"] == other.name, j
        assert f.ends(at) == [["2", "failed"]]
        owner.resume()
        until(lambda: metric(owner, 'linalgd_fleet_runs_total{outcome="fenced"}') == 1)
        assert f.ends(at) == [["2", "failed"]] and job(owner, at) == job(other, at)
        owner.joined()
        assert finished(owner, submit(owner, "/matmul", {"a": [[2]], "b": [[3]]}))["status"] == "successful"


def a_job_that_three_hosts_were_lost_with_fails(postgres, binary):
    with Fleet(postgres, binary, 2) as f:
        at = submit(f.host["a"], "/jacobi", ENDLESS)
        for n in range(3):
            until(lambda: f.sql("SELECT attempts FROM linalgd.job WHERE state = 'running'") == [[str(n + 1)]])
            owner = f.owner(at)
            owner.kill()
            if n < 2:
                f.start(owner.name)
        j = finished(f.hosts()[0], at)
        assert j["status"] == "failed" and j["error"]["type"] == "/problems/device-failure", j
        assert "3 hosts were lost" in j["error"]["detail"] and j["error"]["detail"].count("Z") == 2, j
        assert f.sql("SELECT dead, array_length(string_to_array(trim(history), ' at '), 1) FROM linalgd.job") == [["t", "4"]]
        last = f.hosts()[0]
        ask(last, at + "/result").problem(500, "device-failure")
        good = submit(last, "/matmul", {"a": [[2]], "b": [[3]]})
        assert finished(last, good)["status"] == "successful"
        ask(last, good + "/retry", method="POST").problem(409, "conflict")
        ask(last, "/jobs/" + "0" * 32 + "/retry", method="POST").problem(404, "not-found")
        r = ask(last, at + "/retry", method="POST")
        assert r.status == 202 and r.headers["location"] == at, (r.status, r.body)
        assert f.owner(at) is last and job(last, at)["status"] == "running"
        assert ask(last, at, method="DELETE").status == 204


def a_host_that_stops_gives_its_jobs_to_the_others(postgres, binary):
    with Fleet(postgres, binary, 2) as f:
        at = submit(f.host["a"], "/jacobi", ENDLESS)
        owner = f.owner(at)
        assert owner.stop() == 0
        other = f.hosts()[0]
        assert f.owner(at) is other
        assert f.sql("SELECT attempts, epoch, history FROM linalgd.job") == [["1", "2", ""]]
        assert f.sql("SELECT count(*) FROM linalgd.node") == [["1"]]
        assert ask(other, at, method="DELETE").status == 204


def a_host_whose_database_refuses_an_end_stops_in_time(postgres, binary):
    """The database refuses every end by an SQL error. SIGTERM ends the host soon after --drain-seconds, and once the database takes
    ends again another host runs the job."""
    with Fleet(postgres, binary, 1) as f:
        f.sql("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no end is taken'; END $$;"
              "CREATE TRIGGER refuse BEFORE UPDATE ON linalgd.job FOR EACH ROW WHEN (NEW.state = 'successful') EXECUTE FUNCTION refuse()")
        host = f.host["a"]
        at = submit(host, "/matmul", {"a": [[2]], "b": [[3]]})
        until(lambda: "no end is taken" in host.log())
        assert job(host, at)["status"] == "running"
        begun = time.monotonic()
        assert host.stop(20) == 0, host.log()[-2000:]
        assert time.monotonic() - begun < 10
        f.sql("DROP TRIGGER refuse ON linalgd.job")
        other = f.start("b")
        assert finished(other, at)["host"] == "b" and _result(other, at).json()["result"]["c"] == [[6]]
        f.check_once()


def a_refused_end_has_one_line_in_the_log_until_it_is_accepted(postgres, binary):
    """The database refuses the end of one job and takes those of others, so that its answers alternate. The log tells when that
    began, when it ended, and nothing between."""
    with Fleet(postgres, binary, 1) as f:
        f.sql("CREATE SEQUENCE refusals; CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
              "PERFORM nextval('refusals'); RAISE EXCEPTION 'no end is taken'; END $$;"
              "CREATE TRIGGER refuse BEFORE UPDATE ON linalgd.job FOR EACH ROW WHEN (NEW.state = 'successful' AND NEW.serial = 1) "
              "EXECUTE FUNCTION refuse()")
        host = f.host["a"]
        at = submit(host, "/matmul", {"a": [[2]], "b": [[3]]})

        def lines():
            return [line for line in host.log().splitlines() if "the queue's database" in line or "not to be had" in line]

        until(lambda: any("no end is taken" in line for line in lines()))
        for _ in range(4):
            seen = f.sql("SELECT last_value FROM refusals")[0][0]
            until(lambda: f.sql("SELECT last_value FROM refusals")[0][0] > seen)
            finished(host, submit(host, "/transpose", {"a": [[1, 2]]}))
        assert len(lines()) == 1 and "refuses a change" in lines()[0], lines()
        assert ask(host, "/readyz").json()["queue"] != "away"
        f.sql("DROP TRIGGER refuse ON linalgd.job")
        assert finished(host, at)["status"] == "successful"
        until(lambda: any("accepts again" in line for line in lines()))
        assert len(lines()) == 2, lines()
        f.check_once()


def without_its_database_a_host_serves_what_needs_none(postgres, binary):
    with Fleet(postgres, binary, 2) as f:
        a, b = f.hosts()
        f.sql("ALTER SYSTEM SET synchronous_commit = on")
        long = submit(a, "/jacobi", ENDLESS)
        kept = submit(a, "/matmul", {"a": [[2]], "b": [[3]]})
        finished(b, kept)
        for mode in "fast", "immediate":
            postgres.stop(mode)
            until(lambda: ask(a, "/readyz").json()["queue"] == "away")
            assert ask(a, "/readyz").status == 200
            r = ask(b, "/matmul", {"a": [[2]], "b": [[3]]}, Prefer="respond-async")
            r.problem(503, "state-failed")
            assert int(r.headers["retry-after"]) >= 1
            ask(a, "/matmul", {"a": [[2]], "b": [[3]]}, Idempotency_Key="away").problem(503)
            for h in a, b:
                assert ask(h, kept).status == 503 and ask(h, "/jobs").status == 503
            free = [h for h in f.hosts() if not metric(h, 'linalgd_fleet_jobs{state="leased"}')]
            assert ask(free[0], "/matmul", {"a": [[4]], "b": [[3]]}).json()["result"]["c"] == [[12]]
            postgres.start()
            for h in f.hosts():
                h.joined()
            assert _result(b, kept).json()["result"]["c"] == [[6]]
            again = submit(b, "/matmul", {"a": [[5]], "b": [[3]]})
            assert finished(a, again)["status"] == "successful"
            assert f.owner(long)
        assert ask(b, long, method="DELETE").status == 204
        f.check_once()


def a_host_with_a_free_device_claims_what_it_accepts_and_wakes_nobody(postgres, binary):
    job = {"a": [[2]], "b": [[3]]}
    with Fleet(postgres, binary, 2) as f, concurrent.futures.ThreadPoolExecutor(8) as pool:
        a, b = f.hosts()

        def is_quiet():
            until(lambda: not metric(a, 'linalgd_fleet_jobs{state="leased"}'))
            with postgres.listening(f.database, "linalgd_job") as heard:
                host = finished(b, submit(a, "/matmul", job))["host"]
            return host == "a" and heard == []

        # On a busy machine the other host, which looks once a second for jobs that wait, may find one just before the first host
        # claims it, and the device may not be free yet for the next job.
        assert sum(is_quiet() for _ in range(10)) >= 3
        client = _occupy(pool, a)
        with postgres.listening(f.database, "linalgd_job") as heard:
            assert finished(b, submit(a, "/matmul", job))["host"] == "b"
        assert heard            # once, unless the job waits so long on a busy machine that it is told of again
        _free(a)
        client.result()
        # None is forgotten that the host could not claim after all.
        clients = [pool.submit(lambda: [finished(b, submit(a, "/matmul", job))["status"] for _ in range(25)]) for _ in range(6)]
        own = [ask(a, "/matmul", job).status for _ in range(100)]
        assert set(own) == {200} and {s for c in clients for s in c.result()} == {"successful"}
        f.check_once()


def jobs_that_another_host_has_run_do_not_count_as_waiting(postgres, binary):
    job, limit = {"a": [[2]], "b": [[3]]}, 6
    with Fleet(postgres, binary, 2, "--queue-limit", str(limit)) as f, concurrent.futures.ThreadPoolExecutor(1) as pool:
        a, b = f.hosts()
        client = _occupy(pool, a)
        for _ in range(5):
            jobs = [submit(a, "/matmul", job) for _ in range(limit)]
            assert all(finished(b, j)["status"] == "successful" for j in jobs)
        _free(a)
        client.result()


def a_full_host_has_the_fleet_run_synchronous_requests(postgres, binary):
    with Fleet(postgres, binary, 1, "--queue-limit", "2") as f, concurrent.futures.ThreadPoolExecutor(8) as pool:
        a, full = f.host["a"], {"a": [[1]], "b": [[1]]}
        clients = [_occupy(pool, a)]
        clients += [pool.submit(ask, a, "/jacobi", dict(ENDLESS, timeout_ms=60000)) for _ in range(2)]
        until(lambda: metric(a, "linalgd_queue_depth") == 2)
        # Another host's device runs what does not fit, whatever the size and the format.
        b = f.start("b")
        small = ask(a, "/matmul", {"a": [[2]], "b": [[3]]})
        assert small.status == 200 and small.json()["result"]["c"] == [[6]], (small.status, small.body[:500])
        large = rng.standard_normal((700, 700))
        r = ask(a, "/transpose", {"a": large.tolist()}, Accept="application/x-npy")
        assert r.status == 200 and (np.load(io.BytesIO(r.body)) == large.T).all(), (r.status, r.body[:500])
        ask(a, "/solve", {"a": [[1, 2], [2, 4]], "b": [1, 1]}).problem(422, "singular")
        tensors = [{"name": n, "shape": [1, 1], "datatype": "FP64", "data": [3]} for n in ("a", "b")]
        r = ask(a, "/v2/models/matmul/infer", {"inputs": tensors})
        assert r.status == 200 and r.json()["outputs"][0]["data"] == [[9]], (r.status, r.body[:500])
        steps = [{"as": "s", "op": "matmul", "a": [[2]], "b": [[4]]}]
        r = ask(a, "/pipelines", {"steps": steps})
        assert r.status == 200 and "8" in r.body.decode(), (r.status, r.body[:500])
        ask(a, "/matmul", {"a": [[2]], "b": [[3, "x"]]}).problem(400)
        assert metric(a, "linalgd_fleet_spilled_total") == 5 and metric(b, "linalgd_fleet_spilled_total") == 0
        # Their rows are deleted.
        until(lambda: f.sql("SELECT count(*) FROM linalgd.job") == [["0"]])
        # A request spills over, too, if the queue becomes full while its body is under way.
        ask(a, "/jobs/" + _waiting(a)[0]["id"], method="DELETE")
        until(lambda: metric(a, "linalgd_queue_depth") == 1)
        slow = [_begin(a, "/transpose", json.dumps({"a": m.tolist()}).encode()) for m in (large[:2], large)]
        clients.append(pool.submit(ask, a, "/jacobi", dict(ENDLESS, timeout_ms=60000)))
        until(lambda: metric(a, "linalgd_queue_depth") == 2)
        assert [_end(*x) for x in slow] == [200, 200] and metric(a, "linalgd_fleet_spilled_total") == 7
        r = ask(a, "/matmul?store=c", full)
        assert r.status == 200 and r.json()["stored"]["c"]["name"] == "c" and r.json()["host"] == "b", (r.status, r.body[:500])
        # A client that leaves takes its job with it. The fleet has room as soon as host a has counted what waits.
        until(lambda: metric(a, 'linalgd_fleet_jobs{state="waiting"}') == 0)
        with socket.create_connection(("127.0.0.1", a.port)) as s:
            text = json.dumps(ENDLESS).encode()
            s.sendall(b"POST /jacobi HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                      b"Content-Length: %d\r\n\r\n%b" % (len(text), text))
            until(lambda: metric(b, 'linalgd_fleet_jobs{state="leased"}') == 1)
        until(lambda: metric(b, 'linalgd_fleet_jobs{state="leased"}') == 0, 5)
        assert {row[0] for row in f.sql("SELECT state FROM linalgd.job")} == {"dismissed"}
        # Without the database there is nobody to turn to.
        postgres.stop("fast")
        try:
            until(lambda: ask(a, "/readyz").json()["queue"] == "away")
            ask(a, "/matmul", full).problem(503, "busy")
        finally:
            postgres.start()
        for h in f.hosts():
            h.joined()
        while any(not c.done() for c in clients):
            _free(a)
        assert ask(a, "/matmul", full).status == 200


def a_host_that_is_cut_off_loses_its_jobs_and_comes_back(postgres, binary):
    """Its connections to the database transfer nothing, but stay open, for longer than its lease."""
    with Fleet(postgres, binary, 1) as f, Wire(postgres) as wire:
        b = f.start("b", wire.url(f.database))
        at = [submit(f.host["a"], "/jacobi", ENDLESS) for _ in range(2)]
        mine = next(x for x in at if f.owner(x) is b)
        wire.cut()
        assert ask(f.host["a"], next(x for x in at if x != mine), method="DELETE").status == 204
        until(lambda: f.sql(f"SELECT owner LIKE 'a-%', epoch FROM linalgd.job WHERE id = '{mine.split('/')[-1]}'") == [["t", "2"]])
        until(lambda: metric(b, 'linalgd_fleet_runs_total{outcome="abandoned"}') == 1)
        until(lambda: ask(b, "/readyz").json()["queue"] == "away")
        assert ask(b, "/matmul", {"a": [[4]], "b": [[3]]}).json()["result"]["c"] == [[12]]
        ask(b, "/matmul", {"a": [[4]], "b": [[3]]}, Prefer="respond-async").problem(503, "state-failed")
        assert ask(f.host["a"], mine, method="DELETE").status == 204
        wire.mend()
        b.joined()
        for x in at:
            ask(b, x, method="DELETE")
        assert finished(f.host["a"], submit(b, "/matmul", {"a": [[4]], "b": [[3]]}))["status"] == "successful"
        f.check_once()


def _fleet(d):
    return ask(d, "/devices").json()["fleet"]


def _names(d):
    return sorted(h["host"] for h in _fleet(d)["hosts"])


def _lists_the_fleet(d, names):
    """`linalgd devices --url` prints the host's own devices, and then those of each other host."""
    done = subprocess.run([d.binary, "devices", "--url", d.url], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and lines[0] == "host " + names[0], done
    heads = [line.split(", seen ")[0] for line in lines if line.startswith("host ")]
    assert sorted(heads) == ["host " + name for name in names], done
    assert sum(line.startswith("0  cpu  ") for line in lines) == len(names), done
    whole = subprocess.run([d.binary, "devices", "--url", d.url, "--json"], capture_output=True)
    assert sorted(h["host"] for h in json.loads(whole.stdout)["fleet"]["hosts"]) == names, whole


def every_host_shows_all_hosts_and_their_devices(postgres, binary):
    """The third host's name has a byte that is not UTF-8. A host of the version before the columns host, leased and shown is
    simulated by rows as it wrote them."""
    with Fleet(postgres, binary, 2) as f:
        f.start("ç\udcff")
        names, hosts = ["a", "b", "ç\ufffd"], f.hosts()
        for h, name in zip(hosts, names):
            until(lambda: _names(h) == names)
            sheet = ask(h, "/devices").json()
            assert sheet["fleet"]["host"] == name and set(sheet) == {"devices", "fleet"}, sheet
            own = next(x for x in sheet["fleet"]["hosts"] if x["host"] == name)["devices"]
            for key in "index", "name", "type", "float64":
                assert [d[key] for d in own] == [d[key] for d in sheet["devices"]], (key, own)
            for d, whole in zip(own, sheet["devices"]):
                assert 0.9 * whole["global_memory_bytes"] < d["memory_bytes"] <= whole["global_memory_bytes"], (d, whole)
            for x in sheet["fleet"]["hosts"]:
                assert 0 <= x["seen_s"] <= LEASE + sheet["fleet"]["age_s"], sheet
            assert metric(h, "linalgd_fleet_hosts") == metric(h, 'linalgd_fleet_devices{type="cpu"}') == 3
            assert metric(h, 'linalgd_fleet_devices{type="gpu"}') == metric(h, 'linalgd_fleet_devices{type="other"}') == 0
        _lists_the_fleet(hosts[0], names)
        at = submit(hosts[0], "/jacobi", ENDLESS)
        for h in hosts:
            until(lambda: sorted(x["leased"] for x in _fleet(h)["hosts"]) == [0, 0, 1])
        owner = f.sql(f"SELECT host FROM linalgd.node JOIN linalgd.job ON owner = node.id WHERE job.id = '{at.split('/')[-1]}'")
        assert [x["host"] for x in _fleet(hosts[0])["hosts"] if x["leased"]] == owner[0], owner
        assert ask(hosts[0], at, method="DELETE").status == 204
        f.sql("INSERT INTO linalgd.node(id, seen) VALUES('old-1-00', now() + interval '1 hour');"
              "INSERT INTO linalgd.device VALUES('old-1-00', 0, 'gpu', 'some gpu', false, 1000)")
        until(lambda: "old-1-00" in _names(hosts[1]))
        old = next(x for x in _fleet(hosts[1])["hosts"] if x["host"] == "old-1-00")
        assert old == {"host": "old-1-00", "seen_s": old["seen_s"], "devices": [
            {"index": 0, "name": "some gpu", "type": "gpu", "float64": False, "memory_bytes": 1000}]}, old
        assert metric(hosts[1], 'linalgd_fleet_devices{type="gpu"}') == 1 and metric(hosts[1], "linalgd_fleet_hosts") == 4
        # Its lease has lapsed, but its row is not deleted yet.
        f.sql(f"UPDATE linalgd.node SET seen = now() - {2 * LEASE} * interval '1 s' WHERE id = 'old-1-00'")
        until(lambda: all(_names(h) == names for h in hosts))
        assert f.sql("SELECT count(*) FROM linalgd.node") == [["4"]]
        f.host["a"].kill()
        until(lambda: all(_names(h) == names[1:] for h in hosts[1:]))
        assert f.host["b"].stop() == 0
        until(lambda: _names(hosts[2]) == names[2:])
        assert metric(hosts[2], "linalgd_fleet_hosts") == 1


def without_its_database_a_host_shows_the_hosts_that_it_last_read(postgres, binary):
    with Fleet(postgres, binary, 2) as f:
        for h in f.hosts():
            until(lambda: _names(h) == ["a", "b"])
        postgres.stop("fast")
        for h in f.hosts():
            until(lambda: ask(h, "/readyz").json()["queue"] == "away")
            until(lambda: _fleet(h)["age_s"] > 2 * LEASE)
            sheet = ask(h, "/devices").json()
            assert sheet["devices"][0]["healthy"] and _names(h) == ["a", "b"], sheet
            for x in sheet["fleet"]["hosts"]:
                assert sheet["fleet"]["age_s"] <= x["seen_s"] <= sheet["fleet"]["age_s"] + LEASE, sheet
            text = ask(h, "/metrics").body.decode()
            assert "linalgd_fleet_ready 0" in text and "linalgd_fleet_hosts" not in text and "linalgd_fleet_devices" not in text
        postgres.start()
        for h in f.hosts():
            h.joined()
            until(lambda: _names(h) == ["a", "b"] and _fleet(h)["age_s"] < LEASE)
            until(lambda: metric(h, "linalgd_fleet_hosts") == 2)


def no_accepted_job_is_lost_when_a_replica_takes_over(postgres, binary):
    del postgres
    with Postgres() as primary, Replica(primary) as replica, Fleet(Pair(primary, replica), binary, 2) as f:
        a, b = f.host["a"], f.host["b"]
        before = [submit(d, "/matmul", {"a": [[i, 1], [0, 1]], "b": [[1, 0], [0, 1]]}) for i in range(20) for d in (a, b)]
        long = submit(a, "/jacobi", dict(ENDLESS, max_iterations=_steps_of(2, a)))
        f.owner(long)
        f.postgres.fail_over()
        until(lambda: ask(a, "/readyz").json().get("queue") == "ready")
        until(lambda: ask(b, "/readyz").json().get("queue") == "ready")
        for at in before:
            assert finished(b, at)["status"] == "successful", at
        assert finished(b, long)["status"] == "failed", "it does not converge"
        f.check_once()
        assert f.sql("SELECT count(*) FROM ended")[0][0] == str(len(before) + 1)
        assert finished(a, submit(b, "/matmul", {"a": [[1]], "b": [[2]]}))["status"] == "successful"


def clocks_that_differ_by_an_hour_change_nothing(postgres, binary):
    """The wall clocks of two hosts are wrong. Leases, deadlines and the times in replies are by the database's clock."""
    with tempfile.TemporaryDirectory() as directory, Fleet(postgres, binary, 1) as f:
        library = os.path.join(directory, "wrong_clock.so")
        source = os.path.join(os.path.dirname(__file__), "wrong_clock.c")
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-Wall", source, "-o", library], check=True)
        for name, by in ("b", "3600"), ("c", "-3600"):
            f.start(name, env={"LD_PRELOAD": library, "WRONG_CLOCK": by})
        told = [email.utils.parsedate_to_datetime(ask(h, "/version").headers["date"]).timestamp() - time.time() for h in f.hosts()]
        assert [round(x / 3600) for x in told] == [0, 1, -1], told
        endless = [submit(h, "/jacobi", dict(ENDLESS, timeout_ms=int(2 * LEASE * 1000))) for h in f.hosts()]
        owners = {f.owner(x).name: x for x in endless}
        assert sorted(owners) == ["a", "b", "c"], owners
        for name, x in owners.items():
            j = finished(f.others(f.host[name])[0], x)
            assert j["status"] == "failed" and j["error"]["type"] == "/problems/timeout", j
            assert f.ends(x) == [["1", "failed"]], f.ends(x)
            moments = [datetime.datetime.fromisoformat(j[k].replace("Z", "+00:00")).timestamp()
                       for k in ("created", "started", "finished")]
            assert moments == sorted(moments) and abs(moments[2] - time.time()) < 60, (j, time.time())
            assert 2 * LEASE - 1 < moments[2] - moments[0] < 6 * LEASE, moments
        quick = [submit(h, "/matmul?timeout_ms=60000", {"a": [[2]], "b": [[3]]}) for h in f.hosts() for _ in range(5)]
        assert all(finished(f.host["c"], x)["status"] == "successful" for x in quick)
        f.check_once()


def a_host_may_start_before_its_database(postgres, binary):
    with Fleet(postgres, binary, 1) as f:
        postgres.stop("fast")
        late = Fleet(postgres, binary, 0)
        late.database = f.database
        with late.stack:
            try:
                from hosts import Host
                b = late.stack.enter_context(Host(binary, postgres.url(f.database), "b"))
                assert ask(b, "/readyz").json()["queue"] == "away"
                assert ask(b, "/matmul", {"a": [[4]], "b": [[3]]}).status == 200
                assert _fleet(b) == {"host": "b", "hosts": []}
            finally:
                postgres.start()
            b.joined()
            assert finished(b, submit(b, "/matmul", {"a": [[4]], "b": [[3]]}))["status"] == "successful"


def jobs_wait_for_a_host_that_fits_and_end_when_there_is_none(postgres, binary):
    with Fleet(postgres, binary, 2) as f:
        a = f.host["a"]
        for query, member, at in ("?device=no-such-device", {}, {"parameter": "device"}), ("", {"device": "no"}, {"pointer": "#/device"}):
            p = ask(a, "/matmul" + query, {"a": [[1]], "b": [[1]], **member}, Prefer="respond-async").problem(400, "bad-parameter")
            assert [{k: v for k, v in e.items() if k != "detail"} for e in p["errors"]] == [at], p
        name = ask(a, "/devices").json()["devices"][0]["name"]
        for device in "cpu", "0", name[:7].upper():
            assert finished(a, submit(a, f"/matmul?device={device}", {"a": [[1]], "b": [[1]]}))["status"] == "successful"
        # A made-up node has the only GPU, so no real host may claim these jobs.
        f.sql("INSERT INTO linalgd.node VALUES('ghost', now() + interval '1 hour');"
              "INSERT INTO linalgd.device VALUES('ghost', 0, 'gpu', 'ghostly', true, 1000000000)")
        at = submit(a, "/matmul?device=gpu", {"a": [[1]], "b": [[1]]}, )
        other = submit(a, "/matmul?device=GHOST&timeout_ms=700", {"a": [[1]], "b": [[1]]})
        assert finished(a, submit(a, "/matmul", {"a": [[1]], "b": [[1]]}))["status"] == "successful"
        assert job(a, at)["status"] == "accepted"
        j = finished(a, other)
        assert j["status"] == "failed" and j["error"]["type"] == "/problems/timeout", j
        assert ask(a, at, method="DELETE").status == 204
        # A row whose request no host can read: both hosts refuse it.
        f.sql("INSERT INTO linalgd.job(id, tenant, rank, need_device, need_float64, need_memory, operand_bytes, request, operands)"
              f" VALUES('{'0' * 32}', '', now(), 'cpu', false, 0, 0, convert_to(E'op trace\\nnonsense 1\\n', 'UTF8'), '')")
        f.sql("DELETE FROM linalgd.node WHERE id = 'ghost'; NOTIFY linalgd_job")
        until(lambda: f.sql(f"SELECT state, array_length(refused, 1) FROM linalgd.job WHERE id = '{'0' * 32}'") == [["failed", "2"]])


def results_live_as_long_as_they_should(postgres, binary):
    with Fleet(postgres, binary, 1, "--result-ttl", "0.5") as f:
        a = f.host["a"]
        at = submit(a, "/transpose", _npy(rng.standard_normal((100, 100))), Content_Type="application/x-npy")
        finished(a, at)
        until(lambda: ask(a, at + "/result").status == 410)
        assert job(a, at)["status"] == "successful"


def tenants_see_their_own_jobs_and_queues_are_bounded(postgres, binary):
    with open(os.path.join("/tmp", f"linalgd-tokens-{os.getpid()}"), "w") as tokens:
        tokens.write("secret-of-ann ann tenant=ann\nsecret-of-bob bob tenant=bob queued=1\nsecret-of-eve eve scopes=admin\n")
    try:
        with Fleet(postgres, binary, 2, "--token-file", tokens.name, "--queue-limit", "4") as f:
            a, b = f.hosts()
            ann, bob, eve = ({"Authorization": "Bearer secret-of-" + n} for n in ("ann", "bob", "eve"))
            endless = [submit(a, "/jacobi", ENDLESS, **ann) for _ in range(2)]
            for x in endless:
                f.owner(x)
                assert ask(b, x, **bob).status == ask(b, x + "/result", **bob).status == 404
                assert ask(b, x, method="DELETE", **bob).status == 404
            waits = submit(b, "/matmul", {"a": [[1]], "b": [[1]]}, **bob)
            ask(a, "/matmul", {"a": [[1]], "b": [[1]]}, Prefer="respond-async", **bob).problem(429, "quota-exceeded")
            assert [j["id"] for j in ask(a, "/jobs", **bob).json()["jobs"]] == [waits.split("/")[-1]]
            # From then on only host a accepts jobs, which it counts at once.
            until(lambda: metric(a, 'linalgd_fleet_jobs{state="waiting"}', **eve) == 1)
            r = until(lambda: (lambda r: r if r.status != 202 else None)(
                ask(a, "/matmul", {"a": [[1]], "b": [[1]]}, Prefer="respond-async", **ann)))
            r.problem(503, "busy")
            assert "retry-after" in r.headers
            assert int(f.sql("SELECT count(*) FROM linalgd.job WHERE state = 'accepted'")[0][0]) <= 4
            for x in endless:
                assert ask(b, x, method="DELETE", **ann).status == 204
            assert _finished_as(a, waits, bob)["status"] == "successful"
    finally:
        os.unlink(tokens.name)


def a_tenant_with_many_jobs_leaves_others_their_share(postgres, binary):
    """Checks the order in which waiting jobs are claimed: bob's small job, submitted last, comes before ann's large ones, and the
    turns of cat, whose weight is 4, are a quarter as far apart as ann's."""
    with tempfile.NamedTemporaryFile("w") as tokens:
        tokens.write("secret-of-ann ann tenant=ann\nsecret-of-bob bob tenant=bob\nsecret-of-cat cat tenant=cat weight=4\n")
        tokens.flush()
        with Fleet(postgres, binary, 1, "--token-file", tokens.name) as f:
            a = f.host["a"]
            ann, bob, cat = ({"Authorization": "Bearer secret-of-" + n} for n in ("ann", "bob", "cat"))
            # Of a predicted time that is much longer than what all requests take.
            n = 5000
            large = {"a": {"format": "csr", "shape": [n, n], "indptr": list(range(n + 1)), "indices": list(range(n)), "data": [1] * n},
                     "x": {"generate": "ones", "shape": [n]}, "repeat": 10**6}
            small = {"a": [[1]], "b": [[1]]}
            first = submit(a, "/spmv", large, **ann)
            f.owner(first)
            waits = {submit(a, "/spmv", large, **ann): "ann" for _ in range(4)}
            waits[submit(a, "/matmul", small, **bob)] = "bob"
            waits.update({submit(a, "/spmv", large, **cat): "cat" for _ in range(4)})
            urgent = submit(a, "/matmul?priority=0", small, **ann)
            rows = f.sql("SELECT id, extract(epoch FROM turn) FROM linalgd.job WHERE state = 'accepted' ORDER BY rank, serial")
            order = [waits.get("/jobs/" + row[0], "urgent") for row in rows]
            assert order[0] == "urgent" and order[1] == "bob", order
            turns = {who: [float(t) for i, t in rows if waits.get("/jobs/" + i) == who] for who in ("ann", "cat")}
            step = {who: (t[-1] - t[0]) / (len(t) - 1) for who, t in turns.items()}
            assert 3.5 < step["ann"] / step["cat"] < 4.5, step
            for at in [first, urgent, *waits]:
                who = {"ann": ann, "bob": bob, "cat": cat}[waits.get(at, "ann")]
                assert ask(a, at, method="DELETE", **who).status in (204, 200), at


def _finished_as(d, at, who):
    return until(lambda: (lambda j: j if j["status"] == "successful" else None)(ask(d, at, **who).json()))


def through_an_edge_a_killed_host_is_not_missed(postgres, binary):
    """The edge is HAProxy with deploy/haproxy.fleet.cfg."""
    with Fleet(postgres, binary, 2) as f, _edge(f) as edge:
        at = [submit(edge, "/matmul", {"a": [[i]], "b": [[2]]}) for i in range(20)]
        assert len({finished(edge, x)["host"] for x in at}) >= 1
        f.host["a"].kill()
        later = []
        while len(later) < 20:
            r = ask(edge, "/matmul", {"a": [[len(later)]], "b": [[2]]}, Prefer="respond-async", Idempotency_Key=f"n{len(later)}")
            if r.status == 202:
                later.append(r.headers["location"])
            else:
                assert r.status in (502, 503), (r.status, r.body)
        for jobs in at, later:
            for i, x in enumerate(jobs):
                assert finished(edge, x)["status"] == "successful"
                assert _result(edge, x).json()["result"]["c"] == [[2 * i]]
        f.check_once()


@contextlib.contextmanager
def _edge(f):
    """Runs HAProxy on a free port for two of the fleet's hosts. Nothing listens at the address of the third server."""
    class Edge:
        pass
    with socket.socket() as s, socket.socket() as nobody:
        s.bind(("127.0.0.1", 0))
        nobody.bind(("127.0.0.1", 0))
        Edge.port = s.getsockname()[1]
        s.close()
        places = dict(zip(("LINALGD_A", "LINALGD_B"), (f"127.0.0.1:{h.port}" for h in f.hosts())))
        places["LINALGD_C"] = f"127.0.0.1:{nobody.getsockname()[1]}"
        config = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "deploy", "haproxy.fleet.cfg")
        process = subprocess.Popen(["haproxy", "-db", "-f", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env={**os.environ, **places, "LINALGD_EDGE": f"127.0.0.1:{Edge.port}"})
    try:
        until(lambda: _answers(Edge))
        yield Edge
    finally:
        process.terminate()
        process.wait()


def _answers(edge):
    try:
        return ask(edge, "/readyz").status == 200
    except OSError:
        return False
