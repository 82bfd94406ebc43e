/* route.c - see route.h. */
#include <string.h>

#include "base/size.h"
#include "http/query.h"
#include "http/route.h"

static const char *const methods[METHOD_OTHER] = {
	[GET] = "GET", [HEAD] = "HEAD", [POST] = "POST", [PUT] = "PUT",
	[DELETE] = "DELETE", [OPTIONS] = "OPTIONS",
};

enum method method_find(const char *name)
{
	for (int m = 0; m < METHOD_OTHER; m++)
		if (strcmp(methods[m], name) == 0)
			return (enum method)m;
	return METHOD_OTHER;
}

/* One segment, from after its slash to the next one. */
static bool match_segment(const char **pattern, const char **path,
                          char taken[ROUTE_SEGMENT], bool *took)
{
	const size_t want = strcspn(*pattern, "/");
	const size_t have = strcspn(*path, "/");
	const bool any = want == 2 && strncmp(*pattern, "{}", 2) == 0;

	if (any) {
		if (have == 0 || have >= ROUTE_SEGMENT)
			return false;
		memcpy(taken, *path, have);
		if (!query_decode(taken, have, false))
			return false;
	} else if (want != have || strncmp(*pattern, *path, want) != 0) {
		return false;
	}
	*took = any;
	*pattern += want;
	*path += have;
	return true;
}

static bool match(const char *pattern, const char *path, struct segments *s)
{
	size_t n = 0;
	bool took;

	memset(s->text, 0, sizeof s->text);
	while (*pattern == '/' && *path == '/' && n < ROUTE_SEGMENTS) {
		pattern++;
		path++;
		if (!match_segment(&pattern, &path, s->text[n], &took))
			return false;
		n += took;
	}
	return !*pattern && !*path;
}

static bool answers(const struct route *r, enum method m)
{
	return r->method == m || (r->method == GET && m == HEAD);
}

const struct route *route_find(const struct route *routes, enum method m,
                               const char *path, struct segments *s,
                               struct text *allow, struct err *e)
{
	for (const struct route *r = routes; r->path; r++) {
		if (!match(r->path, path, s))
			continue;
		if (answers(r, m))
			return r;
		text_printf(allow, "%s%s%s", allow->length ? ", " : "",
		            methods[r->method],
		            r->method == GET ? ", HEAD" : "");
	}
	if (allow->length)
		err_set(e, ERR_METHOD, "%.100s allows %s", path, allow->data);
	else
		err_set(e, ERR_NOT_FOUND, "there is nothing at %.100s", path);
	return NULL;
}
