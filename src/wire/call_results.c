/* call_results.c - lays out the small outputs of calls in the memory that the
 * front shares with a worker: in the order of the calls, each output's elements
 * before its index, and the call's list of failures last. It also decides which
 * calls have only small matrices and may be sent together. */
#include <string.h>

#include "base/size.h"
#include "wire/call.h"

size_t call_result_end(const struct memory *m, size_t at)
{
	return at + size_round_up(m->bytes, MEMORY_ALIGN);
}

static bool is_small(const struct memory *m)
{
	return m && m->fd < 0;
}

static bool is_large(const struct matrix *m)
{
	return (m->memory && !is_small(m->memory)) ||
	       (m->index && !is_small(m->index));
}

bool call_shares(const struct args *a)
{
	for (int i = 0; i < OP_INPUTS; i++)
		if (is_large(&a->in[i]))
			return false;
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (is_large(&a->out[i]))
			return false;
	return !is_large(&a->failed);
}

size_t call_results_end(const struct args *a, size_t at)
{
	for (int i = 0; i < OP_OUTPUTS; i++) {
		if (is_small(a->out[i].memory))
			at = call_result_end(a->out[i].memory, at);
		if (is_small(a->out[i].index))
			at = call_result_end(a->out[i].index, at);
	}
	return is_small(a->failed.memory) ?
	       call_result_end(a->failed.memory, at) : at;
}

static size_t fetch(struct memory *m, bool present, const char *results,
                    size_t at)
{
	if (!is_small(m))
		return at;
	if (present)
		memcpy(m->data, results + at, m->bytes);
	return call_result_end(m, at);
}

void call_fetch_results(const struct args *a, const struct done *d,
                        const char *results, size_t at)
{
	for (int i = 0; i < OP_OUTPUTS; i++) {
		const bool wanted = d->present >> i & 1;

		at = fetch(a->out[i].memory, wanted, results, at);
		at = fetch(a->out[i].index, wanted, results, at);
	}
	fetch(a->failed.memory, d->failures > 0, results, at);
}
