"""The flows of core.py driven by httpx, waiting or awaiting."""
from __future__ import annotations

import asyncio
import contextlib
import http.client
import os
import time
from typing import Any, AsyncIterator, Iterator, Mapping, Optional, TypeVar, cast

import httpx
import numpy as np

from .body import Body, Buffer
from .core import Core, Flow, Lost, Pause, Reply, Send
from .errors import LinalgdError, Unreachable
from .quick import BODY_MOST, Quick
from .share import Do

T = TypeVar("T")
CONNECT_SECONDS = 10.0


class _Pieces:
    """A body that can be sent again, for httpx."""

    def __init__(self, body: Body) -> None:
        self.body = body

    def __iter__(self) -> Iterator[bytes]:
        return cast(Iterator[bytes], iter(self.body))


class _AsyncPieces:
    def __init__(self, body: Body) -> None:
        self.body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.body:
            yield cast(bytes, piece)


def _timeout(core: Core, s: Send) -> httpx.Timeout:
    return httpx.Timeout(s.timeout or core.timeout, connect=min(CONNECT_SECONDS, core.timeout))


def _lost(core: Core, e: Exception) -> Lost:
    error = Unreachable(f"{core.url}: {e or type(e).__name__}")
    error.__cause__ = e
    error.timed_out = isinstance(e, (httpx.ReadTimeout, TimeoutError))
    return Lost(error)


class _Buffer:
    """Takes an answer's bytes into one piece of memory, which becomes the arrays' own."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        length = headers.get("content-length", "")
        plain = length.isdigit() and "content-encoding" not in headers
        self.fixed = np.empty(int(length), np.uint8).data if plain else None     # not cleared, as a bytearray would be
        self.grown, self.at = bytearray(), 0

    def add(self, piece: bytes) -> None:
        if self.fixed is not None:
            self.fixed[self.at:self.at + len(piece)] = piece
        else:
            self.grown += piece
        self.at += len(piece)

    def bytes(self) -> Buffer:
        return self.grown if self.fixed is None else self.fixed


class Driver:
    def __init__(self, core: Core, connections: int, transport: Optional[httpx.BaseTransport]) -> None:
        self.core, self.connections, self.transport = core, connections, transport
        self._begin()

    def _begin(self) -> None:
        core, most, transport = self.core, self.connections, self.transport
        limits = httpx.Limits(max_connections=most, max_keepalive_connections=most, keepalive_expiry=60)
        self.quick = Quick(core.unix_path, core.headers(), most) if core.unix_path and transport is None else None
        if transport is None:
            transport = httpx.HTTPTransport(uds=core.unix_path, limits=limits)
        self.http = httpx.Client(base_url=core.base_url, headers=core.headers(), transport=transport)
        self.pid = os.getpid()

    def _own(self) -> None:
        """Connects anew in a forked child: on the parent's connections each process would read replies to the other. A transport that
        the caller gave is the caller's affair."""
        if self.pid != os.getpid() and self.transport is None and not self.http.is_closed:
            self._begin()

    def exchange(self, s: Send) -> Reply:
        self._own()
        if self.quick is not None and s.body.length <= BODY_MOST:
            try:
                return Reply(*self.quick.exchange(s, s.timeout or self.core.timeout))
            except (OSError, http.client.HTTPException) as e:
                raise _lost(self.core, e) from e
        content = _Pieces(s.body) if s.body.length else None
        try:
            with self.http.stream(s.method, s.path, params=s.query, headers=s.headers, content=content,
                                  timeout=_timeout(self.core, s)) as r:
                buffer = _Buffer(r.headers)
                for piece in r.iter_bytes():
                    buffer.add(piece)
                return Reply(r.status_code, r.headers, buffer.bytes())
        except httpx.TransportError as e:
            raise _lost(self.core, e) from e

    def run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    step = flow.send(None)
                    continue
                if isinstance(step, Do):
                    try:
                        done = step.fn()
                    except OSError as e:
                        step = flow.throw(e)
                    else:
                        step = flow.send(done)
                    continue
                try:
                    reply = self.exchange(step)
                except Lost as lost:
                    step = flow.throw(lost)
                except (KeyboardInterrupt, SystemExit):
                    with contextlib.suppress(LinalgdError):
                        self.run(self.core.dismissal(step))
                    raise
                else:
                    step = flow.send(reply)
        except StopIteration as end:
            return cast(T, end.value)

    def lines(self, path: str) -> Iterator[str]:
        self._own()
        try:
            with self.http.stream("GET", path, headers={"Accept": "text/event-stream"},
                                  timeout=httpx.Timeout(60, connect=CONNECT_SECONDS)) as r:
                if r.status_code != 200:
                    raise Reply(r.status_code, r.headers, bytearray(r.read())).problem()
                yield from r.iter_lines()
        except httpx.TransportError as e:
            raise _lost(self.core, e).error from e

    def close(self) -> None:
        self._own()
        if self.quick is not None:
            self.quick.close()
        self.http.close()


class AsyncDriver:
    def __init__(self, core: Core, connections: int, transport: Optional[httpx.AsyncBaseTransport]) -> None:
        self.core = core
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=60)
        if transport is None:
            transport = httpx.AsyncHTTPTransport(uds=core.unix_path, limits=limits)
        self.http = httpx.AsyncClient(base_url=core.base_url, headers=core.headers(), transport=transport)

    async def exchange(self, s: Send) -> Reply:
        content = _AsyncPieces(s.body) if s.body.length else None
        try:
            async with self.http.stream(s.method, s.path, params=s.query, headers=s.headers, content=content,
                                        timeout=_timeout(self.core, s)) as r:
                buffer = _Buffer(r.headers)
                async for piece in r.aiter_bytes():
                    buffer.add(piece)
                return Reply(r.status_code, r.headers, buffer.bytes())
        except httpx.TransportError as e:
            raise _lost(self.core, e) from e

    async def run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                    step = flow.send(None)
                    continue
                if isinstance(step, Do):
                    try:
                        done = await asyncio.to_thread(step.fn)
                    except OSError as e:
                        step = flow.throw(e)
                    else:
                        step = flow.send(done)
                    continue
                try:
                    reply = await self.exchange(step)
                except Lost as lost:
                    step = flow.throw(lost)
                except (asyncio.CancelledError, KeyboardInterrupt, SystemExit):
                    with contextlib.suppress(LinalgdError):
                        await self.run(self.core.dismissal(step))
                    raise
                else:
                    step = flow.send(reply)
        except StopIteration as end:
            return cast(T, end.value)

    async def lines(self, path: str) -> AsyncIterator[str]:
        try:
            async with self.http.stream("GET", path, headers={"Accept": "text/event-stream"},
                                        timeout=httpx.Timeout(60, connect=CONNECT_SECONDS)) as r:
                if r.status_code != 200:
                    raise Reply(r.status_code, r.headers, bytearray(await r.aread())).problem()
                async for line in r.aiter_lines():
                    yield line
        except httpx.TransportError as e:
            raise _lost(self.core, e).error from e

    async def close(self) -> None:
        await self.http.aclose()


def event_of(line: str) -> Optional[dict[str, Any]]:
    """The data of a line of an event stream; None: it has none."""
    import json
    return dict(json.loads(line[5:])) if line.startswith("data:") else None
