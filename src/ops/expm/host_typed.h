/* host_typed.h - the exponential of one matrix by LAPACK and BLAS on the host.
 * host.c compiles this file for float32 and float64, complex.c for complex128.
 * It uses TYPED, OF, FORTRAN and REAL_DTYPE of each_type.h, and
 *
 *     number             the type of the elements
 *     part               the type of their real and imaginary parts
 *     scalar             the type in which single elements are computed
 *     PARTS              1 for a real type, 2 for a complex one
 *     LARGEST_PART(x)    the largest modulus of a part of the scalar x
 *     MODULUS(x)
 *     EXP(x)
 *     DIVIDED(x, s)      2^-s x
 *     BESIDE(a, b, d)    see expm_beside()
 *
 * Matrices are row-major here, and column-major for LAPACK, which sees their
 * transposes: the exponential of A^T is that of A, transposed. */

/* A matrix and its even powers; u, v and w are scratch, and b the matrix after
 * balancing. All lie in one allocation, followed by two vectors, the pivots and
 * the powers of balancing. */
struct TYPED(work) {
	const struct lapack *l;
	size_t n;
	number *a, *a2, *a4, *a6, *u, *v, *w, *b;
	part *x, *y;
	int *pivots, *powers;
	double norm;
};

enum { TYPED(MATRICES) = 8 };

/* The bytes of scratch memory for a matrix of n rows. */
static size_t TYPED(room)(size_t n)
{
	return TYPED(MATRICES) * n * n * sizeof(number) +
	       2 * n * sizeof(part) + 2 * n * sizeof(int);
}

static struct TYPED(work) TYPED(work_in)(const struct lapack *l, size_t n,
                                         void *room)
{
	struct TYPED(work) w = { .l = l, .n = n, .a = room };

	w.a2 = w.a + n * n;
	w.a4 = w.a2 + n * n;
	w.a6 = w.a4 + n * n;
	w.u = w.a6 + n * n;
	w.v = w.u + n * n;
	w.w = w.v + n * n;
	w.b = w.w + n * n;
	w.x = (part *)(w.b + n * n);
	w.y = w.x + n;
	w.pivots = (int *)(w.y + n);
	w.powers = w.pivots + n;
	return w;
}

/* c = a b */
static void TYPED(times)(const struct TYPED(work) *w, const number *a,
                         const number *b, number *c)
{
	const int n = (int)w->n;
	const number one = 1, zero = 0;

	lapack_poll();
	FORTRAN(gemm)("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
}

/* Returns the largest sum of a row, which is a column of the matrix that LAPACK
 * sees: the 1-norm. */
static double TYPED(norm)(const number *a, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		for (size_t j = 0; j < n; j++)
			sum += MODULUS((scalar)a[i * n + j]);
		most = fmax(most, sum);
	}
	return most;
}

/* Returns an exponent such that the norm is below 2^exponent. The norm itself
 * may overflow. It is at most n PARTS times the largest part. */
static int TYPED(exponent)(const number *a, size_t n)
{
	double most = 0;
	int of_most = 0, of_n = 0;

	for (size_t i = 0; i < n * n; i++)
		most = fmax(most, LARGEST_PART((scalar)a[i]));
	frexp(most, &of_most);
	frexp((double)(PARTS * n), &of_n);
	return of_most + of_n;
}

static double TYPED(power)(void *arg, int k)
{
	const struct TYPED(work) *w = arg;
	number *to = k == 2 ? w->a2 : k == 4 ? w->a4 : w->a6;

	TYPED(times)(w, k == 2 ? w->a : w->a2,
	             k == 2 ? w->a : k == 4 ? w->a2 : w->a4, to);
	return TYPED(norm)(to, w->n);
}

/* Computes |A|^k e / norm^k and returns its largest element. */
static double TYPED(magnitudes)(void *arg, int k)
{
	const struct TYPED(work) *w = arg;
	const size_t n = w->n;
	double most = 0;

	for (size_t i = 0; i < n; i++)
		w->x[i] = 1;
	for (int turn = 0; turn < k; turn++) {
		most = 0;
		lapack_poll();
		for (size_t i = 0; i < n; i++) {
			double sum = 0;

			for (size_t j = 0; j < n; j++)
				sum += MODULUS((scalar)w->a[i * n + j]) *
				       (double)w->x[j];
			w->y[i] = (part)(sum / w->norm);
			most = fmax(most, sum / w->norm);
		}
		memcpy(w->x, w->y, n * sizeof *w->x);
	}
	return most;
}

/* to = sum over the even powers that have a coefficient, c[0] being that of
 * I. */
static void TYPED(combine)(const struct TYPED(work) *w, const double c[5],
                           const number *a8, number *to)
{
	const number *const of[] = { NULL, w->a2, w->a4, w->a6, a8 };
	const size_t n = w->n;

	lapack_poll();
	memset(to, 0, n * n * sizeof *to);
	for (int k = 1; k < 5; k++) {
		const part by = (part)c[k];

		for (size_t i = 0; by != 0 && i < n * n; i++)
			to[i] += by * of[k][i];
	}
	for (size_t i = 0; i < n; i++)
		to[i * (n + 1)] += (part)c[0];
}

/* to += c[0] I + c[1] A^2 + c[2] A^4 + c[3] A^6, which degree 13 needs. */
static void TYPED(add)(const struct TYPED(work) *w, const double c[4],
                       number *to)
{
	const size_t n = w->n;

	for (size_t i = 0; i < n * n; i++)
		to[i] += (part)c[1] * w->a2[i] + (part)c[2] * w->a4[i] +
		         (part)c[3] * w->a6[i];
	for (size_t i = 0; i < n; i++)
		to[i * (n + 1)] += (part)c[0];
}

/* Sets w->w to U / A and w->v to V. */
static void TYPED(polynomials)(const struct TYPED(work) *w, int m,
                               const double c[EXPM_MOST_DEGREE + 1])
{
	if (m < EXPM_MOST_DEGREE) {
		double odd[5] = { 0 }, even[5] = { 0 };

		for (int k = 0; k <= m; k++)
			(k % 2 ? odd : even)[k / 2] = c[k];
		if (m == 9)
			TYPED(times)(w, w->a4, w->a4, w->u);
		TYPED(combine)(w, odd, w->u, w->w);
		TYPED(combine)(w, even, w->u, w->v);
		return;
	}
	/* U / A = A6 (c13 A6 + c11 A4 + c9 A2) + c7 A6 + c5 A4 + c3 A2 + c1 */
	TYPED(combine)(w, (double[]){ 0, c[9], c[11], c[13], 0 }, NULL, w->u);
	TYPED(times)(w, w->a6, w->u, w->w);
	TYPED(add)(w, (double[]){ c[1], c[3], c[5], c[7] }, w->w);
	/* V = A6 (c12 A6 + c10 A4 + c8 A2) + c6 A6 + c4 A4 + c2 A2 + c0 */
	TYPED(combine)(w, (double[]){ 0, c[8], c[10], c[12], 0 }, NULL, w->u);
	TYPED(times)(w, w->a6, w->u, w->v);
	TYPED(add)(w, (double[]){ c[0], c[2], c[4], c[6] }, w->v);
}

/* w->v = (V - U)^-1 (V + U) */
static bool TYPED(approximate)(const struct TYPED(work) *w, int degree)
{
	const int n = (int)w->n;
	double c[EXPM_MOST_DEGREE + 1];

	expm_coefficients(degree, c);
	TYPED(polynomials)(w, degree, c);
	TYPED(times)(w, w->a, w->w, w->u);
	for (size_t i = 0; i < w->n * w->n; i++) {
		w->w[i] = w->v[i] - w->u[i];
		w->v[i] += w->u[i];
	}
	lapack_poll();
	if (OF(w->l)->getrf(LAPACK_COLUMNS, n, n, w->w, n, w->pivots) != 0)
		return false;
	OF(w->l)->getrs(LAPACK_COLUMNS, 'N', n, n, w->w, n, w->pivots, w->v,
	                n);
	return true;
}

/* Multiplies A by 2^-s, and its powers A^k up to `most` by 2^(-s k). */
static void TYPED(scale)(const struct TYPED(work) *w, int s, int most)
{
	number *const of[] = { w->a, w->a2, w->a4, w->a6 };

	for (int k = 0; k < 4 && s != 0 && 2 * k <= most; k++) {
		const part by = (part)ldexp(1, -s * (k ? 2 * k : 1));

		for (size_t i = 0; i < w->n * w->n; i++)
			of[k][i] *= by;
	}
}

static enum expm_shape TYPED(shape_of)(const number *a, size_t n)
{
	bool upper = true, lower = true;

	for (size_t i = 0; i < n && (upper || lower); i++)
		for (size_t j = 0; j < n; j++) {
			upper = upper && (j >= i || a[i * n + j] == 0);
			lower = lower && (j <= i || a[i * n + j] == 0);
		}
	return upper && lower ? EXPM_DIAGONAL : upper ? EXPM_UPPER :
	       lower ? EXPM_LOWER : EXPM_FULL;
}

/* Sets what is known of X = e^(2^-s T) for a triangular T: the diagonal, the
 * elements beside it, and the zeros of the other triangle. */
static void TYPED(correct)(number *x, const number *t, size_t n,
                           enum expm_shape shape, int s)
{
	for (size_t i = 0; i < n; i++)
		x[i * (n + 1)] = (number)EXP(DIVIDED((scalar)t[i * (n + 1)],
		                                     s));
	for (size_t i = 0; i + 1 < n; i++) {
		const size_t at = i * (n + 1) + (shape == EXPM_LOWER ? n : 1);

		x[at] = (number)BESIDE(
		    DIVIDED((scalar)t[i * (n + 1)], s),
		    DIVIDED((scalar)t[at], s),
		    DIVIDED((scalar)t[(i + 1) * (n + 1)], s));
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if (shape == EXPM_UPPER ? j < i : j > i)
				x[i * n + j] = 0;
}

/* Squares w->v s times and returns where the result is, which is e^A. */
static const number *TYPED(square)(const struct TYPED(work) *w,
                                   const number *a, enum expm_shape shape,
                                   int s)
{
	number *x = w->v, *next = w->u;

	if (shape != EXPM_FULL)
		TYPED(correct)(x, a, w->n, shape, s);
	while (s-- > 0) {
		number *const old = x;

		TYPED(times)(w, x, x, next);
		x = next;
		next = old;
		if (shape != EXPM_FULL)
			TYPED(correct)(x, a, w->n, shape, s);
	}
	return x;
}

static struct expm_square TYPED(square_of)(size_t n)
{
	return (struct expm_square){ sizeof(part) == sizeof(float), PARTS, n };
}

/* Sets w->b to the balanced matrix; false: it is not worth it. */
static bool TYPED(balance)(const struct TYPED(work) *w, const number *a)
{
	const struct expm_square m = TYPED(square_of)(w->n);

	lapack_poll();
	if (!expm_balance(&m, a, w->powers))
		return false;
	memcpy(w->b, a, w->n * w->n * sizeof *a);
	expm_similar(&m, w->b, w->powers, false);
	return true;
}

/* Sets w->a to a, so scaled that its powers, which are computed as far as the
 * plan needs them, do not overflow; *first has the exponent. */
static struct expm_plan TYPED(prepare)(struct TYPED(work) *w, const number *a,
                                       int *first)
{
	const size_t n = w->n;

	*first = expm_first_scaling(REAL_DTYPE, TYPED(exponent)(a, n));
	memcpy(w->a, a, n * n * sizeof *a);
	TYPED(scale)(w, *first, 0);
	w->norm = TYPED(norm)(w->a, n);
	return expm_choose(REAL_DTYPE, &(struct expm_matrix){
	    w->norm, TYPED(power), TYPED(magnitudes), w });
}

/* Stores e^A for the n x n matrix a in `to`, which may be a. `room` has
 * room(n) bytes. */
static struct failure_detail
TYPED(exponentiate)(const struct lapack *l, size_t n, const number *a,
                    void *room, number *to)
{
	struct TYPED(work) w = TYPED(work_in)(l, n, room);
	const enum expm_shape shape = TYPED(shape_of)(a, n);
	const struct expm_square m = TYPED(square_of)(n);
	struct expm_plan plan;
	bool balanced;
	int first;

	if (shape == EXPM_DIAGONAL) {
		for (size_t i = 0; i < n * n; i++)
			to[i] = i % (n + 1) ? 0 : (number)EXP((scalar)a[i]);
		return (struct failure_detail){ .code = ERR_NONE };
	}
	plan = TYPED(prepare)(&w, a, &first);
	balanced = (first > 0 || plan.far) && TYPED(balance)(&w, a);
	if (balanced)
		plan = TYPED(prepare)(&w, w.b, &first);
	TYPED(scale)(&w, plan.squarings, 6);
	if (!TYPED(approximate)(&w, plan.degree))
		return (struct failure_detail){ .code = ERR_SINGULAR };
	memcpy(to, TYPED(square)(&w, balanced ? w.b : a, shape,
	                         first + plan.squarings), n * n * sizeof *to);
	if (balanced)
		expm_similar(&m, to, w.powers, true);
	return (struct failure_detail){ .code = ERR_NONE };
}
