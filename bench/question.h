/* question.h - what both services are asked: a product, a
 * factorization or a dominant eigenpair of random matrices, in the form that
 * each of them reads, and whether an answer belongs to it. */
#ifndef BENCH_QUESTION_H
#define BENCH_QUESTION_H

#include <stdbool.h>

#include "base/text.h"
#include "matrix/matrix.h"

enum { QUESTION_OPERANDS = 2, QUESTION_TARGET = 128 };

enum question_format { OCTETS, JSON, NPY };

/* Whose form: they differ in the names of shapes, and in several npy, which
 * linalgd takes as a form's parts and the peer back to back. */
enum question_dialect { OURS, THEIRS };

struct question {
	const char *op;			/* "matmul", "lu", "eigen" */
	enum question_format format;
	size_t n;			/* operands are n x n, float32 */
	struct matrix in[QUESTION_OPERANDS];	/* the second: absent? */
};

/* A request with that question; { 0 } is a valid empty one. */
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

/* The whole head of a request with it; `more` as for client_head(). */
void question_head(const struct question_form *f, const char *more,
                   struct text *head);

/* Does the first number of the result belong to the question? */
bool question_answered(const struct question *q, const struct text *answer);

#endif
