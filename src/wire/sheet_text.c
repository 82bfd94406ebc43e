/* sheet_text.c - see sheet_text.h. */
#include "wire/sheet_text.h"

const char *sheet_type_name(enum device_type t)
{
	return t == DEVICE_CPU ? "cpu" : t == DEVICE_GPU ? "gpu" :
	       t == DEVICE_CLUSTER ? "cluster" : "other";
}

static void groups_text(struct text *t, const struct sheet *s)
{
	text_printf(t, "   work-groups of %llu at most, ",
	            (unsigned long long)s->max_work_group_size);
	text_puts(t, s->subgroup_sizes[0] ? "sub-groups of" : "no sub-groups");
	for (int i = 0; i < SHEET_SUBGROUPS && s->subgroup_sizes[i]; i++)
		text_printf(t, "%s %u", i ? "," : "", s->subgroup_sizes[i]);
	text_printf(t, ", cache lines of %u bytes, %llu KiB of cache\n",
	            s->cache_line_bytes,
	            (unsigned long long)s->cache_bytes >> 10);
}

static void peaks_text(struct text *t, const struct peaks *p)
{
	if (p->gbytes_per_s <= 0)
		return;
	text_printf(t, "   measured: reads %.1f GB/s, %.1f GFLOP/s in float32",
	            p->gbytes_per_s, p->gflops_float32);
	if (p->gflops_float64 > 0)
		text_printf(t, ", %.1f in float64", p->gflops_float64);
	text_puts(t, "\n");
}

void sheet_text(struct text *t, const struct sheet *s)
{
	text_printf(t, "%d  %s  %s\n"
	            "   %s, %s\n"
	            "   %u compute units, %u MHz, %.1f GiB of memory, "
	            "%llu KiB local, %s\n",
	            s->index, sheet_type_name(s->type), s->name,
	            s->platform, s->driver, s->compute_units, s->clock_mhz,
	            (double)s->global_memory_bytes / 0x1p30,
	            (unsigned long long)s->local_memory_bytes >> 10,
	            s->float64 ? "float64" : "no float64");
	groups_text(t, s);
	peaks_text(t, &s->peaks);
}
