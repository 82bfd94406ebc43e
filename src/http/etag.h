/* etag.h - entity tags of stored matrices, and the preconditions that use them
 * or the time of storing (RFC 9110, sections 8.8.3 and 13; dates.h). A date
 * counts only if there is no tag that says the same more exactly.
 *
 * A tag is "SERVICE.VERSION" or "SERVICE.VERSION-FORM", where SERVICE is a
 * random number of this process, VERSION is the stored matrix's version, and
 * FORM names the format of the reply ("npy"), followed by "-gzip" or "-zstd" if
 * the body is encoded. A tag does not depend on the elements: storing the same
 * elements again makes a new version. A tag without a form in If-Match or
 * If-None-Match stands for all forms of its version. Tags are strong.
 */
#ifndef HTTP_ETAG_H
#define HTTP_ETAG_H

#include <stdbool.h>

#include "http/handler.h"
#include "matrix/store.h"

enum { ETAG_TEXT = 64 };

/* Sets where the number is that tells the tags of one service from those of
 * another. While that is 0, it is random in each process. */
void etag_set_service(const uint64_t *n);

/* Writes the tag of a stored matrix in a form, or, if form is NULL, the tag of
 * its version; returns etag. */
const char *etag_of(const struct stored *s, const char *form,
                    char etag[ETAG_TEXT]);

/* Writes the tag of a text of n bytes, which is the same for equal texts in all
 * services; returns etag. */
const char *etag_of_text(const char *text, size_t n, char etag[ETAG_TEXT]);

/* Is the value of If-Match or If-None-Match "*"? NULL is none. */
bool etag_is_any(const char *list);

/* Returns whether a list of tags, the value of If-Match or If-None-Match,
 * contains etag. With any_form, tags of other forms of the same version match,
 * too. Weak tags, W/"...", match only if weak is set. The list "*" matches
 * every tag. */
bool etag_is_in(const char *list, const char *etag, bool any_form, bool weak);

/* Returns whether the request has preconditions of a change. */
bool etag_has_conditions(const struct exchange *x);

/* Checks the preconditions of a request that changes or removes the stored
 * matrix s, or creates it if s is NULL: 0, or -1 with ERR_PRECONDITION. */
int etag_admit_change(const struct exchange *x, const struct stored *s,
                      struct err *e);

/* Checks the preconditions of GET and HEAD for the representation whose tag is
 * etag, of a matrix that was stored at stored_ms: 0, -1 with ERR_PRECONDITION,
 * or 1 if the reply's status is 304. */
int etag_admit_read(const struct exchange *x, const char *etag,
                    int64_t stored_ms, struct err *e);

#endif
