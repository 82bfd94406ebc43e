/* leases.c - see leases.h. The functions of pg.h, crew.h and others here stand
 * in for those of src/fleet, of which only leased.c and record.c are linked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "fleet/chunks.h"
#include "fleet/fleet_state.h"
#include "fleet/shelve.h"
#include "tests/model/leases.h"

#define LEASE_NS INT64_C(30000000000)

enum { CALLS = 16 };

struct lease_row lease_rows[LEASE_ROWS];
bool lease_answer_lost;

static struct fleet fleet;
static struct call *pending[CALLS];	/* the oldest first */
static int n_pending;
static bool loses_answer;		/* of the statement that is executed */

/* --- the database's statements */

static struct lease_row *row_of(const struct pg_value *id)
{
	for (int i = 0; i < LEASE_ROWS; i++)
		if (strcmp(lease_rows[i].id, id->data) == 0)
			return &lease_rows[i];
	abort();
}

static bool is_run(const struct lease_row *r, const struct pg_value *epoch)
{
	return r->holder == HOLDER_THIS && r->epoch == atoll(epoch->data);
}

static enum job_state state_of(const char *name)
{
	int s = 0;

	while (strcmp(job_state_name((enum job_state)s), name))
		s++;
	return (enum job_state)s;
}

/* S_END: the node, the job, the run's epoch, the state, ... */
static int end(const struct pg_value *v)
{
	struct lease_row *const r = row_of(&v[1]);

	if (!is_run(r, &v[2]))
		return 0;
	r->holder = HOLDER_ENDED;
	r->ends++;
	r->end_epoch = atoll(v[2].data);
	r->end = state_of(v[3].data);
	return 1;
}

/* S_CHECK_END: the job, the run's epoch, the state, ... */
static int check_end(const struct pg_value *v)
{
	const struct lease_row *const r = row_of(&v[0]);

	return r->holder == HOLDER_ENDED && r->end_epoch == r->epoch &&
	       r->epoch == atoll(v[1].data) &&
	       r->end == state_of(v[2].data);
}

/* S_GIVE_BACK: the node, the job, the run's epoch, ... */
static int give_back(const struct pg_value *v)
{
	struct lease_row *const r = row_of(&v[1]);
	const bool is = is_run(r, &v[2]);

	if (is)
		r->holder = HOLDER_NONE;
	return is;
}

int pg_count(struct pg *p, enum statement s, const struct pg_value *v,
             struct err *e)
{
	const int rows = s == S_END ? end(v) :
	                 s == S_CHECK_END ? check_end(v) :
	                 s == S_GIVE_BACK ? give_back(v) : (abort(), -1);

	(void)p;
	return loses_answer ? err_set(e, ERR_STATE, "the connection was lost") :
	                      rows;
}

int pg_do(struct pg *p, enum statement s, const struct pg_value *v,
          struct err *e)
{
	return pg_count(p, s, v, e) < 0 ? -1 : 0;
}

struct pg_value pg_text(const char *s)
{
	return (struct pg_value){ .data = s };
}

struct pg_value pg_bytes(const void *bytes, size_t n)
{
	return (struct pg_value){ .data = bytes, .n = n, .binary = true };
}

struct pg_value pg_number(int64_t n, char digits[PG_DIGITS])
{
	snprintf(digits, PG_DIGITS, "%lld", (long long)n);
	return pg_text(digits);
}

/* --- what the model's jobs do not need: large results, stored outputs, and
 * refusals */

int pg_begin(struct pg *p, struct err *e)
{
	(void)p;
	(void)e;
	abort();
}

int pg_commit(struct pg *p, struct err *e)
{
	return pg_begin(p, e);
}

void pg_roll_back(struct pg *p)
{
	pg_begin(p, NULL);
}

int pg_end(struct pg *p, int rc, struct err *e)
{
	(void)rc;
	return pg_begin(p, e);
}

int chunks_write(struct pg *p, const char *job, int64_t run,
                 const struct matrix *m, size_t n, struct err *e)
{
	(void)job;
	(void)run;
	(void)m;
	(void)n;
	return pg_begin(p, e);
}

int shelve_write(struct shelving *s, struct pg *p, struct err *e)
{
	(void)s;
	return pg_begin(p, e);
}

int shelve_show(struct shelving *s, struct pg *p, struct err *e)
{
	return shelve_write(s, p, e);
}

/* No payload is in a file. */
void shared_write(struct shared *s, uint64_t bytes, const struct matrix *m,
                  size_t n, char name[SHARED_NAME])
{
	(void)s;
	(void)bytes;
	(void)m;
	(void)n;
	*name = '\0';
}

void shared_drop(struct shared *s, char name[SHARED_NAME])
{
	(void)s;
	*name = '\0';
}

void shelve_files(struct shelving *s)
{
	(void)s;
}

void shelve_drop_files(struct shelving *s)
{
	(void)s;
}

void shelving_of_job(struct shelving *s, const struct fleet *f,
                     const struct keeping *k)
{
	(void)s;
	(void)f;
	(void)k;
	abort();
}

void shelving_fini(struct shelving *s)
{
	(void)s;
}

uint64_t shelving_bytes(const struct shelving *s)
{
	(void)s;
	return 0;
}

void shelve_keep(struct fleet *f, const struct shelving *s)
{
	(void)f;
	(void)s;
}

/* The model's steps claim. */
void claim_begin(struct fleet *f, bool hint)
{
	(void)f;
	(void)hint;
}

/* In place of log_with(), by the linker's --wrap: lost leases are no news. */
void __wrap_log_with(enum log_level level, const struct log_field *fields,
                     const char *fmt, ...);
void __wrap_log_with(enum log_level level, const struct log_field *fields,
                     const char *fmt, ...)
{
	(void)level;
	(void)fields;
	(void)fmt;
}

/* --- the crew */

void crew_submit(struct crew *w, struct call *c)
{
	(void)w;
	if (n_pending == CALLS)
		abort();
	pending[n_pending++] = c;
}

int leases_pending(void)
{
	return n_pending;
}

int64_t leases_kind(int i)
{
	return (int64_t)(intptr_t)pending[i]->work;
}

void leases_execute(int i, bool lost)
{
	struct call *const c = pending[i];
	struct err e = { 0 };

	loses_answer = lost;
	c->work(c, NULL, &e);
	loses_answer = false;
	lease_answer_lost |= lost;
	if (lost)
		return;
	n_pending--;
	memmove(&pending[i], &pending[i + 1],
	        (size_t)(n_pending - i) * sizeof pending[0]);
	c->err = e;
	c->done(c);
}

/* --- this host */

void leases_begin(struct engine *g, struct loop *l, struct memory_pool *p)
{
	fleet = (struct fleet){
		.engine = g, .id = "this", .options = {
			.loop = l, .memory = p, .name = "this",
			.lease_ns = LEASE_NS, .result_ttl_ns = 1,
		},
	};
	n_pending = 0;
	lease_answer_lost = false;
	for (int i = 0; i < LEASE_ROWS; i++) {
		lease_rows[i] = (struct lease_row){ .holder = HOLDER_NONE };
		snprintf(lease_rows[i].id, JOB_ID, "%032x", (unsigned)i);
	}
}

void leases_end(void)
{
	while (n_pending)
		leases_execute(0, false);
	while (fleet.runs)
		leased_free(fleet.runs);
}

int64_t leases_claim(int row, struct job *j)
{
	struct lease_row *const at = &lease_rows[row];
	struct err e = { 0 };
	struct leased *r;

	at->holder = HOLDER_THIS;
	r = leased_new(&fleet, at->id, ++at->epoch, clock_ns() + LEASE_NS);
	if (!r)
		abort();
	leased_begin(r, j);
	if (engine_adopt(fleet.engine, j, &e) == 0)
		return at->epoch;
	leased_give_back(r, NULL, 1);
	return 0;
}

static struct leased *find(int row, int64_t epoch)
{
	return epoch ? leased_find(&fleet, lease_rows[row].id, epoch) : NULL;
}

struct lease_run leases_run(int row, int64_t epoch)
{
	const struct leased *const r = find(row, epoch);

	return r ? (struct lease_run){ true, r->lost, r->ending,
	                               r->job->waiting } :
	           (struct lease_run){ .exists = false };
}

int leases_runs(void)
{
	return (int)fleet.n_runs;
}

void leases_abandon(int row, int64_t epoch)
{
	leased_abandon(find(row, epoch), "the model says so");
}

void leases_withdraw(int row, int64_t epoch)
{
	struct leased *const r = find(row, epoch);

	if (engine_withdraw(fleet.engine, r->job))
		leased_give_back(r, NULL, 0);
}

/* --- what happens elsewhere */

void leases_lapse(int row)
{
	lease_rows[row].holder = HOLDER_NONE;
}

void leases_other_claims(int row)
{
	lease_rows[row].holder = HOLDER_OTHER;
	lease_rows[row].epoch++;
}

void leases_other_ends(int row)
{
	lease_rows[row].holder = HOLDER_ENDED;
	lease_rows[row].ends++;
}

const char *leases_broken(void)
{
	size_t runs = 0, ending = 0;

	for (int i = 0; i < LEASE_ROWS; i++) {
		const struct lease_row *const r = &lease_rows[i];

		if (r->ends != (r->holder == HOLDER_ENDED))
			return "an end was not recorded once";
		if (r->end_epoch && r->end_epoch != r->epoch)
			return "an end of an older epoch was recorded";
	}
	for (const struct leased *r = fleet.runs; r; r = r->next, runs++) {
		ending += r->ending;
		if (!r->job || r->job->backing != &r->backing)
			return "a run has not the job that has it";
	}
	return runs != fleet.n_runs || ending != fleet.n_ending ?
	       "the number of runs is wrong" : NULL;
}
