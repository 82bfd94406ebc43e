/* prefer.c - see prefer.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "fleet/prefer.h"
#include "fleet/uses.h"

enum { COPIES_TOLD = 32 };

/* A host adds this to the time from which S_CLAIM gives it a job, so that it
 * does not claim too early. */
#define SLACK_NS INT64_C(1000000)

/* Inserts a copy into the list of the COPIES_TOLD copies that were used last,
 * which begins with the latest, if it belongs there. Returns the new length. */
static int insert(const struct stored *last[COPIES_TOLD], int n,
                  const struct stored *s)
{
	int i = n < COPIES_TOLD ? n : COPIES_TOLD - 1;

	if (n == COPIES_TOLD && last[i]->used_ns >= s->used_ns)
		return n;
	for (; i > 0 && last[i - 1]->used_ns < s->used_ns; i--)
		last[i] = last[i - 1];
	last[i] = s;
	return n < COPIES_TOLD ? n + 1 : n;
}

void prefer_copies(const struct fleet *f, struct text *array)
{
	const struct stored *last[COPIES_TOLD];
	int n = 0;

	for (size_t i = 0; i < store_count(f->copies); i++)
		n = insert(last, n, store_at(f->copies, i));
	for (int i = 0; i < n; i++)
		text_printf(array, "%s,%" PRIu64, i ? "" : "{0",
		            last[i]->version);
	if (n)
		text_puts(array, "}");
}

static bool has_copy(const struct fleet *f, uint64_t version)
{
	for (size_t i = 0; i < store_count(f->copies); i++)
		if (store_at(f->copies, i)->version == version)
			return true;
	return version == 0;
}

static bool has_copies(const struct fleet *f, const char *array)
{
	struct uses u;

	uses_read(&u, array);
	for (size_t i = 0; i < u.n; i++)
		if (!has_copy(f, u.version[i]))
			return false;
	return true;
}

static void on_later(void *arg)
{
	struct fleet *const f = arg;

	claim_begin(f, true);
	if (f->later_ns > clock_ns())
		loop_timer_set(f->options.loop, &f->later, f->later_ns,
		               on_later, f);
}

static void claim_later(struct fleet *f, int64_t ms)
{
	const int64_t at_ns = clock_ns() + ms * 1000000 + SLACK_NS;

	if (at_ns > f->later_ns)
		f->later_ns = at_ns;
	if (!f->later.fn)
		loop_timer_set(f->options.loop, &f->later, at_ns, on_later, f);
}

void prefer_claim(struct fleet *f, const char *text)
{
	char *array;
	const int64_t ms = strtoll(text, &array, 10);

	array += *array == ' ';
	if (has_copies(f, array))
		claim_begin(f, true);
	else
		claim_later(f, ms);
}

void prefer_stop(struct fleet *f)
{
	loop_timer_clear(f->options.loop, &f->later);
}
