/* hosts.h - what a host of a fleet knows of it (depot.h): counts of jobs and
 * stored matrices, and the hosts. */
#ifndef QUEUE_HOSTS_H
#define QUEUE_HOSTS_H

#include "wire/sheet.h"

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
					 * of the last count */
	uint64_t running;		/* leases that this host holds */
	uint64_t copies, copy_bytes;	/* of stored matrices */
	bool shares;			/* the host has a --shared-dir */
	bool sees_shared;		/* and finds its marker there */
};

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

#endif
