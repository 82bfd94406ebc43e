"""The functions of numpy.linalg, computed by the service, with NumPy's signatures, result types and LinAlgError.

Each function is written once, as a flow of core.py; Linalg runs the flow, AsyncLinalg awaits it. Empty matrices are
answered on this side, without a request. What differs from NumPy: the eigenvalues of general matrices are in descending
order of modulus, the largest component of an eigenvector is real and positive, float32 is computed in float32, and NaN
and infinities are mostly refused.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Awaitable, Callable, NamedTuple, Optional, Union

import numpy as np

from .body import Array, dense, is_sparse
from .core import Core, Flow
from .norms import cond, norm
from .operand import (
    checked, identity, is_complex, is_empty, is_held, like, matrix, mirrored, real_type, result_type, transposed, typed)

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


def eigh(core: Core, a: Any, UPLO: str = "L") -> Flow[EighResult]:
    m = mirrored(a, UPLO)
    if is_empty(m):
        return EighResult(np.empty(m.shape[:-1], real_type(m.dtype)), like(a, np.empty_like(m)))
    r = checked((yield from core.call("eigen", (m,), {
        "which": "all", "structure": "symmetric", "return": "eigenvalues,eigenvectors"})))
    return EighResult(r.eigenvalues, like(a, r.eigenvectors))


def eigvalsh(core: Core, a: Any, UPLO: str = "L") -> Flow[Any]:
    m = mirrored(a, UPLO)
    if is_empty(m):
        return np.empty(m.shape[:-1], real_type(m.dtype))
    return checked((yield from core.call("eigen", (m,), {
        "which": "all", "structure": "symmetric", "return": "eigenvalues"}))).eigenvalues


def _general(m: Any, values: Array) -> Array:
    """The eigenvalues, or eigenvectors, of complex matrices are complex, even where the service answers real ones."""
    return values.astype(m.dtype, copy=False) if is_complex(m) else values


def eig(core: Core, a: Any) -> Flow[EigResult]:
    m = matrix(a, square=True)
    if is_empty(m):
        return EigResult(np.empty(m.shape[:-1], m.dtype), like(a, np.empty_like(m)))
    r = checked((yield from core.call("eigen", (m,), {"which": "all", "return": "eigenvalues,eigenvectors"})))
    return EigResult(_general(m, r.eigenvalues), like(a, _general(m, r.eigenvectors)))


def eigvals(core: Core, a: Any) -> Flow[Any]:
    m = matrix(a, square=True)
    if is_empty(m):
        return np.empty(m.shape[:-1], m.dtype)
    r = checked((yield from core.call("eigen", (m,), {"which": "all", "return": "eigenvalues"})))
    return _general(m, r.eigenvalues)


def _svd_of_hermitian(core: Core, a: Any, compute_uv: bool) -> Flow[Union[SVDResult, Any]]:
    """The moduli of the eigenvalues; their signs go to the right vectors."""
    if not compute_uv:
        return np.sort(np.abs((yield from eigvalsh(core, a))))[..., ::-1]
    values, vectors = yield from eigh(core, a)
    order = np.argsort(np.abs(values))[..., ::-1]
    values = np.take_along_axis(values, order, -1)
    u = np.take_along_axis(np.asarray(vectors), order[..., None, :], -1)
    vh = transposed(u * np.copysign(1, values)[..., None, :])
    return SVDResult(like(a, u), np.abs(values), like(a, vh))


def _svd_of_nothing(m: Array, full: bool) -> SVDResult:
    *lead, rows, columns = m.shape
    k = min(rows, columns)
    u = identity(tuple(lead), rows, rows if full else k, m.dtype)
    vh = identity(tuple(lead), columns if full else k, columns, m.dtype)
    return SVDResult(u, np.empty((*lead, k), real_type(m.dtype)), vh)


def svd(core: Core, a: Any, full_matrices: bool = True, compute_uv: bool = True,
        hermitian: bool = False) -> Flow[Union[SVDResult, Any]]:
    """Singular values, and vectors. With hermitian=True they are those of an eigenproblem."""
    if hermitian:
        return (yield from _svd_of_hermitian(core, a, compute_uv))
    m = matrix(a)
    if is_empty(m):
        r: Any = _svd_of_nothing(m, full_matrices)
        return SVDResult(like(a, r.U), r.S, like(a, r.Vh)) if compute_uv else r.S
    vectors = "none" if not compute_uv else "full" if full_matrices else "thin"
    r = checked((yield from core.call("svd", (m,), {"vectors": vectors})))
    return SVDResult(like(a, r.u), r.s, like(a, r.vh)) if compute_uv else r.s


def svdvals(core: Core, x: Any) -> Flow[Any]:
    return (yield from svd(core, x, compute_uv=False))


def _qr_of_nothing(m: Array, mode: str) -> tuple[Array, Array]:
    *lead, rows, columns = m.shape
    k = min(rows, columns)
    if mode == "raw":
        return np.empty((*lead, columns, rows), m.dtype), np.empty((*lead, k), m.dtype)
    inner = rows if mode == "complete" else k
    return identity(tuple(lead), rows, inner, m.dtype), np.empty((*lead, inner, columns), m.dtype)


def qr(core: Core, a: Any, mode: str = "reduced") -> Flow[Union[QRResult, Any]]:
    """The factors Q and R, or with mode='raw' LAPACK's reflections, of which NumPy has the transpose, and their factors."""
    modes = {"reduced": "thin", "complete": "complete", "r": "thin", "raw": "raw"}
    m = matrix(a)
    if mode not in modes:
        raise ValueError(f"mode {mode!r} is not supported; there are {', '.join(modes)}")
    if is_empty(m):
        q, upper = _qr_of_nothing(m, mode)
    else:
        r = checked((yield from core.call("qr", (m,), {"mode": modes[mode]})))
        q, upper = (np.swapaxes(r.h, -2, -1), r.tau) if mode == "raw" else (r.q, r.r)
    if mode == "raw":
        return like(a, q), upper
    return like(a, upper) if mode == "r" else QRResult(like(a, q), like(a, upper))


def cholesky(core: Core, a: Any, *, upper: bool = False) -> Flow[Any]:
    m = mirrored(a, "U" if upper else "L")
    lower = np.empty_like(m) if is_empty(m) else checked((yield from core.call("cholesky", (m,), {}))).l
    return like(a, transposed(lower) if upper else lower)


def _systems(m: Array, b: Array) -> tuple[Array, Array]:
    """Returns matrices and right-hand sides of one type, and as stacks of one shape if either is a stack."""
    if m.shape[-1] != b.shape[-2]:
        raise np.linalg.LinAlgError(f"matrices of {m.shape[-1]} rows do not go with right-hand sides of {b.shape[-2]}")
    lead, kind = np.broadcast_shapes(m.shape[:-2], b.shape[:-2]), result_type(m, b)
    m, b = m.astype(kind, copy=False), b.astype(kind, copy=False)
    return (m if m.shape[:-2] == lead else np.broadcast_to(m, (*lead, *m.shape[-2:])),
            b if b.shape[:-2] == lead else np.broadcast_to(b, (*lead, *b.shape[-2:])))


def solve(core: Core, a: Any, b: Any) -> Flow[Any]:
    """Solves a x = b, where b is a vector if it has one dimension, else a matrix or a stack of them, as in NumPy 2."""
    m = matrix(a, square=True)
    if is_held(m) or is_held(b):
        return checked((yield from core.call("solve", (m, b if is_held(b) else dense(b)), {}))).x
    right = typed(b)
    vector = right.ndim == 1
    m, right = _systems(m, right[:, None] if vector else right)
    if vector and m.ndim == 2:
        right, vector = right[:, 0], False
    x: Any = right.copy() if right.size == 0 else checked((yield from core.call("solve", (m, right), {}))).x
    return like(b, x[..., 0] if vector else x)


def inv(core: Core, a: Any) -> Flow[Any]:
    m = matrix(a, square=True)
    return like(a, np.empty_like(m) if is_empty(m) else checked((yield from core.call("inverse", (m,), {}))).inverse)


def pinv(core: Core, a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Flow[Any]:
    """The pseudoinverse. Singular values of at most rcond, or rtol, times the largest one count as 0; by default it is
    the machine epsilon times the larger dimension. Of complex and Hermitian matrices, and with several rcond, it is the
    product of the service's singular vectors."""
    if rcond is not None and rtol is not None:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    relative, m = rtol if rcond is None else rcond, matrix(a)
    if is_empty(m):
        return like(a, np.swapaxes(m, -1, -2).copy())
    is_one = relative is None or (np.ndim(relative) == 0 and 0 <= relative <= 1)
    if is_one and not hermitian and not is_complex(m):
        return like(a, checked((yield from core.call("pinv", (m,), {"rcond": relative}))).pinv)
    u, s, vh = yield from svd(core, m, full_matrices=False, hermitian=hermitian)
    default = np.finfo(s.dtype).eps * max(u.shape[-2], vh.shape[-1])
    relative = default if relative is None else np.asarray(relative)[..., None]
    kept = s > relative * s.max(axis=-1, keepdims=True)
    inverted = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype, copy=False)
    factors = (transposed(vh) * inverted[..., None, :], transposed(u))
    return like(a, (yield from core.call("matmul", factors, {})).c)


def _determinants(core: Core, m: Any, outputs: str) -> Flow[Any]:
    """Computes in float64 or complex128, as NumPy does, because a determinant's errors grow with every factor."""
    wide = {"f": "float64", "F": "complex128"}.get(m.dtype.char) if isinstance(m, np.ndarray) else None
    return checked((yield from core.call("det", (m,), {"return": outputs, "dtype": wide})))


def _narrowed(m: Any, value: Any) -> Any:
    """Returns a determinant's part in the precision of the operand."""
    if not isinstance(m, np.ndarray):
        return value
    kind = m.dtype if np.iscomplexobj(value) else real_type(m.dtype)
    return np.asarray(value).astype(kind)[()]


def det(core: Core, a: Any) -> Flow[Any]:
    m = matrix(a, square=True)
    if is_empty(m):
        return np.ones(m.shape[:-2], m.dtype)[()]
    return _narrowed(m, (yield from _determinants(core, m, "det")).det)


def slogdet(core: Core, a: Any) -> Flow[SlogdetResult]:
    m = matrix(a, square=True)
    if is_empty(m):
        return SlogdetResult(np.ones(m.shape[:-2], m.dtype)[()], np.zeros(m.shape[:-2], real_type(m.dtype))[()])
    r = yield from _determinants(core, m, "sign,logabsdet")
    return SlogdetResult(_narrowed(m, r.sign), _narrowed(m, r.logabsdet))


def _least_squares(core: Core, m: Array, right: Array, rcond: Optional[float]) -> Flow[tuple[Any, int, Any]]:
    """Returns x, the rank and the singular values. An rcond not between 0 and 1 is LAPACK's machine precision."""
    if m.size == 0:
        return np.zeros((m.shape[1], *right.shape[1:]), m.dtype), 0, np.empty(0, real_type(m.dtype))
    if rcond is not None and not 0 < rcond < 1:
        rcond = float(np.finfo(m.dtype).eps) / 2
    r = checked((yield from core.call("lstsq", (m, right), {"rcond": rcond})))
    return r.x, int(r.rank), r.s


def lstsq(core: Core, a: Any, b: Any, rcond: Optional[float] = None) -> Flow[tuple[Any, Any, Any, Any]]:
    """Least squares. The residuals are computed on this side."""
    m, right = typed(a), typed(b)
    for x in (m, right):
        if x.ndim != 2 and not (x is right and x.ndim == 1):
            raise np.linalg.LinAlgError(f"{x.ndim}-dimensional array given. Array must be two-dimensional")
    if m.shape[0] != right.shape[0]:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    kind = result_type(m, right)
    m, right = m.astype(kind, copy=False), right.astype(kind, copy=False)
    x, rank, s = yield from _least_squares(core, m, right, rcond)
    residuals = np.empty(0, real_type(kind))
    if rank == m.shape[1] and m.shape[0] > m.shape[1]:
        residuals = np.atleast_1d(np.sum(np.abs(right - m @ x) ** 2, axis=0))
    return like(b, x), like(b, residuals), rank, s


def matrix_rank(core: Core, A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Flow[Any]:
    """The number of singular values above tol, or above rtol times the largest one."""
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    m = np.asarray(A.toarray() if is_sparse(A) else A)
    if m.ndim < 2:
        return int(bool(np.any(m != 0)))
    s: Any = yield from svd(core, m, compute_uv=False, hermitian=hermitian)
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

    def pinv(self, a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
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
