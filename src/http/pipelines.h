/* pipelines.h - saved pipelines: descriptions (draft.h) that are kept under a
 * name until they are deleted. For the loop's thread. */
#ifndef HTTP_PIPELINES_H
#define HTTP_PIPELINES_H

#include "http/draft.h"

struct pipelines;

struct pipelines *pipelines_new(struct err *e);
void pipelines_free(struct pipelines *s);	/* NULL is fine */

/* Saves a description that an earlier process has checked. */
int pipelines_restore(struct pipelines *s, const struct tenant *t,
                      const char *name, const char *text, struct err *e);

/* Begins a request for the pipeline that is saved under the name or, if the
 * name is "", for a pipeline that the request describes itself. NULL with
 * ERR_REQUEST for an invalid name, ERR_NOT_FOUND for an unknown one, or
 * ERR_MEMORY. */
struct draft *pipelines_draft(const struct pipelines *s, const char *name,
                              struct request *r, struct memory_pool *p,
                              struct err *e);

#endif
