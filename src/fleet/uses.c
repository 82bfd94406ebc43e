/* uses.c - see uses.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/cache.h"
#include "fleet/uses.h"
#include "journal/payload.h"

void uses_find(struct uses *u, const struct fleet *f, const char *tenant,
               const struct matrix *m, size_t n)
{
	*u = (struct uses){ .n = n };
	for (size_t i = 0; i < n; i++) {
		u->version[i] = cache_version(f, tenant, &m[i]);
		if (!u->version[i])
			continue;
		u->any = true;
		u->bytes += matrix_size(&m[i]) + matrix_index_size(&m[i]);
	}
}

void uses_leave_out(const struct uses *u, const struct matrix *m, size_t n,
                    struct matrix payload[RECORD_OPERANDS])
{
	for (size_t i = 0; i < n; i++)
		payload[i] = u->any && u->version[i] ?
		             (struct matrix){ .ndim = MATRIX_ABSENT } : m[i];
}

int uses_payload(const struct uses *u, const struct matrix *m, size_t n,
                 uint64_t *bytes, struct err *e)
{
	struct matrix payload[RECORD_OPERANDS];

	uses_leave_out(u, m, n, payload);
	return payload_bytes(payload, n, bytes, e);
}

int64_t uses_column(const struct uses *u, uint64_t bytes, bool stores,
                    bool file)
{
	const bool newer = u->any || stores, shared = u->shared || file;

	return (int64_t)(bytes | (uint64_t)newer << 60 |
	                 (uint64_t)shared << 61);
}

const char *uses_print(const struct uses *u, char text[USES_TEXT])
{
	int at = 0;

	for (size_t i = 0; i < u->n; i++)
		at += snprintf(text + at, (size_t)(USES_TEXT - at),
		               "%c%" PRIu64, i ? ',' : '{', u->version[i]);
	snprintf(text + at, (size_t)(USES_TEXT - at), "}");
	return u->any ? text : NULL;
}

void uses_read(struct uses *u, const char *text)
{
	char *end;

	*u = (struct uses){ .n = 0 };
	while ((*text == '{' || *text == ',') && u->n < RECORD_OPERANDS) {
		const uint64_t version = strtoull(text + 1, &end, 10);

		u->version[u->n++] = version;
		u->any |= version != 0;
		text = end;
	}
}

static bool is_first(const struct uses *u, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (u->version[k] == u->version[i])
			return false;
	return u->version[i] != 0;
}

int uses_pin(struct uses *u, struct pg *p, struct err *e)
{
	char versions[USES_TEXT];
	const struct pg_value v[] = { pg_text(uses_print(u, versions)) };
	struct pg_answer *a = pg_ask(p, S_MATRIX_PIN, v, e);
	const int rows = a ? pg_rows(a) : 0;
	int wanted = 0;

	u->shared = false;
	for (int i = 0; i < rows; i++)
		u->shared |= pg_integer(a, i, 0) != 0;
	for (size_t i = 0; i < u->n; i++)
		wanted += is_first(u, i);
	pg_answer_free(a);
	if (!a)
		return -1;
	return rows == wanted ? 0 : err_set(e, ERR_GONE, "a stored matrix was "
	                                    "replaced or removed");
}
