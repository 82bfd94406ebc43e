/* service_turn.c - one turn of one service; see service.h. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/client.h"
#include "bench/load.h"
#include "bench/process.h"
#include "bench/service.h"

enum { MEMORY_REQUESTS = 3 };

static struct service *service_of(const struct service_turn *t)
{
	return &t->services->service[t->which];
}

/* Measures under load; wrk reads the body from a file of this process. */
static int take_load(struct service_turn *t, struct service_figures *f,
                     struct err *e)
{
	const struct service *s = service_of(t);
	char script[SERVICE_PATH + 16], body[64];
	const struct load l = {
		.script = script, .body = body, .port = s->port,
		.connections = t->row->connections,
		.seconds = t->bench->seconds,
	};
	struct load_figures seen;
	double cpu_s = process_use(s->pid).cpu_s;

	snprintf(script, sizeof script, "%s/load.lua", t->services->directory);
	snprintf(body, sizeof body, "/proc/%d/fd/%d", getpid(), t->body);
	if (load_run(&l, t->form, &seen, e) < 0)
		return -1;
	cpu_s = process_use(s->pid).cpu_s - cpu_s;
	f->per_s = seen.requests / seen.seconds;
	f->ms = 1e3 / f->per_s;
	f->p50_ms = seen.p50_ms;
	f->p99_ms = seen.p99_ms;
	f->cpu_us = cpu_s * 1e6 / seen.requests;
	return 0;
}

/* Measures the time from before the first byte of a request is sent until the
 * last byte of its answer has arrived. */
static int ask(struct service_turn *t, struct service_figures *f,
               struct err *e)
{
	struct text head = { 0 };
	int64_t began;
	int status;

	question_head(t->form, "", &head);
	if (!t->kept)
		t->kept = client_open(service_of(t)->port, e);
	began = clock_ns();
	status = !t->kept ? -1 :
	         client_ask(t->kept, &head, &t->form->body, &t->answer, e);
	f->ms = (double)(clock_ns() - began) * 1e-6;
	if (status >= 0 && (status != 200 ||
	    !question_answered(t->question, &t->answer)))
		status = err_set(e, ERR_INTERNAL, "bench: a wrong answer, %d",
		                 status);
	text_fini(&head);
	return status < 0 ? -1 : 0;
}

static int take_trip(struct service_turn *t, struct service_figures *f,
                     struct err *e)
{
	const double cpu_s = process_use(service_of(t)->pid).cpu_s;

	if (ask(t, f, e) < 0)
		return -1;
	f->cpu_us = (process_use(service_of(t)->pid).cpu_s - cpu_s) * 1e6;
	return 0;
}

/* Measures peak memory in a service that is started for this purpose. */
static int take_memory(struct service_turn *t, struct service_figures *f,
                       struct err *e)
{
	client_close(t->kept);
	t->kept = NULL;
	service_end(service_of(t), SERVICE_END_SECONDS);
	if (service_start(t->services, t->which, e) < 0)
		return -1;
	for (int i = 0; i < MEMORY_REQUESTS; i++)
		if (ask(t, f, e) < 0)
			return -1;
	f->ms = NAN;
	f->mib = process_use(service_of(t)->pid).peak_mib;
	return 0;
}

int service_take_turn(struct service_turn *t, struct service_figures *f,
                      struct err *e)
{
	static int (*const measures[])(struct service_turn *t,
	                               struct service_figures *f,
	                               struct err *e) = {
		[MEASURE_LOAD] = take_load, [MEASURE_TRIP] = take_trip,
		[MEASURE_MEMORY] = take_memory,
	};

	*f = (struct service_figures){ NAN, NAN, NAN, NAN, NAN, NAN };
	return measures[t->row->measure](t, f, e);
}
