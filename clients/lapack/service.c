/* service.c - see service.h. */
#include <stdio.h>

#include "clients/lapack/link.h"
#include "clients/lapack/npz.h"
#include "clients/lapack/service.h"

void service_begin(struct service *s, const struct kind *k, const char *op,
                   const char *parameters, bool several)
{
	*s = (struct service){ .kind = k, .several = several };
	text_printf(&s->path, "/%s?timing=none&quality=none&dtype=%s%s", op,
	            k->dtype, parameters);
}

void service_fini(struct service *s)
{
	text_fini(&s->path);
	text_fini(&s->body);
	text_fini(&s->answer);
}

void *service_operand(struct service *s, const char *name, size_t rows,
                      size_t columns)
{
	const size_t bytes = rows * columns * s->kind->size;
	void *to = text_reserve(&s->body, bytes);

	text_printf(&s->path, "&%s.shape=%zu,%zu", name, rows, columns);
	if (!to || s->path.failed)
		return NULL;
	text_grew(&s->body, bytes);
	return to;
}

bool service_ask(struct service *s)
{
	if (s->path.failed || s->body.failed)
		return false;
	return link_post(s->path.data, s->several ? "application/x-npz" :
	                 "application/octet-stream", &s->body, &s->answer);
}

const void *service_output(const struct service *s, const char *name, size_t n,
                           size_t size)
{
	struct npz_array a = { s->answer.data, s->answer.length };

	if (s->several && !npz_find(&s->answer, name, &a))
		return NULL;
	return a.bytes == n * size ? a.data : NULL;
}
