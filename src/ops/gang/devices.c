/* devices.c - see devices.h. */
#include "ops/gang/devices.h"

int gang_devices(const struct args *a)
{
	struct gang_plan g = { 0 };

	if (a->op->gang)
		a->op->gang(a, 1, &g);
	return g.asked;
}

int gang_check(const struct args *a, const char *what, struct err *e)
{
	const int n = gang_devices(a);
	struct gang_plan g;

	if (n <= 1)
		return 0;
	a->op->gang(a, n, &g);
	if (g.width > 0)
		return 0;
	return err_set_at(e, ERR_PARAMETER, "/devices", "%s: %d devices "
	                  "compute together %s", a->op->name, n, what);
}
