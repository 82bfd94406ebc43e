/* cut.c - calls whose operands are larger than any buffer of the device are
 * cut, with the same bits as without cutting, or refused with the sizes. */
#include <stdio.h>

#include "base/size.h"
#include "tests/ops/op.h"

enum { KIB = 1024, LARGE = 250000 };

static struct sheet usual;

static void remember(void)
{
	usual = *device_sheet(test_device);
}

static void allow(size_t allocation)
{
	device_limit(test_device, usual.global_memory_bytes, allocation);
}

static void allow_all(void)
{
	device_limit(test_device, usual.global_memory_bytes,
	             usual.max_allocation_bytes);
}

/* A call, and the device's largest allocation. */
struct question {
	const char *op, *variant, *dtype;
	const struct matrix *in;
	int n_in;
	const char *const *param;	/* two, by name */
	size_t allocation;
};

static int ask(const struct question *q, struct args *a, struct err *e)
{
	const char *const *p = q->param;

	return op_try(q->op, q->in, q->n_in, a, e, "variant", q->variant,
	              "dtype", q->dtype, p[0], p[1], p[0] ? p[2] : NULL,
	              p[3], NULL);
}

static void check_bits(const struct args *a, const struct args *b,
                       const struct question *q, const char *how)
{
	for (int i = 0; i < OP_OUTPUTS; i++) {
		const struct matrix *x = &a->out[i], *y = &b->out[i];

		ck_assert_int_eq(x->ndim, y->ndim);
		if (x->ndim == MATRIX_ABSENT || matrix_size(x) == 0)
			continue;
		ck_assert_msg(!memcmp(x->memory->data, y->memory->data,
		                      matrix_size(x)), "%s, variant %s of %s, "
		              "%s %s, %s %s: other bits in pieces of %zu, %s",
		              q->op, q->variant, q->dtype, q->param[0],
		              q->param[1], q->param[2], q->param[3],
		              q->allocation, how);
	}
}

/* A product of integers that overflows int64 must be refused when cut, too. */
static void check_same(const struct question *q)
{
	struct err e = { 0 }, again = { 0 };
	struct args whole, cut;
	const int rc = ask(q, &whole, &e);

	ck_assert_msg(rc == 0 || e.code == ERR_MATHEMATICS, "%s", e.text);
	for (int copies = 0; copies < 2; copies++) {
		device_copies = copies;
		allow(q->allocation);
		ck_assert_int_eq(ask(q, &cut, &again), rc);
		allow_all();
		ck_assert_int_eq(again.code, e.code);
		if (rc == 0) {
			check_bits(&whole, &cut, q,
			           copies ? "copied" : "mapped");
			args_fini(&cut);
		}
	}
	device_copies = false;
	if (rc == 0)
		args_fini(&whole);
}

static void each_dtype(struct question *q, const struct matrix *in, int n_in)
{
	struct matrix own[OP_INPUTS];
	static const enum dtype types[] = { FLOAT32, FLOAT64, INT32 };
	struct err e = { 0 };

	for (size_t t = 0; t < COUNT(types); t++) {
		if (!(op_variant(op_find(q->op), q->variant)->dtypes &
		      op_usual_dtypes(op_find(q->op)) & DTYPE_BIT(types[t])))
			continue;
		for (int i = 0; i < n_in; i++) {
			own[i] = matrix_ref(&in[i]);
			ck_ok(matrix_convert(&own[i], types[t], test_pool,
			                     &e), &e);
		}
		q->in = own;
		q->n_in = n_in;
		q->dtype = dtype_name(types[t]);
		check_same(q);
		for (int i = 0; i < n_in; i++)
			matrix_fini(&own[i]);
	}
}

/* The sizes of op(A) op(B), and the largest allocation; the comment says which
 * matrix is larger than that. */
static const struct product_case {
	size_t stack, m, k, n, allocation;
} products[] = {
	{ 1, 200, 60, 150, 16 * KIB },		/* all three */
	{ 1, 200, 60, 20, 16 * KIB },		/* A */
	{ 1, 20, 60, 200, 16 * KIB },		/* B */
	{ 1, 150, 3, 170, 16 * KIB },		/* C */
	{ 1, 8, 3000, 8, 100 * KIB },		/* deep: k in parts */
	{ 1, 500, 500, 500, 400 * KIB },	/* packed by some variants */
	{ 1, 900, 40, 800, 100 * KIB },		/* tensor cores cut it, too */
	{ 1, 700, 90, 1, 50 * KIB },		/* a column */
	{ 1, 1, 90, 700, 50 * KIB },		/* a row */
	{ 1, 40, 20000, 1, 2800 * KIB },	/* long columns */
	{ 5, 20, 30, 40, 12 * KIB },		/* matrix by matrix */
	{ 7, 20, 30, 40, 30 * KIB },		/* several at a time */
	{ 3, 60, 50, 70, 12 * KIB },		/* and each is cut */
};

/* Where nothing is packed, the kernels are those of smaller products. */
static bool is_of_use(const struct variant *v, const struct product_case *c)
{
	return c->m * c->n < LARGE || strcmp(v->name, "packed") == 0 ||
	       strcmp(v->name, "tensor") == 0;
}

/* The smallest allocation that the variant needs. Tensor cores need the packed
 * operands of a tile: where these do not fit, another kernel computes the
 * product, with other bits. */
static size_t least_piece(const struct variant *v,
                          const struct product_case *c)
{
	enum { MOST_LINES = 256, SLAB = 32 };

	return strcmp(v->name, "tensor") ? 0 :
	       (c->k + SLAB) * MOST_LINES * sizeof(float);
}

static void check_product(const struct variant *v, const struct product_case *c,
                          bool ta, bool tb, bool shared)
{
	const struct matrix in[] = {
		random_matrix(FLOAT64, 1, 3, shared ? (size_t)1 : c->stack,
		              ta ? c->k : c->m, ta ? c->m : c->k),
		random_matrix(FLOAT64, 2, 3, c->stack, tb ? c->n : c->k,
		              tb ? c->k : c->n),
	};
	struct question q = {
		.op = "matmul", .variant = v->name,
		.allocation = size_max(c->allocation, least_piece(v, c)),
		.param = (const char *const[]){
		    "transpose_a", ta ? "true" : "false",
		    "transpose_b", tb ? "true" : "false" },
	};

	each_dtype(&q, in, 2);
	for (int i = 0; i < 2; i++)
		memory_unref(in[i].memory);
}

static void check_products(const struct variant *v)
{
	for (size_t i = 0; i < COUNT(products); i++)
		for (int t = 0; t < 4 && is_of_use(v, &products[i]); t++)
			check_product(v, &products[i], t & 1, t & 2, false);
	check_product(v, &products[11], false, false, true);
}

START_TEST(products_keep_their_bits)
{
	remember();
	each_variant("matmul", check_products);
}
END_TEST

static const char *const reductions[] = {
	"sum", "prod", "min", "max", "mean", "norm1", "norm2", "norminf",
	"argmin", "argmax", NULL
};

/* Shapes, axis by axis; 65537 has a block of one element at its end. */
static const struct reduce_case {
	size_t dim[3];
	const char *axis;		/* NULL: all */
	size_t allocation;
} lines[] = {
	{ { 1, 1, 65537 }, NULL, 64 * KIB },
	{ { 3, 7, 5000 }, NULL, 200 * KIB },
	{ { 6, 20000, 1 }, "1", 70 * KIB },
	{ { 6, 20000, 1 }, "1", 400 * KIB },
	{ { 20000, 3, 2 }, "0", 600 * KIB },
	{ { 4, 50, 60 }, "2", 30 * KIB },
	{ { 4, 50, 60 }, "0", 100 * KIB },
};

static struct matrix of_range(const struct reduce_case *c, unsigned kind)
{
	struct matrix m = random_matrix(FLOAT64, 3, 3, c->dim[0], c->dim[1],
	                                c->dim[2]);

	/* Few values, so that many are equal; or values whose squares
	 * overflow. */
	for (size_t i = 0; i < matrix_elements(&m); i++)
		matrix_set(&m, i, kind ? matrix_get(&m, i) * 1e200 :
		           rint(matrix_get(&m, i) * 9));
	return m;
}

static void check_reduce(const struct variant *v, const struct reduce_case *c,
                         const char *op)
{
	const char *param[] = { "op", op, c->axis ? "axis" : NULL, c->axis };
	struct question q = { .op = "reduce", .variant = v->name,
	                      .param = param, .allocation = c->allocation };
	struct matrix m = of_range(c, 0);

	each_dtype(&q, &m, 1);
	matrix_fini(&m);
	if (strcmp(op, "norm2"))
		return;
	m = of_range(c, 1);
	q.in = &m;
	q.n_in = 1;
	q.dtype = "float64";
	check_same(&q);
	matrix_fini(&m);
}

static void check_reductions(const struct variant *v)
{
	if (strncmp(v->name, "canonical", 9))
		return;
	for (size_t i = 0; i < COUNT(lines); i++)
		for (int k = 0; reductions[k]; k++)
			check_reduce(v, &lines[i], reductions[k]);
}

START_TEST(reductions_keep_their_bits)
{
	remember();
	each_variant("reduce", check_reductions);
}
END_TEST

static void check_transposes(const struct variant *v)
{
	static const struct { int ndim; size_t dim[3]; } shapes[] = {
		{ 2, { 300, 70 } }, { 2, { 70, 300 } }, { 2, { 200, 200 } },
		{ 3, { 9, 20, 30 } }, { 3, { 2, 90, 80 } },
		{ 1, { 20000 } }, { 2, { 1, 20000 } }, { 2, { 20000, 1 } },
	};
	struct question q = { .op = "transpose", .variant = v->name,
	                      .param = (const char *const[4]){ 0 },
	                      .allocation = 16 * KIB };

	for (size_t i = 0; i < COUNT(shapes); i++) {
		struct matrix m = random_matrix(FLOAT64, 4, shapes[i].ndim,
		    shapes[i].dim[0], shapes[i].dim[1], shapes[i].dim[2]);

		for (size_t k = 0; k < matrix_elements(&m); k++)
			matrix_set(&m, k, rint(matrix_get(&m, k) * 1e6));
		each_dtype(&q, &m, 1);
		matrix_fini(&m);
	}
}

START_TEST(transposes_keep_their_bits)
{
	remember();
	each_variant("transpose", check_transposes);
}
END_TEST

/* Asserts a refusal because of that size, which the detail gives beside the
 * limit. */
static void check_refused(const char *op, const char *variant, size_t needed,
                          size_t there, const struct matrix *in, int n_in)
{
	struct err e = { 0 };
	struct args a;
	char text[32];

	ck_refused(op_try(op, in, n_in, &a, &e, "variant", variant, NULL), &e,
	           ERR_TOO_LARGE);
	snprintf(text, sizeof text, " %zu ", needed);
	ck_assert_msg(strstr(e.text, text) != NULL, "%s: no%s", e.text, text);
	snprintf(text, sizeof text, " %zu", there);
	ck_assert_msg(strstr(e.text, text) != NULL, "%s: no%s", e.text, text);
}

START_TEST(what_cannot_be_cut_is_refused)
{
	struct matrix m = random_matrix(FLOAT64, 5, 2, (size_t)100,
	                                (size_t)100);
	/* Six products, whose matrices are shared between them. */
	struct matrix stacks[] = {
		random_matrix(FLOAT64, 6, 4, (size_t)2, (size_t)1, (size_t)20,
		              (size_t)30),
		random_matrix(FLOAT64, 7, 4, (size_t)1, (size_t)3, (size_t)30,
		              (size_t)40),
	};

	remember();
	allow(79999);
	check_refused("lu", "tiled", 80000, 79999, &m, 1);
	check_refused("reduce", "serial", 80000, 79999, &m, 1);
	check_refused("eigen", "fused-group", 80000, 79999, &m, 1);
	allow(38399);
	check_refused("matmul", "register-tile", 38400, 38399, stacks, 2);
	allow_all();
	matrix_fini(&m);
	matrix_fini(&stacks[0]);
	matrix_fini(&stacks[1]);
}
END_TEST

/* Exactly as much as it needs is enough; a byte less is not. */
START_TEST(what_is_larger_than_the_memory_is_refused)
{
	struct matrix m = random_matrix(FLOAT64, 5, 2, (size_t)100,
	                                (size_t)100);
	struct err e = { 0 };
	struct args a;
	struct need n;
	size_t memory;

	remember();
	ck_ok(op_try("lu", &m, 1, &a, &e, "variant", "tiled", NULL), &e);
	n = need_now(&a);
	args_fini(&a);
	memory = n.bytes;
	while (memory - memory / SHEET_HEADROOM < n.bytes)
		memory++;
	device_limit(test_device, memory, usual.max_allocation_bytes);
	ck_ok(op_try("lu", &m, 1, &a, &e, "variant", "tiled", NULL), &e);
	args_fini(&a);
	memory--;
	device_limit(test_device, memory, usual.max_allocation_bytes);
	check_refused("lu", "tiled", n.bytes, memory - memory / SHEET_HEADROOM,
	              &m, 1);
	allow_all();
	matrix_fini(&m);
}
END_TEST

TCase *tcase_cut(void)
{
	TCase *c = tcase_create("cut");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, products_keep_their_bits);
	tcase_add_test(c, reductions_keep_their_bits);
	tcase_add_test(c, transposes_keep_their_bits);
	tcase_add_test(c, what_cannot_be_cut_is_refused);
	tcase_add_test(c, what_is_larger_than_the_memory_is_refused);
	return c;
}
