/* pick.c - see pick.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "worker/pick.h"

static bool is_wanted(const struct sheet *s, const char *selector)
{
	char *end;
	long index = strtol(selector, &end, 10);

	if (strcasecmp(selector, "auto") == 0)
		return true;
	if (strcasecmp(selector, "cpu") == 0)
		return s->type == DEVICE_CPU;
	if (strcasecmp(selector, "gpu") == 0)
		return s->type == DEVICE_GPU;
	if (*selector && !*end)
		return s->index == index;
	return strcasestr(s->name, selector) != NULL;
}

struct device *pick_device(const char *selector, struct err *e)
{
	struct sheet sheets[SHEETS];
	int n = device_list(sheets, e), found = -1;

	for (int i = 0; i < n; i++)
		if (is_wanted(&sheets[i], selector) && (found < 0 ||
		    (sheets[found].type != DEVICE_GPU &&
		     sheets[i].type == DEVICE_GPU)))
			found = i;
	if (n >= 0 && found < 0)
		err_set(e, ERR_PARAMETER, "no device is %.100s", selector);
	return found < 0 ? NULL : device_open(sheets[found].index, NULL, e);
}
