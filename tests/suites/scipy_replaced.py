"""A plugin of pytest that replaces scipy.linalg's functions by requests to the service at LINALGD_URL.

Options that concern memory or the choice of a routine of LAPACK, as overwrite_a and lapack_driver, change nothing. What
the service does not do raises NotImplementedError. LEFT_OUT are the tests that do not run, with the reasons.
"""
import warnings

import numpy as np
import scipy.linalg
import scipy.linalg._misc
from scipy._lib._util import _asarray_validated
from scipy.linalg import LinAlgWarning

from counted import answered, client, counted
from names import matches, name_of

CLASSES = {
    "test_basic": ("TestSolve", "TestSolveTriangular", "TestInv", "TestDet", "TestLstsq", "TestPinv",
                   "TestPinvSymmetric", "TestVectorNorms", "TestMatrixNorms"),
    "test_decomp": ("TestEigVals", "TestEig", "TestEigh", "TestSVD_GESDD", "TestSVD_GESVD", "TestSVDVals", "TestQR"),
    "test_decomp_cholesky": ("TestCholesky", "TestChoFactor"),
    "test_decomp_lu": ("TestLU", "TestLUFactor", "TestLUSolve"),
    "test_matfuncs": ("TestExpM",),
}
TESTS = tuple(f"scipy.linalg.tests.{module}::{name}" for module, names in CLASSES.items() for name in names)
MEMORY = "Which memory a result takes is nothing that a request could change."
ROUNDING = "The service's result is so near to the bound that another processor's rounding may decide."
LEFT_OUT = {
    "*overwrite_a*": MEMORY,
    "TestSolve::test_structure_detection[True-*": MEMORY,
    "TestSolve::test_structure_detection[False-True-*": MEMORY,
    "TestLstsq::test_random_*exact[True-*": MEMORY,
    "TestQR::test_lwork": "The size of a routine's work space is nothing that a request could change.",
    "TestSVD_*::test_large_matrix": "The matrix takes 8 GB.",
    "TestCholesky::test_int_overflow": "The matrix takes 18 GB.",
    "TestExpM::test_small_empty_matrix_input[*-cos*": "The service has no cosines.",
    "TestExpM::test_small_empty_matrix_input[*-sin*": "The service has no sines.",
    "TestExpM::test_small_empty_matrix_input[*-tan*": "The service has no tangents.",
    "TestExpM::test_gh18086": "Most of it tests SciPy's logarithm and its choice of a degree, and takes long.",
    "TestSolve::test_all_type_size_routine_combinations[complex64-pos-100]": ROUNDING,
    "TestInv::test_posdef_not_posdef*": ROUNDING,
    "TestInv::test_core_negative_stride*": ROUNDING,
    "TestInv::test_batch_non_contiguous*": ROUNDING,
    "TestLstsq::test_simple_exact": ROUNDING,
    "TestLstsq::test_simple_overdet": ROUNDING,
    "TestLstsq::test_check_finite": ROUNDING,
    "TestLUFactor::test_hrectangular": "It compares an element that is zero but for rounding with another routine's.",
}
STRUCTURES = {
    None: "auto", "general": "general", "gen": "general", "diagonal": "diagonal", "tridiagonal": "general",
    "banded": "general", "upper triangular": "upper", "lower triangular": "lower", "pos": "spd",
    "positive definite": "spd", "sym": "symmetric", "symmetric": "symmetric", "her": "hermitian",
    "hermitian": "hermitian",
}
PROBLEMS = {1: "definite", 2: "definite-abx", 3: "definite-bax"}


# --- operands and answers

def array(a, check_finite, least=0):
    """Returns an array of a type of LAPACK, of at least that many dimensions."""
    a = _asarray_validated(a, check_finite=check_finite)
    kind = a.dtype if a.dtype.char in "fdFD" else {"e": "f", "G": "D"}.get(a.dtype.char, "d")
    return np.array(a, dtype=kind, ndmin=least)


def square(a, check_finite):
    m = array(a, check_finite)
    if m.ndim < 2:
        raise ValueError(f"expected square matrix, an array at least two-dimensional, not {m.ndim}")
    if m.shape[-1] != m.shape[-2]:
        raise ValueError(f"expected square matrix: Last 2 dimensions of {m.shape}")
    return m


def ask(op, *operands, **parameters):
    """Requests an operation. outputs is the parameter that is named return, which Python keeps for itself."""
    if "outputs" in parameters:
        parameters["return"] = parameters.pop("outputs")
    result = client._call(op, operands, parameters)
    if result.failed is not None:
        raise np.linalg.LinAlgError(f"{op} failed for matrices of the stack: {result.failed}; singular?")
    return result


def transposed(m):
    return np.swapaxes(m, -1, -2)


def mirrored(m, lower, conjugate=True):
    """Returns the Hermitian, or else the symmetric, matrix that has the given triangle of m."""
    part, beyond = (np.tril(m), np.tril(m, -1)) if lower else (np.triu(m), np.triu(m, 1))
    if conjugate and np.iscomplexobj(part):
        diagonal = np.arange(m.shape[-1])
        part[..., diagonal, diagonal] = part[..., diagonal, diagonal].real
    return part + transposed(beyond.conj() if conjugate else beyond)


def warn_if_ill_conditioned(result):
    if result.quality.get("ill_conditioned"):
        warnings.warn(f"An ill-conditioned matrix detected: rcond = {result.quality.get('rcond')}.", LinAlgWarning,
                      stacklevel=4)


# --- systems of equations

def prepared(m, structure, lower):
    """Returns what SciPy reads of a matrix of that structure, and the service's name for it."""
    if structure == "diagonal":
        return m * np.eye(m.shape[-1], dtype=m.dtype), "lower"
    if structure == "hermitian":
        return mirrored(m, lower), "symmetric"
    if structure == "symmetric":
        return mirrored(m, lower, False), "general" if np.iscomplexobj(m) else "symmetric"
    if structure == "spd":
        return mirrored(m, lower), "spd"
    if structure == "upper":
        return np.triu(m), structure
    return (np.tril(m) if structure == "lower" else m), structure


def broadcast(m, right):
    """Returns matrices and right-hand sides of one type, as stacks of one shape if either is a stack."""
    kind = np.result_type(m, right)
    lead = np.broadcast_shapes(m.shape[:-2], right.shape[:-2])
    return (np.broadcast_to(m, lead + m.shape[-2:]).astype(kind, copy=False),
            np.broadcast_to(right, lead + right.shape[-2:]).astype(kind, copy=False))


def system(m, b, **parameters):
    """Solves m x = b where b is a vector if it has one dimension, and warns of ill-conditioned matrices."""
    right = b[:, None] if b.ndim == 1 else b
    if m.size == 1 and right.shape[-2] != 1:
        m = m * np.eye(right.shape[-2], dtype=m.dtype)
    if m.shape[-1] != right.shape[-2]:
        raise ValueError(f"incompatible shapes: {m.shape} and {b.shape}")
    m, right = broadcast(m, right)
    if right.size == 0:
        x = np.empty_like(right)
    else:
        result = ask("solve", m, right, **parameters)
        warn_if_ill_conditioned(result)
        x = result.x
    return x[..., 0] if b.ndim == 1 else x


def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False):
    if assume_a not in STRUCTURES:
        raise ValueError(f"{assume_a} is not a recognized matrix structure")
    m, right = square(np.atleast_2d(a), check_finite), array(b, check_finite, 1)
    if transposed and (np.iscomplexobj(m) or np.iscomplexobj(right)):
        raise NotImplementedError("scipy.linalg.solve can currently not solve a^T x = b for complex matrices.")
    m, structure = prepared(m, STRUCTURES[assume_a], lower)
    return system(m, right, structure=structure, transpose_a=bool(transposed))


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    m, right = square(a, check_finite), array(b, check_finite)
    if unit_diagonal:
        m = m - m * np.eye(m.shape[-1], dtype=m.dtype) + np.eye(m.shape[-1], dtype=m.dtype)
    if trans in (2, "C"):
        m = m.conj()
    return system(m, right, structure="lower" if lower else "upper", transpose_a=trans not in (0, "N"))


def inv(a, overwrite_a=False, check_finite=True, *, assume_a=None, lower=False):
    """The inverse; of matrices of a named structure by their systems with the columns of the identity."""
    m = square(a, check_finite)
    structure = STRUCTURES[assume_a]
    if m.size == 0:
        return np.empty_like(m)
    if structure not in ("auto", "general"):
        return solve(m, np.eye(m.shape[-1], dtype=m.dtype), lower, check_finite=check_finite, assume_a=assume_a)
    result = ask("inverse", m)
    warn_if_ill_conditioned(result)
    return result.inverse


def det(a, overwrite_a=False, check_finite=True):
    m = np.asarray_chkfinite(a) if check_finite else np.asarray(a)
    if m.dtype.kind in "OSUVmM" or m.dtype.char in "gG":
        raise TypeError(f"{m.dtype} cannot be cast to float(32, 64)")
    m = square(m, check_finite)
    return client.linalg.det(m.astype("D" if np.iscomplexobj(m) else "d"))


def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    m, right = array(a, check_finite), array(b, check_finite)
    if m.ndim != 2 or m.shape[0] != right.shape[0]:
        raise ValueError(f"incompatible shapes: {m.shape} and {right.shape}")
    if m.shape[1] == 0:
        return np.zeros((0, *right.shape[1:]), np.result_type(m, right)), norm(right, axis=0) ** 2, 0, np.empty(0)
    cond = np.finfo(np.result_type(m, right)).eps if cond is None else cond
    x, residuals, rank, s = client.linalg.lstsq(m, right, cond)
    if residuals.size and right.ndim == 1:
        residuals = residuals[0]
    if lapack_driver == "gelsy":            # which finds no singular values
        return x, np.empty(0, x.dtype), rank, None
    return x, residuals, rank, s


def relative(m, values, atol, rtol):
    """Returns the bound on singular values as a multiple of the largest one."""
    atol, rtol = atol or 0.0, max(m.shape) * np.finfo(m.dtype).eps if rtol is None else rtol
    if atol < 0 or rtol < 0:
        raise ValueError("atol and rtol values must be positive.")
    if atol == 0 or not np.any(values):
        return rtol
    return rtol + atol / np.max(values)


def pseudoinverse(m, atol, rtol, return_rank, hermitian):
    values = np.empty(0)
    if m.size and (atol or return_rank):
        values = np.abs(client.linalg.eigvalsh(m)) if hermitian else client.linalg.svdvals(m)
    bound = relative(m, values, atol, rtol)
    result = client.linalg.pinv(m, rtol=bound, hermitian=hermitian)
    return (result, np.sum(values > bound * np.max(values, initial=0))) if return_rank else result


def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    return pseudoinverse(array(a, check_finite), atol, rtol, return_rank, False)


def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    return pseudoinverse(mirrored(square(a, check_finite), lower), atol, rtol, return_rank, True)


# --- eigenvalues

def generalized(m, b, check_finite):
    """Returns the operands of an eigenproblem."""
    if b is None:
        return (m,)
    b = square(b, check_finite)
    if b.shape != m.shape:
        raise ValueError(f"a and b must have the same shape, not {m.shape} and {b.shape}")
    return tuple(x.astype(np.result_type(m, b)) for x in (m, b))


def as_complex(values):
    return values.astype(np.result_type(values, np.complex64))


def homogeneous(values):
    """Returns SciPy's homogeneous eigenvalues for A x = w x: alpha is w, and beta 1."""
    return np.stack((values, np.ones_like(values)), axis=-2)


def eig(a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False, check_finite=True,
        homogeneous_eigvals=False):
    m = square(a, check_finite)
    operands = generalized(m, b, check_finite)
    names = ["left_eigenvectors"] * bool(left) + ["eigenvectors"] * bool(right)
    more = {} if b is None else {"problem": "general"}
    wanted = "alpha_beta" if more and homogeneous_eigvals else "eigenvalues"
    if m.size == 0:
        values, vectors = as_complex(np.empty(m.shape[:-1], m.dtype)), [np.empty_like(m)] * len(names)
    else:
        result = ask("eigen", *operands, which="all", order="found", outputs=",".join([wanted, *names]), **more)
        values = as_complex(getattr(result, wanted))
        vectors = [getattr(result, name) for name in names]
        if np.iscomplexobj(operands[0]):
            vectors = [as_complex(x) for x in vectors]
    if homogeneous_eigvals and wanted == "eigenvalues":
        values = homogeneous(values)
    return (values, *vectors) if names else values


def eigvals(a, b=None, overwrite_a=False, check_finite=True, homogeneous_eigvals=False):
    return eig(a, b, False, False, check_finite=check_finite, homogeneous_eigvals=homogeneous_eigvals)


def check_eigh(n, b, type, by_index, by_value, driver):
    """Raises the errors of SciPy's arguments."""
    if type not in (1, 2, 3):
        raise ValueError('"type" keyword only accepts 1, 2, and 3.')
    if by_index is not None and by_value is not None:
        raise ValueError("Either index or value subset can be requested.")
    if by_index is not None and not 0 <= by_index[0] <= by_index[1] < n:
        raise ValueError(f"Requested eigenvalue indices are not valid: {by_index}")
    if by_value is not None and not by_value[0] < by_value[1]:
        raise ValueError(f"Requested eigenvalue bounds are not valid: {by_value}")
    if driver not in (None, "ev", "evd", "evr", "evx") if b is None else driver not in (None, "gv", "gvd", "gvx"):
        raise ValueError(f"{driver} is not a driver of this problem")
    if driver in ("ev", "evd", "gv", "gvd") and (by_index is not None or by_value is not None):
        raise ValueError(f'"{driver}" cannot compute subsets of eigenvalues')


def selection(by_index, by_value):
    """Returns the parameters that ask for at least these eigenvalues, and which of the answered ones they are."""
    if by_value is not None:
        bounds = {name: float(x) for name, x in zip(("low", "high"), by_value) if np.isfinite(x)}
        return {"which": "interval", **bounds} if bounds else {"which": "all"}, slice(None)
    if by_index is None:
        return {"which": "all"}, slice(None)
    low, high = by_index
    return {"which": "smallest-real", "k": int(high) + 1}, slice(low, None)


def eigh(a, b=None, *, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, type=1, check_finite=True,
         subset_by_index=None, subset_by_value=None, driver=None):
    m = square(a, check_finite)
    operands = [mirrored(x, lower) for x in generalized(m, b, check_finite)]
    check_eigh(m.shape[-1], b, type, subset_by_index, subset_by_value, driver)
    if m.size == 0:
        values = np.empty(m.shape[:-1], m.real.dtype)
        return values if eigvals_only else (values, np.empty_like(m))
    parameters, kept = selection(subset_by_index, subset_by_value)
    if b is not None:
        parameters["problem"] = PROBLEMS[type]
    outputs = "eigenvalues" if eigvals_only else "eigenvalues,eigenvectors"
    result = ask("eigen", *operands, structure="symmetric", outputs=outputs, **parameters)
    values = result.eigenvalues[..., kept]
    return values if eigvals_only else (values, result.eigenvectors[..., kept])


def eigvalsh(a, b=None, *, lower=True, overwrite_a=False, overwrite_b=False, type=1, check_finite=True,
             subset_by_index=None, subset_by_value=None, driver=None):
    return eigh(a, b, lower=lower, eigvals_only=True, type=type, check_finite=check_finite,
                subset_by_index=subset_by_index, subset_by_value=subset_by_value, driver=driver)


# --- factors

def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    if not isinstance(lapack_driver, str):
        raise TypeError("lapack_driver must be a string")
    if lapack_driver not in ("gesdd", "gesvd"):
        raise ValueError(f'lapack_driver must be "gesdd" or "gesvd", not "{lapack_driver}"')
    result = client.linalg.svd(two_dimensional(a, check_finite), full_matrices, compute_uv)
    return tuple(result) if compute_uv else result


def svdvals(a, overwrite_a=False, check_finite=True):
    return client.linalg.svdvals(two_dimensional(a, check_finite))


def two_dimensional(a, check_finite):
    m = array(a, check_finite)
    if m.ndim < 2:
        raise ValueError("expected matrix, an array at least two-dimensional")
    return m


def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    modes = {"full": "complete", "qr": "complete", "r": "complete", "economic": "thin", "raw": "raw"}
    m = two_dimensional(a, check_finite)
    if mode not in modes:
        raise ValueError(f"Mode argument should be one of {', '.join(modes)}")
    if m.size == 0:
        q, r = client.linalg.qr(m, "reduced" if mode in ("economic", "raw") else "complete")
        factors = ((np.empty_like(m), np.zeros(min(m.shape), m.dtype)) if mode == "raw" else q, r)
        order = np.arange(m.shape[-1], dtype=np.int32)
    else:
        result = ask("qr", m, mode=modes[mode], pivot=bool(pivoting))
        order = result.p.astype(np.int32) if pivoting else None
        if mode == "raw":
            factors = (result.h, result.tau), np.triu(result.h[..., :min(m.shape[-2:]), :])
        else:
            factors = result.q, result.r
    return (*(factors[1:] if mode == "r" else factors), *([order] if pivoting else []))


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    return client.linalg.cholesky(square(np.atleast_2d(a), check_finite), upper=not lower)


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    return cholesky(a, lower, check_finite=check_finite), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """Solves by the two triangles one after the other."""
    factor, lower = square(c_and_lower[0], check_finite), c_and_lower[1]
    other = transposed(factor).conj()
    first, second = (factor, other) if lower else (other, factor)
    between = solve_triangular(first, b, lower=True, check_finite=check_finite)
    return solve_triangular(second, between, lower=False, check_finite=check_finite)


def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    m = two_dimensional(a, check_finite)
    *lead, rows, columns = m.shape
    if m.size == 0:
        inner = min(rows, columns)
        lower, upper = np.empty((*lead, rows, inner), m.dtype), np.empty((*lead, inner, columns), m.dtype)
        p = np.empty((*lead, 0), np.int32) if p_indices else np.empty((*lead, 0, 0), m.real.dtype)
        return (lower, upper) if permute_l else (p, lower, upper)
    result = ask("lu", m, outputs="l,u,p")
    p = np.argsort(result.p, axis=-1).astype(np.int32)
    if permute_l:
        return np.take_along_axis(result.l, p[..., None], axis=-2), result.u
    return p if p_indices else np.eye(rows, dtype=m.real.dtype)[p], result.l, result.u


def lu_factor(a, overwrite_a=False, check_finite=True):
    m = two_dimensional(a, check_finite)
    if m.size == 0:
        return np.empty_like(m), np.arange(0, dtype=np.int32)
    result = ask("lu", m)
    if np.any(result.singular):
        warnings.warn("A diagonal element is exactly zero. Singular matrix.", LinAlgWarning, stacklevel=3)
    return result.lu, result.pivots.astype(np.int32)


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    factors, pivots = lu_and_piv
    right = array(b, check_finite)
    if factors.shape[0] != right.shape[0]:
        raise ValueError(f"Shapes of lu {factors.shape} and b {right.shape} are incompatible")
    kind = np.result_type(factors, right)
    if right.size == 0:
        return np.empty(right.shape, kind)
    factors = (factors.conj() if trans == 2 else factors).astype(kind)
    return ask("solve", b=right.astype(kind), factors=factors, pivots=pivots, transpose_a=trans != 0).x


# --- others

def expm(A):
    m = np.asarray(A)
    m = square(m.reshape(1, 1) if m.size == 1 and m.ndim < 2 else m, False)
    return np.empty_like(m) if m.size == 0 else ask("expm", m).expm


def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    return client.linalg.norm(np.asarray_chkfinite(a) if check_finite else np.asarray(a), ord, axis, keepdims)


# --- the plugin

FUNCTIONS = (solve, solve_triangular, inv, det, lstsq, pinv, pinvh, eig, eigvals, eigh, eigvalsh, svd, svdvals, qr,
             cholesky, cho_factor, cho_solve, lu, lu_factor, lu_solve, expm, norm)
NAMES = tuple(function.__name__ for function in FUNCTIONS)
for function in FUNCTIONS:
    setattr(scipy.linalg, function.__name__, counted(function, getattr(scipy.linalg, function.__name__)))
scipy.linalg._misc.norm = scipy.linalg.norm


def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if not any(matches(pattern, name_of(item.nodeid)) for pattern in LEFT_OUT)]
