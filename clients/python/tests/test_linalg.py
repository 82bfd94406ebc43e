"""la.linalg returns the values, shapes, types and errors of numpy.linalg."""
import numpy as np
import pytest

rng = np.random.default_rng(11)
GENERAL = rng.standard_normal((5, 5))
STACK = rng.standard_normal((3, 4, 4))
TALL, WIDE = rng.standard_normal((7, 4)), rng.standard_normal((3, 6))
SYMMETRIC = GENERAL + GENERAL.T
POSITIVE = GENERAL @ GENERAL.T + np.eye(5)
np_linalg = np.linalg


def same(got, want, tolerance=1e-11):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape and got.dtype == want.dtype, (got.shape, want.shape, got.dtype, want.dtype)
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("a", [SYMMETRIC, STACK + np.swapaxes(STACK, 1, 2), SYMMETRIC.astype("f4"), np.array([[3]])])
def test_symmetric_eigenproblems(la, a):
    tolerance = 1e-4 if a.dtype == np.float32 else 1e-11
    r, want = la.linalg.eigh(a), np_linalg.eigh(a)
    same(r.eigenvalues, want[0], tolerance)
    same(la.linalg.eigvalsh(a), want[0], tolerance)
    values, vectors = r
    same(a @ vectors, vectors * values[..., None, :], tolerance)
    lower = np.tril(a) + 100 * np.triu(np.ones_like(a), 1)
    same(la.linalg.eigvalsh(lower), want[0], tolerance)
    same(la.linalg.eigvalsh(np.swapaxes(lower, -1, -2), UPLO="U"), want[0], tolerance)


def test_general_eigenproblems(la):
    r = la.linalg.eig(GENERAL)
    same(GENERAL @ r.eigenvectors, r.eigenvectors * r.eigenvalues)
    order = np.lexsort((r.eigenvalues.imag, r.eigenvalues.real))
    want = np_linalg.eigvals(GENERAL)
    same(r.eigenvalues[order], want[np.lexsort((want.imag, want.real))])
    same(np.sort(la.linalg.eigvals(np.diag([1.0, 3, 2]))), np.array([1.0, 2, 3]))


@pytest.mark.parametrize("a", [GENERAL, TALL, WIDE, STACK])
def test_singular_values(la, a):
    for full in (True, False):
        r, want = la.linalg.svd(a, full_matrices=full), np_linalg.svd(a, full_matrices=full)
        assert [x.shape for x in r] == [x.shape for x in want]
        same(r.S, want[1])
        k = r.S.shape[-1]
        same(r.U[..., :k] * r.S[..., None, :] @ r.Vh[..., :k, :], a)
    same(la.linalg.svd(a, compute_uv=False), want[1])
    same(la.linalg.svdvals(a), want[1])
    assert np.array_equal(la.linalg.matrix_rank(a), np_linalg.matrix_rank(a))


def test_ranks(la):
    deficient = np.outer(np.arange(4.0), np.arange(5.0))
    assert la.linalg.matrix_rank(deficient) == 1 and la.linalg.matrix_rank(np.zeros((3, 3))) == 0
    assert la.linalg.matrix_rank(np.diag([1.0, 1e-3]), tol=1e-2) == 1
    assert la.linalg.matrix_rank(np.diag([1.0, 1e-3]), rtol=1e-2) == 1
    assert la.linalg.matrix_rank(np.ones(3)) == np_linalg.matrix_rank(np.ones(3))


@pytest.mark.parametrize("a", [GENERAL, TALL, WIDE])
def test_qr(la, a):
    for mode in ("reduced", "complete"):
        r, want = la.linalg.qr(a, mode), np_linalg.qr(a, mode)
        assert [x.shape for x in r] == [x.shape for x in want]
        same(r.Q @ r.R, a)
    same(np.abs(la.linalg.qr(a, "r")), np.abs(np_linalg.qr(a, "r")))
    with pytest.raises(ValueError, match="not supported"):
        la.linalg.qr(a, "raw")


def test_cholesky(la):
    same(la.linalg.cholesky(POSITIVE), np_linalg.cholesky(POSITIVE))
    same(la.linalg.cholesky(np.tril(POSITIVE)), np_linalg.cholesky(POSITIVE))
    same(la.linalg.cholesky(np.triu(POSITIVE), upper=True), np_linalg.cholesky(POSITIVE).T)
    with pytest.raises(np.linalg.LinAlgError):
        la.linalg.cholesky(-POSITIVE)


@pytest.mark.parametrize("a, b", [
    (GENERAL, GENERAL[0]), (GENERAL, GENERAL[:, :2]), (STACK, STACK[:, :, :2]), (STACK, STACK[0, :, :1]), (STACK[0], STACK),
    (STACK, np.arange(4.0)), (np.array([[2, 0], [0, 4]]), np.array([2, 4])), (GENERAL.astype("f4"), GENERAL[0].astype("f4"))])
def test_systems(la, a, b):
    want = np_linalg.solve(a, np.broadcast_to(b[..., None], (*a.shape[:-1], 1)))[..., 0] if b.ndim == 1 else np_linalg.solve(a, b)
    same(la.linalg.solve(a, b), want, 1e-4 if a.dtype == np.float32 else 1e-10)


def test_inverses_and_determinants(la):
    for a in (GENERAL, STACK):
        same(la.linalg.inv(a), np_linalg.inv(a), 1e-10)
        same(la.linalg.det(a), np_linalg.det(a))
        same(la.linalg.slogdet(a).sign, np_linalg.slogdet(a)[0])
        same(la.linalg.slogdet(a).logabsdet, np_linalg.slogdet(a)[1])
        same(la.linalg.pinv(a), np_linalg.pinv(a), 1e-10)
    same(la.linalg.pinv(TALL), np_linalg.pinv(TALL))
    assert la.linalg.det(np.zeros((2, 2))) == 0


@pytest.mark.parametrize("b", [TALL[:, 0], TALL[:, :2]])
def test_least_squares(la, b):
    got, want = la.linalg.lstsq(TALL, b), np_linalg.lstsq(TALL, b, rcond=None)
    same(got[0], want[0])
    same(got[1], want[1])
    assert got[2] == want[2]
    same(got[3], want[3])
    assert la.linalg.lstsq(WIDE, np.ones(3))[1].shape == (0,)


@pytest.mark.parametrize("arguments", [
    (), ("fro",), ("nuc",), (1,), (2,), (np.inf,), (None, 0), (None, 1), (1, 0), (np.inf, -1), ("fro", (0, 1)), (1, (1, 0))])
def test_norms_of_matrices(la, arguments):
    for keep in (False, True):
        same(la.linalg.norm(TALL, *arguments, keepdims=keep), np_linalg.norm(TALL, *arguments, keepdims=keep))


def test_other_norms(la):
    for order in (None, 1, 2, np.inf):
        same(la.linalg.norm(TALL[0], order), np_linalg.norm(TALL[0], order))
    same(la.linalg.norm(STACK), np_linalg.norm(STACK))
    same(la.linalg.norm(STACK, axis=(1, 2)), np_linalg.norm(STACK, axis=(1, 2)))
    same(la.linalg.norm(STACK, axis=1), np_linalg.norm(STACK, axis=1))
    with pytest.raises(ValueError, match="not supported"):
        la.linalg.norm(TALL, -2)
    with pytest.raises(ValueError, match="dimensions"):
        la.linalg.norm(STACK, 2)


def test_condition_numbers(la):
    for p in (None, 1, 2, np.inf, "fro"):
        same(la.linalg.cond(GENERAL, p), np_linalg.cond(GENERAL, p), 1e-9)
    with pytest.raises(ValueError, match="not supported"):
        la.linalg.cond(GENERAL, -1)


@pytest.mark.parametrize("f, arguments", [
    ("inv", (np.zeros((2, 2)),)), ("solve", (np.ones((2, 2)), np.ones(2))), ("cholesky", (np.array([[1.0, 2], [2, 1]]),)),
    ("inv", (np.ones((2, 3)),)), ("inv", (np.ones(3),)), ("eig", (np.full((2, 2), np.nan),)),
    ("inv", (np.stack([np.eye(2), np.zeros((2, 2))]),))])
def test_errors_are_numpys_linalg_error(la, f, arguments):
    with pytest.raises(np.linalg.LinAlgError):
        getattr(np_linalg, f)(*arguments)
    with pytest.raises(np.linalg.LinAlgError):
        getattr(la.linalg, f)(*arguments)


def test_stored_matrices_are_operands(la):
    m = la.store("linalg-operand", POSITIVE)
    same(la.linalg.inv(m), np_linalg.inv(POSITIVE))
    same(la.linalg.cholesky(m), np_linalg.cholesky(POSITIVE))
    same(la.linalg.norm(m), np_linalg.norm(POSITIVE))
