/* route.h - finds the row of the route table for a method and a path. */
#ifndef HTTP_ROUTE_H
#define HTTP_ROUTE_H

#include "base/text.h"
#include "http/handler.h"

/* No name has more than 128 characters, which take three bytes each if they are
 * escaped. So a segment of ROUTE_SEGMENT bytes or more is no name. */
enum { ROUTE_SEGMENTS = 2, ROUTE_SEGMENT = 512 };

/* The decoded segments of a path where its route has {}. A segment that is too
 * long is cut, and one with a bad escape is not decoded: neither is the name of
 * anything, so that handlers refuse both as they refuse other bad names. */
struct segments {
	char text[ROUTE_SEGMENTS][ROUTE_SEGMENT];
};

enum method method_find(const char *name);
const char *method_name(enum method m);		/* "?" of METHOD_OTHER */

/* Returns the route for that path; HEAD finds GET's. NULL with
 * ERR_NOT_FOUND, or with ERR_METHOD and the path's methods appended to allow
 * ("GET, HEAD"). */
const struct route *route_find(const struct route *routes, enum method m,
                               const char *path, struct segments *s,
                               struct text *allow, struct err *e);

#endif
