/* arrival.c - see arrival.h. */
#include "base/size.h"
#include "matrix/arrival.h"

enum {
	FIRST = 1 << 20,		/* bytes of the first charge */
	LEAD = 8,			/* the next charge is due when all but
					 * 1/8 of the present one has arrived */
};

/* Checks that an allocation of that many bytes fits if `left` bytes of the
 * limit are left. */
static int check(size_t limit, size_t left, size_t bytes, struct err *e)
{
	if (bytes > limit)
		return err_set(e, ERR_TOO_LARGE, "a matrix of %zu bytes is "
		               "beyond the limit of %zu for all matrices",
		               bytes, limit);
	if (bytes > left)
		return err_set(e, ERR_MEMORY, "%zu bytes are wanted for a "
		               "matrix, %zu of %zu are left", bytes, left,
		               limit);
	return 0;
}

struct memory *arrival_new(struct memory_pool *p, size_t bytes, struct err *e)
{
	const size_t limit = memory_pool_limit(p);
	struct memory *m;

	if (bytes < MEMORY_SLAB)
		return memory_new(p, bytes, e);
	if (check(limit, limit - memory_pool_used(p), bytes, e))
		return NULL;
	m = memory_spare(p, bytes, bytes);
	return m ? m : memory_new_uncharged(p, bytes, e);
}

/* Is the next charge not due yet? A charge is made ahead of the bytes, so that
 * the threads of touch.h can fault its pages in first. */
static bool is_ahead(const struct memory *m, size_t bytes)
{
	return m->charged == m->bytes ||
	       bytes <= m->charged - m->charged / LEAD;
}

int arrival_charge(struct memory *m, size_t bytes, struct err *e)
{
	const size_t step = size_min(m->bytes, size_max(2 * bytes, FIRST));
	const size_t limit = memory_pool_limit(m->pool);
	size_t used;

	if (is_ahead(m, bytes))
		return 0;
	if (memory_charge(m, step) == 0 || bytes <= m->charged)
		return 0;
	used = memory_pool_used(m->pool);
	if (memory_charge(m, bytes) == 0)
		return 0;
	return err_set(e, ERR_MEMORY, "%zu bytes are wanted for a matrix, %zu "
	               "of %zu are left", m->bytes - m->charged, limit - used,
	               limit);
}
