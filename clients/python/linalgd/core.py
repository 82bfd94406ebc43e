"""The part that Client and AsyncClient share: requests, replies, repeats.

Everything that takes several requests is written once, as a flow: a generator that yields
what is to be done (Send, Pause, Do) and gets a Reply for each Send. A client drives it, waiting
or awaiting.

Repeats. A request is sent again when the connection is lost or refused, or the service says
503 with Retry-After, at most `retries` times, after pauses that double from 0.1 s. By an
Idempotency-Key the service recognizes a repeated request. Requests that change its state,
that is asynchronous requests and those that store a result, carry a key, and so do small
requests. The repeat of another request only computes again: the service has dismissed the
first job when the connection was lost. If the wait for a reply is interrupted, the driver
dismisses the job of a request with a key.
"""
from __future__ import annotations

import contextlib
import os
import random
import threading
import uuid
from typing import Any, Generator, Mapping, Optional, TypeVar, Union
from urllib.parse import quote

import numpy as np

from .body import EMPTY, JSON, NPY, NPZ, SPARSE, Array, Body, Buffer, may_be_sparse, operands_body, read_npy, read_npz, sparse_of
from .errors import LinAlgProblem, LinalgdError, Problem, Unexpected, problem_of
from .result import Result, make
from .share import Do, Shares
from .share import call as call_shared
from .sheet import Sheet

KEY_MOST = 1 << 20                      # most bytes of a body with a key, because the service hashes such a body
PAUSE_FIRST, PAUSE_MOST = 0.1, 30.0     # seconds
LEAVE_SECONDS = 5.0                     # for the dismissal of a job that is waited for no more
# Operations that cannot fail for single matrices of a stack, so that a reply need not be an npz, which would list these.
NEVER_PARTLY = frozenset(("matmul", "kron", "transpose", "permute", "trace"))

T = TypeVar("T")


class Send:
    """One request."""

    def __init__(self, method: str, path: str, *, body: Body = EMPTY, query: Optional[Mapping[str, str]] = None,
                 headers: Optional[Mapping[str, str]] = None, timeout: Optional[float] = None) -> None:
        self.method, self.path, self.body = method, path, body
        self.query = {**body.query, **(query or {})}
        self.headers = dict(headers or {})
        if body.media:
            self.headers["Content-Type"] = body.media
        if body.media or method in ("POST", "PUT"):
            self.headers["Content-Length"] = str(body.length)
        self.timeout = timeout


class Pause:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


class Reply:
    def __init__(self, status: int, headers: Mapping[str, str], content: Buffer) -> None:
        self.status, self.headers, self.content = status, headers, content

    def json(self) -> Any:
        import json
        try:
            return json.loads(bytes(self.content))
        except ValueError:
            raise Unexpected(f"no JSON: {bytes(self.content[:200])!r}") from None

    @property
    def job(self) -> str:
        return self.headers.get("linalgd-job", "")

    def media(self) -> str:
        return self.headers.get("content-type", "").split(";")[0]

    def problem(self) -> LinalgdError:
        after = self.headers.get("retry-after", "")
        return problem_of(self.status, bytes(self.content), job=self.job or None,
                          retry_after=float(after) if after.isdigit() else None)


Flow = Generator[Union[Send, Pause, Do], Any, T]


class Lost(Exception):
    """Thrown into a flow if a request got no reply. The caller gets `error` if the flow gives up."""

    def __init__(self, error: LinalgdError) -> None:
        super().__init__(str(error))
        self.error = error


def text_of(value: Any) -> str:
    """Returns a parameter's value as the text for a query string."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(text_of, value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (type, np.dtype)):
        return np.dtype(value).name
    return str(value)


class Core:
    """A client's settings, and the flows that use them."""

    def __init__(self, url: Optional[str], token: Optional[str], timeout: float, retries: int, share: bool = True) -> None:
        self.url = (url or os.environ.get("LINALGD_URL") or "http://127.0.0.1:8080").rstrip("/")
        if not self.url.startswith(("http://", "https://", "unix:/")):
            raise ValueError(f"{self.url}: must begin with http://, https:// or unix:/")
        self.token = token if token is not None else os.environ.get("LINALGD_TOKEN") or None
        self.timeout, self.retries = timeout, retries
        self._sheet: Optional[Sheet] = None
        self._lock = threading.Lock()
        self.shares = Shares(self.unix_path) if share and self.unix_path else None

    @property
    def unix_path(self) -> Optional[str]:
        return self.url[len("unix:"):] if self.url.startswith("unix:") else None

    @property
    def base_url(self) -> str:
        return "http://localhost" if self.unix_path else self.url

    def headers(self) -> dict[str, str]:
        """Returns the headers of every request. They ask for no compression, which takes longer than most connections."""
        own = {"Accept-Encoding": "identity"}
        return {**own, "Authorization": f"Bearer {self.token}"} if self.token else own

    # --- one exchange, with its repeats

    def send(self, s: Send, *, repeat: bool = True) -> Flow[Reply]:
        """Returns the reply if its status is below 400; raises a Problem otherwise."""
        pause, late = PAUSE_FIRST, False
        for left in range(self.retries if repeat else 0, -1, -1):
            try:
                reply: Reply = yield s
            except Lost as e:
                late = late or e.error.timed_out
                e.error.timed_out = late
                if not left:
                    raise e.error from e.error.__cause__
                wait = pause
            else:
                if reply.status < 400:
                    return reply
                problem = reply.problem()
                problem.timed_out = late and getattr(problem, "kind", "") == "conflict"
                if not left or not _may_pass(problem, repeated=pause > PAUSE_FIRST):
                    raise problem
                wait = max(pause, getattr(problem, "retry_after", None) or 0.0)
            yield Pause(min(wait, PAUSE_MOST) * random.uniform(0.8, 1.2))
            pause *= 2
        raise AssertionError("not reached")

    def dismissal(self, s: Send) -> Flow[None]:
        """Dismisses the job of a request for whose reply nobody waits any more. Of a request with a key that is necessary, because the
        service goes on for a repeat; by the key, the repeat as an asynchronous one is the same job."""
        if "Idempotency-Key" not in s.headers or "Prefer" in s.headers:
            return
        again = Send(s.method, s.path, body=s.body, query=s.query, headers={**s.headers, "Prefer": "respond-async"}, timeout=LEAVE_SECONDS)
        reply = yield from self.send(again, repeat=False)
        if reply.job:
            yield from self.send(Send("DELETE", f"/jobs/{quote(reply.job)}", timeout=LEAVE_SECONDS), repeat=False)

    def sheet(self) -> Flow[Sheet]:
        if self._sheet is None:
            reply = yield from self.send(Send("GET", "/ops"))
            with self._lock:
                self._sheet = Sheet(reply.json())
        return self._sheet

    def json(self, method: str, path: str, **more: Any) -> Flow[Any]:
        reply = yield from self.send(Send(method, path, **more))
        return reply.json() if reply.content else None

    # --- operations

    def request(self, sheet: Sheet, op: str, arguments: tuple[Any, ...], named: Mapping[str, Any], *, asynchronous: bool) -> Send:
        operands, parameters = sheet.sort(op, arguments, named)
        body = operands_body(operands, sheet.operands(op), parameters)
        return self.request_of(sheet, op, body, operands, parameters, asynchronous=asynchronous)

    def request_of(self, sheet: Sheet, op: str, body: Body, operands: Mapping[str, Any], parameters: Mapping[str, Any], *,
                   asynchronous: bool = False, shared: bool = False, into: bool = False) -> Send:
        """shared: with operands in shares, which a key does not tell apart; into: its outputs lie in one, which JSON tells."""
        headers = {"Accept": JSON if into else NPY if self._has_one_array(sheet, op, operands, parameters) else NPZ}
        if asynchronous:
            headers["Prefer"] = "respond-async"
        if asynchronous or "store" in parameters or (body.length <= KEY_MOST and not shared):
            headers["Idempotency-Key"] = str(uuid.uuid4())
        query = {k: text_of(v) for k, v in parameters.items()}
        return Send("POST", "/" + quote(op), body=body, query=query, headers=headers)

    @staticmethod
    def _has_one_array(sheet: Sheet, op: str, operands: Mapping[str, Any], parameters: Mapping[str, Any]) -> bool:
        """Returns whether the reply certainly has one dense array. Such a reply can be an npy, which is faster than an npz."""
        return op in NEVER_PARTLY and len(sheet.outputs(op)) == 1 and "return" not in parameters and \
            "store" not in parameters and not any(map(may_be_sparse, operands.values()))

    def call(self, op: str, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> Flow[Result]:
        sheet = yield from self.sheet()
        if self.shares is not None and not self.shares.off:
            operands, parameters = sheet.sort(op, arguments, named)
            result = yield from call_shared(self, self.shares, sheet, op, operands, parameters)
            if result is not None:
                return result
        reply = yield from self.answer(self.request(sheet, op, arguments, named, asynchronous=False))
        return self.read(op, reply)

    def answer(self, s: Send) -> Flow[Reply]:
        """Returns the reply to an operation's request. A job that is not done in time is dismissed."""
        try:
            return (yield from self.send(s))
        except LinalgdError as e:
            if e.timed_out:
                with contextlib.suppress(LinalgdError):
                    yield from self.dismissal(s)
            raise

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Flow[Array]:
        bytes = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        segment = (yield from self.shares.take(self, bytes)) if self.shares is not None else None
        return np.empty(shape, dtype) if segment is None or self.shares is None else self.shares.lease(segment, shape, dtype)

    def submit(self, op: str, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> Flow[str]:
        sheet = yield from self.sheet()
        reply = yield from self.send(self.request(sheet, op, arguments, named, asynchronous=True))
        if not reply.job:
            raise Unexpected("an asynchronous request was answered without a job")
        return reply.job

    def read(self, op: str, reply: Reply) -> Result:
        """Returns the outputs in a reply, in the order of GET /ops, without those that the service has stored under a name."""
        r = self._read(op, reply)
        pairs = reply.headers.get("linalgd-stored", "").split(",")
        r.stored = dict(pair.strip().split(":", 1) for pair in pairs if ":" in pair)
        return r

    def _read(self, op: str, reply: Reply) -> Result:
        if reply.status == 204:
            return make(op, {}, reply.job)
        if reply.media() == NPY:
            assert self._sheet
            array = read_npy(reply.content)
            return make(op, {self._sheet.outputs(op)[0]: array if array.ndim else array[()]}, reply.job)
        if reply.media() != NPZ:
            raise Unexpected(f"an answer of type {reply.media() or 'none'}")
        members = read_npz(reply.content)
        known = self._sheet.outputs(op) if self._sheet and self._sheet.has(op) else []
        matrix = sparse_of(members)
        if matrix is not None:
            return make(op, {known[0] if known else SPARSE: matrix}, reply.job)
        outputs = {k: v if v.ndim else v[()] for k, v in members.items()}
        failed = outputs.pop("failed", None)
        order = sorted(outputs, key=lambda k: known.index(k) if k in known else len(known))
        return make(op, {k: outputs[k] for k in order}, reply.job, failed)

    def info(self, job: str) -> Flow[dict[str, Any]]:
        info: dict[str, Any] = yield from self.json("GET", f"/jobs/{quote(job)}")
        return info

    # --- jobs

    def wait(self, job: str, seconds: Optional[float]) -> Flow[dict[str, Any]]:
        """Waits until the job has ended, at most so many seconds. Returns the job's state as GET /jobs/{id} describes it."""
        left = seconds
        while True:
            turn = 30.0 if left is None else max(min(30.0, left), 0.0)
            info = yield from self.json("GET", f"/jobs/{quote(job)}", headers={"Prefer": f"wait={int(np.ceil(turn))}"})
            if info["status"] not in ("accepted", "running"):
                return dict(info)
            if left is not None:
                left -= turn
                if left <= 0:
                    return dict(info)

    def result(self, op: str, job: str, seconds: Optional[float]) -> Flow[Result]:
        yield from self.sheet()
        info = yield from self.wait(job, seconds)
        if info["status"] in ("accepted", "running"):
            raise TimeoutError(f"job {job} is {info['status']} after {seconds} s")
        reply = yield from self.send(Send("GET", f"/jobs/{quote(job)}/result", headers={"Accept": NPZ}))
        r = self.read(op, reply)
        r._info = info
        return r

    def jobs(self, status: Optional[str], limit: Optional[int]) -> Flow[list[dict[str, Any]]]:
        query = {k: str(v) for k, v in (("status", status), ("limit", limit)) if v is not None}
        listed = yield from self.json("GET", "/jobs", query=query)
        return list(listed["jobs"])

    def ready(self) -> Flow[bool]:
        try:
            yield from self.send(Send("GET", "/readyz", timeout=10.0), repeat=False)
        except Problem:
            return False
        return True

    def cancel(self, job: str) -> Flow[None]:
        yield from self.send(Send("DELETE", f"/jobs/{quote(job)}"))


def _may_pass(problem: LinalgdError, *, repeated: bool) -> bool:
    """Returns whether a repeated request may succeed. The service reports a conflict to a repeat while the first request with the
    same key still runs."""
    if not isinstance(problem, Problem) or isinstance(problem, LinAlgProblem):
        return False
    if problem.status == 503:
        return problem.retry_after is not None
    return repeated and problem.kind == "conflict"
