"""case_manual.py - what GET /ops says of each operation beyond its tables: every refusal that it names happens."""
import io
import json

import numpy as np

from client import case, curl

I = np.eye(2)
NAN = np.array([[1, np.nan], [2, 1]])
ZERO_DIAGONAL = np.array([[0., 1], [1, 1]])
RECTANGLE = np.ones((2, 3))
STACKS = np.ones((2, 2, 2)), np.ones((3, 2, 2))
TWO, THREE = np.ones(2), np.ones(3)

# For every operation the problems that its refusals name: parameters and operands of a request that has it.
REFUSALS = {
    "eigen": {
        "bad-shape": ({}, {"a": RECTANGLE}),
        "nonfinite": ({}, {"a": NAN}),
        "bad-parameter": ({"which": "largest", "k": 3}, {"a": I}),
        "not-positive-definite": ({"which": "all"}, {"a": I, "b": -I}),
        "impossible": ({"which": "all", "structure": "symmetric"}, {"a": np.array([[1., 2], [3, 4]])}),
        "not-converged": ({"method": "krylov", "max_iterations": 1},
                          {"a": np.random.default_rng(1).random((600, 600))}),
    },
    "lu": {"zero-pivot": ({"pivot": "none"}, {"a": ZERO_DIAGONAL})},
    "solve": {
        "bad-shape": ({}, {"a": RECTANGLE, "b": TWO}),
        "nonfinite": ({}, {"a": NAN, "b": TWO}),
        "singular": ({}, {"a": np.ones((2, 2)), "b": TWO}),
        "not-positive-definite": ({"structure": "spd"}, {"a": -I, "b": TWO}),
        "impossible": ({}, {"b": TWO, "factors": I, "pivots": np.array([9, 9])}),
        "bad-request": ({}, {"b": TWO}),
        "bad-parameter": ({"tol": 1e-3}, {"a": I, "b": TWO}),
        "zero-pivot": ({"method": "gmres", "preconditioner": "ilu0"}, {"a": ZERO_DIAGONAL, "b": TWO}),
        "not-converged": ({"method": "cg", "preconditioner": "none", "max_iterations": 1},
                          {"a": np.diag([1., 2, 3]), "b": THREE}),
    },
    "matmul": {
        "bad-shape": ({}, {"a": RECTANGLE, "b": I}),
        "impossible": ({"dtype": "int32"}, {"a": np.full((2, 2), 2**30), "b": np.full((2, 2), 4)}),
    },
    "kron": {"bad-shape": ({}, dict(zip("ab", STACKS)))},
    "reduce": {
        "bad-shape": ({"axis": 4}, {"a": I}),
        "impossible": ({"op": "max"}, {"a": np.zeros(0)}),
    },
    "norm": {"nonfinite": ({"ord": "2"}, {"a": NAN})},
    "cond": {
        "bad-shape": ({}, {"a": RECTANGLE}),
        "nonfinite": ({}, {"a": NAN}),
        "impossible": ({}, {"a": np.zeros((0, 0))}),
    },
    "expm": {"bad-shape": ({}, {"a": RECTANGLE}), "nonfinite": ({}, {"a": NAN})},
    "transpose": {},
    "spmv": {
        "bad-shape": ({}, {"a": I, "x": THREE}),
        "bad-request": ({"accumulate": "true"}, {"a": I, "x": TWO}),
        "nonfinite": ({"repeat": 3}, {"a": 1e200 * I, "x": TWO}),
    },
    "permute": {
        "bad-shape": ({}, {"a": I, "p": np.arange(3)}),
        "impossible": ({}, {"a": I, "p": np.array([0, 0])}),
    },
    "jacobi": {
        "bad-shape": ({}, {"a": RECTANGLE, "b": TWO}),
        "nonfinite": ({}, {"a": NAN, "b": TWO}),
        "impossible": ({}, {"a": ZERO_DIAGONAL, "b": TWO}),
        "bad-parameter": ({"schedule": "0,0,0"}, {"a": I, "b": TWO}),
        "not-converged": ({}, {"a": np.array([[1., 9], [9, 1]]), "b": TWO}),
    },
    "cholesky": {
        "bad-shape": ({}, {"a": RECTANGLE}),
        "nonfinite": ({}, {"a": np.array([[1, 0], [np.inf, 1]])}),
        "not-positive-definite": ({}, {"a": -I}),
    },
    "det": {"bad-shape": ({}, {"a": RECTANGLE})},
    "inverse": {
        "bad-shape": ({}, {"a": RECTANGLE}),
        "nonfinite": ({}, {"a": NAN}),
        "singular": ({}, {"a": np.ones((2, 2))}),
    },
    "trace": {"bad-shape": ({}, {"a": THREE})},
    "qr": {"nonfinite": ({}, {"a": NAN}), "bad-parameter": ({"mode": "raw", "outputs": "q"}, {"a": I})},
    "svd": {"nonfinite": ({}, {"a": NAN}), "bad-parameter": ({"k": 5}, {"a": I})},
    "lstsq": {"bad-shape": ({}, {"a": I, "b": THREE}), "nonfinite": ({}, {"a": NAN, "b": TWO})},
    "pinv": {"nonfinite": ({}, {"a": NAN})},
}


def send(d, op, parameters, operands):
    body = io.BytesIO()
    np.savez(body, **operands)
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    return curl(d, f"/{op}?{query}", "-H", "Content-Type: application/x-npz", body=body.getvalue())


@case()
def every_refusal_that_an_operation_names_happens(d):
    told = {op["name"]: {r["type"].rsplit("/", 1)[1]: r["status"] for r in op["refusals"]}
            for op in curl(d, "/ops").json()["ops"]}
    assert {op: set(kinds) for op, kinds in told.items()} == {op: set(kinds) for op, kinds in REFUSALS.items()}
    for op, kinds in REFUSALS.items():
        for kind, request in kinds.items():
            problem = send(d, op, *request).problem(told[op][kind])
            assert problem["type"] == f"/problems/{kind}", (op, kind, problem)


@case()
def every_operation_has_a_manual(d):
    for op in curl(d, "/ops").json()["ops"]:
        for text in (op[name] for name in ("mathematics", "work", "verdict", "source")):
            assert len(text) > 10 and text.endswith("."), (op["name"], text)
        page = json.loads(curl(d, "/openapi.json").body)["paths"]["/" + op["name"]]["post"]["description"]
        assert op["mathematics"] in page and op["source"] in page, op["name"]
