/* seeds.c - see seeds.h: measures every table, one size after the other. A
 * version that was too slow at one size is left out at larger ones. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/outcome.h"
#include "bench/seeds_print.h"

static void leave_out(struct seed_cell *c, double cell_ms)
{
	char reason[80];

	snprintf(reason, sizeof reason, "left out: a smaller size took more "
	         "than %g s", cell_ms * 1e-3);
	seed_cell_empty(c, reason);
	c->left_out = true;
}

/* Was the version too slow at a smaller size? */
static bool is_slow(const struct seed_figures *f, int size, int version)
{
	while (size-- > 0)
		if (f->cell[size][version].ms > f->cell_ms)
			return true;
	return false;
}

static void measure_size(const struct bench_seeds *b, struct seed_figures *f,
                         int size)
{
	struct seed_problem p;
	struct err e = { 0 };
	const bool made = seed_problem_make(&p, f->table,
	    f->table->sizes[size], b->pool, &e) == 0;

	if (!made)
		outcome_failed(f->table->name, &e);
	for (int v = 0; f->table->versions[v].name; v++) {
		struct seed_cell *c = &f->cell[size][v];

		if (!made)
			seed_cell_empty(c, e.text);
		else if (is_slow(f, size, v))
			leave_out(c, f->cell_ms);
		else
			seed_cell_measure(b, &p, &f->table->versions[v], c);
	}
	f->floor_ms[size] = made && b->json ? seed_floor_ms(b, &p) : NAN;
	seed_problem_fini(&p);
}

/* Writes out the text at once, and empties it. */
static void flush(struct text *t)
{
	if (t->data)
		fputs(t->data, stdout);
	fflush(stdout);
	text_clear(t);
}

static int save_plot(const struct bench_seeds *b,
                     const struct seed_figures *f, struct err *e)
{
	struct text t = { 0 };
	char path[4096];
	FILE *out;
	bool written;

	seed_plot(&t, f);
	snprintf(path, sizeof path, "%s/%s.svg", b->plots, f->table->name);
	out = t.failed ? NULL : fopen(path, "w");
	written = out && fwrite(t.data, 1, t.length, out) == t.length;
	if (out)
		written &= fclose(out) == 0;
	text_fini(&t);
	return written ? 0 : err_set(e, ERR_PARAMETER, "%.150s: %s", path,
	                             strerror(errno));
}

static int run_table(const struct bench_seeds *b,
                     const struct seed_table *table, struct err *e)
{
	struct seed_figures f = {
		.table = table, .device = device_sheet(b->device)->name,
		.cell_ms = (double)b->cell_ns * 1e-6,
	};
	struct text t = { 0 };

	if (!b->json)
		seed_print_heading(&t, &f);
	flush(&t);
	for (int i = 0; i < seed_count_sizes(table) && !outcome_unread(); i++) {
		measure_size(b, &f, i);
		if (b->json)
			seed_print_json(&f, i);
		else
			seed_print_row(&t, &f, i);
		flush(&t);
	}
	if (!b->json)
		seed_print_ending(&t, &f);
	flush(&t);
	text_fini(&t);
	return b->plots ? save_plot(b, &f, e) : 0;
}

static int run_sheet(const struct bench_seeds *b, struct err *e)
{
	struct text t = { 0 };
	int rc = seed_print_sheet(&t, b->device, e);

	flush(&t);
	text_fini(&t);
	return rc;
}

static bool is_wanted(const struct bench_seeds *b, const char *name)
{
	return !b->work || strcmp(b->work, name) == 0;
}

int bench_seeds_run(const struct bench_seeds *b, struct err *e)
{
	bool any = is_wanted(b, "sheet");

	if (b->plots && mkdir(b->plots, 0777) && errno != EEXIST)
		return err_set(e, ERR_PARAMETER, "%.150s: %s", b->plots,
		               strerror(errno));
	if (!b->json)
		printf("device: %s\n", device_sheet(b->device)->name);
	if (any && !b->json && run_sheet(b, e) < 0)
		return -1;
	for (const struct seed_table *t = seed_tables; t->name; t++) {
		if (!is_wanted(b, t->name))
			continue;
		any = true;
		if (run_table(b, t, e) < 0)
			return -1;
		if (device_lost(b->device))
			return err_set(e, ERR_DEVICE, "the device failed "
			               "during %s", t->name);
	}
	return any ? 0 : err_set(e, ERR_PARAMETER, "bench: no work of this "
	                         "suite is %.60s", b->work);
}
