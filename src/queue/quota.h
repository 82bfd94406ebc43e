/* quota.h - holds tenants to their limits (tenant.h).
 *
 *     queued          refuses a job while as many wait or are being prepared
 *     running         has jobs wait, even if a device is idle (job_devices())
 *     in flight       refuses a job whose operands and results, with those of
 *                     the tenant's other jobs and of its results that are kept,
 *                     are larger; operands that are stored do not count
 *     device seconds  refuses a job when those of the day are used up
 *     stored          refuses to store
 *
 * A refusal is ERR_QUOTA with the seconds after which it is worth trying again,
 * if those can be told; or ERR_TOO_LARGE where no waiting would help. For the
 * loop's thread only.
 */
#ifndef QUEUE_QUOTA_H
#define QUEUE_QUOTA_H

#include "matrix/store.h"
#include "queue/engine.h"

/* To be called before a job's operands are read, of which `bytes` are expected,
 * 0 if that is unknown. */
int quota_check(const struct engine *g, struct tenant *t, uint64_t bytes,
                struct err *e);

/* Charges the tenant for the memory of the job's operands and outputs, until
 * they are dropped (job_drop_operands(), job_drop_outputs()). */
int quota_charge(const struct engine *g, struct job *j, struct err *e);

/* Charges the tenant of a job that has ended for its time on devices. */
void quota_spend(const struct job *j);

/* Checks that the tenant may store these matrices. */
int quota_store(const struct tenant *t, const struct store *s,
                const struct store_entry *x, size_t n, struct err *e);

/* The same for matrices that a fleet stores: `used` bytes are stored already
 * under other names, `more` are to be stored, and the first of all expires in
 * left_ms, or -1. */
int quota_check_stored(uint64_t limit, uint64_t used, uint64_t more,
                       int64_t left_ms, struct err *e);

/* Has the tenant room to store anything under that name? */
int quota_store_more(const struct tenant *t, const struct store *s,
                     const char *name, struct err *e);

/* Nanoseconds of device time that the tenant has used since midnight UTC. */
int64_t quota_spent_ns(struct tenant *t);

#endif
