/* join.c - writes this host's node and its devices to the database. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/utf8.h"
#include "fleet/fleet_state.h"
#include "fleet/matrices.h"

struct joining {
	struct call call;
	struct fleet *fleet;
	char node[FLEET_ID], host[FLEET_HOST];
	int64_t runs;
	uint64_t service;		/* the database's */
	int n;
	struct sheet sheet[SHEETS];
};

static const char *type_name(enum device_type t)
{
	return t == DEVICE_CPU ? "cpu" : t == DEVICE_GPU ? "gpu" : "other";
}

/* Copies a name, truncated to `room` bytes with its NUL. Bytes that are not
 * UTF-8, which the database might refuse, become U+FFFD. */
static void copy_name(char *to, size_t room, const char *from)
{
	static const char unknown[] = "\xef\xbf\xbd";
	size_t n;

	for (; *from; to += n, room -= n) {
		const size_t good = utf8_sequence(from);

		n = good ? good : sizeof unknown - 1;
		if (n >= room)
			break;
		memcpy(to, good ? from : unknown, n);
		from += good ? good : 1;
	}
	*to = '\0';
}

static int add_device(const struct joining *x, int i, struct pg *p,
                      struct err *e)
{
	const struct sheet *const s = &x->sheet[i];
	char number[PG_DIGITS], memory[PG_DIGITS];
	char name[SHEET_NAME], shown[SHEET_NAME];
	const struct pg_value v[] = {
		pg_text(x->node), pg_number(s->index, number),
		pg_text(type_name(s->type)), pg_text(name),
		pg_text(s->float64 ? "t" : "f"),
		pg_number((int64_t)sheet_room(s), memory), pg_text(shown),
	};

	fleet_lower(name, sizeof name, s->name);
	copy_name(shown, sizeof shown, s->name);
	return pg_do(p, S_DEVICE, v, e);
}

static int read_service(struct joining *x, struct pg *p, struct err *e)
{
	struct pg_answer *a = pg_ask(p, S_SERVICE, NULL, e);

	if (a)
		x->service = (uint64_t)pg_integer(a, 0, 0);
	pg_answer_free(a);
	return a ? 0 : -1;
}

static int join(struct call *c, struct pg *p, struct err *e)
{
	struct joining *const x = (struct joining *)c;
	char runs[PG_DIGITS];
	const struct pg_value v[] = {
		pg_text(x->node), pg_text(x->host), pg_number(x->runs, runs),
	};
	int rc;

	if (pg_migrate(p, e) || pg_begin(p, e))
		return -1;
	rc = read_service(x, p, e) || pg_do(p, S_ADD_PARTITIONS, NULL, e) ||
	     pg_do(p, S_JOIN, v, e) ? -1 : 0;
	for (int i = 0; rc == 0 && i < x->n; i++)
		rc = add_device(x, i, p, e);
	return pg_end(p, rc, e);
}

static void joined(struct call *c)
{
	struct joining *const x = (struct joining *)c;
	struct fleet *const f = x->fleet;

	f->joining = false;
	f->joined |= c->err.code == ERR_NONE;
	f->heard_ns = clock_ns();
	if (!c->err.code)
		f->depot.service = x->service;
	if (!c->err.code)
		log_info("joined the fleet as %s", f->id);
	if (!c->err.code && f->shared && !f->closed)
		reap_begin(f);
	f->outdated = c->err.code == ERR_CONFLICT;
	if (f->outdated && !f->closed)
		f->options.outdated(f->options.arg, &c->err);
	free(c);
	claim_begin(f, true);
}

void join_begin(struct fleet *f)
{
	struct joining *x = f->joining ? NULL : calloc(1, sizeof *x);

	if (!x)
		return;
	f->joining = true;
	x->call = (struct call){ .work = join, .done = joined };
	x->fleet = f;
	snprintf(x->node, sizeof x->node, "%s", f->id);
	x->runs = (int64_t)f->n_runs;
	copy_name(x->host, sizeof x->host, f->options.name);
	/* Jobs of the fleet are not described to clusters, whose memory is only
	 * known once they have started. */
	for (int i = 0; i < engine_devices(f->engine); i++)
		if (engine_sheet(f->engine, i)->type != DEVICE_CLUSTER)
			x->sheet[x->n++] = *engine_sheet(f->engine, i);
	needs_find(&f->needs, x->sheet, x->n);
	crew_submit(f->beats, &x->call);
}
