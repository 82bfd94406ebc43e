/* outputs.c - see outputs.h. */
#include <stdlib.h>

#include "http/etag.h"
#include "http/outputs.h"
#include "queue/tenant.h"

int outputs_ttl(const char *value, int64_t *ttl_ns, struct err *e)
{
	enum { MOST = 1000000000 };		/* seconds */
	char *end;
	const double seconds = strtod(value, &end);

	if (end == value || *end || !(seconds >= 0 && seconds <= MOST))
		return err_set(e, ERR_PARAMETER, "ttl is %.40s, must be "
		               "seconds from 0, no limit, to %d", value, MOST);
	*ttl_ns = (int64_t)(seconds * 1e9);
	return 0;
}

int outputs_admit(const struct exchange *x, struct keeping *k, struct err *e)
{
	for (int i = 0; k && i < k->n; i++) {
		struct err none = { 0 };

		if (etag_admit_change(x, store_find(k->store,
		                                    k->tenant->name,
		                                    k->kept[i].name,
		                                    &none), e))
			return -1;
	}
	if (k && etag_has_conditions(x))
		keep_insist(k);
	return 0;
}
