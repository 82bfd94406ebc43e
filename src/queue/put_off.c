/* put_off.c - see put_off.h. */
#include "queue/give.h"
#include "queue/put_off.h"

bool put_off_by(struct engine *g, const struct worker *w, struct job *j,
                const struct done *d)
{
	if (d->err.code != ERR_NOT_READY || d->serial != j->serial ||
	    job_is_over(j))
		return false;
	job_put_off(j, (int)(w - g->worker), j->started_ns);
	j->attempts--;
	give_again(g, j);
	return true;
}
