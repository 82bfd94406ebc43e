/* cost.c - see cost.h. */
#include <stdio.h>
#include <string.h>

#include "api/cost.h"
#include "api/marks.h"
#include "base/size.h"
#include "matrix/memory.h"

/* 667 M for 6.67e8. */
static void print_number(double x)
{
	static const char units[][4] = { "", " k", " M", " G", " T" };
	size_t i = 0;

	for (; x >= 999.5 && i + 1 < COUNT(units); i++)
		x /= 1000;
	printf("%.3g%s", x, units[i]);
}

static void print_operands(const struct args *a)
{
	char text[MATRIX_SHAPE_TEXT];
	const char *before = "";

	for (int i = 0; a->op->inputs[i].name; i++) {
		const struct matrix *m = &a->in[i];

		if (m->ndim == MATRIX_ABSENT)
			continue;
		printf("%s%s %s", before, a->op->inputs[i].name,
		       matrix_shape_text(m, text));
		if (m->layout != DENSE)
			printf(" with %zu entries", m->nnz);
		before = ", ";
	}
}

static void print_row(const struct op *o, size_t n, struct memory_pool *p)
{
	struct err e = { 0 };
	struct args a;

	args_init(&a, o);
	if (o->sample(&a, n, p, &e) < 0 || args_check(&a, &e) < 0)
		fail("there is no sample:", e.text);
	fputs("| ", stdout);
	print_operands(&a);
	fputs(" | ", stdout);
	print_number(o->flops(&a));
	fputs(" | ", stdout);
	print_number(o->bytes(&a));
	puts("B |");
	args_fini(&a);
}

void cost_print(const struct op *o)
{
	enum { MOST = 1 << 30 };
	static const size_t sizes[] = { 100, 1000 };
	struct err e = { 0 };
	struct memory_pool *p = memory_pool_new(MOST, &e);

	if (!p)
		fail("there is no memory:", e.text);
	printf("%s, for example, in float64:\n\n| operands | operations | "
	       "bytes |\n|---|---|---|\n",
	       o->iterative ? "For one iteration" : "Counted");
	for (size_t i = 0; i < COUNT(sizes); i++)
		print_row(o, sizes[i], p);
	putchar('\n');
	memory_pool_free(p);
}
