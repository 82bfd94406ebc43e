/* fair_room.c - see fair_room.h. */
#include <math.h>

#include "tests/queue/fair_room.h"

struct waiting fair_queue;
struct tenant fair_tenant[TENANTS];
static uint64_t dice;

static int64_t cost(const void *arg, const struct job *j, int device)
{
	(void)arg;
	(void)device;
	return j->deadline_ns;
}

void fair_setup(void)
{
	fair_queue = (struct waiting){ .predict = cost };
	memset(fair_tenant, 0, sizeof fair_tenant);
	dice = 88172645463325252u;
}

struct job *fair_job(struct tenant *t, int64_t cost_ns)
{
	struct err e = { 0 };
	struct job *j = job_new(ops[0], &e);

	ck_assert_ptr_nonnull(j);
	j->tenant = t;
	j->devices = 1;
	j->deadline_ns = cost_ns;
	return j;
}

struct job *fair_send(int device)
{
	const uint64_t bit = UINT64_C(1) << device;
	struct job *j = waiting_first(&fair_queue, bit, bit);

	if (j)
		waiting_take(&fair_queue, j, device);
	return j;
}

/* Marsaglia, "Xorshift RNGs", 2003. */
double fair_random(void)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (double)((dice >> 11) + 1) * 0x1p-53;
}

int64_t fair_random_ns(double mean_ns)
{
	return 1 + (int64_t)(-log(fair_random()) * mean_ns);
}
