/* exact.c - reductions are as exact as promised: within
 * 2 eps of the answer and n eps^2 of what cancels in it. */
#include <float.h>
#include <math.h>

#include "tests/ops/reduce/reduce.h"

typedef __float128 quad;

static quad quad_sqrt(quad x)
{
	quad r = (quad)sqrtl((long double)x);

	return x > 0 ? (r + x / r) / 2 : 0;
}

static quad magnitude(quad x)
{
	return x < 0 ? -x : x;
}

/* The exact answer, and the magnitude to which its error is relative. */
static quad reference(const struct matrix *m, enum reduce_op op, quad *mass)
{
	size_t n = matrix_elements(m), least = 0, most = 0;
	quad sum = 0, prod = 1, norm1 = 0, squares = 0, norminf = 0;

	for (size_t i = 0; i < n; i++) {
		quad x = (quad)matrix_get(m, i);

		sum += x;
		prod *= x;
		norm1 += magnitude(x);
		squares += x * x;
		norminf = magnitude(x) > norminf ? magnitude(x) : norminf;
		least = x < matrix_get(m, least) ? i : least;
		most = x > matrix_get(m, most) ? i : most;
	}
	quad by_op[REDUCE_OPS] = {
		sum, prod, n ? matrix_get(m, least) : 0,
		n ? matrix_get(m, most) : 0, n ? sum / n : 0, norm1,
		quad_sqrt(squares), norminf, least, most
	};
	*mass = op == REDUCE_SUM ? norm1 : op == REDUCE_MEAN && n ? norm1 / n :
	        magnitude(by_op[op]);
	return by_op[op];
}

static void is_near(const struct matrix *m, enum dtype t, enum reduce_op op,
                    const char *variant)
{
	double eps = t == FLOAT32 ? FLT_EPSILON : DBL_EPSILON;
	double n = (double)matrix_elements(m);
	double got = reduce_value(m, t, op, variant);
	quad mass, want = reference(m, op, &mass), error, bound;

	error = magnitude((quad)got - want);
	bound = 2 * eps * magnitude(want) + n * eps * eps * mass;
	ck_assert_msg(error <= bound, "%s %s of %g %s: %a, wanted %a (%g of "
	              "the bound)", variant, reduce_names[op], n, dtype_name(t),
	              got, (double)want, (double)(error / bound));
}

START_TEST(every_length_is_as_exact_as_promised)
{
	enum reduce_op op = (enum reduce_op)_i;

	for (size_t t = 0; t < REDUCE_DTYPES; t++)
		for (size_t i = 0; i < REDUCE_LENGTHS; i++) {
			size_t n = reduce_lengths[i];
			struct matrix m = reduce_operand(reduce_dtypes[t], op,
			                                 n);

			if (n > 0 || reduce_of_nothing(op))
				EACH_VARIANT(v)
					is_near(&m, m.dtype, op, *v);
			matrix_fini(&m);
		}
}
END_TEST

START_TEST(a_million_elements_are_as_exact)
{
	static const enum reduce_op some[] = {
		REDUCE_SUM, REDUCE_NORM1, REDUCE_NORM2, REDUCE_ARGMAX
	};

	for (size_t t = 0; t < REDUCE_DTYPES; t++)
		for (size_t i = 0; i < COUNT(some); i++) {
			struct matrix m = reduce_operand(reduce_dtypes[t],
			                                 some[i], 1000000);

			is_near(&m, m.dtype, some[i], *reduce_variants());
			matrix_fini(&m);
		}
}
END_TEST

/* x, 1, -x with x 2^50 times larger than what remains: cond about 1e15. */
START_TEST(cancelling_sums_keep_their_digits)
{
	struct matrix m = random_matrix(FLOAT64, 3, 1, (size_t)30000);

	for (size_t i = 0; i < 30000; i += 3) {
		matrix_set(&m, i, 0x1p50 * matrix_get(&m, i));
		matrix_set(&m, (i + 15000) % 30000 + 2, -matrix_get(&m, i));
	}
	EACH_VARIANT(v) {
		is_near(&m, FLOAT64, REDUCE_SUM, *v);
		is_near(&m, FLOAT64, REDUCE_MEAN, *v);
	}
	matrix_fini(&m);
}
END_TEST

static bool is_below(double x, double y)
{
	return x < y || (x == y && signbit(x) && !signbit(y));
}

static double extreme_of(const struct matrix *m, enum reduce_op op)
{
	double r = NAN;

	for (size_t i = 0; i < matrix_elements(m); i++) {
		double x = matrix_get(m, i);

		x = op == REDUCE_NORMINF ? fabs(x) : x;
		if (isnan(x))
			return NAN;
		if (i == 0 || (op == REDUCE_MIN ? is_below(x, r) :
		                                  is_below(r, x)))
			r = x;
	}
	return r;
}

static void has_extremes(const struct matrix *m)
{
	static const enum reduce_op some[] = {
		REDUCE_MIN, REDUCE_MAX, REDUCE_NORMINF
	};

	for (size_t i = 0; i < COUNT(some); i++)
		EACH_VARIANT(v) {
			double want = extreme_of(m, some[i]);
			double got = reduce_value(m, m->dtype, some[i], *v);

			ck_assert_msg(isnan(want) ? isnan(got) : got == want &&
			              !signbit(got) == !signbit(want),
			              "%s %s of %zu: %a, wanted %a", *v,
			              reduce_names[some[i]], matrix_elements(m),
			              got, want);
		}
}

/* One special element among others that are positive, negative, or both, with
 * the device's number of work-groups and with one. */
START_TEST(extremes_are_right_whatever_the_signs)
{
	static const size_t lengths[] = { 1, 15, 16, 17, 33, 64, 8192, 8225,
	                                  24609 };
	const double special[] = { 1, -1, 0.0, -0.0, INFINITY, -INFINITY, NAN,
	                           copysign(NAN, -1) };

	for (size_t k = 0; k < COUNT(lengths) * COUNT(special); k++)
		for (int sign = -1; sign <= 1; sign++) {
			size_t n = lengths[k / COUNT(special)];
			struct matrix m = random_matrix(reduce_dtypes[_i], 3,
			                                1, n);

			for (size_t i = 0; sign && i < n; i++)
				matrix_set(&m, i, copysign(matrix_get(&m, i),
				                           sign));
			matrix_set(&m, n / 2, special[k % COUNT(special)]);
			has_extremes(&m);
			reduce_groups = 1;
			has_extremes(&m);
			reduce_groups = 0;
			matrix_fini(&m);
		}
}
END_TEST

void reduce_exact_tests(TCase *tc)
{
	tcase_add_loop_test(tc, extremes_are_right_whatever_the_signs, 0, 2);
	tcase_add_loop_test(tc, every_length_is_as_exact_as_promised, 0,
	                    REDUCE_OPS);
	tcase_add_test(tc, a_million_elements_are_as_exact);
	tcase_add_test(tc, cancelling_sums_keep_their_digits);
}
