"""triton.py BINARY - see run."""
import json
import os
import sys
import traceback
import urllib.error
import urllib.request

import numpy as np
import tritonclient.http as triton
from tritonclient.utils import InferenceServerException, np_to_triton_dtype

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from daemon import Daemon

RNG = np.random.default_rng(7)
A = RNG.standard_normal((40, 40))
B = RNG.standard_normal((40, 30))


def infer(c, model, outputs=(), binary=True, request_id="", parameters=None, **operands):
    inputs = []
    for name, array in operands.items():
        one = triton.InferInput(name, array.shape, np_to_triton_dtype(array.dtype))
        one.set_data_from_numpy(array, binary_data=binary)
        inputs.append(one)
    wanted = [triton.InferRequestedOutput(name, binary_data=binary) for name in outputs] or None
    return c.infer(model, inputs, outputs=wanted, request_id=request_id, parameters=parameters)


def post(d, path, body, **headers):
    """Sends a request that no client of the protocol would send; returns the reply's status and JSON."""
    r = urllib.request.Request(d.url + path, body, {k.replace("_", "-"): v for k, v in headers.items()})
    try:
        with urllib.request.urlopen(r, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as e:
        return e.code, json.load(e)


def refused(status, call):
    try:
        call()
    except InferenceServerException as e:
        assert e.status() == str(status), e
        return e.message()
    raise AssertionError("it was not refused")


def test_the_server_is_alive_and_says_what_it_is(d, c):
    assert c.is_server_live() and c.is_server_ready()
    said = c.get_server_metadata()
    assert said["name"] == "linalgd" and "binary_tensor_data" in said["extensions"], said


def test_each_operation_is_a_model(d, c):
    with urllib.request.urlopen(d.url + "/ops") as r:
        ops = {o["name"]: o for o in json.load(r)["ops"]}
    assert {m["name"] for m in c.get_model_repository_index()} == set(ops)
    for name, op in ops.items():
        said = c.get_model_metadata(name)
        assert [i["name"] for i in said["inputs"]] == [i["name"] for i in op["inputs"]], said
        assert [o["name"] for o in said["outputs"]] == [o["name"] for o in op["outputs"]], said
        assert c.is_model_ready(name) and c.is_model_ready(name, "1")
        with urllib.request.urlopen(f"{d.url}/v2/models/{name}/ready") as r:
            assert json.load(r) == {"name": name, "ready": True}
        assert c.get_model_config(name)["output"][0]["data_type"].startswith("TYPE_")
    outputs = {o["name"]: o for o in c.get_model_metadata("lu", "1")["outputs"]}
    assert outputs["pivots"] == {"name": "pivots", "datatype": "INT64", "shape": [-1]}, outputs
    assert outputs["singular"]["datatype"] == "BOOL" and outputs["lu"]["shape"] == [-1, -1], outputs


def test_products_come_back_in_the_operands_type(d, c):
    for dtype in (np.float32, np.float64):
        for binary in (True, False):
            a, b = A.astype(dtype), B.astype(dtype)
            found = infer(c, "matmul", ["c"], binary, a=a, b=b).as_numpy("c")
            assert found.dtype == dtype and np.allclose(found, a @ b, rtol=0, atol=1e-3 if dtype == np.float32 else 1e-12)
    half = infer(c, "matmul", ["c"], parameters={"dtype": "float16"}, a=A.astype(np.float16), b=B.astype(np.float16))
    assert half.as_numpy("c").dtype == np.float16
    whole = np.arange(12, dtype=np.int32).reshape(3, 4)
    assert (infer(c, "matmul", a=whole, b=whole.T.copy()).as_numpy("c") == whole @ whole.T).all()
    for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.uint32, np.uint64, np.bool_):
        assert infer(c, "reduce", a=np.ones((3, 4), dtype)).as_numpy("value") == 12, dtype


def test_several_outputs_follow_each_other(d, c):
    found = infer(c, "lu", a=A)
    assert found.get_output("sign")["shape"] == [] and not found.as_numpy("singular")
    found = infer(c, "lu", ["u", "p", "l"], a=A)
    p, l, u = (found.as_numpy(name) for name in ("p", "l", "u"))
    assert np.allclose(A[p], l @ u) and found.as_numpy("lu") is None
    found = infer(c, "lu", ["p", "l", "u"], binary=False, a=A)
    assert np.allclose(A[found.as_numpy("p")], found.as_numpy("l") @ found.as_numpy("u"))


def test_parameters_are_those_of_the_operation(d, c):
    s = A + A.T
    found = infer(c, "eigen", ["eigenvalues"], parameters={"which": "all", "structure": "symmetric"}, a=s)
    assert np.allclose(found.as_numpy("eigenvalues"), np.linalg.eigvalsh(s))
    assert infer(c, "reduce", parameters={"op": "max", "axis": 0}, a=A).as_numpy("values").tolist() == A.max(0).tolist()
    found = infer(c, "solve", a=A, b=B, parameters={"transpose_a": True})
    assert np.allclose(A.T @ found.as_numpy("x"), B)


def test_stacks_tell_which_matrices_failed(d, c):
    stack = np.stack([np.eye(3), -np.eye(3)])
    found = infer(c, "cholesky", a=stack)
    assert found.as_numpy("failed").tolist() == [1] and np.isnan(found.as_numpy("l")[1]).all()


def test_requests_keep_their_id(d, c):
    assert infer(c, "det", request_id="mine", a=A).get_response()["id"] == "mine"
    assert len(infer(c, "det", a=A).get_response()["id"]) == 32


def test_asynchronous_requests_are_answered(d, c):
    one = triton.InferInput("a", A.shape, "FP64")
    one.set_data_from_numpy(A)
    waiting = [c.async_infer("trace", [one]) for _ in range(8)]
    assert all(abs(w.get_result().as_numpy("trace") - A.trace()) < 1e-12 for w in waiting)


def test_large_tensors_pass_both_ways(d, c):
    big = RNG.standard_normal((700, 700))
    for binary in (True, False):
        assert (infer(c, "transpose", ["a"], binary, a=big).as_numpy("a") == big.T).all()


def test_errors_are_told_as_the_protocol_does(d, c):
    assert "nosuch" in refused(404, lambda: c.get_model_metadata("nosuch"))
    assert "nosuch" in refused(404, lambda: infer(c, "nosuch", a=A))
    refused(404, lambda: infer(c, "lu", a=A, parameters=None) if c.get_model_metadata("lu", "2") else None)
    assert "no operand q" in refused(400, lambda: infer(c, "lu", q=A))
    assert "which" in refused(400, lambda: infer(c, "eigen", a=A, parameters={"which": "best"}))
    assert "singular" in refused(422, lambda: infer(c, "solve", a=np.zeros((2, 2)), b=np.ones(2)))
    assert "no output" in refused(400, lambda: infer(c, "lu", ["x"], a=A))


BAD = (
    b"", b"[]", b"{", b"{}", b'{"inputs":1}', b'{"inputs":[1]}', b'{"inputs":[{}]}', b'{"inputs":[],"x":1}',
    b'{"inputs":[{"name":"a","shape":[1],"datatype":"FP64","data":7}]}',
    b'{"inputs":[{"name":"a","shape":[1],"datatype":"FP64","data":"0"}]}',
    b'{"inputs":[{"name":"a","shape":[3],"datatype":"FP64","data":[1,2]}]}',
    b'{"inputs":[{"name":"a","shape":[2],"datatype":"FP64","data":[1,[2]]}]}',
    b'{"inputs":[{"name":"a","shape":[-1],"datatype":"FP64","data":[1]}]}',
    b'{"inputs":[{"name":"a","shape":[1],"datatype":"BYTES","data":["x"]}]}',
    b'{"inputs":[{"name":"a","shape":[1],"datatype":"FP65","data":[1]}]}',
    b'{"inputs":[{"name":"a","shape":[1],"datatype":"FP64","data":[1],"data":[1]}]}',
    b'{"inputs":[{"name":"a","shape":[1],"datatype":"FP64","data":[1',
    b'{"inputs":[{"name":"a","shape":[1],"datatype":"FP64","parameters":{"binary_data_size":8}}]}',
    b'{"inputs":[{"name":"a","shape":[1],"datatype":"FP64","parameters":{"shared_memory_region":"x"}}]}',
    b'{"inputs":[{"name":"a","shape":[1],"datatype":"FP64","data":[1]},{"name":"a","shape":[1],"datatype":"FP64","data":[1]}]}',
    b'{"parameters":{"timeout":0},"inputs":[{"name":"a","shape":[1],"datatype":"FP64","data":[1]}]}',
    b'{"parameters":{"nosuch":1},"inputs":[{"name":"a","shape":[1],"datatype":"FP64","data":[1]}]}',
    b'{"outputs":[{"name":"value","parameters":{"binary_data":1}}],"inputs":[]}',
    b'{"inputs":[{"name":"a","shape":[9999999999,9999999999],"datatype":"FP64","parameters":{"binary_data_size":8}}]}',
)


def test_what_is_malformed_is_refused(d, c):
    good = b'{"inputs":[{"name":"a","shape":[1,1],"datatype":"FP64","data":[[7]]}]}'
    status, answer = post(d, "/v2/models/reduce/infer", good)
    assert status == 200 and answer["outputs"][0]["data"] == [7], answer
    for body in BAD:
        status, answer = post(d, "/v2/models/reduce/infer", body)
        assert 400 <= status < 423 and answer["error"] == answer["detail"], (body, status, answer)
    for length in ("x", "-1", "9999", "3", ""):
        status, answer = post(d, "/v2/models/reduce/infer", good, Inference_Header_Content_Length=length)
        assert status == 400 and answer["error"], (length, status, answer)
    status, answer = post(d, "/v2/models/reduce/infer", good + b"12345678", Inference_Header_Content_Length=str(len(good)))
    assert status == 400 and "binary_data_size" in answer["error"], answer


def test_statistics_count_what_was_inferred(d, c):
    def done(model):
        return c.get_inference_statistics(model)["model_stats"][0]["inference_stats"]
    before = done("norm")
    infer(c, "norm", a=A)
    refused(422, lambda: infer(c, "norm", a=np.full((2, 2), np.nan), parameters={"ord": 2}))
    after = done("norm")
    assert after["success"]["count"] == before["success"]["count"] + 1, (before, after)
    assert after["compute_infer"]["ns"] > before["compute_infer"]["ns"], (before, after)
    assert len(c.get_inference_statistics()["model_stats"]) > 10


def main():
    passed = failed = 0
    with Daemon(os.path.abspath(sys.argv[1])) as d, triton.InferenceServerClient(f"127.0.0.1:{d.port}", concurrency=4) as c:
        for name, test in [(n, t) for n, t in globals().items() if n.startswith("test_")]:
            try:
                test(d, c)
                passed += 1
            except Exception:
                failed += 1
                print(f"FAILED {name[5:]}: {traceback.format_exc()[-600:]}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
