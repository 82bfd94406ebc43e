/* sink.h - what the readers' tests share: a sink with operands a, b and c, or
 * those that a test names, and the parameters as text. */
#ifndef TESTS_FORMAT_SINK_H
#define TESTS_FORMAT_SINK_H

#include "base/text.h"
#include "format/reader.h"

enum { SINK_OPERANDS = 3 };

struct test_sink {
	struct sink sink;
	const char *const *names;	/* of the operands */
	struct matrix m[SINK_OPERANDS];
	bool given[SINK_OPERANDS];
	bool finishing;			/* as on another thread */
	struct text parameters;		/* "tol=1e-8;" */
	int n_shapes;			/* of raw bytes */
	const char *shape_of[SINK_OPERANDS];
	struct matrix shape[SINK_OPERANDS];
};

void test_sink_init(struct test_sink *s);
void test_sink_fini(struct test_sink *s);

/* Lets the format read the body, `piece` bytes at a time. Long work that is
 * left must have a cost. */
int sink_read(struct test_sink *s, const char *media, const void *body,
              size_t n, size_t piece, struct err *e);

/* Reads the body whole and in pieces of every size, or, if it is longer than 16
 * KiB, of every size that results from halving. Expects the same each time:
 * success and what `check` asserts, or, if check is NULL, that error. */
void sink_always(const char *media, const void *body, size_t n,
                 void (*check)(struct test_sink *s), enum err_code code);

/* The same for a body that is a C string. */
void sink_reads(const char *media, const char *body,
                void (*check)(struct test_sink *s));
void sink_refuses(const char *media, const char *body, enum err_code code,
                  const char *word);

/* Asserts that m has that shape ("2x3", "scalar") and those elements. */
void sink_holds(const struct matrix *m, enum dtype d, const char *shape,
                const double *x);

#endif
