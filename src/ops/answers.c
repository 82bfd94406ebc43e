/* answers.c - a worker's answers as a message; see call.h. */
#include <stddef.h>
#include <string.h>

#include "base/size.h"
#include "ops/call.h"

static const size_t head = offsetof(struct done, timing.kernel);

/* Bytes of an answer with so many rows, up to the next one. */
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

static bool is_sound(const struct done *d, size_t room)
{
	return room >= head && d->timing.n_kernels >= 0 &&
	       d->timing.n_kernels <= TIMING_ROWS &&
	       length_of(d->timing.n_kernels) <= room &&
	       (unsigned)d->err.code <= ERR_DISMISSED &&
	       memchr(d->variant, 0, sizeof d->variant) &&
	       memchr(d->err.text, 0, sizeof d->err.text) &&
	       memchr(d->err.pointer, 0, sizeof d->err.pointer);
}

bool answers_sound(const struct answers *a, int n)
{
	const char *const end = a->bytes + a->used;
	const struct done *d = NULL;

	while ((d = answers_next(a, d)))
		if (n-- == 0 || !is_sound(d, (size_t)(end - (char *)d)))
			return false;
	return a->used > 0;
}
