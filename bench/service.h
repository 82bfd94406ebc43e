/* service.h - `linalgd bench --suite service`: linalgd and a FastAPI
 * service on this machine, asked the same over HTTP, in turns.
 *
 *     service_rows.c    what they are asked
 *     service.c         turns, medians
 *     service_turn.c    one turn: under load, a round trip, memory
 *     service_print.c   a line of the answer
 *     services.c        the services' processes
 *     question.c        requests, and what answers must say
 *     load.c            many requests at once, by wrk
 *     client.c          one after the other
 *
 *     round 1: [ours, peer, peer x2]  round 2: [ours, ...]  ... ──▶ medians
 */
#ifndef BENCH_SERVICE_H
#define BENCH_SERVICE_H

#include "bench/services.h"

enum { SERVICE_ROUNDS = 101, SERVICE_NAME = 64 };

struct bench_service {
	const char *suite;
	const char *selector, *device;	/* as --device says; its name */
	enum device_type type;
	const char *directory;		/* of the peers */
	const char *work;		/* how names begin; NULL: all */
	struct memory_pool *pool;
	int rounds, seconds;		/* of load, and of each its turn */
	int pairs;			/* of round trips */
	bool json;
};

enum service_measure {
	MEASURE_LOAD,			/* many connections, always busy */
	MEASURE_TRIP,			/* one connection, now and then */
	MEASURE_MEMORY,			/* peak of a service just started */
};

struct service_row {
	const char *op;
	enum question_format format;
	size_t n;
	enum service_measure measure;
	int connections;		/* of load */
	int services;			/* the first so many of SERVICES */
	int most_rounds;		/* 0: as many as others */
};

/* Ended by a row without op; for GPUs, and for all others. */
extern const struct service_row service_rows[], service_gpu_rows[];

/* Of one service; NAN where there is none. */
struct service_figures {
	double ms;			/* for a request */
	double per_s, p50_ms, p99_ms;
	double cpu_us;			/* of its processes, for a request */
	double mib;			/* their peak resident memory */
};

/* A line: ours beside one peer, whose name is NULL when it is missing. */
struct service_result {
	const struct bench_service *bench;
	const struct service_row *row;
	const char *name, *peer;
	int workers;			/* of the peer */
	struct service_figures ours, theirs;
	double ratio;			/* of milliseconds, or of MiB */
};

/* "matmul octets 64 c16" */
void service_row_name(const struct service_row *row,
                      char name[SERVICE_NAME]);

/* Prints as it goes. What is missing or fails is told on standard error and
 * in its place; -1 only when linalgd itself does not start. */
int bench_service_run(const struct bench_service *b,
                      const struct service_row *rows, struct err *e);

/* A turn of that service, about whose question f is. */
struct service_turn {
	const struct bench_service *bench;
	const struct service_row *row;
	const struct question *question;
	struct services *services;
	int which;
	const struct question_form *form;
	int body;			/* descriptor of a file that holds it */
	struct client *kept;		/* of round trips; opened when needed */
	struct text answer;		/* its memory is kept, too */
};
int service_take_turn(struct service_turn *t, struct service_figures *f,
                      struct err *e);

void service_print_heading(const struct bench_service *b);
void service_print(const struct service_result *r);

#endif
