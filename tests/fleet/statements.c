/* statements.c - the table of the fleet's SQL statements is consistent. */
#include <stdlib.h>
#include <string.h>

#include "fleet/statements.h"
#include "tests/test.h"

/* The largest N of which the text has "$N". */
static int largest(const char *sql)
{
	int n = 0;

	for (const char *s = strchr(sql, '$'); s; s = strchr(s + 1, '$'))
		if (atoi(s + 1) > n)
			n = atoi(s + 1);
	return n;
}

START_TEST(statements_have_the_parameters_that_the_table_says)
{
	for (int s = 0; s < STATEMENT_COUNT; s++) {
		ck_assert_ptr_nonnull(statements[s].sql);
		ck_assert_int_eq(statements[s].parameters,
		                 largest(statements[s].sql));
		ck_assert_int_le(statements[s].parameters,
		                 STATEMENT_PARAMETERS);
	}
}
END_TEST

TCase *tcase_statements(void)
{
	TCase *c = tcase_create("statements");

	tcase_add_test(c, statements_have_the_parameters_that_the_table_says);
	return c;
}
