/* tally.h - a line of `linalgd check`: the worst of its cases. */
#ifndef CHECK_TALLY_H
#define CHECK_TALLY_H

#include <stdbool.h>

#include "check/rows.h"

enum { CHECK_WHERE = 96, CHECK_WHY = 160 };

/* { 0 } is of no cases. */
struct tally {
	unsigned cases, failures;
	double worst;			/* NAN and infinity are the worst */
	char where[CHECK_WHERE];	/* that was */
	char why[CHECK_WHY];		/* of a call that failed, or "" */
};

/* What a line is about. */
struct tally_title {
	const char *what, *demand, *op, *variant, *dtype;
};

/* A case: passed if value <= threshold. why may be "". */
void tally_add(struct tally *t, double value, double threshold,
               const char *where, const char *why);

void tally_heading(const char *device);
void tally_print(const struct tally *t, const struct tally_title *title,
                 double threshold);
void tally_print_skipped(const struct tally_title *title, const char *why);

#endif
