/* permute.c - permutes the rows, the columns or both of a matrix. With P the
 * permutation matrix of p, so that row i of P A is row p[i] of A:
 *
 *     mode row         B = P A          inverse  B = P^T A
 *     mode column      B = A P^T                 B = A P
 *     mode symmetric   B = P A P^T               B = P^T A P
 *
 * A vector is permuted in the same way by every mode; a sparse matrix stays
 * sparse. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "device/seq.h"
#include "ops/need.h"
#include "ops/permute/permute.h"

enum { A, P };
enum { MODE, INVERSE };
enum mode { BY_ROW, BY_COLUMN, BY_BOTH };

enum {
	WIDE = 64, HIGH = 4,		/* work-group of permute_gather */
	STRIP = 4096,			/* columns a work-item of permute_strips
					 * takes at a time */
	EACH = 1 << 16,			/* elements that such an item moves */
	MOST = INT32_MAX / 2,		/* rows and columns a kernel counts */
};

/* The operand as the kernels see it; a vector is one row. */
struct extent {
	size_t m, n, stack;
	bool rows, columns;		/* are they permuted? */
};

static struct extent extent_of(const struct args *args)
{
	const struct matrix *a = &args->in[A];
	const enum mode mode = (enum mode)args->param[MODE];

	if (a->ndim < 2)
		return (struct extent){ 1, a->dim[0], 1, false, true };
	return (struct extent){
		matrix_rows(a), matrix_cols(a), matrix_stack(a),
		mode != BY_COLUMN, mode != BY_ROW,
	};
}

static int check_length(const struct args *args, struct err *e)
{
	const struct extent x = extent_of(args);
	const size_t n = matrix_elements(&args->in[P]);
	char text[MATRIX_SHAPE_TEXT];

	matrix_shape_text(&args->in[A], text);
	if (x.rows && x.columns && x.m != x.n)
		return err_set_at(e, ERR_SHAPE, "/a", "permute: a is %s, must "
		                  "be square for mode symmetric", text);
	if (x.rows && x.m != n)
		return err_set_at(e, ERR_SHAPE, "/p", "permute: a is %.100s: "
		                  "%zu rows, p has %zu indices", text, x.m,
		                  n);
	if (x.columns && x.n != n)
		return err_set_at(e, ERR_SHAPE, "/p", "permute: a is %.100s: "
		                  "%zu %s, p has %zu indices", text, x.n,
		                  args->in[A].ndim < 2 ? "elements" :
		                  "columns", n);
	return 0;
}

static int check(const struct args *args, struct err *e)
{
	const struct matrix *a = &args->in[A], *p = &args->in[P];
	char text[MATRIX_SHAPE_TEXT];

	if (p->ndim != 1)
		return err_set_at(e, ERR_SHAPE, "/p", "permute: p is %s, must "
		                  "be a vector", matrix_shape_text(p, text));
	for (int i = 0; i < a->ndim; i++)
		if (a->dim[i] > MOST)
			return err_set_at(e, ERR_SHAPE, "/a", "permute: "
			                  "dimension %d is %zu, at most %d",
			                  i, a->dim[i], MOST);
	return check_length(args, e);
}

static int shape(struct args *args, struct err *e)
{
	(void)e;
	args->out[0] = args->in[A];
	args->out[0].memory = args->out[0].index = NULL;
	args->out[0].dtype = args->dtype;
	return 0;
}

static double flops(const struct args *args)
{
	(void)args;
	return 0;
}

static double bytes(const struct args *args)
{
	const struct matrix *a = &args->in[A];

	return 2.0 * ((double)matrix_size(a) + (double)matrix_index_size(a));
}

static int refuse_index(const struct matrix *p, size_t i, size_t n,
                        struct err *e)
{
	return err_set_at(e, ERR_MATHEMATICS, "/p", "permute: p is not a "
	                  "permutation: element %zu is %.17g, must be a whole "
	                  "number from 0 to %zu", i, matrix_get(p, i),
	                  n - 1);
}

/* Refuses a p that has the element v twice, at i and at at[v]. */
static int refuse_double(size_t v, size_t i, const int32_t *at, size_t n,
                         struct err *e)
{
	size_t missing = 0;

	while (missing + 1 < n && at[missing] >= 0)
		missing++;
	return err_set_at(e, ERR_MATHEMATICS, "/p", "permute: p is not a "
	                  "permutation: %zu occurs at %d and at %zu, %zu does "
	                  "not occur", v, at[v], i, missing);
}

/* Sets at[p[i]] = i, the inverse; refuses a p that is no permutation. */
static int invert(const struct matrix *p, int32_t *at, struct err *e)
{
	const size_t n = matrix_elements(p);
	size_t twice = n, first = 0;

	for (size_t i = 0; i < n; i++)
		at[i] = -1;
	for (size_t i = 0; i < n; i++) {
		const double v = matrix_get(p, i);

		if (!(v >= 0 && v < (double)n) || v != rint(v))
			return refuse_index(p, i, n, e);
		if (at[(size_t)v] < 0) {
			at[(size_t)v] = (int32_t)i;
		} else if (twice == n) {
			twice = i;
			first = (size_t)v;
		}
	}
	return twice == n ? 0 : refuse_double(first, twice, at, n, e);
}

/* chunks: the kernel's argument of that name, if it has one; or 0. */
static void launch(struct seq *s, struct args *args, const int32_t *gather,
                   const char *kernel, struct grid g, size_t chunks)
{
	const struct extent x = extent_of(args);
	const struct buf a = seq_input(s, &args->in[A]);
	const struct buf b = seq_output(s, &args->out[0]);
	const struct buf none = { 0 }, order = seq_constant(s, gather,
	    matrix_elements(&args->in[P]) * sizeof *gather);

	/* b[i][j] = a[row[i]][column[j]] */
	seq_work(s, 0, bytes(args));
	seq_launch_args(s, kernel, g, (struct arg[]){
	    ARG_BUF(a), ARG_BUF(b), ARG_INT(x.m), ARG_INT(x.n),
	    ARG_BUF(x.rows ? order : none), ARG_BUF(x.columns ? order : none),
	    ARG_INT(chunks), ARG_FIRST(0) }, chunks > 0 ? 8 : 6);
}

static int move(struct seq *s, struct args *args, const int32_t *gather,
                const int32_t *scatter, const char *kernel, struct grid g,
                size_t chunks)
{
	const struct extent x = extent_of(args);

	if (args->in[A].layout == CSR)
		return permute_sparse(&args->out[0], &args->in[A],
		                      x.rows ? gather : NULL,
		                      x.columns ? scatter : NULL, seq_err(s));
	launch(s, args, gather, kernel, g, chunks);
	return seq_finish(s);
}

static int run(struct seq *s, struct args *args, const char *kernel,
               struct grid g, size_t chunks)
{
	const struct matrix *p = &args->in[P];
	const size_t n = matrix_elements(p);
	int32_t *back = malloc((2 * n + 1) * sizeof *back), *forth;
	const bool inverse = args->param[INVERSE] != 0;
	int rc;

	if (!back)
		return err_set(seq_err(s), ERR_MEMORY, "permute: no memory "
		               "for %zu indices", n);
	rc = invert(p, back, seq_err(s));
	forth = back + n;
	for (size_t i = 0; rc == 0 && i < n; i++)
		forth[i] = (int32_t)matrix_get(p, i);
	if (rc == 0)
		rc = move(s, args, inverse ? back : forth,
		          inverse ? forth : back, kernel, g, chunks);
	free(back);
	return rc;
}

/* A sparse matrix takes no device memory, because the host permutes it. */
static void need(const struct args *args, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	(void)v;
	if (args->in[A].layout == CSR)
		return;
	need_matrix(n, d, &args->in[A]);
	need_matrix(n, d, &args->out[0]);
	need_buffer(n, matrix_elements(&args->in[P]) * sizeof(int32_t));
}

static int run_gather(struct seq *s, struct args *args)
{
	const struct extent x = extent_of(args);

	return run(s, args, "permute_gather",
	           GRID3(x.n, x.m, x.stack, WIDE, HIGH, 1), 0);
}

static int run_strips(struct seq *s, struct args *args)
{
	const struct extent x = extent_of(args);
	const size_t width = size_max(1, size_min(x.n, STRIP));

	const size_t chunks = size_blocks(x.m, size_max(1, EACH / width));

	return run(s, args, "permute_strips",
	           GRID1(size_blocks(x.n, STRIP) * chunks * x.stack, 1),
	           chunks);
}

/* Makes a call that reverses the order of the rows if n is even, and of rows
 * and columns if n is odd. */
static int sample(struct args *args, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	struct matrix *a = &args->in[A], *p = &args->in[P];

	*a = (struct matrix){ .dtype = args->dtype, .ndim = 2,
	                      .dim = { n, n } };
	*p = (struct matrix){ .dtype = FLOAT64, .ndim = 1, .dim = { n } };
	args->param[MODE] = n % 2 ? BY_BOTH : BY_ROW;
	if (matrix_alloc(a, pool, e) < 0 || matrix_alloc(p, pool, e) < 0)
		return -1;
	for (size_t i = 0; i < n * n; i++)
		matrix_set(a, i, (double)(i % 1024));
	for (size_t i = 0; i < n; i++)
		matrix_set(p, i, (double)(n - 1 - i));
	return 0;
}

static const char *const modes[] = {
	[BY_ROW] = "row", [BY_COLUMN] = "column", [BY_BOTH] = "symmetric", NULL
};

enum { TYPES = DTYPE_REALS | DTYPE_INTEGERS | DTYPE_COMPLEXES };

const struct op op_permute = {
	.name = "permute",
	.summary = "a matrix with its rows, its columns or both in another "
	           "order",
	.dtypes = TYPES,
	.indices = 1u << P,
	.sparse_too = 1u << A,
	.inputs = (const struct operand[]){
		[A] = { "a", "the matrix, a stack of them, or a vector", 1,
			false, DENSE },
		[P] = { "p", "the permutation of 0, 1, ...: "
			"out[i] = a[p[i]]",
			1, false, DENSE },
		{ 0 }
	},
	.params = (const struct param[]){
		[MODE] = { .name = "mode", .type = PARAM_CHOICE,
			.choices = modes, .help = "what is permuted: the "
				"rows, the columns, or both by the same "
				"permutation; mode has no effect on a "
				"vector" },
		[INVERSE] = { .name = "inverse", .type = PARAM_BOOLEAN,
			.help = "apply the inverse permutation: "
				"out[p[i]] = a[i]" },
		{ 0 }
	},
	.outputs = (const struct output[]){
		{ "a", "the permuted matrix", false },
		{ 0 }
	},
	.variants = (const struct variant[]){
		{ "strips", NEEDS_CPU, DEVICE_CPU, TYPES, "permute_strips",
		  "linalgd", run_strips, .need = need },
		{ "gather", 0, DEVICE_GPU | DEVICE_OTHER, TYPES,
		  "permute_gather", "linalgd", run_gather, .need = need },
		{ 0 }
	},
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.sample = sample,
};
