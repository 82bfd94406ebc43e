/* cgroup.h - the memory and the processor time that control groups leave this
 * process: the least of what its own group and every group above it allow.
 *
 * systemd's MemoryMax= and CPUQuota=, Docker's --memory and --cpus, and
 * Kubernetes' limits are all limits of control groups. Both versions are read,
 * wherever they are mounted, with or without a namespace of control groups.
 */
#ifndef BASE_CGROUP_H
#define BASE_CGROUP_H

#include <stdint.h>

struct cgroup_limits {
	uint64_t memory;		/* bytes; UINT64_MAX: no limit */
	double cpus;			/* processors; INFINITY: no limit */
};

/* Reads the limits. root is put before all paths and is "" outside of tests. A
 * file that cannot be read sets no limit. */
struct cgroup_limits cgroup_read(const char *root);

#endif
