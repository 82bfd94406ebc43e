# Made by stub.py from GET /ops.
from typing import Any, Callable, Literal, Optional, Sequence, Union

import numpy as np

from .body import Reference
from .jobs import AsyncJob, Job
from .result import Result
from .sheet import Sheet

Operand = Any
DType = Union[str, type, np.dtype[Any]]

def method(sheet: Sheet, op: str, call: Callable[..., Any]) -> Any: ...

class EigenResult(Result):
    eigenvalue: Any
    eigenvector: Any
    iterations: Any
    converged: Any
    bracket: Any
    tie: Any
    eigenvalues: Any
    eigenvectors: Any
    left_eigenvectors: Any
    alpha_beta: Any

class LuResult(Result):
    lu: Any
    pivots: Any
    singular: Any
    sign: Any
    p: Any
    l: Any
    u: Any

class SolveResult(Result):
    x: Any
    iterations: Any
    converged: Any
    history: Any

class MatmulResult(Result):
    c: Any

class KronResult(Result):
    kron: Any

class ReduceResult(Result):
    value: Any
    values: Any
    index: Any
    indices: Any

class NormResult(Result):
    norm: Any

class CondResult(Result):
    rcond: Any
    cond: Any

class ExpmResult(Result):
    expm: Any

class TransposeResult(Result):
    a: Any

class SpmvResult(Result):
    y: Any

class PermuteResult(Result):
    a: Any

class JacobiResult(Result):
    x: Any
    iterations: Any
    converged: Any

class CholeskyResult(Result):
    l: Any

class DetResult(Result):
    det: Any
    sign: Any
    logabsdet: Any

class InverseResult(Result):
    inverse: Any

class TraceResult(Result):
    trace: Any

class QrResult(Result):
    q: Any
    r: Any
    p: Any
    h: Any
    tau: Any

class SvdResult(Result):
    u: Any
    s: Any
    vh: Any

class LstsqResult(Result):
    x: Any
    rank: Any
    s: Any

class PinvResult(Result):
    pinv: Any

class Operations:
    def eigen(self, a: Optional[Operand] = ..., b: Optional[Operand] = ..., *,
            method: Optional[Literal["auto", "similarity", "power", "krylov", "lapack", "jacobi", "ql", "tridiagonal", "hessenberg"]] = ...,
            tol: Optional[float] = ..., max_iterations: Optional[int] = ..., allow_partial: Optional[bool] = ...,
            which: Optional[Literal["dominant", "all", "largest", "smallest", "largest-real", "smallest-real", "nearest", "interval"]] = ...,
            k: Optional[int] = ..., sigma: Optional[float] = ...,
            structure: Optional[Literal["auto", "symmetric", "general"]] = ...,
            problem: Optional[Literal["definite", "definite-abx", "definite-bax", "general"]] = ...,
            order: Optional[Literal["sorted", "found"]] = ..., low: Optional[float] = ..., high: Optional[float] = ...,
            devices: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> EigenResult:
        """The dominant eigenvalue and its eigenvector, or all or some eigenvalues and eigenvectors, of a square matrix or of every matrix of a stack.

        For a square matrix A of order n, eigen answers numbers λ and vectors x ≠ 0 with A x = λ x. With b the equation is A x = λ B x, A B x = λ x or B A x = λ x for a hermitian positive definite B, or β A x = α B x for any B, where λ = α / β. Left eigenvectors y satisfy yᴴA = λyᴴ or, with b, yᴴA = λyᴴB, yᴴAB = λyᴴ or yᴴBA = λyᴴ. The dominant eigenvalue is one of largest modulus. For a non-negative matrix and a positive vector x it lies between the least and the largest of (A x)_i / x_i, which is `bracket`. A dominant pair has converged when |A v - λ v| <= tol |λ| for the unit vector v, several eigenpairs when |A v - λ v| <= tol |A|.

        Operands:
            a: a square matrix, or a stack of them
            b: the matrix B of A x = λ B x and of the other problems of a pair, or a stack of them; it does not go with which=dominant (optional)

        Parameters:
            method: the method. For the dominant pair, auto takes the diagonal of a triangular matrix; similarity for a non-negative matrix, as long as its bracket closes fast; a full decomposition up to 512 rows, and where krylov does not converge; else krylov. Up to 512 rows, a full decomposition confirms what power and krylov find. For other eigenvalues auto takes lapack, on the host; for all eigenvalues of a stack of small symmetric matrices jacobi on CPUs and ql, which is Householder's reflections and the QL iteration, on other devices; and on a GPU, for one larger matrix, tridiagonal if it is symmetric, else hessenberg, which takes the host, too
            tol: the bound on |Av - λv| / |λ|, or on the relative width of the bracket; for several eigenvalues the bound on |Av - λv| / |A|. By default it is 1e-8, or 1e-5 for float32. Where |λ| is so small beside the norm of A that rounding errors alone exceed tol |λ|, a residual of their size counts as converged
            max_iterations: the largest number of matrix-vector products for the dominant pair. For several eigenvalues of a large sparse matrix, it is the largest number for each of them, and as many more confirm that none is missing
            allow_partial: answer 200 with the best estimate and converged false, instead of 422, when the dominant pair, or those of a large sparse matrix, do not converge
            which: the eigenvalues to answer: the dominant one, all, or the k of largest or smallest modulus, of largest or smallest real part, or nearest to sigma; or those of an interval, whose real parts are larger than low and at most high
            k: the number of eigenvalues to answer, by default 1; it does not go with which=dominant, all or interval
            sigma: the number to which the eigenvalues of which=nearest are nearest
            structure: the structure of a. With auto, a matrix counts as symmetric if it is exactly symmetric; with symmetric, it may differ from its transpose by rounding errors, and other matrices are refused; with general, no matrix counts as symmetric. It does not go with which=dominant
            problem: the problem with b. With definite it is A x = λ B x, with definite-abx A B x = λ x, and with definite-bax B A x = λ x, where b must be positive definite and, up to rounding errors, symmetric or hermitian; with general it is A x = λ B x for any b, solved by the QZ algorithm
            order: the order of the eigenvalues of a general matrix: sorted by descending modulus, or the order in which the algorithm finds them, which is LAPACK's
            low: the lower bound of which=interval, by default none
            high: the upper bound of which=interval, by default none
            devices: how many devices compute all eigenvalues of a real symmetric matrix together (which=all), each holding some of its columns; by default one

        Outputs:
            eigenvalue: the eigenvalue of largest modulus; of a complex conjugate pair, the one with the positive imaginary part
            eigenvector: its eigenvector, which has unit 2-norm and whose largest component is real and positive
            iterations: the number of matrix-vector products
            converged: true if tol was met
            bracket: a lower and an upper bound of the dominant eigenvalue of a non-negative matrix
            tie: true if other eigenvalues have the same modulus, else absent
            eigenvalues: the eigenvalues that `which` asks for, unless it is dominant
            eigenvectors: the columns are their eigenvectors, which have unit 2-norm and whose largest components are real and positive; with which=all only on request
            left_eigenvectors: the columns are their left eigenvectors y, for which yᴴA = λyᴴ or, with b, yᴴA = λyᴴB, yᴴAB = λyᴴ or yᴴBA = λyᴴ; they are scaled like eigenvectors (on request)
            alpha_beta: with problem=general, two rows: the numbers α, and the numbers β ≥ 0, of the eigenvalues λ = α / β (on request)
        """

    def lu(self, a: Operand, *, pivot: Optional[Literal["partial", "none"]] = ..., devices: Optional[int] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> LuResult:
        """LU factorization with partial pivoting, P A = L U, of rectangular matrices and stacks too.

        P A = L U for an m x n matrix A, where L is m x min(m,n) and unit lower triangular, U is min(m,n) x n and upper triangular, and P interchanges rows: in column k the row of the largest magnitude becomes the pivot's, so that |l_ij| <= 1. With pivot=none P is the identity. A is singular if U has an exact zero on its diagonal; the factors exist then, too.

        Operands:
            a: the matrix, of any shape, or a stack of them

        Parameters:
            pivot: swap rows so that every multiplier is at most 1 (partial), or never (none); where a zero pivot then leaves no L U = A, the answer is 422, kind zero-pivot
            devices: how many devices compute this together, each holding some columns of the matrix; by default several only if that is much faster, or if no device can hold the matrix

        Outputs:
            lu: U, and below it L without its unit diagonal
            pivots: row i was swapped with row pivots[i], in order
            singular: has U a zero on its diagonal?
            sign: the sign of the determinant of a square matrix
            p: the permutation: A[p] = L U; SciPy's p_indices are its inverse (on request)
            l: L, m x min(m,n) (on request)
            u: U, min(m,n) x n (on request)
        """

    def solve(self, a: Optional[Operand] = ..., b: Optional[Operand] = ..., factors: Optional[Operand] = ...,
            pivots: Optional[Operand] = ..., *,
            structure: Optional[Literal["auto", "general", "symmetric", "spd", "lower", "upper"]] = ...,
            transpose_a: Optional[bool] = ...,
            method: Optional[Literal["auto", "direct", "jacobi", "cg", "minres", "gmres", "bicgstab"]] = ...,
            preconditioner: Optional[Literal["auto", "none", "jacobi", "ilu0", "ichol0"]] = ...,
            tol: Optional[float] = ..., atol: Optional[float] = ..., max_iterations: Optional[int] = ...,
            restart: Optional[int] = ..., allow_partial: Optional[bool] = ..., devices: Optional[int] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> SolveResult:
        """Systems of linear equations, A x = b, by LU factorization, with iterative refinement in higher precision while it improves the solution.

        A X = B, or Aᵀ X = B with transpose_a, for a square matrix A of order n and r right-hand sides. A is factored as P A = L U; as L Lᵀ for spd; by LDLᵀ for symmetric on CPUs; triangles need no factors. Then x is refined: r = b - A x is computed in higher precision, A d = r is solved with the same factors, and x + d takes the place of x as long as that makes the error smaller. With a sparse A an iteration multiplies by A and applies a preconditioner M: conjugate gradients (cg), MINRES, GMRES with restarts, BiCGStab, or Jacobi's method, until |b - A x| <= max(tol |b|, atol) in 2-norms. Once the method's recurrence says so, b - A x is computed from x; if that is larger, the method begins again from it, at most three times.

        Operands:
            a: the square matrix, dense or sparse, or a stack of dense ones (optional)
            b: the right-hand side: a vector, or a matrix with one right-hand side per column
            factors: the packed factors of a, in place of a, as lu answers them in `lu` (optional)
            pivots: the interchanges that belong to factors (optional)

        Parameters:
            structure: what is known of a. Systems with triangles (lower, upper) and with symmetric matrices, positive definite (spd) or not (symmetric), take fewer operations, and only one triangle of a is read. With auto, large triangles and spd matrices are recognized
            transpose_a: solve with the transpose of a
            method: whether a is factored (direct) or an iteration multiplies by it. cg is for symmetric positive definite matrices, minres for symmetric ones. auto factors dense matrices and small sparse ones; for others it takes cg if a is symmetric with a positive diagonal (and minres once a proves not to be positive definite), minres if a is symmetric, else gmres
            preconditioner: M, with which an iteration works on M^-1 A: the diagonal of a (jacobi), or incomplete factors with the pattern of a (ilu0; ichol0 of a symmetric a, whose diagonal is enlarged where pivots are not positive). auto takes ilu0 for gmres and bicgstab, jacobi for cg and minres, or none where these do not exist
            tol: an iteration ends when |b - A x| <= tol |b|, in 2-norms; by default 1e-8, or 1e-5 for float32
            atol: or when |b - A x| <= atol; by default 0
            max_iterations: the largest number of iterations for a right-hand side; by default ten times the rows of a, but at least 1000 and at most 10000
            restart: the iterations after which gmres begins again, which it has memory for; by default 30
            allow_partial: return 200 with the last x and converged false, instead of 422, when an iteration does not converge
            devices: how many devices compute this together, each holding some columns of the matrix; by default several only if that is much faster, or if no device can hold the matrix

        Outputs:
            x: the solution, with the shape of b
            iterations: the number of iterations, of each right-hand side; absent if a was factored
            converged: whether the bound on |b - A x| was met, for each right-hand side; absent if a was factored
            history: the relative residual before the first iteration and after each one, as the method's recurrence has it, for each right-hand side; absent if a was factored (on request)
        """

    def matmul(self, a: Operand, b: Operand, *, transpose_a: Optional[bool] = ..., transpose_b: Optional[bool] = ...,
            conjugate_a: Optional[bool] = ..., conjugate_b: Optional[bool] = ...,
            precision: Optional[Literal["full", "tf32", "fast"]] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> MatmulResult:
        """The product of two matrices, vectors or stacks, as NumPy's matmul.

        C = A B with c_ij = Σ_k a_ik b_kj for an m x k matrix A and a k x n matrix B, of their transposes with transpose_a and transpose_b. A vector on the left is a row, one on the right a column. Of stacks matching matrices are multiplied; leading dimensions are equal, or 1, which is repeated.

        Operands:
            a: the left matrix, a stack of them, or a row vector
            b: the right matrix, a stack of them, or a column vector

        Parameters:
            transpose_a: take a's transpose; a vector stays as it is
            transpose_b: take b's transpose; a vector stays as it is
            conjugate_a: take a's complex conjugate, with transpose_a the conjugate transpose; real elements stay as they are
            conjugate_b: take b's complex conjugate, with transpose_b the conjugate transpose; real elements stay as they are
            precision: with tf32 float32 elements may be rounded to 11 bits where that is faster; with fast large products of float64 may have larger errors, which error_bound tells

        Outputs:
            c: the product
        """

    def kron(self, a: Operand, b: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> KronResult:
        """The Kronecker product of two matrices, or of the matrices of two stacks in pairs.

        C = A ⊗ B for an m x n matrix A and a p x q matrix B: the m p x n q matrix of the blocks a_ij B, so that c_(i p + k)(j q + l) = a_ij b_kl.

        Operands:
            a: the left factor, m x n
            b: the right factor, p x q

        Outputs:
            kron: the blocks a_ij B, m p x n q
        """

    def reduce(self, a: Operand, *,
            op: Optional[Literal["sum", "prod", "min", "max", "mean", "norm1", "norm2", "norminf", "argmin", "argmax"]] = ...,
            axis: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> ReduceResult:
        """A sum, product, extremum, mean or norm of all elements or along an axis, with the same bits on every run and device.

        For the elements x_i that are reduced: sum Σ x_i, prod Π x_i, min and max, mean Σ x_i / n, norm1 Σ |x_i|, norm2 √(Σ x_i²), norminf max |x_i|, argmin and argmax the first i with the extreme element. NaN propagates. Sums and products are compensated and follow one tree whose shape depends on n alone, so that the same elements give the same bits on every device.

        Operands:
            a: the elements to reduce, of any shape

        Parameters:
            op: the reduction; for integers, sums, products and extremes are int64, and means and norms float64
            axis: the dimension to reduce, as in NumPy; negative values count from the end; by default all elements are reduced

        Outputs:
            value: the result for all elements
            values: the results along the axis
            index: the position in the flattened operand, counted from 0; among equal elements the first
            indices: the positions along the axis, counted from 0; among equal elements the first
        """

    def norm(self, a: Operand, *, ord: Optional[Union[Literal["fro", "nuc", "1", "2", "inf", "max"], float]] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> NormResult:
        """A norm of a matrix, or of every matrix of a stack.

        For an m x n matrix A with singular values s_i: fro √(Σ |a_ij|²), nuc Σ s_i, 1 max_j Σ_i |a_ij|, 2 max s_i, inf max_i Σ_j |a_ij|, max max |a_ij|. fro neither overflows nor underflows on the way.

        Operands:
            a: the matrix, of any shape, or a stack of them

        Parameters:
            ord: which norm

        Outputs:
            norm: the norm, of every matrix
        """

    def cond(self, a: Operand, *, ord: Optional[Union[Literal["1", "2", "inf", "fro"], float]] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> CondResult:
        """The condition number of a matrix, or of every matrix of a stack.

        cond(A) = |A| |A⁻¹| in the norm that ord names; for ord=2, and any shape, the ratio of the largest to the smallest singular value. Without ord rcond estimates 1 / (|A| |A⁻¹|) in the 1-norm from P A = L U: it maximizes |A⁻¹ x| for |x| = 1 by a few solutions with A and Aᵀ.

        Operands:
            a: the matrix, square unless ord is 2, or a stack of them

        Parameters:
            ord: the norm that cond is taken in; without it rcond is estimated

        Outputs:
            rcond: 1 / (|A| |A^-1|) in the 1-norm, estimated; without ord
            cond: the condition number; with ord
        """

    def expm(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> ExpmResult:
        """The exponential of a square matrix, or of every matrix of a stack.

        e^A = Σ A^k / k! for a square matrix A of order n, computed as (r(2^-s A))^(2^s), where r = (V - U)⁻¹ (V + U) is a Padé approximant of degree 3 to 13. Degree and s are chosen by the norms of A², A⁴ and A⁶, so that the backward error is below the unit roundoff. Where |A| is so large that s would cost digits, and balancing makes it smaller, e^A = D e^B D⁻¹ with B = D⁻¹ A D, D a diagonal of powers of two.

        Operands:
            a: the matrix, square, or a stack of them

        Outputs:
            expm: the exponential
        """

    def transpose(self, a: Operand, *, conjugate: Optional[bool] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> TransposeResult:
        """The transpose of a matrix or of every matrix of a stack.

        B = Aᵀ, b_ji = a_ij, for every matrix of a stack. A vector stays as it is, as in NumPy.

        Operands:
            a: the matrix, or a stack of matrices

        Parameters:
            conjugate: the conjugate transpose of a complex matrix; real elements stay as they are

        Outputs:
            a: the transpose of a
        """

    def spmv(self, a: Optional[Operand] = ..., x: Optional[Operand] = ..., y: Optional[Operand] = ..., *,
            accumulate: Optional[bool] = ..., repeat: Optional[int] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> SpmvResult:
        """A sparse matrix times a vector: y = A x, y += A x or y = A^k x.

        y = A x; y + A x with accumulate; A^k x with repeat=k. Only the entries that A stores are multiplied: y_i = Σ a_ij x_j over the stored j.

        Operands:
            a: the matrix; a dense one is converted to a sparse one
            x: the vector, or a matrix of one column
            y: the vector that the product is added to if accumulate is true (optional)

        Parameters:
            accumulate: add the product to operand y: y + A x
            repeat: number of times that A is applied: y = A^k x; A must then be square

        Outputs:
            y: the product
        """

    def permute(self, a: Operand, p: Operand, *, mode: Optional[Literal["row", "column", "symmetric"]] = ...,
            inverse: Optional[bool] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> PermuteResult:
        """A matrix with its rows, its columns or both in another order.

        For a permutation p of 0, 1, ... n - 1: rows b_ij = a_(p_i)j, columns b_ij = a_i(p_j), symmetric b_ij = a_(p_i)(p_j), which is P A Pᵀ. inverse takes p⁻¹ in place of p.

        Operands:
            a: the matrix, a stack of them, or a vector
            p: the permutation of 0, 1, ...: out[i] = a[p[i]]

        Parameters:
            mode: what is permuted: the rows, the columns, or both by the same permutation; mode has no effect on a vector
            inverse: apply the inverse permutation: out[p[i]] = a[i]

        Outputs:
            a: the permuted matrix
        """

    def jacobi(self, a: Operand, b: Operand, *, permutation: Optional[Literal["none", "row", "symmetric"]] = ...,
            precision: Optional[Literal["float32", "mixed", "float64"]] = ...,
            selection: Optional[Literal["row", "entry", "composite"]] = ...,
            swap: Optional[Literal["copy", "cast", "write-both", "hybrid"]] = ..., omega: Optional[float] = ...,
            tol: Optional[float] = ..., max_iterations: Optional[int] = ..., range: Optional[float] = ...,
            share: Optional[float] = ..., allow_partial: Optional[bool] = ..., detect_divergence: Optional[bool] = ...,
            schedule: Optional[Union[str, Sequence[float]]] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> JacobiResult:
        """A sparse system of linear equations, A x = b, by Jacobi's method.

        A x = b with A = D + E, where D is the diagonal: x ← x + ω D⁻¹ (b - E x - D x), from x = 0, until |b - A x| <= tol |b| in 2-norms. It converges if the spectral radius of I - ω D⁻¹ A is below 1, as for strictly diagonally dominant matrices with ω = 1. Entries of E may be multiplied in float32 as long as the residual is judged in float64.

        Operands:
            a: the square matrix, dense or sparse
            b: the right-hand side, a vector

        Parameters:
            permutation: whether the rows (row), or the rows and columns (symmetric), are reordered so that those multiplied in float32 come first, then those in float64, then those without off-diagonal elements; x is returned in the original order
            precision: the precision of the arithmetic; mixed multiplies selected entries in float32 and adds the products in float64. Convergence is always judged in float64
            selection: how entries are selected for float32 in mixed precision: by whole rows, by single entries, or by rows that are also reordered as permutation row does (composite)
            swap: how mixed precision updates x and its float32 copy: both are copied after an iteration (copy), x is converted at each use (cast), both are written by the iteration (write-both), or the float64 buffers are swapped and the float32 copy is made from them (hybrid)
            omega: the relaxation factor of an update
            tol: the bound on |b - A x| / |b|, in 2-norms; by default 1e-8, or 1e-5 for float32 and where no iteration is in float64
            max_iterations: the largest number of iterations; by default 1000, or as many as schedule names
            range: entries with a smaller modulus than this may be multiplied in float32; by default twice the mean modulus
            share: the fraction of a row's entries that must be below range for the row to be multiplied in float32
            allow_partial: return 200 with the last x and converged false, instead of 422, when max_iterations is reached or x overflows
            detect_divergence: stop with 422 when the residual is large and has grown over as many iterations as there are equations; if false, stop only when it is not finite
            schedule: the numbers of iterations in float32, mixed and float64, run in this order in place of precision, as in 100,100,50

        Outputs:
            x: the solution, with the shape of b
            iterations: the number of iterations
            converged: whether the bound tol was reached
        """

    def cholesky(self, a: Operand, *, devices: Optional[int] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> CholeskyResult:
        """The Cholesky factor of a symmetric positive definite matrix, A = L L^T.

        A = L Lᵀ for a symmetric positive definite matrix A of order n, with L lower triangular and l_ii > 0. Only the lower triangle of A is read.

        Operands:
            a: the symmetric positive definite matrix, or a stack of them

        Parameters:
            devices: how many devices compute this together, each holding some columns of the matrix; by default several only if that is much faster, or if no device can hold the matrix

        Outputs:
            l: L: lower triangular, with a positive diagonal
        """

    def det(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> DetResult:
        """The determinant of a square matrix, with its sign and logarithm, by LU.

        det A = sign(P) Π u_ii from P A = L U. The product is kept as a fraction and an exponent of 2, so that sign and logabsdet = Σ log |u_ii| are right where det overflows or underflows. Where the factors overflow or may have underflowed, the host scales A's rows by powers of two and factors it again. The determinant of a matrix of order 0 is 1.

        Operands:
            a: the square matrix, or a stack of them

        Outputs:
            det: the determinant
            sign: the sign of the determinant: 1, -1 or 0; of a complex one the number of modulus 1 with its direction
            logabsdet: the natural logarithm of the determinant's magnitude
        """

    def inverse(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> InverseResult:
        """The inverse of a square matrix, by LU.

        A⁻¹ with A A⁻¹ = I for a square matrix A of order n, from P A = L U by triangular solves.

        Operands:
            a: the square matrix, or a stack of them

        Outputs:
            inverse: the inverse, in a's shape
        """

    def trace(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> TraceResult:
        """The sum of the diagonal elements.

        tr A = Σ a_ii, of the main diagonal, which has min(m,n) elements.

        Operands:
            a: the matrix, of any shape, or a stack of them

        Outputs:
            trace: the sum, for each matrix of a stack
        """

    def qr(self, a: Operand, *, mode: Optional[Literal["thin", "complete", "raw"]] = ..., pivot: Optional[bool] = ...,
            devices: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> QrResult:
        """QR factorization, A = Q R, with column pivoting on request.

        A = Q R for an m x n matrix A, with QᵀQ = I and R upper triangular; with pivot A P = Q R, where the column of the largest remaining norm comes next, so that |r_ii| does not increase. thin has min(m,n) columns of Q, complete has m. raw has Q = H_1 ⋯ H_k with H_j = I - tau_j v_j v_jᴴ, as LAPACK's geqrf and geqp3 leave it, in the order of a's rows: v_j is 0 in its first j - 1 elements and 1 in the next one, and column j of h has the others.

        Operands:
            a: the matrix, of any shape, or a stack of them

        Parameters:
            mode: the number of Q's columns and R's rows: min(m,n) (thin) or m (complete); or the reflections h and tau in place of both (raw)
            pivot: permute the columns of a so that the magnitudes on R's diagonal do not increase
            devices: how many devices compute this together, each holding some columns of the matrix; by default several only if that is much faster, or if no device can hold the matrix

        Outputs:
            q: Q, with orthonormal columns
            r: R, upper triangular
            p: the permutation with A[:,p] = Q R, only with pivot=true
            h: R on and above the diagonal, below it the vectors of the reflections H = I - tau v v^H without their first elements, which are 1; only with mode=raw, which has no q and r
            tau: the factors of the reflections, only with mode=raw
        """

    def svd(self, a: Operand, *, vectors: Optional[Literal["thin", "full", "none"]] = ..., k: Optional[int] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> SvdResult:
        """The singular value decomposition, A = U S V^T, or its largest part.

        A = U S Vᵀ for an m x n matrix A, with UᵀU = I, VᵀV = I and S diagonal with s_1 >= s_2 >= ... >= 0. With k the answer has the k largest singular values and their vectors, the closest matrix of rank k.

        Operands:
            a: the matrix, of any shape, or a stack of them

        Parameters:
            vectors: which singular vectors to compute: min(m,n) left and right ones (thin), all m left and n right ones (full), or none
            k: how many singular values, beginning with the largest, and their vectors the answer has: by default all; not allowed with vectors=full

        Outputs:
            u: U, the left singular vectors by columns
            s: the singular values, descending
            vh: V^T, the right singular vectors by rows
        """

    def lstsq(self, a: Operand, b: Operand, *, rcond: Optional[float] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> LstsqResult:
        """Least squares: of all x with the least |b - A x| the shortest one, for matrices of any shape and rank.

        Of all x with the least |b - A x| in the 2-norm, lstsq answers the one of least |x|, which is x = A⁺ b. A is m x n, of any rank; singular values of at most rcond s_1 count as 0, and rank is the number of others.

        Operands:
            a: the matrix, of any shape, or a stack of them
            b: the right-hand side, a vector, or several of them as a matrix's columns

        Parameters:
            rcond: singular values of at most rcond times the largest one count as 0; the default is the machine epsilon times the larger dimension of a

        Outputs:
            x: the solution of minimum norm, n x k for an m x n a and an m x k b, and a vector if b is one
            rank: the number of singular values that do not count as 0
            s: the singular values of a, descending
        """

    def pinv(self, a: Operand, *, rcond: Optional[float] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> PinvResult:
        """The pseudoinverse of any matrix, by its singular value decomposition.

        A⁺ = V S⁺ Uᵀ of an m x n matrix A = U S Vᵀ, where S⁺ has 1 / s_i for the singular values above rcond s_1, and 0 for the others. A⁺ is the one matrix P with A P A = A, P A P = P, and A P and P A symmetric (for the rank that rcond leaves).

        Operands:
            a: the matrix, of any shape, or a stack of them

        Parameters:
            rcond: singular values of at most rcond times the largest one count as 0; the default is the machine epsilon times the larger dimension of a

        Outputs:
            pinv: the pseudoinverse, n x m for an m x n a
        """

    def _sheet_now(self) -> Sheet: ...

    def _call(self, op: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any: ...

class AsyncOperations:
    async def eigen(self, a: Optional[Operand] = ..., b: Optional[Operand] = ..., *,
            method: Optional[Literal["auto", "similarity", "power", "krylov", "lapack", "jacobi", "ql", "tridiagonal", "hessenberg"]] = ...,
            tol: Optional[float] = ..., max_iterations: Optional[int] = ..., allow_partial: Optional[bool] = ...,
            which: Optional[Literal["dominant", "all", "largest", "smallest", "largest-real", "smallest-real", "nearest", "interval"]] = ...,
            k: Optional[int] = ..., sigma: Optional[float] = ...,
            structure: Optional[Literal["auto", "symmetric", "general"]] = ...,
            problem: Optional[Literal["definite", "definite-abx", "definite-bax", "general"]] = ...,
            order: Optional[Literal["sorted", "found"]] = ..., low: Optional[float] = ..., high: Optional[float] = ...,
            devices: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> EigenResult: ...

    async def lu(self, a: Operand, *, pivot: Optional[Literal["partial", "none"]] = ..., devices: Optional[int] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> LuResult: ...

    async def solve(self, a: Optional[Operand] = ..., b: Optional[Operand] = ..., factors: Optional[Operand] = ...,
            pivots: Optional[Operand] = ..., *,
            structure: Optional[Literal["auto", "general", "symmetric", "spd", "lower", "upper"]] = ...,
            transpose_a: Optional[bool] = ...,
            method: Optional[Literal["auto", "direct", "jacobi", "cg", "minres", "gmres", "bicgstab"]] = ...,
            preconditioner: Optional[Literal["auto", "none", "jacobi", "ilu0", "ichol0"]] = ...,
            tol: Optional[float] = ..., atol: Optional[float] = ..., max_iterations: Optional[int] = ...,
            restart: Optional[int] = ..., allow_partial: Optional[bool] = ..., devices: Optional[int] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> SolveResult: ...

    async def matmul(self, a: Operand, b: Operand, *, transpose_a: Optional[bool] = ...,
            transpose_b: Optional[bool] = ..., conjugate_a: Optional[bool] = ..., conjugate_b: Optional[bool] = ...,
            precision: Optional[Literal["full", "tf32", "fast"]] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> MatmulResult: ...

    async def kron(self, a: Operand, b: Operand, *, device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> KronResult: ...

    async def reduce(self, a: Operand, *,
            op: Optional[Literal["sum", "prod", "min", "max", "mean", "norm1", "norm2", "norminf", "argmin", "argmax"]] = ...,
            axis: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> ReduceResult: ...

    async def norm(self, a: Operand, *,
            ord: Optional[Union[Literal["fro", "nuc", "1", "2", "inf", "max"], float]] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> NormResult: ...

    async def cond(self, a: Operand, *, ord: Optional[Union[Literal["1", "2", "inf", "fro"], float]] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> CondResult: ...

    async def expm(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> ExpmResult: ...

    async def transpose(self, a: Operand, *, conjugate: Optional[bool] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> TransposeResult: ...

    async def spmv(self, a: Optional[Operand] = ..., x: Optional[Operand] = ..., y: Optional[Operand] = ..., *,
            accumulate: Optional[bool] = ..., repeat: Optional[int] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> SpmvResult: ...

    async def permute(self, a: Operand, p: Operand, *, mode: Optional[Literal["row", "column", "symmetric"]] = ...,
            inverse: Optional[bool] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> PermuteResult: ...

    async def jacobi(self, a: Operand, b: Operand, *, permutation: Optional[Literal["none", "row", "symmetric"]] = ...,
            precision: Optional[Literal["float32", "mixed", "float64"]] = ...,
            selection: Optional[Literal["row", "entry", "composite"]] = ...,
            swap: Optional[Literal["copy", "cast", "write-both", "hybrid"]] = ..., omega: Optional[float] = ...,
            tol: Optional[float] = ..., max_iterations: Optional[int] = ..., range: Optional[float] = ...,
            share: Optional[float] = ..., allow_partial: Optional[bool] = ..., detect_divergence: Optional[bool] = ...,
            schedule: Optional[Union[str, Sequence[float]]] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> JacobiResult: ...

    async def cholesky(self, a: Operand, *, devices: Optional[int] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> CholeskyResult: ...

    async def det(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> DetResult: ...

    async def inverse(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> InverseResult: ...

    async def trace(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> TraceResult: ...

    async def qr(self, a: Operand, *, mode: Optional[Literal["thin", "complete", "raw"]] = ...,
            pivot: Optional[bool] = ..., devices: Optional[int] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> QrResult: ...

    async def svd(self, a: Operand, *, vectors: Optional[Literal["thin", "full", "none"]] = ...,
            k: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> SvdResult: ...

    async def lstsq(self, a: Operand, b: Operand, *, rcond: Optional[float] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> LstsqResult: ...

    async def pinv(self, a: Operand, *, rcond: Optional[float] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> PinvResult: ...

    async def _call(self, op: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any: ...

class Submissions:
    def eigen(self, a: Optional[Operand] = ..., b: Optional[Operand] = ..., *,
            method: Optional[Literal["auto", "similarity", "power", "krylov", "lapack", "jacobi", "ql", "tridiagonal", "hessenberg"]] = ...,
            tol: Optional[float] = ..., max_iterations: Optional[int] = ..., allow_partial: Optional[bool] = ...,
            which: Optional[Literal["dominant", "all", "largest", "smallest", "largest-real", "smallest-real", "nearest", "interval"]] = ...,
            k: Optional[int] = ..., sigma: Optional[float] = ...,
            structure: Optional[Literal["auto", "symmetric", "general"]] = ...,
            problem: Optional[Literal["definite", "definite-abx", "definite-bax", "general"]] = ...,
            order: Optional[Literal["sorted", "found"]] = ..., low: Optional[float] = ..., high: Optional[float] = ...,
            devices: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[EigenResult]: ...

    def lu(self, a: Operand, *, pivot: Optional[Literal["partial", "none"]] = ..., devices: Optional[int] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[LuResult]: ...

    def solve(self, a: Optional[Operand] = ..., b: Optional[Operand] = ..., factors: Optional[Operand] = ...,
            pivots: Optional[Operand] = ..., *,
            structure: Optional[Literal["auto", "general", "symmetric", "spd", "lower", "upper"]] = ...,
            transpose_a: Optional[bool] = ...,
            method: Optional[Literal["auto", "direct", "jacobi", "cg", "minres", "gmres", "bicgstab"]] = ...,
            preconditioner: Optional[Literal["auto", "none", "jacobi", "ilu0", "ichol0"]] = ...,
            tol: Optional[float] = ..., atol: Optional[float] = ..., max_iterations: Optional[int] = ...,
            restart: Optional[int] = ..., allow_partial: Optional[bool] = ..., devices: Optional[int] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[SolveResult]: ...

    def matmul(self, a: Operand, b: Operand, *, transpose_a: Optional[bool] = ..., transpose_b: Optional[bool] = ...,
            conjugate_a: Optional[bool] = ..., conjugate_b: Optional[bool] = ...,
            precision: Optional[Literal["full", "tf32", "fast"]] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[MatmulResult]: ...

    def kron(self, a: Operand, b: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[KronResult]: ...

    def reduce(self, a: Operand, *,
            op: Optional[Literal["sum", "prod", "min", "max", "mean", "norm1", "norm2", "norminf", "argmin", "argmax"]] = ...,
            axis: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[ReduceResult]: ...

    def norm(self, a: Operand, *, ord: Optional[Union[Literal["fro", "nuc", "1", "2", "inf", "max"], float]] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[NormResult]: ...

    def cond(self, a: Operand, *, ord: Optional[Union[Literal["1", "2", "inf", "fro"], float]] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[CondResult]: ...

    def expm(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[ExpmResult]: ...

    def transpose(self, a: Operand, *, conjugate: Optional[bool] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[TransposeResult]: ...

    def spmv(self, a: Optional[Operand] = ..., x: Optional[Operand] = ..., y: Optional[Operand] = ..., *,
            accumulate: Optional[bool] = ..., repeat: Optional[int] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[SpmvResult]: ...

    def permute(self, a: Operand, p: Operand, *, mode: Optional[Literal["row", "column", "symmetric"]] = ...,
            inverse: Optional[bool] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[PermuteResult]: ...

    def jacobi(self, a: Operand, b: Operand, *, permutation: Optional[Literal["none", "row", "symmetric"]] = ...,
            precision: Optional[Literal["float32", "mixed", "float64"]] = ...,
            selection: Optional[Literal["row", "entry", "composite"]] = ...,
            swap: Optional[Literal["copy", "cast", "write-both", "hybrid"]] = ..., omega: Optional[float] = ...,
            tol: Optional[float] = ..., max_iterations: Optional[int] = ..., range: Optional[float] = ...,
            share: Optional[float] = ..., allow_partial: Optional[bool] = ..., detect_divergence: Optional[bool] = ...,
            schedule: Optional[Union[str, Sequence[float]]] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[JacobiResult]: ...

    def cholesky(self, a: Operand, *, devices: Optional[int] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[CholeskyResult]: ...

    def det(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[DetResult]: ...

    def inverse(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[InverseResult]: ...

    def trace(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[TraceResult]: ...

    def qr(self, a: Operand, *, mode: Optional[Literal["thin", "complete", "raw"]] = ..., pivot: Optional[bool] = ...,
            devices: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[QrResult]: ...

    def svd(self, a: Operand, *, vectors: Optional[Literal["thin", "full", "none"]] = ..., k: Optional[int] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[SvdResult]: ...

    def lstsq(self, a: Operand, b: Operand, *, rcond: Optional[float] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[LstsqResult]: ...

    def pinv(self, a: Operand, *, rcond: Optional[float] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> Job[PinvResult]: ...

    def _sheet_now(self) -> Sheet: ...

    def _call(self, op: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any: ...

class AsyncSubmissions:
    async def eigen(self, a: Optional[Operand] = ..., b: Optional[Operand] = ..., *,
            method: Optional[Literal["auto", "similarity", "power", "krylov", "lapack", "jacobi", "ql", "tridiagonal", "hessenberg"]] = ...,
            tol: Optional[float] = ..., max_iterations: Optional[int] = ..., allow_partial: Optional[bool] = ...,
            which: Optional[Literal["dominant", "all", "largest", "smallest", "largest-real", "smallest-real", "nearest", "interval"]] = ...,
            k: Optional[int] = ..., sigma: Optional[float] = ...,
            structure: Optional[Literal["auto", "symmetric", "general"]] = ...,
            problem: Optional[Literal["definite", "definite-abx", "definite-bax", "general"]] = ...,
            order: Optional[Literal["sorted", "found"]] = ..., low: Optional[float] = ..., high: Optional[float] = ...,
            devices: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[EigenResult]: ...

    async def lu(self, a: Operand, *, pivot: Optional[Literal["partial", "none"]] = ..., devices: Optional[int] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[LuResult]: ...

    async def solve(self, a: Optional[Operand] = ..., b: Optional[Operand] = ..., factors: Optional[Operand] = ...,
            pivots: Optional[Operand] = ..., *,
            structure: Optional[Literal["auto", "general", "symmetric", "spd", "lower", "upper"]] = ...,
            transpose_a: Optional[bool] = ...,
            method: Optional[Literal["auto", "direct", "jacobi", "cg", "minres", "gmres", "bicgstab"]] = ...,
            preconditioner: Optional[Literal["auto", "none", "jacobi", "ilu0", "ichol0"]] = ...,
            tol: Optional[float] = ..., atol: Optional[float] = ..., max_iterations: Optional[int] = ...,
            restart: Optional[int] = ..., allow_partial: Optional[bool] = ..., devices: Optional[int] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[SolveResult]: ...

    async def matmul(self, a: Operand, b: Operand, *, transpose_a: Optional[bool] = ...,
            transpose_b: Optional[bool] = ..., conjugate_a: Optional[bool] = ..., conjugate_b: Optional[bool] = ...,
            precision: Optional[Literal["full", "tf32", "fast"]] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[MatmulResult]: ...

    async def kron(self, a: Operand, b: Operand, *, device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[KronResult]: ...

    async def reduce(self, a: Operand, *,
            op: Optional[Literal["sum", "prod", "min", "max", "mean", "norm1", "norm2", "norminf", "argmin", "argmax"]] = ...,
            axis: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[ReduceResult]: ...

    async def norm(self, a: Operand, *,
            ord: Optional[Union[Literal["fro", "nuc", "1", "2", "inf", "max"], float]] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[NormResult]: ...

    async def cond(self, a: Operand, *, ord: Optional[Union[Literal["1", "2", "inf", "fro"], float]] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[CondResult]: ...

    async def expm(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[ExpmResult]: ...

    async def transpose(self, a: Operand, *, conjugate: Optional[bool] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[TransposeResult]: ...

    async def spmv(self, a: Optional[Operand] = ..., x: Optional[Operand] = ..., y: Optional[Operand] = ..., *,
            accumulate: Optional[bool] = ..., repeat: Optional[int] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[SpmvResult]: ...

    async def permute(self, a: Operand, p: Operand, *, mode: Optional[Literal["row", "column", "symmetric"]] = ...,
            inverse: Optional[bool] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[PermuteResult]: ...

    async def jacobi(self, a: Operand, b: Operand, *, permutation: Optional[Literal["none", "row", "symmetric"]] = ...,
            precision: Optional[Literal["float32", "mixed", "float64"]] = ...,
            selection: Optional[Literal["row", "entry", "composite"]] = ...,
            swap: Optional[Literal["copy", "cast", "write-both", "hybrid"]] = ..., omega: Optional[float] = ...,
            tol: Optional[float] = ..., max_iterations: Optional[int] = ..., range: Optional[float] = ...,
            share: Optional[float] = ..., allow_partial: Optional[bool] = ..., detect_divergence: Optional[bool] = ...,
            schedule: Optional[Union[str, Sequence[float]]] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[JacobiResult]: ...

    async def cholesky(self, a: Operand, *, devices: Optional[int] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[CholeskyResult]: ...

    async def det(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[DetResult]: ...

    async def inverse(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[InverseResult]: ...

    async def trace(self, a: Operand, *, device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[TraceResult]: ...

    async def qr(self, a: Operand, *, mode: Optional[Literal["thin", "complete", "raw"]] = ...,
            pivot: Optional[bool] = ..., devices: Optional[int] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[QrResult]: ...

    async def svd(self, a: Operand, *, vectors: Optional[Literal["thin", "full", "none"]] = ...,
            k: Optional[int] = ..., device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ...,
            variant: Optional[str] = ..., timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[SvdResult]: ...

    async def lstsq(self, a: Operand, b: Operand, *, rcond: Optional[float] = ...,
            device: Optional[Union[str, int]] = ..., dtype: Optional[DType] = ..., variant: Optional[str] = ...,
            timeout_ms: Optional[int] = ..., priority: Optional[int] = ...,
            return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[LstsqResult]: ...

    async def pinv(self, a: Operand, *, rcond: Optional[float] = ..., device: Optional[Union[str, int]] = ...,
            dtype: Optional[DType] = ..., variant: Optional[str] = ..., timeout_ms: Optional[int] = ...,
            priority: Optional[int] = ..., return_: Optional[Union[str, Sequence[str]]] = ...,
            timing: Optional[Literal["full", "summary", "none", "trace"]] = ...,
            quality: Optional[Literal["estimate", "full", "none"]] = ..., store: Optional[str] = ...,
            ttl: Optional[float] = ...) -> AsyncJob[PinvResult]: ...

    async def _call(self, op: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any: ...
