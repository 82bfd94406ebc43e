/* link.h - each thread's connection to the service: see service.h. */
#ifndef CLIENTS_LAPACK_LINK_H
#define CLIENTS_LAPACK_LINK_H

#include <stdbool.h>

#include "base/text.h"

/* Posts a body of raw bytes to the path and stores the body of the answer, of
 * that media type, in *answer. Returns whether its status is 200. */
bool link_post(const char *path, const char *accept, const struct text *body,
               struct text *answer);

#endif
