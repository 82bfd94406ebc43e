/* local.c - see local.h. */
#include <stdlib.h>

#include "queue/local.h"

static const struct depot_calls calls = { 0 };

struct depot *local_new(struct engine *g, struct err *e)
{
	struct depot *d = calloc(1, sizeof *d);

	if (d)
		*d = (struct depot){ &calls, g };
	else
		err_set(e, ERR_MEMORY, "no memory for the service");
	return d;
}

void local_free(struct depot *d)
{
	free(d);
}
