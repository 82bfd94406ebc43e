/* scaling_queue.c - measures the memory of waiting jobs; see scaling.h.
 *
 *     start ──▶ a long job ──▶ resident ──▶ JOBS short ones ──▶ resident
 *
 * The long job is an iteration that never converges, so that it occupies the
 * device as long as the service lives. It takes next to no memory. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "bench/client.h"
#include "bench/print.h"
#include "bench/process.h"
#include "bench/scaling.h"

enum { JOBS = 200, ACCEPTED = 202, OK = 200 };

static const char at_once[] = "", later[] = "Prefer: respond-async\r\n";

/* The short job is run first, so that the kernels of the long one are compiled:
 * while a worker compiles a job's kernels, it runs the jobs that come later. */
static const char short_job[] = "{\"a\":[[2,0],[0,2]],\"b\":[1,0]}";
static const char long_job[] =
	"{\"a\":[[1,-1],[1,1]],\"b\":[1,0],\"max_iterations\":1000000000}";

/* The connection and the texts of requests and answers. */
struct talk {
	struct client *client;
	struct text answer;
};

static int say(struct talk *t, const struct question_form *f,
               const char *prefer, int wanted, struct err *e)
{
	struct text head = { 0 };
	int status;

	question_head(f, prefer, &head);
	status = client_ask(t->client, &head, &f->body, &t->answer, e);
	text_fini(&head);
	if (status >= 0 && status != wanted)
		err_set(e, ERR_INTERNAL, "bench: %s is answered with %d: "
		        "%.100s", f->target, status,
		        t->answer.length ? t->answer.data : "");
	return status == wanted ? 0 : -1;
}

static int iterate(struct talk *t, const char *body, const char *prefer,
                   int wanted, struct err *e)
{
	struct question_form f = {
		.target = "/jacobi", .type = "application/json",
		.accept = "application/json",
	};
	int rc;

	text_puts(&f.body, body);
	rc = say(t, &f, prefer, wanted, e);
	text_fini(&f.body);
	return rc;
}

/* Returns the number of the newest jobs that have that status, or -1 with
 * *e. */
static int count_jobs(struct talk *t, const char *status, struct err *e)
{
	struct text head = { 0 }, request = { 0 }, word = { 0 };
	int n = 0;

	text_printf(&request, "GET /jobs?status=%s&limit=%d", status, JOBS);
	text_printf(&word, "\"status\":\"%s\"", status);
	client_head(&head, request.data, NULL, "*/*", "", 0);
	if (client_ask(t->client, &head, &(struct text){ .data = "" },
	               &t->answer, e) != OK)
		n = -1;
	else
		for (const char *at = t->answer.data;
		     (at = strstr(at, word.data)); at++)
			n++;
	text_fini(&head);
	text_fini(&request);
	text_fini(&word);
	return n;
}

static int wait_until_it_runs(struct talk *t, struct err *e)
{
	const int64_t end = clock_ns() + 60 * INT64_C(1000000000);
	int n = 0;

	while (n == 0 && clock_ns() < end)
		n = count_jobs(t, "running", e);
	return n > 0 ? 0 : err_set(e, ERR_INTERNAL, "bench: the long job does "
	                           "not start");
}

/* Fails unless all short jobs still wait. */
static int check_waiting(struct talk *t, struct err *e)
{
	const int n = count_jobs(t, "accepted", e);

	return n == JOBS ? 0 : err_set(e, ERR_INTERNAL, "bench: %d of %d jobs "
	                               "wait behind the long one", n, JOBS);
}

/* Measures the front's resident memory in KiB before and after the short jobs
 * are queued. */
static int measure(struct talk *t, const struct service *s,
                   const struct question_form *job, double kib[2],
                   struct err *e)
{
	if (iterate(t, short_job, at_once, OK, e) < 0 ||
	    iterate(t, long_job, later, ACCEPTED, e) < 0 ||
	    wait_until_it_runs(t, e) < 0)
		return -1;
	kib[0] = process_use(s->pid).own_kib;
	for (int i = 0; i < JOBS; i++)
		if (say(t, job, later, ACCEPTED, e) < 0)
			return -1;
	kib[1] = process_use(s->pid).own_kib;
	return check_waiting(t, e);
}

static void print(const struct bench_service *b, size_t n,
                  const double kib[2])
{
	const double each = (kib[1] - kib[0]) / JOBS;

	if (!b->json) {
		printf("queue: %d products %zu x %zu wait: the front grows "
		       "from %.0f KiB by %.1f KiB for each\n", JOBS, n, n,
		       kib[0], each);
		return;
	}
	bench_print_text("{\"suite\":", b->suite);
	printf(",\"work\":\"queue\",\"dtype\":\"float32\",\"shape\":"
	       "\"%zux%zu\"", n, n);
	bench_print_text(",\"device\":", b->device);
	printf(",\"jobs\":%d", JOBS);
	bench_print_number("front_kib", kib[0]);
	bench_print_number("kib_per_job", each);
	printf("}\n");
}

int bench_scaling_queue(const struct bench_service *b, size_t n,
                        struct err *e)
{
	struct question q = { .op = "matmul", .format = OCTETS, .n = n };
	struct question_form job = { .body = { 0 } };
	struct talk t = { 0 };
	struct services all;
	struct service *s = &all.service[SERVICE_OURS];
	double kib[2];
	int rc = -1;

	services_init(&all, b->directory, b->selector, b->type);
	if (question_make(&q, b->pool, e) < 0 ||
	    question_write(&q, OURS, &job, e) < 0 ||
	    service_start(&all, SERVICE_OURS, e) < 0 ||
	    service_try(s, &q, &job, e) < 0)
		goto out;
	t.client = client_open(s->port, e);
	rc = t.client ? measure(&t, s, &job, kib, e) : -1;
	if (rc == 0)
		print(b, n, kib);
out:
	client_close(t.client);
	text_fini(&t.answer);
	text_fini(&job.body);
	question_fini(&q);
	service_end(s, 0);
	return rc;
}
