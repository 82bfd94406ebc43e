/* devices.c - see devices.h. */
#include "ops/gang/devices.h"

/* Returns the number of devices that the call asks for; 0: it does not. */
static int asked(const struct args *a)
{
	struct gang_plan g = { 0 };

	if (a->op->gang)
		a->op->gang(a, 1, &g);
	return g.asked;
}

int gang_check(const struct args *a, const char *what, struct err *e)
{
	const int n = asked(a);
	struct gang_plan g;

	if (n <= 1)
		return 0;
	a->op->gang(a, n, &g);
	if (g.width > 0)
		return 0;
	return err_set_at(e, ERR_PARAMETER, "/devices", "%s: %d devices "
	                  "compute together %s", a->op->name, n, what);
}

int gang_check_step(const struct args *a, struct err *e)
{
	const int n = asked(a);

	return n <= 1 ? 0 : err_set(e, ERR_PARAMETER, "devices is %d, but the "
	                            "steps of a pipeline run on one device", n);
}
