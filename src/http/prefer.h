/* prefer.h - reads the header Prefer (RFC 7240). */
#ifndef HTTP_PREFER_H
#define HTTP_PREFER_H

#include <stdbool.h>

/* Is respond-async among the preferences? They may be NULL, here and below. */
bool prefer_asynchronous(const char *preferences);

/* The seconds of the first wait=N, but at most `most`; -1 if there is none, or
 * if N is no number, since a preference that is not understood is ignored. */
int prefer_wait(const char *preferences, int most);

#endif
