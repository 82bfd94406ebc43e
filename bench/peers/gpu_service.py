#!/usr/bin/env python3
"""gpu_service.py - the peer of a service on a GPU: what a good Python engineer would write with aiohttp and CuPy.

POST /matmul (a, b), /lu (a), /eigen (a), the body being application/octet-stream
    ?m=&k=&n=&dtype=float32, row-major, operands back to back
and the answer of the same kind: the results back to back, of lu the pivots behind the factors, of eigen the
eigenvalue as float64 and its vector. One thread owns the device; the loop stays awake.

    gpu_service.py PORT
"""
import asyncio
import concurrent.futures
import sys

import cupy
import cupyx.scipy.linalg
import numpy as np
from aiohttp import web

try:
    import uvloop
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
except ImportError:
    pass

KIND = "application/octet-stream"

device_thread = concurrent.futures.ThreadPoolExecutor(1)


def matmul(a, b):
    return a @ b,


def lu(a):
    return cupyx.scipy.linalg.lu_factor(a, check_finite=False)


def eigen(a, most=1000):
    """The dominant pair by power iteration, to linalgd's default tolerances."""
    tol = 1e-5 if a.dtype == np.float32 else 1e-8
    x = cupy.full(a.shape[0], a.shape[0] ** -0.5, a.dtype)
    for _ in range(most):
        y = a @ x
        value = x @ y
        if float(cupy.linalg.norm(y - value * x) / cupy.abs(value)) <= tol:
            break
        x = y / cupy.linalg.norm(y)
    return np.float64(value.get()), x


def operands(body, query, n):
    m, k, columns = int(query["m"]), int(query["k"]), int(query.get("n", 0))
    a = np.frombuffer(body, query.get("dtype", "float32"), m * k).reshape(m, k)
    return [a] if n == 1 else [a, np.frombuffer(body, a.dtype, k * columns, a.nbytes).reshape(k, columns)]


def to_bytes(results):
    """One result alone is not copied again."""
    arrays = [np.ascontiguousarray(cupy.asnumpy(r)) for r in results]
    return arrays[0].data.cast("B") if len(arrays) == 1 else b"".join(a.data.cast("B") for a in arrays)


def work(function, n, body, query):
    return to_bytes(function(*(cupy.asarray(a) for a in operands(body, query, n))))


def route(function, n):
    async def handle(request):
        body = await request.read()
        try:
            data = await asyncio.get_running_loop().run_in_executor(
                device_thread, work, function, n, body, request.query)
        except (KeyError, TypeError, ValueError) as e:
            raise web.HTTPBadRequest(text=str(e)) from e
        return web.Response(body=data, content_type=KIND)
    return web.post("/" + function.__name__, handle)


async def readyz(request):
    return web.Response(text="ready")


app = web.Application(client_max_size=1 << 34)
app.add_routes([route(matmul, 2), route(lu, 1), route(eigen, 1), web.get("/readyz", readyz)])

if __name__ == "__main__":
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), access_log=None, print=None)
