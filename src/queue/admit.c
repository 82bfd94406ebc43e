/* admit.c - see admit.h. Since a device runs one job at a time, and everything
 * else in its memory can be evicted, only the job's own need must fit. */
#include "ops/variant.h"
#include "queue/admit.h"

int admit_devices(struct job *j, const struct sheet *const *sheets, int n,
                  struct err *e)
{
	struct err why_not = { 0 };

	for (int i = 0; i < n; i++) {
		if (!(j->devices >> i & 1))
			continue;
		why_not = (struct err){ 0 };
		if (!variant_for(&j->args, NULL, sheets[i], &why_not))
			j->devices &= ~(UINT64_C(1) << i);
	}
	if (!j->devices)
		return err_set(e, why_not.code ? why_not.code : ERR_PARAMETER,
		               "%s", why_not.code ? why_not.text :
		               "no device of this service was named");
	return 0;
}
