/* token_line.h - a line of the token file:
 *
 *     TOKEN [NAME] [KEY=VALUE ...] [# comment]
 *
 * TOKEN is the token itself or "sha256:" and the 64 hexadecimal digits of its
 * SHA-256 digest. NAME stands in the access log. The keys:
 *
 *     tenant=NAME           whose the token is; by default the token's NAME
 *     scopes=run,read       by default, of the tenant "" all, else run and read
 *     expires=2027-01-31T00:00:00Z
 *     running=N, queued=N   jobs
 *     stored=N, in-flight=N bytes, with K, M, G or T for units of 1024
 *     device-seconds=N      a day, from midnight UTC
 *     priority=N            the most urgent one that jobs may have, 0 to 9
 *     weight=N              the share of device time, 1 to 1000 (waiting.h)
 */
#ifndef HTTP_TOKEN_LINE_H
#define HTTP_TOKEN_LINE_H

#include "http/token.h"

/* Reads a line into *t. Returns 1, or 0 for a line without a token. -1 with
 * ERR_REQUEST, whose text never quotes the line, because any of its words may
 * be a secret in the wrong place. The line is changed. */
int token_line(char *line, struct token *t, struct err *e);

/* Sets the member of *to that *from gives and *to does not. Returns -1, with an
 * error that names the quota, if both give it and differ. */
int token_limits_join(struct tenant_limits *to,
                      const struct tenant_limits *from, struct err *e);

#endif
