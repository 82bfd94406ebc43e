"""answers.py - what linalgd-mpi answers: LAPACK's test ratios, and what the daemon's own device answers."""
import numpy as np

from lane import EPS, norm1, wide

# LAPACK's tests accept ratios up to 30.
MOST = 30
TYPES = (np.float32, np.float64)
EDGES = (1, 2, 63, 64, 65, 129, 200)


def random(*shape, dtype=np.float64, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def lu_ratio(a, got):
    a = wide(a)
    return norm1(a[got["p"]] - wide(got["l"]) @ wide(got["u"])) / (norm1(a) * a.shape[1] * EPS[got["lu"].dtype])


def check_lu(d, a):
    n = min(a.shape)
    outputs = "lu,pivots,singular,p,l,u" + (",sign" if a.shape[0] == a.shape[1] else "")
    got, quality = d.answer("/lu", {"a": a}, **{"return": outputs})
    own, _ = d.answer("/lu", {"a": a}, device="cpu", **{"return": outputs})
    assert got["lu"].dtype == a.dtype and lu_ratio(a, got) < MOST and lu_ratio(a, own) < MOST
    assert quality["residual"] < MOST, quality
    p = np.arange(a.shape[0])
    for i, row in enumerate(got["pivots"]):
        p[[i, row]] = p[[row, i]]
    assert (p == got["p"]).all() and abs(got["l"]).max() <= 1
    packed = np.tril(got["lu"][:, :n], -1) + np.eye(*got["l"].shape)
    assert (packed == got["l"]).all() and (np.triu(got["lu"][:n]) == got["u"]).all()
    assert "sign" not in got or got["sign"] == own["sign"]
    assert got["singular"] == own["singular"] == False


def lu_agrees_at_every_edge_of_a_block(d):
    for dtype in TYPES:
        for n in EDGES:
            check_lu(d, random(n, n, dtype=dtype))


def lu_of_rectangular_matrices_agrees(d):
    for dtype in TYPES:
        for shape in ((1, 130), (130, 1), (70, 150), (150, 70), (64, 256), (256, 64), (129, 130)):
            check_lu(d, random(*shape, dtype=dtype))


def quality_full_is_exact(d):
    a = random(150, 90)
    got, quality = d.answer("/lu", {"a": a}, quality="full", **{"return": "lu,pivots,p,l,u"})
    # The product by which it is computed has rounding errors of its own.
    assert 0.5 < quality["residual"] / lu_ratio(a, got) < 2, quality
    _, quality = d.answer("/lu", {"a": a}, quality="none")
    assert not quality


def singular_matrices_are_found(d):
    a = random(130, 130)
    a[:, 70] = 0
    got, _ = d.answer("/lu", {"a": a}, **{"return": "lu,pivots,singular,sign,p,l,u"})
    assert got["singular"] and got["sign"] == 0 and lu_ratio(a, got) < MOST
    for dtype in TYPES:
        status, answer = d.post("/solve", {"a": a.astype(dtype), "b": a[0].astype(dtype)}, device="mpi")
        assert status == 422 and answer["type"].endswith("/singular") and "column 70," in answer["detail"], answer
        status, own = d.post("/solve", {"a": a.astype(dtype), "b": a[0].astype(dtype)}, device="cpu")
        assert (status, own["detail"]) == (422, answer["detail"]), own


def check_solve(d, a, b, **query):
    got, quality = d.answer("/solve", {"a": a, "b": b}, **query)
    own, other = d.answer("/solve", {"a": a, "b": b}, device="cpu", **query)
    x = wide(got["x"])
    op = wide(a).T if query.get("transpose_a") == "true" else wide(a)
    sides = lambda y: y.reshape(y.shape[0], -1)
    ratios = abs(sides(wide(b) - op @ x)).sum(axis=0) / (norm1(op) * abs(sides(x)).sum(axis=0) * len(a) * EPS[a.dtype])
    assert got["x"].shape == b.shape and ratios.max() < MOST and quality["residual"] < MOST, (ratios, quality)
    # Estimates of the same condition number, which differ by a small factor at most.
    assert 0.1 < quality["rcond"] / other["rcond"] < 10, (quality, other)
    error = abs(x - wide(own["x"])).max() / abs(x).max()
    assert error <= 2 * (quality["forward_error"] + other["forward_error"]), (error, quality, other)


def solve_agrees_at_every_edge_of_a_block(d):
    for dtype in TYPES:
        for n in EDGES:
            a = random(n, n, dtype=dtype)
            check_solve(d, a, random(n, dtype=dtype, seed=2))
            check_solve(d, a, random(n, 67, dtype=dtype, seed=2), transpose_a="true")


def matmul_agrees(d):
    shapes = ((1, 1, 1), (63, 64, 65), (200, 3, 130), (3, 200, 1), (129, 129, 129))
    for dtype in TYPES:
        for m, k, n in shapes:
            for ta in (False, True):
                a = random(*((k, m) if ta else (m, k)), dtype=dtype)
                b = random(*((k, n) if not ta else (n, k)), dtype=dtype, seed=2)
                query = {"transpose_a": "true", "transpose_b": "true"} if ta else {}
                got, _ = d.answer("/matmul", {"a": a, "b": b}, **query)
                own, _ = d.answer("/matmul", {"a": a, "b": b}, device="cpu", **query)
                right = wide(a.T if ta else a) @ wide(b.T if ta else b)
                unit = norm1(wide(a.T if ta else a)) * norm1(wide(b.T if ta else b)) * k * EPS[a.dtype]
                assert got["c"].shape == (m, n) and norm1(got["c"] - right) < MOST * unit
                assert norm1(wide(got["c"]) - wide(own["c"])) < MOST * unit


def a_fast_product_tells_its_error_bound(d):
    for dtype in TYPES:
        a = random(70, 90, dtype=dtype)
        _, quality = d.answer("/matmul", {"a": a, "b": a}, transpose_b="true", precision="fast")
        assert abs(quality["error_bound"] / (90 * np.finfo(dtype).eps) - 1) < 1e-6, quality


def vectors_are_factors_too(d):
    a, x = random(90, 70), random(70)
    for operands in ({"a": a, "b": x}, {"a": random(90), "b": a}, {"a": x, "b": random(70, seed=3)}):
        got, _ = d.answer("/matmul", operands)
        right = operands["a"] @ operands["b"]
        assert got["c"].shape == np.shape(right) and np.allclose(got["c"], right, rtol=0, atol=1e-12)


def check_eigen(d, a, **query):
    got, quality = d.answer("/eigen", {"a": a}, **query)
    own, _ = d.answer("/eigen", {"a": a}, device="cpu", **query)
    w, v, unit = wide(got["eigenvalues"]), wide(got["eigenvectors"]), len(a) * 2 * EPS[a.dtype]
    norm = abs(wide(a)).sum(axis=1).max()
    assert got["eigenvalues"].dtype == own["eigenvalues"].dtype == a.dtype and w.shape == own["eigenvalues"].shape
    assert abs(w - own["eigenvalues"]).max() < MOST * unit * norm and (np.diff(w) >= 0).all()
    assert np.linalg.norm(wide(a) @ v - v * w, axis=0).max() < MOST * unit * norm
    assert abs(v.T @ v - np.eye(len(w))).sum(axis=0).max() < MOST * unit
    assert (v[abs(v).argmax(axis=0), np.arange(len(w))] > 0).all()
    assert quality["residual"] < MOST and quality["orthogonality"] < MOST and quality["condition"] == 1, quality


def symmetric(n, dtype=np.float64):
    a = random(n, n, dtype=dtype)
    return a + a.T


def eigen_agrees_at_every_edge_of_a_block(d):
    for dtype in TYPES:
        for n in EDGES:
            a = symmetric(n, dtype)
            for quality in ("estimate", "full"):
                check_eigen(d, a, which="all", quality=quality, **{"return": "eigenvalues,eigenvectors"})
            check_eigen(d, a, which="largest", k=min(n, 3))


def eigen_answers_what_is_asked_for(d):
    a = symmetric(100)
    for query in ({"which": "smallest", "k": 4}, {"which": "largest-real", "k": 5}, {"which": "smallest-real"},
                  {"which": "nearest", "sigma": 1.5, "k": 3}, {"which": "interval", "low": -2, "high": 3}):
        check_eigen(d, a, **query)
    values, _ = d.answer("/eigen", {"a": a}, which="all")
    assert set(values) == {"eigenvalues"} and np.allclose(values["eigenvalues"], np.linalg.eigvalsh(a))
    both, _ = d.answer("/eigen", {"a": a}, which="largest", k=2, **{"return": "eigenvectors,left_eigenvectors"})
    assert (both["eigenvectors"] == both["left_eigenvectors"]).all()
    nearly = a + np.triu(1e-14 * random(100, 100, seed=4))
    check_eigen(d, nearly, which="all", structure="symmetric", **{"return": "eigenvalues,eigenvectors"})


def matrices_without_elements_are_answered(d):
    for shape, p in (((0, 0), 0), ((0, 3), 0), ((3, 0), 3)):
        got, _ = d.answer("/lu", {"a": np.zeros(shape)}, **{"return": "lu,pivots,p,l,u"})
        assert got["lu"].shape == shape and list(got["p"]) == list(range(p)) and len(got["pivots"]) == 0
    got, _ = d.answer("/matmul", {"a": np.zeros((2, 0)), "b": np.zeros((0, 3))})
    assert (got["c"] == np.zeros((2, 3))).all()
    got, _ = d.answer("/solve", {"a": np.zeros((0, 0)), "b": np.zeros((0, 2))})
    assert got["x"].shape == (0, 2)


def numbers_that_are_not_finite_pass_or_are_refused(d):
    a = random(100, 100)
    a[70, 3] = np.nan
    status, answer = d.post("/lu", {"a": a}, device="mpi")
    assert status == 200 and answer["result"]["nonfinite"], answer
    for path, operands, query in (("/solve", {"a": a, "b": a[0]}, {}), ("/solve", {"a": symmetric(100), "b": a[70]}, {}),
                                  ("/eigen", {"a": a}, {"which": "all"})):
        status, answer = d.post(path, operands, device="mpi", **query)
        assert status == 422 and answer["type"].endswith("/nonfinite"), answer


CASES = [lu_agrees_at_every_edge_of_a_block, lu_of_rectangular_matrices_agrees, quality_full_is_exact,
         singular_matrices_are_found, solve_agrees_at_every_edge_of_a_block, matmul_agrees,
         a_fast_product_tells_its_error_bound, vectors_are_factors_too, eigen_agrees_at_every_edge_of_a_block,
         eigen_answers_what_is_asked_for, matrices_without_elements_are_answered,
         numbers_that_are_not_finite_pass_or_are_refused]
