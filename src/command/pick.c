/* pick.c - see pick.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command/pick.h"

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

/* Returns the index of the first sheet that the selector names; -1: none. */
static int find(const char *selector, const struct sheet sheets[], int n,
                struct err *e)
{
	int found = -1;

	for (int i = 0; i < n; i++)
		if (is_wanted(&sheets[i], selector) && (found < 0 ||
		    (sheets[found].type != DEVICE_GPU &&
		     sheets[i].type == DEVICE_GPU)))
			found = i;
	if (n >= 0 && found < 0)
		err_set(e, ERR_PARAMETER, "no device is %.100s; linalgd "
		        "devices lists them", selector);
	return found;
}

const char *pick_cache(char path[HOST_PATH])
{
	const char *given = getenv("LINALGD_CACHE");

	return given ? given : host_default_cache(path);
}

struct device *pick_device(const char *selector, const char *cache,
                           struct err *e)
{
	struct sheet sheets[SHEETS];
	const int n = device_list(sheets, e);
	const int found = find(selector, sheets, n, e);

	return found < 0 ? NULL : device_open(sheets[found].index, cache, e);
}

int pick_sheets(const char *selector, struct sheet sheets[SHEETS],
                struct err *e)
{
	const int n = device_list(sheets, e);
	const int found = find(selector, sheets, n, e);
	const enum device_type kind = found < 0 ? 0 : sheets[found].type;
	int kept = 0;

	for (int i = 0; i < n; i++)
		if (is_wanted(&sheets[i], selector) && sheets[i].type == kind)
			sheets[kept++] = sheets[i];
	return found < 0 ? -1 : kept;
}
