/* gang.c - see gang.h. */
#include <string.h>

#include "queue/gang.h"

bool gang_plan(const struct args *a, int parts, struct gang_plan *g)
{
	*g = (struct gang_plan){ 0 };
	if (a->op->gang && !a->pipeline)
		a->op->gang(a, parts, g);
	return g->width > 0;
}

int gang_asked(const struct args *a)
{
	struct gang_plan g;

	gang_plan(a, 1, &g);
	return g.asked;
}

int gang_size(const struct job *j)
{
	return j->gang ? j->gang : j->args.gang.parts ? j->args.gang.parts : 1;
}

bool gang_is_over(const struct engine *g, const struct job *j)
{
	for (int i = 0; i < g->n_workers; i++) {
		const struct worker *w = &g->worker[i];
		const struct job *k = w->n_running ? w->running[0] : NULL;

		if (k && k->part && strcmp(k->id, j->id) == 0)
			return false;
	}
	return true;
}
