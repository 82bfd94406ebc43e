/* share_post.c - POST /shares?bytes=N: makes memory that the client maps, too
 * (shares.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "http/json_text.h"
#include "http/service.h"
#include "http/shares.h"

static int take_bytes(void *arg, const char *name, const char *value,
                      struct err *e)
{
	unsigned long long *bytes = arg;
	char *end;

	if (strcmp(name, "bytes") != 0)
		return err_set(e, ERR_PARAMETER, "there is no parameter %.60s "
		               "here, only bytes", name);
	if (*bytes)
		return err_set_at(e, ERR_PARAMETER, "?bytes", "bytes is given "
		                  "twice");
	errno = 0;
	*bytes = strtoull(value, &end, 10);
	if (*value >= '0' && *value <= '9' && !*end && !errno && *bytes &&
	    *bytes <= SIZE_MAX)
		return 0;
	return err_set_at(e, ERR_PARAMETER, "?bytes", "bytes is %.40s, must be "
	                  "a whole number from 1 on", value);
}

static int make_share(struct exchange *x, void *state, struct err *e)
{
	const struct api *a = exchange_context(x);
	unsigned long long bytes = 0;
	struct text t = { 0 };
	struct memory *m;
	char id[SHARE_ID];

	(void)state;
	if (exchange_query(x, take_bytes, &bytes, e))
		return -1;
	if (!bytes)
		return err_set_at(e, ERR_PARAMETER, "?bytes", "bytes=N says "
		                  "how many bytes are to be shared");
	m = shares_make(a->shares, exchange_tenant(x), (size_t)bytes, id, e);
	if (!m)
		return -1;
	text_printf(&t, "{\"id\":\"%s\",\"bytes\":%zu", id, m->bytes);
	json_text_put_name(&t, "socket");
	json_text_put_string(&t, shares_path(a->shares));
	text_puts(&t, "}\n");
	exchange_reply_text(x, 201, "application/json", &t);
	return 0;
}

const struct handler share_post_handler = { .done = make_share };
