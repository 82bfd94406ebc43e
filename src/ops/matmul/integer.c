/* integer.c - matmul of integers: the product is exact, or the call fails. Two
 * launches first find the bit length of the longest element of A and of B,
 * which nearly always shows that the sums cannot overflow 64 bits. If they
 * could, a slower kernel adds in 192 bits. */
#include <limits.h>

#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/variant.h"
#include "ops/need.h"
#include "shared/matmul_integer.h"

enum { BITS = 63, BITS_ITEMS = 1 << 14, NUMBERS = 3 };

/* The bit length of the longest element of A and of B, and the index of the
 * first element of C that the type cannot represent. */
struct found { int32_t a, b, beyond; };

/* Returns the number of bits by which a sum of n numbers may be longer than the
 * longest of them. */
static int bits_of_count(size_t n)
{
	int bits = 0;

	while (bits < BITS && (size_t)1 << bits < n)
		bits++;
	return bits;
}

static void look(struct seq *s, struct buf x, size_t n, struct buf bits)
{
	seq_work(s, 0, (double)n * dtype_bytes(seq_dtype(s)));
	seq_launch(s, "matmul_integer_bits",
	           GRID1(size_min(n, BITS_ITEMS), INTEGER_GROUP), ARG_BUF(x),
	           ARG_LONG(n), ARG_BUF(bits));
}

struct operands { struct buf a, b, c, places, beyond; };

#define PRODUCT_ARGS(p, x)                                                   \
	ARG_BUF((x)->a), ARG_BUF((x)->b), ARG_BUF((x)->c),                   \
	ARG_BUF((x)->places), ARG_INT((p)->stack), ARG_INT((p)->m),          \
	ARG_INT((p)->n), ARG_INT((p)->k), ARG_LONG((p)->a_row),              \
	ARG_LONG((p)->a_col), ARG_LONG((p)->b_row), ARG_LONG((p)->b_col),    \
	ARG_BUF((x)->beyond)

static void launch_rows(struct seq *s, const struct product *p,
                        const struct operands *x)
{
	const size_t line = INTEGER_PANEL * sizeof(int64_t);

	seq_launch(s, "matmul_integer_rows",
	           GRID1(p->stack * size_blocks(p->m, INTEGER_ROWS) *
	                 size_blocks(p->n, INTEGER_PANEL), 1),
	           PRODUCT_ARGS(p, x), ARG_LOCAL(INTEGER_ROWS * line),
	           ARG_LOCAL(INTEGER_DEPTH * line), ARG_FIRST(0));
}

static void launch_tile(struct seq *s, const struct product *p,
                        const struct operands *x)
{
	const size_t items = INTEGER_SIDE * INTEGER_SIDE;

	seq_launch(s, "matmul_integer_tile",
	           GRID1(p->stack * size_blocks(p->m, INTEGER_TILE) *
	                 size_blocks(p->n, INTEGER_TILE) * items, items),
	           PRODUCT_ARGS(p, x), ARG_FIRST(0));
}

static void launch_far(struct seq *s, const struct product *p,
                       const struct operands *x)
{
	seq_launch(s, "matmul_integer_far",
	           GRID1(p->stack * p->m * p->n, INTEGER_GROUP),
	           PRODUCT_ARGS(p, x), ARG_FIRST(0));
}

static int refuse(struct seq *s, const struct args *a, size_t at)
{
	const size_t n = matrix_cols(&a->out[0]);
	const char *type = dtype_name(a->dtype);
	const char *wider = a->dtype == INT32 ? "dtype=int64 holds more, " : "";

	if (at == INTEGER_NONE - 1)
		return err_set(seq_err(s), ERR_MATHEMATICS, "matmul: an "
		               "element of the product is beyond %s; "
		               "%sdtype=float64 rounds it", type, wider);
	return err_set(seq_err(s), ERR_MATHEMATICS, "matmul: the element in "
	               "row %zu, column %zu of the product, counted from 0 "
	               "through the whole stack, is beyond %s; "
	               "%sdtype=float64 rounds it", a->out[0].ndim > 1 ?
	               at / n : 0, a->out[0].ndim > 1 ? at % n : at, type,
	               wider);
}

int matmul_integer_run(struct seq *s, struct args *a, bool by_rows)
{
	const struct product p = product_of(a);
	const struct found none = { 0, 0, INTEGER_NONE };
	struct operands x;
	struct buf bits[2];
	struct found found = none;

	if (product_is_void(s, &p))
		return seq_finish(s);
	x.a = x.places = seq_input(s, p.a);
	x.b = seq_input(s, p.b);
	x.c = seq_output(s, p.c);
	product_places(s, &p, &x.places);
	for (int i = 0; i < 2; i++)
		bits[i] = seq_constant(s, &none.a, sizeof none.a);
	x.beyond = seq_constant(s, &none.beyond, sizeof none.beyond);
	look(s, x.a, matrix_elements(p.a), bits[0]);
	look(s, x.b, matrix_elements(p.b), bits[1]);
	seq_read(s, bits[0], 0, &found.a, sizeof found.a);
	seq_read(s, bits[1], 0, &found.b, sizeof found.b);
	seq_work(s, product_flops(&p), product_bytes(&p, a->dtype));
	/* C = A B */
	(found.a + found.b + bits_of_count(p.k) > BITS ? launch_far :
	 by_rows ? launch_rows : launch_tile)(s, &p, &x);
	seq_read(s, x.beyond, 0, &found.beyond, sizeof found.beyond);
	if (seq_finish(s) < 0)
		return -1;
	return found.beyond == INTEGER_NONE ? 0 :
	       refuse(s, a, (size_t)found.beyond);
}

void matmul_integer_need(const struct args *a, const struct sheet *d,
                         struct need *n)
{
	const struct product p = product_of(a);

	if (matrix_elements(p.c) == 0)
		return;
	if (p.k == 0) {
		need_matrix(n, d, p.c);
		return;
	}
	need_matrices(n, d, a);
	if (p.stack > 1)
		need_buffer(n, p.stack * 2 * sizeof(int32_t));
	for (int i = 0; i < NUMBERS; i++)
		need_buffer(n, sizeof(int32_t));
}
