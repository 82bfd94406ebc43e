/* bytes.c - see bytes.h. */
#include "ops/pipeline.h"
#include "queue/bytes.h"

static uint64_t bytes_of(const struct matrix *m, bool stored)
{
	if (m->ndim == MATRIX_ABSENT ||
	    (!stored && m->memory && m->memory->stored))
		return 0;
	return matrix_size(m) + matrix_index_size(m);
}

static uint64_t of_all(const struct matrix *m, int n, bool stored)
{
	uint64_t bytes = 0;

	for (int i = 0; i < n; i++)
		bytes += bytes_of(&m[i], stored);
	return bytes;
}

/* Is operand number `last`, of those of all steps, the first one with its
 * memory? */
static bool is_first(const struct pipeline *p, int last)
{
	const struct memory *const m =
		p->step[last / OP_INPUTS].args.in[last % OP_INPUTS].memory;

	for (int at = 0; at < last; at++)
		if (p->step[at / OP_INPUTS].args.in[at % OP_INPUTS].memory == m)
			return false;
	return true;
}

/* Operands of a pipeline move from it to its steps when it is prepared. */
static uint64_t of_steps(const struct pipeline *p, bool stored)
{
	uint64_t bytes = 0;

	for (int at = 0; at < p->n * OP_INPUTS; at++) {
		const struct matrix *const m =
			&p->step[at / OP_INPUTS].args.in[at % OP_INPUTS];

		if (m->ndim != MATRIX_ABSENT && m->memory && is_first(p, at))
			bytes += bytes_of(m, stored);
	}
	return bytes;
}

uint64_t bytes_operands(const struct job *j, bool stored)
{
	const struct pipeline *const p = j->args.pipeline;

	return of_all(j->args.in, OP_INPUTS, stored) +
	       (p ? of_steps(p, stored) : 0);
}

uint64_t bytes_outputs(const struct job *j)
{
	const struct pipeline *const p = j->args.pipeline;
	uint64_t bytes = of_all(j->args.out, OP_OUTPUTS, false);

	for (int k = 0; p && k < p->n; k++)
		bytes += of_all(p->step[k].args.out, OP_OUTPUTS, false);
	return bytes;
}

uint64_t bytes_answer(const struct job *j)
{
	return of_all(j->args.out, OP_OUTPUTS, true);
}
