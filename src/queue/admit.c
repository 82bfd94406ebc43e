/* admit.c - see admit.h. Since a device runs one job at a time, and everything
 * else in its memory can be evicted, only the job's own need must fit. */
#include "queue/admit.h"

/* Checks the variant that the request names, or else whether there is any that
 * can run. */
static int check(const struct args *a, const struct sheet *s, struct err *e)
{
	const char *reason;

	if (!a->variant)
		return op_variant_auto(a, s, e) ? 0 : -1;
	if (!variant_available(a->variant, s, &reason))
		return err_set(e, ERR_PARAMETER, "%s: %s on device %d "
		               "(%.40s): %s", a->op->name, a->variant->name,
		               s->index, s->name, reason);
	return args_fit(a, a->variant, s, e);
}

int admit_devices(struct job *j, const struct sheet *const *sheets, int n,
                  struct err *e)
{
	struct err why_not = { 0 };

	for (int i = 0; i < n; i++) {
		if (!(j->devices >> i & 1))
			continue;
		why_not = (struct err){ 0 };
		if (check(&j->args, sheets[i], &why_not))
			j->devices &= ~(UINT64_C(1) << i);
	}
	if (!j->devices)
		return err_set(e, why_not.code ? why_not.code : ERR_PARAMETER,
		               "%s", why_not.code ? why_not.text :
		               "no device of this service was named");
	return 0;
}
