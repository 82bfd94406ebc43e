"""AsyncClient gives the results of Client."""
import asyncio
import io

import httpx
import numpy as np
import pytest
import scipy.sparse as sparse

import linalgd
from linalgd import AsyncClient, errors, ref
from linalgd.jobs import AsyncJob, Job

A = np.array([[4.0, 1], [1, 3]])


def run(daemon, f, url=None):
    async def inside():
        async with AsyncClient(url or daemon.url) as la:
            return await f(la)
    return asyncio.run(inside())


def test_operations_run_side_by_side(daemon):
    async def f(la):
        return await asyncio.gather(*(la.matmul(np.full((4, 4), k), np.eye(4)) for k in range(20)))
    assert [r.c[0, 0] for r in run(daemon, f)] == list(range(20))


def test_results_jobs_and_stored_matrices(daemon):
    async def f(la):
        r = await la.fetch_info(await la.lu(A))
        assert r.timing["kernels"] and r.quality["residual"] < 30
        with pytest.raises(RuntimeError, match="fetch_info"):
            (await la.lu(A)).timing
        job = await la.submit.lu(A)
        events = [e async for e in job.events()]
        assert events[-1]["status"] == "successful" and (await job.status()) == "successful"
        assert (await (await job.wait(progress=True)).result()).lu.shape == (2, 2)
        endless = await la.submit.jacobi([[1, -1], [1, 1]], [1, 0], max_iterations=10**9)
        with pytest.raises(TimeoutError):
            await endless.wait(timeout=0.2)
        await endless.cancel()
        assert (await endless.info())["status"] == "dismissed"
        assert (await la.store("async", sparse.csr_matrix(A))).format == "csr"
        assert ((await la.fetch("async")) != sparse.csr_matrix(A)).nnz == 0
        assert np.array_equal((await la.matmul(ref("async"), A)).c, A @ A)
        await la.delete("async")
        with pytest.raises(errors.NotFound):
            await la.fetch("async")
        assert (await la.devices())[0]["name"] and repr(la).startswith("AsyncClient(")
    run(daemon, f)


def test_an_async_client_has_every_method(daemon):
    for ours, theirs in ((linalgd.Client, AsyncClient), (Job, AsyncJob)):
        assert not [n for n in dir(ours) if not n.startswith("_") and not hasattr(theirs, n)], theirs

    async def f(la):
        job = await la.submit.lu(A)
        await job.wait()
        assert (await la.job(job.id)).op == "lu" and await job.done()
        assert [j["id"] for j in await la.jobs(limit=1, status="successful")] == [job.id]
        assert any(k["op"] == "lu" for k in await la.kernels())
        assert (await la.version())["name"] == "linalgd" and await la.ready()
        assert (await la.empty((2, 3), "f4")).shape == (2, 3) and (await la.empty(4)).dtype == np.float64
    run(daemon, f)


def test_a_wait_with_progress_ends_in_time(daemon):
    endless = [[1, -1], [1, 1]], [1, 0]

    async def f(la):
        job = await la.submit.jacobi(*endless, max_iterations=10**9)
        with pytest.raises(TimeoutError):
            await job.wait(timeout=0.3, progress=True)
        await job.cancel()
        assert await (await job.wait(timeout=60, progress=True)).status() == "dismissed"
    run(daemon, f)
    with linalgd.Client(daemon.url) as la:
        job = la.submit.jacobi(*endless, max_iterations=10**9)
        with pytest.raises(TimeoutError):
            job.wait(timeout=0.3, progress=True)
        job.cancel()
        assert job.wait(timeout=60, progress=True).status == "dismissed"


def test_stored_matrices_look_like_arrays(daemon):
    b = np.arange(20.0).reshape(5, 4)

    async def f(la):
        m = await la.store("async-m", b)
        assert m.shape == (5, 4) and m.dtype == b.dtype and m.ndim == 2 and len(m) == 5 and m.nbytes == 160 and "5x4" in repr(m)
        assert np.array_equal(await m.fetch(), b)
        for key in (slice(1, 3), -1, (1, 2), (slice(None), 1), [0, 2], slice(3, 1), slice(None, None, -1), slice(0, 5, 2)):
            assert np.array_equal(await m[key], b[key]), key
        with pytest.raises(IndexError):
            await m[5]
        assert np.array_equal(await (m @ np.ones((4, 1))), b @ np.ones((4, 1)))
        assert np.array_equal(await (np.ones((1, 5)) @ m), np.ones((1, 5)) @ b) and np.array_equal(await m.T, b.T)
        assert np.array_equal((await la.matmul(m, b.T)).c, b @ b.T)
        assert "async-m" in [x.name for x in await la.matrices()] and (await la.stored("async-m")).shape == (5, 4)
        with pytest.raises(TypeError, match="await m.fetch"):
            np.asarray(m)
        with pytest.raises(TypeError):
            list(m)
        rows = await asyncio.gather(*(m[i] for i in range(5)))
        assert np.array_equal(rows, b)
        await m.delete()
        assert not await m.exists()
        with pytest.raises(errors.NotFound):
            await la.stored("async-m")
    run(daemon, f)


def test_a_saved_pipeline_is_awaited(daemon):
    async def f(la):
        with await la.pipeline() as p:
            x = p.lu(p.put(A, "a"))
        await p.save("async-lu", x, store={"async-lu": x["pivots"]})
        assert "async-lu" in [row["name"] for row in await la.pipelines()]
        saved = la.saved("async-lu")
        r = await saved.run(a=A)
        assert np.allclose(r[0], [[4, 1], [0.25, 2.75]]) and r.stored == {"s1.pivots": "async-lu"}
        assert (await saved.description())["store"] == ["s1.pivots:async-lu"]
        await saved.delete()
        with pytest.raises(errors.NotFound):
            await saved.description()
    run(daemon, f)


def test_linalg_and_errors(daemon):
    async def f(la):
        np.testing.assert_allclose((await la.linalg.eigh(A)).eigenvalues, np.linalg.eigvalsh(A))
        np.testing.assert_allclose(await la.linalg.solve(A, [1, 2]), np.linalg.solve(A, [1, 2]))
        with pytest.raises(np.linalg.LinAlgError):
            await la.linalg.inv(np.zeros((2, 2)))
        with pytest.raises(AttributeError):
            la.linalg.nothing
        with pytest.raises(AttributeError, match="did you mean matmul"):
            await la.matmull(A)
        assert "eigh" in dir(la.linalg)
    run(daemon, f, daemon.unix)


def test_a_pipeline_is_recorded_and_sent():
    out = io.BytesIO()
    np.savez(out, s2=A)
    sheet = {"ops": [{"name": op, "summary": op, "parameters": [], "variants": [], "dtypes": [],
                      "inputs": [{"name": "a", "help": "a", "optional": False}], "outputs": [{"name": "x", "help": "x"}]}
                     for op in ("lu", "inverse")]}
    sent = []

    def answer(request):
        sent.append(request.content)
        if request.url.path == "/ops":
            return httpx.Response(200, json=sheet)
        return httpx.Response(200, content=out.getvalue(), headers={"Content-Type": "application/x-npz"})

    async def f():
        async with AsyncClient("http://x", transport=httpx.MockTransport(answer)) as la:
            with await la.pipeline() as p:
                x = p.lu(A).inverse()
            return await p.run(x)
    assert np.array_equal(asyncio.run(f())[0], A)
    assert b'{"op": "inverse", "as": "s2", "a": "s1"}' in sent[1]


def test_a_missing_service_is_told():
    async def f():
        async with AsyncClient("http://127.0.0.1:1", retries=0) as la:
            await la.lu(A)
    with pytest.raises(linalgd.Unreachable):
        asyncio.run(f())


def test_what_is_cancelled_is_dismissed(daemon):
    async def f(la):
        task = asyncio.create_task(la.jacobi([[1, -1], [1, 1]], [1, 0], max_iterations=10**9))
        while not await la.jobs(status="running"):
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while await la.jobs(status="running"):
            await asyncio.sleep(0.05)
        assert (await la.jobs(limit=1))[0]["status"] == "dismissed"
    run(daemon, lambda la: asyncio.wait_for(f(la), 60))
