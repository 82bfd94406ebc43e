/* reflect.c - C = (I - V op(T) V^T) C and C (I - V op(T) V^T), by T and by
 * Y = V T, against sums on the host. */
#include "ops/blas/reflect.h"
#include "tests/ops/op.h"

enum { STACK = 2, ROWS = 70, NB = 9, OTHER = 21, LDX = 32,
       LEFT = 1, TURNED = 2, BY_Y = 4, HOWS = 8 };

static double get(const struct matrix *m, size_t s, size_t i, size_t j)
{
	return matrix_get(m, (s * matrix_rows(m) + i) * matrix_cols(m) + j);
}

/* Returns V op(T), or Y for the product that the device is given. */
static struct matrix times_t(const struct matrix *v, const struct matrix *t,
                             bool turned)
{
	struct matrix y = random_matrix(v->dtype, 1, 3, (size_t)STACK,
	                                (size_t)ROWS, (size_t)NB);

	for (size_t e = 0; e < matrix_elements(&y); e++) {
		const size_t s = e / (ROWS * NB), i = e / NB % ROWS;
		const size_t j = e % NB;
		double sum = 0;

		for (size_t k = 0; k < NB; k++)
			sum += get(v, s, i, k) *
			       (turned ? get(t, s, j, k) : get(t, s, k, j));
		matrix_set(&y, e, sum);
	}
	return y;
}

/* Returns element (i, j) of what C becomes, where y = V op(T). */
static double wanted(const struct matrix *v, const struct matrix *y,
                     const struct matrix *c, bool left, size_t s, size_t i,
                     size_t j)
{
	double sum = get(c, s, i, j);

	for (size_t k = 0; k < NB; k++) {
		double x = 0;

		for (size_t r = 0; r < ROWS; r++)
			x += left ? get(v, s, r, k) * get(c, s, r, j) :
			            get(c, s, i, r) * get(y, s, r, k);
		sum -= x * (left ? get(y, s, i, k) : get(v, s, j, k));
	}
	return sum;
}

static void apply(struct seq *s, const struct matrix *v,
                  const struct matrix *t, const struct matrix *y,
                  const struct blas_part *c, int how)
{
	struct blas_reflect h = {
		.stack = STACK, .rows = ROWS, .nb = NB,
		.v = { seq_input(s, v), 0, NB, ROWS * NB, false },
	};

	for (int i = 0; i < 2; i++)
		h.x[i] = seq_scratch(s, STACK * NB * LDX * sizeof(double));
	h.ldx = how & BY_Y ? LDX : 0;
	if (how & BY_Y)
		h.y = (struct blas_part){ seq_input(s, y), 0, NB, ROWS * NB,
		                          false };
	else
		h.t = (struct blas_part){ seq_input(s, t), 0, NB, NB * NB,
		                          false };
	(how & LEFT ? blas_reflect_left : blas_reflect_right)
	    (s, &h, how & TURNED, c, OTHER);
}

static void one(enum dtype type, int how)
{
	const size_t rows = how & LEFT ? ROWS : OTHER;
	const size_t cols = how & LEFT ? OTHER : ROWS;
	struct matrix v = random_matrix(type, 2, 3, (size_t)STACK,
	                                (size_t)ROWS, (size_t)NB);
	struct matrix t = random_matrix(type, 3, 3, (size_t)STACK, (size_t)NB,
	                                (size_t)NB);
	struct matrix c = random_matrix(type, 4, 3, (size_t)STACK, rows, cols);
	struct matrix got = random_matrix(type, 5, 3, (size_t)STACK, rows,
	                                  cols);
	struct matrix y = times_t(&v, &t, false);
	struct matrix turned = times_t(&v, &t, how & TURNED);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, type, TIMING_FULL, &e);
	const struct blas_part to = { seq_output(s, &got), 0, cols,
	                              rows * cols, false };

	seq_copy(s, seq_input(s, &c), 0, to.b, 0, matrix_size(&c));
	apply(s, &v, &t, &y, &to, how);
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	for (size_t k = 0; k < matrix_elements(&c); k++)
		ck_assert_double_eq_tol(matrix_get(&got, k),
		    wanted(&v, &turned, &c, how & LEFT, k / (rows * cols),
		           k / cols % rows, k % cols),
		    1000 * ROWS * dtype_epsilon(type));
	matrix_fini(&v);
	matrix_fini(&t);
	matrix_fini(&c);
	matrix_fini(&got);
	matrix_fini(&y);
	matrix_fini(&turned);
}

START_TEST(reflections_are_applied_by_t_and_by_y)
{
	for (int how = 0; how < HOWS; how++) {
		one(FLOAT32, how);
		one(FLOAT64, how);
	}
}
END_TEST

void reflect_tests(TCase *c);

void reflect_tests(TCase *c)
{
	tcase_add_test(c, reflections_are_applied_by_t_and_by_y);
}
