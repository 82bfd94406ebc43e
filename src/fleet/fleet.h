/* fleet.h - the jobs that several hosts share through a PostgreSQL database.
 * docs/scale.md describes the protocol.
 *
 *     loop's thread                         the crew's threads (crew.h), each
 *                                           with a connection of its own
 *     fleet_enqueue() ────▶ call.work() ──▶ one transaction
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
#include "wire/sheet.h"

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

/* Does the database answer? If not, *e is ERR_STATE with the reason. */
bool fleet_is_well(const struct fleet *f, struct err *e);

struct fleet_counts {
	/* Totals of this host since its start: */
	uint64_t claimed;		/* jobs claimed, each a run */
	uint64_t recorded;		/* runs whose end was recorded */
	uint64_t fenced;		/* runs whose end was refused, because
					 * their lease was lost */
	uint64_t abandoned;		/* runs stopped, because their lease was
					 * lost */
	uint64_t given_back;		/* runs given back, so that another host
					 * can claim their job */
	uint64_t accepted;		/* jobs accepted from clients */
	uint64_t fetched;		/* stored matrices whose elements were
					 * read from the database */
	uint64_t cached;		/* uses of stored matrices for which
					 * this host's copy served */
	uint64_t evicted;		/* copies that made room */
	/* At this moment: */
	uint64_t waiting;		/* waiting jobs of the whole fleet, as
					 * of the last count (beats.c) */
	uint64_t running;		/* leases that this host holds */
	uint64_t copies, copy_bytes;	/* of stored matrices */
};
struct fleet_counts fleet_counts(const struct fleet *f);

enum { FLEET_HOST = 256 };	/* bytes of a host's name, with its NUL */

struct fleet_device {
	int index;			/* on its host */
	enum device_type type;
	char name[SHEET_NAME];
	bool float64;
	uint64_t memory;		/* bytes that jobs may use */
};

struct fleet_host {
	char name[FLEET_HOST];
	int64_t seen_ns;		/* clock_ns() at which the database
					 * last heard of it */
	int64_t leased;			/* jobs of the fleet that it ran then;
					 * -1: it does not tell, because it is
					 * of an older version */
	const struct fleet_device *device;
	int devices;
};

/* The hosts that the database had heard of within a lease before read_ns, by
 * clock_ns(), when this host last read them. */
struct fleet_hosts {
	int64_t read_ns;
	int n;
	struct fleet_host host[];
};

/* Returns them, this host among them, or NULL if they have not been read yet.
 * They are valid until the loop's next turn. */
const struct fleet_hosts *fleet_hosts(const struct fleet *f);

/* This host's name. */
const char *fleet_name(const struct fleet *f);

/* Writes a job, whose operands are ready, to the database, where it waits for a
 * host to claim it. `device` is the device that its request selects. `local` is
 * ERR_NONE if a device of this host can run the job, else the reason why none
 * can; this reason becomes the job's error if no other host can run it, either.
 *
 * then(arg, old, e): without an error, the job has been accepted if old is "";
 * otherwise `old` is the id of an earlier job with the same Idempotency-Key,
 * which serves this request, too. Errors are ERR_KEY_REUSED, ERR_BUSY,
 * ERR_QUOTA, ERR_STATE and the local one. The fleet refers to the job until
 * then() has been called. After -1, then() is not called. */
int fleet_enqueue(struct fleet *f, struct job *j, const char *device,
                  const struct err *local,
                  void (*then)(void *arg, const char *old,
                               const struct err *e), void *arg,
                  struct err *e);

#endif
