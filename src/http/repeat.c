/* repeat.c - see repeat.h. */
#include <string.h>

#include "base/size.h"
#include "http/repeat.h"
#include "queue/backing.h"

static void start_hash(struct fingerprint *f, const struct exchange *x)
{
	const char *query = exchange_query_text(x);
	const char *media = exchange_header(x, "Content-Type");
	const char *const parts[] = {
		exchange_path(x), query ? query : "", media ? media : "",
	};

	sha256_init(&f->hash);
	for (size_t i = 0; i < COUNT(parts); i++)
		sha256_update(&f->hash, strlen(parts[i]) + 1,
		              (const uint8_t *)parts[i]);
}

int fingerprint_begin(struct fingerprint *f, const struct exchange *x,
                      struct job *j, struct err *e)
{
	const char *key = exchange_header(x, "Idempotency-Key");
	const size_t n = key ? strlen(key) : 0;

	if (!key)
		return 0;
	if (n == 0 || n >= JOB_KEY)
		return err_set(e, ERR_REQUEST, "Idempotency-Key has %zu "
		               "characters, must have 1 to %d", n,
		               JOB_KEY - 1);
	memcpy(j->key, key, n + 1);
	f->wanted = true;
	start_hash(f, x);
	return 0;
}

void fingerprint_add(struct fingerprint *f, const void *bytes, size_t n)
{
	if (f->wanted)
		sha256_update(&f->hash, n, bytes);
}

void fingerprint_end(struct fingerprint *f, struct job *j)
{
	if (f->wanted)
		sha256_digest(&f->hash, sizeof j->fingerprint, j->fingerprint);
}

/* Can the job's result, now or when it ends, serve a repeated request? Not
 * if the result is not kept (any more), nor if the job failed for a reason
 * that was not the request's fault. The request is then computed again. */
static bool serves(const struct job *o)
{
	if (!job_state_is_end(o->state))
		return true;
	return o->keep && !o->gone && o->state != JOB_DISMISSED &&
	       err_status(o->err.code) < 500;
}

int repeat_find(const struct engine *g, const struct job *j, bool asynchronous,
                struct job **old, struct err *e)
{
	struct job *o = engine_find_key(g, j->tenant, j->key);

	if (!o || (o->backing && o->backing->shared))
		return 0;
	if (memcmp(o->fingerprint, j->fingerprint, sizeof o->fingerprint))
		return err_set(e, ERR_KEY_REUSED, "Idempotency-Key %.64s came "
		               "with another request before, job %s", j->key,
		               o->id);
	if (!serves(o))
		return 0;
	if (!asynchronous && !job_state_is_end(o->state))
		return err_set(e, ERR_CONFLICT, "job %s, the same request, "
		               "is %s", o->id, job_state_name(o->state));
	o->keep |= asynchronous;
	*old = o;
	return 1;
}
