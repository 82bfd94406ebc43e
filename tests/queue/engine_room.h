/* engine_room.h - what the tests of the engine share: an engine whose workers
 * are fake_worker.c's (real processes, no device), and jobs for it. */
#ifndef TESTS_QUEUE_ENGINE_ROOM_H
#define TESTS_QUEUE_ENGINE_ROOM_H

#include "queue/engine.h"
#include "queue/state.h"
#include "tests/queue/fake_worker.h"
#include "tests/test.h"

#define MS INT64_C(1000000)
#define PATIENCE (180000 * MS)		/* a longer wait is a failure */

/* The state of the test that runs. */
struct engine_room {
	struct loop *loop;
	struct memory_pool *pool;
	struct engine *engine;
	struct err e;
	/* The engine's settings, which a test may change before it starts. By
	 * default they never expire, however slow the workers are. */
	int64_t result_ttl_ns, grace_ns;
	int64_t timeout_ns;		/* 0: none */
	struct journal *journal;	/* NULL: none */
	int ended[64], n_ended;		/* the jobs' deeds, in order */
};
extern struct engine_room room;

/* The fixture; at its end all memory and references must have been released. */
void room_open(void);
void room_close(void);

/* Ends the engine and the journal, as SIGKILL does: nothing more is written but
 * what was submitted. The journal is closed first, as by `linalgd serve`, since
 * what it tells at its end is about jobs of the engine. */
void room_end_process(void);

/* Starts the engine; room_start_ready() waits for all its workers. */
void room_start(const char *devices, size_t queue_limit);
void room_start_ready(const char *devices);

/* Lets the loop run for a moment. */
void room_run(void);

#define UNTIL(condition)                                           \
	do {                                                       \
		const int64_t until = clock_ns() + PATIENCE;       \
		while (!(condition)) {                             \
			ck_assert_msg(clock_ns() < until,          \
			              "never: %s", #condition);    \
			room_run();                                \
		}                                                  \
	} while (0)

/* A transposition of n numbers, the first of which is the deed; it shares no
 * batch. The caller has one reference. */
struct job *room_job(enum fake_deed deed, size_t n, const char *device);

/* Make such a job and submit it; one of three numbers for any device. */
struct job *room_submit_to(enum fake_deed deed, size_t n, const char *device);
struct job *room_submit(enum fake_deed deed);

#define room_accepts(job)                                                \
	ck_ok(engine_submit(room.engine, (job), &room.e), &room.e)
#define room_refuses(job, code)                                          \
	ck_refused(engine_submit(room.engine, (job), &room.e), &room.e, code)

/* Has the job's worker begun it? */
bool room_at_work(const struct job *j);

/* Submits a job to a ready engine of one device, sends its worker the signal in
 * each of its first `runs` runs, 1 or 2, and returns it when it has ended. */
struct job *room_signal(int signal, int runs);

#endif
