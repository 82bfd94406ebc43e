"""Results: named tuples of an operation's outputs, with the job's times and quality."""
from __future__ import annotations

import html
import operator
import threading
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional

import numpy as np

from .body import is_sparse

_types: dict[tuple[str, tuple[str, ...]], type[Result]] = {}
_lock = threading.Lock()
_RESERVED = frozenset(("id", "op", "failed", "stored", "info", "timing", "quality", "device"))


class Result(tuple):  # type: ignore[type-arg]
    """A named tuple of an operation's outputs, in the order of GET /ops.

    id is the job's id. timing, quality and device are fetched when one of them is first read. An
    attribute cannot be awaited, so that an AsyncClient's result has them only after
    `await client.fetch_info(result)`. failed has the indices of the matrices of a stack that have
    no result. stored maps an output's name to the name under which the service has stored it.
    """

    _fields: tuple[str, ...] = ()
    op: str = ""
    id: str
    failed: Any
    stored: dict[str, str]
    _info: Optional[dict[str, Any]]
    _fetch: Optional[Callable[[], dict[str, Any]]]

    if TYPE_CHECKING:                   # the outputs are attributes of derived classes
        def __getattr__(self, name: str) -> Any: ...

    @property
    def info(self) -> dict[str, Any]:
        """The job's description from GET /jobs/{id}."""
        if self._info is None:
            if self._fetch is None:
                raise RuntimeError("await client.fetch_info(result) first")
            self._info = self._fetch()
        return self._info

    @property
    def timing(self) -> dict[str, Any]:
        timing: dict[str, Any] = self.info.get("timing", {})
        return timing

    @property
    def quality(self) -> dict[str, Any]:
        quality: dict[str, Any] = self.info.get("quality", {})
        return quality

    @property
    def device(self) -> dict[str, Any]:
        device: dict[str, Any] = self.info.get("device", {})
        return device

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self))

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        if len(self) != 1:
            raise TypeError(f"{self.op} has the outputs {', '.join(self._fields)}: take one of them")
        return np.array(self[0], dtype=dtype) if copy else np.asarray(self[0], dtype=dtype)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in zip(self._fields, self))})"

    def _repr_html_(self) -> str:
        return page(self)

    def __reduce__(self) -> Any:
        return make, (self.op, self._asdict(), self.id, self.failed, self._info, None, self.stored)


def _type_of(op: str, fields: tuple[str, ...]) -> type[Result]:
    with _lock:
        if (op, fields) not in _types:
            members: dict[str, Any] = {"_fields": fields, "op": op, "__doc__": f"The outputs of {op}: {', '.join(fields)}."}
            for i, name in enumerate(fields):
                if name not in _RESERVED:
                    members[name] = property(operator.itemgetter(i))
            _types[op, fields] = type(op.capitalize().replace(".", "_") + "Result", (Result,), members)
        return _types[op, fields]


def make(op: str, outputs: dict[str, Any], id: str = "", failed: Any = None, info: Optional[dict[str, Any]] = None,
         fetch: Optional[Callable[[], dict[str, Any]]] = None, stored: Optional[dict[str, str]] = None) -> Result:
    r = _type_of(op, tuple(outputs))(outputs.values())
    r.id, r.failed, r.stored, r._info, r._fetch = id, failed, dict(stored or {}), info, fetch
    return r


# --- as HTML, for notebooks

def _shape(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {' x '.join(map(str, value.shape))}"
    if is_sparse(value):
        return f"{value.format} {value.dtype} {' x '.join(map(str, value.shape))}, {value.nnz} stored"
    return str(value)


def _row(cells: list[str]) -> str:
    return "<tr>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr>"


def _bar(share: float) -> str:
    width = min(max(share, 0.0), 1.0) * 200
    return f'<div style="background:#4a7ebb;height:0.8em;width:{width:.0f}px"></div>'


def _times(timing: dict[str, Any]) -> Iterator[str]:
    stages = {k[:-3]: float(v) for k, v in timing.items() if k.endswith("_ms") and k != "total_ms"}
    total = float(timing.get("total_ms", 0)) or sum(stages.values()) or 1.0
    for name, ms in stages.items():
        yield _row([html.escape(name), "", f"{ms:.3f} ms", _bar(ms / total)])
    for k in timing.get("kernels", []):
        ms = float(k.get("total_ms", 0))
        yield _row([html.escape(str(k.get("name"))), html.escape(f"{k.get('variant', '')} x {k.get('calls', '')}"), f"{ms:.3f} ms",
                    _bar(ms / total)])


def page(r: Result) -> str:
    """The outputs' shapes, the quality, and a table of the stages and kernels with bars."""
    outputs = "".join(_row([html.escape(k), html.escape(_shape(v))]) for k, v in zip(r._fields, r))
    info = r._info if r._fetch is None and r._info is not None else r.info if r._fetch else {}
    quality = "".join(_row([html.escape(k), html.escape(str(v))]) for k, v in info.get("quality", {}).items())
    device = html.escape(str(info.get("device", {}).get("name", "")))
    times = "".join(_times(info.get("timing", {})))
    return (f"<div><b>{html.escape(r.op)}</b> {device}<table>{outputs}{quality}</table>"
            f"<table><tr><th>stage, kernel</th><th></th><th></th><th></th></tr>{times}</table></div>")
