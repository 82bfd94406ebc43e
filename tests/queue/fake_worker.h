/* fake_worker.h - a worker process that needs no device: the test program
 * itself, started as `unit worker ...`. The first element of a call's first
 * operand is the deed that it does; part i of a gang takes element i, and
 * writes to element i of the output. */
#ifndef TESTS_QUEUE_FAKE_WORKER_H
#define TESTS_QUEUE_FAKE_WORKER_H

enum fake_deed {
	FAKE_ANSWER,		/* the first output's first element: 42 */
	FAKE_FAIL,		/* ERR_SINGULAR */
	FAKE_HOLD,		/* waits until it is cancelled */
	FAKE_HANG,		/* waits, even if it is cancelled */
	FAKE_HOLD_ONCE,		/* waits; at the second attempt, answers */
	FAKE_CRASH,
	FAKE_LEAVE,		/* answers, then exits with 3 */
	FAKE_BABBLE,		/* sends bytes that are no answer */
	FAKE_COLD,		/* puts the call off until the worker had */
	FAKE_COMPILE,		/* this one: answers, reports a compilation */
	FAKE_STRAY,		/* writes over its first operand */
	FAKE_STRAY_FAR,		/* writes over the slab's first byte */
	FAKE_LIE,		/* FAKE_LIE + i: answers with lie i */
};

/* Values that no answer can have. */
enum fake_lie {
	LIE_SERIAL, LIE_VARIANT, LIE_PRESENT, LIE_REAL, LIE_SHORTER,
	LIE_FAILURES, LIE_TIME, LIE_NAME, LIE_TWICE, LIE_LENGTH,
	LIE_DESCRIPTOR, FAKE_LIES
};

enum { FAKE_CPU, FAKE_GPU, FAKE_DEVICES };

/* The time that it reports for a call. */
enum { FAKE_COMPUTE_NS = 1 << 20 };

/* The memory of the GPU, which is its own. */
enum { FAKE_GPU_MEMORY = 1 << 20, FAKE_GPU_ALLOCATION = 1 << 19 };

/* While this environment variable is set, there are that many devices, all of
 * them GPUs like that one. */
#define FAKE_ALIKE "LINALGD_TEST_ALIKE"

/* The directory in which a worker notes what it has held once. */
#define FAKE_NOTES "LINALGD_TEST_NOTES"

/* While this environment variable is set, the canary fails. */
#define FAKE_SICK "LINALGD_TEST_SICK"

int fake_worker(int argc, char **argv);

#endif
