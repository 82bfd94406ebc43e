/* answers.c - packs and checks messages of a worker's answers; see call.h. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "base/text.h"
#include "ops/failure.h"
#include "wire/call.h"

static const size_t head = offsetof(struct done, timing.kernel);

/* Bytes from an answer with `rows` kernel rows to the next answer. */
static size_t length_of(int rows)
{
	return size_round_up(head + (size_t)rows * sizeof(struct kernel_time),
	                     _Alignof(struct done));
}

int answers_send(struct answers *a, int socket, struct err *e)
{
	const size_t n = a->used;

	a->used = 0;
	return n ? io_send(socket, a->bytes, n, NULL, 0, e) : 0;
}

int answers_add(struct answers *a, const struct done *d, int socket,
                struct err *e)
{
	const size_t n = length_of(d->timing.n_kernels);

	if (n > sizeof a->bytes - a->used && answers_send(a, socket, e))
		return -1;
	memcpy(a->bytes + a->used, d, size_min(n, sizeof *d));
	a->used += n;
	return 0;
}

const struct done *answers_next(const struct answers *a, const struct done *d)
{
	const char *at = d ? (const char *)d +
	                     length_of(d->timing.n_kernels) : a->bytes;

	return at < a->bytes + a->used ? (const struct done *)at : NULL;
}

/* Are there as many elements as the answer says are not? */
static bool can_be_shorter(const struct done *d, const struct args *a)
{
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (d->shorter >> i & 1 &&
		    a->out[i].dim[a->out[i].ndim - 1] <
		    (d->fewer ? d->fewer : 1))
			return false;
	return true;
}

bool answers_take(const struct done *d, struct args *a)
{
	a->verdict = d->verdict;
	if (!can_be_shorter(d, a))
		return false;
	for (int i = 0; i < OP_OUTPUTS; i++) {
		if (!(d->present >> i & 1))
			matrix_fini(&a->out[i]);
		if (d->real >> i & 1)
			a->out[i].dtype = dtype_part(a->out[i].dtype);
		if (d->shorter >> i & 1)
			a->out[i].dim[a->out[i].ndim - 1] -=
			    d->fewer ? d->fewer : 1;
	}
	return args_take_failures(a, d->err.code ? 0 : d->failures);
}

static bool is_amount(double x)
{
	return isfinite(x) && x >= 0;
}

static const char *fault_of_kernel(const struct kernel_time *k)
{
	return !text_is_plain(k->name, sizeof k->name) ? "a kernel's name" :
	       k->timed > k->calls ? "a kernel's number of timed calls" :
	       !is_amount(k->flops) || !is_amount(k->bytes) ?
	       "a kernel's operations or bytes" :
	       k->device < 0 || k->device >= SHEETS ? "a kernel's device" :
	       k->step < 0 || k->step >= PIPELINE_STEPS ? "a kernel's step" :
	       NULL;
}

static const char *fault_of_times(const struct timing *t)
{
	const char *fault = NULL;

	if (t->upload_ns < 0 || t->download_ns < 0 || t->compute_ns < 0 ||
	    t->host_ns < 0)
		return "a time";
	/* Read as a byte, because reading another value as a bool is
	 * undefined. */
	if (*(const unsigned char *)&t->cold > 1)
		return "a truth value";
	for (int i = 0; i < t->n_kernels && !fault; i++)
		fault = fault_of_kernel(&t->kernel[i]);
	return fault;
}

static const char *fault_of_err(const struct err *e)
{
	return (unsigned)e->code >= ERR_COUNT ? "an error's code" :
	       !text_is_plain(e->text, sizeof e->text) ||
	       !text_is_plain(e->pointer, sizeof e->pointer) ?
	       "an error's text" : NULL;
}

/* Returns whether each measure is NAN or at least 0. */
static bool is_verdict(const struct verdict *v)
{
#define X(measure, flag) if (v->measure < 0) return false;
	VERDICT_MEASURES(X)
#undef X
	return true;
}

/* Returns what is wrong in an answer, of which `room` bytes were received;
 * NULL: nothing. */
static const char *fault_of(const struct done *d, size_t room)
{
	const char *fault;

	if (room < head || d->timing.n_kernels < 0 ||
	    d->timing.n_kernels > TIMING_ROWS ||
	    length_of(d->timing.n_kernels) > room)
		return "a length";
	if (!text_is_plain(d->variant, sizeof d->variant))
		return "a variant's name";
	if (!is_verdict(&d->verdict))
		return "a quality";
	if (d->begun_ns < 0 || d->begun_ns > clock_ns())
		return "a beginning";
	fault = fault_of_err(&d->err);
	return fault ? fault : fault_of_times(&d->timing);
}

int answers_check(const struct answers *a, int n, struct err *e)
{
	const char *const end = a->bytes + a->used;
	const struct done *d = NULL;
	const char *fault = NULL;
	int answered = 0;

	while (!fault && (d = answers_next(a, d))) {
		fault = fault_of(d, (size_t)(end - (const char *)d));
		answered++;
	}
	if (fault)
		return err_set(e, ERR_DEVICE, "told %s that cannot be", fault);
	if (answered < 1 || answered > n)
		return err_set(e, ERR_DEVICE, "answered %d calls of %d",
		               answered, n);
	return 0;
}

int ready_check(const struct ready *r, size_t n, int index, struct err *e)
{
	const char *fault;

	if (n != sizeof *r)
		return err_set(e, ERR_DEVICE, "began with a message of %zu "
		               "bytes, not %zu", n, sizeof *r);
	fault = fault_of_err(&r->err);
	if (fault)
		return err_set(e, ERR_DEVICE, "told %s that cannot be", fault);
	if (r->err.code)
		return 0;
	if (sheet_check(&r->sheet, e))
		return -1;
	return r->sheet.index == index ? 0 : err_set(e, ERR_DEVICE, "is one "
	       "of device %d", r->sheet.index);
}
