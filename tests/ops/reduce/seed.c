/* seed.c - the chapter's twelve reductions agree with the canonical ones,
 * within the error of their own order. */
#include <float.h>
#include <math.h>

#include "tests/ops/reduce/reduce.h"

static size_t units(void)
{
	return device_sheet(test_device)->compute_units;
}

/* The number of rounded additions that an element may go through: within its
 * part, and among the parts. */
static size_t shared(size_t n, size_t parts)
{
	parts = size_max(size_min(parts, n), 1);
	return size_blocks(n, parts) + parts;
}

static size_t one_by_one(size_t n)
{
	return n;
}

static size_t chunk(size_t n)
{
	return shared(n, units());
}

static size_t strided(size_t n)
{
	return shared(n, 16 * units());
}

static size_t strided_many(size_t n)
{
	return shared(n, 4096 * units());
}

static size_t tree_1(size_t n)
{
	return 8 + size_blocks(n, 256);
}

static size_t tree_2(size_t n)
{
	return 16 + size_blocks(n, 65536);
}

static size_t all_trees(size_t n)
{
	return n > 1 ? 9 + all_trees(size_blocks(n, 256)) : 9;
}

static size_t blocked_serial(size_t n)
{
	return 32 + 256 + size_blocks(n, 8192);
}

static size_t blocked_tree(size_t n)
{
	return 32 + 8 + size_blocks(n, 8192);
}

static size_t blocked_builtin(size_t n)
{
	return 32 + all_trees(size_blocks(n, 16384));
}

/* Devices with little local memory have work-groups of 256. */
static size_t subgroup_load(size_t n)
{
	return 32 + 9 + 8 * size_blocks(n, 65536);
}

static const struct {
	const char *variant;
	size_t (*depth)(size_t n);
} rows[] = {
	{ "serial", one_by_one },
	{ "atomic", one_by_one },
	{ "chunk", chunk },
	{ "strided", strided },
	{ "strided-many", strided_many },
	{ "tree-1", tree_1 },
	{ "tree-2", tree_2 },
	{ "builtin", all_trees },
	{ "blocked-serial", blocked_serial },
	{ "blocked-tree", blocked_tree },
	{ "blocked-builtin", blocked_builtin },
	{ "subgroup-load", subgroup_load },
};

/* Lengths around the edges of work-groups, blocks and sub-group loads. */
enum { LONG_LENGTHS = 2 };		/* at the end of lengths[] */
static const size_t lengths[] = {
	1, 2, 3, 5, 10, 31, 33, 50, 255, 256, 257, 513, 8191, 8193, 16385,
	65537, 131072 + 70
};

/* The type in which a variant is tried with an operation. Every variant meets
 * every operation and every type, and every operation meets every type; all
 * combinations would be several hundred kernels. Operations that share their
 * kernels have the same type. */
static enum dtype type_for(size_t row, enum reduce_op op)
{
	static const enum reduce_op kernels[REDUCE_OPS] = {
		[REDUCE_SUM] = REDUCE_SUM, [REDUCE_PROD] = REDUCE_PROD,
		[REDUCE_MIN] = REDUCE_MAX, [REDUCE_MAX] = REDUCE_MAX,
		[REDUCE_MEAN] = REDUCE_SUM, [REDUCE_NORM1] = REDUCE_NORM1,
		[REDUCE_NORM2] = REDUCE_NORM2,
		[REDUCE_NORMINF] = REDUCE_NORMINF,
		[REDUCE_ARGMIN] = REDUCE_ARGMAX,
		[REDUCE_ARGMAX] = REDUCE_ARGMAX
	};

	return reduce_dtypes[(row + kernels[op]) % REDUCE_DTYPES];
}

/* PoCL compiles a kernel once more for more than 65535 work-items. Every
 * variant meets them with two operations, and so do all operations. */
static size_t lengths_for(size_t row, enum reduce_op op)
{
	return COUNT(lengths) - ((row + op) % 5 ? LONG_LENGTHS : 0);
}

static bool is_arg(enum reduce_op op)
{
	return op == REDUCE_ARGMIN || op == REDUCE_ARGMAX;
}

static bool picks(enum reduce_op op)
{
	return is_arg(op) || op == REDUCE_MIN || op == REDUCE_MAX ||
	       op == REDUCE_NORMINF;
}

/* Extremes must have the canonical answer's bits. For the others this gives the
 * answer, and the magnitude to which the error is relative. */
static long double reference(const struct matrix *m, enum reduce_op op,
                             long double *mass)
{
	long double sum = 0, product = 1, norm1 = 0, squares = 0, norm2;
	size_t n = matrix_elements(m);

	for (size_t i = 0; i < n; i++) {
		long double x = matrix_get(m, i);

		sum += x;
		product *= x;
		norm1 += fabsl(x);
		squares += x * x;
	}
	norm2 = sqrtl(squares);
	*mass = op == REDUCE_PROD ? (long double)n * fabsl(product) :
	        op == REDUCE_NORM2 ? norm2 :
	        op == REDUCE_MEAN ? norm1 / n : norm1;
	return op == REDUCE_PROD ? product : op == REDUCE_NORM2 ? norm2 :
	       op == REDUCE_MEAN ? sum / n : op == REDUCE_SUM ? sum : norm1;
}

static void is_near(const struct matrix *m, enum reduce_op op, size_t row)
{
	double eps = m->dtype == FLOAT32 ? FLT_EPSILON : DBL_EPSILON;
	size_t n = matrix_elements(m), depth = rows[row].depth(n) + 2;
	double got = reduce_value(m, m->dtype, op, rows[row].variant);
	long double mass, want = reference(m, op, &mass), error, bound;

	/* A product's relative errors add up in any order. */
	if (op == REDUCE_PROD)
		depth = 1;
	error = fabsl(got - want);
	bound = (long double)depth * (DBL_EPSILON / 2) * mass +
	        eps * fabsl(want);
	ck_assert_msg(error <= bound, "%s %s of %zu %s: %a, wanted %La (%Lg "
	              "of the bound)", rows[row].variant, reduce_names[op], n,
	              dtype_name(m->dtype), got, want, error / bound);
}

static void is_the_same(const struct matrix *m, enum reduce_op op,
                        const char *axis, const char *variant)
{
	struct matrix want = reduce(m, m->dtype, op, axis, "canonical-group");
	struct matrix got = reduce(m, m->dtype, op, axis, variant);

	ck_assert_int_eq(got.dtype, want.dtype);
	ck_assert_uint_eq(matrix_size(&got), matrix_size(&want));
	for (size_t i = 0; i < matrix_elements(&want); i++) {
		double a = matrix_get(&got, i), b = matrix_get(&want, i);

		ck_assert_msg((a == b && signbit(a) == signbit(b)) ||
		              (a != a && b != b),
		              "%s %s %s, axis %s, answer %zu: %a, wanted %a",
		              variant, reduce_names[op],
		              dtype_name(m->dtype), axis ? axis : "none", i,
		              a, b);
	}
	matrix_fini(&got);
	matrix_fini(&want);
}

START_TEST(the_twelve_have_the_chapters_names_and_are_never_auto)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct variant *v = op_variant(&op_reduce,
		                                     rows[i].variant);

		ck_assert_msg(v != NULL, "%s", rows[i].variant);
		ck_assert_uint_eq(v->auto_for, 0);
		ck_assert_ptr_nonnull(strstr(v->origin, "oneAPI"));
	}
}
END_TEST

START_TEST(every_length_is_within_its_orders_error)
{
	for (int op = 0; op < REDUCE_OPS; op++)
		for (size_t i = 0; i < lengths_for((size_t)_i, op); i++) {
			const enum dtype d = type_for((size_t)_i, op);
			struct matrix m = reduce_operand(d, op, lengths[i]);

			if (picks(op) || (dtype_is_integer(d) &&
			                  op != REDUCE_NORM2))
				is_the_same(&m, op, NULL, rows[_i].variant);
			else
				is_near(&m, op, (size_t)_i);
			matrix_fini(&m);
		}
}
END_TEST

/* Is the answer the same in every order? A product may have underflowed to 0
 * before it is multiplied by the infinity. */
static bool is_definite(enum reduce_op op, double special)
{
	return picks(op) || isnan(special) ||
	       (isinf(special) && op != REDUCE_PROD);
}

/* 16390 random numbers, or zeros of both signs, with the special value at that
 * place and at the end. */
static struct matrix with_special(enum dtype t, double special, size_t place)
{
	struct matrix m = random_matrix(t, 2, 1, (size_t)16390);

	for (size_t i = 0; special == 0 && i < 16390; i++)
		matrix_set(&m, i, i % 2 ? 0.0 : -0.0);
	matrix_set(&m, 16389, special);
	matrix_set(&m, place, special);
	return m;
}

/* A NaN, a tie of zeros, or an infinity at any place. */
START_TEST(special_values_are_the_canonical_ones)
{
	static const size_t places[] = { 0, 1, 255, 256, 8192, 16388 };
	static const double values[] = { NAN, 0.0, -0.0, INFINITY, -INFINITY };

	for (int op = 0; op < REDUCE_OPS; op++) {
		enum dtype t = type_for((size_t)_i, op);

		if (dtype_is_integer(t))
			t = FLOAT64;
		for (size_t p = 0; p < COUNT(places); p++)
			for (size_t v = 0; v < COUNT(values); v++) {
				struct matrix m = with_special(t, values[v],
				                               places[p]);

				if (is_definite(op, values[v]))
					is_the_same(&m, op, NULL,
					            rows[_i].variant);
				matrix_fini(&m);
			}
	}
}
END_TEST

/* Small whole numbers, whose sums and products are exact in every order. */
static struct matrix whole(enum dtype t, enum reduce_op op, size_t n0,
                           size_t n1, size_t n2)
{
	struct matrix m = random_matrix(t, 1, 3, n0, n1, n2);
	size_t n = matrix_elements(&m);

	for (size_t i = 0; i < n; i++) {
		double x = (double)(i * 7919 % 23) - 11;

		if (op == REDUCE_PROD)
			x = i % 13 == 5 ? -2 : 1;
		matrix_set(&m, i, x);
	}
	return m;
}

static const size_t shapes[][3] = {
	{ 1, 1, 1 }, { 2, 3, 5 }, { 3, 33, 7 }, { 1, 260, 3 }, { 2, 2, 65 },
};

START_TEST(every_axis_gives_each_lines_answer)
{
	static const char *const axes[] = { NULL, "0", "1", "2" };

	for (size_t i = 0; i < COUNT(shapes); i++)
		for (int op = 0; op < REDUCE_OPS; op++) {
			struct matrix m = whole(type_for((size_t)_i, op), op,
			                        shapes[i][0], shapes[i][1],
			                        shapes[i][2]);

			for (size_t x = 0; x < COUNT(axes); x++)
				is_the_same(&m, op, axes[x], rows[_i].variant);
			matrix_fini(&m);
		}
}
END_TEST

START_TEST(nothing_has_the_neutral_answer)
{
	for (int op = 0; op < REDUCE_OPS; op++) {
		struct matrix none = random_matrix(type_for((size_t)_i, op), 1,
		                                   2, (size_t)0, (size_t)3);

		if (reduce_of_nothing(op)) {
			is_the_same(&none, op, NULL, rows[_i].variant);
			is_the_same(&none, op, "0", rows[_i].variant);
			is_the_same(&none, op, "1", rows[_i].variant);
		}
		matrix_fini(&none);
	}
}
END_TEST

START_TEST(norms_neither_overflow_nor_vanish)
{
	reduce_check_norm2(rows[_i].variant);
	reduce_check_far(rows[_i].variant);
}
END_TEST

START_TEST(int32_does_not_overflow)
{
	struct matrix m = random_matrix(INT32, 1, 1, (size_t)9001);
	double sum;

	for (size_t i = 0; i < 9001; i++)
		matrix_set(&m, i, i % 3 ? INT32_MAX : INT32_MIN);
	sum = reduce_value(&m, INT32, REDUCE_SUM, rows[_i].variant);
	ck_assert_double_eq(sum, 6000.0 * INT32_MAX + 3001.0 * INT32_MIN);
	matrix_fini(&m);
}
END_TEST

START_TEST(any_failing_call_is_reported)
{
	struct matrix m = random_matrix(FLOAT64, 1, 1, (size_t)70000);
	int calls = 0, rc = -1;

	for (; rc != 0; calls++) {
		struct err e = { 0 };
		struct args a;

		device_calls_left = calls;
		rc = op_try("reduce", &m, 1, &a, &e, "op", "argmax",
		            "variant", rows[_i].variant, NULL);
		device_calls_left = -1;
		ck_assert_msg(rc == 0 || e.code == ERR_DEVICE ||
		              e.code == ERR_MEMORY, "call %d: %s", calls,
		              e.text);
		ck_assert_int_lt(calls, 200);
		if (rc == 0)
			args_fini(&a);
	}
	ck_assert_int_gt(calls, 3);
	matrix_fini(&m);
}
END_TEST

void reduce_seed_tests(TCase *tc)
{
	const int n = COUNT(rows);

	tcase_add_test(tc,
	    the_twelve_have_the_chapters_names_and_are_never_auto);
	tcase_add_loop_test(tc, every_length_is_within_its_orders_error, 0, n);
	tcase_add_loop_test(tc, special_values_are_the_canonical_ones, 0, n);
	tcase_add_loop_test(tc, every_axis_gives_each_lines_answer, 0, n);
	tcase_add_loop_test(tc, nothing_has_the_neutral_answer, 0, n);
	tcase_add_loop_test(tc, norms_neither_overflow_nor_vanish, 0, n);
	tcase_add_loop_test(tc, int32_does_not_overflow, 0, n);
	tcase_add_loop_test(tc, any_failing_call_is_reported, 0, n);
}
