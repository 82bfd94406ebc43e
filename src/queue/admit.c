/* admit.c - see admit.h. Since a device runs one job at a time, and everything
 * else in its memory can be evicted, only the job's own need must fit. */
#include "ops/pipeline.h"
#include "ops/variant.h"
#include "queue/admit.h"

static bool can_run(const struct args *a, const struct sheet *s,
                    struct err *why_not)
{
	if (a->pipeline && s->type == DEVICE_CLUSTER) {
		err_set(why_not, ERR_PARAMETER, "%s computes single "
		        "operations, no pipelines", s->name);
		return false;
	}
	return (!a->pipeline || pipeline_fit(a->pipeline, s, why_not) == 0) &&
	       variant_for(a, NULL, s, why_not);
}

/* The devices that are clusters. */
static uint64_t clusters(const struct sheet *const *sheets, int n)
{
	uint64_t bits = 0;

	for (int i = 0; i < n; i++)
		if (sheets[i]->type == DEVICE_CLUSTER)
			bits |= UINT64_C(1) << i;
	return bits;
}

int admit_devices(struct job *j, const struct sheet *const *sheets, int n,
                  struct err *e)
{
	const uint64_t last = clusters(sheets, n);
	struct err why_not = { 0 };

	for (int i = 0; i < n; i++) {
		if (!(j->devices >> i & 1))
			continue;
		if (!(last >> i & 1))
			why_not = (struct err){ 0 };
		if (!can_run(&j->args, sheets[i], &why_not))
			j->devices &= ~(UINT64_C(1) << i);
	}
	if (j->devices & ~last)
		j->devices &= ~last;
	if (!j->devices)
		err_set(&why_not, ERR_PARAMETER, "no device of this service "
		        "was named");
	if (!j->devices)
		return err_set_at(e, why_not.code, why_not.pointer, "%s",
		                  why_not.text);
	return 0;
}
