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
