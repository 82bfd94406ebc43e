/* put.c - see matrices.h: stores and removes matrices. */
#include <stdio.h>
#include <stdlib.h>

#include "fleet/asking.h"
#include "fleet/chunks.h"
#include "fleet/matrices.h"
#include "fleet/shelve.h"

struct putting {
	struct asking asking;
	struct shelving shelving;
	void (*then)(void *arg, uint64_t version, bool new,
	             const struct err *e);
	/* Of a job's outputs instead: */
	struct job *job;		/* a reference */
	void (*stored)(struct job *j, const struct err *e);
};

/* The files stay if the rows have their names, or may have them because the
 * answer to COMMIT was lost. */
static int write_all(struct shelving *s, struct pg *p, struct err *e)
{
	int rc;

	shelve_files(s);
	rc = pg_begin(p, e);
	if (rc == 0)
		rc = pg_end(p, shelve_write(s, p, e) || shelve_show(s, p, e) ?
		               -1 : 0, e);
	if (rc && e->code != ERR_STATE)
		shelve_drop_files(s);
	return rc;
}

static int put(struct call *c, struct pg *p, struct err *e)
{
	struct shelving *const s = &((struct putting *)c)->shelving;
	bool written;

	if (shelve_check(s, p, &written, e))
		return -1;
	return written ? 0 : write_all(s, p, e);
}

static void have_put(struct call *c)
{
	struct putting *const x = (struct putting *)c;
	struct asker *const by = ask_end(&x->asking.ask);

	if (!c->err.code)
		shelve_keep(x->asking.fleet, &x->shelving);
	if (x->job)
		x->stored(x->job, &c->err);
	else if (by)
		x->then(by->arg, x->shelving.shelf[0].version,
		        x->shelving.new, &c->err);
	shelving_fini(&x->shelving);
	job_unref(x->job);
	free(x);
}

static void submit(struct putting *x)
{
	x->asking.call.slow = shelving_bytes(&x->shelving) > CHUNK_SLOW;
	crew_submit(x->asking.fleet->front, &x->asking.call);
}

void matrices_put(struct depot *d, const struct tenant *t, const char *name,
                  const struct matrix *m, int64_t ttl_ns,
                  const uint64_t *expected,
                  void (*then)(void *arg, uint64_t version, bool new,
                               const struct err *e),
                  struct asker *by)
{
	struct err e = { 0 };
	struct putting *x = asking_new(d, sizeof *x, "", t, put, have_put, &e);
	struct shelf *one;

	if (!x) {
		then(by->arg, 0, false, &e);
		return;
	}
	x->shelving.limit = t->limits.stored;
	x->shelving.ttl_ns = ttl_ns;
	x->shelving.shared = x->asking.fleet->shared;
	snprintf(x->shelving.tenant, sizeof x->shelving.tenant, "%s", t->name);
	one = shelving_add(&x->shelving, name, m);
	one->insists = expected != NULL;
	one->expected = expected ? *expected : 0;
	x->then = then;
	ask_begin(&x->asking.ask, by);
	submit(x);
}

/* --- the outputs of jobs that the fleet does not lease */

void put_keep(struct keeper *k, struct job *j,
              void (*then)(struct job *j, const struct err *e))
{
	struct fleet *const f = (struct fleet *)
	                        ((char *)k - offsetof(struct fleet, keeper));
	struct err e = { 0 };
	struct putting *x = asking_new(&f->depot, sizeof *x, "",
	                               j->keeping->tenant, put, have_put, &e);

	if (!x) {
		then(j, &e);
		return;
	}
	shelving_of_job(&x->shelving, f, j->keeping);
	x->job = job_ref(j);
	x->stored = then;
	submit(x);
}

static void refuse(struct keeper *k, struct job *j,
                   void (*then)(struct job *j, const struct err *e))
{
	static const struct err lost = {
		.code = ERR_DISMISSED,
		.text = "the job is another host's, or was dismissed",
	};

	(void)k;
	then(j, &lost);
}

struct keeper *put_fenced_keeper(struct fleet *f)
{
	f->fenced.keep = refuse;
	return &f->fenced;
}

/* --- removing one */

struct removing {
	struct asking asking;
	char name[STORE_NAME];
	bool insists, tried;
	uint64_t expected;
	depot_done_fn *then;
};

static int not_removed(const struct removing *x, struct err *e)
{
	if (x->tried)		/* by the first execution */
		return 0;
	return x->insists ?
	       err_set(e, ERR_PRECONDITION, "the stored matrix %.60s has "
	               "changed meanwhile", x->name) :
	       err_set(e, ERR_NOT_FOUND, "there is no stored matrix %.128s",
	               x->name);
}

static int remove_one(struct call *c, struct pg *p, struct err *e)
{
	struct removing *const x = (struct removing *)c;
	char version[PG_DIGITS];
	const struct pg_value v[] = {
		pg_text(x->asking.tenant), pg_text(x->name),
		x->insists ? pg_number((int64_t)x->expected, version) :
		             pg_text(NULL),
	};
	const int rows = pg_count(p, S_MATRIX_REMOVE, v, e);

	if (rows == 0)
		return not_removed(x, e);
	x->tried = true;
	return rows < 0 ? -1 : 0;
}

static void removed(struct call *c)
{
	struct removing *const x = (struct removing *)c;
	struct asker *const by = ask_end(&x->asking.ask);

	if (by)
		x->then(by->arg, &c->err);
	free(x);
}

void matrices_discard(struct depot *d, const struct tenant *t,
                      const char *name, const uint64_t *expected,
                      depot_done_fn *then, struct asker *by)
{
	struct err e = { 0 };
	struct removing *x = asking_new(d, sizeof *x, "", t, remove_one,
	                                removed, &e);

	if (!x) {
		then(by->arg, &e);
		return;
	}
	snprintf(x->name, sizeof x->name, "%s", name);
	x->insists = expected != NULL;
	x->expected = expected ? *expected : 0;
	x->then = then;
	asking_submit(&x->asking, by);
}
