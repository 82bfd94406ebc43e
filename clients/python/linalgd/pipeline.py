"""Pipelines: operations that are recorded when they are called, and run as one job.

    with client.pipeline() as p:
        a = p.put(array)
        f = (a @ a).lu()
        x = p.solve(factors=f, b=p.put(y))
    r = p.run(x, f["pivots"], store={"factors": f})
    p.save("solver", x)
    client.saved("solver").run(m1=other)
"""
from __future__ import annotations

import json
import uuid
from typing import Any, Callable, Iterable, Mapping, Optional
from urllib.parse import quote

import numpy as np

from .body import JSON, NPZ, SPARSE, Body, Piece, form, json_body, part_of
from .core import KEY_MOST, Core, Flow, Reply, Send, text_of
from .result import Result, make
from .sheet import COMMON, RENAMED, Sheet, python_name

# The members of a step that are not its parameters, and the parameters of every operation that a step may have.
MEMBERS = ("op", "as", "parameters")
OF_STEPS = ("dtype", "variant", "quality")


class Node:
    """A matrix in a pipeline: an operand, or an output of a step that is not computed yet.

    The operations are methods of a node, which is their first operand. node["pivots"] is the output `pivots` of the node's step.
    """

    __array_ufunc__ = None

    def __init__(self, pipeline: Pipeline, name: str, step: Optional[str] = None, op: str = "") -> None:
        self._pipeline, self._name, self._step, self._op = pipeline, name, step, op

    def __getitem__(self, output: str) -> Node:
        if self._step is None:
            raise KeyError(f"{self._name} is an operand, and has no outputs")
        known = self._pipeline._sheet.outputs(self._op)
        if output not in known:
            raise KeyError(f"{self._op} has no output {output}; there are {', '.join(known)}")
        return Node(self._pipeline, f"{self._step}.{output}", self._step, self._op)

    def __matmul__(self, other: Any) -> Node:
        return self._pipeline._record("matmul", (self, other), {})

    def __rmatmul__(self, other: Any) -> Node:
        return self._pipeline._record("matmul", (other, self), {})

    @property
    def T(self) -> Node:
        return self._pipeline._record("transpose", (self,), {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        self._pipeline._sheet.operation(name)
        return lambda *arguments, **named: self._pipeline._record(name, (self, *arguments), named)

    def __repr__(self) -> str:
        return f"<node {self._name}>"


class Pipeline:
    """A pipeline, made by client.pipeline(). With an AsyncClient, pipeline() and run() are awaited."""

    def __init__(self, core: Core, sheet: Sheet, drive: Callable[[Flow[Any]], Any]) -> None:
        self._core, self._sheet, self._drive = core, sheet, drive
        self._steps: list[dict[str, Any]] = []
        self._sources: dict[str, list[str]] = {}    # a step's operands, as "@a", "s1" or "s1.pivots"
        self._operands: dict[str, Any] = {}
        self._stored: set[str] = set()              # the stored matrices that have nodes

    def __enter__(self) -> Pipeline:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def put(self, operand: Any, name: Optional[str] = None) -> Node:
        """Adds an operand to the pipeline: an array, a sparse matrix, or a stored or generated matrix."""
        name = name or self._unused()
        if name in self._operands or name in self._stored:
            raise ValueError(f"operand {name} is there already")
        self._operands[name] = operand
        return Node(self, "@" + name)

    def _unused(self) -> str:
        k = len(self._operands) + 1
        while f"m{k}" in self._operands or f"m{k}" in self._stored:
            k += 1
        return f"m{k}"

    def stored(self, name: str) -> Node:
        """Returns the node of a stored matrix, which is given by its name. An operand of this name would replace it."""
        if name in self._operands:
            raise ValueError(f"operand {name} is there already; put() can give it another name")
        self._stored.add(name)
        return Node(self, "@" + name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        self._sheet.operation(name)
        return lambda *arguments, **named: self._record(name, arguments, named)

    def _record(self, op: str, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> Node:
        operands, parameters = self._sheet.sort(op, arguments, named)
        name = f"s{len(self._steps) + 1}"
        step: dict[str, Any] = {"op": op, "as": name}
        for k, v in operands.items():
            node = v if isinstance(v, Node) else self.put(v)
            self._check(node)
            step[k] = node._name
        self._sources[name] = [step[k] for k in operands]
        step.update(_step_parameters(self._sheet, op, parameters))
        self._steps.append(step)
        return Node(self, name, name, op)

    def _check(self, node: Any) -> None:
        if not isinstance(node, Node):
            raise TypeError(f"a result must be a node of the pipeline, not {type(node).__name__}")
        if node._pipeline is not self:
            raise ValueError(f"{node!r} belongs to another pipeline")

    def _needed(self, results: Iterable[str]) -> set[str]:
        """The names of the steps and "@" with those of the operands that these outputs of steps need."""
        needed: set[str] = set()
        ahead = list(results)
        while ahead:
            name = ahead.pop().split(".")[0]
            if name not in needed:
                needed.add(name)
                ahead += self._sources.get(name, [])
        return needed

    def _operands_of(self, about: Mapping[str, Any]) -> dict[str, Any]:
        taken = {source for step in about["steps"] for source in self._sources[step["as"]]}
        return {name: value for name, value in self._operands.items() if "@" + name in taken}

    def description(self, *returned: Node, store: Optional[Mapping[str, Node]] = None) -> dict[str, Any]:
        """What POST /pipelines takes, without the operands: the steps that the returned and stored nodes need. store tells which
        node becomes the stored matrix of which name."""
        if not self._steps:
            raise ValueError("the pipeline has no steps")
        kept = dict(store or {})
        for n in (*returned, *kept.values()):
            self._check(n)
        if any(n._name.startswith("@") for n in (*returned, *kept.values())):
            raise ValueError("an operand is no result")
        names = [n._name for n in returned] or ([] if kept else [self._steps[-1]["as"]])
        needed = self._needed([*names, *(n._name for n in kept.values())])
        about: dict[str, Any] = {"steps": [s for s in self._steps if s["as"] in needed]}
        if names:
            about["return"] = names
        if kept:
            about["store"] = [f"{node._name}:{name}" for name, node in kept.items()]
        return about

    def run(self, *returned: Node, store: Optional[Mapping[str, Node]] = None, **parameters: Any) -> Any:
        """Runs the steps that these nodes need as one job; returns the nodes' outputs in their order, by default the last step's
        first one. store={"name": node} keeps outputs as stored matrices, whose elements are answered only for nodes that are returned."""
        about = self.description(*returned, store=store)
        return self._drive(_run(self._core, about, self._operands_of(about), parameters))

    def save(self, name: str, *returned: Node, store: Optional[Mapping[str, Node]] = None) -> Any:
        """Saves the steps under a name, without the operands; client.saved(name) runs them with others."""
        return self._drive(_save(self._core, name, self.description(*returned, store=store)))


class Saved:
    """A pipeline that the service keeps under a name. Of an AsyncClient, all methods are awaited."""

    def __init__(self, core: Core, name: str, drive: Callable[[Flow[Any]], Any]) -> None:
        self._core, self.name, self._drive = core, name, drive

    def run(self, **named: Any) -> Any:
        """Runs it with operands by their names, and parameters: return_=, store=, device= ... An operand that is not given is
        the stored matrix of its name."""
        parameters = {RENAMED_BACK.get(k, k): v for k, v in named.items() if RENAMED_BACK.get(k, k) in PARAMETERS}
        operands = {k: v for k, v in named.items() if RENAMED_BACK.get(k, k) not in PARAMETERS}
        return self._drive(_run_saved(self._core, self.name, operands, parameters))

    def description(self) -> Any:
        return self._drive(self._core.json("GET", _path(self.name)))

    def delete(self) -> Any:
        return self._drive(self._core.json("DELETE", _path(self.name)))

    def __repr__(self) -> str:
        return f"<saved pipeline {self.name}>"


PARAMETERS = (*COMMON, "steps", "pipeline")
RENAMED_BACK = {v: k for k, v in RENAMED.items()}


def _plain(value: Any) -> Any:
    """Returns a parameter's value as it is in JSON, where a number is no text."""
    plain = value.item() if isinstance(value, np.generic) else value
    return plain if isinstance(plain, (str, bool, int, float)) else text_of(plain)


def _step_parameters(sheet: Sheet, op: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a step's members with its parameters. Those whose names have another meaning there, such as reduce's op, are in the
    member `parameters`."""
    for name in parameters:
        if name in COMMON and name not in OF_STEPS and name not in sheet.parameters(op):
            raise TypeError(f"{python_name(name)} is an argument of run(), not of a step")
    plain = {k: _plain(v) for k, v in parameters.items()}
    hidden = {k: v for k, v in plain.items() if k in MEMBERS}
    members = {k: v for k, v in plain.items() if k not in MEMBERS}
    return {**members, "parameters": hidden} if hidden else members


def _path(name: str) -> str:
    return "/pipelines/" + quote(name, safe="")


def _send(core: Core, path: str, body: Body, parameters: Mapping[str, Any]) -> Flow[Result]:
    query = {k: text_of(v) for k, v in parameters.items()}
    headers = {"Accept": NPZ}
    if "store" in parameters or body.length <= KEY_MOST:
        headers["Idempotency-Key"] = str(uuid.uuid4())
    reply: Reply = yield from core.send(Send("POST", path, body=body, query=query, headers=headers))
    return core.read("pipeline", reply)


def _run(core: Core, description: dict[str, Any], operands: Mapping[str, Any], parameters: Mapping[str, Any]) -> Flow[Result]:
    parts: dict[str, tuple[str, list[Piece]]] = {"pipeline": (JSON, [json.dumps(description).encode()])}
    parts.update({name: part_of(v) for name, v in operands.items()})
    r = yield from _send(core, "/pipelines", form(parts), parameters)
    by_name = r._asdict()
    if SPARSE in by_name:
        by_name = {description["return"][0]: by_name[SPARSE]}
    ordered = make("pipeline", {n: by_name[n] for n in description.get("return", ()) if n in by_name} or by_name, r.id, r.failed)
    ordered.stored = r.stored
    return ordered


def _run_saved(core: Core, name: str, operands: Mapping[str, Any], parameters: Mapping[str, Any]) -> Flow[Result]:
    body = form({k: part_of(v) for k, v in operands.items()}) if operands else json_body({})
    return (yield from _send(core, _path(name), body, parameters))


def _save(core: Core, name: str, description: dict[str, Any]) -> Flow[None]:
    yield from core.send(Send("PUT", _path(name), body=json_body(description)))
