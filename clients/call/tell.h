/* tell.h - prints why there is no result, and returns the exit status. */
#ifndef CLIENTS_CALL_TELL_H
#define CLIENTS_CALL_TELL_H

#include "clients/call/http.h"

/* A reply with a status other than 200: a problem document's title and detail
 * (RFC 9457), or the status of another reply. */
int tell_problem(const struct http_reply *r);

/* HTTP_LOST: no reply from the service at url. */
int tell_lost(const struct http *h, const char *url);

/* The reply to GET path is not what linalgd replies. */
int tell_stranger(const char *url, const char *path);

#endif
