/* scaling_pipeline.c - compares a pipeline of ten matrix products with ten
 * requests for one product each, in which the client sends each product back as
 * the left operand of the next one; see scaling.h. The right operands are
 * stored matrices. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "bench/client.h"
#include "bench/median.h"
#include "bench/print.h"
#include "bench/process.h"
#include "bench/scaling.h"

enum { PRODUCTS = 10, ROUNDS_MOST = 101, OK = 200, CREATED = 201 };

static const char octets[] = "application/octet-stream";
static const char json[] = "application/json";

struct talk {
	struct client *client;
	size_t n;
	struct text head, body, answer;
};

static int say(struct talk *t, const char *request, const char *type,
               const char *accept, int wanted, struct err *e)
{
	int status;

	text_clear(&t->head);
	client_head(&t->head, request, type, accept, "", t->body.length);
	status = client_ask(t->client, &t->head, &t->body, &t->answer, e);
	if (status >= 0 && status != wanted)
		err_set(e, ERR_INTERNAL, "bench: %s is answered with %d: "
		        "%.100s", request, status,
		        t->answer.length ? t->answer.data : "");
	return status == wanted ? 0 : -1;
}

static int store_all(struct talk *t, struct err *e)
{
	char request[64];

	for (int i = 0; i <= PRODUCTS; i++) {
		snprintf(request, sizeof request, "PUT /matrices/m%d", i);
		text_clear(&t->body);
		text_printf(&t->body, "{\"matrix\":{\"generate\":\"random\","
		            "\"shape\":[%zu,%zu],\"seed\":%d},\"dtype\":"
		            "\"float32\"}", t->n, t->n, i + 1);
		if (say(t, request, json, "*/*", CREATED, e) < 0)
			return -1;
	}
	return 0;
}

static int ask_pipeline(struct talk *t, struct err *e)
{
	text_clear(&t->body);
	text_puts(&t->body, "{\"timing\":\"none\",\"steps\":[");
	for (int i = 1; i <= PRODUCTS; i++)
		text_printf(&t->body, "%s{\"op\":\"matmul\",\"a\":\"%s%d\","
		            "\"b\":\"@m%d\",\"as\":\"s%d\"}",
		            i > 1 ? "," : "", i > 1 ? "s" : "@m", i - 1, i, i);
	text_puts(&t->body, "]}");
	return say(t, "POST /pipelines", json, octets, OK, e);
}

/* Requests one product, of the previous reply's matrix and a stored matrix. */
static int ask_product(struct talk *t, int i, struct err *e)
{
	char request[96];

	snprintf(request, sizeof request, "POST /matmul?a.shape=%zu,%zu&"
	         "dtype=float32&timing=none", t->n, t->n);
	text_clear(&t->body);
	text_printf(&t->body, "--part\r\nContent-Disposition: form-data; "
	            "name=\"b\"\r\n\r\n{\"ref\":\"m%d\"}\r\n--part\r\n"
	            "Content-Disposition: form-data; name=\"a\"; "
	            "filename=\"a\"\r\nContent-Type: %s\r\n\r\n", i, octets);
	text_add(&t->body, t->answer.data, t->answer.length);
	text_puts(&t->body, "\r\n--part--\r\n");
	return say(t, request, "multipart/form-data; boundary=part", octets,
	           OK, e);
}

static int ask_one_by_one(struct talk *t, struct err *e)
{
	int rc;

	text_clear(&t->body);
	rc = say(t, "GET /matrices/m0", NULL, octets, OK, e);
	for (int i = 1; rc == 0 && i <= PRODUCTS; i++)
		rc = ask_product(t, i, e);
	return rc;
}

/* Returns the milliseconds that `ask` takes, or NAN with *e. */
static double time_of(struct talk *t,
                      int (*ask)(struct talk *t, struct err *e),
                      struct err *e)
{
	const int64_t begun = clock_ns();

	return ask(t, e) < 0 ? NAN : (double)(clock_ns() - begun) * 1e-6;
}

static void print(const struct bench_service *b, size_t n, double ours,
                  double theirs, double ratio)
{
	if (!b->json) {
		printf("pipeline of ten products %zu x %zu, float32: %.3f ms; "
		       "ten requests %.3f ms, %.2f times as long\n", n, n,
		       ours, theirs, ratio);
		fflush(stdout);
		return;
	}
	bench_print_text("{\"suite\":", b->suite);
	printf(",\"work\":\"pipeline of ten products\",\"dtype\":\"float32\","
	       "\"shape\":\"%zux%zu\"", n, n);
	bench_print_text(",\"device\":", b->device);
	bench_print_number("ours_ms", ours);
	bench_print_number("requests_ms", theirs);
	bench_print_number("ratio", ratio);
	printf("}\n");
}

/* Measures both ways in turn, after one run of each that is not measured. */
static int measure(const struct bench_service *b, struct talk *t,
                   struct err *e)
{
	const int rounds = b->pairs < ROUNDS_MOST ? b->pairs : ROUNDS_MOST;
	double ours[ROUNDS_MOST], theirs[ROUNDS_MOST], ratio[ROUNDS_MOST];

	if (store_all(t, e) < 0 || isnan(time_of(t, ask_pipeline, e)) ||
	    isnan(time_of(t, ask_one_by_one, e)))
		return -1;
	for (int i = 0; i < rounds && e->code == ERR_NONE; i++) {
		ours[i] = time_of(t, ask_pipeline, e);
		theirs[i] = time_of(t, ask_one_by_one, e);
		ratio[i] = theirs[i] / ours[i];
	}
	if (e->code != ERR_NONE)
		return -1;
	print(b, t->n, bench_median(ours, (size_t)rounds),
	      bench_median(theirs, (size_t)rounds),
	      bench_median(ratio, (size_t)rounds));
	return 0;
}

int bench_scaling_pipeline(const struct bench_service *b, size_t n,
                           struct err *e)
{
	struct services all;
	struct service *s = &all.service[SERVICE_OURS];
	struct talk t = { .n = n };
	int rc = -1;

	services_init(&all, b->directory, b->selector, b->type);
	if (service_start(&all, SERVICE_OURS, e) == 0) {
		service_settle(s, true);
		t.client = client_open(s->port, e);
	}
	if (t.client)
		rc = measure(b, &t, e);
	client_close(t.client);
	text_fini(&t.head);
	text_fini(&t.body);
	text_fini(&t.answer);
	service_end(s, SERVICE_END_SECONDS);
	return rc;
}
