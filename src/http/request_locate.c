/* request_locate.c - see request.h: where an error about a parameter or an
 * operand is in the request as the client has sent it. */
#include <stdio.h>
#include <string.h>

#include "format/tensors.h"
#include "http/request.h"

/* Points an error about the operand or the parameter `name` at it in a request
 * of the Open Inference Protocol. */
static void locate_tensor(const struct request *r, const char *name,
                          struct err *e)
{
	const struct tensor_request *const t = r->tensors;

	if (op_input(r->args->op, name) < 0) {
		if (strcmp(name, "return") == 0)
			strcpy(e->pointer, "/outputs");
		else
			err_pointer(e->pointer, "/parameters", name);
		return;
	}
	strcpy(e->pointer, "/inputs");
	for (int i = 0; i < t->inputs; i++)
		if (strcmp(t->input[i], name) == 0)
			snprintf(e->pointer, sizeof e->pointer, "/inputs/%d",
			         i);
}

void request_locate(const struct request *r, struct err *e)
{
	const char *name = e->pointer + 1;
	const int own = op_param(r->args->op, name), all = request_common(name);
	char copy[ERR_POINTER];

	if (e->pointer[0] == '/' &&
	    ((own >= 0 && r->in_query >> own & 1) ||
	     (all >= 0 && r->in_query_common >> all & 1)))
		e->pointer[0] = '?';
	else if (r->tensors && e->pointer[0] == '/' &&
	         (own >= 0 || all >= 0 || op_input(r->args->op, name) >= 0)) {
		strcpy(copy, name);
		locate_tensor(r, copy, e);
	}
}
