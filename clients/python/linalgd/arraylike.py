"""What makes a stored matrix behave like an array in NumPy's expressions: products and reductions are computed by the service,
everything else on the fetched elements."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .body import is_sparse

if TYPE_CHECKING:
    from .client import Client


class ArrayLike(NDArrayOperatorsMixin):
    """Base of Stored, which has the attributes of Described, fetch() and _client. It has NumPy's operators, and is an operand of
    NumPy's functions. It cannot be written to: `m += 1` is a TypeError."""

    if TYPE_CHECKING:
        _client: Client
        name: str
        format: str
        dtype: Any
        nbytes: int

        @property
        def shape(self) -> tuple[int, ...]: ...

        def fetch(self) -> Any: ...

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **more: Any) -> Any:
        if ufunc is np.matmul and method == "__call__" and not more:
            return self._client._call("matmul", inputs, {})[0]
        if any(isinstance(x, ArrayLike) for x in more.get("out", ())):
            return NotImplemented
        return getattr(ufunc, method)(*map(_elements, inputs), **more)

    @property
    def T(self) -> Any:
        return self._client._call("transpose", (self,), {})[0]

    def _reduce(self, name: str, axis: Optional[int], more: dict[str, Any]) -> Any:
        """By the service where its reduction is NumPy's: of dense matrices and vectors that are not empty, along one axis or all,
        without `out`, `keepdims` and the like."""
        more = {k: v for k, v in more.items() if v is not None}
        whole = axis is None or (isinstance(axis, (int, np.integer)) and -len(self.shape) <= axis < len(self.shape))
        if self.format != "dense" or more or not whole or not 1 <= len(self.shape) <= 2 or 0 in self.shape or self.dtype.kind != "f":
            return getattr(self.fetch(), name)(axis=axis, **more)
        return self._client._call("reduce", (self,), {"op": name, "axis": axis})[0]

    def sum(self, axis: Optional[int] = None, **more: Any) -> Any:
        return self._reduce("sum", axis, more)

    def prod(self, axis: Optional[int] = None, **more: Any) -> Any:
        return self._reduce("prod", axis, more)

    def mean(self, axis: Optional[int] = None, **more: Any) -> Any:
        return self._reduce("mean", axis, more)

    def min(self, axis: Optional[int] = None, **more: Any) -> Any:
        return self._reduce("min", axis, more)

    def max(self, axis: Optional[int] = None, **more: Any) -> Any:
        return self._reduce("max", axis, more)

    def argmin(self, axis: Optional[int] = None, **more: Any) -> Any:
        return self._reduce("argmin", axis, more)

    def argmax(self, axis: Optional[int] = None, **more: Any) -> Any:
        return self._reduce("argmax", axis, more)

    def astype(self, dtype: Any) -> Any:
        return self.fetch().astype(dtype)

    def tolist(self) -> Any:
        return np.asarray(self).tolist()

    def _repr_html_(self) -> str:
        shape = " × ".join(map(str, self.shape))
        cells = (self.name, "stored", self.format, str(self.dtype), shape, f"{self.nbytes:,} bytes")
        return "<table><tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in cells) + "</tr></table>"


def _elements(operand: Any) -> Any:
    if not isinstance(operand, ArrayLike):
        return operand
    value = operand.fetch()
    if is_sparse(value):
        raise TypeError(f"{operand!r} is sparse: take its fetch(), a scipy.sparse matrix")
    return value
