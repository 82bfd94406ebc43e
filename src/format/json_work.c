/* json_work.c - see json_operand.h: the work that remains for an operand when
 * the body is complete. It may run on any thread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/slice.h"
#include "format/json_complex.h"
#include "matrix/convert.h"

enum {
	GENERATED_AT_ONCE = 4096,		/* elements */
	COPIED_AT_ONCE = 256 << 10,		/* bytes; also a slice's */
};

static bool is_long(const struct json_work *w)
{
	if (w->sink)
		return true;
	if (w->sparse)
		return json_sparse_is_long(w->sparse, &w->m,
		                           w->target->layout);
	if (w->generator)
		return matrix_elements(&w->m) > GENERATED_AT_ONCE;
	if (w->copy)
		return matrix_size(&w->m) > COPIED_AT_ONCE;
	return w->m.dtype != w->dtype && convert_is_long(&w->m);
}

bool json_work_is_long(const struct json_work *w)
{
	return is_long(w) || (w->imag && (is_long(w->imag) ||
	                                  convert_is_long(&w->m)));
}

static double cost(const struct json_work *w)
{
	if (w->sparse)
		return json_sparse_cost(w->sparse, &w->m, w->target->layout);
	if (w->generator)
		return generator_cost(w->generator, &w->m);
	return w->m.dtype == w->dtype && !w->copy ? 0 :
	       3.0 * (double)matrix_size(&w->m);
}

/* To join two parts, both are read and their elements written. */
double json_work_cost(const struct json_work *w)
{
	return w->imag ? cost(w) + cost(w->imag) +
	                 4.0 * (double)matrix_size(&w->m) : cost(w);
}

static int build(struct json_work *w, struct memory_pool *p, struct err *e)
{
	if (json_sparse_build(w->sparse, &w->m, p, e) < 0)
		return -1;
	json_sparse_free(w->sparse);
	w->sparse = NULL;
	return w->target->layout == CSR ? 0 :
	       sparse_convert(&w->m, DENSE, p, e);
}

/* Copies elements from a client's share to memory that only we write. */
static int copy(struct json_work *w, struct memory_pool *p, struct err *e)
{
	const size_t bytes = matrix_size(&w->m);
	struct memory *to = memory_new(p, bytes, e);
	size_t at = 0, n;

	if (!to)
		return -1;
	for (; at < bytes && e->code == ERR_NONE; at += n) {
		n = size_min(bytes - at, COPIED_AT_ONCE);
		memcpy((char *)to->data + at,
		       (const char *)w->m.memory->data + at, n);
		slice_next(e);
	}
	memory_unref(w->m.memory);
	w->m.memory = to;
	return e->code == ERR_NONE ? 0 : -1;
}

/* Refuses int64 elements beyond 2^53 of generators and of sparse matrices: both
 * compute in float64, which may have rounded them. */
static int check_exact(const struct json_work *w, struct err *e)
{
	char pointer[ERR_POINTER];

	for (size_t i = 0, n = matrix_elements(&w->m); i < n; i++) {
		if (slice_every(i, e))
			return -1;
		if (fabs(matrix_get(&w->m, i)) < JSON_WHOLE_LIMIT)
			continue;
		err_pointer(pointer, "", w->label);
		return err_set_at(e, ERR_FORMAT, pointer, "%s: element %zu is "
		                  "%.17g: as int64, the elements of a %s "
		                  "matrix must be below 2^53", w->label, i,
		                  matrix_get(&w->m, i), w->generator ?
		                  "generated" : "sparse");
	}
	return 0;
}

/* Makes w->m of the type w->dtype. */
static int make(struct json_work *w, struct memory_pool *p, struct err *e)
{
	const bool is_computed = w->generator || w->sparse;

	if (w->sink &&
	    w->sink->fetched(w->sink->arg, w->stored, &w->m, e) < 0)
		return -1;
	if (w->sink)
		w->dtype = w->m.dtype;
	if (w->generator &&
	    generator_fill(w->generator, &w->m, w->seed, e) < 0)
		return -1;
	if (w->sparse && build(w, p, e) < 0)
		return -1;
	if (w->copy && copy(w, p, e) < 0)
		return -1;
	if (w->dtype == INT64 && is_computed && check_exact(w, e) < 0)
		return -1;
	return matrix_convert_operand(&w->m, w->dtype, w->label, p, e);
}

int json_work_do(struct json_work *w, struct memory_pool *p, struct err *e)
{
	if (w->m.ndim == MATRIX_ABSENT)
		return 0;
	if (make(w, p, e) < 0)
		return -1;
	if (w->imag && (make(w->imag, p, e) < 0 ||
	                json_complex_join(w, p, e) < 0))
		return -1;
	if (w->named)	/* the operand must not become another type */
		w->m.text = w->m.rounded = false;
	*w->target = w->m;
	w->m = (struct matrix){ .ndim = MATRIX_ABSENT };
	return 0;
}

void json_work_free(struct json_work *w)
{
	while (w) {
		struct json_work *next = w->next;

		json_sparse_free(w->sparse);
		matrix_fini(&w->m);
		json_work_free(w->imag);
		free(w);
		w = next;
	}
}
