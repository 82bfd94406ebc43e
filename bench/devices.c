/* devices.c - see devices.h. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "bench/client.h"
#include "bench/devices.h"
#include "bench/load.h"
#include "bench/median.h"
#include "bench/outcome.h"
#include "bench/print.h"

#define SECOND INT64_C(1000000000)
#define JSON_TYPE "application/json"

enum { CREATED = 201, ACCEPTED = 202, NO_CONTENT = 204, OK = 200 };

enum { ON_THEIR_WAY = 4, PRODUCTS = 3, TEXT = 256 };

/* The orders of the matrices. A factorization of that order takes
 * milliseconds, and a product takes a good part of a second. */
static const struct {
	size_t jobs, product;
} usual[] = {
	[DEVICE_CPU] = { 512, 2048 }, [DEVICE_GPU] = { 2048, 32768 },
	[DEVICE_OTHER] = { 512, 2048 },
};

/* A service with the first n devices, and a connection to it. */
struct stage {
	const struct bench_service *bench;
	const struct sheet *sheets;
	int n;				/* the service's devices */
	char list[TEXT];		/* their indices, "0,1" */
	struct services all;
	struct service *service;
	struct client *client;
	struct text answer;
};

/* Sends one request, without a body if type is NULL; returns its status. */
static int say(struct stage *s, const char *request, const char *body,
               const char *more, struct err *e)
{
	struct text head = { 0 };
	const struct text sent = { .data = (char *)body,
	                           .length = strlen(body) };
	int status;

	client_head(&head, request, *body ? JSON_TYPE : NULL, JSON_TYPE, more,
	            sent.length);
	status = client_ask(s->client, &head, &sent, &s->answer, e);
	text_fini(&head);
	return status;
}

static int expect(struct stage *s, int wanted, const char *request,
                  const char *body, const char *more, struct err *e)
{
	const int status = say(s, request, body, more, e);

	if (status == wanted)
		return 0;
	return status < 0 ? -1 :
	       err_set(e, ERR_INTERNAL, "bench: %s is answered with %d: "
	               "%.100s", request, status,
	               s->answer.length ? s->answer.data : "");
}

static int count_of(const struct text *t, const char *word)
{
	int n = 0;

	for (const char *at = t->data; at && (at = strstr(at, word)); at++)
		n++;
	return n;
}

/* Waits for the other devices: the service is ready with its first. */
static int wait_for_all(struct stage *s, struct err *e)
{
	const int64_t end = clock_ns() + SERVICE_READY_SECONDS * SECOND;
	const struct timespec while_they_start = { 0, 20 * 1000 * 1000 };

	while (clock_ns() < end) {
		if (expect(s, OK, "GET /devices", "", "", e) < 0)
			return -1;
		if (count_of(&s->answer, "\"healthy\":true") == s->n)
			return 0;
		nanosleep(&while_they_start, NULL);
	}
	return err_set(e, ERR_NOT_READY, "bench: not all of devices %s get "
	               "ready", s->list);
}

static int start(struct stage *s, int n, struct err *e)
{
	size_t used = 0;

	s->n = n;
	for (int i = 0; i < n; i++)
		used += (size_t)snprintf(s->list + used, TEXT - used, "%s%d",
		                         i ? "," : "", s->sheets[i].index);
	services_init(&s->all, s->bench->directory, s->list,
	              s->bench->type);
	s->service = &s->all.service[SERVICE_OURS];
	if (service_start(&s->all, SERVICE_OURS, e) < 0)
		return -1;
	s->client = client_open(s->service->port, e);
	if (!s->client || wait_for_all(s, e) < 0)
		return -1;
	service_settle(s->service, true);	/* not to measure warming up */
	return 0;
}

static void end(struct stage *s)
{
	client_close(s->client);
	text_fini(&s->answer);
	if (s->service)
		service_end(s->service, SERVICE_END_SECONDS);
}

static int store(struct stage *s, const char *name, size_t n, struct err *e)
{
	char request[TEXT], body[TEXT];

	snprintf(request, sizeof request, "PUT /matrices/%s", name);
	snprintf(body, sizeof body, "{\"matrix\":{\"generate\":\"random\","
	         "\"shape\":[%zu,%zu],\"dtype\":\"float32\"}}", n, n);
	return expect(s, CREATED, request, body, "", e);
}

/* Makes a file with that text, from which wrk reads the body. */
static int file_of(const char *text)
{
	const int fd = memfd_create("body", MFD_CLOEXEC);

	if (fd >= 0)
		io_write_all(fd, text, strlen(text));
	return fd;
}

static int load(struct stage *s, const char *body, double *per_s,
                struct err *e)
{
	const struct question_form form = { .target = "/lu", .type = JSON_TYPE,
	                                    .accept = JSON_TYPE };
	const int fd = file_of(body);
	char script[SERVICE_PATH + 16], path[64];
	const struct load l = {
		.script = script, .body = path, .port = s->service->port,
		.connections = ON_THEIR_WAY * s->n,
		.seconds = s->bench->seconds,
	};
	struct load_figures seen;
	int rc;

	snprintf(script, sizeof script, "%s/load.lua", s->bench->directory);
	snprintf(path, sizeof path, "/proc/%d/fd/%d", getpid(), fd);
	rc = fd < 0 ? err_set(e, ERR_MEMORY, "bench: no file for wrk") :
	              load_run(&l, &form, &seen, e);
	if (rc == 0)
		*per_s = seen.requests / seen.seconds;
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Measures jobs per second. The answer is only the sign of the determinant, so
 * that little crosses the bus or the socket. Every device computes such a job
 * before the measurement. */
static int measure_jobs(struct stage *s, size_t n, double *figure,
                        struct err *e)
{
	static const char body[] = "{\"a\":{\"ref\":\"a\"},\"return\":"
	                           "\"sign\"";
	double per_s[SERVICE_ROUNDS];
	char text[TEXT];

	if (store(s, "a", n, e) < 0)
		return -1;
	for (int i = 0; i < s->n; i++) {
		snprintf(text, sizeof text, "%s,\"device\":%d}", body,
		         s->sheets[i].index);
		if (expect(s, OK, "POST /lu", text, "", e) < 0)
			return -1;
	}
	snprintf(text, sizeof text, "%s}", body);
	for (int i = 0; i < s->bench->rounds; i++)
		if (load(s, text, &per_s[i], e) < 0)
			return -1;
	*figure = bench_median(per_s, (size_t)s->bench->rounds);
	return 0;
}

/* Sets path to "/jobs/ID" from the answer to an asynchronous request. */
static void job_path(const struct stage *s, char path[TEXT])
{
	const char *id = s->answer.data ? strstr(s->answer.data, "\"id\":\"")
	                                : NULL;

	snprintf(path, TEXT, "/jobs/%.32s", id ? id + strlen("\"id\":\"") : "");
}

static bool has_status(const struct stage *s, const char *status)
{
	char word[TEXT];

	snprintf(word, sizeof word, "\"status\":\"%s\"", status);
	return count_of(&s->answer, word) > 0;
}

/* Measures the milliseconds from the request until the job is reported done;
 * the result is not fetched but deleted in the service. */
static int multiply(struct stage *s, double *ms, struct err *e)
{
	const struct timespec between = { 0, 1000 * 1000 };
	const int64_t began = clock_ns();
	char path[TEXT], request[TEXT + 8];

	if (expect(s, ACCEPTED, "POST /matmul", "{\"a\":{\"ref\":\"a\"},"
	           "\"b\":{\"ref\":\"b\"}}", "Prefer: respond-async\r\n",
	           e) < 0)
		return -1;
	job_path(s, path);
	snprintf(request, sizeof request, "GET %s", path);
	do {
		nanosleep(&between, NULL);
		if (expect(s, OK, request, "", "", e) < 0)
			return -1;
	} while (has_status(s, "accepted") || has_status(s, "running"));
	*ms = (double)(clock_ns() - began) * 1e-6;
	if (!has_status(s, "successful"))
		return err_set(e, ERR_INTERNAL, "bench: the product failed: "
		               "%.200s", s->answer.data);
	snprintf(request, sizeof request, "DELETE %s", path);
	return expect(s, NO_CONTENT, request, "", "", e);
}

/* Measures the median time of the products. The first one is not counted,
 * because it uploads the operands to the devices. */
static int measure_product(struct stage *s, size_t n, double *figure,
                           struct err *e)
{
	double ms[PRODUCTS + 1];

	if (store(s, "a", n, e) < 0 || store(s, "b", n, e) < 0)
		return -1;
	for (int i = 0; i <= PRODUCTS; i++)
		if (multiply(s, &ms[i], e) < 0)
			return -1;
	*figure = bench_median(ms + 1, PRODUCTS);
	return 0;
}

struct work {
	const char *name, *op, *unit;
	bool more_is_better;
	int (*measure)(struct stage *s, size_t n, double *figure,
	               struct err *e);
};

static const struct work works[] = {
	{ "jobs", "lu", "jobs_per_s", true, measure_jobs },
	{ "product", "matmul", "ours_ms", false, measure_product },
	{ 0 }
};

static void print(const struct bench_service *b, const struct work *w,
                  size_t n, int devices, double figure, double ratio)
{
	if (!b->json) {
		printf("%-8s %-7s float32 %6zu x %-6zu %3d %12.3f %-10s "
		       "%6.2f\n", w->name, w->op, n, n, devices, figure,
		       w->unit, ratio);
	} else {
		bench_print_text("{\"suite\":", b->suite);
		bench_print_text(",\"work\":", w->name);
		bench_print_text(",\"op\":", w->op);
		printf(",\"dtype\":\"float32\",\"shape\":\"%zux%zu\"", n, n);
		bench_print_text(",\"device\":", b->device);
		printf(",\"devices\":%d", devices);
		bench_print_number(w->unit, figure);
		bench_print_number("ratio", ratio);
		printf("}\n");
	}
	fflush(stdout);
}

static int measure(const struct bench_service *b, const struct work *w,
                   const struct sheet *sheets, int devices, size_t n,
                   double *figure, struct err *e)
{
	struct stage s = { .bench = b, .sheets = sheets };
	int rc = start(&s, devices, e);

	if (rc == 0)
		rc = w->measure(&s, n, figure, e);
	end(&s);
	return rc;
}

/* Returns the number of devices that follows in 1, 2, 4, ..., `all`, and
 * all + 1 after the last. */
static int next_count(int devices, int all)
{
	return devices == all ? all + 1 : 2 * devices < all ? 2 * devices : all;
}

static void run(const struct bench_service *b, const struct work *w,
                const struct sheet *sheets, int all, size_t n)
{
	double one = NAN;

	for (int k = 1; k <= all && !outcome_unread();
	     k = next_count(k, all)) {
		struct err e = { 0 };
		double figure;

		if (measure(b, w, sheets, k, n, &figure, &e) < 0) {
			outcome_failed("", &e);
			return;
		}
		if (k == 1)
			one = figure;
		print(b, w, n, k, figure,
		      w->more_is_better ? figure / one : one / figure);
	}
}

int bench_devices_run(const struct bench_service *b,
                      const struct sheet *sheets, int n, size_t size,
                      struct err *e)
{
	const size_t product = size ? size : usual[sheets->type].product;
	bool any = false;

	if (!b->json)
		printf("%d of device: %s\n\n%-8s %-7s %-7s %15s %3s %12s "
		       "%17s\n", n, b->device, "work", "op", "dtype", "shape",
		       "on", "figure", "ratio");
	for (const struct work *w = works; w->name; w++) {
		if (b->work && strcmp(b->work, w->name) != 0)
			continue;
		run(b, w, sheets, n, w->more_is_better ?
		    usual[sheets->type].jobs : product);
		any = true;
	}
	return any ? 0 : err_set(e, ERR_PARAMETER, "bench: no work of this "
	                         "suite is %.60s", b->work);
}
