"""AsyncClient: the client for asyncio."""
from __future__ import annotations

from typing import Any, Optional, TypeVar, Union

import httpx
import numpy as np
import numpy.typing as npt

from . import stored as _stored
from .body import Array
from .core import Core, Flow
from .drive import AsyncDriver
from .jobs import AsyncJob
from .linalg import AsyncLinalg
from .operations import AsyncOperations, AsyncSubmissions
from .pipeline import Pipeline, Saved
from .result import Result

T = TypeVar("T")


class AsyncSubmit(AsyncSubmissions):
    """Starts operations as jobs: await client.submit.lu(a) returns an AsyncJob."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def _call(self, op: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return AsyncJob(self._client, await self._client._run(self._client._core.submit(op, arguments, named)), op)


class AsyncClient(AsyncOperations):
    """Client for asyncio: the same methods, to be awaited. store(), stored() and matrices() give AsyncStored matrices;
    fetch() and delete() take a name."""

    def __init__(self, url: Optional[str] = None, *, token: Optional[str] = None, timeout: float = 600.0, retries: int = 3,
                 connections: int = 16, share: bool = True, transport: Optional[httpx.AsyncBaseTransport] = None) -> None:
        self._core = Core(url, token, timeout, retries, share)
        self._driver = AsyncDriver(self._core, connections, transport)
        self.linalg = AsyncLinalg(self)
        self.submit = AsyncSubmit(self)

    @property
    def url(self) -> str:
        return self._core.url

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._core.shares is not None:
            self._core.shares.close()
        await self._driver.close()

    def __repr__(self) -> str:
        return f"AsyncClient({self.url!r})"

    async def _run(self, flow: Flow[T]) -> T:
        return await self._driver.run(flow)

    async def _call(self, op: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return await self._run(self._core.call(op, arguments, named))

    async def fetch_info(self, result: Result) -> Result:
        """Fetches the result's timing, quality and device, and returns it."""
        if result._info is None:
            result._info = await self._run(self._core.info(result.id))
        return result

    async def empty(self, shape: Union[int, tuple[int, ...]], dtype: npt.DTypeLike = np.float64) -> Array:
        """An array without contents in memory that the service shares, if it does: as an operand it is not copied."""
        return await self._run(self._core.empty((shape,) if isinstance(shape, int) else tuple(shape), dtype))

    async def store(self, name: str, matrix: Any) -> _stored.AsyncStored:
        """Stores an array, a scipy.sparse matrix or a generated one, in place of one of that name."""
        await self._run(_stored.put(self._core, name, matrix))
        return await self.stored(name)

    async def stored(self, name: str) -> _stored.AsyncStored:
        """The stored matrix of that name; NotFound if there is none."""
        return _stored.AsyncStored(self, await self._run(_stored.describe(self._core, name)))

    async def matrices(self) -> list[_stored.AsyncStored]:
        listed = await self._run(self._core.json("GET", "/matrices"))
        return [_stored.AsyncStored(self, about) for about in listed["matrices"]]

    async def fetch(self, name: str) -> Any:
        return await (await self.stored(name)).fetch()

    async def delete(self, name: str) -> None:
        await self._run(_stored.delete(self._core, name))

    async def job(self, id: str) -> AsyncJob[Any]:
        """Returns the job with that id."""
        return AsyncJob(self, id, str((await self._run(self._core.info(id)))["op"]))

    async def jobs(self, status: Optional[str] = None, limit: Optional[int] = None) -> list[dict[str, Any]]:
        return list(await self._run(self._core.jobs(status, limit)))

    async def pipeline(self) -> Pipeline:
        """Returns a pipeline, which records operations; await run() sends them as one request."""
        return Pipeline(self._core, await self._run(self._core.sheet()), self._run)

    def saved(self, name: str) -> Saved:
        """The pipeline that is saved under that name; await run() runs it."""
        return Saved(self._core, name, self._run)

    async def pipelines(self) -> list[dict[str, Any]]:
        """The saved pipelines: name, number of steps, names of operands."""
        return list((await self._run(self._core.json("GET", "/pipelines")))["pipelines"])

    async def devices(self) -> list[dict[str, Any]]:
        return list((await self._run(self._core.json("GET", "/devices")))["devices"])

    async def kernels(self) -> list[dict[str, Any]]:
        return list((await self._run(self._core.json("GET", "/kernels")))["kernels"])

    async def version(self) -> dict[str, Any]:
        return dict(await self._run(self._core.json("GET", "/version")))

    async def ready(self) -> bool:
        """Returns whether the service accepts jobs."""
        return await self._run(self._core.ready())
