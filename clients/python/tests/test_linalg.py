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
    assert la.linalg.matrix_rank(np.diag([1.0, -1e-8]), hermitian=True, tol=1e-7) == 1
    with pytest.raises(ValueError, match="can't be both set"):
        la.linalg.matrix_rank(deficient, tol=0.1, rtol=0.1)


@pytest.mark.parametrize("a", [GENERAL, TALL, WIDE])
def test_qr(la, a):
    for mode in ("reduced", "complete"):
        r, want = la.linalg.qr(a, mode), np_linalg.qr(a, mode)
        assert [x.shape for x in r] == [x.shape for x in want]
        same(r.Q @ r.R, a)
    same(np.abs(la.linalg.qr(a, "r")), np.abs(np_linalg.qr(a, "r")))
    for x, y in zip(la.linalg.qr(a, "raw"), np_linalg.qr(a, "raw")):
        same(x, y)
    with pytest.raises(ValueError, match="not supported"):
        la.linalg.qr(a, "economic")
    assert [x.shape for x in la.linalg.qr(np.empty((3, 0)), "raw")] == [(0, 3), (0,)]


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


def test_least_squares_to_machine_precision(la):
    a = np.diag([1.0, 1e-15, 1e-17])[:, :2]
    assert la.linalg.lstsq(a, np.ones(3), rcond=-1)[2] == np_linalg.lstsq(a, np.ones(3), rcond=-1)[2] == 2
    assert la.linalg.lstsq(a, np.ones(3), rcond=0.1)[2] == 1
    with pytest.raises(np.linalg.LinAlgError, match="Incompatible dimensions"):
        la.linalg.lstsq(TALL, np.ones(3))
    with pytest.raises(np.linalg.LinAlgError, match="two-dimensional"):
        la.linalg.lstsq(STACK, np.ones(3))


@pytest.mark.parametrize("m, n", [(0, 3), (3, 0), (0, 0)])
@pytest.mark.parametrize("k", [(), (0,), (2,)])
def test_least_squares_of_nothing(la, m, n, k):
    a, b = np.empty((m, n), "f4"), np.ones((m, *k), "f4")
    for got, want in zip(la.linalg.lstsq(a, b), np_linalg.lstsq(a, b, rcond=None)):
        assert np.shape(got) == np.shape(want) and np.array_equal(got, want)


def test_pseudoinverses(la):
    imaginary = GENERAL + 1j * GENERAL[::-1]
    for a in (imaginary, TALL + 1j, np.stack([imaginary, SYMMETRIC]), imaginary.astype("F")):
        same(la.linalg.pinv(a), np_linalg.pinv(a), 1e-3 if a.dtype == np.complex64 else 1e-9)
    hermitian = imaginary + imaginary.T.conj()
    for a in (SYMMETRIC, hermitian, np.stack([hermitian, SYMMETRIC])):
        same(la.linalg.pinv(a, hermitian=True), np_linalg.pinv(a), 1e-9)
    cuts = np.array([0.3, 1e-9, 0.5])
    same(la.linalg.pinv(STACK, rcond=cuts), np_linalg.pinv(STACK, rcond=cuts), 1e-9)
    same(la.linalg.pinv(TALL, rtol=0.5), np_linalg.pinv(TALL, rtol=0.5))
    same(la.linalg.pinv(np.empty((2, 0, 3))), np_linalg.pinv(np.empty((2, 0, 3))))
    with pytest.raises(ValueError, match="can't be both set"):
        la.linalg.pinv(TALL, rcond=0.5, rtol=0.5)


def test_singular_values_of_hermitian_matrices(la):
    for a in (SYMMETRIC, SYMMETRIC + 1j * (GENERAL - GENERAL.T), np.diag([1.0, 0])):
        u, s, vh = la.linalg.svd(a, hermitian=True)
        same(s, np_linalg.svd(a)[1])
        same(u * s @ vh, a)
        same(vh @ vh.conj().T, np.eye(len(a), dtype=a.dtype))
        same(la.linalg.svd(a, compute_uv=False, hermitian=True), s)
    lower = np.tril(SYMMETRIC)          # of which only the triangle counts, as in NumPy
    same(la.linalg.svd(lower, compute_uv=False, hermitian=True), np_linalg.svd(lower, compute_uv=False, hermitian=True))


@pytest.mark.parametrize("kind", "ifdFD")
@pytest.mark.parametrize("shape", [(0, 0), (0, 3, 3), (2, 0, 0)])
def test_empty_matrices_are_answered_as_numpy_does(la, shape, kind):
    a = np.zeros(shape, kind)
    for name in ("eig", "eigh", "svd", "qr", "slogdet", "eigvals", "eigvalsh", "svdvals", "inv", "det", "cholesky",
                 "pinv"):
        got, want = getattr(la.linalg, name)(a), getattr(np_linalg, name)(a)
        for x, y in zip(got, want) if isinstance(want, tuple) else [(got, want)]:
            assert np.shape(x) == np.shape(y), (name, np.shape(x), np.shape(y))
            assert x.dtype == y.dtype or (name, kind) == ("pinv", "i"), (name, x.dtype, y.dtype)
    assert np.array_equal(la.linalg.det(a), np_linalg.det(a))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 0, 3), (0, 2, 3)])
def test_empty_rectangles_are_answered_as_numpy_does(la, shape):
    a = np.empty(shape)
    for got, want in [(la.linalg.svd(a, full), np_linalg.svd(a, full)) for full in (True, False)] + \
                     [(la.linalg.qr(a, mode), np_linalg.qr(a, mode)) for mode in ("reduced", "complete", "raw")]:
        for x, y in zip(got, want):
            same(x, y)


@pytest.mark.parametrize("a, b", [
    ((2, 0, 0), (1, 0, 3)), ((0, 0), (0,)), ((3, 2, 2), (2, 0)), ((0, 2, 2), (2, 1)), ((2, 0, 0), (0,))])
def test_empty_systems(la, a, b):
    a, b = np.ones(a) * np.eye(*a[-2:]), np.ones(b, "f4")
    same(la.linalg.solve(a, b), np_linalg.solve(a, b))


@pytest.mark.parametrize("a, b", [
    ((2, 2), (3, 1)), ((0, 2, 2), (3, 1)), ((2, 2, 2), (3, 2, 1)), ((2, 3), (2, 1)), ((2, 2), (0, 1))])
def test_systems_that_do_not_match(la, a, b):
    for solve in (np_linalg.solve, la.linalg.solve):
        with pytest.raises(ValueError):
            solve(np.ones(a), np.ones(b))


def test_types_are_numpys(la):
    for kind in "?bBhHiIqQfdFD":
        a = np.array([[1, 1], [0, 1]], kind)
        for name in ("inv", "eigvals", "cholesky", "det", "pinv"):
            assert getattr(la.linalg, name)(a).dtype == getattr(np_linalg, name)(a).dtype, (name, kind)
    assert [x.dtype for x in la.linalg.eig(np.eye(2, dtype="F"))] == [np.complex64] * 2
    assert la.linalg.solve(np.eye(2, dtype="f4"), np.ones(2, int)).dtype == np.float64
    for kind in "egGO":
        for name in ("inv", "cholesky", "eigh", "svd", "cond", "pinv"):
            with pytest.raises(TypeError, match="must be numbers" if kind == "O" else "unsupported in linalg"):
                getattr(la.linalg, name)(np.eye(2).astype(kind))


def test_imaginary_parts_of_a_diagonal_count_as_nothing(la):
    a = SYMMETRIC + 1j * np.diag(np.arange(5.0))
    same(la.linalg.eigvalsh(a), np_linalg.eigvalsh(a))


def test_subclasses_of_arrays_come_back(la):
    class Own(np.ndarray):
        pass
    for kind in (np.matrix, Own):
        a, b = POSITIVE.view(kind), TALL.view(kind)
        r = [la.linalg.inv(a), la.linalg.cholesky(a), la.linalg.solve(POSITIVE, a), la.linalg.eigh(a).eigenvectors,
             la.linalg.eig(a).eigenvectors, la.linalg.svd(b).U, *la.linalg.qr(b), la.linalg.pinv(b),
             la.linalg.lstsq(TALL, b)[0]]
        assert [type(x) for x in r] == [kind] * len(r)
        r = [la.linalg.svd(b).S, la.linalg.eigvalsh(a), la.linalg.solve(a, POSITIVE)]
        assert [type(x) for x in r] == [np.ndarray] * 3


def test_a_stack_fails_as_one(la):
    a = np.stack([np.eye(2), np.ones((2, 2))])
    for name in ("inv", "solve"):
        with pytest.raises(np.linalg.LinAlgError):
            getattr(la.linalg, name)(a, *[np.ones(2)][:name == "solve"])
    same(la.linalg.slogdet(a).logabsdet, np_linalg.slogdet(a).logabsdet)
    same(la.linalg.slogdet(a).sign, np_linalg.slogdet(a).sign)


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
    with pytest.raises(ValueError, match="dimensions"):
        la.linalg.norm(STACK, 2)


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
