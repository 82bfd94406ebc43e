"""case_pipeline_ahead.py - steps of a pipeline are enqueued while earlier ones run; results are as if they were not."""
import io
import json
import urllib.parse

import numpy as np
import scipy.linalg

from case_pipelines import npz
from client import case, curl


@case()
def steps_that_the_host_computes_see_what_the_steps_before_have_computed(d):
    """Large enough that steps are enqueued while earlier ones run; each answer is used once more, on the device."""
    n = 260
    b = np.random.default_rng(9).standard_normal((n, n))
    for step, wanted in (({"op": "inverse"}, lambda c: np.linalg.inv(c)), ({"op": "cholesky"}, lambda c: np.linalg.cholesky(c)),
                         ({"op": "eigen", "which": "all", "structure": "symmetric", "take": "eigenvectors"}, None),
                         ({"op": "expm"}, lambda c: scipy.linalg.expm(c)), ({"op": "pinv"}, lambda c: np.linalg.pinv(c))):
        take = "z." + step.pop("take") if "take" in step else "z"
        steps = [{"op": "matmul", "a": "@b", "b": "@b", "transpose_a": True, "as": "g"},
                 {"op": "matmul", "a": "g", "b": "@s", "as": "c"}, {**step, "a": "c", "as": "z"},
                 {"op": "matmul", "a": take, "b": take, "transpose_a": True, "as": "y"},
                 {"op": "matmul", "a": "y", "b": "@e", "as": "x"}]
        q = "/pipelines?pipeline=" + urllib.parse.quote(json.dumps({"steps": steps, "return": ["c", "x"]}))
        r = curl(d, q, "-H", "Content-Type: application/x-npz", "-H", "Accept: application/x-npz",
                 body=npz(b=b, s=np.eye(n) / n, e=np.eye(n)))
        assert r.status == 200, r.body[:300]
        with np.load(io.BytesIO(r.body)) as z:
            assert np.allclose(z["c"], b.T @ b / n, atol=1e-12)
            z2 = wanted(z["c"]) if wanted else np.eye(n)
            assert np.allclose(z["x"], z2.T @ z2, rtol=1e-8, atol=1e-8 * np.abs(z2.T @ z2).max()), step


@case()
def a_step_that_fails_while_others_wait_harms_nobody(d):
    n = 500
    a = np.random.default_rng(3).standard_normal((n, n))
    steps = [{"op": "matmul", "a": "@a", "b": "@a", "as": f"p{i}"} for i in range(3)]
    steps += [{"op": "cholesky", "a": "p2", "as": "l"}, {"op": "matmul", "a": "l", "b": "p0", "as": "x"}]
    q = "/pipelines?pipeline=" + urllib.parse.quote(json.dumps({"steps": steps, "return": ["x", "p0", "p1"]}))
    product = "/pipelines?pipeline=" + urllib.parse.quote(json.dumps({"steps": steps[:1]}))
    for _ in range(4):
        curl(d, q, "-H", "Content-Type: application/x-npz", body=npz(a=a)).problem(422, "step l")
        r = curl(d, product, "-H", "Content-Type: application/x-npz", "-H", "Accept: application/x-npy", body=npz(a=a))
        assert np.allclose(np.load(io.BytesIO(r.body)), a @ a, atol=1e-10)
