"""case_sparse.py - sparse operands in every form, small and large, and sparse results."""
import io
import json
import tempfile

import numpy as np

from case_formats import accept, close
from client import case, curl, post

rng = np.random.default_rng(5)


def random_sparse(rows, cols, entries):
    """Coordinates, some of them twice, and the dense matrix they add up to."""
    i, j = rng.integers(0, rows, entries), rng.integers(0, cols, entries)
    v = rng.standard_normal(entries)
    dense = np.zeros((rows, cols))
    np.add.at(dense, (i, j), v)
    return i, j, v, dense


def close_list(got, want):
    close(np.array(got), want)


def coo(rows, cols, i, j, v):
    return {"format": "coo", "shape": [rows, cols], "row": list(map(int, i)), "col": list(map(int, j)),
            "data": list(map(float, v))}


def csr(dense):
    i, j = np.nonzero(dense)
    starts = np.concatenate([[0], np.cumsum(np.bincount(i, minlength=dense.shape[0]))])
    return {"format": "csr", "shape": list(dense.shape), "indptr": starts.tolist(), "indices": j.tolist(),
            "data": dense[i, j].tolist()}


def market(rows, cols, i, j, v):
    lines = [f"{a + 1} {b + 1} {x!r}" for a, b, x in zip(i.tolist(), j.tolist(), v.tolist())]
    return "\n".join(["%%MatrixMarket matrix coordinate real general", f"{rows} {cols} {len(lines)}", *lines, ""]).encode()


@case()
def every_sparse_form_gives_the_same_product(d):
    for rows, cols, entries in ((3, 4, 5), (40, 30, 300), (3000, 2000, 60000)):
        i, j, v, dense = random_sparse(rows, cols, entries)
        x = rng.standard_normal(cols)
        for form in (coo(rows, cols, i, j, v), csr(dense), dense.tolist() if rows < 100 else csr(dense)):
            close_list(post(d, "/spmv", {"a": form, "x": x.tolist()}).json()["result"]["y"], dense @ x)
        with tempfile.NamedTemporaryFile(suffix=".mtx") as f:
            f.write(market(rows, cols, i, j, v))
            f.flush()
            r = curl(d, "/spmv", "-F", f"a=@{f.name};type=application/x-matrix-market",
                     "-F", f"x={json.dumps(x.tolist())};type=application/json")
        close_list(r.json()["result"]["y"], dense @ x)


@case()
def a_sparse_operand_is_made_dense_where_dense_is_wanted(d):
    i, j, v, dense = random_sparse(600, 500, 4000)
    x = rng.standard_normal(500)
    r = post(d, "/matmul", {"a": coo(600, 500, i, j, v), "b": x.tolist()})
    close_list(r.json()["result"]["c"], dense @ x)


@case()
def sparse_lists_that_disagree_are_refused_with_their_place(d):
    a = {"format": "csr", "shape": [2, 2], "indptr": [0, 1, 3], "indices": [0, 1], "data": [1, 2]}
    post(d, "/spmv", {"a": a, "x": [1, 2]}).problem(400, "indptr[2] is 3")
    post(d, "/spmv", {"a": dict(a, indptr=[0, 1, 2], indices=[0, 2]), "x": [1, 2]}).problem(400, "indices[1] is 2")
    post(d, "/spmv", {"a": dict(a, indptr=[0, 1, 2]), "x": [1, 2, 3]}).problem(422, "x has 3")
    huge = {"format": "coo", "shape": [2000000000, 2000000000], "row": [0], "col": [0], "data": [1]}
    post(d, "/matmul", {"a": huge, "b": [1]}).problem(413)


@case()
def a_sparse_result_keeps_its_format(d):
    body = {"a": coo(2, 3, [0, 1, 0], [1, 0, 1], [4, 7, 1]), "p": [1, 0]}
    assert post(d, "/permute", body).json()["result"]["a"] == coo(2, 3, [0, 1], [0, 1], [7, 5])
    body = {"a": coo(20, 30, [], [], []), "p": list(range(20))}
    assert post(d, "/permute", body).json()["result"]["a"] == body["a"]
    body = {"a": csr(np.array([[0, 5.0, 0], [7, 0, 0]])), "p": [1, 0]}
    assert post(d, "/permute", body).json()["result"]["a"] == csr(np.array([[7.0, 0, 0], [0, 5, 0]]))
    text = post(d, "/permute", body, *accept("x-matrix-market")).body
    assert text == b"%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 7\n2 2 5\n", text
    for kind in ("x-npy", "octet-stream"):
        post(d, "/permute", body, *accept(kind)).problem(406, "sparse")
    with np.load(io.BytesIO(post(d, "/permute", body, *accept("x-npz")).body)) as f:      # as scipy.sparse.save_npz writes it
        assert f["format"].item() == b"csr" and f["indices"].tolist() == [0, 1] and f["data"].tolist() == [7, 5], dict(f)


def laplacian(g):
    """The five-point stencil of a g x g grid, as coordinates."""
    t = 2 * np.eye(g) - np.eye(g, k=1) - np.eye(g, k=-1)
    a = np.kron(t, np.eye(g)) + np.kron(np.eye(g), t)
    return a, coo(g * g, g * g, *np.nonzero(a), a[np.nonzero(a)])


@case()
def a_sparse_system_is_solved_by_every_iteration(d):
    a, m = laplacian(10)
    b = rng.standard_normal(100)
    for method, preconditioner in (("cg", "ichol0"), ("minres", "jacobi"), ("gmres", "ilu0"), ("bicgstab", "ilu0"), ("jacobi", "auto"), ("auto", "none")):
        r = post(d, "/solve", {"a": m, "b": b.tolist(), "method": method, "preconditioner": preconditioner, "tol": 1e-10}).json()
        left = np.linalg.norm(b - a @ r["result"]["x"]) / np.linalg.norm(b)
        assert left <= 1.001e-10 and r["result"]["converged"] is True and r["result"]["iterations"] > 0, (method, left, r)
        assert abs(r["quality"]["relative_residual"] - left) <= 1e-12, (method, left, r["quality"])


@case()
def a_stored_system_is_analysed_and_factored_once(d):
    a, m = laplacian(12)
    b = rng.standard_normal(144)
    once = ("pack", "factor")

    def solve(**more):
        r = post(d, "/solve", {"a": {"ref": "kept-system"}, "b": b.tolist(), "tol": 1e-9, "timing": "full", **more}).json()
        return r["result"]["x"], {k["name"] for k in r["timing"]["kernels"] if any(w in k["name"] for w in once)}

    def store(matrix):
        answer = curl(d, "/matrices/kept-system", "-X", "PUT", "-H", "Content-Type: application/json",
                      body=json.dumps({"matrix": matrix}).encode())
        assert answer.status in (200, 201, 204), (answer.status, answer.body)

    store(m)
    for method, preconditioner in (("cg", "ichol0"), ("gmres", "ilu0"), ("cg", "jacobi")):
        how = {"method": method, "preconditioner": preconditioner}
        x, first = solve(**how)
        again, then = solve(**how)
        assert x == again and not then, (how, then)
        assert preconditioner == "jacobi" or any("factor" in k for k in first), (how, first)
    # Another matrix under the same name is another matrix.
    store({**m, "data": [2 * v for v in m["data"]]})
    half, first = solve(method="gmres", preconditioner="ilu0")
    close(2 * (a @ half), b, 1e-7)
    assert any("factor" in k for k in first), first
    # Factors that there are not are refused as often as they are asked for.
    store({**m, "data": [0 if i == 0 else v for i, v in enumerate(m["data"])]})
    for _ in range(2):
        body = {"a": {"ref": "kept-system"}, "b": b.tolist(), "method": "gmres", "preconditioner": "ilu0", "tol": 1e-9}
        post(d, "/solve", body).problem(422, "row 0")


@case()
def the_history_of_an_iteration_is_as_long_as_it_took(d):
    a, m = laplacian(8)
    b = rng.standard_normal((64, 2))
    r = post(d, "/solve", {"a": m, "b": b.tolist(), "method": "cg", "return": "x,iterations,history"}).json()["result"]
    histories = r["history"]
    assert len(histories) == 2 and len(histories[0]) == max(r["iterations"]) + 1, r
    for h, n in zip(histories, r["iterations"]):
        assert h[0] == 1 and h[n] <= 1e-8 < h[n - 1] and all(x is None for x in h[n + 1:]), (n, h)
    z = np.load(io.BytesIO(post(d, "/solve", {"a": m, "b": b[:, 0].tolist(), "method": "cg", "return": "history"}, *accept("x-npz")).body))
    assert z["history"].shape == (r["iterations"][0] + 1,), z["history"].shape


@case()
def an_iteration_that_fails_says_why(d):
    a, m = laplacian(8)
    b = rng.standard_normal(64).tolist()
    p = post(d, "/solve", {"a": m, "b": b, "method": "cg", "max_iterations": 3}).problem(422, "did not converge in 3 iterations")
    assert p["type"] == "/problems/not-converged", p
    r = post(d, "/solve", {"a": m, "b": b, "method": "cg", "max_iterations": 3, "allow_partial": True}).json()["result"]
    assert r["converged"] is False and r["iterations"] == 3, r
    post(d, "/solve", {"a": m, "b": b, "method": "cg", "tol": 1e-40}).problem(422, "stagnates")
    diagonal = {"format": "csr", "shape": [2, 2], "indptr": [0, 1, 2], "indices": [0, 1], "data": [1, -1]}
    p = post(d, "/solve", {"a": diagonal, "b": [1, 2], "method": "cg"}).problem(422, "not positive definite")
    assert p["type"] == "/problems/not-positive-definite", p
    p = post(d, "/solve", {"a": [[1, 2], [3, 4]], "b": [1, 2], "tol": 1e-3}).problem(400, "tol is for iterations")
    assert p["errors"][0]["pointer"] == "#/tol", p
