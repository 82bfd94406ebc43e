/* service.c - see service.h: measures rows in rounds of turns, takes
 * medians. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/host.h"
#include "base/io.h"
#include "base/size.h"
#include "base/usage.h"
#include "bench/client.h"
#include "bench/median.h"
#include "bench/outcome.h"
#include "bench/process.h"
#include "bench/service.h"

/* The figures of a row so far, by service and round. */
struct course {
	struct question question;
	struct question_form form[SERVICES];
	struct service_turn turn[SERVICES];
	struct service_figures seen[SERVICES][SERVICE_ROUNDS];
	bool failed[SERVICES];		/* reported already */
	int rounds;
};

void service_row_name(const struct service_row *row,
                      char name[SERVICE_NAME])
{
	int n = snprintf(name, SERVICE_NAME, "%s %s %zu",
	    row->measure == MEASURE_MEMORY ? "memory" : row->op,
	    question_formats[row->format], row->n);

	if (row->connections > 0)
		snprintf(name + n, SERVICE_NAME - (size_t)n, " c%d",
		         row->connections);
}

static void drop(struct course *c, int which, const struct err *e)
{
	c->failed[which] = true;
	for (int r = 0; r < SERVICE_ROUNDS; r++)
		c->seen[which][r] = (struct service_figures){
			NAN, NAN, NAN, NAN, NAN, NAN };
	if (e->code != ERR_NONE)
		outcome_failed("", e);
}

/* An unnamed file with the body; -1 on failure. */
static int body_file(const struct text *body)
{
	int fd = memfd_create("body", MFD_CLOEXEC);

	if (fd >= 0 && io_write_all(fd, body->data, body->length) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Prepares a service's form of the question and asks the service once. A
 * service whose answer is wrong is left out of the row. */
static void enter(struct course *c, struct services *s, int which,
                  const struct bench_service *b,
                  const struct service_row *row)
{
	struct question_form *form = &c->form[which];
	struct err e = { 0 };
	int rc = s->service[which].pid > 0 ? 0 : -1;

	c->turn[which] = (struct service_turn){
		.bench = b, .row = row, .question = &c->question,
		.services = s, .which = which, .form = form, .body = -1,
	};
	if (rc == 0)
		rc = question_write(&c->question, s->service[which].dialect,
		                    form, &e);
	if (rc == 0)
		rc = service_try(&s->service[which], &c->question, form, &e);
	if (rc == 0)
		c->turn[which].body = body_file(&form->body);
	if (rc < 0)
		drop(c, which, &e);
}

static void leave(struct course *c)
{
	for (int i = 0; i < SERVICES; i++) {
		text_fini(&c->form[i].body);
		client_close(c->turn[i].kept);
		text_fini(&c->turn[i].answer);
		if (c->turn[i].body > 0)
			close(c->turn[i].body);
	}
	question_fini(&c->question);
}

static void run_rounds(struct course *c, const struct service_row *row)
{
	for (int r = 0; r < c->rounds; r++)
		for (int i = 0; i < row->services; i++) {
			struct err e = { 0 };

			if (c->failed[i])
				continue;
			if (service_take_turn(&c->turn[i], &c->seen[i][r],
			                      &e) < 0)
				drop(c, i, &e);
			service_settle(&c->turn[i].services->service[i],
			               false);
		}
}

/* Collects one member of all rounds' figures, given by its offset. */
static void gather(const struct course *c, int which, size_t offset,
                   double x[SERVICE_ROUNDS])
{
	for (int r = 0; r < c->rounds; r++)
		memcpy(&x[r], (const char *)&c->seen[which][r] + offset,
		       sizeof x[r]);
}

static double median_of(const struct course *c, int which, size_t offset)
{
	double x[SERVICE_ROUNDS];

	gather(c, which, offset, x);
	return bench_median(x, (size_t)c->rounds);
}

/* The mean of a figure over the rounds. It serves for processor time, which the
 * kernel counts in units longer than a request, so that a median is too
 * coarse. */
static double mean_of(const struct course *c, int which, size_t offset)
{
	double x[SERVICE_ROUNDS], sum = 0;

	gather(c, which, offset, x);
	for (int r = 0; r < c->rounds; r++)
		sum += x[r];
	return sum / c->rounds;
}

static struct service_figures summary(const struct course *c, int which)
{
#define OF(kind, x) kind##_of(c, which, offsetof(struct service_figures, x))
	return (struct service_figures){
		.ms = OF(median, ms), .per_s = OF(median, per_s),
		.p50_ms = OF(median, p50_ms), .p99_ms = OF(median, p99_ms),
		.cpu_us = OF(mean, cpu_us), .mib = OF(median, mib),
	};
#undef OF
}

static double ratio(const struct course *c, int which)
{
	double x[SERVICE_ROUNDS];

	for (int r = 0; r < c->rounds; r++) {
		const struct service_figures *o = &c->seen[SERVICE_OURS][r];
		const struct service_figures *p = &c->seen[which][r];

		x[r] = isnan(o->mib) ? p->ms / o->ms : p->mib / o->mib;
	}
	return bench_median(x, (size_t)c->rounds);
}

static void report(const struct course *c, const struct service_result *row,
                   const struct services *s, int which)
{
	struct service_result r = *row;

	r.peer = c->failed[which] ? NULL : s->service[which].name;
	r.workers = s->service[which].workers;
	r.theirs = summary(c, which);
	r.ratio = ratio(c, which);
	service_print(&r);
}

/* Prints a line per peer; a row without a peer has a line as well. */
static void run_row(const struct bench_service *b, struct services *s,
                    const struct service_row *row, const char *name)
{
	static struct course c;
	struct service_result r = { .bench = b, .row = row, .name = name };
	struct err e = { 0 };

	c = (struct course){ .question = { .op = row->op, .n = row->n,
	                                   .format = row->format } };
	c.rounds = row->measure == MEASURE_LOAD ? b->rounds : b->pairs;
	if (row->most_rounds > 0 && c.rounds > row->most_rounds)
		c.rounds = row->most_rounds;
	if (question_make(&c.question, b->pool, &e) < 0) {
		outcome_failed(name, &e);
		return;
	}
	for (int i = 0; i < SERVICES; i++)
		if (i < row->services)
			enter(&c, s, i, b, row);
		else
			drop(&c, i, &e);
	run_rounds(&c, row);
	r.ours = summary(&c, SERVICE_OURS);
	for (int i = 1; i < row->services || i == 1; i++)
		report(&c, &r, s, i);
	leave(&c);
}

static bool is_wanted(const struct bench_service *b,
                      const struct service_row *row,
                      char name[SERVICE_NAME])
{
	service_row_name(row, name);
	return !b->work || strncmp(name, b->work, strlen(b->work)) == 0;
}

/* The number of services that the wanted rows need. */
static int count_services(const struct bench_service *b,
                          const struct service_row *rows)
{
	char name[SERVICE_NAME];
	int most = 0;

	for (; rows->op; rows++)
		if (is_wanted(b, rows, name) && rows->services > most)
			most = rows->services;
	return most;
}

/* Starts the services, the slowest first. */
static int start_all(struct services *s, int n, struct err *e)
{
	for (int i = n - 1; i > SERVICE_OURS; i--) {
		struct err missing = { 0 };

		if (service_start(s, i, &missing) < 0)
			usage_complain("%s; make bench-service installs it",
			               missing.text);
	}
	if (service_start(s, SERVICE_OURS, e) < 0)
		return -1;
	service_settle(&s->service[SERVICE_OURS], true);
	return 0;
}

int bench_service_run(const struct bench_service *b,
                      const struct service_row *rows, struct err *e)
{
	const int needed = count_services(b, rows);
	char name[SERVICE_NAME];
	struct services s;
	int rc;

	if (needed == 0)
		return err_set(e, ERR_PARAMETER, "bench: no work of this "
		               "suite is %.60s", b->work);
	host_raise_files();		/* for a thousand connections */
	services_init(&s, b->directory, b->selector, b->type);
	rc = start_all(&s, needed, e);
	if (rc == 0 && !b->json)
		service_print_heading(b);
	for (; rc == 0 && rows->op && !outcome_unread(); rows++)
		if (is_wanted(b, rows, name))
			run_row(b, &s, rows, name);
	services_end(&s);
	return rc;
}
