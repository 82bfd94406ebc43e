/* run.c - runs the rows of `linalgd check`. For every variant and dtype of a
 * row it runs a case for each kind and size, and then prints a line for each
 * judge.
 *
 *     fill the operands ──▶ check, shape ──▶ run ──▶ every judge ──▶ tally
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "check/case.h"
#include "check/run.h"
#include "check/tally.h"
#include "ops/variant.h"

enum { MOST_JUDGES = 6, QUICK_ELEMENTS = 1 << 15 };

/* The cases of one variant and dtype. */
struct round {
	struct checker *checker;
	struct check_case at;
	const struct judge *judges;
	struct tally tally[MOST_JUDGES];
	unsigned declined;		/* how many is_declined() cases */
	char why[CHECK_WHY];		/* the error of the last of them */
};

/* The judge of rows whose calls must be refused: judge() compares the error. */
static const struct judge refusals[] = { { "refused", NULL, 0 }, { 0 } };

/* Describes a case, as "random 3x4 4": its kind and the operands' shapes. */
static void describe(const struct check_case *t, const struct args *a,
                     char where[CHECK_WHERE])
{
	char text[MATRIX_SHAPE_TEXT];
	int used = snprintf(where, CHECK_WHERE, "%s%s%s",
	                    t->choice ? t->choice : "", t->choice ? ", " : "",
	                    t->kind->name);

	for (int i = 0; a->op->inputs[i].name; i++)
		if (a->in[i].ndim != MATRIX_ABSENT && used < CHECK_WHERE)
			used += snprintf(where + used, CHECK_WHERE -
			    (size_t)used, " %s",
			    matrix_shape_text(&a->in[i], text));
}

/* Does the variant not cover this matrix? The articles' algorithms work for
 * some matrices only and refuse others with an error. A variant that `auto` may
 * choose must not refuse any. */
static bool is_declined(const struct round *r, const struct err *e)
{
	return r->at.variant->auto_for == 0 &&
	       (e->code == ERR_MATHEMATICS || e->code == ERR_ZERO_PIVOT) &&
	       r->at.row->refusal != e->code;
}

static void decline(struct round *r, const struct err *why)
{
	snprintf(r->why, sizeof r->why, "%.150s", why->text);
	r->declined++;
}

static void judge(struct round *r, const struct args *a, int rc,
                  const struct err *e)
{
	const bool refused = rc < 0 && e->code == r->at.row->refusal;
	char where[CHECK_WHERE];

	if (rc < 0 && is_declined(r, e)) {
		decline(r, e);
		return;
	}
	describe(&r->at, a, where);
	for (int i = 0; r->judges[i].what; i++) {
		const struct judge *j = &r->judges[i];
		const double value = !j->value ? (refused ? 0 : INFINITY) :
		                     rc < 0 ? INFINITY : check_value(j, a);

		tally_add(&r->tally[i], value, j->threshold, where, e->text);
	}
}

/* Does the service refuse the call by this variant? */
static bool is_refused(const struct args *a, struct err *e)
{
	return a->variant->takes && a->variant->takes(a, e) < 0;
}

static void run_case(struct round *r)
{
	const struct check_row *row = r->at.row;
	struct err e = { 0 };
	struct args a;
	int rc = check_prepare(&r->at, r->checker->pool, &a, &e);

	if (rc == 0 && is_refused(&a, &e)) {
		decline(r, &e);
		args_fini(&a);
		return;
	}
	for (int i = 0; i == 0 || (rc == 0 && i < row->repeats); i++) {
		if (row->repeat)
			row->repeat(i);
		if (rc == 0)
			rc = check_call(r->checker->device, &a, &e);
		judge(r, &a, rc, &e);
	}
	if (row->repeat)
		row->repeat(-1);
	args_fini(&a);
}

static bool is_quick(const struct check_row *row, const size_t *size)
{
	for (int i = 0; row->operands[i]; i++) {
		size_t elements = 1;

		for (const char *l = row->operands[i]; *l; l++)
			elements *= size[strchr("mnk", *l) - "mnk"];
		if (elements > QUICK_ELEMENTS)
			return false;
	}
	return true;
}

static void run_choice(struct round *r, const char *choice)
{
	const struct check_row *row = r->at.row;

	r->at.choice = choice;
	for (const struct kind *k = row->kinds; k->name; k++)
		for (const size_t (*s)[3] = row->sizes; !CHECK_IS_END(*s);
		     s++) {
			r->at.kind = k;
			r->at.size = *s;
			if (!r->checker->quick || is_quick(row, *s))
				run_case(r);
		}
}

static void run_choices(struct round *r)
{
	const char *vary = r->at.row->vary;
	const struct op *o = r->at.op;
	const int i = vary ? op_param(o, vary) : -1;

	if (i < 0)
		run_choice(r, NULL);
	for (int c = 0; i >= 0 && o->params[i].choices[c]; c++)
		run_choice(r, o->params[i].choices[c]);
}

static struct tally_title title_of(const struct round *r, int judge)
{
	return (struct tally_title){
		r->at.row->what, r->judges[judge].what, r->at.op->name,
		r->at.variant->name, dtype_name(r->at.dtype)
	};
}

static void settle(struct round *r)
{
	struct checker *c = r->checker;

	for (int i = 0; r->judges[i].what; i++) {
		const struct tally *t = &r->tally[i];
		const struct tally_title title = title_of(r, i);

		if (t->cases > 0) {
			if (!c->quiet)
				tally_print(t, &title,
				            r->judges[i].threshold);
			*(t->failures ? &c->failed : &c->passed) += 1;
		} else if (r->declined > 0) {
			if (!c->quiet)
				tally_print_skipped(&title, r->why);
			c->skipped++;
		}
	}
}

static void run_round(struct checker *c, const struct check_row *row,
                      const struct op *o, const struct variant *v,
                      enum dtype t)
{
	const struct sheet *sheet = device_sheet(c->device);
	struct round r = {
		.checker = c, .at = { row, o, v, t, NULL, NULL, NULL },
		.judges = row->refusal ? refusals : row->judges,
	};
	const char *reason = variant_lacks(v, sheet);

	if (!reason && !op_runs(o, t, sheet))
		reason = "the device has no float64";
	if (reason) {
		const struct tally_title title = title_of(&r, 0);

		if (!c->quiet)
			tally_print_skipped(&title, reason);
		c->skipped++;
		return;
	}
	run_choices(&r);
	settle(&r);
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

static bool is_wanted(const struct checker *c, const struct check_row *row,
                      const struct variant *v, enum dtype t)
{
	const unsigned dtypes = row->dtypes ? row->dtypes : DTYPE_REALS;

	if ((c->variant && strcmp(c->variant, v->name) != 0) ||
	    (c->dtypes && !(c->dtypes & DTYPE_BIT(t))))
		return false;
	if ((row->only && !begins(v->name, row->only)) ||
	    (row->except && begins(v->name, row->except)))
		return false;
	return dtypes & v->dtypes & DTYPE_BIT(t);
}

static void run_row(struct checker *c, const struct check_row *row)
{
	const struct op *o = row->itself ? row->itself : op_find(row->op);

	for (const struct variant *v = o ? o->variants : NULL; v && v->name;
	     v++)
		for (int t = 0; t < DTYPE_COUNT; t++)
			if (is_wanted(c, row, v, (enum dtype)t) &&
			    !device_lost(c->device))
				run_round(c, row, o, v, (enum dtype)t);
}

void check_run(struct checker *c)
{
	for (const struct check_row *const *t = check_tables; *t; t++)
		for (const struct check_row *row = *t; row->what; row++)
			if (!c->op || strcmp(c->op, row->op) == 0)
				run_row(c, row);
	if (device_lost(c->device)) {
		printf("the device was lost\n");
		c->failed++;
	}
}
