"""Operands and results in memory that the client shares with the service."""
import asyncio
import gc
import os
import signal
import socket
import threading

import numpy as np
import pytest

from linalgd import AsyncClient, Client, Problem, generate
from linalgd import share as sharing
from daemon import Daemon

from conftest import BINARY

N = 256
rng = np.random.default_rng(3)


def matrix(dtype=np.float32, shape=(N, N)):
    return rng.standard_normal(shape).astype(dtype)


def is_shared(array):
    return isinstance(array.base, sharing.Lease)


@pytest.fixture
def shared(daemon):
    with Client(daemon.unix) as client:
        yield client


def ids(client):
    return {s.id for s in client._core.shares.free}


def test_results_lie_in_shares_and_stay(shared):
    a, b = matrix(), matrix()
    first = shared.matmul(a, b).c
    assert is_shared(first) and first.flags.writeable and first.dtype == np.float32
    kept = first.copy()
    for _ in range(3):
        assert np.allclose(shared.matmul(b, a).c, b @ a, atol=1e-3)
    assert np.array_equal(first, kept) and np.allclose(first, a @ b, atol=1e-3)
    shared.close()
    gc.collect()
    assert np.array_equal(first, kept)


def test_the_segments_are_used_again(shared, monkeypatch):
    made = []
    claim = sharing.Shares._claim
    monkeypatch.setattr(sharing.Shares, "_claim", lambda self, id: made.append(id) or claim(self, id))
    a, b = matrix(), matrix()
    gc.disable()                # they are free as soon as nothing refers to them
    try:
        for _ in range(5):
            shared.matmul(a, b)
    finally:
        gc.enable()
    assert len(made) == 3 and ids(shared) < set(made)
    held = [shared.matmul(a, a).c for _ in range(3)]
    assert len(made) == 4 and len({c.ctypes.data for c in held}) == 3


def test_what_lies_in_a_share_is_not_copied(shared):
    a = shared.empty((N, N), np.float32)
    a[:] = matrix()
    assert is_shared(a)
    place = shared._core.shares.place
    assert place(a)["offset"] == 0 and place(a[N // 2:])["offset"] == N // 2 * N * 4
    assert place(a[:, 1:]) is None and place(a.T) is None and place(a.reshape(-1)[1:]) is None and place(a.copy()) is None
    c = shared.matmul(a, a).c
    assert np.allclose(c, a @ a, atol=1e-3)
    gc.collect()
    assert len(ids(shared)) == 0
    assert np.allclose(shared.matmul(c, a).c, c @ a, atol=1e-1)
    half = shared.matmul(a[N // 2:], a).c
    assert half.shape == (N // 2, N) and np.allclose(half, a[N // 2:] @ a, atol=1e-3)


@pytest.mark.parametrize("transposed", [False, True])
def test_shapes_and_views(shared, transposed):
    a, b = matrix(shape=(3, 100, 200)), matrix(shape=(300, 200) if transposed else (200, 300))
    c = shared.matmul(a, b, transpose_b=transposed).c
    assert c.shape == (3, 100, 300) and np.allclose(c, a @ (b.T if transposed else b), atol=1e-3)
    assert is_shared(c)
    wide = matrix(shape=(N, 2 * N))
    assert np.allclose(shared.matmul(wide[:, ::2], wide.T[:N]).c, wide[:, ::2] @ wide.T[:N], atol=1e-3)


def test_types(shared):
    f = matrix(np.float64)
    assert np.allclose(shared.matmul(f, f).c, f @ f) and shared.matmul(f, matrix()).c.dtype == np.float64
    assert shared.matmul(f, f, dtype="float32").c.dtype == np.float32
    whole = rng.integers(-9, 9, (N, N)).astype(np.int32)
    assert np.array_equal(shared.matmul(whole, whole).c, (whole @ whole).astype(np.float64))
    exact = shared.matmul(whole, whole, dtype="int32").c
    assert exact.dtype == np.int32 and np.array_equal(exact, whole @ whole)
    assert np.array_equal(shared.transpose(f).a, f.T)
    big = f.astype(">f8")
    assert np.allclose(shared.matmul(big, f).c, f @ f)


def test_other_operations_and_operands_beside(shared):
    a = matrix(np.float64)
    r = shared.lu(a)
    assert np.allclose(np.abs(r.sign), 1) and r.pivots.shape == (N,)
    x = shared.solve(a, a[:, :3]).x
    assert np.allclose(x, np.eye(N)[:, :3], atol=1e-6)
    ones = generate("ones", (N, N))
    assert np.allclose(shared.matmul(a, ones).c, a @ np.ones((N, N)))
    shared.matmul(a, a, store="product")
    assert np.allclose(np.asarray(shared.stored("product")), a @ a)


def test_what_a_failed_call_used_is_not_used_again(shared):
    a = matrix(np.float64)
    shared.norm(a)
    before = ids(shared)
    assert len(before) == 1
    with pytest.raises(np.linalg.LinAlgError):
        shared.cholesky(-np.eye(N))
    with pytest.raises(Problem):
        shared.matmul(a, a[:-1])
    assert not before & ids(shared)
    assert np.allclose(shared.matmul(a, a).c, a @ a)


def test_many_results_are_copied(shared, monkeypatch):
    a = matrix()
    monkeypatch.setattr(sharing, "HELD_MOST", 2 * a.nbytes)
    kept = [shared.matmul(a, a).c for _ in range(4)]
    assert [is_shared(c) for c in kept] == [True, True, False, False]
    assert all(np.array_equal(c, kept[0]) for c in kept)
    del kept[:2]
    gc.collect()
    assert is_shared(shared.matmul(a, a).c)


def test_threads(shared):
    wrong = []

    def work(seed):
        r = np.random.default_rng(seed)
        for _ in range(10):
            a, b = r.standard_normal((2, N, N)).astype(np.float32)
            if not np.allclose(shared.matmul(a, b).c, a @ b, atol=1e-3):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_a_forked_child_has_segments_of_its_own(shared):
    a = matrix()
    first = shared.matmul(a, a).c
    kept = first.copy()
    child = os.fork()
    if child == 0:
        try:
            with Client(shared.url) as own:
                good = np.allclose(own.matmul(a, -a).c, -kept, atol=1e-3)
            good &= shared._core.shares.place(first) is None
            del first
        finally:
            os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert np.array_equal(first, kept) and np.allclose(shared.matmul(a, a).c, kept, atol=1e-3)


def test_async_clients_share_too(daemon):
    a = matrix()

    async def run():
        async with AsyncClient(daemon.unix) as client:
            return await asyncio.gather(*(client.matmul(a, a) for _ in range(4)))

    for r in asyncio.run(run()):
        assert is_shared(r.c) and np.allclose(r.c, a @ a, atol=1e-3)


def test_without_shares(daemon):
    a = matrix()
    for url, share in (daemon.unix, False), (daemon.url, True):
        with Client(url, share=share) as client:
            c = client.matmul(a, a).c
            assert not is_shared(c) and np.allclose(c, a @ a, atol=1e-3)
            assert not is_shared(client.empty((N, N)))


@pytest.mark.parametrize("limit", ["0", "300K"])
def test_a_service_that_shares_nothing_or_little(tmp_path, limit):
    url = f"unix:{tmp_path}/s.sock"
    a = matrix()
    with Daemon(BINARY, "--listen", url, "--share-memory", limit), Client(url) as client:
        for _ in range(2):
            c = client.matmul(a, a).c
            assert not is_shared(c) and np.allclose(c, a @ a, atol=1e-3)
        assert client._core.shares.off == (limit == "0")


def test_a_service_that_was_started_anew(tmp_path):
    url = f"unix:{tmp_path}/s.sock"
    a = matrix()
    with Client(url) as client:
        with Daemon(BINARY, "--listen", url):
            first = client.matmul(a, a).c
            kept = first.copy()
        assert np.array_equal(first, kept)          # the service left it to us
        with Daemon(BINARY, "--listen", url) as d:
            assert np.allclose(client.matmul(first, a).c, kept @ a, atol=1e-1)
            assert is_shared(client.matmul(a, a).c)
            d.process.send_signal(signal.SIGKILL)
            d.process.wait()
        assert np.array_equal(first, kept)


def test_a_connection_that_the_service_closed_is_replaced(shared):
    shared.version()
    quick = shared._driver.quick
    connection, = quick.idle
    connection.sock.shutdown(socket.SHUT_RDWR)
    assert shared.version()["version"]
    assert connection not in quick.idle
