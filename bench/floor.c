/* floor.c - the lower bound of a call's time on a device; see ours.h. */
#include "bench/ours.h"
#include "worker/measure.h"

int64_t bench_floor(struct device *d, enum dtype type, double flops,
                    double bytes, struct err *e)
{
	static double best[DTYPE_COUNT];	/* so far; 0: not measured */
	const enum dtype dtype = dtype_part(type);
	int64_t reading = measure_read(d, dtype, bytes, e), computing;
	double per_flop = measure_flop(d, dtype, e);

	if (reading < 0 || per_flop < 0)
		return -1;
	if (best[dtype] <= 0 || per_flop < best[dtype])
		best[dtype] = per_flop;
	computing = (int64_t)(flops * best[dtype]);
	return reading > computing ? reading : computing;
}
