/* range.h - the header Range (RFC 9110, section 14): one range of bytes. */
#ifndef HTTP_RANGE_H
#define HTTP_RANGE_H

#include <stdbool.h>
#include <stdint.h>

struct range {
	uint64_t first, bytes;		/* bytes is 0 if the range begins
					 * after the end of the body */
};

/* Parses header, the value of Range, for a body of size bytes. Returns false if
 * the header is to be ignored: it is NULL, malformed, or anything but a single
 * range of bytes. */
bool range_parse(const char *header, uint64_t size, struct range *r);

/* Writes the value of a Content-Range header; returns text. */
enum { RANGE_TEXT = 80 };
const char *range_text(const struct range *r, uint64_t size,
                       char text[RANGE_TEXT]);

#endif
