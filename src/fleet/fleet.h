/* fleet.h - the jobs that several hosts share through a PostgreSQL database.
 * docs/scale.md describes the protocol.
 *
 *     loop's thread                         the crew's threads (crew.h), each
 *                                           with a connection of its own
 *     fleet_accept() ─────▶ call.work() ──▶ one transaction
 *     then(arg, ...) ◀───── call.done() ◀── its COMMIT
 *     claim.c, leased.c, record.c ────────▶ claims, renewals, recorded ends
 *     listen.c ◀─────────────────────────── notifications (LISTEN)
 *
 * Each job of the fleet is a row of the table linalgd.job. In this process a
 * struct job stands for that row in one of two ways. A run is a job that this
 * host has claimed: the engine runs it like any other job (leased.c). A view is
 * a copy of the row from which a reply is made; no engine knows it (view.c).
 *
 * All functions must be called on the loop's thread. Every callback is called
 * on that thread, too, and never before the function that takes it has
 * returned.
 */
#ifndef FLEET_FLEET_H
#define FLEET_FLEET_H

#include "base/loop.h"
#include "base/pool.h"
#include "matrix/memory.h"
#include "queue/depot.h"

struct fleet;

struct fleet_options {
	struct loop *loop;
	struct memory_pool *memory;
	struct pool *codec;
	const char *url;		/* the database's */
	const char *name;		/* this host's, shown in replies and in
					 * the log */
	int64_t lease_ns, result_ttl_ns;
	int64_t store_ttl_ns;		/* as local_new()'s */
	uint64_t queue_limit;		/* jobs that may wait in the fleet */
	const char *shared_dir;		/* a directory that all hosts mount, for
					 * payloads of more than shared_above
					 * bytes; NULL: there is none */
	uint64_t shared_above;
	/* Called once, on the loop's thread, when the schema of the database is
	 * that of a newer version of linalgd, so that this host can never join
	 * the fleet. */
	void (*outdated)(void *arg, const struct err *e);
	void *arg;
};

/* Makes a fleet, without connecting to its database. NULL with ERR_PARAMETER if
 * the URL cannot be parsed. */
struct fleet *fleet_new(const struct fleet_options *o, struct err *e);

/* Registers this host and the engine's devices in the database, and begins to
 * claim jobs. While the database does not answer, the registration is repeated
 * every second. */
int fleet_start(struct fleet *f, struct engine *g, struct err *e);

/* Stops claiming jobs. */
void fleet_drain(struct fleet *f);

/* Leaves the fleet. Calls that were submitted are finished first, each with one
 * last attempt, and every callback is called. The engine must have drained.
 * Both functions take NULL, too. */
void fleet_close(struct fleet *f);
void fleet_free(struct fleet *f);

/* The fleet as a depot: jobs, stored matrices and saved pipelines. */
struct depot *fleet_depot(struct fleet *f);


#endif
