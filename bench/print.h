/* print.h - prints the results of `linalgd bench`: a table, or a JSON object
 * per line. */
#ifndef BENCH_PRINT_H
#define BENCH_PRINT_H

#include "bench/rows.h"

enum { BENCH_SHAPE_TEXT = 72 };

/* A line of the results; NAN where there is no figure. */
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
	/* NULL, and not printed, unless the work has several variants. */
	const char *variant;
	const char *reason;		/* why there is no ours_ms; or NULL */
	double rounds, peer_rounds;
};

/* Sets text to a shape like "1024x64", by the letters of the row's shape. */
void bench_shape_text(const struct bench_row *row, const size_t dim[3],
                      char text[BENCH_SHAPE_TEXT]);

/* Prints ,"name":x with null for an x that is not finite. */
void bench_print_number(const char *name, double x);
/* Prints a space and the cell of a table, or "-" for an x that is NAN. A
 * negative precision -p prints p digits and an exponent. */
void bench_print_cell(double x, int precision, int width);
/* Prints `before`, and the text in quotes. */
void bench_print_text(const char *before, const char *text);

/* Prints the device and the peers' names, which end with NULL, above the
 * table. */
void bench_print_heading(const char *device, const char *const *peers);
void bench_print_line(const struct bench_result *r);
void bench_print_json(const struct bench_result *r);

#endif
