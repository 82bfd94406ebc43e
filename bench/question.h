/* question.h - writes the request that both services get, in the form that
 * each of them reads, and checks their answers. The request is for a product, a
 * factorization or a dominant eigenpair of random matrices. */
#ifndef BENCH_QUESTION_H
#define BENCH_QUESTION_H

#include <stdbool.h>

#include "base/text.h"
#include "matrix/matrix.h"

enum { QUESTION_OPERANDS = 2, QUESTION_TARGET = 128 };

enum question_format { OCTETS, JSON, NPY };

/* The service that reads the request. The two services have different names for
 * shapes, and several npy files are parts of a form for linalgd, but follow one
 * another for the peer. */
enum question_dialect { OURS, THEIRS };

struct question {
	const char *op;			/* "matmul", "lu", "eigen" */
	enum question_format format;
	size_t n;			/* operands are n x n, float32 */
	struct matrix in[QUESTION_OPERANDS];	/* the second may be absent */
};

/* A request with that question. Begins as { 0 }. */
struct question_form {
	char target[QUESTION_TARGET];	/* "/lu?..." */
	const char *type, *accept;
	struct text body;
};

extern const char *const question_formats[];	/* "octets", ... */

/* Makes the operands from op, format and n. */
int question_make(struct question *q, struct memory_pool *pool,
                  struct err *e);
void question_fini(struct question *q);

int question_write(const struct question *q, enum question_dialect d,
                   struct question_form *f, struct err *e);

/* Appends the request's whole head; `more`: as for client_head(). */
void question_head(const struct question_form *f, const char *more,
                   struct text *head);

/* Is the first number of the answer's result the right one? */
bool question_answered(const struct question *q, const struct text *answer);

#endif
