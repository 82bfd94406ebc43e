/* escape.c - see escape.h. */
#include <stddef.h>

#include "device/seq.h"
#include "ops/lapack/escape.h"

_Thread_local struct escape *escape_here;

/* A worker has one call at a time. Its threads read this while they run, and it
 * is set when none does. */
static const struct seq *watched;

void escape_watch(const struct seq *s)
{
	watched = s;
}

bool escape_wanted(void)
{
	return watched && seq_is_cancelled(watched);
}

void escape_begin(struct escape *e)
{
	e->outer = escape_here;
	escape_here = e;
}

void escape_end(const struct escape *e)
{
	escape_here = e->outer;
}

void escape_poll(void)
{
	if (escape_here && escape_wanted())
		longjmp(escape_here->at, 1);
}
