/* link.h - requests to the service over a connection that each thread keeps;
 * service.h tells when none is tried. */
#ifndef CLIENTS_LAPACK_LINK_H
#define CLIENTS_LAPACK_LINK_H

#include <stdbool.h>

#include "base/text.h"

/* Posts the body, which is raw bytes, to the path. Asks for an answer of the
 * media type `accept` and appends its body to *answer. Returns whether the
 * status is 200. */
bool link_post(const char *path, const char *accept, const struct text *body,
               struct text *answer);

#endif
