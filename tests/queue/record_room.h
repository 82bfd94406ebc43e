/* record_room.h - what the tests of a job's record share: jobs, and the way
 * that they take through the journal: as text and packed matrices. */
#ifndef TESTS_QUEUE_RECORD_ROOM_H
#define TESTS_QUEUE_RECORD_ROOM_H

#include "queue/job_record.h"
#include "queue/keep.h"
#include "tests/test.h"

struct record_state {
	struct record_room room;
	struct tenants *tenants;
	struct store *store;
	size_t used_before;
	struct err e;
};
extern struct record_state record;

void record_open(void);			/* fixtures; at the end all memory */
void record_close(void);		/* must have been released */

/* Makes a job of the operation's sample of size n, or of a stack of three
 * matrices, and settles its type as a request does: dtype < 0 names none.
 * record_prepare() makes its outputs; -1 when the operation refuses it. */
struct job *record_job(const struct op *o, size_t n, int dtype);
struct job *record_stack(const struct op *o, int dtype);
int record_prepare(struct job *j, struct err *e);

/* A job of a pipeline: c = a times its own transpose, which is factored; the
 * answers are `c` and the factors. The operand is of three 4 x 4 matrices. */
struct job *record_pipeline(void);

/* The request and the answer as text, which the caller free()s. */
char *record_request_of(const struct job *j, uint64_t indices);
char *record_answer_of(const struct job *j);

/* What comes back of a text and of the job's matrices, packed and unpacked.
 * record_ask_again() makes a job that waits, record_answer_again() one that has
 * ended; *e is set and what was read is returned when something is wrong. */
struct job *record_ask_again(const struct job *j, const char *request,
                             struct err *e);
struct job *record_answer_again(const struct job *j, const char *request,
                                const char *answer, struct err *e);

/* Fills every output with bytes, and gives the answer times and measures. */
void record_fill(struct job *j);

/* Asserts that two matrices are the same, which may be absent. */
void record_ck_same(const struct matrix *a, const struct matrix *b);

/* job_record.c: assert that two calls, or all of their matrices, are the
 * same. */
void record_ck_same_call(const struct args *a, const struct args *b);
void record_ck_same_matrices(const struct args *a, const struct args *b);

#endif
