/* elements.c - see elements.h. */
#include <stdlib.h>

#include "ops/gang/elements.h"

struct vectors gang_elements(struct judge *j, const struct columns *c,
                             const double *all)
{
	struct vectors v = { .length = 0 };
	double *host = calloc(c->own * JUDGE_PROBES + 1, sizeof *host);

	if (!host) {
		err_set(seq_err(j->s), ERR_MEMORY, "no memory for %zu numbers",
		        c->own * JUDGE_PROBES);
		return v;
	}
	for (size_t i = 0; i < c->own * JUDGE_PROBES; i++) {
		const size_t of = i / c->own;
		const size_t at = columns_global(c, i % c->own);

		host[i] = all ? all[of * c->n + at] :
		                judge_probe(j, of, at);
	}
	v = judge_vectors(j, host, c->own, JUDGE_PROBES);
	free(host);
	return v;
}
