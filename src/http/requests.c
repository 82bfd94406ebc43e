/* requests.c - see requests.h. */
#include <stdlib.h>

#include "http/requests.h"

int requests_init(struct requests *r, int routes, struct err *e)
{
	r->routes = routes;
	r->answered = calloc((size_t)routes + 1, sizeof *r->answered);
	return r->answered ? 0 : err_set(e, ERR_MEMORY, "no memory to count "
	                                 "requests");
}

void requests_fini(struct requests *r)
{
	free(r->answered);
	r->answered = NULL;
}

void requests_count(struct requests *r, const struct request_facts *f)
{
	r->answered[f->route < 0 ? r->routes : f->route][f->status]++;
	if (f->refused != ERR_NONE)
		r->refused[f->refused]++;
	r->received += f->received;
	r->sent += f->sent;
}
