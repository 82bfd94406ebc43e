/* gang.c - the eigenpairs of a symmetric matrix by several devices: which
 * calls, their memory, the steps; see gang.h. */
#include <float.h>
#include <stdlib.h>

#include "ops/eigen/gang.h"
#include "ops/tridiagonal/divide.h"

/* --- which calls */

static bool is_suitable(const struct args *a)
{
	const enum eigen_method m =
	    (enum eigen_method)a->param[EIGEN_P_METHOD];

	return eigen_which(a) == EIGEN_ALL && a->in[EIGEN_A].ndim == 2 &&
	       !dtype_is_complex(a->dtype) && !eigen_has_b(a) &&
	       (m == EIGEN_AUTO || m == EIGEN_TRIDIAGONAL) &&
	       a->param[EIGEN_P_STRUCTURE] != EIGEN_GENERAL_STRUCTURE &&
	       a->quality != QUALITY_FULL;
}

/* Returns a call's sizes, without any buffers. */
static struct eigen_gang gang_of(const struct args *a)
{
	const size_t n = matrix_rows(&a->in[EIGEN_A]);
	struct eigen_gang g = {
		.a = a, .n = n, .each = dtype_bytes(a->dtype),
		.ld = sytrd_ld(n), .c = columns_of(a),
		.vectors = eigen_wants_vectors(a),
	};

	g.step = columns_most(&g.c) + 1;
	g.judged = g.vectors && a->quality == QUALITY_ESTIMATE;
	return g;
}

/* A slot has the rows of a panel, or a block of columns of Z_T. */
static size_t slot_bytes(const struct eigen_gang *g)
{
	return g->ld * size_max(SYTRD_MOST, g->c.width) * g->each;
}

void eigen_gang_plan(const struct args *a, int parts, struct gang_plan *p)
{
	struct args of_gang = *a;
	struct eigen_gang g;

	*p = (struct gang_plan){
		.asked = (int)args_real(a, EIGEN_P_DEVICES, 0),
		.out = 1u << EIGEN_VECTORS | 1u << EIGEN_LEFT_VECTORS,
	};
	/* How long a column's exchange takes has not been measured on GPUs, so
	 * that no gang is formed unasked. */
	if (p->asked > 0 && is_suitable(a))
		p->width = columns_plan(matrix_rows(&a->in[EIGEN_A]), parts);
	if (p->width == 0)
		return;
	of_gang.gang = (struct gang){ .parts = parts, .width = p->width };
	g = gang_of(&of_gang);
	p->head = board_head_bytes();
	p->board = board_bytes(parts, eigen_gang_own_bytes(&g),
	                       slot_bytes(&g));
}

/* --- memory */

static size_t block_bytes(const struct eigen_gang *g)
{
	return g->n * g->c.width * g->each;
}

static void make_buffers(struct eigen_gang *g)
{
	g->c.b = seq_scratch(g->s, g->c.own * g->ld * g->each);
	g->r = sytrd_of(g->s, g->n, 0);
	g->y_parts = seq_scratch(g->s, g->c.parts * g->step * g->each);
	g->own_p = seq_scratch(g->s, 2 * SYTRD_MOST *
	                       sytrd_ld(g->c.own) * g->each);
}

/* Counts the first part's memory, which is the most. */
void eigen_gang_need(const struct args *a, const struct sheet *d,
                     struct need *n)
{
	struct eigen_gang g = gang_of(a);
	const size_t square = g.n * g.n * g.each;

	g.c.own = columns_most(&g.c);
	need_buffer(n, g.c.own * g.ld * g.each);
	tridiagonal_reduce_need(n, d, a->dtype, g.n);
	need_buffer(n, g.c.parts * g.step * g.each);
	need_buffer(n, 2 * SYTRD_MOST * sytrd_ld(g.c.own) * g.each);
	symmetric_look_need(n, a->dtype, g.n);
	for (int i = 0; i < 2; i++)
		need_buffer(n, block_bytes(&g));
	tridiagonal_values_need(n, d, a->dtype, g.n);
	if (!g.vectors)
		return;
	need_buffer(n, square);
	tridiagonal_decompose_need(n, d, a->dtype, g.n);
	need_buffer(n, g.n * g.c.own * g.each);
	tridiagonal_back_need(n, a->dtype, g.n, g.c.own);
	eigen_gang_judge_need(&g, d, n);
}

/* --- the tridiagonal problem */

/* Decomposes T on the first part, and writes the eigenvalues, multiplied by
 * 2^power, to the board. *z becomes Z_T if vectors are wanted. */
static void decompose(struct eigen_gang *g, struct buf *z)
{
	double *const d = eigen_gang_own_of(g, 0).values;
	double *const e = malloc(g->n * sizeof *e);

	if (!e) {
		err_set(seq_err(g->s), ERR_MEMORY, "eigen: no memory for %zu "
		        "numbers", g->n);
		return;
	}
	if (tridiagonal_read(&g->r.f, d, e) == 0 && !g->vectors) {
		tridiagonal_values(g->s, g->n, d, e);
	} else if (!seq_failed(g->s)) {
		*z = seq_scratch(g->s, g->n * g->n * g->each);
		tridiagonal_decompose(g->s, g->n, d, e, *z);
	}
	for (size_t i = 0; i < g->n; i++)
		d[i] = ldexp(d[i], g->power);
	free(e);
}

/* Copies block b of Z_T on the first part: to its own columns, or to `staging`
 * and to the board. */
static void give_block(struct eigen_gang *g, size_t b, struct buf z,
                       struct buf staging)
{
	const size_t w = columns_width(&g->c, b);
	const struct columns_rows from = { .b = z, .at = b * g->c.width,
	                                   .ld = g->n };
	const struct columns_rows own = { .b = g->z,
	                                  .at = columns_at(&g->c, b),
	                                  .ld = g->c.own };
	const struct columns_rows other = { .b = staging, .ld = w };
	const bool mine = columns_has(&g->c, b);

	columns_copy(g->s, g->n, w, &from, mine ? &own : &other);
	if (mine)
		return;
	board_read(&g->x, staging, 0, board_slot(&g->x, g->slot),
	           g->n * w * g->each);
	board_post(&g->x, g->slot);
}

/* Takes a block of Z_T that the first part has posted for another one. */
static bool take_block(struct eigen_gang *g, size_t b, struct buf staging)
{
	const size_t w = columns_width(&g->c, b), slot = g->slot++;
	const void *const from = board_take(&g->x, slot);

	if (!from)
		return false;
	if (columns_has(&g->c, b)) {
		board_write(&g->x, staging, 0, from, g->n * w * g->each);
		columns_copy(g->s, g->n, w,
		             &(struct columns_rows){ .b = staging, .ld = w },
		             &(struct columns_rows){
		                 .b = g->z, .at = columns_at(&g->c, b),
		                 .ld = g->c.own });
	}
	board_release(&g->x, slot);
	return !seq_failed(g->s);
}

/* Deals out the columns of Z_T, which are in z on the first part. */
static void deal(struct eigen_gang *g, struct buf z)
{
	const struct buf staging = seq_scratch(g->s, block_bytes(g));

	g->z = seq_scratch(g->s, g->n * g->c.own * g->each);
	for (size_t b = 0; b < columns_blocks(&g->c) && !seq_failed(g->s);
	     b++) {
		if (g->c.part == 0)
			give_block(g, b, z, staging);
		if (b % g->c.parts != 0 && !take_block(g, b, staging))
			return;
	}
}

/* --- the answer */

static bool is_within(const struct eigen_gang *g)
{
	const double most = g->a->dtype == FLOAT32 ? FLT_MAX : DBL_MAX;
	bool within = true;

	for (size_t i = 0; i < g->n; i++)
		within &= fabs(g->values[i]) <= most;
	return within;
}

static void store_block(struct eigen_gang *g, const struct matrix *out,
                        size_t b)
{
	const size_t w = columns_width(&g->c, b);
	const int mark = seq_mark(g->s);
	const struct columns_rows from = { .b = g->z,
	                                   .at = columns_at(&g->c, b),
	                                   .ld = g->c.own };
	const struct columns_rows to = {
		.b = seq_output_region(g->s, out, &(struct region){
		    b * g->c.width, g->n, w, g->n }), .ld = w,
	};

	columns_copy(g->s, g->n, w, &from, &to);
	seq_finish(g->s);
	seq_drop(g->s, mark);
}

static void put_vectors(struct eigen_gang *g, struct args *a, struct buf z)
{
	static const int outputs[] = { EIGEN_VECTORS, EIGEN_LEFT_VECTORS };

	deal(g, z);
	tridiagonal_back(&g->r.f, g->z, g->c.own);
	tridiagonal_signs(g->s, g->n, g->z, g->c.own);
	for (size_t i = 0; i < COUNT(outputs); i++)
		for (size_t b = g->c.part; b < columns_blocks(&g->c) &&
		     a->out[outputs[i]].memory && !seq_failed(g->s);
		     b += g->c.parts)
			store_block(g, &a->out[outputs[i]], b);
}

static void answer(struct eigen_gang *g, struct args *a)
{
	struct matrix *const values = &a->out[EIGEN_VALUES];
	struct buf z = { 0 };

	eigen_gang_reduce(g);
	if (g->c.part == 0 && !seq_failed(g->s))
		decompose(g, &z);
	if (!board_meet(&g->x))
		return;
	g->values = eigen_gang_own_of(g, 0).values;
	eigen_settle_symmetric(a, g->n);
	if (!is_within(g)) {
		args_fail(a, &(struct failure){ 0, {
			.code = ERR_MATHEMATICS, .at = EIGEN_FAULT_BEYOND } });
		return;
	}
	for (size_t i = 0; i < g->n && values->memory; i++)
		matrix_set(values, i, g->values[i]);
	if (g->vectors)
		put_vectors(g, a, z);
	eigen_gang_judge(g, a);
}

static void compute(struct eigen_gang *g, struct args *a)
{
	struct failure_detail why;

	make_buffers(g);
	if (!eigen_gang_load(g))
		return;
	why = eigen_symmetric_fault(a, &g->looked);
	if (why.code == ERR_NONE) {
		answer(g, a);
		return;
	}
	args_fail(a, &(struct failure){ 0, why });
	eigen_settle_symmetric(a, g->n);
}

int eigen_gang(struct seq *s, struct args *a)
{
	struct eigen_gang g = gang_of(a);

	if (!seq_sheet(s)->float64)
		return err_set_at(seq_err(s), ERR_PARAMETER, "/devices",
		                  "eigen: device %s, which has no float64, "
		                  "cannot be one of several devices: ask for "
		                  "devices=1", seq_sheet(s)->name);
	g.s = s;
	board_open(&g.x, s, a->gang.board.memory, a->gang.part, a->gang.parts,
	           eigen_gang_own_bytes(&g), slot_bytes(&g));
	compute(&g, a);
	seq_wait(s);
	return seq_finish(s);
}
