/* rows.c - the tables of bench/rows/, in the order that they are measured. */
#include "bench/rows.h"

const struct bench_row *const bench_tables[] = {
#define OP(id) bench_##id##_rows,
#include "ops/ops.def"
#undef OP
	NULL
};

const char *bench_work(const struct bench_row *row)
{
	return row->work ? row->work : row->op;
}

const char *bench_shape(const struct bench_row *row)
{
	return row->shape ? row->shape : row->operands[0];
}
