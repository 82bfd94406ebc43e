/* unit_main.c - runs every test case that needs no device. Started as a worker,
 * it is the fake one of the engine's tests. */
#include <stdatomic.h>

#include "tests/queue/fake_worker.h"
#include "tests/test.h"

struct memory_pool *test_pool;

/* How often pthread_create() has been called: see tests/faults/faulty.c. */
extern atomic_uint faulty_threads;

static void assert_alone(void)
{
	ck_assert_msg(faulty_threads == 0, "this test has started %u threads; "
	              "tests/units.def says ALONE of its case",
	              (unsigned)faulty_threads);
}

static bool is_set(const char *variable, const char *value)
{
	const char *const now = getenv(variable);

	return now && strcmp(now, value) == 0;
}

/* With UNIT_THREADS=only, cases without threads are left out. Where every test
 * has a process of its own, it is asserted that they have none. */
static void add(Suite *s, TCase *c, enum unit_threads threads)
{
	if (threads == UNIT_ALONE && is_set("UNIT_THREADS", "only"))
		return;
	if (threads == UNIT_ALONE && !is_set("CK_FORK", "no"))
		tcase_add_checked_fixture(c, NULL, assert_alone);
	suite_add_tcase(s, c);
}

/* Seconds after which a test counts as hanging; no machine is that slow. */
#define LIMIT "300"

int main(int argc, char **argv)
{
	Suite *s;
	struct err e = { 0 };
	int failed;

	if (argc > 1 && !strcmp(argv[1], "worker"))
		return fake_worker(argc, argv);
	test_pool = memory_pool_new((size_t)1 << 30, &e);
	if (!test_pool)
		return 1;
	setenv("CK_DEFAULT_TIMEOUT", LIMIT, 0);
	s = suite_create("unit");
#define UNIT(id, threads) add(s, tcase_##id(), UNIT_##threads);
#include "tests/units.def"
#undef UNIT
	SRunner *sr = srunner_create(s);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
