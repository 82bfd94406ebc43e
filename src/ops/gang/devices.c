/* devices.c - see devices.h. */
#include "ops/gang/devices.h"

int gang_check(const struct args *a, const char *what, struct err *e)
{
	struct gang_plan g;

	a->op->gang(a, 1, &g);
	if (g.asked <= 1)
		return 0;
	a->op->gang(a, g.asked, &g);
	if (g.width > 0)
		return 0;
	return err_set_at(e, ERR_PARAMETER, "/devices", "%s: %d devices "
	                  "compute together %s", a->op->name, g.asked, what);
}
