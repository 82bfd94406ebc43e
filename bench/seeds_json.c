/* seeds_json.c - figures as JSON lines and as a plot; see
 * seeds_print.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/plot.h"
#include "bench/print.h"
#include "bench/seeds_print.h"

enum { MOST_LINES = SEED_VERSIONS * (SEED_MACHINES + 1), NAME = 64 };

static void shape_text(const struct seed_table *t, size_t n,
                       char text[BENCH_SHAPE_TEXT])
{
	size_t used = 0;

	for (const char *c = t->shape; *c; c++)
		used += (size_t)snprintf(text + used, BENCH_SHAPE_TEXT - used,
		                         "%s%zu", used ? "x" : "", n);
}

static double or_none(double x)
{
	return x > 0 ? x : NAN;
}

/* Prints a line for one version, beside the published figure of that machine
 * unless machine < 0. */
static void print_line(const struct seed_figures *f, int size, int v,
                       int machine)
{
	const struct seed_version *version = &f->table->versions[v];
	const struct seed_cell *c = &f->cell[size][v];
	struct bench_result r = {
		.suite = "seeds", .work = f->table->name,
		.device = f->device, .dtype = f->table->dtype,
		.variant = version->name, .ours_ms = c->ms,
		.kernels_ms = c->ms,
		.peer_ms = NAN, .error = c->error, .peer_error = NAN,
		.floor_ms = f->floor_ms[size], .rounds = c->rounds,
		.peer_rounds = NAN, .reason = *c->reason ? c->reason : NULL,
	};

	shape_text(f->table, f->table->sizes[size], r.shape);
	if (machine >= 0) {
		r.peer = f->table->machines[machine];
		r.peer_ms = or_none(version->published[machine][size]);
		r.peer_error = or_none(version->deviation[machine]);
		r.peer_rounds = or_none(f->table->rounds[size]);
	}
	r.peer_kernels_ms = r.peer_ms;	/* the articles measured kernels */
	r.ratio = r.kernels_ratio = r.peer_ms / r.ours_ms;
	bench_print_json(&r);
}

void seed_print_json(const struct seed_figures *f, int size)
{
	for (int v = 0; f->table->versions[v].name; v++) {
		bool beside = false;

		for (int m = 0; f->table->machines[m]; m++)
			if (f->table->versions[v].published[m][size] > 0) {
				print_line(f, size, v, m);
				beside = true;
			}
		if (!beside)
			print_line(f, size, v, -1);
	}
}

/* The lines of a plot, with their names and values. */
struct drawing {
	struct plot_line line[MOST_LINES];
	char name[MOST_LINES][NAME];
	double y[MOST_LINES][SEED_SIZES];
	size_t n;
};

/* A version keeps its colour on every machine; linalgd is black. */
static void add_line(struct drawing *d, const struct seed_version *v,
                     int colour, const char *machine, int dash)
{
	snprintf(d->name[d->n], NAME, "%s%s%s", machine ? machine : "",
	         machine ? " " : "", v->name);
	d->line[d->n] = (struct plot_line){
		.name = d->name[d->n], .dash = dash, .y = d->y[d->n],
		.colour = v->by == SEED_OURS ? 0 : colour + 1,
	};
	d->n++;
}

static void add_lines(struct drawing *d, const struct seed_figures *f)
{
	const struct seed_version *versions = f->table->versions;

	for (int m = 0; f->table->machines[m]; m++)
		for (int v = 0; versions[v].name; v++) {
			if (versions[v].published[m][0] <= 0)
				continue;
			memcpy(d->y[d->n], versions[v].published[m],
			       sizeof d->y[0]);
			add_line(d, &versions[v], v, f->table->machines[m],
			         m + 1);
		}
	for (int v = 0; versions[v].name; v++) {
		for (int i = 0; i < seed_count_sizes(f->table); i++)
			d->y[d->n][i] = f->cell[i][v].ms;
		add_line(d, &versions[v], v, NULL, 0);
	}
}

void seed_plot(struct text *t, const struct seed_figures *f)
{
	struct drawing d = { .n = 0 };
	double x[SEED_SIZES] = { 0 };
	char subtitle[256];

	for (int i = 0; i < seed_count_sizes(f->table); i++)
		x[i] = (double)f->table->sizes[i];
	snprintf(subtitle, sizeof subtitle, "solid: %s; %s: %s", f->device,
	         f->table->machines[0] ? "dashed" : "source",
	         f->table->article);
	add_lines(&d, f);
	plot_svg(t, &(struct plot){
		.title = f->table->title, .subtitle = subtitle,
		.x_name = "n", .y_name = "milliseconds",
		.x = x, .n = (size_t)seed_count_sizes(f->table),
		.line = d.line, .n_lines = d.n,
	});
}
