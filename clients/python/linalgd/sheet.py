"""The reply to GET /ops, here called the sheet: the operations; and how a method's arguments become operands and parameters."""
from __future__ import annotations

import difflib
import inspect
from typing import Any, Mapping

from .result import Result

# Parameters that every operation takes, with their types in the stub.
COMMON = {
    "device": "Union[str, int]", "dtype": "DType", "variant": "str", "timeout_ms": "int", "priority": "int",
    "return": "Union[str, Sequence[str]]", "timing": 'Literal["full", "summary", "none", "trace"]',
    "quality": 'Literal["estimate", "full", "none"]', "store": "str", "ttl": "float",
}
# Parameters whose names are keywords of Python, and the names of their arguments.
RENAMED = {"return": "return_"}


def python_name(parameter: str) -> str:
    return RENAMED.get(parameter, parameter)


class Sheet:
    def __init__(self, document: Any) -> None:
        self.ops: dict[str, Any] = {o["name"]: o for o in document["ops"]}

    def has(self, op: str) -> bool:
        return op in self.ops

    def operation(self, op: str) -> Any:
        if op not in self.ops:
            near = difflib.get_close_matches(op, self.ops, 1)
            raise AttributeError(f"the service has no operation {op}" + (f"; did you mean {near[0]}?" if near else ""))
        return self.ops[op]

    def operands(self, op: str) -> list[str]:
        return [i["name"] for i in self.operation(op)["inputs"]]

    def outputs(self, op: str) -> list[str]:
        return [o["name"] for o in self.operation(op)["outputs"]]

    def parameters(self, op: str) -> list[str]:
        return [p["name"] for p in self.operation(op)["parameters"]]

    def sort(self, op: str, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Returns the operands and the parameters of a call, by the names that they have in the request. Positional arguments are
        operands in the operation's order. Arguments that are None are left out."""
        names = self.operands(op)
        if len(arguments) > len(names):
            raise TypeError(f"{op} takes {len(names)} operands ({', '.join(names)}), {len(arguments)} were given")
        operands = dict(zip(names, arguments))
        parameters: dict[str, Any] = {}
        for name, value in named.items():
            wire = next((k for k, v in RENAMED.items() if v == name), name)
            if name in names:
                if name in operands:
                    raise TypeError(f"{op} got operand {name} twice")
                operands[name] = value
            elif wire in COMMON or wire in self.parameters(op):
                parameters[wire] = value
            else:
                known = [*names, *self.parameters(op), *COMMON]
                near = difflib.get_close_matches(name, known, 1)
                raise TypeError(f"{op} has no operand or parameter {name}" + (f"; did you mean {near[0]}?" if near else ""))
        self._take_results(operands, names)
        for i in self.operation(op)["inputs"]:
            if operands.get(i["name"]) is None and not i["optional"]:
                raise TypeError(f"{op} needs operand {i['name']}: {i['help']}")
        return ({k: v for k, v in operands.items() if v is not None}, {k: v for k, v in parameters.items() if v is not None})

    @staticmethod
    def _take_results(operands: dict[str, Any], names: list[str]) -> None:
        """Replaces a Result among the operands by its first output. factors=la.lu(a) gives the operand pivots, too."""
        for name, value in list(operands.items()):
            if isinstance(value, Result):
                operands[name] = value[0]
                if name == "factors" and "pivots" in names and "pivots" in value._fields:
                    operands.setdefault("pivots", value.pivots)

    def signature(self, op: str) -> inspect.Signature:
        P = inspect.Parameter
        o = self.operation(op)
        operands = [P(i["name"], P.POSITIONAL_OR_KEYWORD, default=None if i["optional"] else P.empty) for i in o["inputs"]]
        if any(i["optional"] for i in o["inputs"]):        # Python allows no required argument after an optional one
            operands = [p.replace(default=None) for p in operands]
        named = [P(python_name(n), P.KEYWORD_ONLY, default=None) for n in [*self.parameters(op), *COMMON]]
        return inspect.Signature([*operands, *named])

    def help(self, op: str) -> str:
        """Returns the docstring of an operation's method."""
        o = self.operation(op)
        lines = [o["summary"][:1].upper() + o["summary"][1:] + ".", ""]
        if "mathematics" in o:                             # older services do not tell it
            lines += [o["mathematics"], ""]
        lines += ["Operands:"]
        lines += [f"    {i['name']}: {i['help']}{' (optional)' if i['optional'] else ''}" for i in o["inputs"]]
        if o["parameters"]:
            lines += ["", "Parameters:"]
            lines += [f"    {python_name(p['name'])}: {p['help']}" for p in o["parameters"]]
        lines += ["", "Outputs:"]
        lines += [f"    {out['name']}: {out['help']}{' (on request)' if out['on_request'] else ''}" for out in o["outputs"]]
        return "\n".join(lines)
