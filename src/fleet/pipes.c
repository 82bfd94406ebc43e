/* pipes.c - see matrices.h: the saved pipelines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/asking.h"
#include "fleet/matrices.h"

struct reading {
	struct asking asking;
	char name[STORE_NAME];		/* "": all */
	void (*visit)(void *arg, const char *name, const char *text);
	depot_done_fn *then;
	struct pg_answer *rows;
};

static int no_pipeline(const char *name, struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "there is no pipeline %.60s; GET "
	               "/pipelines lists those there are", name);
}

static int read_all(struct call *c, struct pg *p, struct err *e)
{
	struct reading *const x = (struct reading *)c;
	const struct pg_value v[] = {
		pg_text(x->asking.tenant), pg_text(x->name),
	};

	pg_answer_free(x->rows);
	x->rows = pg_ask(p, *x->name ? S_PIPELINE_FIND : S_PIPELINE_LIST, v,
	                 e);
	if (!x->rows)
		return -1;
	return !*x->name || pg_rows(x->rows) ? 0 : no_pipeline(x->name, e);
}

static void have_read(struct call *c)
{
	struct reading *const x = (struct reading *)c;
	struct asker *const by = ask_end(&x->asking.ask);
	const int rows = by && !c->err.code ? pg_rows(x->rows) : 0;

	for (int i = 0; i < rows; i++)
		x->visit(by->arg, pg_get(x->rows, i, 0),
		         pg_get(x->rows, i, 1));
	if (by)
		x->then(by->arg, &c->err);
	pg_answer_free(x->rows);
	free(x);
}

void pipelines_read(struct depot *d, const struct tenant *t, const char *name,
                    void (*visit)(void *arg, const char *name,
                                  const char *text),
                    depot_done_fn *then, struct asker *by)
{
	struct err e = { 0 };
	struct reading *x = asking_new(d, sizeof *x, "", t, read_all,
	                               have_read, &e);

	if (!x) {
		then(by->arg, &e);
		return;
	}
	snprintf(x->name, sizeof x->name, "%s", name ? name : "");
	x->visit = visit;
	x->then = then;
	asking_submit(&x->asking, by);
}

/* --- changing one */

struct writing {
	struct asking asking;
	char name[STORE_NAME];
	char *text;			/* NULL: it is to be removed */
	enum depot_when when;
	char *was;			/* with DEPOT_IF_SAME, else NULL */
	bool new, tried;
	void (*then)(void *arg, bool new, const struct err *e);
};

/* Does the condition hold? It did if the pipeline has the text that an attempt
 * before, whose answer was lost, may have saved. */
static int check(const struct writing *x, struct pg *p, struct err *e)
{
	const struct pg_value v[] = {
		pg_text(x->asking.tenant), pg_text(x->name),
	};
	struct pg_answer *a;
	const char *is;
	int rc = -1;

	if (x->when == DEPOT_ALWAYS)
		return 0;
	a = pg_ask(p, S_PIPELINE_FIND, v, e);
	is = a && pg_rows(a) ? pg_get(a, 0, 1) : NULL;
	if (is && x->text && x->tried && strcmp(is, x->text) == 0)
		rc = 0;
	else if (a)
		rc = depot_check_when(x->when, x->was, is, e);
	pg_answer_free(a);
	return rc;
}

/* A condition is checked first, for the error, and by the statement itself, as
 * another host may save or remove the name in between. */
static int put(struct writing *x, struct pg *p, struct err *e)
{
	char most[PG_DIGITS], when[PG_DIGITS];
	const struct pg_value v[] = {
		pg_text(x->asking.tenant), pg_text(x->name), pg_text(x->text),
		pg_number(DEPOT_PIPELINES, most), pg_number(x->when, when),
		pg_text(x->was ? x->was : ""),
	};
	struct pg_answer *a = check(x, p, e) ? NULL :
	                      pg_ask(p, S_PIPELINE_PUT, v, e);
	int rc = a ? 0 : -1;

	if (a && pg_rows(a) == 0)
		rc = check(x, p, e) ? -1 :
		     err_set(e, ERR_MEMORY, "there are %d saved pipelines, as "
		             "many as may be", DEPOT_PIPELINES);
	if (rc == 0)
		x->new = pg_integer(a, 0, 0);
	x->tried = true;
	pg_answer_free(a);
	return rc;
}

static int take_out(struct writing *x, struct pg *p, struct err *e)
{
	const struct pg_value v[] = {
		pg_text(x->asking.tenant), pg_text(x->name),
		pg_text(x->was ? x->was : ""),
	};
	int rows;

	if (x->when == DEPOT_IF_NEW && check(x, p, e))
		return -1;
	rows = pg_count(p, S_PIPELINE_REMOVE, v, e);
	if (rows == 0 && !x->tried)
		return x->was && check(x, p, e) ? -1 : no_pipeline(x->name, e);
	x->tried = true;
	return rows < 0 ? -1 : 0;
}

static int change(struct call *c, struct pg *p, struct err *e)
{
	struct writing *const x = (struct writing *)c;

	return x->text ? put(x, p, e) : take_out(x, p, e);
}

static void changed(struct call *c)
{
	struct writing *const x = (struct writing *)c;
	struct asker *const by = ask_end(&x->asking.ask);

	if (by)
		x->then(by->arg, x->new, &c->err);
	free(x->text);
	free(x->was);
	free(x);
}

/* Copies a text, if there is one. */
static char *copy(const char *text, struct err *e)
{
	char *const to = text ? strdup(text) : NULL;

	if (text && !to)
		err_set(e, ERR_MEMORY, "no memory for a pipeline");
	return to;
}

void pipelines_save(struct depot *d, const struct tenant *t, const char *name,
                    const char *text, enum depot_when when, const char *was,
                    void (*then)(void *arg, bool new, const struct err *e),
                    struct asker *by)
{
	struct err e = { 0 };
	struct writing *x = asking_new(d, sizeof *x, "", t, change, changed,
	                               &e);

	if (x) {
		x->text = copy(text, &e);
		x->was = copy(was, &e);
	}
	if (e.code) {
		if (x) {
			free(x->text);
			free(x->was);
		}
		free(x);
		then(by->arg, false, &e);
		return;
	}
	snprintf(x->name, sizeof x->name, "%s", name);
	x->when = when;
	x->then = then;
	asking_submit(&x->asking, by);
}
