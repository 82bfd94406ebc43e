/* fake_worker.h - a worker process that needs no device: the test program
 * itself, started as `unit worker ...`. What it does with a call is the first
 * element of the first operand. */
#ifndef TESTS_QUEUE_FAKE_WORKER_H
#define TESTS_QUEUE_FAKE_WORKER_H

enum fake_deed {
	FAKE_ANSWER,		/* the first output's first element: 42 */
	FAKE_FAIL,		/* ERR_SINGULAR */
	FAKE_HOLD,		/* until it is cancelled */
	FAKE_HANG,		/* whatever it is told */
	FAKE_HOLD_ONCE,		/* then, from the second attempt on, answer */
	FAKE_CRASH,
	FAKE_LEAVE,		/* answers, then exits with 3 */
	FAKE_BABBLE,		/* sends what is no answer */
	FAKE_COLD,		/* puts the call off, until that worker had */
	FAKE_COMPILE,		/* this one: answers, and tells the news */
	FAKE_STRAY,		/* writes over its first operand */
	FAKE_STRAY_FAR,		/* writes over the slab's first byte */
	FAKE_LIE,		/* FAKE_LIE + i: answers with lie i */
};

/* What cannot be in an answer. */
enum fake_lie {
	LIE_SERIAL, LIE_VARIANT, LIE_PRESENT, LIE_REAL, LIE_FAILURES, LIE_TIME,
	LIE_NAME, LIE_TWICE, LIE_LENGTH, LIE_DESCRIPTOR, FAKE_LIES
};

enum { FAKE_CPU, FAKE_GPU, FAKE_DEVICES };

/* What it says that a call took. */
enum { FAKE_COMPUTE_NS = 1 << 20 };

/* Of the GPU, which has memory of its own. */
enum { FAKE_GPU_MEMORY = 1 << 20, FAKE_GPU_ALLOCATION = 1 << 19 };

/* While this is in the environment, there are so many devices, all of them
 * GPUs as that one. */
#define FAKE_ALIKE "LINALGD_TEST_ALIKE"

/* In this directory a worker notes down what it held once. */
#define FAKE_NOTES "LINALGD_TEST_NOTES"

/* While this is in the environment, the canary fails. */
#define FAKE_SICK "LINALGD_TEST_SICK"

int fake_worker(int argc, char **argv);

#endif
