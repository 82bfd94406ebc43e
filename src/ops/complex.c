/* complex.c - see complex.h. */
#include "base/size.h"
#include "ops/complex.h"

enum { TILE = 16, EACH = 8, GROUP = 64, MOST = 1 << 18 };

struct matrix complex_as_reals(const struct matrix *m)
{
	struct matrix reals = *m;

	reals.dtype = dtype_part(m->dtype);
	reals.dim[m->ndim - 1] *= 2;
	return reals;
}

struct complex_operand complex_operand_of(struct seq *s,
                                          const struct matrix *m,
                                          bool transposed, bool conjugate)
{
	const size_t rows = matrix_rows(m), cols = matrix_cols(m);

	transposed = transposed && m->ndim > 1;
	return (struct complex_operand){
		.x = seq_input(s, m), .stack = matrix_stack(m),
		.m = transposed ? cols : rows, .n = transposed ? rows : cols,
		.row = transposed ? 1 : (int64_t)cols,
		.column = transposed ? (int64_t)cols : 1,
		.conjugate = conjugate,
	};
}

/* Launches a kernel for the type of the parts; the sequence keeps its own. */
#define LAUNCH(s, kernel, grid, ...)                                 \
	do {                                                         \
		const enum dtype own = seq_dtype(s);                 \
                                                                     \
		seq_set_dtype(s, dtype_part(own));                   \
		seq_launch(s, kernel, grid, __VA_ARGS__);            \
		seq_set_dtype(s, own);                               \
	} while (0)

static void move(struct seq *s, const char *kernel,
                 const struct complex_operand *x, struct buf to, double copies)
{
	const size_t n = x->stack * x->m * x->n;

	if (n == 0)
		return;
	seq_work(s, 0, copies * (double)(n * dtype_bytes(seq_dtype(s))));
	LAUNCH(s, kernel, GRID3(x->n, x->m, x->stack, TILE, TILE, 1),
	       ARG_BUF(x->x), ARG_BUF(to), ARG_INT(x->m), ARG_INT(x->n),
	       ARG_LONG(x->row), ARG_LONG(x->column), ARG_INT(x->conjugate));
}

void complex_twist(struct seq *s, const struct complex_operand *x,
                   struct buf to)
{
	move(s, "complex_twist", x, to, 3);
}

void complex_take(struct seq *s, const struct complex_operand *x,
                  struct buf to)
{
	move(s, "complex_take", x, to, 2);
}

static struct grid items_of(size_t n)
{
	return GRID1(size_min(size_blocks(n, EACH), MOST), GROUP);
}

void complex_conjugate(struct seq *s, struct buf x, size_t n)
{
	if (n == 0)
		return;
	seq_work(s, 0, (double)(n * dtype_bytes(seq_dtype(s))));
	LAUNCH(s, "complex_conjugate", items_of(n), ARG_BUF(x), ARG_LONG(n));
}

void complex_moduli(struct seq *s, struct buf x, struct buf to, size_t n)
{
	if (n == 0)
		return;
	seq_work(s, 0, 1.5 * (double)(n * dtype_bytes(seq_dtype(s))));
	LAUNCH(s, "complex_moduli", items_of(n), ARG_BUF(x), ARG_BUF(to),
	       ARG_LONG(n));
}
