/* nearest.c - a mistyped name is found, and another word finds none. */
#include "base/nearest.h"
#include "tests/test.h"

static const char *const names[] = {
	"eigen", "lu", "matmul", "reduce", "transpose", "tol", "k", "a",
	"max_iterations", "axis", "/eigen", "/jobs", "/openapi.yaml",
	"seed-v0", "seed-v1", NULL
};

static const struct {
	const char *typed, *name;	/* NULL: none is near */
} rows[] = {
	{ "egien", "eigen" },		/* neighbours swapped */
	{ "eign", "eigen" },		/* one left out */
	{ "eigenn", "eigen" },		/* one too many */
	{ "eigem", "eigen" },		/* one replaced */
	{ "EIGEN", "eigen" },
	{ "A", "a" }, { "K", "k" },
	{ "LU", "lu" }, { "lu2", "lu" },
	{ "matmull", "matmul" }, { "mat-mul", "matmul" },
	{ "maxIterations", "max_iterations" },
	{ "max_iter", "max_iterations" },
	{ "transposed", "transpose" },
	{ "tool", "tol" }, { "tolerance", "tol" },
	{ "/egien", "/eigen" }, { "/Eigen", "/eigen" }, { "/job", "/jobs" },
	{ "seed-v2", "seed-v0" },	/* the first of equally near ones */
	{ "seed_v1", "seed-v1" },
	{ "b", NULL }, { "x", NULL }, { "svd", NULL }, { "q", NULL },
	{ "determinant", NULL }, { "/", NULL }, { "", NULL }, { "--", NULL },
	{ "a-name-of-fifty-characters-is-longer-than-any-of-them", NULL },
	{ "\xc3\xa9igen", "eigen" },	/* bytes beyond ASCII are bytes */
};

START_TEST(a_typing_error_finds_the_name_that_was_meant)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct nearest n = nearest_to(rows[i].typed);
		const char *wanted = rows[i].name;

		nearest_add_all(&n, names);
		ck_assert_msg(wanted ? n.name && !strcmp(n.name, wanted) :
		              !n.name, "%s: %s, not %s", rows[i].typed,
		              n.name ? n.name : "none",
		              wanted ? wanted : "none");
		nearest_fini(&n);
	}
}
END_TEST

START_TEST(the_hint_is_a_question_or_nothing)
{
	struct nearest n = nearest_to("tool");

	ck_assert_str_eq(nearest_list(&n), "none");
	ck_assert_str_eq(nearest_hint(&n), "");
	ck_assert_str_eq(nearest_hint_and(&n), ".");
	nearest_add(&n, "k");
	nearest_add(&n, "tol");
	nearest_try(&n, "max");
	ck_assert_str_eq(nearest_list(&n), "k, tol");
	ck_assert_str_eq(nearest_hint(&n), "; did you mean tol?");
	ck_assert_str_eq(nearest_hint_and(&n), "; did you mean tol?");
	nearest_fini(&n);
}
END_TEST

TCase *tcase_nearest(void)
{
	TCase *c = tcase_create("nearest");

	tcase_add_test(c, a_typing_error_finds_the_name_that_was_meant);
	tcase_add_test(c, the_hint_is_a_question_or_nothing);
	return c;
}
