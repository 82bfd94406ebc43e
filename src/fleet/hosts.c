/* hosts.c - reads who is in the fleet: the hosts that the database has heard of
 * within a lease, and their devices. GET /devices and GET /metrics show them.
 *
 * A host reads them once a second. In a fleet of more than HOSTS_A_SECOND hosts
 * each reads them less often, so that the database serves about that many reads
 * a second, each with as many rows as the fleet has devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/fleet_state.h"

enum { HOSTS_A_SECOND = 16 };

/* The columns of S_HOSTS. */
enum { NODE, HOST, AGE, LEASED, NUMBER, TYPE, NAME, HAS_FLOAT64, MEMORY };

struct reading {
	struct call call;
	struct fleet *fleet;
	int64_t lease_ms;
	struct fleet_hosts *hosts;
};

void hosts_free(struct fleet_hosts *h)
{
	free(h);
}

static enum device_type type_of(const char *name)
{
	return strcmp(name, "cpu") == 0 ? DEVICE_CPU :
	       strcmp(name, "gpu") == 0 ? DEVICE_GPU : DEVICE_OTHER;
}

/* Does the row belong to another host than the row before? */
static bool begins_host(const struct pg_answer *a, int row)
{
	return row == 0 || strcmp(pg_get(a, row, NODE),
	                          pg_get(a, row - 1, NODE));
}

static void read_host(struct fleet_host *h, const struct pg_answer *a, int row,
                      int64_t now)
{
	snprintf(h->name, sizeof h->name, "%s", pg_get(a, row, HOST));
	h->seen_ns = now - pg_integer(a, row, AGE) * 1000000;
	h->leased = pg_is_null(a, row, LEASED) ? -1 :
	            pg_integer(a, row, LEASED);
}

static void read_device(struct fleet_device *d, const struct pg_answer *a,
                        int row)
{
	d->index = (int)pg_integer(a, row, NUMBER);
	d->type = type_of(pg_get(a, row, TYPE));
	snprintf(d->name, sizeof d->name, "%s", pg_get(a, row, NAME));
	d->float64 = pg_integer(a, row, HAS_FLOAT64);
	d->memory = (uint64_t)pg_integer(a, row, MEMORY);
}

/* Makes the hosts of the rows; their devices are in the same piece of memory,
 * after `hosts` hosts. */
static void read_rows(struct fleet_hosts *h, const struct pg_answer *a,
                      int hosts)
{
	struct fleet_device *d = (struct fleet_device *)&h->host[hosts];

	for (int i = 0; i < pg_rows(a); i++) {
		if (begins_host(a, i)) {
			read_host(&h->host[h->n], a, i, h->read_ns);
			h->host[h->n++].device = d;
		}
		if (!pg_is_null(a, i, NUMBER)) {
			read_device(d++, a, i);
			h->host[h->n - 1].devices++;
		}
	}
}

static int read_hosts(struct call *c, struct pg *p, struct err *e)
{
	struct reading *const x = (struct reading *)c;
	char lease[PG_DIGITS];
	const struct pg_value v[] = { pg_number(x->lease_ms, lease) };
	struct pg_answer *a = pg_ask(p, S_HOSTS, v, e);
	struct fleet_hosts *h;
	size_t hosts = 0;

	if (!a)
		return -1;
	for (int i = 0; i < pg_rows(a); i++)
		hosts += begins_host(a, i);
	h = calloc(1, sizeof *h + hosts * sizeof h->host[0] +
	           (size_t)pg_rows(a) * sizeof(struct fleet_device));
	if (h) {
		h->read_ns = clock_ns();
		read_rows(h, a, (int)hosts);
	}
	pg_answer_free(a);
	x->hosts = h;
	return h ? 0 : err_set(e, ERR_MEMORY, "no memory for the fleet's "
	                       "hosts");
}

static void have_read(struct call *c)
{
	struct reading *const x = (struct reading *)c;
	struct fleet *const f = x->fleet;

	f->reading_hosts = false;
	if (!c->err.code) {
		hosts_free(f->hosts);
		f->hosts = x->hosts;
		f->hosts_rest = f->hosts->n / HOSTS_A_SECOND;
	}
	free(x);
}

void hosts_look(struct fleet *f)
{
	struct reading *x;

	if (f->reading_hosts || f->hosts_rest-- > 0)
		return;
	f->hosts_rest = 0;
	x = calloc(1, sizeof *x);
	if (!x)
		return;
	x->call = (struct call){ .work = read_hosts, .done = have_read };
	x->fleet = f;
	x->lease_ms = fleet_lease_ms(f);
	f->reading_hosts = true;
	crew_submit(f->beats, &x->call);
}

const struct fleet_hosts *hosts_of(const struct depot *d)
{
	return ((const struct fleet *)d)->hosts;
}
