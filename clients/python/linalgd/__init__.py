"""linalgd: linear algebra over HTTP, on NumPy's arrays.

    from linalgd import Client
    la = Client("http://127.0.0.1:8080")
    la.linalg.solve(a, b)               # NumPy's functions
    lu, pivots, *_ = la.lu(a)           # the service's operations
"""
from . import errors
from .aio import AsyncClient
from .body import Generated, generate
from .client import Client
from .errors import LinalgdError, Problem, Unexpected, Unreachable
from .jobs import AsyncJob, Job
from .pipeline import Node, Pipeline, Saved
from .result import Result
from .stored import AsyncStored, Stored

__version__ = "0.1.0"


class ref:
    """A stored matrix as an operand, by its name alone."""

    def __init__(self, name: str) -> None:
        self.name = name

    def reference(self) -> dict[str, str]:
        return {"ref": self.name}

    def __repr__(self) -> str:
        return f"ref({self.name!r})"


__all__ = ["AsyncClient", "AsyncJob", "AsyncStored", "Client", "Generated", "Job", "LinalgdError", "Node", "Pipeline", "Problem",
           "Result", "Saved", "Stored", "Unexpected", "Unreachable", "errors", "generate", "ref"]
