"""case_pipeline_complex.py - complex matrices between the steps of a pipeline."""
import numpy as np

from client import case, post

RANDOM = np.random.default_rng(5)
A, B, Y = (RANDOM.standard_normal((9, n)) + 1j * RANDOM.standard_normal((9, n)) for n in (9, 9, 2))


def parts(m):
    return {"real": m.real.tolist(), "imag": m.imag.tolist()}


def whole(j):
    return np.array(j["real"]) + 1j * np.array(j["imag"])


def ask(d, steps, returned, **operands):
    return post(d, "/pipelines", {"steps": steps, "return": returned, **operands})


def product(**options):
    return {"op": "matmul", "a": "@a", "b": "@b", "as": "c", **options}


def of_product(**step):
    return [product(), {"as": "x", **step}]


@case()
def complex_products_are_factored_and_solved_with(d):
    steps = [product(), {"op": "lu", "a": "c", "as": "f"}, {"op": "solve", "factors": "f", "b": "@y", "as": "x"}]
    r = ask(d, steps, ["x", "c"], a=parts(A), b=parts(B), y=parts(Y))
    assert r.status == 200, r.body
    result = r.json()["result"]
    assert np.allclose(whole(result["c"]), A @ B, rtol=1e-13)
    assert np.allclose(A @ B @ whole(result["x"]), Y, rtol=1e-10)


@case()
def operations_take_complex_intermediates(d):
    wanted = {"inverse": np.linalg.inv(A @ B), "transpose": (A @ B).T, "matmul": A @ B @ B}
    steps = {"inverse": {}, "transpose": {}, "matmul": {"b": "@b"}}
    for op, operands in steps.items():
        r = ask(d, of_product(op=op, a="c", **operands), ["x"], a=parts(A), b=parts(B))
        assert r.status == 200, (op, r.body)
        assert np.allclose(whole(r.json()["result"]["x"]), wanted[op], rtol=1e-10), op


@case()
def an_intermediate_becomes_complex128(d):
    steps = [product(dtype="complex64"), {"op": "matmul", "a": "c", "b": "@b", "as": "x", "dtype": "complex128"}]
    r = ask(d, steps, ["x"], a=parts(A), b=parts(B))
    assert r.status == 200, r.body
    x = whole(r.json()["result"]["x"])
    narrow = A.astype("c8") @ B.astype("c8")
    assert 1e-12 < np.abs(x - A @ B @ B).max() and np.allclose(x, narrow @ B, atol=1e-4)


@case()
def a_real_intermediate_beside_a_complex_operand_is_refused(d):
    r = ask(d, of_product(op="matmul", a="c", b="@y"), ["x"], a=A.real.tolist(), b=B.real.tolist(), y=parts(Y))
    r.problem(400, "step x: matmul: a is a real matrix of an earlier step")
    assert r.json()["errors"][0]["pointer"] == "#/steps/1/a", r.body


@case()
def eigenvectors_whose_type_depends_on_elements_are_refused(d):
    steps = [{"op": "eigen", "a": "@a", "which": "all", "as": "e"},
             {"op": "matmul", "a": "e.eigenvectors", "b": "@a", "as": "x"}]
    ask(d, steps, ["x"], a=parts(A)).problem(422, "may come out complex, real or shorter")
