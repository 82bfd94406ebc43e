/* accept.h - chooses a media type by the header Accept (RFC 9110, 12.5.1). */
#ifndef HTTP_ACCEPT_H
#define HTTP_ACCEPT_H

/* The quality in thousandths, 0 to 1000, that an Accept header gives to a
 * media type: that of the most specific range that fits. 1000 if header is
 * NULL. */
int accept_quality(const char *header, const char *media_type);

/* Index of the type with the highest quality in a NULL-terminated list, the
 * first among equals; -1 when none is acceptable. */
int accept_choose(const char *header, const char *const *media_types);

#endif
