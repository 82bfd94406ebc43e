"""The operations as methods, made from GET /ops when they are first asked for. operations.pyi tells type checkers what these
are."""
from __future__ import annotations

from typing import Any, Callable

from .sheet import Sheet


def method(sheet: Sheet, op: str, call: Callable[..., Any]) -> Any:
    """Returns a function with the operation's name, signature and help, which calls call(op, operands, parameters)."""
    sheet.operation(op)

    def f(*arguments: Any, **named: Any) -> Any:
        return call(op, arguments, named)

    f.__name__ = f.__qualname__ = op
    f.__doc__ = sheet.help(op)
    f.__signature__ = sheet.signature(op)   # type: ignore[attr-defined]
    return f


class Operations:
    """Base of classes that have the operations as methods. A derived class has _sheet_now() and _call()."""

    def _sheet_now(self) -> Sheet:
        raise NotImplementedError

    def _call(self, op: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        made = method(self._sheet_now(), name, self._call)
        self.__dict__[name] = made
        return made

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._sheet_now().ops]


class AsyncOperations:
    """The same for coroutines: the sheet is fetched by the first call, so that only then unknown operations are told."""

    async def _call(self, op: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)

        async def f(*arguments: Any, **named: Any) -> Any:
            return await self._call(name, arguments, named)

        f.__name__ = f.__qualname__ = name
        return f


Submissions, AsyncSubmissions = Operations, AsyncOperations
