/* admit.c - see admit.h. Since a device runs one job at a time, and everything
 * else in its memory can be evicted, only the job's own need must fit. */
#include "ops/pipeline.h"
#include "ops/variant.h"
#include "queue/admit.h"
#include "queue/gang.h"

static bool can_run(const struct args *a, const struct sheet *s,
                    struct err *why_not)
{
	if (a->pipeline && s->type == DEVICE_CLUSTER) {
		err_set(why_not, ERR_PARAMETER, "%s computes single "
		        "operations, no pipelines", s->name);
		return false;
	}
	return (!a->pipeline || pipeline_fit(a->pipeline, s, why_not) == 0) &&
	       variant_for(a, NULL, s, why_not);
}

/* The devices that are clusters. */
static uint64_t clusters(const struct sheet *const *sheets, int n)
{
	uint64_t bits = 0;

	for (int i = 0; i < n; i++)
		if (sheets[i]->type == DEVICE_CLUSTER)
			bits |= UINT64_C(1) << i;
	return bits;
}

/* Returns those of the devices that can run the call; *why_not is the last
 * reason why one cannot, a cluster's only if there is no other device. */
static uint64_t able(const struct args *a, uint64_t devices,
                     const struct sheet *const *sheets, int n,
                     struct err *why_not)
{
	uint64_t left = 0;

	for (int i = 0; i < n; i++) {
		if (!(devices >> i & 1))
			continue;
		if (sheets[i]->type != DEVICE_CLUSTER)
			*why_not = (struct err){ 0 };
		if (can_run(a, sheets[i], why_not))
			left |= UINT64_C(1) << i;
	}
	return left;
}

/* Has the job run on `parts` devices together, if so many can; else *why_not
 * says why not, and the job stays as it is. */
static bool admit_gang(struct job *j, int parts,
                       const struct sheet *const *sheets, int n,
                       struct err *why_not)
{
	struct args part = j->args;
	struct gang_plan g;
	uint64_t devices;

	if (!gang_plan(&j->args, parts, &g))
		return false;
	part.gang = (struct gang){ .parts = parts, .width = g.width };
	devices = able(&part, j->devices & ~clusters(sheets, n), sheets, n,
	               why_not);
	if (__builtin_popcountll(devices) < parts) {
		if (!why_not->code)
			err_set_at(why_not, ERR_PARAMETER, "/devices", "%s: %d "
			           "devices shall compute together, but the "
			           "request allows only %d that can",
			           j->args.op->name, parts,
			           __builtin_popcountll(devices));
		return false;
	}
	j->devices = devices;
	j->gang = parts;
	return true;
}

/* Given devices that can run the call, returns those that can only do so by a
 * variant that streams: its matrices do not fit into their memory. */
static uint64_t streaming(const struct args *a, uint64_t devices,
                          const struct sheet *const *sheets, int n)
{
	uint64_t bits = 0;

	for (int i = 0; i < n; i++)
		if ((devices >> i & 1) &&
		    variant_for(a, NULL, sheets[i], &(struct err){ 0 })->
		    streams)
			bits |= UINT64_C(1) << i;
	return bits;
}

/* Finds the fewest devices that can hold together what none holds alone. */
static bool admit_fewest(struct job *j, const struct sheet *const *sheets,
                         int n)
{
	struct err why_not = { 0 };

	for (int parts = 2; parts <= n; parts++)
		if (admit_gang(j, parts, sheets, n, &why_not))
			return true;
	return false;
}

int admit_devices(struct job *j, const struct sheet *const *sheets, int n,
                  struct err *e)
{
	const uint64_t last = clusters(sheets, n);
	const int asked = gang_asked(&j->args);
	struct err why_not = { 0 };
	uint64_t devices = 0, whole;

	if (asked > 1 && admit_gang(j, asked, sheets, n, &why_not))
		return 0;
	if (asked <= 1)
		devices = able(&j->args, j->devices, sheets, n, &why_not);
	whole = devices & ~streaming(&j->args, devices, sheets, n);
	if (whole & ~last)
		devices = whole & ~last;
	else if (asked == 0 && (devices & ~whole ||
	                        why_not.code == ERR_TOO_LARGE) &&
	         admit_fewest(j, sheets, n))
		return 0;
	else if (whole)
		devices = whole;
	if (!devices && !why_not.code)
		err_set(&why_not, ERR_PARAMETER, "no device of this service "
		        "was named");
	j->devices = devices;
	return devices ? 0 : err_set_at(e, why_not.code, why_not.pointer,
	                                "%s", why_not.text);
}
