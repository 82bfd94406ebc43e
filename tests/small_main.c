/* small_main.c - runs every operation, variant and dtype once at a few small
 * sizes, for a checker of kernels (Oclgrind), which is a thousand times slower
 * than a device. Other tests judge the results; this one only requires that
 * each call succeeds. Arguments, if there are any, name the operations to
 * run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "device/device.h"
#include "device/seq.h"
#include "matrix/sparse.h"
#include "ops/execute.h"
#include "ops/variant.h"

/* The last one is beyond blocks of 64, by as little as leaves a part of a tile
 * of 4 over: the work grows with its third power. Only the first real and the
 * first complex type that a variant runs have it, because the text of kernels
 * is the same for all of them. */
static const size_t sizes[] = { 1, 5, 18, 37, 66 };

/* Calls of a smaller size that reach the same code. matmul's samples of these
 * even sizes are deep, k = 64 n. The first size makes two rounds along k in
 * matmul_small and in matmul_integer_bits, which the variant for CPUs runs. For
 * the kernels of the others any k counts as deep from 256 on. svd's rotations
 * go on in sweeps, whose work grows with the third power of the size: 22 is
 * beyond blocks of 16, too, and 7 is odd. A square matrix is too small for qr's
 * Cholesky: its calls are those of "blocked". */
static const struct {
	const char *op, *variant;
	size_t size, instead;
} smaller[] = {
	{ "matmul", "register-tile", 18, 4 },
	{ "matmul", "naive", 18, 4 },
	{ "matmul", "local-tile", 18, 4 },
	{ "matmul", "subgroup-broadcast", 18, 4 },
	{ "svd", "jacobi", 18, 7 },
	{ "svd", "jacobi", 37, 22 },
	{ "qr", "cholesky", 66, 37 },
};

static int run(struct device *d, struct args *a, struct err *e)
{
	struct seq *s = seq_new(d, a->dtype, TIMING_FULL, e);
	int rc;

	if (!s)
		return -1;
	rc = op_execute(s, a);
	seq_free(s);
	return rc;
}

/* Solves sparse real systems by the iterative methods, which no sample of solve
 * does. They launch the same kernels at every size, so that the smallest and
 * the largest suffice. */
static const struct iteration {
	const char *method, *preconditioner;
} iterations[] = {
	{ "cg", "none" }, { "cg", "ichol0" }, { "minres", "jacobi" },
	{ "gmres", "ilu0" }, { "bicgstab", "ilu0" }, { "jacobi", "auto" },
};

/* Makes operand 0 tridiagonal and sets the parameters. */
static int make_iteration(struct args *a, const struct iteration *y, size_t n,
                          struct memory_pool *p, struct err *e)
{
	struct sparse_entry x[3 * 66];
	size_t count = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i > 0 ? i - 1 : 0; j < n && j < i + 2; j++)
			x[count++] = (struct sparse_entry){ i, j,
			                                    i == j ? 3 : -1 };
	matrix_fini(&a->in[0]);
	a->in[0] = (struct matrix){ .ndim = 2, .dim = { n, n } };
	return sparse_build(&a->in[0], x, count, p, e) < 0 ||
	       args_set(a, op_param(a->op, "method"), y->method, e) < 0 ||
	       args_set(a, op_param(a->op, "preconditioner"),
	                y->preconditioner, e) < 0 ? -1 : 0;
}

/* `y` is NULL for a call with the operation's sample. */
static int call(struct device *d, struct memory_pool *p,
                const struct variant *v, const struct op *o,
                const struct iteration *y, enum dtype t, size_t n,
                struct err *e)
{
	struct args a;
	int rc;

	args_init(&a, o);
	a.dtype = t;
	a.variant = v;
	a.want = ~0u;
	rc = o->sample(&a, n, p, e);
	if (rc == 0 && y)
		rc = make_iteration(&a, y, n, p, e);
	for (int i = 0; rc == 0 && o->inputs[i].name; i++)
		if (a.in[i].ndim != MATRIX_ABSENT)
			rc = matrix_convert(&a.in[i],
			                    args_operand_dtype(&a, i), p, e);
	if (rc == 0)
		rc = args_check(&a, e);
	if (rc == 0)
		rc = args_alloc(&a, p, e);
	if (rc == 0)
		rc = run(d, &a, e);
	args_fini(&a);
	return rc;
}

static size_t size_for(const struct op *o, const struct variant *v, size_t n)
{
	size_t size = n;

	for (size_t i = 0; i < COUNT(smaller); i++)
		if (smaller[i].size == n &&
		    strcmp(smaller[i].op, o->name) == 0 &&
		    strcmp(smaller[i].variant, v->name) == 0)
			size = smaller[i].instead;
	return size;
}

static bool is_first(const struct variant *v, enum dtype t,
                     const struct sheet *d)
{
	bool first = true;

	for (enum dtype before = 0; before < t; before++)
		first &= dtype_is_complex(before) != dtype_is_complex(t) ||
		         !variant_runs(v, before, d);
	return first;
}

/* Runs a variant for one dtype at its sizes. Returns 0, or 1 after it has
 * printed the first failure. */
static int try_variant(struct device *d, struct memory_pool *p,
                       const struct op *o, const struct variant *v,
                       const struct iteration *y, enum dtype t)
{
	const size_t last = is_first(v, t, device_sheet(d)) ?
	                    COUNT(sizes) - 1 : COUNT(sizes) - 2;
	const size_t step = y ? last : 1;

	for (size_t i = 0; i <= last; i += step) {
		const size_t n = size_for(o, v, sizes[i]);
		struct err e = { 0 };

		if (call(d, p, v, o, y, t, n, &e) == 0)
			continue;
		printf("%s %s %s %s, n = %zu: %s\n", o->name,
		       y ? y->method : "", v->name, dtype_name(t), n, e.text);
		return 1;
	}
	return 0;
}

static bool iterates(const struct op *o, const struct variant *v, enum dtype t)
{
	return strcmp(o->name, "solve") == 0 && !v->streams &&
	       !dtype_is_complex(t);
}

/* Returns how many of the operation's calls failed. */
static int try_all(struct device *d, struct memory_pool *p, const struct op *o,
                   const struct variant *v, enum dtype t)
{
	int failed = try_variant(d, p, o, v, NULL, t);

	for (size_t i = 0; iterates(o, v, t) && i < COUNT(iterations); i++)
		failed += try_variant(d, p, o, v, &iterations[i], t);
	return failed;
}

/* Variants whose work-groups pass results to later work-groups by atomic
 * counters, which Oclgrind reports as data races. */
static const struct { const char *op, *variant; } handing_on[] = {
	{ "cholesky", "dataflow" },
};

static bool hands_on(const struct op *o, const struct variant *v)
{
	bool found = false;

	for (size_t i = 0; i < COUNT(handing_on); i++)
		found |= strcmp(handing_on[i].op, o->name) == 0 &&
		         strcmp(handing_on[i].variant, v->name) == 0;
	return found;
}

static bool is_named(const struct op *o, int count, char *const *names)
{
	bool found = count == 0;

	for (int i = 0; i < count; i++)
		found |= strcmp(names[i], o->name) == 0;
	return found;
}

int main(int argc, char **argv)
{
	struct err e = { 0 };
	struct memory_pool *p = memory_pool_new((size_t)1 << 30, &e);
	struct device *d = p ? device_open(0, NULL, &e) : NULL;
	int passed = 0, failed = 0;

	if (!d) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	printf("device: %s\n", device_sheet(d)->name);
	for (const struct op *const *o = ops; *o; o++)
		for (const struct variant *v = (*o)->variants; v->name; v++)
			for (int t = 0; t < DTYPE_COUNT; t++) {
				if (!is_named(*o, argc - 1, argv + 1) ||
				    hands_on(*o, v) ||
				    !variant_runs(v, (enum dtype)t,
				                  device_sheet(d)))
					continue;
				if (try_all(d, p, *o, v, (enum dtype)t))
					failed++;
				else
					passed++;
			}
	device_close(d);
	memory_pool_free(p);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
