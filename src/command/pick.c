/* pick.c - see pick.h. */
#include <stdlib.h>

#include "command/pick.h"
#include "wire/select.h"

/* Sets a bit of *devices for each of the n sheets that the selector names, and
 * returns the index of the first of them, a GPU before others; -1 with *e if
 * there is none. */
static int find(const char *selector, const struct sheet sheets[], int n,
                uint64_t *devices, struct err *e)
{
	int found = -1;

	*devices = 0;
	if (n < 0 || select_devices(sheets, n, selector, devices, e) < 0)
		return -1;
	for (int i = 0; i < n; i++)
		if (*devices >> i & 1 && (found < 0 ||
		    (sheets[found].type != DEVICE_GPU &&
		     sheets[i].type == DEVICE_GPU)))
			found = i;
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
	uint64_t devices;
	const int n = device_list(sheets, e);
	const int found = find(selector, sheets, n, &devices, e);

	return found < 0 ? NULL : device_open(sheets[found].index, cache, e);
}

int pick_sheets(const char *selector, struct sheet sheets[SHEETS],
                struct err *e)
{
	uint64_t devices;
	const int n = device_list(sheets, e);
	const int found = find(selector, sheets, n, &devices, e);
	const enum device_type kind = found < 0 ? 0 : sheets[found].type;
	int kept = 0;

	for (int i = 0; i < n; i++)
		if (devices >> i & 1 && sheets[i].type == kind)
			sheets[kept++] = sheets[i];
	return found < 0 ? -1 : kept;
}
