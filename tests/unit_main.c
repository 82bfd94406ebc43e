/* unit_main.c - runs every test case that needs no device. Started as a worker,
 * it is the fake one of the engine's tests. */
#include "tests/queue/fake_worker.h"
#include "tests/test.h"

struct memory_pool *test_pool;

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
#define UNIT(id) suite_add_tcase(s, tcase_##id());
#include "tests/units.def"
#undef UNIT
	SRunner *sr = srunner_create(s);
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed != 0;
}
