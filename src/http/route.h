/* route.h - from method and path to a row of the route table. */
#ifndef HTTP_ROUTE_H
#define HTTP_ROUTE_H

#include "base/text.h"
#include "http/server.h"

enum { ROUTE_SEGMENTS = 2, ROUTE_SEGMENT = 160 };

/* What stood where the route's path has {}, decoded. */
struct segments {
	char text[ROUTE_SEGMENTS][ROUTE_SEGMENT];
};

enum method method_find(const char *name);
const char *method_name(enum method m);		/* "?" of METHOD_OTHER */

/* The route for that path; HEAD finds GET's. ERR_NOT_FOUND, or ERR_METHOD
 * with the path's methods appended to allow ("GET, HEAD"). */
const struct route *route_find(const struct route *routes, enum method m,
                               const char *path, struct segments *s,
                               struct text *allow, struct err *e);

#endif
