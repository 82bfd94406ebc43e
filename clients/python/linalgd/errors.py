"""Exceptions, with a class for each kind of problem document that the service returns (RFC 9457).

    LinalgdError
        Unreachable             no answer, after all repeats; also a ConnectionError
        Unexpected              an answer that no linalgd gives
        Problem                 the service's: status, title, detail, errors, job
            Singular, ...       one class a kind; those of status 422 that speak of the
                                matrix itself are numpy.linalg.LinAlgError, too
"""
from __future__ import annotations

import json
from typing import Any, Optional

import numpy as np


class LinalgdError(Exception):
    """The base of all exceptions of this package. timed_out: the service was reached, but did not reply in time."""

    timed_out: bool = False


class Unreachable(LinalgdError, ConnectionError):
    """The service did not reply, even when the request was repeated."""


class Unexpected(LinalgdError):
    """The reply is not one of linalgd's: another server listens at this URL."""


class Problem(LinalgdError):
    """The service refused a request, or a job failed.

    kind is the problem type's name ("singular"), errors the list of single faults with
    their places, job the id of the job that failed or None.
    """

    kind = ""

    def __init__(self, status: int, title: str, detail: str, *, kind: str = "", errors: Optional[list[dict[str, Any]]] = None,
                 job: Optional[str] = None, retry_after: Optional[float] = None) -> None:
        super().__init__(f"{title}: {detail}" if detail else title)
        self.status, self.title, self.detail = status, title, detail
        self.kind = kind or type(self).kind
        self.errors = errors or []
        self.job = job
        self.retry_after = retry_after

    def __reduce__(self) -> Any:
        """An exception is rebuilt of args, which here is the text alone."""
        return _rebuilt, (type(self), self.status, self.title, self.detail), vars(self)


def _rebuilt(of: type[Problem], status: int, title: str, detail: str) -> Problem:
    return of(status, title, detail)


class LinAlgProblem(Problem, np.linalg.LinAlgError):
    """The matrix is the cause of the problem, as for numpy.linalg.LinAlgError."""


def _kind(kind: str, base: type[Problem] = Problem) -> type[Problem]:
    name = "".join(word.capitalize() for word in kind.split("-"))
    made = type(name, (base,), {"kind": kind, "__doc__": f"The service's problem type {kind}.", "__module__": __name__})
    _kinds[kind] = made
    return made


_kinds: dict[str, type[Problem]] = {}

BadRequest = _kind("bad-request")
BadParameter = _kind("bad-parameter")
BadMatrix = _kind("bad-matrix")
Unauthorized = _kind("unauthorized")
ForeignOrigin = _kind("foreign-origin")
Forbidden = _kind("forbidden")
NotFound = _kind("not-found")
MethodNotAllowed = _kind("method-not-allowed")
NotAcceptable = _kind("not-acceptable")
TooSlow = _kind("too-slow")
Conflict = _kind("conflict")
Gone = _kind("gone")
LengthRequired = _kind("length-required")
PreconditionFailed = _kind("precondition-failed")
TooLarge = _kind("too-large")
TargetTooLong = _kind("target-too-long")
UnsupportedMedia = _kind("unsupported-media")
RangeNotSatisfiable = _kind("range-not-satisfiable")
UnknownHost = _kind("unknown-host")
BadShape = _kind("bad-shape", LinAlgProblem)
Nonfinite = _kind("nonfinite", LinAlgProblem)
Singular = _kind("singular", LinAlgProblem)
NotPositiveDefinite = _kind("not-positive-definite", LinAlgProblem)
ZeroPivot = _kind("zero-pivot", LinAlgProblem)
NotConverged = _kind("not-converged", LinAlgProblem)
Impossible = _kind("impossible", LinAlgProblem)
KeyReused = _kind("key-reused")
QuotaExceeded = _kind("quota-exceeded")
HeadTooLarge = _kind("head-too-large")
Internal = _kind("internal")
DeviceFailure = _kind("device-failure")
UnknownCoding = _kind("unknown-coding")
OutOfMemory = _kind("out-of-memory")
Busy = _kind("busy")
TooManyStreams = _kind("too-many-streams")
NotReady = _kind("not-ready")
StateFailed = _kind("state-failed")
Timeout = _kind("timeout")
Dismissed = _kind("dismissed")


def problem_of(status: int, body: bytes, *, job: Optional[str] = None, retry_after: Optional[float] = None) -> LinalgdError:
    """Returns the exception for a reply with that status and body."""
    try:
        document = json.loads(body)
        kind = str(document["type"]).rsplit("/", 1)[-1]
        title, detail = str(document["title"]), str(document.get("detail", ""))
    except (ValueError, KeyError, TypeError):
        return Unexpected(f"status {status}: {body[:200]!r}")
    job = str(document.get("instance") or "").rsplit("/", 1)[-1] or job
    made = _kinds.get(kind, LinAlgProblem if status == 422 else Problem)
    return made(status, title, detail, kind=kind, errors=document.get("errors"), job=job, retry_after=retry_after)
