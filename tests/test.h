/* test.h - shared by the test programs.
 *
 * The program `unit` has the test cases of units.def and opens no device;
 * `ops` has those of every operation and runs on LINALGD_TEST_DEVICE (an
 * index, default 0).
 */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/size.h"
#include "matrix/matrix.h"

/* Every test case that needs no device. ALONE: its tests start no thread in
 * this process, and so ThreadSanitizer has nothing to find in them. */
enum unit_threads { UNIT_ALONE, UNIT_THREADS };
#define UNIT(id, threads) TCase *tcase_##id(void);
#include "tests/units.def"
#undef UNIT

/* A pool that outlives every test. */
extern struct memory_pool *test_pool;

#define ck_ok(call, e)                                             \
	ck_assert_msg((call) == 0, "%s: %s", #call, (e)->text)
#define ck_refused(call, e, wanted)                                \
	do {                                                       \
		ck_assert_int_eq((call), -1);                      \
		ck_assert_msg((e)->code == (wanted), "%s: %s",     \
		              err_slug((e)->code), (e)->text);     \
	} while (0)

#endif
