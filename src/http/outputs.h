/* outputs.h - the outputs that a request has stored (keep.h): how long, and
 * under which preconditions. */
#ifndef HTTP_OUTPUTS_H
#define HTTP_OUTPUTS_H

#include "http/handler.h"
#include "queue/keep.h"

/* Parses a time to live in seconds; 0: no limit. -1 with ERR_PARAMETER. */
int outputs_ttl(const char *value, int64_t *ttl_ns, struct err *e);

/* Checks If-Match and If-None-Match against every stored matrix that the
 * outputs will replace: ERR_PRECONDITION. If there is such a header, the
 * matrices must still be the same when the outputs are stored. NULL is fine. */
int outputs_admit(const struct exchange *x, struct keeping *k, struct err *e);

#endif
