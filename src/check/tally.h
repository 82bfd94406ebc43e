/* tally.h - a line of `linalgd check`: the worst of its cases. */
#ifndef CHECK_TALLY_H
#define CHECK_TALLY_H

#include <stdbool.h>

#include "check/rows.h"

enum { CHECK_WHERE = 96, CHECK_WHY = 160 };

/* Begins as { 0 }. */
struct tally {
	unsigned cases, failures;
	double worst;			/* NAN and infinity are the worst */
	char where[CHECK_WHERE];	/* the worst case */
	char why[CHECK_WHY];		/* the error of a call that failed */
};

/* The parts of a line that name what it is about. */
struct tally_title {
	const char *what, *demand, *op, *variant, *dtype;
};

/* Adds a case, which passes if value <= threshold. `why` is the text of its
 * error, or "". */
void tally_add(struct tally *t, double value, double threshold,
               const char *where, const char *why);

void tally_heading(const char *device);
void tally_print(const struct tally *t, const struct tally_title *title,
                 double threshold);
void tally_print_skipped(const struct tally_title *title, const char *why);

#endif
