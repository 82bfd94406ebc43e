/* gang.h - calls that ask for several `devices`, run by as many threads with a
 * device each, as workers run them (struct gang in ops/op.h). */
#ifndef TESTS_OPS_GANG_H
#define TESTS_OPS_GANG_H

#include "tests/ops/op.h"

/* The number of devices that the call asks for, or 0. */
int gang_asked(const struct args *a);

/* Runs a part of the call on a device; ops_main.c. */
int part_on_device(struct device *d, struct args *a,
                   bool (*cancelled)(void *arg), void *arg, struct err *e);

/* Runs all parts; the error is the first part's that failed by itself. */
int gang_on_devices(struct args *a, struct err *e);
void gang_close(void);

/* The call on the matrix, with that parameter beside devices=2, is refused. */
void gang_refuses(const char *op, const struct matrix *a, const char *name,
                  const char *value);

/* One of three parts fails early, in the middle and late: all must end. */
void gang_survives_failures(const char *op, const struct matrix *in, int n_in);

/* Five parts must each take much less memory than two, which take less than
 * `most` bytes each. */
void gang_memory_shrinks(const char *op, const struct matrix *in, int n_in,
                         size_t most);

/* The next gang's part `part` fails when it has been asked that many times
 * whether it was cancelled; and the calls of that. */
extern int gang_fails, gang_fails_at;

/* While it is set, kernels run one at a time: launches.c. */
extern bool gang_runs;

#endif
