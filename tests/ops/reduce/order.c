/* order.c - reductions give the same bits by every variant,
 * axis and work-group count: those of docs/reduction-order.md. */
#include <math.h>
#include <stdio.h>

#include "tests/ops/reduce/reduce.h"

/* The canonical order, implemented once more from its description. */

struct part {
	double s, e;
};

static struct part add(struct part a, struct part b)
{
	double s = a.s + b.s, d = s - a.s;

	return (struct part){ s, (a.e + b.e) +
	                         ((a.s - (s - d)) + (b.s - d)) };
}

static struct part in_order(const struct part *x, size_t n)
{
	size_t blocks = size_max(size_blocks(n, 8192), 1);
	struct part *parts = calloc(blocks, sizeof *parts), all;

	ck_assert_ptr_nonnull(parts);
	for (size_t b = 0; b < blocks; b++) {
		struct part lane[32] = { 0 };

		for (size_t i = b * 8192; i < size_min(n, (b + 1) * 8192); i++)
			lane[i % 32] = add(lane[i % 32], x[i]);
		for (size_t h = 16; h; h /= 2)
			for (size_t l = 0; l < h; l++)
				lane[l] = add(lane[l], lane[l + h]);
		parts[b] = lane[0];
	}
	all = blocks == 1 ? parts[0] : in_order(parts, blocks);
	free(parts);
	return all;
}

/* Elements that differ by up to 2^120 and cancel in pairs, so that of a sum
 * only its rounding errors remain, which differ from one order to another. For
 * products such elements would show nothing. */
static void make_telling(struct matrix *m, enum reduce_op op)
{
	size_t n = matrix_elements(m);

	for (size_t i = 0; i < n; i++) {
		double x = matrix_get(m, i);

		if (dtype_is_integer(m->dtype) && op == REDUCE_PROD)
			x = reduce_factor(i);
		else if (dtype_is_integer(m->dtype))
			x = (double)(i * 7919 % 2003) - 1001;
		else if (op == REDUCE_PROD)
			x = 1 + x / 64;
		else
			x = ldexp(x, (int)(i * 37 % 121) - 60);
		matrix_set(m, i, x);
	}
	for (size_t i = 0; op != REDUCE_PROD && i < n / 2; i++)
		matrix_set(m, n - 1 - i, -matrix_get(m, i));
}

START_TEST(the_order_is_the_one_that_is_documented)
{
	for (size_t i = 0; i < REDUCE_LENGTHS; i++) {
		size_t n = reduce_lengths[i];
		struct part *x = calloc(n + 1, sizeof *x), sum, squares;
		struct matrix m = random_matrix(FLOAT64, 5, 1, n);

		ck_assert_ptr_nonnull(x);
		make_telling(&m, REDUCE_SUM);
		for (size_t j = 0; j < n; j++)
			x[j].s = matrix_get(&m, j);
		sum = in_order(x, n);
		for (size_t j = 0; j < n; j++) {
			double y = x[j].s;

			x[j] = (struct part){ y * y, 0 };
		}
		squares = in_order(x, n);
		EACH_VARIANT(v) {
			ck_assert_double_eq(reduce_value(&m, FLOAT64,
			    REDUCE_SUM, *v), sum.s + sum.e);
			ck_assert_double_eq(reduce_value(&m, FLOAT64,
			    REDUCE_NORM2, *v),
			    sqrt(squares.s + squares.e));
		}
		matrix_fini(&m);
		free(x);
	}
}
END_TEST

static const size_t shapes[][3] = {
	{ 1, 1, 1 }, { 2, 3, 5 }, { 3, 33, 7 }, { 2, 31, 65 }, { 5, 1, 64 },
	{ 1, 8193, 3 }, { 8225, 1, 1 }, { 2, 8, 8200 }, { 9, 40, 130 },
};

static struct matrix block_of(enum dtype t, const size_t d[3],
                              enum reduce_op op)
{
	struct matrix m = random_matrix(t, 9, 3, d[0], d[1], d[2]);

	make_telling(&m, op);
	return m;
}

static void same_bits(const struct matrix *a, const struct matrix *b,
                      const char *what)
{
	ck_assert_int_eq(a->dtype, b->dtype);
	ck_assert_uint_eq(matrix_size(a), matrix_size(b));
	ck_assert_msg(memcmp(matrix_data(a), matrix_data(b),
	                     matrix_size(a)) == 0, "%s: other bits: %a %a",
	              what, matrix_get(a, 0), matrix_get(b, 0));
}

static void groups_agree(const struct matrix *m, enum reduce_op op,
                         const char *axis)
{
	static const size_t counts[] = { 1, 7, 64 };
	struct matrix first = reduce(m, m->dtype, op, axis, "canonical-group");

	for (size_t i = 0; i < COUNT(counts); i++)
		EACH_VARIANT(v) {
			struct matrix next;

			reduce_groups = counts[i];
			next = reduce(m, m->dtype, op, axis, *v);
			reduce_groups = 0;
			same_bits(&first, &next, reduce_names[op]);
			matrix_fini(&next);
		}
	matrix_fini(&first);
}

START_TEST(variants_and_group_counts_give_the_same_bits)
{
	for (size_t t = 0; t < REDUCE_DTYPES; t++)
		for (int op = 0; op < REDUCE_OPS; op++) {
			struct matrix m = block_of(reduce_dtypes[t],
			                           shapes[_i], op);

			groups_agree(&m, op, NULL);
			groups_agree(&m, op, "0");
			groups_agree(&m, op, "1");
			groups_agree(&m, op, "2");
			matrix_fini(&m);
		}
}
END_TEST

/* The line through element (o, ., i) of an outer x n x inner array, as a
 * vector. */
static struct matrix line_of(const struct matrix *m, size_t o, size_t n,
                             size_t inner, size_t i)
{
	struct matrix line = random_matrix(m->dtype, 1, 1, n);

	for (size_t j = 0; j < n; j++)
		matrix_set(&line, j, matrix_get(m, (o * n + j) * inner + i));
	return line;
}

static void axis_agrees(const struct matrix *m, enum reduce_op op, int axis,
                        const char *variant)
{
	size_t outer = 1, inner = 1, n = m->dim[axis];
	char text[12];
	struct matrix all;

	for (int i = 0; i < m->ndim; i++)
		*(i < axis ? &outer : &inner) *= i == axis ? 1 : m->dim[i];
	snprintf(text, sizeof text, "%d", axis % 2 ? axis : axis - m->ndim);
	all = reduce(m, m->dtype, op, text, variant);
	ck_assert_int_eq(all.ndim, m->ndim - 1);
	ck_assert_uint_eq(matrix_elements(&all), outer * inner);
	for (size_t k = 0; k < outer * inner; k += 1 + outer * inner / 6) {
		struct matrix line = line_of(m, k / inner, n, inner, k % inner);

		ck_assert_double_eq(matrix_get(&all, k), reduce_value(&line,
		                    m->dtype, op, variant));
		matrix_fini(&line);
	}
	matrix_fini(&all);
}

START_TEST(an_axis_gives_the_bits_of_each_of_its_lines)
{
	for (size_t t = 0; t < REDUCE_DTYPES; t++)
		for (int op = 0; op < REDUCE_OPS; op++) {
			struct matrix m = block_of(reduce_dtypes[t],
			                           shapes[_i], op);

			for (int axis = 0; axis < 3; axis++)
				EACH_VARIANT(v)
					axis_agrees(&m, op, axis, *v);
			matrix_fini(&m);
		}
}
END_TEST

void reduce_order_tests(TCase *tc)
{
	tcase_add_test(tc, the_order_is_the_one_that_is_documented);
	tcase_add_loop_test(tc, variants_and_group_counts_give_the_same_bits,
	                    0, COUNT(shapes));
	tcase_add_loop_test(tc, an_axis_gives_the_bits_of_each_of_its_lines,
	                    0, COUNT(shapes));
}
