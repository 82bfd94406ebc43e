/* seeds_print.c - a table as text.
 *
 * With several sizes there is a line per size, with the machines' versions as
 * columns, linalgd's the last:
 *
 *                  rounds    Iris Xe MAX      this device
 *            n   v0  linalgd     v0      v1      v0      v1  linalgd
 *
 * With one size there is a line per version, with the machines as columns.
 */
#include <math.h>
#include <string.h>

#include "bench/seeds_print.h"

/* The columns' widths. */
enum {
	SIZES_WIDE = 9, ROUNDS_WIDE = 8, MS_WIDE = 11,
	NAMES_WIDE = 17, MACHINES_WIDE = 17, ERRORS_WIDE = 13,
};

int seed_count_versions(const struct seed_table *t)
{
	int n = 0;

	while (t->versions[n].name)
		n++;
	return n;
}

int seed_count_sizes(const struct seed_table *t)
{
	int n = 0;

	while (n < SEED_SIZES && t->sizes[n])
		n++;
	return n;
}

static bool is_long(const struct seed_table *t)
{
	return seed_count_sizes(t) > 1;
}

/* Did the article publish figures of that version on that machine? */
static bool has_published(const struct seed_version *v, int machine)
{
	return v->published[machine][0] > 0;
}

static bool has_deviation(const struct seed_table *t)
{
	for (int v = 0; t->versions[v].name; v++)
		if (t->versions[v].deviation[0] > 0)
			return true;
	return false;
}

static void put_ms(struct text *t, int width, double ms)
{
	if (!(ms > 0))
		text_printf(t, "%*s", width, "-");
	else
		text_printf(t, "%*.*f", width, ms < 1000 ? 3 : 0, ms);
}

static void put_count(struct text *t, int width, double n)
{
	if (!(n >= 0))
		text_printf(t, "%*s", width, "-");
	else
		text_printf(t, "%*.0f", width, n);
}

/* Appends an error, which is negative if there is none. NaN is printed. */
static void put_error(struct text *t, int width, double error)
{
	if (error < 0)
		text_printf(t, "%*s", width, "-");
	else if (error == 0)
		text_printf(t, "%*s", width, "0");
	else
		text_printf(t, "%*.1e", width, error);
}

/* Appends a name above its columns, if it has any. */
static void put_group(struct text *t, const char *name, int columns,
                      int width)
{
	if (columns > 0)
		text_printf(t, "  %-*s", columns * width - 2, name);
}

static int count_published(const struct seed_table *table, int machine)
{
	int n = 0;

	for (int v = 0; table->versions[v].name; v++)
		n += has_published(&table->versions[v], machine);
	return n;
}

/* The width of one machine's columns, wide enough for its name above them. */
static int machine_width(const struct seed_table *table, int machine)
{
	const int columns = count_published(table, machine);
	const int name = (int)strlen(table->machines[machine]) + 2;

	return columns * MS_WIDE >= name ? MS_WIDE :
	       (name + columns - 1) / columns;
}

static void long_heading(struct text *t, const struct seed_table *table)
{
	const int versions = seed_count_versions(table);
	const bool rounds = table->rounds[0] > 0;

	text_printf(t, "%*s", SIZES_WIDE, "");
	if (rounds)
		put_group(t, "rounds", versions + 1, ROUNDS_WIDE);
	for (int m = 0; table->machines[m]; m++)
		put_group(t, table->machines[m],
		          count_published(table, m),
		          machine_width(table, m));
	text_printf(t, "  this device\n%*s", SIZES_WIDE, "n");
	if (rounds)
		text_printf(t, "%*s", ROUNDS_WIDE, "article");
	for (int v = 0; rounds && v < versions; v++)
		text_printf(t, "%*s", ROUNDS_WIDE, table->versions[v].name);
	for (int m = 0; table->machines[m]; m++)
		for (int v = 0; v < versions; v++)
			if (has_published(&table->versions[v], m))
				text_printf(t, "%*s", machine_width(table, m),
				            table->versions[v].name);
	for (int v = 0; v < versions; v++)
		text_printf(t, "%*s", MS_WIDE, table->versions[v].name);
	text_puts(t, "\n");
}

static void long_row(struct text *t, const struct seed_figures *f, int size)
{
	const struct seed_table *table = f->table;
	const int versions = seed_count_versions(table);
	const bool rounds = table->rounds[0] > 0;

	text_printf(t, "%*zu", SIZES_WIDE, table->sizes[size]);
	if (rounds)
		put_count(t, ROUNDS_WIDE, table->rounds[size]);
	for (int v = 0; rounds && v < versions; v++)
		put_count(t, ROUNDS_WIDE, f->cell[size][v].rounds);
	for (int m = 0; table->machines[m]; m++)
		for (int v = 0; v < versions; v++)
			if (has_published(&table->versions[v], m))
				put_ms(t, machine_width(table, m),
				       table->versions[v].published[m][size]);
	for (int v = 0; v < versions; v++)
		put_ms(t, MS_WIDE, f->cell[size][v].ms);
	text_puts(t, "\n");
}

/* Returns the largest error over the sizes, NaN if one of them is NaN, and a
 * negative number if there is none. */
static double worst_error(const struct seed_figures *f, int version)
{
	double worst = -1;

	for (int i = 0; i < seed_count_sizes(f->table); i++) {
		const struct seed_cell *c = &f->cell[i][version];

		if (c->ms > 0 && !isnan(worst) && !(c->error <= worst))
			worst = c->error;
	}
	return worst;
}

static void short_heading(struct text *t, const struct seed_table *table)
{
	text_printf(t, "%-*s", NAMES_WIDE, "");
	for (int m = 0; table->machines[m]; m++)
		text_printf(t, "%*s", MACHINES_WIDE, table->machines[m]);
	if (has_deviation(table))
		text_printf(t, "%*s", ERRORS_WIDE, "deviation");
	text_printf(t, "%*s%*s%*s\n", MACHINES_WIDE, "this device",
	            ERRORS_WIDE, "deviation", MS_WIDE, "linalgd");
}

/* Appends the lines; each ends with linalgd's figure, for comparison. */
static void short_rows(struct text *t, const struct seed_figures *f)
{
	const struct seed_table *table = f->table;
	const int last = seed_count_versions(table) - 1;

	for (int v = 0; v <= last; v++) {
		const struct seed_version *version = &table->versions[v];

		text_printf(t, "%-*s", NAMES_WIDE, version->name);
		for (int m = 0; table->machines[m]; m++)
			put_ms(t, MACHINES_WIDE, version->published[m][0]);
		if (has_deviation(table))
			put_error(t, ERRORS_WIDE, version->deviation[0] > 0 ?
			          version->deviation[0] : -1);
		put_ms(t, MACHINES_WIDE, f->cell[0][v].ms);
		put_error(t, ERRORS_WIDE, worst_error(f, v));
		put_ms(t, MS_WIDE, f->cell[0][last].ms);
		text_puts(t, "\n");
	}
}

void seed_print_heading(struct text *t, const struct seed_figures *f)
{
	text_printf(t, "\n%s: %s; %s, ms\n(%s)\n\n", f->table->name,
	            f->table->title, dtype_name(f->table->dtype),
	            f->table->article);
	(is_long(f->table) ? long_heading : short_heading)(t, f->table);
}

void seed_print_row(struct text *t, const struct seed_figures *f, int size)
{
	if (is_long(f->table))
		long_row(t, f, size);
	else
		short_rows(t, f);
}

static void put_errors(struct text *t, const struct seed_figures *f)
{
	text_printf(t, "deviation: %s", f->table->error_is);
	for (int v = 0; is_long(f->table) && f->table->versions[v].name; v++)
		if (!f->table->versions[v].unjudged) {
			text_printf(t, "%s %s", v ? "," : ":",
			            f->table->versions[v].name);
			put_error(t, 9, worst_error(f, v));
		}
	text_puts(t, "\n");
}

/* Returns the version's first cell that has no figure, either because the
 * version was slow or for another reason; NULL if there is no such cell. */
static const struct seed_cell *missing(const struct seed_figures *f,
                                       int version, bool left_out)
{
	for (int i = 0; i < seed_count_sizes(f->table); i++) {
		const struct seed_cell *c = &f->cell[i][version];

		if (*c->reason && c->left_out == left_out)
			return c;
	}
	return NULL;
}

/* Appends why figures are missing: a line for each version that failed, and one
 * line for all slow versions. */
static void put_reasons(struct text *t, const struct seed_figures *f)
{
	const struct seed_cell *failed, *slow = NULL;

	for (int v = 0; f->table->versions[v].name; v++) {
		failed = missing(f, v, false);
		if (failed)
			text_printf(t, "%s: %s\n", f->table->versions[v].name,
			            failed->reason);
		if (!slow)
			slow = missing(f, v, true);
	}
	if (slow)
		text_printf(t, "-: %s\n", slow->reason);
}

void seed_print_ending(struct text *t, const struct seed_figures *f)
{
	put_errors(t, f);
	put_reasons(t, f);
	if (f->table->note)
		text_printf(t, "%s\n", f->table->note);
}
