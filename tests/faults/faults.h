/* faults.h - which call is to fail next, in memory that the test, the front and
 * its workers share (a file that LINALGD_FAULTS names).
 *
 * Every process counts its calls of a kind from zero, where the test set the
 * count to zero; the call whose number is `fail_at` fails once. All numbers are
 * 64 bits long; faults.py knows the same layout.
 */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum fault_process { FAULT_FRONT, FAULT_WORKER, FAULT_OTHER, FAULT_PROCESSES };

enum fault_kind {
	FAULT_MEMORY,		/* malloc() and what else gives memory */
	FAULT_SYSTEM,		/* descriptors, mappings, threads */
	FAULT_FILE,		/* open, write, fsync, rename */
	FAULT_OPENCL,
	FAULT_KINDS
};

enum { FAULT_FRAMES = 12, FAULT_OBJECTS = 6, FAULT_FUNCTIONS = 40 };

struct fault_point {
	_Atomic int64_t calls, fail_at, failed;
	_Atomic int64_t code;		/* errno, or an OpenCL status */
	_Atomic int64_t frames[FAULT_FRAMES];	/* where it failed last */
};

struct fault_table {
	struct fault_point point[FAULT_PROCESSES][FAULT_KINDS];
	/* The process, counted from 1, whose next allocation looks for leaks;
	 * the answer: -1 there are some, 1 there are none. */
	_Atomic int64_t look, leaks;
	/* Of the worker: the OpenCL function that may fail, counted from 1, or
	 * 0 for all; its living contexts, queues, buffers, programs, kernels
	 * and events; its calls of each function. */
	_Atomic int64_t function;
	_Atomic int64_t objects[FAULT_OBJECTS];
	_Atomic int64_t calls_of[FAULT_FUNCTIONS];
};

/* Has faulty.c look in this table, of a test within one process, in the row of
 * FAULT_OTHER. NULL: nothing fails. */
void fault_use(struct fault_table *t);

/* For faulty*.c: is there a table, and must this call of the kind fail? errno
 * is set then. */
bool fault_on(void);
bool fault_hits(enum fault_kind kind);

/* faulty_leaks.c: looks for leaks if the table asks this process to. */
void fault_look_for_leaks(struct fault_table *t, enum fault_process process);

#endif
