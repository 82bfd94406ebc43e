/* foresee.c - see foresee.h. */
#include "ops/op.h"
#include "worker/foresee.h"

static void foresee(struct device *d, const struct op *o, enum dtype t)
{
	const struct sheet *s = device_sheet(d);
	const char *reason;

	for (const struct variant *v = o->variants; v->name; v++)
		if ((v->auto_for & s->type) && (v->dtypes & DTYPE_BIT(t)) &&
		    variant_available(v, s, &reason))
			device_foresee(d, v->kernels, t);
}

void foresee_usual(struct device *d)
{
	for (int i = 0; ops[i]; i++)
		for (int t = 0; t < DTYPE_COUNT; t++)
			if ((ops[i]->dtypes & DTYPE_BIT(t)) &&
			    (t != FLOAT64 || device_sheet(d)->float64))
				foresee(d, ops[i], (enum dtype)t);
}
