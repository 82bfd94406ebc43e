"""peer.py - a peer's side of bench/wire.h, for peers in Python.

A peer calls serve(name, calls). calls maps a call's name to (by, load): whose it is, and a function of a Request that
returns (run, results), or (run, results, whole). run(times) computes and returns the nanoseconds of the shortest call;
results() then returns the arrays of NumPy that are sent back. whole(times) is run(times) with the results brought to the
host's memory, for peers that compute elsewhere.
"""
import os
import struct
import sys
import traceback

import numpy as np

LOAD, RUN, FETCH, WHOLE = range(4)
LONG_NS = 100_000_000
NAME, CALL = 64, 16
REQUEST = struct.Struct(f"<IIQ{CALL}s3QQ")


class Request:
    """A loaded call: the element type, m, n and k, and the operands, which are read one after the other."""

    def __init__(self, element, dim, data):
        self.dtype, (self.m, self.n, self.k) = np.dtype(f"f{element}"), dim
        self._data, self._at = data, 0

    def array(self, *shape, dtype=None):
        dtype, count = np.dtype(dtype or self.dtype), int(np.prod(shape))
        a = np.frombuffer(self._data, dtype, count, self._at).reshape(shape)
        self._at += a.nbytes
        return a

    def sparse(self):
        """values, row starts and columns of an m x n matrix of k values; indices of 32 bits, as SciPy prefers."""
        values, starts = self.array(self.k), self.array(self.m + 1, dtype="i8")
        return values, self.array(self.k, dtype="i4"), starts.astype("i4")


def shortest(times, once):
    """Returns the shortest time in ns that once() returns, by the rules of PEER_RUN in bench/wire.h."""
    seen = []
    for i in range(max(times, 1) + 1):
        ns = once()
        if i > 0 or ns > LONG_NS:
            seen.append(ns)
        if ns > LONG_NS:
            break
    return max(int(min(seen)), 1)


def tried(function, argument):
    """Returns the function's result, or None if it fails, because a failure must not end the peer."""
    try:
        return function(argument)
    except Exception:
        traceback.print_exc()
        return None


def serve(name, calls):
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)                   # keeps what libraries print out of the replies

    def reply(value, *arrays):
        sink.write(struct.pack("<Q", value))
        for a in arrays:
            sink.write(np.ascontiguousarray(a).data)
        sink.flush()

    sink.write(struct.pack(f"<{NAME}sQ", name.encode(), len(calls)))
    for call, (by, _) in calls.items():
        sink.write(struct.pack(f"<{CALL}s{NAME}s", call.encode(), by.encode()))
    sink.flush()
    run = results = whole = None
    while len(head := source.read(REQUEST.size)) == REQUEST.size:
        what, element, times, call, *dim, size = REQUEST.unpack(head)
        if what == LOAD:
            _, load = calls.get(call.rstrip(b"\0").decode(), (None, None))
            run = results = whole = None
            data = source.read(size)
            if load:
                run, results, *more = tried(load, Request(element, dim, data)) or (None, None)
                whole = more[0] if more else run
            reply(1 if run else 0)
        elif what == RUN:
            reply(run and tried(run, times) or 0)
        elif what == WHOLE:
            reply(whole and tried(whole, times) or 0)
        else:
            arrays = results() if results else []
            reply(sum(a.nbytes for a in arrays), *arrays)
