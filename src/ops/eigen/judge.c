/* judge.c - measures the quality of the eigenpairs of one matrix, as they are
 * stored:
 *
 *     residual        |A x - lambda x| / (|A| n eps) without B, else
 *                     |A x - lambda B x| / ((|A| + |lambda| |B|) n eps),
 *                     |A B x - lambda x| / (|A| |B| n eps),
 *                     |B A x - lambda x| / (|A| |B| n eps) or, for any B,
 *                     |beta A x - alpha B x| /
 *                     (max(|alpha| |B|, |beta| |A|) n eps)
 *     orthogonality   |X^T X - I| / (n eps), for symmetric matrices without B
 *     condition       1 / |y^H x| for unit vectors x and y, if both are known
 *
 * The first residual is that of LAPACK's test DGET22, and the last that of
 * DGET52, in another norm. The three in between are those of DSGT01, which has
 * no |B| in the denominator: without it, the ratio is unbounded for an
 * ill-conditioned B. The norm of a matrix is its largest row sum, and lambda
 * is each pair's own. By default, residual and orthogonality are estimated in
 * O(n^2) operations by |R g| / sqrt(k), where the k columns of R are the
 * residuals of all vectors, and g holds random weights of mean 0 and variance
 * 1: the mean of |R g|^2 is the sum of the squares of R's elements.
 */
#include <math.h>
#include <stdlib.h>

#include "ops/eigen/judge.h"
#include "ops/eigen/parts.h"

enum { FEW = 4 };			/* up to FEW pairs are judged exactly */

/* Two matrices U and W for which A U = W must hold, or A U = B W, A B U = W or
 * B A U = W. Each column of U is an eigenvector or a random combination of
 * eigenvectors; in W each eigenvector is multiplied by its eigenvalue. For
 * problem=general it is multiplied by beta in U, and by alpha in W. */
struct probe {
	size_t columns;
	double *u, *w;
	double *au;			/* room for a product */
	double of_a, of_b;		/* norms of A and B */
	bool own;			/* is each pair's residual divided by
					 * |A| + |lambda| |B|? */
};

/* An eigenvalue as alpha / beta. */
struct ratio {
	double re, im, beta;
};

static double dot(const double *x, const double *y, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

static double norm2(const double *x, size_t n)
{
	return sqrt(dot(x, x, n));
}

/* The weight of eigenvalue i of the answer, which both values of a conjugate
 * pair share. */
static double weight_of(const struct eigen_set *s, size_t i)
{
	return eigen_weight(s->column[i]);
}

static void add(double *to, double factor, const double *x, size_t n)
{
	for (size_t i = 0; i < n && factor != 0; i++)
		to[i] += factor * x[i];
}

/* Returns eigenvalue i of the answer. With A x = lambda B x, alpha and beta are
 * divided by what the pair's residual is divided by, so that scale_of() is 1:
 * those of the QZ algorithm by max(|alpha| |B|, |beta| |A|), lambda and 1 by
 * |A| + |lambda| |B|. For other problems beta is 1. */
static struct ratio ratio_of(const struct probe *p, const struct eigen_set *s,
                             size_t i)
{
	const size_t k = s->order[i];
	struct ratio r = { s->re[k], s->im[k], 1 };
	double most;

	if (s->beta) {
		r = (struct ratio){ s->alpha[k], s->alpha[s->n + k],
		                    s->beta[k] };
		most = fmax(hypot(r.re, r.im) * p->of_b,
		            fabs(r.beta) * p->of_a);
	} else {
		most = p->own ? p->of_a + hypot(r.re, r.im) * p->of_b : 1;
	}
	if (most > 0)
		r = (struct ratio){ r.re / most, r.im / most, r.beta / most };
	return r;
}

/* Adds some rows of the vector of eigenvalue i, times `factor`, to column j of
 * U and W, or the real and imaginary parts of a conjugate pair's to columns j
 * and j + 1. Returns the number of these columns. */
static size_t add_pair(const struct probe *p, const struct eigen_set *s,
                       struct eigen_span rows, size_t i, size_t j,
                       double factor)
{
	const size_t n = s->n, count = rows.end - rows.first;
	const struct ratio r = ratio_of(p, s, i);
	const double *x = s->right + s->column[i] * n + rows.first;
	double *u = p->u + j * n + rows.first, *w = p->w + j * n + rows.first;

	add(u, factor * r.beta, x, count);
	add(w, factor * r.re, x, count);
	if (s->im[s->order[i]] == 0)
		return 1;
	add(w, -factor * r.im, x + n, count);
	add(u + n, factor * r.beta, x + n, count);
	add(w + n, factor * r.im, x, count);
	add(w + n, factor * r.re, x + n, count);
	return 2;
}

/* The vector of the second value of a conjugate pair is the conjugate of the
 * first one's, so it need not be judged. */
static bool is_second(const struct eigen_set *s, size_t i)
{
	return s->im[s->order[i]] < 0;
}

/* U and W while they are filled. */
struct filling {
	const struct probe *p;
	const struct eigen_set *s;
	bool exact;
};

static void fill_rows(void *arg, size_t part)
{
	const struct filling *const f = arg;
	const struct eigen_set *const s = f->s;
	const struct eigen_span rows = eigen_span(s->n, part);
	size_t j = 0;

	for (size_t i = 0; i < s->count && rows.first < rows.end; i++)
		if (!is_second(s, i))
			j += add_pair(f->p, s, rows, i, f->exact ? j : 0,
			              f->exact ? 1 : weight_of(s, i));
}

static void fill(struct probe *p, const struct lapack_call *c,
                 const struct eigen_set *s, bool exact)
{
	struct filling f = { p, s, exact };

	eigen_parts(c, fill_rows, &f);
	p->columns = exact ? 0 : 2;
	for (size_t i = 0; i < s->count && exact; i++)
		p->columns += s->im[s->order[i]] == 0 ? 1 :
		              is_second(s, i) ? 0 : 2;
}

/* C = op(A) B, where op(A) is m x k, B k x columns, and C m x columns. lda is
 * the length of A's columns. */
static void multiply(const struct lapack *l, const char *op, size_t m,
                     size_t k, const double *a, size_t lda, const double *b,
                     size_t columns, double *c)
{
	const int rows = (int)m, inner = (int)k, cols = (int)columns;
	const int ld = (int)lda;
	const double one = 1, zero = 0;

	l->d.gemm(op, "N", &rows, &cols, &inner, &one, a, &ld, b, &inner,
	          &zero, c, &rows);
}

/* The largest norm of a column of R = A U - W, or its estimate. p->au must hold
 * A U. */
static double remainder_of(const struct probe *p, const struct eigen_set *s,
                           bool exact)
{
	const size_t n = s->n;
	double most = 0, sum = 0;

	for (size_t j = 0; j < p->columns; j++) {
		double *r = p->au + j * n;

		for (size_t i = 0; i < n; i++)
			r[i] -= p->w[j * n + i];
		most = fmax(most, norm2(r, n));
		sum += dot(r, r, n);
	}
	return exact ? most : sqrt(sum / (double)s->count);
}

static bool probe_init(struct probe *p, size_t n, size_t columns)
{
	*p = (struct probe){
		.columns = columns,
		.u = calloc(2 * n * columns, sizeof *p->u),
		.au = malloc(n * columns * sizeof *p->au),
	};
	if (!p->u || !p->au)
		return false;
	p->w = p->u + n * columns;
	return true;
}

static void probe_fini(struct probe *p)
{
	free(p->u);
	free(p->au);
}

/* The sums of the moduli of a matrix's rows. */
struct summing { const double *a; size_t n; double *sums; };

static void sum_rows(void *arg, size_t part)
{
	const struct summing *const t = arg;
	const struct eigen_span rows = eigen_span(t->n, part);

	for (size_t i = rows.first; i < rows.end; i++)
		t->sums[i] = 0;
	for (size_t j = 0; j < t->n; j++)
		for (size_t i = rows.first; i < rows.end; i++)
			t->sums[i] += fabs(t->a[j * t->n + i]);
}

/* The largest sum of the absolute values of a row. sums has room for n
 * numbers. */
static double norm_of(const struct lapack_call *c, const double *a, size_t n,
                      double *sums)
{
	struct summing t = { a, n, sums };

	eigen_parts(c, sum_rows, &t);
	return eigen_peak(sums, n);
}

/* X = M X, where X is U or W */
static void apply(struct probe *p, const struct eigen_judged *j, size_t n,
                  const double *m, double *x)
{
	multiply(j->call->l, "N", n, n, m, n, x, p->columns, p->au);
	for (size_t i = 0; i < n * p->columns; i++)
		x[i] = p->au[i];
}

/* Returns what the residual is divided by, without the factor n eps. */
static double scale_of(const struct probe *p, const struct eigen_judged *j)
{
	if (!j->b)
		return p->of_a;
	return p->own || j->form == EIGEN_GENERAL_PENCIL ?
	       1 : p->of_a * p->of_b;		/* see ratio_of() */
}

static double residual_of(struct probe *p, const struct eigen_judged *j,
                          const struct eigen_set *s, bool exact)
{
	const size_t n = s->n;
	const double *first = j->a, *second = NULL;
	double error;

	p->of_a = norm_of(j->call, j->a, n, p->au);
	p->of_b = j->b ? norm_of(j->call, j->b, n, p->au) : 0;
	p->own = j->b && j->form == EIGEN_DEFINITE;
	fill(p, j->call, s, exact);
	if (j->form == EIGEN_DEFINITE_ABX) {
		first = j->b;
		second = j->a;
	} else if (j->form == EIGEN_DEFINITE_BAX) {
		second = j->b;
	} else if (j->b) {
		apply(p, j, n, j->b, p->w);
	}
	if (second)
		apply(p, j, n, first, p->u);
	multiply(j->call->l, "N", n, n, second ? second : first, n, p->u,
	         p->columns, p->au);
	error = remainder_of(p, s, exact);
	return error == 0 ? 0 :
	       error / (scale_of(p, j) * (double)n * j->epsilon);
}

/* The orthogonality or, unless `exact`, its estimate. */
static double orthogonality_of(struct probe *p, const struct eigen_judged *j,
                               const struct eigen_set *s, bool exact)
{
	const size_t n = s->n, m = s->count;
	double error = 0;

	if (exact) {
		multiply(j->call->l, "T", m, n, s->right, n, s->right, m,
		         p->au);
		for (size_t i = 0; i < m; i++)
			p->au[i * m + i] -= 1;
		error = norm_of(j->call, p->au, m, p->u);
	} else {
		multiply(j->call->l, "T", m, n, s->right, n, p->u, 1, p->au);
		for (size_t i = 0; i < m; i++)
			p->au[i] -= weight_of(s, i);
		error = norm2(p->au, m) / sqrt((double)m);
	}
	return error / ((double)n * j->epsilon);
}

/* The largest condition number of the answered eigenvalues. */
static double condition_of(const struct eigen_set *s)
{
	const size_t n = s->n;
	double least = 1;

	for (size_t i = 0; i < s->count; i++) {
		const double *x = s->right + s->column[i] * n;
		const double *y = s->left + s->column[i] * n;

		if (s->im[s->order[i]] == 0)
			least = fmin(least, fabs(dot(x, y, n)));
		else if (!is_second(s, i))
			least = fmin(least,
			    hypot(dot(x, y, n) + dot(x + n, y + n, n),
			          dot(x + n, y, n) - dot(x, y + n, n)));
	}
	return fmin(1 / least, HUGE_VAL);
}

int eigen_judge(const struct eigen_judged *j, const struct eigen_set *s,
                struct verdict *v)
{
	const bool exact = j->full || s->count <= FEW;
	struct probe p;

	if (s->symmetric && !j->b)
		v->condition = 1;
	else if (s->left && s->right && !j->b)
		v->condition = condition_of(s);
	if (!s->right || s->count == 0)
		return 0;
	if (!probe_init(&p, s->n, exact ? s->count : 2)) {
		probe_fini(&p);
		return -1;
	}
	v->residual = residual_of(&p, j, s, exact);
	if (s->symmetric && !j->b)
		v->orthogonality = orthogonality_of(&p, j, s, exact);
	probe_fini(&p);
	return 0;
}
