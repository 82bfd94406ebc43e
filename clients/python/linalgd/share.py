"""Operands and results in memory that a client of a Unix socket shares with the service.

The service makes the memory (POST /shares) and hands its descriptor to whoever names the id on the
socket PATH.share. A call then has its large operands copied there once, and its result is an array
over the memory that the kernels wrote. Where the service shares nothing, or no more, operands and
results travel through the connection.

Segments are reused, so that their pages are mapped once. One is in use by a call, or by an array (a
result, or of Client.empty()) until nothing refers to that any more; what a call that failed has used
is not used again, since its job may still run.
"""
from __future__ import annotations

import collections
import mmap
import os
import socket
import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Union

import numpy as np

from .body import Array, Body, Reference, form, is_sparse, json_body, part_of
from .errors import BadParameter, LinalgdError, NotFound, Problem
from .result import Result, make

if TYPE_CHECKING:
    from .core import Core, Flow
    from .sheet import Sheet

LEAST = 128 << 10                       # bytes of an operand or a result: smaller ones travel as fast
FREE_MOST = 256 << 20                   # bytes of unused segments that are kept,
FREE_SECONDS = 30.0                     # and for how long
HELD_MOST = 256 << 20                   # bytes of results that stay in segments; further ones are copied
ALIGN, PAGE = 128, 4096
SHARED_TYPES = frozenset(("float32", "float64", "int32", "int64", "bool"))
POPULATE: int = getattr(mmap, "MAP_POPULATE", 0)


class Do:
    """A step of a flow: a function that waits for a moment."""

    def __init__(self, fn: Callable[[], Any]) -> None:
        self.fn = fn


class Segment:
    def __init__(self, id: str, memory: mmap.mmap) -> None:
        self.id, self.memory, self.bytes = id, memory, len(memory)
        self.address = np.frombuffer(memory, np.uint8).ctypes.data
        self.freed = 0.0

    def array(self, shape: tuple[int, ...], dtype: Any) -> Array:
        count = int(np.prod(shape, dtype=np.int64))
        return np.frombuffer(self.memory, dtype, count).reshape(shape)


class Lease:
    """The base of an array in a segment, which is free again when the last such array is gone."""

    def __init__(self, shares: Shares, segment: Segment, shape: tuple[int, ...], dtype: Any) -> None:
        self.shares, self.segment, self.pid = shares, segment, shares.pid
        self.returned = shares.returned
        self.__array_interface__ = {"data": (segment.address, False), "shape": tuple(shape),
                                    "typestr": np.dtype(dtype).str, "version": 3}

    def __del__(self, getpid: Callable[[], int] = os.getpid) -> None:
        if self.pid == getpid():
            self.returned.append(self.segment)


class Shares:
    """The segments of one client; threads may share it."""

    def __init__(self, path: str) -> None:
        self.path = path + ".share"
        self.off = False                # the service shares nothing
        self.closed = False
        self._lock = threading.Lock()
        self._begin()

    def _begin(self) -> None:
        self.pid = os.getpid()
        self.socket: Optional[socket.socket] = None
        self.free: list[Segment] = []   # the one that was freed last is the last
        self.held = 0                   # bytes of segments with arrays
        # By Lease.__del__, which may interrupt anything and must not wait for a lock.
        self.returned: collections.deque[Segment] = collections.deque()

    def __del__(self) -> None:
        if self.socket is not None:
            self.socket.close()

    # --- the share socket

    def _ask(self, verb: str, id: str) -> tuple[bytes, list[int]]:
        """With the lock."""
        if self.socket is not None:
            try:
                return self._exchange(verb, id)
            except OSError:             # the service was started anew
                self._begin_anew()
        return self._exchange(verb, id)

    def _exchange(self, verb: str, id: str) -> tuple[bytes, list[int]]:
        if self.socket is None:
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.socket.settimeout(10.0)
            self.socket.connect(self.path)
        self.socket.send(f"{verb} {id}".encode())
        said, fds, _, _ = socket.recv_fds(self.socket, 64, 1)
        if not said:
            raise ConnectionResetError(f"{self.path}: the connection was closed")
        return said, fds

    def _claim(self, id: str) -> Segment:
        with self._lock:
            said, fds = self._ask("claim", id)
        if not said.startswith(b"ok ") or len(fds) != 1:
            raise OSError(f"{self.path}: {said!r}")
        try:
            return Segment(id, mmap.mmap(fds[0], int(said[3:]), flags=mmap.MAP_SHARED | POPULATE))
        finally:
            os.close(fds[0])

    def _drop(self, segments: list[Segment]) -> None:
        """With the lock."""
        try:
            for s in segments:
                self._ask("drop", s.id)
        except OSError:                 # the service has ended, and all segments with it
            self._begin_anew()

    def _begin_anew(self) -> None:
        if self.socket is not None:
            self.socket.close()
        self._begin()

    # --- segments

    def _gather(self) -> None:
        """Takes back the segments whose arrays are gone. With the lock."""
        while self.returned:
            s = self.returned.popleft()
            self.held -= s.bytes
            self._keep(s)

    def _keep(self, s: Segment) -> None:
        s.freed = time.monotonic()
        self.free.append(s)
        drop, left = [], sum(f.bytes for f in self.free)
        while self.free and (self.closed or left > FREE_MOST or self.free[0].freed < s.freed - FREE_SECONDS):
            drop.append(self.free.pop(0))
            left -= drop[-1].bytes
        self._drop(drop)

    def _find(self, size: int) -> Optional[Segment]:
        with self._lock:
            if self.pid != os.getpid():         # a fork: these segments and their socket are the parent's
                self._begin_anew()
            self._gather()
            for i in range(len(self.free) - 1, -1, -1):
                if self.free[i].bytes == size:
                    return self.free.pop(i)
        return None

    def take(self, core: Core, bytes: int) -> Flow[Optional[Segment]]:
        """A segment of so many bytes; None if the service gives none."""
        from .core import Lost, Send
        size = -(-max(bytes, LEAST) // PAGE) * PAGE
        segment = None if self.off else self._find(size)
        if segment is not None or self.off:
            return segment
        try:
            reply = yield Send("POST", "/shares", query={"bytes": str(size)}, timeout=10.0)
            if reply.status != 201:
                problem = reply.problem()
                self.off = not isinstance(problem, Problem) or problem.status not in (413, 503)
                return None
            id = str(reply.json()["id"])
            made: Segment = yield Do(lambda: self._claim(id))
            return made
        except Lost:
            return None
        except (OSError, LinalgdError, KeyError):
            self.off = True
            return None

    def give(self, segments: list[Segment], *, used_again: bool) -> None:
        with self._lock:
            if not used_again:
                self._drop(segments)
                return
            for s in segments:
                self._keep(s)

    def lease(self, segment: Segment, shape: tuple[int, ...], dtype: Any) -> Array:
        """An array that holds the segment; a copy, and the segment free, when arrays hold too much."""
        with self._lock:
            self._gather()
            if self.held + segment.bytes <= HELD_MOST:
                self.held += segment.bytes
                return np.asarray(Lease(self, segment, shape, dtype))
        copy = segment.array(shape, dtype).copy()
        self.give([segment], used_again=True)
        return copy

    def place(self, array: Array) -> Optional[dict[str, Any]]:
        """Where the array lies, if that is in a segment."""
        base: Any = array
        while isinstance(base, np.ndarray):
            base = base.base
        if not isinstance(base, Lease) or base.returned is not self.returned or base.pid != os.getpid() or \
                not array.flags.c_contiguous:
            return None
        offset = array.ctypes.data - base.segment.address
        return _reference(base.segment, array, offset) if offset % ALIGN == 0 else None

    def reset(self) -> None:
        """Begins anew with a service that knows no segment; arrays in the old ones stay as they are."""
        with self._lock:
            self._begin_anew()

    def close(self) -> None:
        with self._lock:
            self.closed = self.off = True
            free, self.free = self.free, []
            if self.pid == os.getpid():
                self._drop(free)


def _reference(segment: Segment, array: Array, offset: int) -> dict[str, Any]:
    return {"share": segment.id, "shape": list(array.shape), "dtype": array.dtype.name, "offset": offset}


class _Placed:
    """An operand in a segment, as JSON tells it."""

    def __init__(self, reference: dict[str, Any]) -> None:
        self._reference = reference

    def reference(self) -> dict[str, Any]:
        return self._reference


# --- which operands and results are worth it

def _suits(value: Any) -> bool:
    if not isinstance(value, np.ndarray) and (isinstance(value, Reference) or is_sparse(value)):
        return False
    array = np.asarray(value)
    return array.nbytes >= LEAST and array.dtype.name in SHARED_TYPES and array.dtype.isnative


def _true(value: Any) -> bool:
    return bool(value) and value not in ("false", "0")


def _matmul_count(shapes: list[tuple[int, ...]], parameters: Mapping[str, Any]) -> int:
    a, b = shapes
    rows = a[-1 if _true(parameters.get("transpose_a")) else -2] if len(a) > 1 else 1
    columns = b[-2 if _true(parameters.get("transpose_b")) else -1] if len(b) > 1 else 1
    return int(np.prod(np.broadcast_shapes(a[:-2], b[:-2]), dtype=np.int64)) * rows * columns


def _transpose_count(shapes: list[tuple[int, ...]], parameters: Mapping[str, Any]) -> int:
    return int(np.prod(shapes[0], dtype=np.int64))


# The elements of the output, by the operands' shapes.
_COUNTS: dict[str, Callable[[list[tuple[int, ...]], Mapping[str, Any]], int]] = {
    "matmul": _matmul_count, "transpose": _transpose_count,
}


def _result_bytes(sheet: Sheet, op: str, operands: Mapping[str, Any], parameters: Mapping[str, Any]) -> int:
    """0: unknown, or not worth it, or the output cannot be in a segment."""
    outputs = sheet.operation(op)["outputs"]
    arrays = [operands[name] for name in sheet.operands(op) if name in operands]
    if op not in _COUNTS or "return" in parameters or "store" in parameters or not all(o.get("into") for o in outputs) or \
            not all(isinstance(a, np.ndarray) and a.ndim for a in arrays):
        return 0
    try:
        single = np.dtype(parameters.get("dtype", np.result_type(*arrays))) == np.float32
        bytes = _COUNTS[op]([a.shape for a in arrays], parameters) * (4 if single else 8)
    except (ValueError, TypeError, IndexError):
        return 0                        # the service says what is wrong
    return bytes if bytes >= LEAST else 0


# --- a call

class _Call:
    """The segments that a call has taken."""

    def __init__(self, core: Core, shares: Shares) -> None:
        self.core, self.shares = core, shares
        self.taken: list[Segment] = []
        self.into: Optional[Segment] = None
        self.placed: dict[int, _Placed] = {}

    def _take(self, bytes: int) -> Flow[Optional[Segment]]:
        segment = yield from self.shares.take(self.core, bytes)
        if segment is not None:
            self.taken.append(segment)
        return segment

    def place(self, array: Array) -> Flow[Union[Array, _Placed]]:
        if id(array) not in self.placed:
            where = self.shares.place(array)
            if where is None:
                segment = yield from self._take(array.nbytes)
                if segment is None:
                    return array
                np.copyto(segment.array(array.shape, array.dtype), array)
                where = _reference(segment, array, 0)
            self.placed[id(array)] = _Placed(where)
        return self.placed[id(array)]

    def body(self, operands: Mapping[str, Any], suits: set[str], result_bytes: int) -> Flow[Optional[Body]]:
        """None: no operand could be shared."""
        sent: dict[str, Any] = {}
        for name, value in operands.items():
            sent[name] = (yield from self.place(value)) if name in suits else value
        if not self.placed:
            return None
        self.into = (yield from self._take(result_bytes)) if result_bytes else None
        fields = {"into": self.into.id} if self.into is not None else {}
        if len(self.placed) == len(sent):
            return json_body({**{name: value.reference() for name, value in sent.items()}, **fields})
        return form({name: part_of(value) for name, value in sent.items()}, fields)

    def array(self, about: Mapping[str, Any]) -> Array:
        assert self.into is not None
        self.taken.remove(self.into)
        return self.shares.lease(self.into, tuple(about["shape"]), np.dtype(about["dtype"]))

    def result(self, op: str, document: Mapping[str, Any]) -> Result:
        return make(op, {k: self.array(v) for k, v in document["result"].items()}, str(document["id"]))


def call(core: Core, shares: Shares, sheet: Sheet, op: str, operands: Mapping[str, Any],
         parameters: Mapping[str, Any]) -> Flow[Optional[Result]]:
    """The result; None if it must be asked for without shares."""
    suits = {name for name, value in operands.items() if _suits(value)}
    if shares.off or not suits:
        return None
    operands = {k: np.asarray(v) if k in suits else v for k, v in operands.items()}
    c = _Call(core, shares)
    done = False
    try:
        body = yield from c.body(operands, suits, _result_bytes(sheet, op, operands, parameters))
        if body is None:
            return None
        s = core.request_of(sheet, op, body, operands, parameters, shared=True, into=c.into is not None)
        reply = yield from core.send(s)
        result = c.result(op, reply.json()) if c.into is not None else core.read(op, reply)
        done = True
        return result
    except NotFound:                    # the service was started anew, and knows none of the segments
        shares.reset()
        return None
    except BadParameter as e:
        if not any("into" in str(error) for error in e.errors):
            raise
        return None
    finally:
        shares.give(c.taken, used_again=done)
