/* gang_refused.c - the requests that several devices refuse to decompose
 * together, and their errors. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/ops/eigen/eigen.h"

static void fails(const struct matrix *a, const char *parts,
                  const char *structure, enum err_code code, const char *word)
{
	struct err e = { 0 };
	struct args r;

	ck_assert_int_eq(op_try("eigen", a, 1, &r, &e, "which", "all",
	                        "devices", parts, "structure", structure,
	                        NULL), -1);
	ck_assert_msg(e.code == code && strstr(e.text, word), "%s", e.text);
}

/* The error names the element that a call on one device names, whichever part
 * of the gang finds it. */
START_TEST(what_is_not_finite_or_symmetric_is_told)
{
	struct matrix a = eigen_random_matrix(FLOAT64, 0, 150, 5);

	matrix_set(&a, 140 * 150 + 20, matrix_get(&a, 140 * 150 + 20) + 1e-3);
	matrix_set(&a, 90 * 150 + 30, matrix_get(&a, 90 * 150 + 30) + 1e-3);
	fails(&a, "2", "auto", ERR_MATHEMATICS, "(140, 20)");
	fails(&a, "2", "symmetric", ERR_MATHEMATICS, "(140, 20)");
	matrix_set(&a, 149 * 150 + 1, INFINITY);
	matrix_set(&a, 130 * 150 + 131, NAN);
	fails(&a, "2", "auto", ERR_NONFINITE, "row 130, column 131");
	matrix_fini(&a);
}
END_TEST

START_TEST(an_eigenvalue_beyond_its_type_is_refused)
{
	struct matrix a = random_matrix(FLOAT32, 1, 2, (size_t)65, (size_t)65);

	for (size_t i = 0; i < 65 * 65; i++)
		matrix_set(&a, i, FLT_MAX);
	fails(&a, "2", "auto", ERR_MATHEMATICS, "beyond the range");
	matrix_fini(&a);
}
END_TEST

START_TEST(what_they_cannot_compute_is_refused)
{
	static const char *const wrong[][2] = {
		{ "which", "dominant" }, { "which", "largest" },
		{ "method", "lapack" }, { "structure", "general" },
		{ "quality", "full" }, { "dtype", "complex128" },
	};
	struct matrix a = eigen_random_matrix(FLOAT64, 0, 150, 5);
	struct matrix small = eigen_random_matrix(FLOAT64, 0, 64, 5);
	struct matrix stack = random_matrix(FLOAT64, 2, 3, (size_t)2,
	                                    (size_t)150, (size_t)150);
	const struct matrix *refused[] = { &small, &stack };

	for (size_t i = 0; i < COUNT(wrong) + COUNT(refused); i++) {
		const bool value = i < COUNT(wrong);
		const char *name = value ? wrong[i][0] : "quality";
		struct err e = { 0 };
		struct args r;

		ck_assert_int_eq(op_try("eigen", value ? &a :
		    refused[i - COUNT(wrong)], 1, &r, &e, "devices", "2",
		    "which", "all", name, value ? wrong[i][1] : "none", NULL),
		    -1);
		ck_assert_msg(e.code == ERR_PARAMETER && strstr(e.text,
		              "2 devices compute together one real matrix"),
		              "%s", e.text);
		ck_assert_str_eq(e.pointer, "/devices");
	}
	matrix_fini(&a);
	matrix_fini(&small);
	matrix_fini(&stack);
}
END_TEST

void eigen_gang_refusal_tests(TCase *c)
{
	tcase_add_test(c, what_is_not_finite_or_symmetric_is_told);
	tcase_add_test(c, an_eigenvalue_beyond_its_type_is_refused);
	tcase_add_test(c, what_they_cannot_compute_is_refused);
}
