/* pages.c - memory that is large is in large pages. */
#include <stdint.h>
#include <stdlib.h>

#include "matrix/pages.h"
#include "tests/test.h"

START_TEST(memory_of_any_size_is_writable)
{
	static const size_t sizes[] = {
		1, 4096, (32 << 20) - 1, 32 << 20, (40 << 20) + 1
	};
	const size_t bytes = sizes[_i];
	char *at = pages_new(bytes);

	ck_assert_ptr_nonnull(at);
	at[0] = 1;
	at[bytes - 1] = 2;
	ck_assert_int_eq(at[0], bytes == 1 ? 2 : 1);
	if (bytes >= 32 << 20)
		ck_assert_uint_eq((uintptr_t)at % PAGES_LARGE, 0);
	free(at);
}
END_TEST

TCase *tcase_pages(void)
{
	TCase *t = tcase_create("pages");

	tcase_add_loop_test(t, memory_of_any_size_is_writable, 0, 5);
	return t;
}
