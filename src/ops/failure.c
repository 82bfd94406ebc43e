/* failure.c - see failure.h. */
#include <stdint.h>

#include "base/size.h"
#include "ops/failure.h"

enum { INDEX = sizeof(int64_t), DETAIL = sizeof(struct failure_detail) };

_Static_assert(DETAIL % INDEX == 0, "details are aligned behind the indices");

struct matrix failures_shape(size_t stack)
{
	return (struct matrix){
		.dtype = INT64, .ndim = 1,
		.dim = { stack * ((INDEX + DETAIL) / INDEX) },
	};
}

static int64_t *indices_of(const struct args *a)
{
	return matrix_data(&a->failed);
}

static struct failure_detail *details_of(const struct args *a)
{
	return (struct failure_detail *)(indices_of(a) + a->stack);
}

void args_fail(struct args *a, const struct failure *f)
{
	if (a->failures == 0)
		a->first_failure = *f;
	if (indices_of(a)) {
		indices_of(a)[a->failures] = (int64_t)f->index;
		details_of(a)[a->failures] = f->detail;
	}
	a->failures++;
}

bool args_has_failed(const struct args *a, size_t index)
{
	size_t low = 0, high = indices_of(a) ? a->failures : 0;

	if (high == 0)
		return a->failures > 0;		/* of a single matrix */
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if ((size_t)indices_of(a)[middle] < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low < a->failures && (size_t)indices_of(a)[low] == index;
}

double args_worst(const struct args *a, const double *ratios, size_t each)
{
	double worst = 0;

	for (size_t i = 0; i < a->stack; i++)
		for (size_t k = 0; k < each && !args_has_failed(a, i); k++) {
			const double x = ratios[i * each + k];

			if (x > worst || isnan(x))
				worst = x;
		}
	return worst;
}

/* Other processes may write to this memory, so nothing in it is trusted. */
struct failure args_failure(const struct args *a, size_t i)
{
	struct failure f = { .index = (size_t)indices_of(a)[i],
	                     .detail = details_of(a)[i] };

	if (f.detail.code <= ERR_NONE || f.detail.code > ERR_LAST)
		f.detail.code = ERR_INTERNAL;
	return f;
}

static void blank(struct matrix *m, size_t stack, size_t index)
{
	const size_t n = matrix_elements(m) / stack;

	for (size_t i = index * n; i < (index + 1) * n; i++)
		if (dtype_is_complex(m->dtype))
			matrix_set_complex(m, i, NAN, NAN);
		else
			matrix_set(m, i, dtype_epsilon(m->dtype) > 0 ? NAN : 0);
}

int args_settle_failures(struct args *a, struct err *e)
{
	if (a->failures == 0)
		return 0;
	if (a->failures == a->stack) {
		a->op->describe(a, &a->first_failure, e);
		return -1;
	}
	for (size_t k = 0; k < a->failures; k++)
		for (int i = 0; i < OP_OUTPUTS; i++)
			if (a->out[i].memory)
				blank(&a->out[i], a->stack,
				      (size_t)indices_of(a)[k]);
	return 0;
}

bool args_take_failures(struct args *a, size_t failures)
{
	if (failures == 0) {
		matrix_fini(&a->failed);
		return true;
	}
	if (!a->failed.memory || failures >= a->stack)
		return false;
	for (size_t i = 0; i < failures; i++)
		if ((size_t)indices_of(a)[i] >= a->stack)
			return false;
	a->failures = failures;
	a->failed.dim[0] = failures;
	return true;
}
