/* large.c - several eigenvalues of a large sparse matrix; see large.h.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "matrix/sparse.h"
#include "ops/eigen/large.h"

/* SMALLEST and SHARE are estimated from the numbers of operations that the
 * dense method and the iteration take. */
enum {
	SMALLEST = 512,			/* rows up to which dense is faster */
	SHARE = 8,			/* 1 / share of the eigenvalues up to
					 * which the iteration is faster */
	MOST_ASKED = 1 << 12,		/* eigenvalues; the projected matrix
					 * then suits LAPACK's integers */
	ROWS = 1 << 14			/* of a product between two checks
					 * whether the call was cancelled */
};

bool eigen_stays_sparse(const struct args *a, int operand)
{
	const struct matrix *m = &a->in[EIGEN_A];
	const bool left = a->want >> EIGEN_LEFT_VECTORS & 1 &&
	    a->param[EIGEN_P_STRUCTURE] != EIGEN_SYMMETRIC_STRUCTURE;
	const enum eigen_which which = eigen_which(a);

	return operand == EIGEN_A && which != EIGEN_DOMINANT &&
	       !dtype_is_complex(a->dtype) &&
	       which != EIGEN_ALL && which != EIGEN_INTERVAL && !left &&
	       a->param[EIGEN_P_ORDER] == EIGEN_SORTED && !eigen_has_b(a) &&
	       a->param[EIGEN_P_METHOD] == EIGEN_AUTO &&
	       m->dim[0] > SMALLEST &&
	       args_real(a, EIGEN_P_K, 1) <= MOST_ASKED &&
	       args_real(a, EIGEN_P_K, 1) * SHARE <= (double)m->dim[0];
}

bool large_times(void *with, const double *x, double *y)
{
	struct large *g = with;
	const size_t n = g->a->n;

	for (size_t i = 0; i < n; i += ROWS) {
		if (i > 0 && !seq_goes_on(g->s))
			return false;
		entries_times(g->a, x, y, i, i + ROWS < n ? i + ROWS : n);
	}
	return true;
}

/* --- the operand */

static struct failure_detail fine_or_nonfinite(const struct matrix *m)
{
	const size_t at = lapack_find_nonfinite(m->dtype, matrix_data(m),
	                                        m->nnz);

	if (at == m->nnz)
		return (struct failure_detail){ .code = ERR_NONE };
	return (struct failure_detail){
		.code = ERR_NONFINITE, .at = EIGEN_A,
		.x = (double)sparse_row_of(m, 0, at),
		.y = (double)sparse_column(m, at),
	};
}

/* Returns the difference between mirror elements up to which a matrix counts as
 * symmetric. If the client says that it is, rounding errors of the client's own
 * computation are allowed for. */
static double slack_of(const struct large *g, enum eigen_structure structure)
{
	return structure != EIGEN_SYMMETRIC_STRUCTURE ? 0 :
	       100 * (double)g->loaded.n * dtype_epsilon(g->args->dtype);
}

static int load(struct large *g, enum eigen_structure structure,
                struct failure_detail *why)
{
	const struct matrix *m = &g->args->in[EIGEN_A];
	size_t row = 0, column = 0;
	bool differs;

	*why = fine_or_nonfinite(m);
	if (why->code != ERR_NONE)
		return 0;
	if (entries_load(&g->loaded, m, &g->power) < 0 ||
	    entries_transpose(&g->loaded, &g->across) < 0 ||
	    entries_mean(&g->loaded, &g->across, slack_of(g, structure),
	                 &g->mean, &differs, &row, &column) < 0)
		return -1;
	entries_fini(&g->across);
	if (differs && structure == EIGEN_SYMMETRIC_STRUCTURE)
		*why = (struct failure_detail){
			.code = ERR_MATHEMATICS,
			.at = EIGEN_FAULT_NOT_SYMMETRIC,
			.x = (double)(row > column ? row : column),
			.y = (double)(row > column ? column : row),
		};
	g->symmetric = !differs && structure != EIGEN_GENERAL_STRUCTURE;
	g->a = g->symmetric ? &g->mean : &g->loaded;
	g->norm = entries_norm(g->a);
	g->choice.sigma = ldexp(g->choice.sigma, -g->power);
	return 0;
}

/* --- the answer */

static int64_t all_products(const struct large *g)
{
	return g->products + g->search.space.products;
}

/* Sets the verdict on the pairs as they will be stored: in float32, if that is
 * the type of the answer. */
static int judge(struct large *g, struct rayleigh *r, struct verdict *v)
{
	const enum dtype t = g->args->dtype;

	*v = verdict_none();
	if (g->args->quality == QUALITY_NONE)
		return 0;
	if (t == FLOAT32) {
		eigen_as_stored(r->set.re, r->set.n, t);
		eigen_as_stored(r->set.im, r->set.n, t);
		eigen_as_stored(r->pairs.right,
		                r->pairs.n * r->pairs.columns, t);
		if (rayleigh_measure(r, g) < 0)
			return -1;
	}
	v->residual = r->residual / ((double)g->a->n * dtype_epsilon(t));
	if (g->symmetric)
		v->condition = 1;
	return 0;
}

static void put(struct large *g, struct rayleigh *r, bool converged)
{
	struct args *a = g->args;

	if (a->out[EIGEN_ITERATIONS].memory)
		matrix_set(&a->out[EIGEN_ITERATIONS], 0,
		           (double)all_products(g));
	if (a->out[EIGEN_CONVERGED].memory)
		matrix_set(&a->out[EIGEN_CONVERGED], 0, converged);
	eigen_put_values(a, 0, &r->pairs);
	for (size_t i = 0; i < 2; i++)
		eigen_put_vectors(NULL, &a->out[i == 0 ? EIGEN_VECTORS :
		                                EIGEN_LEFT_VECTORS], 0,
		                  &r->pairs, r->pairs.right);
}

static struct failure_detail not_converged(const struct large *g)
{
	return (struct failure_detail){
		.code = ERR_CONVERGENCE,
		.at = (int32_t)fmin((double)all_products(g), INT32_MAX),
		.x = g->search.interior, .y = g->search.error,
	};
}

/* Writes the answer, or sets *why. Returns 0, or 1 if the iteration did not
 * converge and the matrix is small enough to be made dense, or -1. */
static int answer(struct large *g, struct rayleigh *r,
                  struct eigen_told *told, struct failure_detail *why)
{
	const double tol = fmax(eigen_tol(g->args), large_rounding(g));
	bool solved, converged;

	if (rayleigh_find(r, g, &solved) < 0)
		return -1;
	converged = solved && g->search.confirmed && r->residual <= tol;
	if (!converged && large_can_be_dense(g))
		return 1;
	if (!converged && (!solved ||
	                   g->args->param[EIGEN_P_ALLOW_PARTIAL] == 0)) {
		*why = not_converged(g);
		return 0;
	}
	if (judge(g, r, &told->verdict) < 0)
		return -1;
	rayleigh_scale(r, g->power);
	if (!eigen_set_fits(&r->pairs, g->args->dtype)) {
		*why = (struct failure_detail){ .code = ERR_MATHEMATICS,
		                                .at = EIGEN_FAULT_BEYOND };
		return 0;
	}
	put(g, r, converged);
	told->count = r->pairs.count;
	told->complex = eigen_set_is_complex(&r->pairs);
	return 0;
}

static int work(struct large *g, const struct eigen_many *m)
{
	struct failure_detail why;
	struct rayleigh r = { 0 };
	int rc = load(g, m->structure, &why);

	if (rc == 0 && why.code == ERR_NONE) {
		rc = large_search(g);
		if (rc == 0)
			rc = answer(g, &r, m->told, &why);
		rayleigh_fini(&r);
	}
	if (rc == 0 && why.code != ERR_NONE)
		args_fail(g->args, &(struct failure){ 0, why });
	return rc;
}

static void fini(struct large *g)
{
	entries_fini(&g->loaded);
	entries_fini(&g->across);
	entries_fini(&g->mean);
	shifted_fini(&g->shifted);
	search_fini(&g->search);
}

int eigen_large_run(struct seq *s, struct args *a, const struct eigen_many *m)
{
	struct large g = { .s = s, .args = a, .choice = m->choice };
	int rc = -1;

	if (large_set_threads(&g, 1) < 0)
		return -1;
	seq_host_begin(s);
	rc = work(&g, m);
	seq_host_end(s);
	fini(&g);
	if (rc < 0 && seq_goes_on(s))
		err_set(seq_err(s), ERR_MEMORY, "eigen: no memory for several "
		        "pairs of a matrix of %zu rows",
		        matrix_rows(&a->in[EIGEN_A]));
	if (rc == 1)
		return 1;
	return rc < 0 ? -1 : seq_finish(s);
}

/* Products with the matrix alone find the largest eigenvalues. */
void eigen_large_need(const struct args *a, const struct sheet *d,
                      struct need *need)
{
	if (d->unified_memory && eigen_which(a) != EIGEN_LARGEST)
		need_scratch(need, shifted_most_bytes(d, a->in[0].dim[0]), 0);
}
