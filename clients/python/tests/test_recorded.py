"""Pipelines as they are written: parameters of steps, what is left out, sparse results; and stored matrices in NumPy's expressions."""
import numpy as np
import pytest
import scipy.sparse as sparse

from linalgd import Client, errors, ref

rng = np.random.default_rng(11)
A = rng.standard_normal((5, 5))
S = sparse.random(12, 12, 0.2, "csr", random_state=3) + sparse.eye(12)


def test_a_step_has_parameters_named_as_its_members(la):
    with la.pipeline() as p:
        most = (p.put(A) @ A).reduce(op="max", quality="none")
    np.testing.assert_allclose(p.run(most)[0], (A @ A).max())


def test_parameters_of_the_whole_pipeline_are_no_steps_parameters(la):
    with la.pipeline() as p:
        a = p.put(A)
        with pytest.raises(TypeError, match=r"return_ is an argument of run\(\)"):
            a.lu(return_="p")
        with pytest.raises(TypeError, match=r"timeout_ms is an argument of run\(\)"):
            a.lu(timeout_ms=5)
        assert p.run(p.matmul(a, a, dtype=np.float32))[0].dtype == np.float32


def test_only_the_steps_that_a_result_needs_are_sent(la):
    with la.pipeline() as p:
        a = p.put(A)
        c = a @ a
        f = c.lu()
        x = p.solve(factors=f, b=np.ones(5))
    sent = p.description(c)
    assert [s["as"] for s in sent["steps"]] == ["s1"] and sent["return"] == ["s1"]
    np.testing.assert_allclose(p.run(c)[0], A @ A)
    np.testing.assert_allclose(p.run(x)[0], np.linalg.solve(A @ A, np.ones(5)))
    assert len(p.run(store={"needed-c": c})) == 0 and la.stored("needed-c").shape == (5, 5)


def test_results_are_nodes_of_the_same_pipeline(la):
    def product(k):
        with la.pipeline() as p:
            c = p.put(k * A) @ p.put(A)
        return p, c
    (p, c), (_, other) = product(1), product(2)
    for take in (lambda n: p.run(n), lambda n: p.run(c, store={"foreign": n}), lambda n: p.save("foreign", n),
                 lambda n: p.description(n)):
        with pytest.raises(ValueError, match="belongs to another pipeline"):
            take(other)
        with pytest.raises(TypeError, match="must be a node of the pipeline, not ndarray"):
            take(A)
    np.testing.assert_allclose(p.run(c)[0], A @ A)


def test_names_of_operands_are_not_those_of_others(la):
    la.store("m1", A)
    with la.pipeline() as p:
        p.put(A, "m2")
        c = p.stored("m1") @ (2 * A)
        d = c @ (3 * A)
        with pytest.raises(ValueError, match="operand m1 is there already"):
            p.put(A, "m1")
        with pytest.raises(ValueError, match="operand m2 is there already"):
            p.stored("m2")
        assert p.stored("m1")._name == "@m1"
    np.testing.assert_allclose(p.run(d)[0], 6 * A @ A @ A)


@pytest.mark.parametrize("order", [np.arange(12)[::-1].copy(), rng.permutation(12)])
def test_a_sparse_result_is_scipys(la, order):
    m = la.store("sparse-result", S)
    wanted = S.tocsr()[order]
    for operand in (S, m, ref("sparse-result")):
        r = la.permute(operand, order)
        assert sparse.issparse(r.a) and abs(r.a - wanted).nnz == 0
        assert "csr float64 12 x 12" in r._repr_html_()
    assert abs(la.submit.permute(S, order).result().a - wanted).nnz == 0
    with la.pipeline() as p:
        moved = p.put(S).permute(order)
    r = p.run(moved)
    assert r._fields == ("s1",) and abs(r[0] - wanted).nnz == 0
    assert isinstance(la.permute(A, order[order < 5]).a, np.ndarray)


def test_a_stored_matrix_is_an_operand_of_numpys_expressions(la):
    m = la.store("expressions", A)
    for f in (lambda x: x + 1, lambda x: 2 * x - A, lambda x: -x / 3, lambda x: x > 0, lambda x: np.exp(x), lambda x: abs(x) ** 2,
              lambda x: A - x, lambda x: np.linalg.norm(x), lambda x: np.trace(x), lambda x: x.tolist(), lambda x: x.astype("f4"),
              lambda x: np.maximum(x, A.T), lambda x: np.add.reduce(x), lambda x: np.vstack([x, x]), lambda x: x == A):
        assert np.array_equal(f(m), f(A))
    assert np.array_equal(m @ m, la.matmul(A, A).c) and np.array_equal(A @ m, la.matmul(A, A).c)
    with pytest.raises(TypeError):
        m += 1
    assert "expressions" in m._repr_html_() and "5 × 5" in m._repr_html_()


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "min", "max", "argmin", "argmax"])
def test_the_service_reduces_a_stored_matrix(la, name):
    m = la.store("reduced", A)
    la.matmul(A, A)
    for axis in (None, 0, 1, -1):
        np.testing.assert_allclose(getattr(m, name)(axis=axis), getattr(A, name)(axis=axis), rtol=1e-12)
        np.testing.assert_allclose(getattr(np, name)(m, axis=axis), getattr(np, name)(A, axis=axis), rtol=1e-12)
    assert [j["op"] for j in la.jobs(limit=9)] == ["reduce"] * 8 + ["matmul"]


def test_what_the_service_reduces_otherwise_numpy_does(la):
    stack, counts = rng.standard_normal((2, 3, 4)), np.arange(6).reshape(2, 3)
    assert la.store("reduced-stack", stack).sum(axis=2).shape == (2, 3)
    assert la.store("reduced-counts", counts).mean() == 2.5 and la.stored("reduced-counts").sum(keepdims=True).shape == (1, 1)
    assert la.store("reduced-none", np.zeros((0, 3))).sum() == 0
    both = la.store("reduced-both", A)
    np.testing.assert_allclose(np.sum(both, axis=(0, 1)), A.sum())
    np.testing.assert_allclose(both.max(axis=(1,)), A.max(axis=1))
    with pytest.raises(ValueError):
        both.sum(axis=2)
    m = la.store("reduced-sparse", S)
    np.testing.assert_allclose(m.sum(), S.sum())
    with pytest.raises(TypeError, match="is sparse"):
        m + 1


def test_parameters_of_steps_may_be_of_numpy(la):
    with la.pipeline() as p:
        a = p.put(np.diag([1.0, 2.0, 3.0]), "shape")
        e = p.eigen(a, which=np.str_("largest"), k=np.int64(1), tol=np.float32(0.5), structure="symmetric")
        t = p.transpose(a, conjugate=np.bool_(False), dtype=np.float32)
        values, flipped = p.run(e, t)
    assert np.allclose(values, [3]) and flipped.dtype == np.float32
