"""Matrices that the service has stored, with the interface of arrays."""
from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Awaitable, Optional
from urllib.parse import quote

import numpy as np

from .arraylike import ArrayLike
from .body import NPY, NPZ, Body, dtype_of, is_sparse, npy_pieces, dense, read_npy, read_npz, sparse_npz, sparse_of
from .core import Core, Flow, Send
from .errors import BadParameter, Problem

if TYPE_CHECKING:
    from .aio import AsyncClient
    from .client import Client


def path_of(name: str) -> str:
    return "/matrices/" + quote(name, safe="")


def put(core: Core, name: str, matrix: Any) -> Flow[None]:
    if hasattr(matrix, "reference"):
        from .body import json_body
        body = json_body({"matrix": matrix.reference()})
    elif is_sparse(matrix):
        body = Body(NPZ, [sparse_npz(matrix)])
    else:
        body = Body(NPY, npy_pieces(dense(matrix)))
    yield from core.send(Send("PUT", path_of(name), body=body))


def describe(core: Core, name: str) -> Flow[dict[str, Any]]:
    listed = yield from core.json("GET", "/matrices")
    for m in listed["matrices"]:
        if m["name"] == name:
            return dict(m)
    yield from core.send(Send("GET", path_of(name)), repeat=False)      # raises NotFound with the service's text
    raise KeyError(name)


def fetch(core: Core, about: dict[str, Any], rows: Optional[slice] = None) -> Flow[Any]:
    """Returns the matrix, or of a dense one a range of its rows, as an array or a scipy.sparse matrix."""
    path = path_of(about["name"])
    if about["format"] != "dense":
        reply = yield from core.send(Send("GET", path, headers={"Accept": NPZ}))
        return sparse_of(read_npz(reply.content))
    query = {} if rows is None else {"rows": f"{rows.start}:{rows.stop}"}
    try:
        reply = yield from core.send(Send("GET", path, query=query, headers={"Accept": NPY}))
    except BadParameter:
        if rows is None:
            raise
        whole = yield from fetch(core, about)       # the service does not support ranges of rows
        return whole[rows]
    return read_npy(reply.content)


def _rows(core: Core, about: dict[str, Any], start: int, stop: int) -> Flow[Any]:
    if start == stop:
        return np.empty((0, *about["shape"][1:]), dtype_of(about["dtype"]))
    return (yield from fetch(core, about, slice(start, stop)))


def item(core: Core, about: dict[str, Any], key: Any) -> Flow[Any]:
    """matrix[key]: of the rows that the first index of a dense matrix names, only those are fetched."""
    first, rest = (key[0], key[1:]) if isinstance(key, tuple) and key else (key, ())
    if about["format"] != "dense" or not about["shape"]:
        return (yield from fetch(core, about))[key]
    n = about["shape"][0]
    if isinstance(first, slice):
        start, stop, step = first.indices(n)
        if step > 0:
            part = (yield from _rows(core, about, start, max(start, stop)))[::step]
            return part[(slice(None), *rest)] if rest else part
    elif isinstance(first, (int, np.integer)) and not isinstance(first, bool):
        i = operator.index(first)
        if not -n <= i < n:
            raise IndexError(f"index {i} is out of bounds for axis 0 with size {n}")
        row = (yield from _rows(core, about, i % n, i % n + 1))[0]
        return row[rest] if rest else row
    return (yield from fetch(core, about))[key]


def exists(core: Core, name: str) -> Flow[bool]:
    try:
        yield from describe(core, name)
    except Problem as e:
        if e.status != 404:
            raise
        return False
    return True


def delete(core: Core, name: str) -> Flow[None]:
    yield from core.send(Send("DELETE", path_of(name)))


class Described:
    """What is known of a stored matrix: shape, dtype and nnz are those of when it was stored. As an operand only its name is
    sent."""

    def __init__(self, about: dict[str, Any]) -> None:
        self._about = about

    def reference(self) -> dict[str, Any]:
        return {"ref": self.name}

    @property
    def name(self) -> str:
        return str(self._about["name"])

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._about["shape"])

    @property
    def dtype(self) -> Any:
        return dtype_of(self._about["dtype"])

    @property
    def format(self) -> str:
        """The layout: dense, csr, csc or coo."""
        return str(self._about["format"])

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        return int(self._about["bytes"])

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a scalar")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<stored {self.name}: {self.format} {self._about['dtype']} {'x'.join(map(str, self.shape))}>"


class Stored(ArrayLike, Described):
    """A stored matrix. Elements are fetched when they are asked for, ranges of rows alone."""

    def __init__(self, client: Client, about: dict[str, Any]) -> None:
        super().__init__(about)
        self._client = client

    def fetch(self) -> Any:
        """Returns the whole matrix as an array or a scipy.sparse matrix."""
        return self._client._run(fetch(self._client._core, self._about))

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        value = self.fetch()
        return np.asarray(value.toarray() if is_sparse(value) else value, dtype=dtype)

    def __getitem__(self, key: Any) -> Any:
        """Like an array's."""
        return self._client._run(item(self._client._core, self._about, key))

    def delete(self) -> None:
        self._client._run(delete(self._client._core, self.name))

    def exists(self) -> bool:
        return self._client._run(exists(self._client._core, self.name))


class AsyncStored(Described):
    """The same of an AsyncClient: what asks the service is awaited, as in `await m[10:20]` and `await (m @ x)`. NumPy cannot
    await, so that an array of it is `await m.fetch()`."""

    __array_ufunc__ = None              # NumPy leaves `array @ stored` to __rmatmul__
    __iter__ = None

    def __init__(self, client: AsyncClient, about: dict[str, Any]) -> None:
        super().__init__(about)
        self._client = client

    async def fetch(self) -> Any:
        """The whole matrix: an array, or scipy.sparse's matrix."""
        return await self._client._run(fetch(self._client._core, self._about))

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        raise TypeError(f"{self!r} has to be fetched: await m.fetch()")

    def __getitem__(self, key: Any) -> Awaitable[Any]:
        return self._client._run(item(self._client._core, self._about, key))

    async def _first(self, op: str, *operands: Any) -> Any:
        return (await self._client._call(op, operands, {}))[0]

    def __matmul__(self, other: Any) -> Awaitable[Any]:
        return self._first("matmul", self, other)

    def __rmatmul__(self, other: Any) -> Awaitable[Any]:
        return self._first("matmul", other, self)

    @property
    def T(self) -> Awaitable[Any]:
        return self._first("transpose", self)

    async def delete(self) -> None:
        await self._client._run(delete(self._client._core, self.name))

    async def exists(self) -> bool:
        return await self._client._run(exists(self._client._core, self.name))
