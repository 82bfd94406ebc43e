#!/usr/bin/env python3
"""cuda_peer.py - a peer of `linalgd bench --device gpu`: NVIDIA's own libraries, through torch and CuPy.

Operands lie on the device. PEER_RUN is timed by CUDA events around the call, and its results stay on the device.
PEER_WHOLE is timed by the host's clock, from before the call until all results lie in pinned memory of the host, which is
allocated beforehand. TF32 is off. A library that is not installed offers no calls.
"""
from time import perf_counter_ns

import numpy as np

from peer import serve, shortest

try:
    import torch
    if not torch.cuda.is_available():
        torch = None
except ImportError:
    torch = None
try:
    import cupy
    import cupyx.scipy.sparse
    from cupy._core._dtype import to_cuda_dtype
    from cupy_backends.cuda.libs import cusparse as library
    from cupyx import cusparse
    cupy.cuda.runtime.getDeviceCount()
except Exception:                   # CuPy has an error of its own for each way of lacking a driver
    cupy = None


def whole_timed(function, wait, pinned, copy):
    """Times calls including the copy to pinned memory. The first call allocates it, and counts only if it is long."""
    host = []

    def once():
        wait()
        begin = perf_counter_ns()
        results = list(function())
        while len(host) < len(results):
            host.append(pinned(results[len(host)]))
        for to, x in zip(host, results):
            copy(to, x)
        wait()
        return perf_counter_ns() - begin

    return lambda times: shortest(times, once)


def torch_timed(function):
    last = [None]

    def once():
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        begin.record()
        last[0] = function()
        end.record()
        torch.cuda.synchronize()
        return begin.elapsed_time(end) * 1e6

    whole = whole_timed(function, torch.cuda.synchronize, lambda x: torch.empty_like(x, device="cpu", pin_memory=True),
                        lambda to, x: to.copy_(x, non_blocking=True))
    return lambda times: shortest(times, once), lambda: [x.cpu().numpy() for x in last[0]], whole


def cupy_timed(function):
    last = [None]

    def once():
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        cupy.cuda.Device().synchronize()
        begin.record()
        last[0] = function()
        end.record()
        end.synchronize()
        return cupy.cuda.get_elapsed_time(begin, end) * 1e6

    whole = whole_timed(function, lambda: cupy.cuda.Device().synchronize(),
                        lambda x: cupyx.empty_pinned(x.shape, x.dtype), lambda to, x: x.get(out=to))
    return lambda times: shortest(times, once), lambda: [cupy.asnumpy(x) for x in last[0]], whole


def to_torch(a):
    return torch.from_numpy(a.copy()).cuda()


def product(a, b):
    c = torch.empty(*a.shape[:-1], b.shape[-1], dtype=a.dtype, device=a.device)
    return torch_timed(lambda: [torch.matmul(a, b, out=c)])


def gemm(r):
    return product(to_torch(r.array(r.m, r.k)), to_torch(r.array(r.k, r.n)))


def gemm_c(r):
    parts = np.result_type(r.dtype, "c8")
    return product(to_torch(r.array(r.m, r.k, dtype=parts)), to_torch(r.array(r.k, r.n, dtype=parts)))


def gemm_tn(r):
    return product(to_torch(r.array(r.k, r.m)).t(), to_torch(r.array(r.k, r.n)))


def gemm_nt(r):
    return product(to_torch(r.array(r.m, r.k)), to_torch(r.array(r.n, r.k)).t())


def gemm_tt(r):
    return product(to_torch(r.array(r.k, r.m)).t(), to_torch(r.array(r.n, r.k)).t())


def gemm_stack(r):
    return product(to_torch(r.array(r.m, r.n, r.n)), to_torch(r.array(r.m, r.n, r.n)))


def gemm_tf32(r):
    """As gemm, with factors rounded to TF32."""
    run, results, whole = gemm(r)

    def with_tf32(call):
        def run_with_tf32(times):
            torch.backends.cuda.matmul.allow_tf32 = True
            try:
                return call(times)
            finally:
                torch.backends.cuda.matmul.allow_tf32 = False
        return run_with_tf32

    return with_tf32(run), results, with_tf32(whole)


def gemv(r):
    a, x = to_torch(r.array(r.m, r.k)), to_torch(r.array(r.k))
    y = torch.empty(r.m, dtype=a.dtype, device=a.device)
    return torch_timed(lambda: [torch.mv(a, x, out=y)])


def factors(a):
    """lu_factor of a matrix or a stack; pivots counted from 0, of 64 bits."""
    run, results, whole = torch_timed(lambda: torch.linalg.lu_factor(a))

    def counted_from_0():
        lu, pivots = results()
        return [lu, pivots.astype("i8") - 1]

    return run, counted_from_0, whole


def getrf(r):
    return factors(to_torch(r.array(r.m, r.n)))


def getrf_stack(r):
    return factors(to_torch(r.array(r.k, r.m, r.n)))


def gesv(r):
    a, b = to_torch(r.array(r.m, r.m)), to_torch(r.array(r.m, r.n))
    return torch_timed(lambda: [torch.linalg.solve(a, b)])


def of_matrix(function):
    """A call that takes one m x n matrix."""
    def load(r):
        a = to_torch(r.array(r.m, r.n))
        return torch_timed(lambda: [function(a)])
    return load


def of(function, *shapes):
    """A call that takes operands of these shapes, a letter per dimension, and returns its results in a list or tuple."""
    def load(r):
        operands = [to_torch(r.array(*(getattr(r, letter) for letter in shape))) for shape in shapes]
        return torch_timed(lambda: function(*operands))
    return load


def decompositions():
    """What torch.linalg offers of the dense family; most of it is cuSOLVER's."""
    linalg = torch.linalg

    def thin(a):
        return linalg.svd(a, full_matrices=False)

    return {
        "potrf": ("cuSOLVER", of(lambda a: [linalg.cholesky(a)], "mm")),
        "potrf_stack": ("cuSOLVER, batched", of(lambda a: [linalg.cholesky(a)], "kmm")),
        "getri": ("cuSOLVER", of(lambda a: [linalg.inv(a)], "mm")),
        "det": ("cuSOLVER", of(linalg.slogdet, "mm")),
        "geqrf": ("cuSOLVER", of(linalg.qr, "mn")),
        "geqrf_stack": ("torch, batched", of(linalg.qr, "kmn")),
        "gesdd": ("cuSOLVER", of(thin, "mn")),
        "gesdd_n": ("cuSOLVER", of(lambda a: [linalg.svdvals(a)], "mn")),
        "gesdd_stack": ("torch, batched", of(thin, "kmn")),
        "gels": ("cuSOLVER, gels", of(lambda a, b: [linalg.lstsq(a, b).solution], "mn", "mk")),
        "syevd": ("cuSOLVER", of(linalg.eigh, "mm")),
        "syevd_n": ("cuSOLVER", of(lambda a: [linalg.eigvalsh(a)], "mm")),
        "syevd_stack": ("torch, batched", of(linalg.eigh, "kmm")),
        "geev": ("torch", of(linalg.eig, "mm")),
        "geev_n": ("torch", of(lambda a: [linalg.eigvals(a)], "mm")),
        "pinv": ("torch", of(lambda a: [linalg.pinv(a)], "mn")),
        "norm_1": ("torch", of(lambda a: [linalg.matrix_norm(a, 1)], "mn")),
        "norm_2": ("torch", of(lambda a: [linalg.matrix_norm(a, 2)], "mn")),
        "gecon": ("torch, exact", of(lambda a: [1 / linalg.cond(a, 1)], "mm")),
        "cond_2": ("torch", of(lambda a: [linalg.cond(a, 2)], "mm")),
        "kron": ("torch", of(lambda a, b: [torch.kron(a, b)], "mm", "nn")),
        "expm": ("torch", of(lambda a: [linalg.matrix_exp(a)], "mm")),
    }


def spmv_by(a, x, y, algorithm):
    """cusparseSpMV with all that it needs made beforehand."""
    one, zero = np.array(1, a.dtype), np.array(0, a.dtype)
    kept = [one, zero, cusparse.SpMatDescriptor.create(a), cusparse.DnVecDescriptor.create(x),
            cusparse.DnVecDescriptor.create(y)]
    call = (cupy.cuda.device.get_cusparse_handle(), library.CUSPARSE_OPERATION_NON_TRANSPOSE, one.ctypes.data,
            kept[2].desc, kept[3].desc, zero.ctypes.data, kept[4].desc, to_cuda_dtype(a.dtype), algorithm)
    kept.append(cupy.empty(max(library.spMV_bufferSize(*call), 1), cupy.int8))

    def once():
        library.spMV(*call, kept[-1].data.ptr)
        return [y]

    return once


def spmv(r):
    """Multiplies by the faster of the two algorithms for compressed rows."""
    values, columns, starts = (cupy.asarray(x) for x in r.sparse())
    a = cupyx.scipy.sparse.csr_matrix((values, columns, starts), shape=(r.m, r.m))
    x, y = cupy.asarray(r.array(r.m)), cupy.empty(r.m, r.dtype)
    ways = [cupy_timed(spmv_by(a, x, y, algorithm))
            for algorithm in (library.CUSPARSE_CSRMV_ALG1, library.CUSPARSE_CSRMV_ALG2)]
    return min(ways, key=lambda way: way[0](10))


def power(r, most=1000):
    """The dominant eigenpair to linalgd's default tolerances: a float64, and a vector of unit length."""
    a, tol = cupy.asarray(r.array(r.m, r.m)), 1e-5 if r.dtype == np.float32 else 1e-8

    def iterate():
        x = cupy.full(r.m, r.m ** -0.5, r.dtype)
        for _ in range(most):
            y = a @ x
            value = x @ y
            if float(cupy.linalg.norm(y - value * x)) <= tol * abs(float(value)):
                break
            x = y / cupy.linalg.norm(y)
        return value.astype("f8"), x

    return cupy_timed(iterate)


def lstsq(r):
    """The solution; the rank and the singular values are computed, too, as by NumPy."""
    a, b = cupy.asarray(r.array(r.m, r.n)), cupy.asarray(r.array(r.m, r.k))
    return cupy_timed(lambda: cupy.linalg.lstsq(a, b, rcond=None)[:1])


def offers():
    calls = {}
    if torch:
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        calls |= {
            "gemm": ("cuBLAS", gemm),
            "gemm_c": ("cuBLAS", gemm_c),
            "gemm_tn": ("cuBLAS", gemm_tn),
            "gemm_nt": ("cuBLAS", gemm_nt),
            "gemm_tt": ("cuBLAS", gemm_tt),
            "gemm_stack": ("cuBLAS, batched", gemm_stack),
            "gemm_tf32": ("cuBLAS, TF32", gemm_tf32),
            "gemv": ("cuBLAS", gemv),
            "getrf": ("cuSOLVER", getrf),
            "getrf_stack": ("cuBLAS, batched", getrf_stack),
            "gesv": ("cuSOLVER", gesv),
            "rowsums": ("torch", of_matrix(lambda a: a.sum(1))),
            "transpose": ("torch", of_matrix(lambda a: a.t().contiguous())),
            "sum": ("torch", of_matrix(torch.sum)),
            "max": ("torch", of_matrix(torch.max)),
            "norm2": ("torch", of_matrix(torch.linalg.vector_norm)),
        } | decompositions()
    if cupy:
        calls |= {"spmv": ("cuSPARSE", spmv), "power": ("CuPy, power iteration", power),
                  "gelsd": ("CuPy, lstsq", lstsq)}
    return calls


def title():
    parts = [f"torch {torch.__version__}, {torch.cuda.get_device_name()}"] if torch else ["no torch"]
    return ", ".join(parts + [f"CuPy {cupy.__version__}" if cupy else "no CuPy"])


serve(title()[:63], offers())
