/* pipelines.h - saved pipelines: descriptions (draft.h) that are kept under a
 * name until they are deleted. For the loop's thread. */
#ifndef HTTP_PIPELINES_H
#define HTTP_PIPELINES_H

#include "http/draft.h"
#include "http/wanted.h"

enum {
	PIPELINES_MOST = 1024,		/* of a tenant */
	PIPELINES_BYTES = 64 << 10,	/* of a description */
};

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

/* Checks a description by making its pipeline, without operands, so that only a
 * valid description is saved. w: has the stored matrices; NULL: the service's
 * store has them. */
int pipelines_check(struct api *a, const struct tenant *t, const char *text,
                    struct wanted *w, struct err *e);

/* Checks that a request whose body is a description may begin. */
int pipelines_check_put(const struct exchange *x, struct err *e);

/* Appends bytes of a description; ERR_TOO_LARGE, ERR_MEMORY. */
int pipelines_take(struct text *t, const void *bytes, size_t n,
                   struct err *e);

/* Returns a description as compact JSON, which the caller frees; NULL if it is
 * no JSON. */
char *pipelines_compact(const struct text *t);

/* Returns the row of a saved pipeline in GET /pipelines. */
json_t *pipelines_row(const char *name, const char *text);

#endif
