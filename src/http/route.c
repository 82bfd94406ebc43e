/* route.c - see route.h. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
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

const char *method_name(enum method m)
{
	return m < METHOD_OTHER ? methods[m] : "?";
}

/* Copies a segment of n bytes to taken[], decoded unless it is no name. */
static void take_segment(const char *segment, size_t n,
                         char taken[ROUTE_SEGMENT])
{
	n = size_min(n, ROUTE_SEGMENT - 1);
	memcpy(taken, segment, n);
	if (query_decode(taken, n, false))
		return;
	memcpy(taken, segment, n);
	taken[n] = 0;
}

/* Matches one segment, from after its slash to the next one. */
static bool match_segment(const char **pattern, const char **path,
                          char taken[ROUTE_SEGMENT], bool *took)
{
	const size_t want = strcspn(*pattern, "/");
	const size_t have = strcspn(*path, "/");
	const bool any = want == 2 && strncmp(*pattern, "{}", 2) == 0;

	if (any) {
		if (have == 0)
			return false;
		take_segment(*path, have, taken);
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

/* Are the first m bytes of `typed` near the first n bytes of `known`? */
static bool is_near(const char *typed, size_t m, const char *known, size_t n)
{
	char one[NEAREST_NAME], other[NEAREST_NAME];
	struct nearest near = nearest_to(one);

	if (m >= sizeof one || n >= sizeof other)
		return false;
	snprintf(one, sizeof one, "%.*s", (int)m, typed);
	snprintf(other, sizeof other, "%.*s", (int)n, known);
	nearest_try(&near, other);
	return near.name != NULL;
}

/* Writes the pattern with the typed path's segments in place of {}, for a
 * "did you mean"; a slash at the typed path's end is ignored. False if the
 * numbers of segments differ, if a segment is not near the pattern's, or if the
 * path would be too long. */
static bool fill_pattern(const char *pattern, const char *typed,
                         char path[NEAREST_NAME])
{
	size_t n = 0;

	while (*pattern == '/' && *typed == '/') {
		const size_t have = strcspn(++typed, "/");
		const size_t want = strcspn(++pattern, "/");
		const bool any = want == 2 && strncmp(pattern, "{}", 2) == 0;
		const size_t take = any ? have : want;

		if (!have || n + take + 2 > NEAREST_NAME ||
		    (!any && !is_near(typed, have, pattern, want)))
			return false;
		path[n++] = '/';
		memcpy(path + n, any ? typed : pattern, take);
		n += take;
		typed += have;
		pattern += want;
	}
	path[n] = 0;
	return !*pattern && (!*typed || strcmp(typed, "/") == 0);
}

static int nothing_there(const struct route *routes, const char *typed,
                         struct err *e)
{
	struct nearest n = nearest_to(typed);
	char path[NEAREST_NAME], best[NEAREST_NAME];

	for (const struct route *r = routes; r->path; r++) {
		if (!fill_pattern(r->path, typed, path))
			continue;
		nearest_try(&n, path);
		if (n.name != path)
			continue;
		strcpy(best, path);
		n.name = best;
	}
	return err_set(e, ERR_NOT_FOUND, "there is nothing at %.80s%s GET /ops "
	               "lists the operations, GET /openapi.yaml all paths",
	               typed, nearest_hint_and(&n));
}

static bool serves(const struct route *r, enum method m)
{
	return r->method == m || (r->method == GET && m == HEAD);
}

/* Appends the route's method to the list, unless an earlier route with the same
 * path has appended it. Bit m of *seen is set if method m is in the list. */
static void add_methods(struct text *allow, const struct route *r,
                        unsigned *seen)
{
	const unsigned bit = 1u << r->method;

	if (*seen & bit)
		return;
	*seen |= bit;
	text_printf(allow, "%s%s%s", allow->length ? ", " : "",
	            methods[r->method], r->method == GET ? ", HEAD" : "");
}

const struct route *route_find(const struct route *routes, enum method m,
                               const char *path, struct segments *s,
                               struct text *allow, struct err *e)
{
	unsigned seen = 0;

	for (const struct route *r = routes; r->path; r++) {
		if (!match(r->path, path, s))
			continue;
		if (serves(r, m))
			return r;
		add_methods(allow, r, &seen);
	}
	if (allow->length)
		err_set(e, ERR_METHOD, "%.100s allows %s", path, allow->data);
	else
		nothing_there(routes, path, e);
	return NULL;
}
