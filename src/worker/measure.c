/* measure.c - reads memory and multiplies as fast as a device can; see
 * measure.h. The kernels are in kernels/device/peak.cl. */
#include "base/size.h"
#include "device/seq.h"
#include "worker/measure_kernel.h"

enum {
	VECTOR_BYTES = 64,
	CHAINS = 12,			/* of kernels/device/peak.cl */
	ROUNDS = 1 << 12,
	TRIES = 11,
	REPEATS = 5,			/* tries, the best of which counts */
};

/* The bytes read for a bandwidth: more than the caches hold, within limits. */
static const uint64_t least_bytes = 256 << 20, most_bytes = (uint64_t)2 << 30;

/* The number of work-items and their grouping: a CPU has few items, which read
 * long stretches; other devices have very many, which read side by side. */
struct crowd {
	size_t items, group;
	bool stretches;
};

static struct crowd crowd_of(const struct sheet *s)
{
	if (s->type == DEVICE_CPU)
		return (struct crowd){ 4 * s->compute_units, 1, true };
	return (struct crowd){ 2048 * s->compute_units, 256, false };
}

int64_t measure_best(struct seq *s, struct grid g, const char *kernel,
                     const struct arg *args, size_t n)
{
	struct timing t;

	for (int i = 0; i < TRIES; i++)
		seq_launch_args(s, kernel, g, args, n);
	if (seq_finish(s) < 0)
		return -1;
	seq_timing(s, &t);
	for (int i = 0; i < t.n_kernels; i++)
		if (t.kernel[i].calls == TRIES)
			return (int64_t)t.kernel[i].min_ns;
	return -1;
}

/* Reads that many vectors, each item a contiguous stretch of them. */
static int64_t read_stretches(struct seq *s, struct crowd c, size_t vectors)
{
	const size_t count = size_max(vectors / c.items, 1);
	const size_t bytes = c.items * count * VECTOR_BYTES;
	const struct buf x = seq_scratch(s, bytes);
	const struct buf sums = seq_scratch(s, c.items * VECTOR_BYTES);

	seq_fill(s, x, 0, bytes, &(double){ 0 }, sizeof(double));
	return measure_best(s, GRID1(c.items, c.group), "peak_read",
	                    (struct arg[]){ ARG_BUF(x), ARG_BUF(sums),
	                                    ARG_INT(count) }, 3);
}

/* Reads that many vectors, neighbouring items reading neighbouring vectors. */
static int64_t read_together(struct seq *s, struct crowd c, size_t vectors)
{
	const struct buf x = seq_scratch(s, vectors * VECTOR_BYTES);
	const struct buf sums = seq_scratch(s, c.items * sizeof(int32_t));

	seq_fill(s, x, 0, vectors * VECTOR_BYTES, &(double){ 0 },
	         sizeof(double));
	return measure_best(s, GRID1(c.items, c.group), "peak_stream",
	                    (struct arg[]){ ARG_BUF(x), ARG_BUF(sums),
	                                    ARG_LONG(vectors) }, 3);
}

int64_t measure_read(struct device *d, enum dtype dtype, double bytes,
                     struct err *e)
{
	const struct crowd c = crowd_of(device_sheet(d));
	const size_t vectors = size_max((size_t)(bytes / VECTOR_BYTES), 1);
	struct seq *s = seq_new(d, dtype, TIMING_FULL, e);
	int64_t ns;

	if (!s)
		return -1;
	ns = (c.stretches ? read_stretches : read_together)(s, c, vectors);
	seq_free(s);
	return ns;
}

static double measure_units(struct device *d, enum dtype dtype, struct err *e)
{
	struct crowd c = crowd_of(device_sheet(d));
	size_t lanes = VECTOR_BYTES / dtype_bytes(dtype);
	struct seq *s = seq_new(d, dtype, TIMING_FULL, e);
	const double zero = 0;
	struct buf sums;
	int64_t ns;

	if (!s)
		return -1;
	sums = seq_scratch(s, (c.items + 1) * VECTOR_BYTES);
	seq_fill(s, sums, 0, (c.items + 1) * VECTOR_BYTES, &zero, sizeof zero);
	ns = measure_best(s, GRID1(c.items, c.group), "peak_multiply_add",
	                  (struct arg[]){ ARG_BUF(sums), ARG_INT(ROUNDS),
	                                  ARG_INT(1) }, 3);
	seq_free(s);
	return (double)ns / (2.0 * (double)(c.items * lanes) * CHAINS * ROUNDS);
}

double measure_flop(struct device *d, enum dtype dtype, struct err *e)
{
	const double units = measure_units(d, dtype, e);
	const double tensor = measure_tensor(d, dtype, e);

	if (units < 0 || tensor < 0)
		return -1;
	return tensor > 0 && tensor < units ? tensor : units;
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Four times the size of the caches, if the device has memory for it. */
static double bytes_to_read(const struct sheet *s)
{
	const uint64_t room = lower(s->max_allocation_bytes,
	                            s->global_memory_bytes / 4);
	const uint64_t wanted = 4 * s->cache_bytes;

	return (double)lower(room, wanted < least_bytes ? least_bytes :
	                     lower(wanted, most_bytes));
}

static int measure_gbytes(struct device *d, double *best, struct err *e)
{
	const double bytes = bytes_to_read(device_sheet(d));

	for (int i = 0; i < REPEATS; i++) {
		const int64_t ns = measure_read(d, FLOAT32, bytes, e);

		if (ns <= 0)
			return -1;
		if (bytes / (double)ns > *best)
			*best = bytes / (double)ns;
	}
	return 0;
}

static int measure_gflops(struct device *d, enum dtype t, double *best,
                          struct err *e)
{
	for (int i = 0; i < REPEATS; i++) {
		const double ns = measure_flop(d, t, e);

		if (ns <= 0)
			return -1;
		if (1 / ns > *best)
			*best = 1 / ns;
	}
	return 0;
}

int measure_peaks(struct device *d, struct peaks *p, struct err *e)
{
	*p = (struct peaks){ 0 };
	if (measure_gbytes(d, &p->gbytes_per_s, e) < 0 ||
	    measure_gflops(d, FLOAT32, &p->gflops_float32, e) < 0)
		return -1;
	return device_sheet(d)->float64 ?
	       measure_gflops(d, FLOAT64, &p->gflops_float64, e) : 0;
}
