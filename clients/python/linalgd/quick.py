"""Short requests over a Unix socket, by http.client: it takes a quarter of httpx's time, which for operands in shared memory
would be a large part of the call."""
from __future__ import annotations

import http.client
import select
import socket
from typing import TYPE_CHECKING, Mapping, Optional
from urllib.parse import quote, urlencode

import numpy as np

from .body import Buffer

if TYPE_CHECKING:
    from .core import Send

BODY_MOST = 64 << 10                    # a longer one may be refused while it is sent, which httpx copes with
CONNECT_SECONDS = 10.0


class _Connection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost")
        self.path = path

    def connect(self) -> None:
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(CONNECT_SECONDS)
        try:
            s.connect(self.path)
        except OSError:
            s.close()
            raise
        self.sock = s

    def is_usable(self) -> bool:
        """Has the service neither closed the connection nor sent what nobody asked for?"""
        if self.sock is None:
            return False
        p = select.poll()
        p.register(self.sock, select.POLLIN)
        return not p.poll(0)


class Quick:
    """Connections to the socket; threads may share it."""

    def __init__(self, path: str, headers: Mapping[str, str], most: int) -> None:
        self.path, self.headers, self.most = path, dict(headers), most
        self.idle: list[_Connection] = []

    def _take(self) -> _Connection:
        while self.idle:
            try:
                c = self.idle.pop()
            except IndexError:                  # another thread took it
                break
            if c.is_usable():
                return c
            c.close()
        return _Connection(self.path)

    def _give(self, c: _Connection) -> None:
        if len(self.idle) < self.most:
            self.idle.append(c)
        else:
            c.close()

    def exchange(self, s: Send, timeout: float) -> tuple[int, Mapping[str, str], Buffer]:
        """Status, headers and content; OSError or HTTPException when the connection is lost."""
        c = self._take()
        try:
            if c.sock is None:
                c.connect()
            c.sock.settimeout(timeout)
            target = s.path + ("?" + urlencode(s.query, quote_via=quote) if s.query else "")
            c.request(s.method, target, s.body.joined() or None, {**self.headers, **s.headers})
            reply = c.getresponse()
            content = _read(reply)
        except BaseException:
            c.close()
            raise
        self._give(c)
        return reply.status, reply.headers, content  # type: ignore[return-value]

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()


def _read(reply: http.client.HTTPResponse) -> Buffer:
    """The content in one piece of memory that may be written to."""
    length: Optional[int] = reply.length
    if length is None:
        return bytearray(reply.read())
    content = np.empty(length, np.uint8).data.cast("B") if length else memoryview(bytearray())
    at = 0
    while at < length:
        n = reply.readinto(content[at:])
        if not n:
            raise http.client.IncompleteRead(bytes(content[:at]), length - at)
        at += n
    reply.read()                                # ends the reply, so that the connection can be used again
    return content
