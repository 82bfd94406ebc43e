/* manual.h - what an operation's page says beyond its tables: the mathematics,
 * the cost, the verdict, the source, and what is refused. GET /ops,
 * api/openapi.yaml and docs/operations are made of it.
 *
 * Texts are sentences, in which n, m, k are the operands' sizes, ε is the
 * machine epsilon of the operands' type, and |A| a norm. */
#ifndef OPS_MANUAL_H
#define OPS_MANUAL_H

#include "base/err.h"

struct op;

/* Operands and parameters that have no answer. Every row happens: the
 * integration tests send a request for each. */
struct refusal {
	enum err_code code;
	const char *when;		/* begins in lower case and ends without
					 * a full stop */
};

struct manual {
	const char *mathematics;	/* what is computed, and by which
					 * equations */
	const char *work;		/* operations and bytes, as op->flops
					 * and op->bytes count them */
	const char *verdict;		/* what `quality` measures */
	const char *source;		/* of the algorithms: author, year */
	const char *see;		/* files of docs/ that tell more,
					 * separated by spaces; or NULL */
	const struct refusal *refusals;	/* ended by ERR_NONE */
};

#define OP(id) extern const struct manual manual_##id;
#include "ops/ops.def"
#undef OP

/* The manual of a row of ops.def. */
const struct manual *manual_of(const struct op *o);

#endif
