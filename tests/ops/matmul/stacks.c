/* stacks.c - vectors and stacks multiply as in NumPy's matmul: leading
 * dimensions broadcast, and the product has no dimension for a vector's. */
#include "tests/ops/matmul/matmul.h"

static const char *const truth[] = { "false", "true" };

/* The shapes of the operands, and the shape that NumPy gives their product. 0
 * ends a shape. */
struct stacks {
	size_t a[6], b[6], c[6];
	bool ta, tb;
};

static const struct stacks stacks[] = {
	{ { 4 }, { 4 }, { 0 }, false, false },
	{ { 4 }, { 4, 3 }, { 3 }, false, false },
	{ { 4 }, { 3, 4 }, { 3 }, true, true },
	{ { 5, 4 }, { 4 }, { 5 }, false, false },
	{ { 4, 5 }, { 4 }, { 5 }, true, true },
	{ { 3, 5, 4 }, { 4 }, { 3, 5 }, false, false },
	{ { 3, 4, 5 }, { 4 }, { 3, 5 }, true, false },
	{ { 4 }, { 3, 4, 5 }, { 3, 5 }, false, false },
	{ { 4 }, { 3, 5, 4 }, { 3, 5 }, false, true },
	{ { 7, 5, 4 }, { 7, 4, 3 }, { 7, 5, 3 }, false, false },
	{ { 7, 5, 4 }, { 4, 3 }, { 7, 5, 3 }, false, false },
	{ { 7, 4, 5 }, { 4, 3 }, { 7, 5, 3 }, true, false },
	{ { 5, 4 }, { 7, 3, 4 }, { 7, 5, 3 }, false, true },
	{ { 2, 1, 5, 4 }, { 3, 4, 2 }, { 2, 3, 5, 2 }, false, false },
	{ { 3, 1, 2, 5, 4 }, { 1, 4, 1, 4, 2 }, { 3, 4, 2, 5, 2 }, false,
	  false },
	{ { 1, 1, 5, 4 }, { 4, 2 }, { 1, 1, 5, 2 }, false, false },
	{ { 5, 1, 70 }, { 5, 70, 1 }, { 5, 1, 1 }, false, false },
	{ { 3, 40, 70 }, { 3, 70, 33 }, { 3, 40, 33 }, false, false },
};

/* The operands are so large that they are packed, and so deep that k is
 * split. */
static const struct stacks large_stacks[] = {
	{ { 2, 400, 350 }, { 2, 350, 450 }, { 2, 400, 450 }, false, false },
	{ { 2, 1, 350, 400 }, { 3, 450, 350 }, { 2, 3, 400, 450 }, true,
	  true },
	{ { 3, 20, 2100 }, { 3, 2100, 5 }, { 3, 20, 5 }, false, false },
	{ { 2, 1, 5, 4200 }, { 3, 70, 4200 }, { 2, 3, 5, 70 }, false, true },
};

static int dims_of(const size_t *x)
{
	int n = 0;

	while (x[n])
		n++;
	return n;
}

static struct matrix random_of(enum dtype t, unsigned seed, const size_t *x)
{
	size_t count = 1;
	struct matrix m;

	for (int i = 0; x[i]; i++)
		count *= x[i];
	m = random_matrix(t, seed, 1, count);
	m.ndim = dims_of(x);
	for (int i = 0; i < m.ndim; i++)
		m.dim[i] = x[i];
	return m;
}

/* The first element of the matrix that product number s of a stack shaped
 * like c uses from x. */
static size_t first_of(const struct matrix *x, const size_t *lead, int n_lead,
                       size_t s)
{
	size_t step = matrix_rows(x) * (x->ndim > 1 ? matrix_cols(x) : 1);
	size_t at = 0;

	for (int d = n_lead - 1, own = x->ndim - 3; d >= 0; d--, own--) {
		size_t digit = s % lead[d];

		s /= lead[d];
		if (own < 0)
			continue;
		at += x->dim[own] == 1 ? 0 : digit * step;
		step *= x->dim[own];
	}
	return at;
}

static void try_stack(const struct variant *v, const struct stacks *of)
{
	struct matrix in[2] = { random_of(FLOAT64, 3, of->a),
	                        random_of(FLOAT64, 4, of->b) };
	const size_t *z = of->c;
	bool row = in[0].ndim == 1, column = in[1].ndim == 1;
	struct factors f = { .a = &in[0], .b = &in[1],
	                     .ta = of->ta && !row,
	                     .tb = of->tb && !column };
	int n_lead = dims_of(z) - !row - !column;
	size_t stack = 1;
	struct args a;

	op_run("matmul", in, 2, &a, "variant", v->name, "transpose_a",
	       truth[of->ta], "transpose_b", truth[of->tb], NULL);
	ck_assert_int_eq(a.out[0].ndim, dims_of(z));
	for (int d = 0; d < a.out[0].ndim; d++)
		ck_assert_uint_eq(a.out[0].dim[d], z[d]);
	f.m = row ? 1 : z[n_lead];
	f.n = column ? 1 : z[n_lead + !row];
	f.k = column ? in[1].dim[0] :
	      in[1].dim[in[1].ndim - (f.tb ? 1 : 2)];
	for (int d = 0; d < n_lead; d++)
		stack *= z[d];
	for (size_t s = 0; s < stack; s++) {
		f.a_at = first_of(&in[0], z, n_lead, s);
		f.b_at = first_of(&in[1], z, n_lead, s);
		f.c_at = s * f.m * f.n;
		check_product(&f, &a.out[0]);
	}
	args_fini(&a);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void try_stacks(const struct variant *v)
{
	for (size_t i = 0; i < COUNT(stacks); i++)
		try_stack(v, &stacks[i]);
}

static void try_large_stacks(const struct variant *v)
{
	for (size_t i = 0; i < COUNT(large_stacks); i++)
		try_stack(v, &large_stacks[i]);
}

START_TEST(vectors_and_stacks_multiply_as_in_numpy)
{
	each_variant("matmul", try_stacks);
	served_variant(try_large_stacks);
}
END_TEST

void matmul_add_stacks(TCase *t)
{
	tcase_add_test(t, vectors_and_stacks_multiply_as_in_numpy);
}
