/* print.h - what `linalgd bench` says: a table, or an object a line. */
#ifndef BENCH_PRINT_H
#define BENCH_PRINT_H

#include "bench/rows.h"

enum { BENCH_SHAPE_TEXT = 72 };

/* A line of the answer; NAN where there is none. */
struct bench_result {
	const char *suite, *work, *device;
	const char *peer;		/* NULL: missing */
	enum dtype dtype;
	char shape[BENCH_SHAPE_TEXT];
	/* The times of a request as a user sends it, and of a peer's call with
	 * its results in the host's memory. */
	double ours_ms, peer_ms, ratio;
	/* The times of the kernels alone, and of a peer's call whose results
	 * stay where it computes. */
	double kernels_ms, peer_kernels_ms, kernels_ratio;
	double error, peer_error, floor_ms;
	/* Only where a work has several ways, else NULL and not printed. */
	const char *variant;
	const char *reason;		/* why there is no ours_ms; or NULL */
	double rounds, peer_rounds;
};

/* "1024x64" from the letters of the row's shape. */
void bench_shape_text(const struct bench_row *row, const size_t dim[3],
                      char text[BENCH_SHAPE_TEXT]);

/* ,"name":x, null when it is not finite */
void bench_print_number(const char *name, double x);
/* `before` and the text in quotes */
void bench_print_text(const char *before, const char *text);

/* peers ends with NULL */
void bench_print_heading(const char *device, const char *const *peers);
void bench_print_line(const struct bench_result *r);
void bench_print_json(const struct bench_result *r);

#endif
