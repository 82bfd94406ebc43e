/* tuning.c - see tuning.h. */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "ops/tuning.h"

/* The shipped tables, each with a part of the device names that it is for. */
static const struct {
	const char *device, *table;
} shipped[] = {
#include "ops/tuning.def"
};

static int floor_log2(size_t n)
{
	int k = 0;

	while (n >>= 1)
		k++;
	return k;
}

static int size_of(const struct args *a)
{
	size_t most = 1;

	for (int i = 0; i < OP_INPUTS; i++)
		for (int k = 0; k < a->in[i].ndim; k++)
			most = size_max(most, a->in[i].dim[k]);
	return (int)size_min((size_t)floor_log2(most), TUNING_SIZES - 1);
}

static int index_of(const struct op *o)
{
	int i = 0;

	while (ops[i] != o)
		i++;
	return i;
}

const struct variant *tuning_best(const struct tuning *t, const struct args *a)
{
	return t->best[index_of(a->op)][a->dtype][size_of(a)];
}

void tuning_set(struct tuning *t, const struct args *a,
                const struct variant *v)
{
	for (int k = size_of(a); k < TUNING_SIZES; k++)
		t->best[index_of(a->op)][a->dtype][k] = v;
}

static void read_line(struct tuning *t, const char *line)
{
	char name[32], type[16], best[32];
	size_t from, to;
	enum dtype d;
	const struct op *o;
	const struct variant *v;

	if (sscanf(line, "%31s %15s %zu %zu %31s", name, type, &from, &to,
	           best) != 5)
		return;
	o = op_find(name);
	v = o ? op_variant(o, best) : NULL;
	if (!v || !v->auto_for || dtype_find(type, &d) ||
	    !(v->dtypes & DTYPE_BIT(d)))
		return;
	for (int k = floor_log2(from); k < TUNING_SIZES &&
	     k <= floor_log2(to); k++)
		t->best[index_of(o)][d][k] = v;
}

void tuning_read(struct tuning *t, const char *text)
{
	while (text && *text) {
		read_line(t, text);
		text = strchr(text, '\n');
		text += text != NULL;
	}
}

void tuning_ship(struct tuning *t, const struct sheet *s)
{
	*t = (struct tuning){ 0 };
	for (size_t i = 0; i < COUNT(shipped); i++)
		if (strstr(s->name, shipped[i].device) ||
		    strstr(s->platform, shipped[i].device))
			tuning_read(t, shipped[i].table);
}

/* Prints a line for each run of sizes with the same variant. */
static void print_row(const struct variant *const *best, const struct op *o,
                      enum dtype d, struct text *to)
{
	for (int k = 0, first; k < TUNING_SIZES; ) {
		first = k;
		while (++k < TUNING_SIZES && best[k] == best[first])
			;
		if (best[first])
			text_printf(to, "%s %s %zu %zu %s\n", o->name,
			            dtype_name(d), (size_t)1 << first,
			            ((size_t)1 << k) - 1, best[first]->name);
	}
}

void tuning_print(const struct tuning *t, struct text *to)
{
	for (int i = 0; i < OPS; i++)
		for (int d = 0; d < DTYPE_COUNT; d++)
			print_row(t->best[i][d], ops[i], (enum dtype)d, to);
}
