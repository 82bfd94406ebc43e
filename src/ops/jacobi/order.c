/* order.c - which rows may be multiplied in float32, after "Mixed and
 * Multi-Precision SpMV for GPUs with Row-wise Precision Selection" (2022):
 * rounding an entry below the range to float32 costs no more, in absolute
 * terms, than rounding larger ones to float64; a row qualifies by its share of
 * such entries. */
#include <math.h>

#include "ops/jacobi/jacobi.h"

#define ROUNDING 1e-6

bool jacobi_selects(const struct jacobi_rule *u, double value)
{
	return fabs(value) < u->range && jacobi_fits(value);
}

/* Some of a row's entries may be outside of the rule's range, but none outside
 * of float32's. */
static enum jacobi_class class_of(const struct jacobi_rows *r, size_t i,
                                  int32_t length, const struct jacobi_rule *u)
{
	int32_t inside = 0;
	size_t k, end;

	if (length == 0)
		return CLASS_EMPTY;
	for (jacobi_row(r, i, &k, &end); k < end; k++) {
		const struct jacobi_entry x = jacobi_entry(r, k);

		if (x.column == i)
			continue;
		if (!jacobi_fits(x.value))
			return CLASS_DOUBLE;
		inside += x.value != 0 && jacobi_selects(u, x.value);
	}
	/* ROUNDING, because a share like 0.9 is not exact in binary. */
	return inside >= u->share * length - ROUNDING ? CLASS_SINGLE :
	       CLASS_DOUBLE;
}

void jacobi_classify(const struct jacobi_rows *r, const int32_t *length,
                     const struct jacobi_rule *u, unsigned char *class)
{
	for (size_t i = 0; i < r->n; i++)
		class[i] = (unsigned char)class_of(r, i, length[i], u);
}

void jacobi_order(const unsigned char *class, size_t n, int32_t *order,
                  size_t separation[CLASSES + 1])
{
	size_t next[CLASSES] = { 0 };

	for (size_t i = 0; i < n; i++)
		next[class[i]]++;
	separation[0] = 0;
	for (int c = 0; c < CLASSES; c++) {
		separation[c + 1] = separation[c] + next[c];
		next[c] = separation[c];
	}
	for (size_t i = 0; i < n; i++)
		order[next[class[i]]++] = (int32_t)i;
}
