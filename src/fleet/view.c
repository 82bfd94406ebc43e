/* view.c - makes views, which are copies of jobs' rows from which replies are
 * made, and keeps the followed ones up to date. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/fleet_state.h"
#include "queue/tenant.h"

/* The columns of a row, as RECORD in statements.c selects them. */
enum {
	ID, TENANT, STATE, EPOCH, ATTEMPTS, PROGRESS, REQUEST, ANSWER, GONE,
	RESULT_BYTES, CREATED, STARTED, FINISHED, UPDATED, HISTORY, OWNER,
	RESULT_FILE
};

static uint64_t no_device(void *arg, uint64_t indices)
{
	(void)arg;
	(void)indices;
	return 0;
}

static char *copy_of(const struct pg_answer *a, int row, int column)
{
	return strndup(pg_get(a, row, column), pg_length(a, row, column));
}

/* Notes the host that runs the job. A node's id is NAME-PID-RANDOM. */
static int set_host(struct job *j, const char *node, struct err *e)
{
	size_t n = strlen(node);

	for (int fields = 2; n > 0 && fields > 0;)
		fields -= node[--n] == '-';
	if (n == 0)
		return 0;
	j->place = calloc(1, sizeof *j->place);
	if (!j->place)
		return err_set(e, ERR_MEMORY, "no memory for a job");
	snprintf(j->place->host, sizeof j->place->host, "%.*s", (int)n, node);
	return 0;
}

/* Removes the host and the devices that run or ran the job from the view. */
static void clear_place(struct job *j)
{
	free(j->place);
	j->place = NULL;
	j->device = -1;
	j->parts_on = 0;
}

/* Copies the state, the answer and the times of a row to a view. The times are
 * by the database's clock. */
static int update(struct job *j, const struct pg_answer *a, int row,
                  struct err *e)
{
	char *answer = copy_of(a, row, ANSWER);
	const int state = job_state_find(pg_get(a, row, STATE));
	int rc = answer ? 0 : err_set(e, ERR_MEMORY, "no memory for a job");

	clear_place(j);
	if (rc == 0 && *answer)
		rc = record_read_answer(j, answer, e);
	free(answer);
	j->state = state < 0 ? JOB_FAILED : (enum job_state)state;
	if (rc == 0 && j->state == JOB_RUNNING)
		rc = set_host(j, pg_get(a, row, OWNER), e);
	j->progress = (int)pg_integer(a, row, PROGRESS);
	j->gone = pg_integer(a, row, GONE);
	j->attempts = (int)pg_integer(a, row, ATTEMPTS);
	j->epoch = pg_integer(a, row, EPOCH);
	j->created_ms = pg_integer(a, row, CREATED);
	j->begun_ms = pg_integer(a, row, STARTED);
	j->finished_ms = pg_integer(a, row, FINISHED);
	j->updated_ms = pg_integer(a, row, UPDATED);
	return rc;
}

/* If this host runs the job, takes its current progress and its device from the
 * engine: the row has the progress of the last renewal, and no device before
 * the job has ended. */
static void use_local_run(struct fleet *f, struct job *j)
{
	const struct leased *r = leased_find(f, j->id, j->epoch);

	if (!r || !r->job || j->state != JOB_RUNNING)
		return;
	j->progress = engine_progress(f->engine, r->job);
	j->device = r->job->device;
	j->parts_on = r->job->parts_on;
	fleet_set_place(f, j);
}

struct job *view_of(struct fleet *f, const struct pg_answer *a, int row,
                    struct err *e)
{
	struct tenants *const all = engine_tenants(f->engine);
	const struct record_room room = {
		.tenants = all, .codec = f->options.codec,
		.memory = f->options.memory, .devices = no_device,
	};
	char *request = copy_of(a, row, REQUEST);
	struct job *j;

	if (!request) {
		err_set(e, ERR_MEMORY, "no memory for a job");
		return NULL;
	}
	j = record_read_request(request, &room, e);
	free(request);
	if (!j)
		return NULL;
	snprintf(j->id, sizeof j->id, "%s", pg_get(a, row, ID));
	j->keep = true;
	j->deadline_ns = 0;
	j->tenant = tenants_get(all, pg_get(a, row, TENANT), e);
	if (j->tenant && !e->code && update(j, a, row, e) == 0) {
		use_local_run(f, j);
		return j;
	}
	job_unref(j);
	return NULL;
}

bool view_has_results(const struct pg_answer *a, int row, int64_t *run,
                      uint64_t *bytes)
{
	*run = pg_integer(a, row, EPOCH);
	*bytes = (uint64_t)pg_integer(a, row, RESULT_BYTES);
	return strcmp(pg_get(a, row, STATE), "successful") == 0 &&
	       !pg_integer(a, row, GONE) && *bytes > 0;
}

const char *view_result_file(const struct pg_answer *a, int row)
{
	return pg_get(a, row, RESULT_FILE);
}

/* --- following views */

struct looking {
	struct call call;
	struct fleet *fleet;
	struct text ids;
	size_t n;
	struct seen {
		char id[JOB_ID];
		enum job_state before;		/* the view's state */
		bool exists;			/* the job's row */
		int progress;
		struct pg_answer *row;		/* the whole row if its state
						 * is another one by now,
						 * else NULL */
	} seen[];
};

static int read_whole_row(struct seen *s, struct pg *p, struct err *e)
{
	const struct pg_value v[] = { pg_text(s->id), pg_text(NULL) };

	pg_answer_free(s->row);
	s->row = pg_ask(p, S_FIND, v, e);
	return s->row ? 0 : -1;
}

static struct seen *seen_of(struct looking *x, const char *id)
{
	for (size_t i = 0; i < x->n; i++)
		if (strcmp(x->seen[i].id, id) == 0)
			return &x->seen[i];
	return NULL;
}

static int look(struct call *c, struct pg *p, struct err *e)
{
	struct looking *const x = (struct looking *)c;
	const struct pg_value v[] = { pg_text(x->ids.data) };
	struct pg_answer *a = pg_ask(p, S_STATES, v, e);
	int rc = a ? 0 : -1;

	for (int i = 0; rc == 0 && i < pg_rows(a); i++) {
		struct seen *const s = seen_of(x, pg_get(a, i, 0));

		if (!s)
			continue;
		s->exists = true;
		s->progress = (int)pg_integer(a, i, 2);
		if (job_state_find(pg_get(a, i, 1)) != (int)s->before)
			rc = read_whole_row(s, p, e);
	}
	pg_answer_free(a);
	return rc;
}

static struct job *followed(const struct fleet *f, const char *id)
{
	for (int i = 0; i < f->n_followed; i++)
		if (strcmp(f->followed[i]->id, id) == 0)
			return f->followed[i];
	return NULL;
}

/* Ends a view whose row has been deleted. */
static void end_deleted(struct job *j)
{
	err_set(&j->err, ERR_NOT_FOUND, "there is no job %s any more", j->id);
	j->state = JOB_DISMISSED;
	j->gone = true;
}

static void apply_seen(struct fleet *f, struct job *j, const struct seen *s)
{
	struct err e = { 0 };
	const bool changed = !s->exists || s->row;

	if (!s->exists)
		end_deleted(j);
	else if (s->row && pg_rows(s->row) == 1)
		update(j, s->row, 0, &e);
	else if (!s->row)
		j->progress = s->progress;
	use_local_run(f, j);
	if (changed)
		job_changed(j);
}

/* Stops following views whose jobs have ended, and those to which nobody else
 * refers. */
static void prune(struct fleet *f)
{
	int n = 0;

	for (int i = 0; i < f->n_followed; i++) {
		struct job *const j = f->followed[i];

		if (j->refs > 1 && !job_state_is_end(j->state))
			f->followed[n++] = j;
		else
			job_unref(j);
	}
	f->n_followed = n;
}

static void looked(struct call *c)
{
	struct looking *const x = (struct looking *)c;
	struct fleet *const f = x->fleet;

	for (int i = 0; !c->err.code && i < f->n_followed; i++) {
		const struct seen *s = seen_of(x, f->followed[i]->id);

		if (s && !job_state_is_end(f->followed[i]->state))
			apply_seen(f, f->followed[i], s);
	}
	prune(f);
	for (size_t i = 0; i < x->n; i++)
		pg_answer_free(x->seen[i].row);
	text_fini(&x->ids);
	free(x);
}

/* Adds the view's job, unless another view of the same job was added before. */
static void add(struct looking *x, const struct job *j)
{
	struct seen *const s = &x->seen[x->n];

	if (seen_of(x, j->id))
		return;
	snprintf(s->id, sizeof s->id, "%s", j->id);
	s->before = j->state;
	text_printf(&x->ids, "%s%s", x->n++ ? "," : "{", j->id);
}

void view_refresh(struct fleet *f, const char *id)
{
	struct looking *x;

	prune(f);
	if (f->closed || !f->n_followed || (id && !followed(f, id)))
		return;
	x = calloc(1, sizeof *x +
	           (size_t)f->n_followed * sizeof x->seen[0]);
	if (!x)
		return;
	x->call = (struct call){ .work = look, .done = looked };
	x->fleet = f;
	for (int i = 0; i < f->n_followed; i++)
		if (!id || strcmp(f->followed[i]->id, id) == 0)
			add(x, f->followed[i]);
	text_puts(&x->ids, "}");
	crew_submit(f->front, &x->call);
}

void fleet_follow(struct depot *d, struct job *j)
{
	struct fleet *const f = fleet_of(d);

	if (job_state_is_end(j->state))
		return;
	if (f->n_followed == FLEET_FOLLOWED)
		prune(f);
	if (f->n_followed == FLEET_FOLLOWED)
		return;		/* the client's wait then ends by its timeout */
	f->followed[f->n_followed++] = job_ref(j);
	view_refresh(f, j->id);
}
