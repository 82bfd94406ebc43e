/* engine_end.c - see engine.h: the engine's end, when the process is to end. */
#include "queue/dispatch.h"
#include "queue/durable.h"
#include "queue/end.h"
#include "queue/engine.h"

static const struct err stopping = {
	.code = ERR_NOT_READY,
	.text = "the service stops before this job could be finished",
};

/* Leaves a durable job, for which no client waits, to another process: its
 * state stays as it is. A worker that runs it is killed with this process. */
static void leave_to_next(struct engine *g, struct job *j)
{
	loop_timer_clear(g->loop, &j->deadline);
	j->ending = j->left = true;
	g->unended--;
	job_changed(j);
	durable_leave(g, j);
	if (j->waiting) {
		waiting_remove(&g->waiting, j);
		end_release(g, j);
	}
}

static bool is_for_next(const struct job *j)
{
	return j->backing && !j->accepting && !j->on_end && !job_is_over(j);
}

bool engine_leave(struct engine *g, struct job *j)
{
	const bool leave = j->waiting && is_for_next(j);

	if (leave)
		leave_to_next(g, j);
	return leave;
}

void engine_drain(struct engine *g, void (*fn)(void *arg), void *arg)
{
	g->draining = true;
	g->drained = fn;
	g->drained_arg = arg;
	for (struct job *j = g->records.newest; j; j = j->older)
		engine_leave(g, j);
	end_tell_drained(g);
}

static struct job *find_unended(const struct engine *g)
{
	struct job *j = g->records.newest;

	while (j && job_is_over(j))
		j = j->older;
	return j;
}

void engine_give_up(struct engine *g)
{
	struct job *j;

	g->draining = true;
	while ((j = find_unended(g)))
		if (is_for_next(j)) {
			leave_to_next(g, j);
		} else {
			j->backing = NULL;
			dispatch_end_early(g, j, JOB_DISMISSED, &stopping);
		}
	end_drain(g);
}
