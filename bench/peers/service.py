"""service.py - the peer of a service: what a good Python engineer would write with FastAPI, NumPy and orjson.

POST /matmul (a, b), /lu (a), /eigen (a), the body being
    application/json          {"a": [[...]], "b": [[...]], "dtype": "float32"}
    application/octet-stream  ?m=&k=&n=&dtype=float32, row-major, operands back to back
    application/x-npy         npy files back to back
and the answer of the same kind; what is not JSON holds the first result only. Small bodies are computed on the event
loop, larger ones in a thread, so that the loop stays awake.
"""
import io

import numpy as np
import orjson
import scipy.linalg
from fastapi import FastAPI, HTTPException, Request, Response
from starlette.concurrency import run_in_threadpool

SMALL = 1 << 17                     # bytes of a body
JSON, OCTETS, NPY = "application/json", "application/octet-stream", "application/x-npy"

app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)


def read_npy(view, at):
    """Returns the array that begins there, without a copy, and the position of its end."""
    head = io.BytesIO(view[at:at + 512])
    np.lib.format.read_magic(head)
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(head)
    a = np.frombuffer(view, dtype, int(np.prod(shape)), at + head.tell())
    return (a.reshape(shape[::-1]).T if fortran else a.reshape(shape)), at + head.tell() + a.nbytes


def from_json(body, query, names):
    d = orjson.loads(body)
    return [np.asarray(d[name], dtype=d.get("dtype", "float64")) for name in names]


def from_octets(body, query, names):
    m, k, n = int(query["m"]), int(query["k"]), int(query.get("n", 0))
    a = np.frombuffer(body, query.get("dtype", "float32"), m * k).reshape(m, k)
    return [a] if len(names) == 1 else [a, np.frombuffer(body, a.dtype, k * n, a.nbytes).reshape(k, n)]


def from_npy(body, query, names):
    view, at, found = memoryview(body), 0, []
    for _ in names:
        a, at = read_npy(view, at)
        found.append(a)
    return found


def to_json(results):
    return orjson.dumps(results, option=orjson.OPT_SERIALIZE_NUMPY)


def to_octets(results):
    return np.asarray(next(iter(results.values()))).tobytes()


def to_npy(results):
    f = io.BytesIO()
    np.save(f, next(iter(results.values())))
    return f.getvalue()


READ = {JSON: from_json, OCTETS: from_octets, NPY: from_npy}
WRITE = {JSON: to_json, OCTETS: to_octets, NPY: to_npy}


def matmul(a, b):
    return {"c": a @ b}


def lu(a):
    packed, pivots = scipy.linalg.lu_factor(a, check_finite=False)
    return {"lu": np.ascontiguousarray(packed), "pivots": pivots}


def eigen(a, most=1000):
    """The dominant pair by power iteration, to linalgd's default tolerances."""
    tol = 1e-5 if a.dtype == np.float32 else 1e-8
    x = np.full(a.shape[0], a.shape[0] ** -0.5, a.dtype)
    for step in range(1, most + 1):
        y = a @ x
        value = float(x @ y)
        if np.linalg.norm(y - value * x) <= tol * abs(value):
            break
        x = y / np.linalg.norm(y)
    return {"eigenvalue": value, "eigenvector": x, "iterations": step}


def answer(function, names, body, kind, query):
    try:
        operands = READ[kind](body, query, names)
    except (KeyError, TypeError, ValueError) as e:
        raise HTTPException(400, str(e)) from e
    return Response(WRITE[kind](function(*operands)), media_type=kind)


def route(function, *names):
    @app.post("/" + function.__name__)
    async def handle(request: Request):
        body = await request.body()
        kind = request.headers.get("content-type", JSON)
        call = function, names, body, kind, request.query_params
        return answer(*call) if len(body) < SMALL else await run_in_threadpool(answer, *call)


route(matmul, "a", "b")
route(lu, "a")
route(eigen, "a")


@app.get("/readyz")
async def readyz():
    return {"status": "ready"}
