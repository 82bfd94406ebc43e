"""case_functions.py - kron and functions of matrices, against NumPy."""
import io
import tempfile

import numpy as np

from client import case, curl

rng = np.random.default_rng(31)


def npz_of(d, path, **arrays):
    """Posts the arrays as an npz and returns the npz of the answer."""
    with tempfile.NamedTemporaryFile(suffix=".npz") as f:
        np.savez(f, **arrays)
        f.flush()
        r = curl(d, path, "--data-binary", f"@{f.name}", "-H", "Content-Type: application/x-npz",
                 "-H", "Accept: application/x-npz")
    assert r.status == 200, r.body
    return np.load(io.BytesIO(r.body))


@case()
def kron_is_numpys_for_matrices_and_vectors(d):
    for dtype in ("float32", "float64"):
        for m, n, p, q in ((2, 3, 4, 5), (1, 1, 1, 1), (7, 2, 3, 40), (40, 30, 20, 33)):
            a, b = rng.standard_normal((m, n)).astype(dtype), rng.standard_normal((p, q)).astype(dtype)
            c = npz_of(d, "/kron", a=a, b=b)["kron"]
            assert c.dtype == dtype and (c == np.kron(a, b)).all()
            c = npz_of(d, "/kron", a=a[0], b=b)["kron"]
            assert (c == np.kron(a[0], b)).all()
    a, b = rng.standard_normal((3, 1, 2, 4)), rng.standard_normal((5, 3, 2))
    c = npz_of(d, "/kron", a=a, b=b)["kron"]
    assert c.shape == (3, 5, 6, 8)
    assert all((c[i, k] == np.kron(a[i, 0], b[k])).all() for i in range(3) for k in range(5))
