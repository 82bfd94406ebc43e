/* service_print.c - prints the suite's results: a table, or a JSON object per
 * line. */
#include <stdio.h>

#include "bench/print.h"
#include "bench/service.h"

/* The columns in the table's order: ours beside the peer's. */
static const struct column {
	const char *heading, *ours, *theirs;	/* the last two: JSON's names */
	size_t offset;
	int precision;
	bool in_json;			/* else JSON has it elsewhere */
} columns[] = {
#define AT(x) offsetof(struct service_figures, x)
	{ "ms", "ours_ms", "peer_ms", AT(ms), 3, false },
	{ "requests/s", "requests_per_s", "peer_requests_per_s", AT(per_s), 0,
	  true },
	{ "p50 ms", "p50_ms", "peer_p50_ms", AT(p50_ms), 3, true },
	{ "p99 ms", "p99_ms", "peer_p99_ms", AT(p99_ms), 3, true },
	{ "CPU us", "cpu_us", "peer_cpu_us", AT(cpu_us), 0, true },
	{ "peak MiB", "peak_mib", "peer_peak_mib", AT(mib), 0, true },
#undef AT
};

static double value(const struct service_figures *f, const struct column *c)
{
	return *(const double *)((const char *)f + c->offset);
}

void service_print_heading(const struct bench_service *b)
{
	printf("device: %s\nin every pair the first is linalgd's, the second "
	       "the peer's; ratio is peer / ours\n\n%-22s %6s", b->device,
	       "work", "ratio");
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		printf(" %18s", columns[i].heading);
	printf("  peer\n");
}

static void print_line(const struct service_result *r)
{
	printf("%-22s", r->name);
	bench_print_cell(r->ratio, 2, 6);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
		const struct column *c = &columns[i];

		bench_print_cell(value(&r->ours, c), c->precision, 9);
		bench_print_cell(value(&r->theirs, c), c->precision, 8);
	}
	printf("  %s\n", r->peer ? r->peer : "-");
}

static void print_json(const struct service_result *r)
{
	const struct service_row *row = r->row;
	const bool memory = row->measure == MEASURE_MEMORY;

	bench_print_text("{\"suite\":", r->bench->suite);
	bench_print_text(",\"work\":", memory ? "memory" : row->op);
	printf(",\"dtype\":\"float32\",\"shape\":\"%zux%zu\"", row->n, row->n);
	bench_print_text(",\"format\":", question_formats[row->format]);
	bench_print_text(",\"device\":", r->bench->device);
	bench_print_number("ours_ms", r->ours.ms);
	if (r->peer)
		bench_print_text(",\"peer\":", r->peer);
	else
		printf(",\"peer\":null");
	bench_print_number("peer_ms", r->theirs.ms);
	bench_print_number("ratio", r->ratio);
	printf(",\"connections\":%d,\"peer_workers\":%d",
	       row->connections > 0 ? row->connections : 1, r->workers);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
		const struct column *c = &columns[i];

		if (!c->in_json)
			continue;
		bench_print_number(c->ours, value(&r->ours, c));
		bench_print_number(c->theirs, value(&r->theirs, c));
	}
	printf("}\n");
}

void service_print(const struct service_result *r)
{
	(r->bench->json ? print_json : print_line)(r);
	fflush(stdout);
}
