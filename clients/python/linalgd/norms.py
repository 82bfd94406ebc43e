"""The flows of numpy.linalg's norm and cond, for every order that NumPy has.

The service reduces, inverts and finds singular values. Where it has no norm of an order or a type, elementwise
arithmetic on this side comes before or after: powers and their roots, and the least or greatest of the sums of a
matrix's rows or columns.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from .body import Array, is_sparse
from .core import Core, Flow
from .errors import Singular
from .operand import checked, is_complex, is_held, matrix, real_type

MATRIX_NORMS = {None: "fro", "fro": "fro", "f": "fro", "nuc": "nuc", 1: "1", 2: "2", np.inf: "inf"}
VECTOR_NORMS = {None: "norm2", 2: "norm2", 1: "norm1", np.inf: "norminf"}
CONDITIONS = {None: "2", 2: "2", 1: "1", np.inf: "inf", "fro": "fro", "f": "fro"}
ORDERS = (*MATRIX_NORMS, -1, -2, -np.inf)
# Types that only norm takes, and those that they are computed in.
WORK_TYPES = {"e": np.float32, "g": np.float64, "G": np.complex128}


def _reduced(core: Core, rows: Array, op: str) -> Flow[Any]:
    """Reduces the last axis. Without elements the result is known on this side."""
    lead = rows.shape[:-1]
    if rows.size == 0:
        if op == "min" and rows.shape[-1] == 0:
            raise ValueError("zero-size array to reduction operation minimum which has no identity")
        return np.zeros(lead, real_type(rows.dtype))[()]
    if not lead:
        return (yield from core.call("reduce", (rows,), {"op": op})).value
    r = yield from core.call("reduce", (rows.reshape(-1, rows.shape[-1]),), {"op": op, "axis": 1})
    return r.values.reshape(lead)


def _vector_norm(core: Core, rows: Array, order: Any) -> Flow[Any]:
    """The norms of the vectors along the last axis."""
    if isinstance(order, str):
        raise ValueError(f"Invalid norm order '{order}' for vectors")
    if order in VECTOR_NORMS:
        return (yield from _reduced(core, rows, VECTOR_NORMS[order]))
    if order == -np.inf:
        return (yield from _reduced(core, np.abs(rows), "min"))
    if order == 0:
        return (yield from _reduced(core, (rows != 0).astype(real_type(rows.dtype)), "sum"))
    total = yield from _reduced(core, np.abs(rows) ** order, "sum")
    return total ** np.reciprocal(order, dtype=total.dtype)


def _singular_values(core: Core, m: Array) -> Flow[Array]:
    if m.size == 0:
        return np.zeros((*m.shape[:-2], min(m.shape[-2:])), real_type(m.dtype))
    s: Array = checked((yield from core.call("svd", (m,), {"vectors": "none"}))).s
    return s


def _matrix_norm(core: Core, m: Array, order: Any) -> Flow[Any]:
    """The norms of the matrices of the last two axes."""
    if order not in ORDERS:
        raise ValueError("Invalid norm order for matrices.")
    if order in MATRIX_NORMS and m.size and not is_complex(m):
        return checked((yield from core.call("norm", (m,), {"ord": MATRIX_NORMS[order]}))).norm
    if order in (None, "fro", "f"):
        return (yield from _reduced(core, m.reshape(*m.shape[:-2], m.shape[-2] * m.shape[-1]), "norm2"))
    if order in (1, -1, np.inf, -np.inf):
        parts = yield from _reduced(core, np.swapaxes(m, -1, -2) if abs(order) == 1 else m, "norm1")
    else:
        parts = yield from _singular_values(core, m)
    if order == "nuc":
        return parts.sum(axis=-1)
    return parts.max(axis=-1, initial=0) if order > 0 else parts.min(axis=-1)


def _axes(axis: Any, dimensions: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(dimensions))
    if isinstance(axis, tuple):
        return axis
    try:
        return (int(axis),)
    except Exception as e:
        raise TypeError("'axis' must be None, an integer or a tuple of integers") from e


def norm(core: Core, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Flow[Any]:
    """Norms of all of NumPy's orders and types. Where the service has no norm of the order, powers, the roots of their
    sums, and the extremes of a matrix's sums are computed on this side."""
    array = np.asarray(x.toarray() if is_sparse(x) else x)
    if array.dtype.kind in "iub":
        array = array.astype(np.float64)
    axes = _axes(axis, array.ndim)
    work: Array = array.astype(WORK_TYPES.get(array.dtype.char, array.dtype.type), copy=False)
    if axis is None and ord is None:
        value = yield from _reduced(core, work.reshape(-1), "norm2")
    elif len(axes) == 1:
        value = yield from _vector_norm(core, np.moveaxis(work, axes[0], -1), ord)
    elif len(axes) == 2:
        value = yield from _matrix_norm(core, np.moveaxis(work, axes, (-2, -1)), ord)
    else:
        raise ValueError("Improper number of dimensions to norm.")
    value = np.asarray(value).astype(array.real.dtype, copy=False)[()]
    shape = [1 if i in [a % max(array.ndim, 1) for a in axes] else n for i, n in enumerate(array.shape)]
    return np.reshape(value, shape) if keepdims else value


def _inverse(core: Core, m: Array) -> Flow[Array]:
    """The inverse, with NaN for what is singular."""
    try:
        inverse: Array = (yield from core.call("inverse", (m,), {})).inverse
    except Singular:
        return np.full(m.shape, np.nan, m.dtype)
    return inverse


def _condition(core: Core, m: Array, p: Any) -> Flow[Any]:
    """Condition numbers of finite matrices; those of singular ones may be NaN."""
    if p in CONDITIONS and not is_complex(m):
        return checked((yield from core.call("cond", (m,), {"ord": CONDITIONS[p]}))).cond
    if p in (None, 2, -2):
        s = yield from _singular_values(core, m)
        with np.errstate(all="ignore"):
            return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    inverse = yield from _inverse(core, m)
    singular = np.asarray(np.isnan(inverse).any(axis=(-2, -1)))
    inverse = np.where(singular[..., None, None], 0, inverse).astype(m.dtype, copy=False)
    factors = ((yield from _matrix_norm(core, m, p)), (yield from _matrix_norm(core, inverse, p)))
    return np.where(singular, np.nan, factors[0] * factors[1])


def cond(core: Core, x: Any, p: Any = None) -> Flow[Any]:
    """Condition numbers of all of NumPy's orders. Of singular matrices they are infinite, of matrices with NaN they are
    NaN. Those of complex matrices, and of the orders -1, -2, -inf and 'nuc', are ratios of singular values or products
    of norms."""
    if p not in ORDERS:
        raise ValueError("Invalid norm order for matrices.")
    if is_held(x) and p in CONDITIONS:
        return checked((yield from core.call("cond", (x,), {"ord": CONDITIONS[p]}))).cond
    m = matrix(np.asarray(x.toarray() if is_sparse(x) else x), square=p not in (None, 2, -2))
    if m.size == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    finite = np.asarray(np.isfinite(m).all(axis=(-2, -1)))
    whole = m if finite.all() else np.where(finite[..., None, None], m, np.eye(*m.shape[-2:], dtype=m.dtype))
    values = np.asarray((yield from _condition(core, whole, p)))
    values = np.where(np.isnan(values) | ~finite, np.inf, values)
    return np.where(np.isnan(m).any(axis=(-2, -1)), np.nan, values).astype(real_type(m.dtype))[()]
