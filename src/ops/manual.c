/* manual.c - see manual.h. */
#include "ops/manual.h"
#include "ops/op.h"

static const struct manual *const manuals[OPS] = {
#define OP(id) &manual_##id,
#include "ops/ops.def"
#undef OP
};

const struct manual *manual_of(const struct op *o)
{
	int i = 0;

	while (ops[i] != o)
		i++;
	return manuals[i];
}
