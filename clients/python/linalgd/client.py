"""Client: the service's operations on NumPy's arrays."""
from __future__ import annotations

from typing import Any, Iterator, Optional, TypeVar, Union

import httpx
import numpy as np
import numpy.typing as npt

from . import stored as _stored
from .body import Array
from .core import Core, Flow
from .drive import Driver
from .jobs import Job
from .linalg import Linalg
from .operations import Operations, Submissions
from .pipeline import Pipeline, Saved
from .result import Result
from .sheet import Sheet

T = TypeVar("T")


class Submit(Submissions):
    """Starts operations as jobs: client.submit.lu(a) returns a Job without waiting for its result."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def _sheet_now(self) -> Sheet:
        return self._client._sheet_now()

    def _call(self, op: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return Job(self._client, self._client._run(self._client._core.submit(op, arguments, named)), op)


class Client(Operations):
    """A connection to linalgd; threads may share it.

    url is http://, https:// or unix:/PATH, by default LINALGD_URL or http://127.0.0.1:8080; token is by default LINALGD_TOKEN.
    timeout is for one answer, in seconds; retries, how often a request is repeated when the connection is lost or the service is
    full; connections, how many are kept; share, whether large operands and results are in memory that a service at a Unix
    socket shares.

    Every operation of GET /ops is a method: client.lu(a, pivot="none"). linalg has NumPy's functions, submit the operations as
    jobs.
    """

    def __init__(self, url: Optional[str] = None, *, token: Optional[str] = None, timeout: float = 600.0, retries: int = 3,
                 connections: int = 16, share: bool = True, transport: Optional[httpx.BaseTransport] = None) -> None:
        self._core = Core(url, token, timeout, retries, share)
        self._driver = Driver(self._core, connections, transport)
        self.linalg = Linalg(self)
        self.submit = Submit(self)

    @property
    def url(self) -> str:
        return self._core.url

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._core.shares is not None:
            self._core.shares.close()
        self._driver.close()

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    # --- for operations, jobs and stored matrices

    def _run(self, flow: Flow[T]) -> T:
        return self._driver.run(flow)

    def _sheet_now(self) -> Sheet:
        return self._run(self._core.sheet())

    def _bound(self, r: Result) -> Result:
        """Makes the result fetch its times, quality and device when one of them is first read. The function does not refer to
        the result, whose memory would otherwise be free only after a search for cycles."""
        job = r.id
        r._fetch = lambda: self._run(self._core.info(job))
        return r

    def _finished(self, value: Any) -> Any:
        return self._bound(value) if isinstance(value, Result) else value

    def _call(self, op: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return self._bound(self._run(self._core.call(op, arguments, named)))

    def empty(self, shape: Union[int, tuple[int, ...]], dtype: npt.DTypeLike = np.float64) -> Array:
        """An array without contents in memory that the service shares, if it does: as an operand it is not copied."""
        return self._run(self._core.empty((shape,) if isinstance(shape, int) else tuple(shape), dtype))

    # --- stored matrices

    def store(self, name: str, matrix: Any) -> _stored.Stored:
        """Stores an array, a scipy.sparse matrix or a generated matrix under a name; replaces a stored matrix of that name."""
        self._run(_stored.put(self._core, name, matrix))
        return self.stored(name)

    def stored(self, name: str) -> _stored.Stored:
        """Returns the stored matrix of that name; raises NotFound if there is none."""
        return _stored.Stored(self, self._run(_stored.describe(self._core, name)))

    def matrices(self) -> Iterator[_stored.Stored]:
        for about in self._run(self._core.json("GET", "/matrices"))["matrices"]:
            yield _stored.Stored(self, about)

    # --- jobs, pipelines, the service

    def job(self, id: str) -> Job[Any]:
        """Returns the job with that id."""
        return Job(self, id, str(self._run(self._core.info(id))["op"]))

    def jobs(self, status: Optional[str] = None, limit: Optional[int] = None) -> list[dict[str, Any]]:
        return list(self._run(self._core.jobs(status, limit)))

    def pipeline(self) -> Pipeline:
        """Records operations, which run() sends as one request."""
        return Pipeline(self._core, self._sheet_now(), lambda flow: self._finished(self._run(flow)))

    def saved(self, name: str) -> Saved:
        """The pipeline that is saved under that name; run() runs it."""
        return Saved(self._core, name, lambda flow: self._finished(self._run(flow)))

    def pipelines(self) -> list[dict[str, Any]]:
        """The saved pipelines: name, number of steps, names of operands."""
        return list(self._run(self._core.json("GET", "/pipelines"))["pipelines"])

    def devices(self) -> list[dict[str, Any]]:
        return list(self._run(self._core.json("GET", "/devices"))["devices"])

    def kernels(self) -> list[dict[str, Any]]:
        return list(self._run(self._core.json("GET", "/kernels"))["kernels"])

    def version(self) -> dict[str, Any]:
        return dict(self._run(self._core.json("GET", "/version")))

    def ready(self) -> bool:
        """Returns whether the service accepts jobs."""
        return self._run(self._core.ready())
