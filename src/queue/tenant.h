/* tenant.h - the tenants who share the service: what each may use, and uses.
 *
 * A token names its tenant; requests that need no token are those of the tenant
 * "". Jobs, stored matrices, saved pipelines and idempotency keys belong to a
 * tenant, which sees only its own. A tenant lives as long as the table, because
 * jobs refer to it after its tokens are gone. Only the loop's thread uses this.
 */
#ifndef QUEUE_TENANT_H
#define QUEUE_TENANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "queue/flow.h"

enum { TENANT_NAME = 40 };

/* What a tenant may use; 0: no limit. */
struct tenant_limits {
	uint64_t running, queued;	/* jobs */
	uint64_t stored;		/* bytes of stored matrices */
	uint64_t in_flight;		/* bytes of operands and results */
	uint64_t device_seconds;	/* a day, from midnight UTC */
	int urgency;			/* the most urgent priority that its
					 * jobs may have, 0 to 9 */
	unsigned weight;		/* its share of device time in relation
					 * to those of other tenants whose jobs
					 * wait, too; 0: as 1 */
};

/* What a tenant uses. */
struct tenant_use {
	uint64_t running, queued;	/* jobs: job_set_state() */
	uint64_t in_flight;		/* bytes: quota.h */
	int64_t day;			/* since 1970, of device_ns */
	int64_t device_ns;		/* quota_spent_ns() */
};

struct tenant {
	char name[TENANT_NAME];
	uint32_t number;		/* from 1 on; workers know it */
	struct tenant_limits limits;
	struct tenant_use use;
	unsigned connections;		/* that have sent its token: peers.h */
	unsigned streams;		/* of events: http/job_events.c */
	struct flow flow;		/* its waiting jobs: waiting.h */
	struct tenant *next;		/* of the table */
};

struct tenants;

struct tenants *tenants_new(struct err *e);
void tenants_free(struct tenants *t);

/* May a job of the tenant run beside those that run and `more` others? t may be
 * NULL: the house. */
bool tenant_may_run(const struct tenant *t, uint64_t more);

/* Returns the tenant of that name, which is made if it is new; NULL with
 * ERR_MEMORY. */
struct tenant *tenants_get(struct tenants *t, const char *name,
                           struct err *e);

/* The first tenant, then tenant->next, to NULL. */
struct tenant *tenants_first(const struct tenants *t);

#endif
