/* foresee.c - see foresee.h. */
#include <string.h>

#include "ops/variant.h"
#include "worker/foresee.h"

static void foresee_type(struct device *d, const struct op *o, enum dtype t,
                         bool usual)
{
	const struct sheet *s = device_sheet(d);

	for (const struct variant *v = o->variants; v->name; v++)
		if (usual ? variant_is_usual(v, t, s) : variant_runs(v, t, s))
			device_foresee(d, v->kernels, t);
}

void foresee(struct device *d, const char *what)
{
	const bool usual = strcmp(what, "usual") == 0;
	const bool all = usual || strcmp(what, "all") == 0;

	for (int i = 0; ops[i]; i++)
		for (int t = 0; t < DTYPE_COUNT; t++)
			if ((op_usual_dtypes(ops[i]) & DTYPE_BIT(t)) &&
			    !dtype_is_complex((enum dtype)t) &&
			    op_runs(ops[i], (enum dtype)t, device_sheet(d)) &&
			    (all || strcmp(what, ops[i]->name) == 0))
				foresee_type(d, ops[i], (enum dtype)t, usual);
}
