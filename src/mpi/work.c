/* work.c - see work.h. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "mpi/routines.h"
#include "mpi/work.h"

static const struct work_of kinds[] = {
	{ "lu", WORK_LU, lu_prepare, lu_work, lu_empty },
	{ "solve", WORK_SOLVE, solve_prepare, solve_work, solve_empty },
	{ "matmul", WORK_MATMUL, matmul_prepare, matmul_work, matmul_empty },
	{ "eigen", WORK_EIGEN, eigen_prepare, eigen_work, NULL },
};

const struct work_of *work_of_kind(enum work_kind kind)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].kind == kind)
			return &kinds[i];
	return NULL;
}

const struct work_of *work_of_op(const char *op)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (strcmp(kinds[i].op, op) == 0)
			return &kinds[i];
	return NULL;
}

bool work_is_empty(const struct work *w)
{
	return w->order.m == 0 || w->order.n == 0 || w->order.k == 0;
}

int64_t work_begin(void)
{
	return clock_ns();
}

void work_end(struct work *w, enum stage_of_work stage, int64_t begun_ns,
              double progress)
{
	const int64_t ns = clock_ns() - begun_ns;

	if (!w->timing)
		return;
	*(stage == STAGE_UP ? &w->timing->upload_ns :
	  stage == STAGE_DOWN ? &w->timing->download_ns :
	  &w->timing->compute_ns) += ns;
	w->progress(w->arg, progress);
}

void work_routine(struct work *w, const char *name, int64_t begun_ns,
                  double flops, double progress)
{
	struct timing *t = w->timing;
	const uint64_t ns = (uint64_t)(clock_ns() - begun_ns);
	char text[16];

	work_end(w, STAGE_COMPUTE, begun_ns, progress);
	if (!t || t->n_kernels == TIMING_ROWS)
		return;
	t->kernel[t->n_kernels] = (struct kernel_time){
		.calls = 1, .timed = 1, .total_ns = ns, .min_ns = ns,
		.max_ns = ns, .flops = flops,
	};
	snprintf(t->kernel[t->n_kernels++].name, TIMING_NAME, "%s",
	         routine_name(w->order.dtype, name, text));
}

void work_describe(struct work *w, enum err_code code)
{
	const char *op = w->a->op->name;

	if (w->err->code)
		return;
	if (code == ERR_DISMISSED)
		err_set(w->err, code, "%s: the call was given up", op);
	else if (code == ERR_TOO_LARGE)
		err_set(w->err, code, "%s: %d processes are too few for sizes "
		        "%zu, %zu and %zu: each would have 2^31 elements of a "
		        "matrix, or for eigen 2^30, or 2^31 bytes of 64 rows, "
		        "which ScaLAPACK and MPI cannot count", op, w->g->size,
		        w->order.m, w->order.n, w->order.k);
	else
		err_set(w->err, code, "%s: a process of linalgd-mpi has not "
		        "enough memory for its share", op);
}

const void *work_get_strided(void *arg, size_t first, size_t n, void *room)
{
	const struct strided *s = arg;
	char *to = room;

	if (s->col == 1 && s->row == s->columns && !s->order)
		return (const char *)s->data + first * s->row * s->each;
	for (size_t j = 0; s->col != 1 && j < s->columns; j++)
		for (size_t i = 0; i < n; i++)
			memcpy(to + (i * s->columns + j) * s->each,
			       (const char *)s->data +
			       ((first + i) * s->row + j * s->col) * s->each,
			       s->each);
	for (size_t i = 0; s->col == 1 && i < n; i++)
		memcpy(to + i * s->columns * s->each,
		       (const char *)s->data + s->row * s->each *
		       (s->order ? (size_t)s->order[first + i] : first + i),
		       s->columns * s->each);
	return room;
}

void work_put_dense(void *arg, size_t first, size_t n, const void *rows)
{
	const struct dense *d = arg;

	memcpy((char *)d->data + first * d->row_bytes, rows,
	       n * d->row_bytes);
}
