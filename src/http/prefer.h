/* prefer.h - reads the header Prefer (RFC 7240). */
#ifndef HTTP_PREFER_H
#define HTTP_PREFER_H

#include <stdbool.h>

/* Is respond-async among the preferences? For both functions, `preferences` is
 * the header's value, or NULL if the request has none. */
bool prefer_asynchronous(const char *preferences);

/* Returns the seconds of the first wait=N, but at most `most`. Returns -1 if
 * there is none, or if N is not a number, because RFC 7240 has preferences that
 * are not understood ignored. */
int prefer_wait(const char *preferences, int most);

#endif
