"""scenarios.py - one for each path of the API, each with what its answers must be without a fault.

A scenario talks by Client.say(), which ends it by Refused at the first answer that is an error, so that it needs to know
of success only. What it leaves behind (jobs, stored matrices, pipelines) the driver deletes.
"""
import base64
import glob
import gzip
import http.client
import importlib.machinery
import importlib.util
import io
import json
import mmap
import os
import signal
import socket
import time
import uuid

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TOKEN = "t" * 32
EXAMPLES = os.path.join(HERE, "..", "..", "api", "examples")
SCENARIOS = {}
CLOSED = (http.client.HTTPException, ConnectionError, BrokenPipeError)


class Refused(Exception):
    """An error was answered, or the connection was closed: a scenario ends there."""


class Wrong(Exception):
    """The service did what it must not do, whatever failed."""


def scenario(f):
    SCENARIOS[f.__name__] = f
    return f


def must(good, what):
    if not good:
        raise Wrong(what)


class Client:
    def __init__(self, daemon):
        self.daemon = daemon
        self.said = None            # how the scenario ended: None, "closed" or (status, body)

    def request(self, connection, method, target, body, headers):
        try:
            connection.request(method, target, body, headers, encode_chunked="Transfer-Encoding" in headers)
            r = connection.getresponse()
            return r, r.read()
        except CLOSED as e:
            self.said = "closed"
            raise Refused from e

    def say(self, method, target, body=None, expected=(200,), connection=None, **headers):
        """One request: its answer's headers and body, if the status is expected."""
        headers = {k.replace("_", "-"): v for k, v in headers.items()}
        headers.setdefault("Authorization", "Bearer " + TOKEN)
        if isinstance(body, dict):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        own = connection is None
        connection = connection or http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=120)
        try:
            r, data = self.request(connection, method, target, body, headers)
        finally:
            if own:
                connection.close()
        if r.status in expected:
            return r, data
        self.said = (r.status, data)
        kind = r.headers.get("Content-Type", "")
        must(kind == "application/problem+json" or "/v2" in target and kind == "application/json",
             f"{method} {target}: {r.status} with {kind!r}: {data[:200]}")
        problem = json.loads(data)
        must(problem.get("detail") or problem.get("error"), f"{target}: {problem}")
        raise Refused

    def json(self, *arguments, **more):
        return json.loads(self.say(*arguments, **more)[1])


def ended(c, at):
    """Waits for the job's end; if it failed, its problem ends the scenario."""
    job = c.json("GET", at, Prefer="wait=60")
    if job["status"] == "failed":
        c.say("GET", at + "/result")
    must(job["status"] == "successful", f"{at} is {job['status']}")


def npy(a, version=None):
    f = io.BytesIO()
    np.lib.format.write_array(f, a, version)
    return f.getvalue()


def npz(save=np.savez, **arrays):
    f = io.BytesIO()
    save(f, **arrays)
    return f.getvalue()


def form(*parts):
    boundary = uuid.uuid4().hex.encode()
    body = b"".join(b'--%s\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n' % (boundary, n.encode(), more, v)
                    for n, more, v in parts) + b"--%s--\r\n" % boundary
    return body, "multipart/form-data; boundary=" + boundary.decode()


SMALL = np.arange(12.).reshape(3, 4)
LARGE = np.arange(150. * 120).reshape(150, 120) % 17
TURN = np.arange(20.).reshape(4, 5)
NPY, NPZ, OCTETS, MM = "application/x-npy", "application/x-npz", "application/octet-stream", "application/x-matrix-market"


def same(got, want, what):
    must(np.allclose(np.asarray(got), want), f"{what}: a wrong result")


# --- every operation, by the examples of the API

def examples():
    loader = importlib.machinery.SourceFileLoader("examples_of_api", os.path.join(HERE, "..", "integration", "examples"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("examples_of_api", loader))
    loader.exec_module(module)
    return module


REPLAY = examples()


def example(path):
    first, headers, body = REPLAY.read(path + ".request.http")
    status, wanted, expected = REPLAY.read(path + ".response.http")
    method, target, _ = first.split()

    def play(c):
        connection = http.client.HTTPConnection("127.0.0.1", c.daemon.port, timeout=120)
        headers["Authorization"] = "Bearer " + TOKEN
        try:
            r, data = c.request(connection, method, target, body or None, headers)
        finally:
            connection.close()
        if r.status == int(status.split()[1]) and "json" in wanted.get("Content-Type", ""):
            answer = json.loads(data)
            answer.pop("tenant", None)          # the examples are without tokens
            wrong = REPLAY.differs(json.loads(expected), answer)
        else:
            wrong = r.status != int(status.split()[1])
        if wrong and r.status < 400:
            raise Wrong(f"{target}: {wrong}")
        if wrong:
            c.said = (r.status, data)
            must(json.loads(data)["detail"], f"{target}: {data}")
            raise Refused
    return play


for _path in sorted(glob.glob(os.path.join(EXAMPLES, "*.request.http"))):
    _name = _path[:-len(".request.http")]
    SCENARIOS["example_" + os.path.basename(_name)] = example(_name)


# --- formats

@scenario
def npy_in_and_out(c):
    same(np.load(io.BytesIO(c.say("POST", "/transpose", npy(SMALL), content_type=NPY, accept=NPY)[1])), SMALL.T, "npy")


@scenario
def large_npy(c):
    same(np.load(io.BytesIO(c.say("POST", "/transpose", npy(LARGE), content_type=NPY, accept=NPY)[1])), LARGE.T, "large npy")


@scenario
def converted_npy(c):
    a = np.asfortranarray(LARGE.astype(">f4"))
    same(np.load(io.BytesIO(c.say("POST", "/transpose", npy(a), content_type=NPY, accept=NPY)[1])), LARGE.T, "big-endian npy")


@scenario
def archives(c):
    data = c.say("POST", "/matmul", npz(a=SMALL, b=TURN), content_type=NPZ, accept=NPZ)[1]
    same(np.load(io.BytesIO(data))["c"], SMALL @ TURN, "npz")


@scenario
def deflated_archives(c):
    data = c.say("POST", "/matmul", npz(np.savez_compressed, a=LARGE, b=LARGE.T), content_type=NPZ, accept=NPZ)[1]
    same(np.load(io.BytesIO(data))["c"], LARGE @ LARGE.T, "deflated npz")


@scenario
def forms(c):
    body, kind = form(("a", b"; filename=a.npy", npy(SMALL)), ("b", b"; filename=b.npy", npy(TURN.astype(">i2"))), ("timing", b"", b"none"))
    same(c.json("POST", "/matmul", body, content_type=kind)["result"]["c"], SMALL @ TURN, "form")


@scenario
def raw_octets(c):
    data = c.say("POST", "/matmul?a.shape=3,4&b.shape=4,5&dtype=float64", SMALL.tobytes() + TURN.tobytes(), content_type=OCTETS, accept=OCTETS)[1]
    same(np.frombuffer(data).reshape(3, 5), SMALL @ TURN, "octets")


@scenario
def matrix_market(c):
    text = b"%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 2\n2 2 3\n3 3 4\n1 3 5\n"
    data = c.say("POST", "/transpose", text, content_type=MM, accept=MM)[1]
    must(data.split()[7:] == b"2 0 5 0 3 0 0 0 4".split(), f"Matrix Market: {data}")


@scenario
def sparse_json(c):
    a = {"format": "coo", "shape": [4, 4], "row": [0, 1, 3, 3], "col": [1, 2, 0, 3], "data": [1, 2, 3, 4]}
    same(c.json("POST", "/spmv", {"a": a, "x": [1, 2, 3, 4]})["result"]["y"], [2, 6, 0, 19], "spmv")


@scenario
def sparse_answer(c):
    a = {"format": "csr", "shape": [3, 3], "indptr": [0, 1, 2, 3], "indices": [2, 0, 1], "data": [1, 2, 3]}
    must(c.json("POST", "/permute", {"a": a, "p": [1, 2, 0]})["result"]["a"]["indices"] == [0, 1, 2], "a sparse answer")
    must(b"indptr" in c.say("POST", "/permute", {"a": a, "p": [1, 2, 0]}, accept=NPZ)[1], "a sparse archive")


@scenario
def json_of_all_kinds(c):
    body = {"a": {"shape": [2, 2], "dtype": "float32", "base64": base64.b64encode(np.eye(2, dtype="f4").tobytes()).decode()},
            "b": {"generate": "ramp", "shape": [2, 300]}, "dtype": "float32", "timing": "trace", "timeout_ms": 60000, "priority": 3}
    r, data = c.say("POST", "/matmul", body)
    same(json.loads(data)["result"]["c"], np.arange(600.).reshape(2, 300), "generated")
    must("traceEvents" in c.json("GET", f"/jobs/{r.headers['Linalgd-Job']}/trace"), "a trace")


@scenario
def large_generated(c):
    same(c.json("POST", "/trace", {"a": {"generate": "identity", "shape": [300, 300]}})["result"]["trace"], 300, "trace")


@scenario
def coded_bodies(c):
    body = json.dumps({"a": LARGE.tolist()}).encode()
    for coding, data in (("gzip", gzip.compress(body)), ("identity", body)):
        r, data = c.say("POST", "/trace", data, content_type="application/json", content_encoding=coding, accept_encoding="gzip")
        data = gzip.decompress(data) if r.headers.get("Content-Encoding") == "gzip" else data
        same(json.loads(data)["result"]["trace"], np.trace(LARGE), coding)


@scenario
def large_answers_in_json(c):
    same(c.json("POST", "/transpose", {"a": LARGE.tolist()})["result"]["a"], LARGE.T, "large JSON")


@scenario
def pieces_and_kept_connections(c):
    connection = http.client.HTTPConnection("127.0.0.1", c.daemon.port, timeout=120)
    text = json.dumps({"a": SMALL.tolist()}).encode()
    try:
        for _ in range(3):
            _, data = c.say("POST", "/transpose", iter([text[:9], text[9:]]), connection=connection,
                            Content_Type="application/json", Transfer_Encoding="chunked")
            same(json.loads(data)["result"]["a"], SMALL.T, "chunked")
    finally:
        connection.close()


# --- jobs

ENDLESS = {"a": [[1, -1], [1, 1]], "b": [1, 0], "max_iterations": 10**9}


@scenario
def asynchronous(c):
    r, _ = c.say("POST", "/matmul", {"a": LARGE.tolist(), "b": LARGE.T.tolist()}, (202,), Prefer="respond-async")
    at = r.headers["Location"]
    ended(c, at)
    same(c.json("GET", at + "/result")["result"]["c"], LARGE @ LARGE.T, "asynchronous")
    same(np.load(io.BytesIO(c.say("GET", at + "/result", Accept=NPY)[1])), LARGE @ LARGE.T, "asynchronous npy")
    must(any(j["id"] in at for j in c.json("GET", "/jobs")["jobs"]), "the list of jobs")
    must(b"event" in c.say("GET", at + "/events")[1], "events of a job that has ended")
    c.say("DELETE", at, expected=(204,))


@scenario
def cancelled(c):
    at = c.say("POST", "/jacobi", ENDLESS, (202,), Prefer="respond-async")[0].headers["Location"]
    later = c.say("POST", "/transpose", {"a": SMALL.tolist()}, (202,), Prefer="respond-async", Idempotency_Key="one")[0].headers["Location"]
    again = c.say("POST", "/transpose", {"a": SMALL.tolist()}, (202,), Prefer="respond-async", Idempotency_Key="one")[0].headers["Location"]
    must(later == again, "an idempotent repeat")
    c.say("DELETE", at, expected=(204,))
    ended(c, later)


@scenario
def followed(c):
    at = c.say("POST", "/jacobi", dict(ENDLESS, max_iterations=20000), (202,), Prefer="respond-async")[0].headers["Location"]
    must(b"failed" in c.say("GET", at + "/events")[1], "events")


@scenario
def too_late(c):
    r, _ = c.say("POST", "/jacobi", dict(ENDLESS, timeout_ms=30), (504,))
    must(c.json("GET", "/jobs/" + r.headers["Linalgd-Job"], Prefer="wait=30")["status"] in ("failed", "running"), "a job that was late")


@scenario
def left_alone(c):
    s = socket.create_connection(("127.0.0.1", c.daemon.port))
    body = json.dumps(ENDLESS).encode()
    s.sendall(b"POST /jacobi HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
              % (TOKEN.encode(), len(body)) + body)
    time.sleep(0.05)
    s.close()


# --- what is stored

@scenario
def stored_matrices(c):
    c.say("PUT", "/matrices/m", npy(LARGE), (201,), content_type=NPY)
    c.say("PUT", "/matrices/g?ttl=60", {"matrix": {"generate": "identity", "shape": [150, 150]}}, (201,))
    same(np.load(io.BytesIO(c.say("GET", "/matrices/m?rows=3:9", Accept=NPY)[1])), LARGE[3:9], "rows")
    same(c.json("GET", "/matrices/m")["matrix"], LARGE, "stored")
    must(len(c.json("GET", "/matrices")["matrices"]) == 2, "the list of matrices")
    same(c.json("POST", "/matmul", {"a": {"ref": "g"}, "b": {"ref": "m"}})["result"]["c"], LARGE, "a product of stored ones")
    c.say("POST", "/lu", {"a": [[4, 2], [2, 3]], "store": "lu:f,pivots:p"})
    same(c.json("POST", "/solve", {"factors": {"ref": "f"}, "pivots": {"ref": "p"}, "b": [6, 5]})["result"]["x"], [1, 1], "stored factors")
    c.say("DELETE", "/matrices/m", expected=(204,))


@scenario
def shares(c):
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as s:
        s.settimeout(60)
        fds = []
        try:
            s.connect(c.daemon.path + ".share")
            ids = [c.json("POST", "/shares?bytes=4096", expected=(201,))["id"] for _ in range(2)]
            for id in ids:
                s.send(("claim " + id).encode())
                said, got, _, _ = socket.recv_fds(s, 64, 1)
                fds += got
                if not said.startswith(b"ok"):
                    c.said = "closed"
                    raise Refused
        except CLOSED as e:
            c.said = "closed"
            raise Refused from e
        else:
            memory = [mmap.mmap(fd, 4096) for fd in fds]
            memory[0][:64] = np.arange(16, dtype="f4").tobytes()
            of = {"share": ids[0], "shape": [4, 4], "dtype": "float32"}
            c.json("POST", "/transpose", {"a": of, "into": ids[1]})
            same(np.frombuffer(memory[1][:64], "f4").reshape(4, 4), np.arange(16).reshape(4, 4).T, "a result in a share")
        finally:
            for fd in fds:
                os.close(fd)


STEPS = [{"op": "matmul", "a": "@a", "b": "@b", "as": "c"}, {"op": "lu", "a": "c", "as": "f"},
         {"op": "solve", "factors": "f", "b": "@y", "as": "x"}]
OPERANDS = {"a": [[1, 2], [3, 4]], "b": [[2, 0], [1, 2]], "y": [8, 18]}


@scenario
def pipelines(c):
    same(c.json("POST", "/pipelines", {"steps": STEPS, "return": ["x", "f.pivots"], "store": "x:kept", **OPERANDS})["result"]["x"], [1, 1], "pipeline")
    c.say("PUT", "/pipelines/p", {"steps": STEPS, "return": ["x"]}, (201,))
    same(c.json("POST", "/pipelines/p", OPERANDS)["result"]["x"], [1, 1], "a saved pipeline")
    must(c.json("GET", "/pipelines/p")["steps"] and c.json("GET", "/pipelines")["pipelines"], "a saved pipeline is described")
    r, _ = c.say("POST", "/pipelines/p", npz(**{k: np.array(v, float) for k, v in OPERANDS.items()}), (202,), Content_Type=NPZ, Prefer="respond-async")
    same(c.json("GET", r.headers["Location"] + "/result", Prefer="wait=60")["result"]["x"], [1, 1], "a pipeline of an archive")
    c.say("DELETE", "/pipelines/p", expected=(204,))


def tensor(name, a):
    return {"name": name, "shape": list(a.shape), "datatype": "FP64", "data": a.ravel().tolist()}


@scenario
def inference(c):
    c.say("GET", "/v2")
    c.say("GET", "/v2/models/matmul")
    c.say("GET", "/v2/models/matmul/config")
    c.say("GET", "/v2/models/stats")
    c.say("POST", "/v2/repository/index", b"", content_length="0")
    told = c.json("POST", "/v2/models/matmul/infer", {"inputs": [tensor("a", SMALL), tensor("b", TURN)]})
    same(np.ravel(told["outputs"][0]["data"]), (SMALL @ TURN).ravel(), "an inference")


@scenario
def binary_inference(c):
    inputs = [{"name": n, "shape": list(a.shape), "datatype": "FP64", "parameters": {"binary_data_size": a.nbytes}} for n, a in (("a", SMALL), ("b", TURN))]
    head = json.dumps({"inputs": inputs, "outputs": [{"name": "c", "parameters": {"binary_data": True}}]}).encode()
    _, data = c.say("POST", "/v2/models/matmul/infer", head + SMALL.tobytes() + TURN.tobytes(), content_type=OCTETS,
                    Inference_Header_Content_Length=str(len(head)))
    same(np.frombuffer(data[-120:]), (SMALL @ TURN).ravel(), "a binary inference")


# --- pages, errors, tokens, workers

@scenario
def sheets(c):
    for target in ("/", "/docs", "/healthz", "/readyz", "/version", "/devices", "/ops", "/kernels", "/openapi.json", "/problems", "/problems/busy"):
        c.say("GET", target)


@scenario
def metrics(c):
    for accept in ("text/plain", "application/openmetrics-text;version=1.0.0",
                   "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"):
        must(c.say("GET", "/metrics", Accept=accept)[1], "metrics")


@scenario
def errors(c):
    for status, method, target, body, kind in ((400, "POST", "/lu", b"{", "application/json"), (404, "GET", "/nothing", None, ""),
                                               (405, "DELETE", "/lu", None, ""), (415, "POST", "/lu", b"x", "text/plain"),
                                               (400, "POST", "/lu?what=1", b'{"a":[[1]]}', "application/json"), (400, "POST", "/lu", b"\x93NUMPY", NPY),
                                               (400, "POST", "/matmul", b"PK", NPZ), (422, "POST", "/matmul", b'{"a":[[1,2]],"b":[[1,2]]}', "application/json"),
                                               (400, "POST", "/lu?a=1&&", b'{"a":[[1]],"dtyp":"float64"}', "application/json")):
        c.say(method, target, body, (status,), content_type=kind)
    c.say("GET", "/jobs", expected=(401,), Authorization="Bearer wrong")


@scenario
def tokens_are_read_again(c):
    os.kill(c.daemon.process.pid, signal.SIGHUP)
    time.sleep(0.02)            # a signal has no answer
    c.say("GET", "/jobs")
