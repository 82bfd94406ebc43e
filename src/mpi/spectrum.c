/* spectrum.c - the outputs of an eigenproblem, in process 0. An output of a
 * complex type, which a general matrix of real numbers would need, has its real
 * parts alone (args.real). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/eigen.h"

/* The chosen columns of the eigenvectors. */
struct columns {
	const struct spectrum *s;
	void *to;			/* n x count */
	double *largest;		/* of each column: the largest component
					 * so far; its sign counts */
};

/* The output that is collected: the right vectors or, if these are not wanted,
 * the left ones, which are the same. */
static int collected(const struct args *a)
{
	return a->out[EIGEN_VECTORS].memory ? EIGEN_VECTORS :
	                                      EIGEN_LEFT_VECTORS;
}

static void put_row(const struct columns *c, size_t row, const void *from)
{
	const size_t count = c->s->count, *order = c->s->order;
	const bool single = c->s->z.dtype == FLOAT32;

	for (size_t k = 0; k < count; k++) {
		const double x = single ?
		    (double)((const float *)from)[order[k]] :
		    ((const double *)from)[order[k]];

		if (single)
			((float *)c->to)[row * count + k] = (float)x;
		else
			((double *)c->to)[row * count + k] = x;
		if (fabs(x) > fabs(c->largest[k]))
			c->largest[k] = x;
	}
}

static void put(void *arg, size_t first, size_t n, const void *rows)
{
	const struct columns *c = arg;
	const size_t bytes = c->s->n * dtype_bytes(c->s->z.dtype);

	for (size_t i = 0; i < n; i++)
		put_row(c, first + i, (const char *)rows + i * bytes);
}

/* Makes the largest component of each column positive. */
static void turn(const struct columns *c)
{
	const size_t count = c->s->count;

	for (size_t i = 0; i < c->s->n; i++)
		for (size_t k = 0; k < count; k++) {
			const size_t at = i * count + k;

			if (!(c->largest[k] < 0))
				continue;
			if (c->s->z.dtype == FLOAT32)
				((float *)c->to)[at] = 0 - ((float *)c->to)[at];
			else
				((double *)c->to)[at] =
				    0 - ((double *)c->to)[at];
		}
}

/* Sets what is told of outputs whose shape was made for general matrices. */
static void settle(struct args *a, int output, size_t count)
{
	const struct matrix *m = &a->out[output];
	const size_t most = m->memory ? m->dim[m->ndim - 1] : count;

	if (!m->memory)
		return;
	if (dtype_is_complex(m->dtype))
		a->real |= 1u << output;
	if (most > count) {
		a->shorter |= 1u << output;
		a->fewer = most - count;
	}
}

static void put_values(const struct spectrum *s)
{
	const struct matrix *m = &s->w->a->out[EIGEN_VALUES];
	void *const to = m->memory ? matrix_data(m) : NULL;

	for (size_t k = 0; to && k < s->count; k++)
		if (s->a.dtype == FLOAT32)
			((float *)to)[k] = (float)s->values[s->order[k]];
		else
			((double *)to)[k] = s->values[s->order[k]];
}

static void put_left(const struct spectrum *s)
{
	const struct args *a = s->w->a;

	if (a->out[EIGEN_VECTORS].memory && a->out[EIGEN_LEFT_VECTORS].memory)
		memcpy(matrix_data(&a->out[EIGEN_LEFT_VECTORS]),
		       matrix_data(&a->out[EIGEN_VECTORS]),
		       s->n * s->count * dtype_bytes(s->z.dtype));
}

static enum err_code collect(struct spectrum *s)
{
	struct columns c = { .s = s, .largest = calloc(s->count + 1,
	                                        sizeof *c.largest) };
	enum err_code code = grid_agree(s->w->g, c.largest ? ERR_NONE :
	                                                     ERR_MEMORY);

	if (s->w->a)
		c.to = matrix_data(&s->w->a->out[collected(s->w->a)]);
	if (code == ERR_NONE)
		code = dist_gather(&s->z, put, &c);
	if (code == ERR_NONE && s->w->a) {
		turn(&c);
		put_left(s);
	}
	free(c.largest);
	return code;
}

enum err_code eigen_answer(struct spectrum *s)
{
	const int64_t begun_ns = work_begin();
	enum err_code code = s->w->order.vectors ? collect(s) : ERR_NONE;

	if (s->w->a) {
		put_values(s);
		settle(s->w->a, EIGEN_VALUES, s->count);
		settle(s->w->a, EIGEN_VECTORS, s->count);
		settle(s->w->a, EIGEN_LEFT_VECTORS, s->count);
		if (s->w->a->quality != QUALITY_NONE)
			s->w->a->verdict.condition = 1;
	}
	work_end(s->w, STAGE_DOWN, begun_ns, 1);
	return code;
}

const void *eigen_vectors(const struct spectrum *s)
{
	return matrix_data(&s->w->a->out[collected(s->w->a)]);
}
