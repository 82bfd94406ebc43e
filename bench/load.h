/* load.h - measures throughput and latency under many concurrent requests,
 * which wrk sends. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include "bench/question.h"

struct load {
	const char *script;		/* load.lua */
	const char *body;		/* the file that holds the body */
	int port, connections, seconds;
};

struct load_figures {
	double requests, seconds;
	double p50_ms, p99_ms;
	double failures;		/* broken connections, and statuses
					 * other than 2xx */
};

/* Parses the line that load.lua prints; false if there is none. */
bool load_parse(const char *output, struct load_figures *f);

/* Keeps l->connections connections busy with the question for l->seconds, or
 * for longer if no request is answered in that time. */
int load_run(const struct load *l, const struct question_form *q,
             struct load_figures *f, struct err *e);

#endif
