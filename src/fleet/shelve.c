/* shelve.c - see shelve.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/chunks.h"
#include "fleet/form.h"
#include "fleet/shelve.h"
#include "queue/quota.h"

struct shelf *shelving_add(struct shelving *s, const char *name,
                           const struct matrix *m)
{
	struct shelf *const one = &s->shelf[s->n++];

	snprintf(one->name, sizeof one->name, "%s", name);
	one->matrix = matrix_ref(m);
	return one;
}

/* In the order of names, in which every transaction locks them. */
static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct shelf *)a)->name,
	              ((const struct shelf *)b)->name);
}

void shelving_of_job(struct shelving *s, const struct fleet *f,
                     const struct keeping *k)
{
	*s = (struct shelving){ .limit = k->tenant->limits.stored,
	                        .ttl_ns = k->ttl_ns, .shared = f->shared };
	snprintf(s->tenant, sizeof s->tenant, "%s", k->tenant->name);
	for (int i = 0; i < k->n; i++) {
		struct shelf *one = shelving_add(s, k->kept[i].name,
		                                 &k->kept[i].held);

		one->insists = k->conditional;
		one->expected = k->kept[i].version;
	}
	qsort(s->shelf, (size_t)s->n, sizeof s->shelf[0], by_name);
}

void shelving_fini(struct shelving *s)
{
	while (s->n > 0)
		matrix_fini(&s->shelf[--s->n].matrix);
}

static uint64_t bytes_of(const struct matrix *m)
{
	return (m->memory ? m->memory->bytes : 0) +
	       (m->index ? m->index->bytes : 0);
}

uint64_t shelving_bytes(const struct shelving *s)
{
	uint64_t bytes = 0;

	for (int i = 0; i < s->n; i++)
		bytes += bytes_of(&s->shelf[i].matrix);
	return bytes;
}

/* --- on a thread of a crew */

void shelve_files(struct shelving *s)
{
	for (int i = 0; i < s->n; i++) {
		struct shelf *const one = &s->shelf[i];
		struct err e = { 0 };
		uint64_t bytes;

		if (payload_bytes(&one->matrix, 1, &bytes, &e) == 0 &&
		    bytes > CHUNK_INLINE)
			shared_write(s->shared, bytes, &one->matrix, 1,
			             one->file);
	}
}

void shelve_drop_files(struct shelving *s)
{
	for (int i = 0; i < s->n; i++)
		shared_drop(s->shared, s->shelf[i].file);
}

/* Inserts the row, with the elements in it if they are packed. */
static int add(const struct shelving *s, struct shelf *one, uint64_t payload,
               const char *packed, struct pg *p, struct err *e)
{
	char form[FORM_TEXT], bytes[PG_DIGITS], size[PG_DIGITS];
	const struct pg_value v[] = {
		pg_text(s->tenant), pg_text(one->name),
		pg_text(form_print(&one->matrix, form)),
		pg_number((int64_t)bytes_of(&one->matrix), bytes),
		pg_number((int64_t)payload, size),
		packed ? pg_bytes(packed, (size_t)payload) : pg_text(NULL),
		pg_text(*one->file ? one->file : NULL),
	};
	struct pg_answer *a = pg_ask(p, S_MATRIX_ADD, v, e);

	if (a)
		one->version = (uint64_t)pg_integer(a, 0, 0);
	pg_answer_free(a);
	return a ? 0 : -1;
}

static int write_one(const struct shelving *s, struct shelf *one,
                     struct pg *p, struct err *e)
{
	char *packed = NULL;
	uint64_t payload;
	size_t n;
	int rc;

	if (payload_bytes(&one->matrix, 1, &payload, e))
		return -1;
	if (payload <= CHUNK_INLINE &&
	    !(packed = payload_pack(&one->matrix, 1, &n, e)))
		return -1;
	rc = add(s, one, payload, packed, p, e);
	if (rc == 0 && !packed && !*one->file)
		rc = chunks_write(p, CHUNK_MATRIX, (int64_t)one->version,
		                  &one->matrix, 1, e);
	free(packed);
	return rc;
}

int shelve_write(struct shelving *s, struct pg *p, struct err *e)
{
	for (int i = 0; i < s->n; i++)
		if (write_one(s, &s->shelf[i], p, e))
			return -1;
	return 0;
}

/* Locks the tenant's whole store if the sum of its bytes counts, else the
 * names. No name of a tenant has a slash. */
static int lock(const struct shelving *s, struct pg *p, struct err *e)
{
	for (int i = 0; i < (s->limit ? 1 : s->n); i++) {
		char key[STORE_TENANT + STORE_NAME + 1];
		const struct pg_value v[] = { pg_text(key) };

		snprintf(key, sizeof key, "%s/%s", s->tenant,
		         s->limit ? "" : s->shelf[i].name);
		if (pg_do(p, S_MATRIX_LOCK, v, e))
			return -1;
	}
	return 0;
}

static int check_version(struct shelving *s, const struct shelf *one,
                         struct pg *p, struct err *e)
{
	const struct pg_value v[] = {
		pg_text(s->tenant), pg_text(one->name),
	};
	struct pg_answer *a = pg_ask(p, S_MATRIX_CURRENT, v, e);
	uint64_t now;

	if (!a)
		return -1;
	now = pg_rows(a) ? (uint64_t)pg_integer(a, 0, 0) : 0;
	pg_answer_free(a);
	if (one == s->shelf)
		s->new = !now;
	return !one->insists || now == one->expected ? 0 :
	       err_set(e, ERR_PRECONDITION, "the stored matrix %.60s has "
	               "changed meanwhile; nothing was stored", one->name);
}

/* Refuses to store more than the tenant may; names[] are replaced. */
static int check_limit(const struct shelving *s, const char *names,
                       struct pg *p, struct err *e)
{
	const struct pg_value v[] = { pg_text(s->tenant), pg_text(names) };
	const uint64_t more = shelving_bytes(s);
	struct pg_answer *a = pg_ask(p, S_MATRIX_BYTES, v, e);
	uint64_t used;
	int64_t left_ms;

	if (!a)
		return -1;
	used = (uint64_t)pg_integer(a, 0, 0);
	left_ms = pg_is_null(a, 0, 1) ? -1 : pg_integer(a, 0, 1);
	pg_answer_free(a);
	return quota_check_stored(s->limit, used, more, left_ms, e);
}

static int replace(struct shelving *s, const char *names, const char *versions,
                   struct pg *p, struct err *e)
{
	char ttl[PG_DIGITS];
	const struct pg_value old[] = { pg_text(s->tenant), pg_text(names) };
	const struct pg_value new[] = {
		pg_text(versions),
		s->ttl_ns ? pg_number(s->ttl_ns / 1000000, ttl) :
		            pg_text(NULL),
	};

	for (int i = 0; i < s->n; i++)
		if (check_version(s, &s->shelf[i], p, e))
			return -1;
	return (s->limit && check_limit(s, names, p, e)) ||
	       pg_do(p, S_MATRIX_REPLACE, old, e) ||
	       pg_do(p, S_MATRIX_SHOW, new, e) ? -1 : 0;
}

int shelve_show(struct shelving *s, struct pg *p, struct err *e)
{
	struct text names = { 0 }, versions = { 0 };
	int rc = -1;

	for (int i = 0; i < s->n; i++) {
		text_printf(&names, "%s\"%s\"", i ? "," : "{",
		            s->shelf[i].name);
		text_printf(&versions, "%s%" PRIu64, i ? "," : "{",
		            s->shelf[i].version);
	}
	text_puts(&names, "}");
	text_puts(&versions, "}");
	if (names.failed || versions.failed)
		err_set(e, ERR_MEMORY, "no memory for a query");
	else if (lock(s, p, e) == 0)
		rc = replace(s, names.data, versions.data, p, e);
	text_fini(&names);
	text_fini(&versions);
	return rc;
}

int shelve_check(const struct shelving *s, struct pg *p, bool *written,
                 struct err *e)
{
	char version[PG_DIGITS];
	const struct pg_value v[] = {
		pg_number((int64_t)s->shelf[0].version, version),
	};
	const int rows = s->shelf[0].version ?
	                 pg_count(p, S_MATRIX_EXISTS, v, e) : 0;

	*written = rows > 0;
	return rows < 0 ? -1 : 0;
}

/* --- on the loop's thread */

void shelve_keep(struct fleet *f, const struct shelving *s)
{
	const int64_t now = clock_ns();

	for (int i = 0; i < s->n; i++) {
		const struct shelf *const one = &s->shelf[i];
		struct stored copy = {
			.matrix = one->matrix, .version = one->version,
			.created_ms = clock_wall_ms(),
			.until_ns = s->ttl_ns && s->ttl_ns < INT64_MAX - now ?
			            now + s->ttl_ns : INT64_MAX,
		};

		snprintf(copy.tenant, sizeof copy.tenant, "%s", s->tenant);
		snprintf(copy.name, sizeof copy.name, "%s", one->name);
		cache_mark(&copy.matrix, one->version);
		cache_add(f, &copy);
	}
}
