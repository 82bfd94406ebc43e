/* dates.h - HTTP dates (RFC 9110, section 5.6.7), and whether a resource has
 * changed since one.
 *
 * A date has whole seconds, and a resource may change twice in one. So
 * Last-Modified is the end of the second of the change, and is told when that
 * is over: whoever has this date has the last version of that second.
 */
#ifndef HTTP_DATES_H
#define HTTP_DATES_H

#include "http/handler.h"

enum { DATE_TEXT = 40 };

/* Writes a wall-clock time, in ms, as an HTTP date; returns text. */
const char *date_text(int64_t wall_ms, char text[DATE_TEXT]);

/* Reads a date in any of the three forms; false if it is none. */
bool date_parse(const char *text, int64_t *wall_ms);

/* Is that header a date at which the resource, of that time of its last change,
 * was as it is now? *given, if not NULL: the header is a date. */
bool date_unchanged(const struct exchange *x, const char *header,
                    int64_t changed_ms, bool *given);

/* Adds Last-Modified to the reply, unless the second is not over. */
void date_reply(struct exchange *x, int64_t changed_ms);

#endif
