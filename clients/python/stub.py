"""stub.py [URL|FILE] - prints linalgd/operations.pyi, from GET /ops: the methods of Client, AsyncClient and their submit, with
their operands, parameters and outputs. The tests compare it with the file; after an operation has changed:

    build/linalgd ops --json | python3 clients/python/stub.py - > clients/python/linalgd/operations.pyi
"""
import json
import os
import sys
import textwrap

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from linalgd.sheet import COMMON, Sheet, python_name

HEAD = '''# Made by stub.py from GET /ops.
from typing import Any, Callable, Literal, Optional, Sequence, Union

import numpy as np

from .body import Reference
from .jobs import AsyncJob, Job
from .result import Result
from .sheet import Sheet

Operand = Any
DType = Union[str, type, np.dtype[Any]]

def method(sheet: Sheet, op: str, call: Callable[..., Any]) -> Any: ...
'''


def class_name(op):
    return op.capitalize() + "Result"


def type_of(p):
    if p.get("choices"):
        choices = "Literal[" + ", ".join(json.dumps(c) for c in p["choices"]) + "]"
        return f"Union[{choices}, float]" if p["name"] == "ord" else choices
    if p["type"] == "string":
        return "Union[str, Sequence[float]]"
    return {"boolean": "bool", "integer": "int", "number": "float"}[p["type"]]


def result(sheet, op):
    out = [f"class {class_name(op)}(Result):"]
    for o in sheet.operation(op)["outputs"]:
        out.append(f"    {o['name']}: Any")
    return "\n".join(out) + "\n"


def wrap(begin, arguments, end):
    """Breaks a list of arguments into lines, without a break within an argument."""
    lines, line = [], begin
    for i, a in enumerate(arguments):
        piece = a + (end if i == len(arguments) - 1 else ", ")
        if len(line) + len(piece) > 120:
            lines.append(line.rstrip())
            line = " " * 12
        line += piece
    return [*lines, line]


def method(sheet, op, before, returns, help):
    o = sheet.operation(op)
    some = any(i["optional"] for i in o["inputs"])
    arguments = ["self"]
    arguments += [f"{i['name']}: " + ("Optional[Operand] = ..." if some else "Operand") for i in o["inputs"]]
    arguments += ["*"]
    arguments += [f"{python_name(p['name'])}: Optional[{type_of(p)}] = ..." for p in o["parameters"]]
    arguments += [f"{python_name(n)}: Optional[{t}] = ..." for n, t in COMMON.items()]
    lines = wrap(f"    {before}def {op}(", arguments, f") -> {returns}:")
    if not help:
        lines[-1] += " ..."
        return "\n".join(lines) + "\n"
    doc = textwrap.indent('"""' + sheet.help(op).replace("\\", "\\\\") + '\n"""', "        ", lambda line: line.strip())
    return "\n".join(lines) + "\n" + doc + "\n"


def stub(document):
    sheet = Sheet(document)
    out = [HEAD] + [result(sheet, op) for op in sheet.ops]
    for name, before, returns, help in (
            ("Operations", "", "{}", True), ("AsyncOperations", "async ", "{}", False),
            ("Submissions", "", "Job[{}]", False), ("AsyncSubmissions", "async ", "AsyncJob[{}]", False)):
        own = [f"class {name}:"]
        own += [method(sheet, op, before, returns.format(class_name(op)), help) for op in sheet.ops]
        if not before:
            own.append("    def _sheet_now(self) -> Sheet: ...\n")
        own.append(f"    {before}def _call(self, op: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any: ...\n")
        out.append("\n".join(own))
    return "\n".join(out)


def read(where):
    if where == "-":
        return json.load(sys.stdin)
    if where.startswith("http"):
        import httpx
        return httpx.get(where.rstrip("/") + "/ops").json()
    with open(where) as f:
        return json.load(f)


if __name__ == "__main__":
    sys.stdout.write(stub(read(sys.argv[1] if len(sys.argv) > 1 else "-")))
