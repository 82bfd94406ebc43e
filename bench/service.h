/* service.h - `linalgd bench --suite service`: linalgd and a FastAPI service
 * on this machine get the same requests over HTTP, in turns.
 *
 *     service_rows.c    the table of requests
 *     service.c         turns, medians
 *     service_turn.c    one turn: under load, a round trip, memory
 *     service_print.c   a line of the results
 *     services.c        the services' processes
 *     question.c        requests, and the check of answers
 *     load.c            many requests at once, by wrk
 *     client.c          requests one after the other
 *
 *     round 1: [ours, peer, peer x2]  round 2: [ours, ...]  ... ──▶ medians
 */
#ifndef BENCH_SERVICE_H
#define BENCH_SERVICE_H

#include "bench/services.h"

enum { SERVICE_ROUNDS = 101, SERVICE_NAME = 64 };

struct bench_service {
	const char *suite;
	const char *selector, *device;	/* as for --device; its name */
	enum device_type type;
	const char *directory;		/* of the peers */
	const char *work;		/* a prefix of names; NULL: all */
	struct memory_pool *pool;
	int rounds, seconds;		/* rounds, and seconds of each turn */
	int pairs;			/* of round trips */
	bool json;
};

enum service_measure {
	MEASURE_LOAD,			/* many connections, always busy */
	MEASURE_TRIP,			/* one connection, with pauses */
	MEASURE_MEMORY,			/* peak of a service just started */
};

struct service_row {
	const char *op;
	enum question_format format;
	size_t n;
	enum service_measure measure;
	int connections;		/* under load */
	int services;			/* the first so many of SERVICES */
	int most_rounds;		/* 0: as many as other rows */
};

/* The rows for devices that are not GPUs, and for GPUs. Each table ends with a
 * row without op. */
extern const struct service_row service_rows[], service_gpu_rows[];

/* The figures of one service; NAN where there is none. */
struct service_figures {
	double ms;			/* per request */
	double per_s, p50_ms, p99_ms;
	double cpu_us;			/* processor time per request */
	double mib;			/* their peak resident memory */
};

/* A line: linalgd beside one peer, whose name is NULL when it is missing. */
struct service_result {
	const struct bench_service *bench;
	const struct service_row *row;
	const char *name, *peer;
	int workers;			/* of the peer */
	struct service_figures ours, theirs;
	double ratio;			/* of milliseconds, or of MiB */
};

/* Sets name to one like "matmul octets 64 c16". */
void service_row_name(const struct service_row *row,
                      char name[SERVICE_NAME]);

/* Prints lines as they are measured. Missing and failing services are reported
 * on standard error and in their lines; returns -1 only when linalgd itself
 * does not start. */
int bench_service_run(const struct bench_service *b,
                      const struct service_row *rows, struct err *e);

/* A turn of that service; f is its form of the question. */
struct service_turn {
	const struct bench_service *bench;
	const struct service_row *row;
	const struct question *question;
	struct services *services;
	int which;
	const struct question_form *form;
	int body;			/* descriptor of a file with the body */
	struct client *kept;		/* for trips; opened when needed */
	struct text answer;		/* keeps its memory between trips */
};
int service_take_turn(struct service_turn *t, struct service_figures *f,
                      struct err *e);

void service_print_heading(const struct bench_service *b);
void service_print(const struct service_result *r);

#endif
