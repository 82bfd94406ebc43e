/* quota.c - see quota.h. */
#include "base/clock.h"
#include "queue/bytes.h"
#include "queue/quota.h"
#include "queue/stages.h"

static const int64_t second_ns = 1000000000, day_ms = 24 * 3600 * 1000;

/* --- the day's device time */

int64_t quota_spent_ns(struct tenant *t)
{
	const int64_t day = clock_wall_ms() / day_ms;

	if (t->use.day != day)
		t->use.device_ns = 0;
	t->use.day = day;
	return t->use.device_ns;
}

/* A job that did not succeed has no times, but has used its device. */
void quota_spend(const struct job *j)
{
	const int64_t computed = stage_ns(STAGE_compute, j);

	if (!j->tenant || j->part || !j->started_ns)
		return;
	quota_spent_ns(j->tenant);
	j->tenant->use.device_ns += computed > 0 ? computed :
	                            j->ended_ns - j->started_ns;
}

static int check_day(struct tenant *t, struct err *e)
{
	const uint64_t limit = t->limits.device_seconds;
	const int64_t spent = quota_spent_ns(t);

	if (!limit || (uint64_t)(spent / second_ns) < limit)
		return 0;
	err_set(e, ERR_QUOTA, "quota device-seconds: %.0f of %llu of this day "
	        "(UTC) are used", (double)spent / 1e9,
	        (unsigned long long)limit);
	e->retry_s = (unsigned)((day_ms - clock_wall_ms() % day_ms) / 1000 + 1);
	return -1;
}

/* --- jobs */

static int check_queued(const struct engine *g, const struct tenant *t,
                        struct err *e)
{
	if (!t->limits.queued || t->use.queued < t->limits.queued)
		return 0;
	err_set(e, ERR_QUOTA, "quota queued: %llu jobs wait, %llu may",
	        (unsigned long long)t->use.queued,
	        (unsigned long long)t->limits.queued);
	e->retry_s = engine_seconds_left(g, t);
	return -1;
}

/* Checks that `more` bytes may be in flight, beside those that are. */
static int check_flight(const struct engine *g, const struct tenant *t,
                        uint64_t more, struct err *e)
{
	const uint64_t limit = t->limits.in_flight, used = t->use.in_flight;

	if (!limit || (more <= limit && used <= limit - more))
		return 0;
	if (more > limit)
		return err_set(e, ERR_TOO_LARGE, "quota in-flight: the job "
		               "takes %llu bytes, %llu are the limit",
		               (unsigned long long)more,
		               (unsigned long long)limit);
	err_set(e, ERR_QUOTA, "quota in-flight: jobs and results that are kept "
	        "have %llu bytes, this one %llu, %llu are the limit",
	        (unsigned long long)used, (unsigned long long)more,
	        (unsigned long long)limit);
	e->retry_s = engine_seconds_to_room(g, t, used - (limit - more));
	return -1;
}

int quota_check(const struct engine *g, struct tenant *t, uint64_t bytes,
                struct err *e)
{
	return check_day(t, e) || check_queued(g, t, e) ||
	       check_flight(g, t, bytes, e) ? -1 : 0;
}

int quota_charge(const struct engine *g, struct job *j, struct err *e)
{
	struct tenant *const t = j->tenant;
	uint64_t in, out;

	if (!t)
		return 0;
	in = bytes_operands(j, false);
	out = bytes_outputs(j);
	if (check_flight(g, t, in + out, e))
		return -1;
	j->operands_charged = in;
	j->outputs_charged = out;
	t->use.in_flight += in + out;
	return 0;
}

/* --- stored matrices */

/* Returns the seconds until the first of the tenant's matrices expires; 0: none
 * will. */
static unsigned seconds_to_expiry(const struct tenant *t,
                                  const struct store *s)
{
	int64_t next = INT64_MAX;
	size_t i, end;

	for (store_range(s, t->name, &i, &end); i < end; i++)
		if (store_at(s, i)->until_ns < next)
			next = store_at(s, i)->until_ns;
	if (next == INT64_MAX)
		return 0;
	next = (next - clock_ns()) / second_ns;
	return next > 0 ? (unsigned)next + 1 : 1;
}

static int refuse_to_store(uint64_t limit, uint64_t used, uint64_t more,
                           unsigned retry_s, struct err *e)
{
	if (more > limit)
		return err_set(e, ERR_TOO_LARGE, "quota stored: %llu bytes, "
		               "%llu are the limit", (unsigned long long)more,
		               (unsigned long long)limit);
	err_set(e, ERR_QUOTA, "quota stored: stored matrices have %llu bytes, "
	        "%llu more were to be stored, %llu are the limit",
	        (unsigned long long)used, (unsigned long long)more,
	        (unsigned long long)limit);
	e->retry_s = retry_s;
	return -1;
}

int quota_check_stored(uint64_t limit, uint64_t used, uint64_t more,
                       int64_t left_ms, struct err *e)
{
	if (!limit || (more <= limit && used <= limit - more))
		return 0;
	return refuse_to_store(limit, used, more,
	                       left_ms < 0 ? 0 : (unsigned)(left_ms / 1000) + 1,
	                       e);
}

int quota_store(const struct tenant *t, const struct store *s,
                const struct store_entry *x, size_t n, struct err *e)
{
	uint64_t used, more = 0, replaced = 0;

	if (!t->limits.stored)
		return 0;
	for (size_t i = 0; i < n; i++) {
		const struct matrix *const m = x[i].matrix;
		const struct stored *old = store_find(s, t->name, x[i].name,
		                                      &(struct err){ 0 });

		more += (m->memory ? m->memory->bytes : 0) +
		        (m->index ? m->index->bytes : 0);
		replaced += old ? stored_bytes(old) : 0;
	}
	used = store_bytes_of(s, t->name) - replaced;
	if (more <= t->limits.stored && used <= t->limits.stored - more)
		return 0;
	return refuse_to_store(t->limits.stored, used, more,
	                       seconds_to_expiry(t, s), e);
}

int quota_store_more(const struct tenant *t, const struct store *s,
                     const char *name, struct err *e)
{
	const uint64_t limit = t->limits.stored;
	uint64_t used;

	if (!limit || store_find(s, t->name, name, &(struct err){ 0 }))
		return 0;
	used = store_bytes_of(s, t->name);
	return used < limit ? 0 :
	       refuse_to_store(limit, used, 1, seconds_to_expiry(t, s), e);
}
