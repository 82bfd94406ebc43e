"""Jobs: operations that run asynchronously."""
from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING, Any, AsyncIterator, Generic, Iterator, Optional, TypeVar, cast

from .drive import event_of

if TYPE_CHECKING:
    from .aio import AsyncClient
    from .client import Client

R = TypeVar("R", covariant=True)
ENDED = ("successful", "failed", "dismissed")
LOOK_SECONDS = 0.2      # between two looks at the progress of a job that is waited for no longer than some time


class _Bar:
    """Shows a job's progress, by tqdm if it is installed, otherwise as a line on standard error."""

    def __init__(self, title: str) -> None:
        self.title, self.shown, self.began = title, 0, time.monotonic()
        try:
            from tqdm.auto import tqdm
            self.tqdm: Any = tqdm(total=100, desc=title, unit="%", leave=False)
        except ImportError:
            self.tqdm = None

    def show(self, event: dict[str, Any]) -> None:
        percent = int(event.get("progress", 0))
        if self.tqdm is not None:
            self.tqdm.set_postfix_str(str(event.get("stage", "")))
            self.tqdm.update(percent - self.shown)
        else:
            filled = "#" * (percent * 30 // 100)
            sys.stderr.write(f"\r\033[K{self.title} [{filled:30}] {percent:3}% {event.get('stage', event.get('status', ''))} "
                             f"{time.monotonic() - self.began:.1f} s")
            sys.stderr.flush()
        self.shown = percent

    def end(self) -> None:
        if self.tqdm is not None:
            self.tqdm.close()
        else:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


class _Any(Generic[R]):
    def __init__(self, id: str, op: str) -> None:
        self.id, self.op = id, op

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.op} {self.id}>"


class Job(_Any[R]):
    def __init__(self, client: Client, id: str, op: str) -> None:
        super().__init__(id, op)
        self._client = client

    def info(self) -> dict[str, Any]:
        """Returns the job's description from GET /jobs/{id}."""
        return self._client._run(self._client._core.info(self.id))

    @property
    def status(self) -> str:
        """The job's state: accepted, running, successful, failed or dismissed."""
        return str(self.info()["status"])

    @property
    def done(self) -> bool:
        return self.status in ENDED

    def events(self) -> Iterator[dict[str, Any]]:
        """Yields {"status", "progress", "stage"} whenever one of these changes, until the job has ended."""
        for line in self._client._driver.lines(f"/jobs/{self.id}/events"):
            event = event_of(line)
            if event is not None:
                yield event
                if event.get("status") in ENDED:
                    return

    def wait(self, timeout: Optional[float] = None, progress: bool = False) -> Job[R]:
        """Waits until the job has ended, successfully or not. Raises TimeoutError after timeout seconds."""
        if progress and timeout is None:
            self._show()
        info = self._looks(timeout) if progress and timeout is not None else \
            self._client._run(self._client._core.wait(self.id, timeout))
        if info["status"] not in ENDED:
            raise TimeoutError(f"job {self.id} is {info['status']} after {timeout} s")
        return self

    def _looks(self, seconds: float) -> dict[str, Any]:
        """Waits for so many seconds at most, and shows the progress."""
        bar, end = _Bar(self.op), time.monotonic() + seconds
        try:
            while True:
                info = self.info()
                bar.show(info)
                left = end - time.monotonic()
                if info["status"] in ENDED or left <= 0:
                    return info
                time.sleep(min(LOOK_SECONDS, left))
        finally:
            bar.end()

    def _show(self) -> None:
        bar = _Bar(self.op)
        try:
            for event in self.events():
                bar.show(event)
        finally:
            bar.end()

    def result(self, timeout: Optional[float] = None) -> R:
        """Waits for the job's end and returns its outputs. Raises the problem of a job that failed."""
        r = self._client._run(self._client._core.result(self.op, self.id, timeout))
        return cast(R, self._client._bound(r))

    def cancel(self) -> None:
        """Dismisses the job; removes its record if it has ended already."""
        self._client._run(self._client._core.cancel(self.id))


class AsyncJob(_Any[R]):
    def __init__(self, client: AsyncClient, id: str, op: str) -> None:
        super().__init__(id, op)
        self._client = client

    async def info(self) -> dict[str, Any]:
        return await self._client._run(self._client._core.info(self.id))

    async def status(self) -> str:
        return str((await self.info())["status"])

    async def done(self) -> bool:
        return await self.status() in ENDED

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        async for line in self._client._driver.lines(f"/jobs/{self.id}/events"):
            event = event_of(line)
            if event is not None:
                yield event
                if event.get("status") in ENDED:
                    return

    async def wait(self, timeout: Optional[float] = None, progress: bool = False) -> AsyncJob[R]:
        if progress and timeout is None:
            await self._show()
        info = await self._looks(timeout) if progress and timeout is not None else \
            await self._client._run(self._client._core.wait(self.id, timeout))
        if info["status"] not in ENDED:
            raise TimeoutError(f"job {self.id} is {info['status']} after {timeout} s")
        return self

    async def _looks(self, seconds: float) -> dict[str, Any]:
        bar, end = _Bar(self.op), time.monotonic() + seconds
        try:
            while True:
                info = await self.info()
                bar.show(info)
                left = end - time.monotonic()
                if info["status"] in ENDED or left <= 0:
                    return info
                await asyncio.sleep(min(LOOK_SECONDS, left))
        finally:
            bar.end()

    async def _show(self) -> None:
        bar = _Bar(self.op)
        try:
            async for event in self.events():
                bar.show(event)
        finally:
            bar.end()

    async def result(self, timeout: Optional[float] = None) -> R:
        return cast(R, await self._client._run(self._client._core.result(self.op, self.id, timeout)))

    async def cancel(self) -> None:
        await self._client._run(self._client._core.cancel(self.id))
