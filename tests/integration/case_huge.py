"""case_huge.py - dimensions and counts beyond all bounds, and bodies that unfold to more than they are: each is refused, with a
clear answer, before anything is allocated for it."""
import contextlib
import gzip
import http.client
import io
import json
import random
import subprocess
import threading
import zipfile

import numpy as np

from accounts import at_rest, resident, returns_to
from client import case, curl

MIB = 1 << 20
# Around the largest values of 32 and 64 bits, and below zero; the last three are no integers of 64 bits.
HUGE = [2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**61, 2**62, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1, 2**64, 2**64 + 1,
        2**128, -1, -2, -2**31, -2**31 - 1, -2**32, -2**63, -2**63 - 1, -2**64]


def npy_head(shape, dtype="<f8", version=1):
    head = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    room = 10 if version == 1 else 12
    head += " " * (-(len(head) + room + 1) % 64) + "\n"
    return b"\x93NUMPY" + bytes([version, 0]) + len(head).to_bytes(2 if version == 1 else 4, "little") + head.encode()


def npz(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as z:
        for name, data in members.items():
            z.writestr(name + ".npy", data)
    return file.getvalue()


def arrays(n):
    """Operands in JSON."""
    for shape in ([n], [n, 2], [2, n], [n, n], [n, 2, 2], [2**20, n, 2**20]):
        yield {"shape": shape, "data": [1, 2]}
        yield {"shape": shape, "dtype": "float32", "base64": "AACAPwAAAEA="}
        yield {"generate": "random", "shape": shape}
        yield {"generate": "identity", "shape": shape}
    yield {"generate": "random", "shape": [2, 2], "seed": n * 2}
    for m, k in ((n, 2), (2, n), (n, n)):
        yield {"format": "coo", "shape": [m, k], "row": [n], "col": [0], "data": [1]}
        yield {"format": "coo", "shape": [m, k], "row": [0], "col": [n], "data": [1]}
        yield {"format": "csr", "shape": [m, k], "indptr": [0, 1, n], "indices": [0], "data": [1]}
        yield {"format": "csr", "shape": [m, k], "indptr": [0, 1], "indices": [n], "data": [1]}
        yield {"format": "csr", "shape": [m, k], "indptr": [0, n], "indices": [1], "data": [1]}


def documents(n):
    """Requests in JSON: path and document."""
    for a in arrays(n):
        yield "/transpose", {"a": a}
        yield "/spmv", {"a": a, "x": [1, 2]}
    i = [[2, 1], [1, 2]]
    for name in ("k", "max_iterations"):
        yield "/eigen", {"a": i, name: n, "which": "largest"}
    yield "/svd", {"a": i, "k": n}
    yield "/spmv", {"a": i, "x": [1, 2], "repeat": n}
    yield "/reduce", {"a": i, "axis": n}
    yield "/permute", {"a": i, "p": [n, 0]}
    yield "/permute", {"a": i, "p": [0, n]}
    yield "/solve", {"factors": i, "pivots": [n, 1], "b": [1, 2]}
    yield "/solve", {"factors": i, "pivots": [0, n], "b": [1, 2]}
    yield "/solve", {"factors": {"lu": i, "pivots": [0, n]}, "b": [1, 2]}
    for name in ("timeout_ms", "priority", "device"):
        yield "/transpose", {"a": i, name: n}
    yield "/pipelines", {"steps": [{"op": "spmv", "a": "@a", "x": "@x", "repeat": n}], "a": i, "x": [1, 2]}
    yield "/pipelines", {"steps": [{"op": "transpose", "a": {"generate": "random", "shape": [n, 2]}}]}


def bodies(n):
    """Requests in other formats: path, media type, body."""
    for shape in (f"({n},)", f"({n}, 2)", f"(2, {n})", f"({n}, {n})", f"({n}, 0, {n})"):
        for version in (1, 2):
            yield "/transpose", "x-npy", npy_head(shape, version=version) + bytes(32)
        yield "/transpose", "x-npy", npy_head(shape, "|b1") + bytes(32)
        yield "/transpose", "x-npz", npz(a=npy_head(shape) + bytes(32))
    for size in (f"{n} 2 1", f"2 {n} 1", f"2 2 {n}", f"{n} {n} {n}"):
        for kind in ("real general", "pattern symmetric"):
            yield "/spmv", "x-matrix-market", f"%%MatrixMarket matrix coordinate {kind}\n{size}\n1 1 1\n".encode()
    for entry in (f"{n} 1 1", f"1 {n} 1"):
        yield "/transpose", "x-matrix-market", f"%%MatrixMarket matrix coordinate real general\n2 2 1\n{entry}\n".encode()
    for size in (f"{n} 2", f"2 {n}", f"{n} {n}"):
        yield "/transpose", "x-matrix-market", f"%%MatrixMarket matrix array real general\n{size}\n1\n2\n".encode()
    for shape in (n, f"{n},2", f"2,{n}", f"{n},{n}", f"{n},{n},{n},{n}"):
        yield f"/transpose?shape={shape}", "octet-stream", bytes(32)
        yield f"/matmul?a.shape={shape}&b.shape={shape}&dtype=float32", "octet-stream", bytes(32)
        yield f"/matrices/x?shape={shape}&dtype=float64", "octet-stream", bytes(32)


def both(n):
    """All requests with the number n: method, path, media type, body."""
    for path, document in documents(n):
        yield "POST", path, "application/json", json.dumps(document).encode()
    for path, media, body in bodies(n):
        yield "PUT" if path.startswith("/matrices") else "POST", path, f"application/{media}", body


def is_meant(path, body, n):
    """Is the number one that the request may have? An axis counts from the end, too, and seeds have 64 bits."""
    return (path == "/reduce" and n in (-1, -2)) or (b'"seed"' in body and 0 <= n < 2**63)


@case("--host-memory", "256M")
def numbers_beyond_all_bounds_are_refused_wherever_they_stand(d):
    before = at_rest(d)
    connection = http.client.HTTPConnection("127.0.0.1", d.port, timeout=300)
    for n in HUGE:
        for method, path, media, body in both(n):
            connection.request(method, path, body, {"Content-Type": media})
            r = connection.getresponse()
            text = r.read()
            if r.status == 200 and is_meant(path, body, n):
                continue
            assert r.status in (400, 413, 422), (path, media, body, r.status, text)
            p = json.loads(text)
            assert p["status"] == r.status and p["detail"] and p["type"].startswith("/problems/"), (path, body, p)
    connection.close()
    returns_to(d, before)


# --- memory

def peak(pid, over, found):
    while not over.wait(0.005):
        found.append(resident(pid)["VmRSS"])


@contextlib.contextmanager
def watched(d):
    """Looks at what of the front's memory is resident until the block ends; gives the list of what it saw."""
    over, found = threading.Event(), []
    thread = threading.Thread(target=peak, args=(d.process.pid, over, found))
    thread.start()
    try:
        yield found
    finally:
        over.set()
        thread.join()


def all_of(d, requests):
    """Sends all requests at the same time; returns the statuses of the answers. Without a body the request is DELETE."""
    statuses = []

    def ask(path, media, body, more):
        connection = http.client.HTTPConnection("127.0.0.1", d.port, timeout=300)
        try:
            method = "DELETE" if body is None else "PUT" if path.startswith("/matrices") else "POST"
            connection.request(method, path, body, {"Content-Type": media, **more} if media else more)
            r = connection.getresponse()
            r.read()
            statuses.append(r.status)
        except ConnectionError:
            statuses.append("cut")          # refused while the client was still sending
        finally:
            connection.close()
    threads = [threading.Thread(target=ask, args=r) for r in requests]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return statuses


def saved(a, save=np.save):
    file = io.BytesIO()
    save(file, a) if save is np.save else save(file, a=a)
    return file.getvalue()


BUDGET = 256 * MIB


def churn(d, seed):
    """Stores matrices of a fifth to nearly half of the budget, each of another size, and deletes them."""
    r, at = random.Random(seed), f"/matrices/m{seed}"
    for _ in range(6):
        n = int(BUDGET * r.uniform(0.2, 0.45)) // 8
        made = json.dumps({"matrix": {"generate": "zeros", "shape": [n]}}).encode()
        put = r.choice([(at, "application/json", made, {}),
                        (f"{at}?shape={n}&dtype=float64", "application/octet-stream", bytes(8 * n), {})])
        assert all_of(d, [put])[0] in (201, 503, "cut")
        assert all_of(d, [(at, None, None, {})])[0] in (204, 404)


@case("--host-memory", str(BUDGET))
def the_front_takes_no_more_memory_than_it_may(d):
    """Many large uploads in all formats, of which not all fit, and stored matrices that come and go."""
    n = 1200
    a = np.random.default_rng(1).random((n, n))
    rows = b'{"a":[' + b",".join([b"[" + b",".join([b"1.5"] * n) + b"]"] * n) + b"]}"
    form = (b'--cut\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/x-npy\r\n\r\n' + saved(a) +
            b"\r\n--cut--\r\n")
    requests = [
        ("/transpose", "application/x-npy", saved(a), {}),
        ("/transpose", "application/x-npy", saved(np.ones((n, n), "i1")), {}),
        ("/transpose", "application/json", rows, {}),
        ("/transpose", "application/json", rows, {"Accept": "application/x-npz"}),
        ("/transpose", "application/json", gzip.compress(rows, 1), {"Content-Encoding": "gzip", "Accept-Encoding": "gzip"}),
        ("/transpose", "application/x-npz", saved(a, np.savez), {}),
        ("/transpose", "application/x-npz", saved(np.zeros((n, n)), np.savez_compressed), {}),
        ("/transpose", "multipart/form-data; boundary=cut", form, {}),
    ]
    before = at_rest(d)
    churns = [threading.Thread(target=churn, args=(d, i)) for i in range(6)]
    with watched(d) as found:
        statuses = all_of(d, requests)
        for t in churns:
            t.start()
        for t in churns:
            t.join()
    assert set(statuses) <= {200, 503, "cut"}, statuses
    assert max(found) <= 1.1 * BUDGET, f"{max(found) / BUDGET:.3f} of the budget"
    print(f"       at most {max(found) / BUDGET:.3f} of the budget was resident, of {len(found)} looks")
    returns_to(d, before)


def members(name, data, times):
    """A zip archive whose directory names the same member many times over."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as z:
        for i in range(times):
            z.writestr(f"{name}{i}.npy" if times > 1 else f"{name}.npy", data)
    return file.getvalue()


@case("--host-memory", "64M", "--max-body", "32M")
def bodies_that_unfold_beyond_the_limits_are_refused(d):
    zeros = npy_head("(1000, 1000, 100)") + bytes(100_000_000)
    blank, number = b" " * 100_000_000, b'{"a":[' + b"1," * 50_000_000 + b"1]}"
    bombs = [
        ("/transpose", "application/json", gzip.compress(blank + b'{"a":[[1]]}'), {"Content-Encoding": "gzip"}),
        ("/transpose", "application/json", gzip.compress(number), {"Content-Encoding": "gzip"}),
        ("/transpose", "application/x-npy", gzip.compress(zeros), {"Content-Encoding": "gzip"}),
        ("/matrices/x", "application/x-npy", gzip.compress(zeros), {"Content-Encoding": "gzip"}),
        ("/transpose", "application/x-npz", members("a", zeros, 1), {}),
        ("/matmul", "application/x-npz", members("a", zeros[:1000] + bytes(1000), 2), {}),
    ]
    with subprocess.Popen(["zstd", "-19", "-c"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as p:
        bombs.append(("/transpose", "application/json", p.communicate(blank + b'{"a":[[1]]}')[0], {"Content-Encoding": "zstd"}))
    before = at_rest(d)
    with watched(d) as found:
        for bomb in bombs:
            assert len(bomb[2]) < 5 * MIB, bomb[:2]
            statuses = all_of(d, [bomb] * 4)
            assert set(statuses) <= {400, 413, 503, "cut"}, (bomb[:2], statuses)
    assert max(found) <= 80 * MIB, max(found)
    returns_to(d, before)
