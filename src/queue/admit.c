/* admit.c - see admit.h. Since a device runs one job at a time, and everything
 * else in its memory can be evicted, only the job's own need must fit. */
#include "ops/pipeline.h"
#include "ops/variant.h"
#include "queue/admit.h"

static bool can_run(const struct args *a, const struct sheet *s,
                    struct err *why_not)
{
	return (!a->pipeline || pipeline_fit(a->pipeline, s, why_not) == 0) &&
	       variant_for(a, NULL, s, why_not);
}

int admit_devices(struct job *j, const struct sheet *const *sheets, int n,
                  struct err *e)
{
	struct err why_not = { 0 };

	for (int i = 0; i < n; i++) {
		if (!(j->devices >> i & 1))
			continue;
		why_not = (struct err){ 0 };
		if (!can_run(&j->args, sheets[i], &why_not))
			j->devices &= ~(UINT64_C(1) << i);
	}
	if (!j->devices)
		err_set(&why_not, ERR_PARAMETER, "no device of this service "
		        "was named");
	if (!j->devices)
		return err_set_at(e, why_not.code, why_not.pointer, "%s",
		                  why_not.text);
	return 0;
}
