/* state.c - see state.h. */
#include "queue/state.h"

static bool works_on(const struct worker *w, const struct job *j)
{
	for (int i = 0; i < w->n_running; i++)
		if (w->running[i] == j)
			return true;
	return false;
}

static int find(const struct engine *g, const struct job *j)
{
	for (int i = 0; i < g->n_workers; i++)
		if (works_on(&g->worker[i], j))
			return i;
	return -1;
}

struct worker *state_worker_of(struct engine *g, const struct job *j)
{
	const int i = find(g, j);

	return i < 0 ? NULL : &g->worker[i];
}

/* A running job of this host that no worker has any more has been computed: its
 * answer is being taken over, or its end is being written. */
int state_progress(const struct engine *g, const struct job *j)
{
	const bool runs = j->state == JOB_RUNNING;
	const int i = runs ? find(g, j) : -1;

	return i >= 0 ? worker_progress(&g->worker[i], j->serial) :
	       job_state_is_end(j->state) || (runs && j->engine) ? 100 :
	       j->progress;
}
