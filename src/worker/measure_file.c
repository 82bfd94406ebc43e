/* measure_file.c - keeps measured peaks in the cache directory, as a line
 *
 *     gflops_float32 gflops_float64 gbytes_per_s
 */
#include <math.h>
#include <stdio.h>

#include "device/device_file.h"
#include "worker/measure.h"

static const char file[] = "peaks";

int measure_keep(const struct sheet *s, const char *cache, struct err *e)
{
	struct text t = { 0 };
	int rc;

	text_printf(&t, "%.9g %.9g %.9g\n", s->peaks.gflops_float32,
	            s->peaks.gflops_float64, s->peaks.gbytes_per_s);
	rc = t.failed ? err_set(e, ERR_MEMORY, "no memory for the peaks") :
	     device_file_write(s, cache, file, &t, e);
	text_fini(&t);
	return rc;
}

static bool is_sound(const struct peaks *p)
{
	return isfinite(p->gflops_float32) && p->gflops_float32 > 0 &&
	       isfinite(p->gflops_float64) && p->gflops_float64 >= 0 &&
	       isfinite(p->gbytes_per_s) && p->gbytes_per_s > 0;
}

void measure_recall(struct sheet *s, const char *cache)
{
	struct text t = { 0 };
	struct peaks p = { 0 };

	device_file_read(s, cache, file, &t);
	if (!t.failed && sscanf(t.data, "%lf %lf %lf", &p.gflops_float32,
	                        &p.gflops_float64, &p.gbytes_per_s) == 3 &&
	    is_sound(&p))
		s->peaks = p;
	text_fini(&t);
}
