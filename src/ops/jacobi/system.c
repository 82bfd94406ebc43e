/* system.c - see jacobi.h. The host reads every row, determines its class, and
 * writes the permuted system, which is then uploaded. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/jacobi/jacobi.h"

/* The default range, as a multiple of the mean |a|: it covers all entries of a
 * stencil. */
#define RANGE 2

/* The system on the host. Its row k is row order[k] of the operand. */
struct draft {
	struct jacobi_rows r;
	struct jacobi_rule rule;
	enum jacobi_permutation permutation;
	bool selecting;			/* entries for float32 come first */
	size_t nnz, blocks;
	double *diagonal, *turned;	/* in the operand's order; permuted */
	double *b;
	int32_t *length, *order, *rank;	/* rank: the inverse of order */
	unsigned char *class;
	int64_t *start, *split;
	int32_t *column, *block;
	double *value;
	float *single;			/* NULL: not needed */
};

static void draft_fini(struct draft *d)
{
	free(d->diagonal);
	free(d->turned);
	free(d->b);
	free(d->length);
	free(d->order);
	free(d->rank);
	free(d->class);
	free(d->start);
	free(d->split);
	free(d->column);
	free(d->block);
	free(d->value);
	free(d->single);
}

static int no_memory(size_t n, struct err *e)
{
	return err_set(e, ERR_MEMORY, "jacobi: no memory for a system of %zu "
	               "equations", n);
}

/* n zeroed items and one more, so that NULL always means failure. */
#define NEW(p, n) ((p) = calloc((n) + 1, sizeof *(p)))

static int draft_rows(struct draft *d, struct err *e)
{
	const size_t n = d->r.n;

	return NEW(d->diagonal, n) && NEW(d->turned, n) && NEW(d->b, n) &&
	       NEW(d->length, n) && NEW(d->order, n) && NEW(d->rank, n) &&
	       NEW(d->class, n) && NEW(d->start, n) && NEW(d->split, n) &&
	       NEW(d->block, n) ? 0 : no_memory(n, e);
}

static int draft_entries(struct draft *d, bool single, struct err *e)
{
	if (!NEW(d->column, d->nnz) || !NEW(d->value, d->nnz))
		return no_memory(d->r.n, e);
	return single && !NEW(d->single, d->nnz) ? no_memory(d->r.n, e) : 0;
}

static int look(struct draft *d, const struct args *a, struct err *e)
{
	double mean;

	if (jacobi_look(&d->r, d->diagonal, d->length, &mean, e) < 0)
		return -1;
	for (size_t i = 0; i < d->r.n; i++)
		d->nnz += (size_t)d->length[i];
	d->rule = (struct jacobi_rule){
		.selection = (enum jacobi_selection)
		             a->param[JACOBI_P_SELECTION],
		.range = args_real(a, JACOBI_P_RANGE, RANGE * mean),
		.share = a->param[JACOBI_P_SHARE],
	};
	d->permutation = (enum jacobi_permutation)
	                 a->param[JACOBI_P_PERMUTATION];
	/* Grouping the rows by class is a row permutation. */
	if (d->rule.selection == SELECT_COMPOSITE &&
	    d->permutation == PERMUTE_NONE)
		d->permutation = PERMUTE_ROW;
	return 0;
}

static void put_in_order(struct draft *d)
{
	size_t separation[CLASSES + 1];

	jacobi_classify(&d->r, d->length, &d->rule, d->class);
	jacobi_order(d->class, d->r.n, d->order, separation);
	for (size_t k = 0; k < d->r.n; k++) {
		if (d->permutation == PERMUTE_NONE)
			d->order[k] = (int32_t)k;
		d->rank[d->order[k]] = (int32_t)k;
	}
}

static bool in_float32(const struct draft *d, size_t i, double value)
{
	return d->rule.selection == SELECT_ENTRY ?
	       jacobi_selects(&d->rule, value) : d->class[i] == CLASS_SINGLE;
}

static void put_entry(struct draft *d, int64_t at, struct jacobi_entry x)
{
	d->column[at] = d->permutation == PERMUTE_SYMMETRIC ?
	                d->rank[x.column] : (int32_t)x.column;
	d->value[at] = x.value;
	if (d->single)
		d->single[at] = (float)x.value;
}

/* Writes the entries of row i of E that are multiplied in float32, or those
 * that are not, from place `at` on; returns the place after them. */
static int64_t put_entries(struct draft *d, size_t i, int64_t at, bool single)
{
	size_t k, end;

	for (jacobi_row(&d->r, i, &k, &end); k < end; k++) {
		const struct jacobi_entry x = jacobi_entry(&d->r, k);
		const bool told = d->selecting && in_float32(d, i, x.value);

		if (x.column != i && x.value != 0 && told == single)
			put_entry(d, at++, x);
	}
	return at;
}

static void put_rows(struct draft *d)
{
	int64_t at = 0;

	for (size_t k = 0; k < d->r.n; k++) {
		const size_t i = (size_t)d->order[k];

		d->start[k] = at;
		if (d->selecting)
			at = put_entries(d, i, at, true);
		d->split[k] = at;
		at = put_entries(d, i, at, false);
		d->turned[k] = d->diagonal[i];
	}
	d->start[d->r.n] = at;
}

/* Writes b in units of a power of two near its largest element, so that neither
 * its norm nor a float32 copy of x overflows or underflows. */
static int put_sides(struct draft *d, const struct matrix *b,
                     struct jacobi_system *y, struct err *e)
{
	double peak = 0, sum = 0;

	for (size_t i = 0; i < d->r.n; i++) {
		const double x = matrix_get(b, i);

		if (!isfinite(x))
			return err_set_at(e, ERR_NONFINITE, "/b", "jacobi: "
			                  "element %zu of b is %g, must be "
			                  "finite", i, x);
		peak = fmax(peak, fabs(x));
	}
	frexp(peak, &y->exponent);
	for (size_t k = 0; k < d->r.n; k++) {
		const double x = ldexp(matrix_get(b, (size_t)d->order[k]),
		                       -y->exponent);

		d->b[k] = x;
		sum += x * x;
	}
	y->norm = sqrt(sum);
	return 0;
}

/* Cuts the rows into blocks, each as long as the kernels allow. */
static void put_blocks(struct draft *d, const struct jacobi_kernels *k)
{
	size_t first = 0;

	for (size_t i = 1; i <= d->r.n; i++) {
		const bool full = i == d->r.n || i - first == k->rows ||
		    d->start[i + 1] - d->start[first] > (int64_t)k->entries;

		if (!full)
			continue;
		d->block[++d->blocks] = (int32_t)i;
		first = i;
	}
}

/* A stage entirely in float32 needs every element within float32's range. */
static int check_range(const struct draft *d, struct err *e)
{
	for (size_t k = 0; k < d->r.n; k++)
		if (!jacobi_fits(d->turned[k]))
			return err_set_at(e, ERR_MATHEMATICS, "/a", "jacobi: "
			    "the diagonal entry of row %d is %g, beyond "
			    "float32: precision mixed or float64 takes it",
			    d->order[k], d->turned[k]);
	for (size_t at = 0; at < d->nnz; at++)
		if (fabs(d->value[at]) > FLT_MAX)
			return err_set_at(e, ERR_MATHEMATICS, "/a", "jacobi: "
			    "the entry %g is beyond float32: precision mixed "
			    "or float64 takes it", d->value[at]);
	return 0;
}

static void upload(struct seq *s, const struct draft *d,
                   struct jacobi_system *y)
{
	const size_t n = d->r.n, rows = n * sizeof(double);
	const size_t starts = (n + 1) * sizeof(int64_t);
	const size_t order = n * sizeof(int32_t);

	y->n = n;
	y->nnz = d->nnz;
	y->blocks = d->blocks;
	y->start = seq_constant(s, d->start, starts);
	y->split = d->selecting ? seq_constant(s, d->split, starts) : y->start;
	y->column = seq_constant(s, d->column, d->nnz * sizeof *d->column);
	y->value = seq_constant(s, d->value, d->nnz * sizeof *d->value);
	if (d->single)
		y->single = seq_constant(s, d->single,
		                         d->nnz * sizeof *d->single);
	y->diagonal = seq_constant(s, d->turned, rows);
	y->b = seq_constant(s, d->b, rows);
	y->block = seq_constant(s, d->block, (d->blocks + 1) *
	                                     sizeof *d->block);
	if (d->permutation == PERMUTE_ROW)
		y->place = seq_constant(s, d->order, order);
	if (d->permutation == PERMUTE_SYMMETRIC)
		y->order = seq_constant(s, d->order, order);
}

static int build(struct draft *d, const struct args *a,
                 const struct jacobi_kernels *k, bool all,
                 struct jacobi_system *y, struct err *e)
{
	if (draft_rows(d, e) < 0 || look(d, a, e) < 0 ||
	    draft_entries(d, d->selecting, e) < 0)
		return -1;
	put_in_order(d);
	put_rows(d);
	if (put_sides(d, &a->in[JACOBI_B], y, e) < 0)
		return -1;
	put_blocks(d, k);
	return all ? check_range(d, e) : 0;
}

int jacobi_system(struct seq *s, const struct args *a,
                  const struct jacobi_kernels *k, bool single, bool all,
                  struct jacobi_system *y)
{
	struct draft d = { .r = jacobi_rows(&a->in[JACOBI_A]),
	                   .selecting = single };
	int rc;

	*y = (struct jacobi_system){ 0 };
	rc = build(&d, a, k, all, y, seq_err(s));
	if (rc == 0)
		upload(s, &d, y);
	draft_fini(&d);
	return rc;
}
