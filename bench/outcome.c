/* outcome.c - see outcome.h. */
#include <stdio.h>

#include "base/usage.h"
#include "bench/outcome.h"

static bool failed;

void outcome_failed(const char *what, const struct err *e)
{
	usage_complain("%s%s%s", what, *what ? ": " : "", e->text);
	failed |= e->code != ERR_TOO_LARGE;
}

bool outcome_unread(void)
{
	return fflush(stdout) != 0 || ferror(stdout);
}

int outcome_status(void)
{
	return failed ? STATUS_FAILED : STATUS_OK;
}
