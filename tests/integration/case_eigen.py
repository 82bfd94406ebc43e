"""case_eigen.py - eigenvalues as clients get them: dominant and several, complex ones, stacks, and matrices that mislead solvers."""
import io

import numpy as np

import eigen_kinds
from case_formats import NPY, accept, npy
from client import case, curl, post


def answers(d, kind, count, seed):
    """Asks for the dominant pairs of `count` matrices of a kind, asserts that every answer is right, and returns the refusals."""
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


def several(d, a, **ask):
    """Returns the result and the quality that eigen answers for these parameters."""
    r = post(d, "/eigen", {"a": np.asarray(a).tolist(), **ask}).json()
    return r["result"], r.get("quality", {})


@case()
def all_eigenpairs_come_in_order(d):
    a = np.random.default_rng(3).standard_normal((20, 20))
    r, q = several(d, a + a.T, which="all", **{"return": "eigenvalues,eigenvectors"})
    w, v = np.array(r["eigenvalues"]), np.array(r["eigenvectors"])
    assert (np.diff(w) >= 0).all() and np.allclose((a + a.T) @ v, v * w) and np.allclose(v.T @ v, np.eye(20)), w
    assert q["residual"] < 30 and q["orthogonality"] < 30 and q["condition"] == 1, q
    r, q = several(d, a, which="all")
    assert set(r) == {"eigenvalues"} and "residual" not in q, (list(r), q)
    w = np.array(r["eigenvalues"]["real"]) + 1j * np.array(r["eigenvalues"]["imag"])
    assert (np.diff(abs(w)) <= 1e-12).all() and abs(w.sum() - np.trace(a)) < 1e-10, w


@case()
def a_conjugate_pair_stays_whole_in_every_format(d):
    a = np.diag([1.0, 2.0, 3.0])
    a[:2, :2] = [[0, 5], [-5, 0]]
    r, _ = several(d, a, which="largest", k=1)
    assert np.allclose(r["eigenvalues"]["imag"], [5, -5]) and np.shape(r["eigenvectors"]["real"]) == (3, 2), r
    r, _ = several(d, a, which="smallest", k=1)
    assert np.allclose(r["eigenvalues"], [3]) and np.shape(r["eigenvectors"]) == (3, 1), r
    for dtype, wanted in (("f4", np.complex64), ("f8", np.complex128)):
        z = curl(d, "/eigen?which=largest&return=eigenvalues,eigenvectors,left_eigenvectors", *NPY, *accept("x-npz"), body=npy(a.astype(dtype)))
        z = np.load(io.BytesIO(z.body))
        assert z["eigenvalues"].dtype == z["eigenvectors"].dtype == wanted and z["left_eigenvectors"].shape == (3, 2), z["eigenvalues"]
        assert np.allclose(a @ z["eigenvectors"], z["eigenvectors"] * z["eigenvalues"])
    w = np.load(io.BytesIO(curl(d, "/eigen?which=smallest", *NPY, *accept("x-npy"), body=npy(a)).body))
    assert w.dtype == np.float64 and np.allclose(w, [3]), w


@case()
def a_stack_of_small_symmetric_matrices_is_one_launch(d):
    a = np.random.default_rng(4).standard_normal((500, 16, 16))
    a += a.swapaxes(1, 2)
    a[7, 3, 3] = np.nan
    r = curl(d, "/eigen?which=all&return=eigenvalues", *NPY, body=npy(a)).json()
    assert [k["calls"] for k in r["timing"]["kernels"] if k["name"].startswith("eigen_jacobi")] == [1], r["timing"]["kernels"]
    assert [(f["index"], f["kind"]) for f in r["result"]["failed"]] == [(7, "nonfinite")], r["result"]["failed"]
    w = np.array(r["result"]["eigenvalues"], float)
    a[7] = 0
    w[7] = 0
    assert np.allclose(w, np.linalg.eigvalsh(a)), abs(w - np.linalg.eigvalsh(a)).max()


@case()
def questions_that_make_no_sense_are_refused(d):
    a = [[2, 1], [1, 2]]
    for ask, word in (({"which": "all", "k": 1}, "k does not go"), ({"which": "nearest"}, "needs sigma"),
                      ({"k": 2}, "which=dominant"), ({"which": "largest", "sigma": 1}, "sigma goes with"),
                      ({"which": "interval"}, "needs low, high or both"), ({"which": "all", "high": 2}, "high goes with"),
                      ({"which": "interval", "low": 2, "high": 1}, "must be larger than low"), ({"order": "found"}, "which=dominant"),
                      ({"which": "all", "return": "eigenvector"}, "no output eigenvector"), ({"b": a}, "b goes with"),
                      ({"which": "largest", "k": 3}, "the order 2"), ({"which": "all", "method": "power"}, "method=power")):
        post(d, "/eigen", {"a": a, **ask}).problem(400, word)
    post(d, "/eigen", {"a": [[1, 2], [3, 4]], "which": "all", "structure": "symmetric"}).problem(422, "not symmetric")
    unequal = {"real": [[1, 0], [0, 2]], "imag": [[0, 1], [1, 0]]}
    post(d, "/eigen", {"a": unequal, "which": "all", "structure": "symmetric"}).problem(422, "not hermitian")


@case()
def pairs_of_matrices_have_four_problems(d):
    rng = np.random.default_rng(8)
    a, b = (x + x.conj().T for x in (rng.standard_normal((2, 9, 9)) + 1j * rng.standard_normal((2, 9, 9))))
    b += 12 * np.eye(9)
    products = {"definite": np.linalg.solve(b, a), "definite-abx": a @ b, "definite-bax": b @ a, "general": np.linalg.solve(b, a)}
    for dtype, tolerance in (("f4", 1e-4), ("f8", 1e-12), ("c8", 1e-4), ("c16", 1e-12)):
        one, other = (x.astype(dtype) if dtype[0] == "c" else x.real.astype(dtype) for x in (a, b))
        for problem, product in products.items():
            if dtype[0] == "f":
                product = {"definite-abx": a.real @ b.real, "definite-bax": b.real @ a.real}.get(problem, np.linalg.solve(b.real, a.real))
            body = io.BytesIO()
            np.savez(body, a=one, b=other)
            r = curl(d, f"/eigen?which=all&return=eigenvalues,eigenvectors&problem={problem}", "-H", "Content-Type: application/x-npz",
                     *accept("x-npz"), body=body.getvalue())
            z = np.load(io.BytesIO(r.body))
            w, v = z["eigenvalues"], z["eigenvectors"]
            assert problem == "general" or (w.dtype.kind == "f" and (np.diff(w) >= 0).all()), (dtype, problem, w)
            assert abs(product @ v - v * w).max() < tolerance * abs(product).max(), (dtype, problem)


@case()
def an_infinite_eigenvalue_is_told(d):
    ask = {"a": [[2, 1], [0, 3]], "b": [[1, 0], [0, 0]], "which": "all"}
    post(d, "/eigen", ask).problem(422, "not positive definite")
    r = post(d, "/eigen", {**ask, "problem": "general", "return": "eigenvalues,alpha_beta"}).json()["result"]
    assert r["eigenvalues"] == [None, 2] and r["nonfinite"] is True and r["alpha_beta"][1][0] == 0 != r["alpha_beta"][0][0], r
    w = np.load(io.BytesIO(post(d, "/eigen?problem=general&which=all", {k: ask[k] for k in "ab"}, *accept("x-npy")).body))
    assert w.tolist() == [np.inf, 2], w
    r = post(d, "/eigen", {**ask, "problem": "general", "a": [[2, 0], [0, 0]]}).json()["result"]
    assert r["eigenvalues"] == [2, None], r
    for wrong, word in (({"problem": "general"}, "goes with b"), ({"b": ask["b"], "return": "alpha_beta"}, "problem=general")):
        post(d, "/eigen", {"a": ask["a"], "which": "all", **wrong}).problem(400, word)


@case()
def an_interval_and_the_order_of_finding_are_asked_for(d):
    a = np.diag([1, 1.2, 1.3, 1.5, 2])
    assert several(d, a, which="interval", low=1, high=1.5)[0]["eigenvalues"] == [1.2, 1.3, 1.5]
    r = several(d, a, which="interval", high=0.5)[0]
    assert r["eigenvalues"] == [] and np.shape(r["eigenvectors"]) == (5, 0), r
    z = curl(d, "/eigen?which=interval&low=1.4&high=9&return=eigenvalues,eigenvectors", *NPY, *accept("x-npz"), body=npy(a.astype(complex)))
    z = np.load(io.BytesIO(z.body))
    assert z["eigenvalues"].tolist() == [1.5, 2] and z["eigenvectors"].shape == (5, 2), dict(z)
    a = [[1, 2, 3], [1, 2, 3], [2, 5, 6]]
    assert np.allclose(several(d, a, which="all", order="found")[0]["eigenvalues"], np.linalg.eigvals(a))


def laplacian(g):
    """The matrix of the five-point star on a g x g grid, as CSR, and its eigenvalues, which are mostly double."""
    n, cell = g * g, np.arange(g * g).reshape(g, g)
    i = np.concatenate([cell.ravel(), cell[1:].ravel(), cell[:-1].ravel(), cell[:, 1:].ravel(), cell[:, :-1].ravel()])
    j = np.concatenate([cell.ravel(), cell[:-1].ravel(), cell[1:].ravel(), cell[:, :-1].ravel(), cell[:, 1:].ravel()])
    w = 2 - 2 * np.cos(np.pi * np.arange(1, g + 1) / (g + 1))
    return ({"format": "coo", "shape": [n, n], "row": i.tolist(), "col": j.tolist(), "data": [4.0] * n + [-1.0] * (len(i) - n)},
            np.sort(np.add.outer(w, w).ravel()))


@case()
def a_large_sparse_matrix_is_not_made_dense(d):
    a, w = laplacian(200)
    for which, want in (("smallest", w[:6]), ("largest", w[-6:])):
        r = post(d, "/eigen", {"a": a, "which": which, "k": 6, "return": "eigenvalues,iterations,converged"}).json()
        got = r["result"]
        assert got["converged"] is True and got["iterations"] > 0 and "eigenvectors" not in got, got
        assert abs(np.array(got["eigenvalues"]) - want).max() < 1e-9, (which, got, want)
        assert r["timing"]["host_ms"] > 0, r["timing"]
    post(d, "/eigen", {"a": a, "which": "all"}).problem(413)


@case()
def a_sparse_search_that_does_not_converge_is_refused_or_partial(d):
    rng, n = np.random.default_rng(1), 9000
    i, j = rng.integers(0, n, 5 * n).tolist(), rng.integers(0, n, 5 * n).tolist()
    a = {"format": "coo", "shape": [n, n], "row": i, "col": j, "data": rng.standard_normal(5 * n).tolist()}
    p = post(d, "/eigen", {"a": a, "which": "smallest"}).problem(422, "within the spectrum")
    assert p["type"] == "/problems/not-converged", p
    ask = {"a": a, "which": "largest", "k": 3, "max_iterations": 5}
    post(d, "/eigen", ask).problem(422, "not converged after")
    r = post(d, "/eigen", {**ask, "allow_partial": True}).json()["result"]
    assert r["converged"] is False and len(np.ravel(r["eigenvalues"]["real"] if isinstance(r["eigenvalues"], dict) else r["eigenvalues"])) >= 3, r


@case()
def what_is_not_hermitian_is_named(d):
    for imag, word in (([[0.5, 3], [-3, 0]], "element (0, 0) of the diagonal is not real"),
                       ([[0, 3], [3, 0]], "is not the conjugate of")):
        a = {"real": [[1, 2], [2, 1]], "imag": imag}
        post(d, "/eigen?structure=symmetric&which=all", {"a": a}).problem(422, word)
