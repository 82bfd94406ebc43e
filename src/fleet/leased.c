/* leased.c - the runs, which are the jobs that this host has claimed. A run
 * ends when the job's end is recorded (record.c), when the job is given back,
 * or when its lease is lost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "fleet/fleet_state.h"
#include "queue/engine.h"

struct leased *leased_find(struct fleet *f, const char *id, int64_t epoch)
{
	struct leased *r = f->runs;

	while (r && (strcmp(r->id, id) || (epoch && r->epoch != epoch)))
		r = r->next;
	return r;
}

void leased_free(struct leased *r)
{
	struct fleet *const f = r->fleet;

	if (r->next)
		r->next->previous = r->previous;
	if (r->previous)
		r->previous->next = r->next;
	else
		f->runs = r->next;
	f->n_runs--;
	f->n_ending -= r->ending;
	if (r->job)
		r->job->backing = NULL;
	job_unref(r->job);
	free(r);
}

/* --- giving a job back */

struct giving {
	struct call call;
	char node[FLEET_ID], id[JOB_ID];
	int64_t epoch, for_ms, lease_ms;
	bool refuses;			/* this host cannot run the job */
	bool fails;			/* no host can */
	struct text answer;		/* the job's end, if every host that
					 * fits has refused it */
};

static int refuse(struct giving *g, struct pg *p, struct err *e)
{
	char epoch[PG_DIGITS], lease[PG_DIGITS];
	const struct pg_value refused[] = {
		pg_text(g->node), pg_text(g->id), pg_number(g->epoch, epoch),
	};
	const struct pg_value failed[] = {
		pg_number(g->lease_ms, lease), pg_text(g->id),
		pg_bytes(g->answer.data, g->answer.length),
	};

	if (pg_begin(p, e))
		return -1;
	return pg_end(p, pg_do(p, S_REFUSE, refused, e) ||
	                 pg_do(p, S_FAIL_REFUSED, failed, e), e);
}

static int fail(struct giving *g, struct pg *p, struct err *e)
{
	char epoch[PG_DIGITS];
	const struct pg_value v[] = {
		pg_text(g->node), pg_text(g->id), pg_number(g->epoch, epoch),
		pg_text(job_state_name(JOB_FAILED)),
		pg_bytes(g->answer.data, g->answer.length), pg_text("f"),
		pg_text(NULL), pg_text("0"), pg_text("0"), pg_text(NULL),
	};

	return pg_do(p, S_END, v, e);
}

static int give(struct call *c, struct pg *p, struct err *e)
{
	struct giving *const g = (struct giving *)c;
	char epoch[PG_DIGITS], delay[PG_DIGITS];
	const struct pg_value v[] = {
		pg_text(g->node), pg_text(g->id), pg_number(g->epoch, epoch),
		pg_number(g->for_ms, delay),
	};

	return g->fails ? fail(g, p, e) : g->refuses ? refuse(g, p, e) :
	       pg_do(p, S_GIVE_BACK, v, e);
}

static void gave(struct call *c)
{
	struct giving *const g = (struct giving *)c;

	text_fini(&g->answer);
	free(g);
}

/* Without memory the job is not given back here, but its lease lapses, and then
 * another host can claim it. */
void leased_give_back(struct leased *r, const struct err *why, int64_t for_ms)
{
	struct fleet *const f = r->fleet;
	struct giving *g = calloc(1, sizeof *g);

	f->counts.given_back++;
	if (g) {
		g->call = (struct call){ .work = give, .done = gave,
		                         .must = true };
		snprintf(g->node, sizeof g->node, "%s", f->id);
		snprintf(g->id, sizeof g->id, "%s", r->id);
		g->epoch = r->epoch;
		g->for_ms = for_ms;
		g->lease_ms = fleet_lease_ms(f);
		g->refuses = why != NULL;
		g->fails = why && why->code == ERR_GONE;
		if (why)
			text_printf(&g->answer, "error %s 0\ndetail %s\n",
			            err_slug(why->code), why->text);
		crew_submit(f->runner, &g->call);
	}
	leased_free(r);
}

static void leave(struct backing *b, struct engine *g, struct job *j)
{
	(void)g;
	(void)j;
	leased_give_back((struct leased *)b, NULL, 0);
}

/* --- the life of a run */

struct leased *leased_new(struct fleet *f, const char *id, int64_t epoch,
                          int64_t ends_ns)
{
	struct leased *r = calloc(1, sizeof *r);

	if (!r)
		return NULL;
	r->backing = (struct backing){
		.shared = true, .leave = leave, .end = record_end,
	};
	r->fleet = f;
	r->epoch = epoch;
	r->ends_ns = ends_ns;
	snprintf(r->id, sizeof r->id, "%s", id);
	r->next = f->runs;
	if (r->next)
		r->next->previous = r;
	f->runs = r;
	f->n_runs++;
	return r;
}

void leased_begin(struct leased *r, struct job *j)
{
	r->job = job_ref(j);
	r->begun_ns = clock_ns();
	j->backing = &r->backing;
}

void leased_abandon(struct leased *r, const char *why)
{
	struct fleet *const f = r->fleet;

	if (r->lost || r->ending)
		return;
	r->lost = true;
	f->counts.abandoned++;
	log_with(LOG_LEVEL_WARN, LOG_FIELDS(LOG_TEXT("job", r->id)),
	         "job %s ends here: %s", r->id, why);
	if (r->job)
		engine_dismiss(f->engine, r->job);
}
