/* tally.c - see tally.h. */
#include <math.h>
#include <stdio.h>

#include "check/tally.h"

#define TITLE "%-18s %-24s %-9s %-19s %-7s "

/* Is a at least as bad as b? Of equally bad cases, the line thus shows the last
 * one, which has the largest matrix. */
static bool is_as_bad(double a, double b)
{
	return isnan(a) || a >= b;
}

void tally_add(struct tally *t, double value, double threshold,
               const char *where, const char *why)
{
	if (!(value <= threshold))
		t->failures++;
	if (t->cases++ > 0 && !is_as_bad(value, t->worst))
		return;
	t->worst = value;
	snprintf(t->where, sizeof t->where, "%s", where);
	snprintf(t->why, sizeof t->why, "%s", why);
}

void tally_heading(const char *device)
{
	printf("device: %s\n\n" TITLE "%5s %9s %6s  %-7s %s\n", device, "what",
	       "demand", "operation", "variant", "dtype", "cases", "value",
	       "limit", "verdict", "worst case");
}

static void print_title(const struct tally_title *t)
{
	printf(TITLE, t->what, t->demand, t->op, t->variant, t->dtype);
}

void tally_print(const struct tally *t, const struct tally_title *title,
                 double threshold)
{
	print_title(title);
	printf("%5u %9.2e %6g  %-7s %s", t->cases, t->worst, threshold,
	       t->failures ? "FAILED" : "passed", t->where);
	if (t->failures)
		printf(" (%u of %u fail)", t->failures, t->cases);
	if (t->failures && t->why[0])
		printf(": %s", t->why);
	putchar('\n');
	fflush(stdout);
}

void tally_print_skipped(const struct tally_title *title, const char *why)
{
	print_title(title);
	printf("%5s %9s %6s  %-7s %s\n", "-", "-", "-", "skipped", why);
}
