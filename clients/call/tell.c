/* tell.c - see tell.h. */
#include <jansson.h>

#include "base/usage.h"
#include "clients/call/call.h"
#include "clients/call/tell.h"

int tell_problem(const struct http_reply *r)
{
	json_t *p = r->body.data ? json_loads(r->body.data, 0, NULL) : NULL;
	const char *title = json_string_value(json_object_get(p, "title"));
	const char *detail = json_string_value(json_object_get(p, "detail"));

	if (title && detail)
		usage_complain("%s: %s", title, detail);
	else
		usage_complain("the service replied with status %ld",
		               r->status);
	json_decref(p);
	return STATUS_REFUSED;
}

int tell_lost(const struct http *h, const char *url)
{
	usage_complain("%s: %s", url, h->why);
	return STATUS_UNREACHED;
}

int tell_stranger(const char *url, const char *path)
{
	usage_complain("%s is no linalgd: GET %s is not its sheet", url, path);
	return STATUS_UNREACHED;
}
