/* steps.c - see world.h: lists what can happen next. */
#include <stdlib.h>

#include "tests/model/fakes.h"
#include "tests/model/leases.h"
#include "tests/model/world.h"

static int n_steps;
static struct move *step_list;

static void may(enum verb verb, int a, int b)
{
	if (n_steps == WORLD_STEPS)
		abort();
	step_list[n_steps++] = (struct move){ (unsigned char)verb,
		(unsigned char)a, (unsigned char)b };
}

/* A job of the fleet comes when it is claimed. */
static bool may_come(int i)
{
	const int row = world.plan->job[i].row;

	return !row || lease_rows[row - 1].holder == HOLDER_NONE;
}

static void steps_of_run(int i)
{
	const struct lease_run r = leases_run(world.plan->job[i].row - 1,
	                                      world.epoch[i]);

	if (!r.exists || r.lost || r.ending)
		return;
	may(ABANDON, i, 0);
	if (r.waits)
		may(WITHDRAW, i, 0);
}

static void steps_of_row(int i)
{
	const enum holder h = lease_rows[i].holder;

	if (h == HOLDER_THIS)
		may(LAPSED, i, 0);
	if (h == HOLDER_NONE && lease_rows[i].epoch)
		may(OTHER_CLAIMS, i, 0);
	if (h != HOLDER_ENDED && lease_rows[i].epoch)
		may(OTHER_ENDS, i, 0);
}

static void steps_of_job(int i)
{
	const struct job *const j = world.job[i];

	if (!world.came[i] && may_come(i))
		may(COME, i, 0);
	if (!j)
		return;
	if (world.plan->job[i].row) {
		steps_of_run(i);
		return;
	}
	if (j->preparing) {
		may(PREPARED, i, 0);
		may(PREPARED, i, 1);
	}
	if (!job_state_is_end(j->state))
		may(DISMISS, i, 0);
}

static void steps_of_call(const struct worker *w, int i)
{
	const struct job *const j = w->running[0];

	may(ANSWERED, i, REPLY_DONE);
	may(ANSWERED, i, REPLY_FAILED);
	may(ANSWERED, i, REPLY_PUT_OFF);
	if (job_state_is_end(j->state))
		may(ANSWERED, i, REPLY_DISMISSED);
	if (w->n_running > 1)
		may(ANSWERED_ALL, i, 0);
}

static void steps_of_worker(int i)
{
	const struct worker *const w = &world.engine->worker[i];

	if (w->state == WORKER_DOWN) {
		may(READY, i, 0);
		return;
	}
	if (w->n_running)
		steps_of_call(w, i);
	if (world.compiles[i])
		may(COMPILED, i, 0);
	may(LOST, i, 0);
	if (w->n_running)
		may(LOST, i, 1);
	if (w->state == WORKER_READY)
		may(KILLED, i, 0);
}

int world_steps(struct move steps[WORLD_STEPS])
{
	n_steps = 0;
	step_list = steps;
	for (int i = 0; i < world.plan->n; i++)
		steps_of_job(i);
	for (int i = 0; i < world.engine->n_workers; i++)
		steps_of_worker(i);
	for (int i = 0; i < LEASE_ROWS; i++)
		steps_of_row(i);
	for (int i = 0; i < leases_pending(); i++) {
		may(EXECUTED, i, 0);
		if (!lease_answer_lost)
			may(EXECUTED, i, 1);
	}
	for (int i = 0; i < fake_loop.n_timers; i++)
		may(FIRE, i, 0);
	if (fake_loop.later)
		may(TURN, 0, 0);
	if (!world.refused_once)
		may(REFUSE, 0, 0);
	if (!world.engine->draining) {
		may(DRAIN, 0, 0);
		may(GIVE_UP, 0, 0);
	}
	return n_steps;
}
