"""case_upgrade.py - the state that earlier versions wrote is read by this one.

tests/data/state-N is what the first release whose journal has version N wrote,
by tests/upgrade/make_state. A later version of the journal adds a directory;
none of them is ever changed, because users have such state.
"""
import datetime
import glob
import io
import os
import shutil
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "torture"), os.path.join(HERE, "..", "upgrade")]
from case_formats import accept
from case_pipelines import A, B, SOLVE, Y
from client import ENDLESS, case, curl, dismiss, finished, job, post, running, submit
from service import Service

OPTIONS = ("--result-ttl", "1e8", "--default-timeout-ms", "0", "--drain-seconds", "1")
SQUARE = [[float(60 * i + j) for j in range(60)] for i in range(60)]
STATES = sorted(glob.glob(os.path.join(HERE, "..", "data", "state-*")))


def key(name):
    return "-H", f"Idempotency-Key: {name}"


def by_op(s, status):
    return {(j["op"], j["priority"]): "/jobs/" + j["id"] for j in curl(s, f"/jobs?limit=100&status={status}").json()["jobs"]}


def age(s, at):
    end = datetime.datetime.fromisoformat(job(s, at)["finished"].replace("Z", "+00:00"))
    return (datetime.datetime.now(datetime.timezone.utc) - end).total_seconds()


def check_result(s, at, right):
    """A result can be fetched for three years at most."""
    r = curl(s, at + "/result")
    if age(s, at) > 1e8 - 3600:
        assert r.status in (200, 410), r.body
    else:
        assert r.status == 200 and right(r.json()), r.body[:500]


def check_ended(s):
    good = by_op(s, "successful")
    check_result(s, good["lu", 5], lambda r: r["result"]["lu"] == [[2, 1], [0.5, 2.5]])
    check_result(s, good["transpose", 5], lambda r: r["result"]["a"] == np.transpose(SQUARE).tolist())
    check_result(s, good["solve", 5], lambda r: r["result"]["failed"][0]["index"] == 0 and r["result"]["x"][1] == [[0.5, 1], [1, 2]])
    check_result(s, good["pipeline", 5], lambda r: np.allclose(np.dot(A, B) @ r["result"]["x"], Y))
    failed = by_op(s, "failed")["solve", 5]
    curl(s, failed + "/result").problem(422, "singular")
    assert submit(s, "/solve", {"a": [[1, 2], [2, 4]], "b": [1, 2]}, *key("singular")) == failed


def check_stored(s):
    r = curl(s, "/matrices/dense", *accept("x-npy"))
    assert (np.load(io.BytesIO(r.body)) == SQUARE).all() and r.headers["etag"]
    m = curl(s, "/matrices/sparse").json()["matrix"]
    assert m["indices"] == [1, 2] and m["data"] == [5, 6] and m["format"] == "csr", m
    x = post(s, "/pipelines/saved", {"a": A, "b": B, "y": Y}).json()["result"]["x"]
    assert np.allclose(np.dot(A, B) @ x, Y)


def check_waiting(s):
    """Each is found by its key. The endless one occupies the device until it is dismissed."""
    endless = submit(s, "/jacobi", ENDLESS, *key("endless"))
    small = submit(s, "/matmul", {"a": [[2]], "b": [[3]], "store": "six", "priority": 7}, *key("small"))
    waits = submit(s, "/transpose", {"a": SQUARE, "dtype": "float32"}, *key("waits"))
    chain = submit(s, "/pipelines", {**SOLVE, "a": A, "b": B, "y": Y}, *key("chain-waits"))
    assert len(curl(s, "/jobs?limit=100").json()["jobs"]) == 9, "a repeat made a job"
    running(s, endless)
    dismiss(s, endless)
    for at in (small, waits, chain):
        assert finished(s, at)["status"] == "successful", job(s, at)
    assert curl(s, waits + "/result").json()["result"]["a"] == np.transpose(SQUARE).tolist()
    assert (np.load(io.BytesIO(curl(s, "/matrices/six", *accept("x-npy")).body)) == 6).all()


@case()
def the_state_of_each_earlier_version_is_read(d):
    assert STATES
    for path in STATES:
        with Service(d.binary, *OPTIONS) as s:
            shutil.copytree(path, s.state, dirs_exist_ok=True)
            s.start()
            assert s.until_ready(), s.log()[-2000:]
            check_ended(s)
            check_waiting(s)
            check_stored(s)
