/* job_record.h - a job as text and matrices, as the journal keeps it.
 *
 *     request  op matmul                 answer  begun 1764000000123
 *              priority 5                        device 0
 *              dtype float64                     variant tiled
 *              param alpha 1                     kernel 0 0 1 1 52 52 52 ...
 *
 * A line is a name and values. Whatever has a name in a request has that name
 * here, so that a later version with more variants, parameters and types reads
 * it. Numbers are exact. A pipeline has the lines of each step after `step`.
 * The request's matrices are its operands, the answer's its outputs, the
 * list of failures, and those lists of a pipeline's steps.
 *
 * Text that another process wrote is not believed: what cannot be understood is
 * ERR_FORMAT.
 */
#ifndef QUEUE_JOB_RECORD_H
#define QUEUE_JOB_RECORD_H

#include "base/text.h"
#include "ops/pipeline.h"
#include "queue/job.h"

enum {
	RECORD_OPERANDS = (int)PIPELINE_STEPS * (int)OP_INPUTS,
	RECORD_RESULTS = (int)OP_OUTPUTS + 1 + (int)PIPELINE_STEPS,
};

/* What a job refers to that is not its own. */
struct record_room {
	struct tenants *tenants;
	struct store *store;
	struct pool *codec;
	struct memory_pool *memory;
	uint64_t (*devices)(void *arg, uint64_t indices);	/* bits as in
					 * struct job's devices, of those that
					 * have one of these sheet's indices */
	void *arg;
};

/* Append the request, or the answer, to t. `indices` are the sheets' indices of
 * the devices that the job may run on, as bits; 0: any. */
void record_request(struct text *t, const struct job *j, uint64_t indices);
void record_answer(struct text *t, const struct job *j);

/* Set m[] to the matrices, borrowed, and return their number. */
size_t record_operands(const struct job *j, struct matrix m[RECORD_OPERANDS]);
size_t record_results(const struct job *j, struct matrix m[RECORD_RESULTS]);

/* Makes the job of a request, as far as it can be read: e->code is set if not
 * all can; NULL if not even its operation can. Its operands are taken over by
 * record_take_operands(), which prepares the call and takes some even if it
 * fails. */
struct job *record_read_request(const char *text, const struct record_room *r,
                                struct err *e);
int record_take_operands(struct job *j, struct matrix *m, size_t n,
                         const struct record_room *r, struct err *e);

/* Gives the job the answer; record_take_results() takes the matrices over. */
int record_read_answer(struct job *j, const char *text, struct err *e);
int record_take_results(struct job *j, struct matrix *m, size_t n,
                        struct err *e);

#endif
