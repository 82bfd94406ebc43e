"""case_eigen.py - dominant eigenvalues as clients get them: complex ones, stacks, and matrices that mislead solvers."""
import io

import numpy as np

import eigen_kinds
from case_formats import NPY, accept, npy
from client import case, curl, post


def answers(d, kind, count, seed):
    """Asks for that many matrices of a kind; returns those that are refused. Every answer must be right."""
    rng, refused = np.random.default_rng(seed), []
    for i in range(count):
        a = eigen_kinds.KINDS[kind](rng, i)
        r = curl(d, "/eigen?timing=none", *NPY, body=npy(a))
        if r.status != 200:
            refused.append(r.problem(422, "not converged"))
            continue
        wrong = eigen_kinds.fault(a, r.json()["result"])
        assert not wrong, f"{kind} {i}: {wrong}"
    return refused


@case()
def no_dominant_eigenvalue_is_wrong(d):
    for kind, count in (("companion", 40), ("badly scaled", 40), ("toeplitz", 12)):
        refused = answers(d, kind, count, 7)
        assert len(refused) <= count // 20, refused


@case()
def complex_eigenpairs_come_in_json_and_as_complex128(d):
    a = [[1, 2], [-2, 1]]
    r = post(d, "/eigen", {"a": a}).json()["result"]
    assert r["eigenvalue"] == {"real": 1, "imag": 2}, r
    assert set(r["eigenvector"]) == {"real", "imag"} and r["converged"] is True and "bracket" not in r, r
    z = np.load(io.BytesIO(post(d, "/eigen", {"a": a}, *accept("x-npz")).body))
    assert z["eigenvalue"].dtype == z["eigenvector"].dtype == np.complex128
    assert np.allclose(np.array(a) @ z["eigenvector"], (1 + 2j) * z["eigenvector"])


@case()
def one_bad_matrix_of_a_stack_fails_alone(d):
    r = post(d, "/eigen", {"a": [[[1, 0], [0, 2]], [[-2, 0], [0, 1]]]}).json()["result"]
    assert r["eigenvalue"] == [2, -2] and "nonfinite" not in r and "failed" not in r and "bracket" not in r, r
    r = post(d, "/eigen", {"a": [[[1, 0], [0, 2]], [[1e308, 1e308], [1e308, 1e308]]]}).json()["result"]
    assert r["eigenvalue"] == [2, None] and r["converged"] == [True, False], r
    assert [(f["index"], f["kind"]) for f in r["failed"]] == [(1, "impossible")], r
    p = post(d, "/eigen", {"a": [[[0, 1], [-1, 0]]] * 2, "method": "power"}).problem(422, "matrix 0 of the stack")
    assert p["type"] == "/problems/not-converged", p


@case()
def a_decomposition_on_the_host_tells_its_time(d):
    n = 1500
    a = 2 * np.eye(n) - np.diag(np.ones(n - 1), 1) - np.diag(np.ones(n - 1), -1)
    r = curl(d, "/eigen", *NPY, body=npy(a)).json()
    assert abs(r["result"]["eigenvalue"] - 2 - 2 * np.cos(np.pi / (n + 1))) < 1e-14, r["result"]["eigenvalue"]
    assert 0 < r["timing"]["host_ms"] <= r["timing"]["compute_ms"], r["timing"]
    assert r["quality"]["condition"] == 1, r["quality"]
