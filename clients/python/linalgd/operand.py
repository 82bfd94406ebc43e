"""Operands and results as numpy.linalg has them: which types it takes, which types and classes its results have."""
from __future__ import annotations

from typing import Any

import numpy as np

from .body import Array, dense, is_sparse


def is_held(a: Any) -> bool:
    """Whether an operand is a stored, generated or sparse matrix, not an array; the service may know its type alone."""
    return hasattr(a, "reference") or is_sparse(a)


def is_empty(a: Any) -> bool:
    return isinstance(a, np.ndarray) and a.size == 0


def is_complex(a: Any) -> bool:
    return isinstance(a, np.ndarray) and a.dtype.kind == "c"


def result_type(*arrays: Array) -> np.dtype[Any]:
    """Returns the type of NumPy's results: integers give float64; half and extended precision are refused."""
    for a in arrays:
        if a.dtype.kind in "fc" and a.dtype.char not in "fdFD":
            raise TypeError(f"array type {a.dtype.name} is unsupported in linalg")
    return np.result_type(*(a.dtype if a.dtype.kind in "fc" else np.dtype(np.float64) for a in arrays))


def real_type(kind: np.dtype[Any]) -> np.dtype[Any]:
    return np.empty(0, kind).real.dtype


def typed(a: Any) -> Array:
    """Returns an array, or what is fetched of a stored or sparse matrix, in its result's type."""
    array = np.asarray(a.toarray() if is_sparse(a) else a)
    return dense(dense(array).astype(result_type(array), copy=False))


def matrix(a: Any, square: bool = False) -> Any:
    """Returns a matrix or a stack of them in its result's type, and stored, generated and sparse matrices unchanged."""
    if is_held(a):
        return a
    shape = np.shape(a)
    if len(shape) < 2:
        raise np.linalg.LinAlgError(f"{len(shape)}-dimensional array given. Array must be at least two-dimensional")
    if square and shape[-1] != shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    return typed(a)


def transposed(m: Array) -> Array:
    return np.conj(np.swapaxes(m, -1, -2))


def mirrored(a: Any, UPLO: str) -> Any:
    """Returns the symmetric or Hermitian matrix that has the given triangle of a."""
    if UPLO.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    m = matrix(a, square=True)
    if is_held(m):
        return m
    part = np.tril(m) if UPLO.upper() == "L" else np.triu(m)
    if is_complex(part):
        np.einsum("...ii->...i", part.imag)[...] = 0        # the diagonal, of which LAPACK reads the real parts only
    beyond = np.tril(m, -1) if UPLO.upper() == "L" else np.triu(m, 1)
    return part + transposed(beyond)


def like(a: Any, result: Array) -> Any:
    """Returns a result in the class of the operand a, if that is a subclass of NumPy's array, such as numpy.matrix."""
    return a.__array_wrap__(result) if isinstance(a, np.ndarray) and type(a) is not np.ndarray else result


def checked(r: Any) -> Any:
    """Raises LinAlgError if any matrix of a stack has failed, as NumPy does."""
    if r.failed is not None:
        raise np.linalg.LinAlgError(f"{r.op} failed for the matrices {np.ravel(r.failed).tolist()} of the stack")
    return r


def identity(lead: tuple[int, ...], rows: int, columns: int, kind: np.dtype[Any]) -> Array:
    """Returns a stack of identities, of which columns beyond the rows, or rows beyond the columns, are zero."""
    return np.broadcast_to(np.eye(rows, columns, dtype=kind), (*lead, rows, columns)).copy()
