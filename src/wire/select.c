/* select.c - see select.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "base/size.h"
#include "base/text.h"
#include "wire/select.h"

static const struct {
	const char *name;
	unsigned types;
} kinds[] = {
	{ "auto", DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER | DEVICE_CLUSTER },
	{ "cpu", DEVICE_CPU },
	{ "gpu", DEVICE_GPU },
	{ "cluster", DEVICE_CLUSTER },
};

static unsigned types_named(const char *selector)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (!strcasecmp(selector, kinds[i].name))
			return kinds[i].types;
	return 0;
}

static bool is_index(const char *s)
{
	return *s && strspn(s, "0123456789") == strlen(s);
}

static bool names(const char *selector, const struct sheet *s)
{
	const unsigned types = types_named(selector);

	if (types)
		return s->type & types;
	if (is_index(selector))
		return strtoul(selector, NULL, 10) == (unsigned long)s->index;
	return *selector && strcasestr(s->name, selector);
}

static int refuse(const struct sheet *sheets, int n, const char *selector,
                  struct err *e)
{
	struct nearest near = nearest_to(selector);
	struct text t = { 0 };

	for (size_t i = 0; i < COUNT(kinds) && !types_named(selector); i++)
		nearest_try(&near, kinds[i].name);
	for (int i = 0; i < n; i++)
		text_printf(&t, "%s%d (%s)", i ? ", " : "", sheets[i].index,
		            sheets[i].name);
	err_set(e, ERR_PARAMETER, "device %.60s: no such device%s There are "
	        "%s", selector, nearest_hint_and(&near),
	        n && !t.failed ? t.data : "none");
	text_fini(&t);
	return -1;
}

int select_devices(const struct sheet *sheets, int n, const char *selector,
                   uint64_t *devices, struct err *e)
{
	*devices = 0;
	for (int i = 0; i < n; i++)
		if (names(selector, &sheets[i]))
			*devices |= UINT64_C(1) << i;
	if (!*devices)
		return refuse(sheets, n, selector, e);
	return 0;
}
