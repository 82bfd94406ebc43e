/* print.c - see print.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/print.h"

void bench_shape_text(const struct bench_row *row, const size_t dim[3],
                      char text[BENCH_SHAPE_TEXT])
{
	size_t used = 0;

	for (const char *l = bench_shape(row); *l; l++)
		used += (size_t)snprintf(text + used,
		    BENCH_SHAPE_TEXT - used, "%s%zu", used ? "x" : "",
		    dim[strchr("mnk", *l) - "mnk"]);
}

void bench_print_number(const char *name, double x)
{
	if (isfinite(x))
		printf(",\"%s\":%.6g", name, x);
	else
		printf(",\"%s\":null", name);
}

void bench_print_cell(double x, int precision, int width)
{
	if (isnan(x))
		printf(" %*s", width, "-");
	else if (precision < 0)
		printf(" %*.*e", width, -precision, x);
	else
		printf(" %*.*f", width, precision, x);
}

void bench_print_text(const char *before, const char *text)
{
	printf("%s\"", before);
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text >= ' ')
			putchar(*text);
	putchar('"');
}

static void print_variant(const struct bench_result *r)
{
	bench_print_text(",\"variant\":", r->variant);
	bench_print_number("rounds", r->rounds);
	bench_print_number("peer_rounds", r->peer_rounds);
	if (r->reason)
		bench_print_text(",\"reason\":", r->reason);
}

void bench_print_json(const struct bench_result *r)
{
	bench_print_text("{\"suite\":", r->suite);
	bench_print_text(",\"work\":", r->work);
	bench_print_text(",\"dtype\":", dtype_name(r->dtype));
	bench_print_text(",\"shape\":", r->shape);
	bench_print_text(",\"device\":", r->device);
	bench_print_number("ours_ms", r->ours_ms);
	if (r->peer)
		bench_print_text(",\"peer\":", r->peer);
	else
		printf(",\"peer\":null");
	bench_print_number("peer_ms", r->peer_ms);
	bench_print_number("ratio", r->ratio);
	bench_print_number("kernels_ms", r->kernels_ms);
	bench_print_number("peer_kernels_ms", r->peer_kernels_ms);
	bench_print_number("kernels_ratio", r->kernels_ratio);
	bench_print_number("error", r->error);
	bench_print_number("peer_error", r->peer_error);
	bench_print_number("floor_ms", r->floor_ms);
	if (r->variant)
		print_variant(r);
	printf("}\n");
}

void bench_print_heading(const char *device, const char *const *peers)
{
	printf("device: %s\n", device);
	if (!*peers)
		printf("peer: none\n");
	for (; *peers; peers++)
		printf("peer: %s\n", *peers);
	printf("\n%-13s %-7s %-15s %10s %10s %6s %10s %6s %9s %9s %10s  %s\n",
	       "work", "dtype", "shape", "ours ms", "peer ms", "ratio",
	       "kernels ms", "ratio", "error", "peer's", "floor ms", "peer");
}

void bench_print_line(const struct bench_result *r)
{
	const struct { double x; int precision, width; } cells[] = {
		{ r->ours_ms, 4, 10 }, { r->peer_ms, 4, 10 },
		{ r->ratio, 2, 6 }, { r->kernels_ms, 4, 10 },
		{ r->kernels_ratio, 2, 6 }, { r->error, -1, 9 },
		{ r->peer_error, -1, 9 }, { r->floor_ms, 4, 10 },
	};

	printf("%-13s %-7s %-15s", r->work, dtype_name(r->dtype), r->shape);
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		bench_print_cell(cells[i].x, cells[i].precision,
		                 cells[i].width);
	printf("  %s\n", r->peer ? r->peer : "none");
}
