/* measure_tensor.c - measures how fast tensor cores multiply. */
#include "device/seq.h"
#include "shared/peak_tensor.h"
#include "worker/measure_kernel.h"

/* float16 multiply-adds that replace one in float32: each operand is split into
 * two parts, and the product of the two small parts is left out. */
enum { SPLIT = 3 };

enum { GROUPS_PER_UNIT = 16, ROUNDS = 1 << 10, PROBE_ROUNDS = 3 };

static void launch(struct seq *s, struct buf sums, size_t groups, int rounds)
{
	seq_launch(s, "peak_tensor", GRID1(groups * PEAK_ITEMS, PEAK_ITEMS),
	           ARG_BUF(sums), ARG_INT(rounds));
}

/* The expected sum of an item's elements; all items and elements are alike. */
static double sum_of(enum dtype t, int rounds)
{
	return t == FLOAT32 ?
	       (double)rounds * PEAK_PRODUCTS * PEAK_ADDS_F32 / PEAK_ITEMS :
	       (double)rounds * PEAK_PRODUCTS * PEAK_ADDS_F64 / PEAK_ITEMS;
}

static bool is_right(struct seq *s, const char *kernel)
{
	const enum dtype t = seq_dtype(s);
	const struct buf sums = seq_scratch(s, PEAK_ITEMS * dtype_bytes(t));
	double f64[PEAK_ITEMS] = { 0 };
	float f32[PEAK_ITEMS] = { 0 };

	(void)kernel;
	launch(s, sums, 1, PROBE_ROUNDS);
	seq_read(s, sums, 0, t == FLOAT32 ? (void *)f32 : f64,
	         PEAK_ITEMS * dtype_bytes(t));
	for (int i = 0; i < PEAK_ITEMS && !seq_failed(s); i++)
		if ((t == FLOAT32 ? f32[i] : f64[i]) != sum_of(t, PROBE_ROUNDS))
			return false;
	return !seq_failed(s);
}

static double flops_of(enum dtype t, size_t groups)
{
	const double rounds = 2.0 * (double)groups * ROUNDS * PEAK_PRODUCTS;

	return t == FLOAT32 ? rounds * PEAK_ADDS_F32 / SPLIT :
	                      rounds * PEAK_ADDS_F64;
}

/* Probes in a sequence of its own, so that the probe does not count as a
 * try. */
static bool is_there(struct device *d, enum dtype dtype, struct err *e)
{
	struct seq *s = device_sheet(d)->nvidia_sm == 90 ?
	                seq_new(d, dtype, TIMING_NONE, e) : NULL;
	const bool good = s && seq_trusts(s, "peak_tensor", is_right);

	seq_free(s);
	return good;
}

double measure_tensor(struct device *d, enum dtype dtype, struct err *e)
{
	const size_t groups = GROUPS_PER_UNIT * device_sheet(d)->compute_units;
	struct seq *s;
	struct buf sums;
	int64_t ns;

	if (!is_there(d, dtype, e))
		return 0;
	s = seq_new(d, dtype, TIMING_FULL, e);
	if (!s)
		return -1;
	sums = seq_scratch(s, groups * PEAK_ITEMS * dtype_bytes(dtype));
	ns = measure_best(s, GRID1(groups * PEAK_ITEMS, PEAK_ITEMS),
	                  "peak_tensor", (struct arg[]){
	                  ARG_BUF(sums), ARG_INT(ROUNDS) }, 2);
	seq_free(s);
	return (double)ns / flops_of(dtype, groups);
}
