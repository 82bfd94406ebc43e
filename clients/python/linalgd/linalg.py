"""The functions of numpy.linalg, computed by the service, with NumPy's signatures, result types and LinAlgError.

Each function is written once, as a flow of core.py; Linalg runs the flow, AsyncLinalg awaits it. Two things differ from NumPy: the
eigenvalues of general matrices are in descending order of modulus, and the largest component of an eigenvector is real and positive.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Awaitable, Callable, NamedTuple, Optional, Union

import numpy as np

from .body import Array, dense, is_sparse
from .core import Core, Flow

if TYPE_CHECKING:
    from .aio import AsyncClient
    from .client import Client


class EigResult(NamedTuple):
    eigenvalues: Any
    eigenvectors: Any


class EighResult(NamedTuple):
    eigenvalues: Any
    eigenvectors: Any


class SVDResult(NamedTuple):
    U: Any
    S: Any
    Vh: Any


class QRResult(NamedTuple):
    Q: Any
    R: Any


class SlogdetResult(NamedTuple):
    sign: Any
    logabsdet: Any


def _matrix(a: Any) -> Any:
    """Returns an operand as an array; stored, generated and sparse matrices are returned unchanged."""
    if hasattr(a, "reference") or is_sparse(a):
        return a
    array = dense(a)
    if array.ndim < 2:
        raise np.linalg.LinAlgError(f"{array.ndim}-dimensional array given. Array must be at least two-dimensional")
    return array


def _array(a: Any) -> Array:
    return dense(a.toarray() if is_sparse(a) else a)


def _checked(r: Any) -> Any:
    """Raises LinAlgError if any matrix of a stack has failed, as NumPy does."""
    if r.failed is not None:
        raise np.linalg.LinAlgError(f"{r.op} failed for the matrices {np.ravel(r.failed).tolist()} of the stack")
    return r


def _mirrored(a: Any, UPLO: str) -> Any:
    """Returns the symmetric matrix that has the given triangle of a."""
    if UPLO.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    if hasattr(a, "reference") or is_sparse(a):
        return a
    m = _matrix(a)
    part = np.tril(m) if UPLO.upper() == "L" else np.triu(m)
    beyond = np.tril(m, -1) if UPLO.upper() == "L" else np.triu(m, 1)
    return part + np.conj(np.swapaxes(beyond, -1, -2))


def eigh(core: Core, a: Any, UPLO: str = "L") -> Flow[EighResult]:
    r = _checked((yield from core.call("eigen", (_mirrored(a, UPLO),), {
        "which": "all", "structure": "symmetric", "return": "eigenvalues,eigenvectors"})))
    return EighResult(r.eigenvalues, r.eigenvectors)


def eigvalsh(core: Core, a: Any, UPLO: str = "L") -> Flow[Any]:
    return _checked((yield from core.call("eigen", (_mirrored(a, UPLO),), {
        "which": "all", "structure": "symmetric", "return": "eigenvalues"}))).eigenvalues


def eig(core: Core, a: Any) -> Flow[EigResult]:
    r = _checked((yield from core.call("eigen", (_matrix(a),), {"which": "all", "return": "eigenvalues,eigenvectors"})))
    return EigResult(r.eigenvalues, r.eigenvectors)


def eigvals(core: Core, a: Any) -> Flow[Any]:
    return _checked((yield from core.call("eigen", (_matrix(a),), {"which": "all", "return": "eigenvalues"}))).eigenvalues


def svd(core: Core, a: Any, full_matrices: bool = True, compute_uv: bool = True,
        hermitian: bool = False) -> Flow[Union[SVDResult, Any]]:
    vectors = "none" if not compute_uv else "full" if full_matrices else "thin"
    r = _checked((yield from core.call("svd", (_matrix(a),), {"vectors": vectors})))
    return SVDResult(r.u, r.s, r.vh) if compute_uv else r.s


def svdvals(core: Core, x: Any) -> Flow[Any]:
    return (yield from svd(core, x, compute_uv=False))


def qr(core: Core, a: Any, mode: str = "reduced") -> Flow[Union[QRResult, Any]]:
    modes = {"reduced": "thin", "complete": "complete", "r": "thin"}
    if mode not in modes:
        raise ValueError(f"mode {mode!r} is not supported; there are {', '.join(modes)}")
    r = _checked((yield from core.call("qr", (_matrix(a),), {"mode": modes[mode]})))
    return r.r if mode == "r" else QRResult(r.q, r.r)


def cholesky(core: Core, a: Any, *, upper: bool = False) -> Flow[Any]:
    m = _mirrored(a, "U" if upper else "L")
    lower = _checked((yield from core.call("cholesky", (m,), {}))).l
    return np.conj(np.swapaxes(lower, -1, -2)) if upper else lower


def solve(core: Core, a: Any, b: Any) -> Flow[Any]:
    """Solves a x = b, where b is a vector if it has one dimension, else a matrix or a stack of matrices, as in NumPy 2."""
    m, right = _matrix(a), b if hasattr(b, "reference") or is_sparse(b) else dense(b)
    if not isinstance(m, np.ndarray) or not isinstance(right, np.ndarray):
        return _checked((yield from core.call("solve", (m, right), {}))).x
    vector = right.ndim == 1 and m.ndim > 2
    right = right[:, None] if vector else right
    if right.ndim > 1 and (m.ndim > 2 or right.ndim > 2):
        lead = np.broadcast_shapes(m.shape[:-2], right.shape[:-2])
        m, right = (np.ascontiguousarray(np.broadcast_to(x, (*lead, *x.shape[-2:]))) for x in (m, right))
    x = _checked((yield from core.call("solve", (m, right), {}))).x
    return x[..., 0] if vector else x


def inv(core: Core, a: Any) -> Flow[Any]:
    return _checked((yield from core.call("inverse", (_matrix(a),), {}))).inverse


def pinv(core: Core, a: Any, rcond: Optional[float] = None, hermitian: bool = False, *, rtol: Optional[float] = None) -> Flow[Any]:
    return _checked((yield from core.call("pinv", (_matrix(a),), {"rcond": rtol if rcond is None else rcond}))).pinv


def det(core: Core, a: Any) -> Flow[Any]:
    return _checked((yield from core.call("det", (_matrix(a),), {"return": "det"}))).det


def slogdet(core: Core, a: Any) -> Flow[SlogdetResult]:
    r = _checked((yield from core.call("det", (_matrix(a),), {"return": "sign,logabsdet"})))
    return SlogdetResult(r.sign, r.logabsdet)


def lstsq(core: Core, a: Any, b: Any, rcond: Optional[float] = None) -> Flow[tuple[Any, Any, Any, Any]]:
    m, right = _array(a), _array(b)
    r = _checked((yield from core.call("lstsq", (m, right), {"rcond": rcond})))
    residuals = np.empty(0, r.x.dtype)
    if r.rank == m.shape[1] and m.shape[0] > m.shape[1]:
        residuals = np.atleast_1d(np.sum(np.abs(right - m @ r.x) ** 2, axis=0))
    return r.x, residuals, int(r.rank), r.s


MATRIX_NORMS = {None: "fro", "fro": "fro", "nuc": "nuc", 1: "1", 2: "2", np.inf: "inf"}
VECTOR_NORMS = {None: "norm2", 2: "norm2", 1: "norm1", np.inf: "norminf"}


def norm(core: Core, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Flow[Any]:
    array = _array(x)
    axes = tuple(range(array.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    shape = [1 if i in [a % max(array.ndim, 1) for a in axes] else n for i, n in enumerate(array.shape)]
    flat = axis is None and (ord is None or array.ndim == 1)
    if not flat and len(axes) not in (1, 2):
        raise ValueError("Improper number of dimensions to norm.")
    known = VECTOR_NORMS if flat or len(axes) == 1 else MATRIX_NORMS
    if ord not in known:
        raise ValueError(f"norm of order {ord!r} is not supported")
    if flat:
        value = (yield from core.call("reduce", (array.reshape(-1),), {"op": known[ord]})).value
    elif len(axes) == 1:
        rows = np.moveaxis(array, axes[0], -1)
        lead = rows.shape[:-1]
        r = yield from core.call("reduce", (rows.reshape(int(np.prod(lead)), -1),), {"op": known[ord], "axis": 1})
        value = r.values.reshape(lead) if lead else r.values[0]
    else:
        value = _checked((yield from core.call("norm", (np.moveaxis(array, axes, (-2, -1)),), {"ord": known[ord]}))).norm
    return np.reshape(value, shape) if keepdims else value


def cond(core: Core, x: Any, p: Any = None) -> Flow[Any]:
    orders = {None: "2", 2: "2", 1: "1", np.inf: "inf", "fro": "fro"}
    if p not in orders:
        raise ValueError(f"a condition number of order {p!r} is not supported")
    return _checked((yield from core.call("cond", (_matrix(x),), {"ord": orders[p]}))).cond


def matrix_rank(core: Core, A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Flow[Any]:
    m = _array(A)
    if m.ndim < 2:
        return int(bool(np.any(m != 0)))
    s: Any = yield from svd(core, m, compute_uv=False)
    if tol is None:
        relative = max(m.shape[-2:]) * np.finfo(s.dtype).eps if rtol is None else np.asarray(rtol)[..., np.newaxis]
        tol = s.max(axis=-1, keepdims=True, initial=0) * relative
    else:
        tol = np.asarray(tol)[..., np.newaxis]
    return np.count_nonzero(s > tol, axis=-1)


class Linalg:
    """The functions of numpy.linalg, computed by the service."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def eigh(self, a: Any, UPLO: str = "L") -> EighResult:
        return self._client._run(eigh(self._client._core, a, UPLO))

    def eigvalsh(self, a: Any, UPLO: str = "L") -> Any:
        return self._client._run(eigvalsh(self._client._core, a, UPLO))

    def eig(self, a: Any) -> EigResult:
        return self._client._run(eig(self._client._core, a))

    def eigvals(self, a: Any) -> Any:
        return self._client._run(eigvals(self._client._core, a))

    def svd(self, a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
        return self._client._run(svd(self._client._core, a, full_matrices, compute_uv, hermitian))

    def svdvals(self, x: Any) -> Any:
        return self._client._run(svdvals(self._client._core, x))

    def qr(self, a: Any, mode: str = "reduced") -> Any:
        return self._client._run(qr(self._client._core, a, mode))

    def cholesky(self, a: Any, *, upper: bool = False) -> Any:
        return self._client._run(cholesky(self._client._core, a, upper=upper))

    def solve(self, a: Any, b: Any) -> Any:
        return self._client._run(solve(self._client._core, a, b))

    def inv(self, a: Any) -> Any:
        return self._client._run(inv(self._client._core, a))

    def pinv(self, a: Any, rcond: Optional[float] = None, hermitian: bool = False, *, rtol: Optional[float] = None) -> Any:
        return self._client._run(pinv(self._client._core, a, rcond, hermitian, rtol=rtol))

    def det(self, a: Any) -> Any:
        return self._client._run(det(self._client._core, a))

    def slogdet(self, a: Any) -> SlogdetResult:
        return self._client._run(slogdet(self._client._core, a))

    def lstsq(self, a: Any, b: Any, rcond: Optional[float] = None) -> tuple[Any, Any, Any, Any]:
        return self._client._run(lstsq(self._client._core, a, b, rcond))

    def norm(self, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
        return self._client._run(norm(self._client._core, x, ord, axis, keepdims))

    def cond(self, x: Any, p: Any = None) -> Any:
        return self._client._run(cond(self._client._core, x, p))

    def matrix_rank(self, A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
        return self._client._run(matrix_rank(self._client._core, A, tol, hermitian, rtol=rtol))


FLOWS: dict[str, Callable[..., Flow[Any]]] = {f.__name__: f for f in (
    eigh, eigvalsh, eig, eigvals, svd, svdvals, qr, cholesky, solve, inv, pinv, det, slogdet, lstsq, norm, cond, matrix_rank)}


class AsyncLinalg:
    """The functions of Linalg as coroutines."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        if name not in FLOWS:
            raise AttributeError(f"linalg has no {name}")

        async def f(*arguments: Any, **named: Any) -> Any:
            return await self._client._run(FLOWS[name](self._client._core, *arguments, **named))

        f.__name__ = f.__qualname__ = name
        return f

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *FLOWS]
