/* seeds_sheet.c - the data sheet of a V100 that comes with the article on
 * sparse products ("V100 Specs" in MISC.MD), with this device's values beside
 * it. */
#include "base/size.h"
#include "bench/seeds_print.h"
#include "worker/measure.h"

static double units(const struct sheet *s)
{
	return s->compute_units;
}

static double width(const struct sheet *s)
{
	return s->subgroup_sizes[0];
}

static double group(const struct sheet *s)
{
	return (double)s->max_work_group_size;
}

static double local(const struct sheet *s)
{
	return (double)s->local_memory_bytes / 1024;
}

static double line(const struct sheet *s)
{
	return s->cache_line_bytes;
}

static double cache(const struct sheet *s)
{
	return (double)s->cache_bytes / 1024;
}

static double single(const struct sheet *s)
{
	return s->peaks.gflops_float32 / 1000;
}

static double twofold(const struct sheet *s)
{
	return s->peaks.gflops_float64 / 1000;
}

static const struct {
	const char *name;
	double v100;
	double (*ours)(const struct sheet *s);
} rows[] = {
	{ "compute units", 80, units },
	{ "sub-group width", 32, width },
	{ "work-group size", 1024, group },
	{ "local memory, KiB", 96, local },
	{ "cache line, bytes", 128, line },
	{ "cache, KiB", 6144, cache },
	{ "float32, TFLOP/s", 15.7, single },
	{ "float64, TFLOP/s", 7.8, twofold },
};

static void put_value(struct text *t, double value)
{
	if (value > 0)
		text_printf(t, value < 1000 ? "%14.4g" : "%14.0f", value);
	else
		text_printf(t, "%14s", "-");
}

int seed_print_sheet(struct text *t, struct device *d, struct err *e)
{
	struct sheet s = *device_sheet(d);

	if (measure_peaks(d, &s.peaks, e) < 0)
		return -1;
	text_printf(t, "\nsheet: what the device has; its rates measured, the "
	            "V100's as published\n(MISC.MD, V100 Specs)\n\n"
	            "%-18s%14s%14s\n", "", "V100", "this device");
	for (size_t i = 0; i < COUNT(rows); i++) {
		text_printf(t, "%-18s", rows[i].name);
		put_value(t, rows[i].v100);
		put_value(t, rows[i].ours(&s));
		text_puts(t, "\n");
	}
	text_printf(t, "reading: %.1f GB/s\n", s.peaks.gbytes_per_s);
	return 0;
}
