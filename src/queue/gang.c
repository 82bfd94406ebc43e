/* gang.c - see gang.h. */
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
