/* intake.c - see intake.h. */
#include <stdlib.h>

#include "base/size.h"
#include "http/intake.h"

/* One byte of gzip decodes to at most 1032. A body whose decoded length exceeds
 * RATIO_FREE bytes and RATIO_MOST times its received length is refused. */
enum { RATIO_MOST = 1100, RATIO_FREE = 16 << 20 };

int intake_begin(struct intake *t, const char *coding,
                 struct memory_pool *pool, uint64_t most, struct err *e)
{
	if (decoder_is_identity(coding))
		return 0;
	t->decoder = decoder_new(coding, e);
	t->pool = pool;
	t->most = most;
	if (t->decoder)
		t->piece = malloc(INTAKE_PIECE);
	if (t->piece)
		return 0;
	return err_set(e, ERR_MEMORY, "no memory to decode the body");
}

void intake_fini(struct intake *t)
{
	if (t->charged)
		memory_pool_discharge(t->pool, t->charged);
	decoder_free(t->decoder);
	free(t->piece);
	t->charged = 0;
	t->decoder = NULL;
	t->piece = NULL;
}

/* Charges the pool for the bytes that the decoder has allocated since the last
 * call of this function. */
static int charge(struct intake *t, struct err *e)
{
	const size_t takes = decoder_memory(t->decoder);
	const size_t more = takes > t->charged ? takes - t->charged : 0;

	if (!t->pool || !more)
		return 0;
	if (memory_pool_charge(t->pool, more))
		return err_set(e, ERR_MEMORY, "there is no memory to decode "
		               "the body: %zu bytes are wanted, %zu of %zu "
		               "are taken", more, memory_pool_used(t->pool),
		               memory_pool_limit(t->pool));
	t->charged += more;
	return 0;
}

static int check_size(const struct intake *t, struct err *e)
{
	if (t->decoded > t->most)
		return err_set(e, ERR_TOO_LARGE, "the body decodes to more "
		               "than %llu bytes, the limit",
		               (unsigned long long)t->most);
	if (t->decoded > RATIO_FREE &&
	    t->decoded / RATIO_MOST > t->received)
		return err_set(e, ERR_TOO_LARGE, "%llu bytes of the body have "
		               "decoded to %llu; more than %d for one are "
		               "refused", (unsigned long long)t->received,
		               (unsigned long long)t->decoded, RATIO_MOST);
	return 0;
}

ssize_t intake_feed(struct intake *t, const void *bytes, size_t n,
                    int (*take)(void *arg, const void *bytes, size_t n,
                                struct err *e), void *arg, struct err *e)
{
	const uint64_t stop = t->decoded + INTAKE_SLICE;
	const char *from = bytes;
	size_t left = n;
	ssize_t made;

	/* The last of the n bytes is kept back until the decoder has no output
	 * left for the bytes before it: libmicrohttpd calls again only while
	 * input is left. */
	do {
		size_t now = left > 1 ? left - 1 : left;
		const size_t given = now;

		made = decoder_run(t->decoder, &from, &now, t->piece,
		                   INTAKE_PIECE, e);
		if (made < 0)
			return -1;
		left -= given - now;
		t->received += given - now;
		t->decoded += (uint64_t)made;
		if (charge(t, e) || check_size(t, e) ||
		    (made && take(arg, t->piece, (size_t)made, e)))
			return -1;
	} while ((left && t->decoded < stop) ||
	         (!left && made == INTAKE_PIECE));
	return (ssize_t)(n - left);
}

int intake_end(const struct intake *t, struct err *e)
{
	return t->decoder ? decoder_end(t->decoder, e) : 0;
}
