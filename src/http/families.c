/* families.c - see families.h.
 *
 * No label has a client's text as its value: values are names of operations,
 * stages, kernels, routes and errors, numbers of devices, and the names that
 * OpenCL gives for devices. So the number of samples is bounded.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/process.h"
#include "base/size.h"
#include "http/families.h"
#include "http/fleet_families.h"
#include "http/route.h"
#include "http/samples.h"
#include "http/shares.h"
#include "wire/sheet_text.h"

static bool is_empty(const struct histogram *h)
{
	static const struct histogram none;

	return memcmp(h->count, none.count, sizeof none.count) == 0;
}

/* --- jobs and kernels: see queue/tally.h */

static int count_ops(const struct scrape *s)
{
	(void)s;
	return TALLY_OPS;
}

static const char *outcome(enum err_code code)
{
	return code == ERR_NONE ? job_state_name(JOB_SUCCESSFUL) :
	       err_slug(code);
}

static void print_jobs(struct scrape *s, int op)
{
	const struct tally *t = engine_tally(s->engine);

	for (int i = 0; i < TALLY_PLACES; i++)
		for (enum err_code c = 0; c < ERR_COUNT; c++) {
			if (!t->jobs[op][i][c])
				continue;
			label(s, "op", tally_op_name(op));
			if (i == TALLY_NOWHERE)
				label(s, "device", "none");
			else
				label_number(s, "device", i);
			label(s, "outcome", outcome(c));
			put_count(s, t->jobs[op][i][c]);
		}
}

static void print_stages(struct scrape *s, int op)
{
	const struct tally *t = engine_tally(s->engine);

	for (enum stage i = 0; i < STAGE_COUNT; i++) {
		if (is_empty(&t->stage[op][i]))
			continue;
		label(s, "op", tally_op_name(op));
		label(s, "stage", stage_name(i));
		put_histogram(s, tally_stage_bounds, &t->stage[op][i]);
	}
}

static int count_kernels(const struct scrape *s)
{
	(void)s;
	return tally_kernel_count();
}

static void print_kernel(struct scrape *s, int k)
{
	const struct tally *t = engine_tally(s->engine);

	for (int i = 0; i < engine_devices(s->engine); i++) {
		const int device = engine_sheet(s->engine, i)->index;
		const struct histogram *h = tally_kernel(t, k, device);

		if (is_empty(h))
			continue;
		label(s, "kernel", tally_kernel_name(k));
		label_number(s, "device", device);
		put_histogram(s, tally_kernel_bounds, h);
	}
}

static void print_depth(struct scrape *s, int part)
{
	(void)part;
	put_count(s, engine_waiting(s->engine));
}

static void print_limit(struct scrape *s, int part)
{
	(void)part;
	put_count(s, engine_queue_limit(s->engine));
}

/* --- devices */

static int count_devices(const struct scrape *s)
{
	return engine_devices(s->engine);
}

static void label_device(struct scrape *s, int i)
{
	label_number(s, "device", engine_sheet(s->engine, i)->index);
}

static void print_running(struct scrape *s, int i)
{
	label_device(s, i);
	put_number(s, engine_device(s->engine, i).running);
}

static void print_healthy(struct scrape *s, int i)
{
	label_device(s, i);
	put_count(s, engine_device(s->engine, i).healthy);
}

static void print_restarts(struct scrape *s, int i)
{
	label_device(s, i);
	put_count(s, engine_device(s->engine, i).losses);
}

static void print_device_memory(struct scrape *s, int i)
{
	const uint64_t all = engine_sheet(s->engine, i)->global_memory_bytes;
	const uint64_t used = engine_device(s->engine, i).memory;

	label_device(s, i);
	put_state(s, "used", used);
	label_device(s, i);
	put_state(s, "free", all - used);
}

static void print_device(struct scrape *s, int i)
{
	const struct sheet *sheet = engine_sheet(s->engine, i);

	label_device(s, i);
	label(s, "name", sheet->name);
	label(s, "platform", sheet->platform);
	label(s, "driver", sheet->driver);
	label(s, "type", sheet_type_name(sheet->type));
	put_count(s, 1);
}

/* --- the front's requests and memory */

static int count_routes(const struct scrape *s)
{
	return s->api->requests.routes + 1;
}

static void print_requests(struct scrape *s, int route)
{
	const struct requests *r = &s->api->requests;
	const struct route *at = route < r->routes ? &s->api->routes[route] :
	                         NULL;

	for (int status = 0; status < REQUEST_STATUSES; status++) {
		if (!r->answered[route][status])
			continue;
		label(s, "route", at ? at->path : "none");
		label(s, "method", at ? method_name(at->method) : "none");
		label_number(s, "status", status);
		put_count(s, r->answered[route][status]);
	}
}

static int count_errors(const struct scrape *s)
{
	(void)s;
	return ERR_COUNT;
}

static void print_refused(struct scrape *s, int code)
{
	if (code == ERR_NONE)
		return;
	label(s, "reason", err_slug((enum err_code)code));
	put_count(s, s->api->requests.refused[code]);
}

/* Families of one sample without labels, a count. */
#define COUNTS(X)                                                  \
	X(received, s->api->requests.received)                     \
	X(sent, s->api->requests.sent)                             \
	X(stored, store_count(s->api->options.depot->store))       \
	X(stored_bytes, store_bytes(s->api->options.depot->store)) \
	X(shares, shares_count(s->api->shares))                    \
	X(share_bytes, shares_bytes(s->api->shares))

#define X(what, count)                                    \
	static void print_##what(struct scrape *s, int part)  \
	{                                                     \
		(void)part;                                   \
		put_count(s, count);                          \
	}
COUNTS(X)
#undef X

static void print_host_memory(struct scrape *s, int part)
{
	const struct memory_pool *p = s->api->options.memory;
	const size_t used = memory_pool_used(p), all = memory_pool_limit(p);
	const size_t taken = size_max(memory_pool_taken(p), used);

	(void)part;
	put_state(s, "used", used);
	put_state(s, "spare", taken - used);
	put_state(s, "free", all > taken ? all - taken : 0);
}

static void print_build(struct scrape *s, int part)
{
	(void)part;
	label(s, "version", VERSION);
	put_count(s, 1);
}

#define PROCESS(X)     \
	X(start_seconds)   \
	X(cpu_seconds)     \
	X(resident_bytes)  \
	X(virtual_bytes)   \
	X(open_fds)        \
	X(max_fds)         \
	X(threads)

#define X(what)                                           \
	static void print_##what(struct scrape *s, int part)  \
	{                                                     \
		(void)part;                                   \
		put_number(s, process_##what());              \
	}
PROCESS(X)
#undef X

const struct family families[] = {
	{ { "linalgd_jobs_total", METRIC_COUNTER,
	    "Jobs that ended, by operation, the device that ran them (none:"
	    " no device did; the first of several), and outcome: "
	    "successful, dismissed, or the kind of problem that they failed"
	    " with." },
	  print_jobs, count_ops },
	{ { "linalgd_job_duration_seconds", METRIC_HISTOGRAM,
	    "How long the stages of ended jobs took, each of the jobs that "
	    "reached it; total is from the request's first byte to the "
	    "job's end." },
	  print_stages, count_ops },
	{ { "linalgd_kernel_duration_seconds", METRIC_HISTOGRAM,
	    "How long launches of kernels took on a device, for requests "
	    "with timing=full, the default. Of a kernel's launches in one "
	    "job the shortest and the longest count as they were, the "
	    "others with their mean." },
	  print_kernel, count_kernels },
	{ { "linalgd_queue_depth", METRIC_GAUGE,
	    "Jobs that wait for a device or are being prepared." },
	  print_depth, NULL },
	{ { "linalgd_queue_limit", METRIC_GAUGE,
	    "How many of them there may be (--queue-limit)." },
	  print_limit, NULL },
	{ { "linalgd_jobs_running", METRIC_GAUGE,
	    "Jobs that a device was given." },
	  print_running, count_devices },
	{ { "linalgd_rejected_total", METRIC_COUNTER,
	    "Requests that were refused without a job, by the kind of "
	    "problem (GET /problems); probes of health do not count." },
	  print_refused, count_errors },
	{ { "linalgd_device_healthy", METRIC_GAUGE,
	    "1 if the device takes jobs, 0 while its worker starts or is "
	    "silent." },
	  print_healthy, count_devices },
	{ { "linalgd_device_memory_bytes", METRIC_GAUGE,
	    "A device's memory, used or free, by linalgd's own account; on "
	    "a device that shares the host's memory, used is scratch memory"
	    " alone." },
	  print_device_memory, count_devices },
	{ { "linalgd_device_info", METRIC_INFO,
	    "What a device is." },
	  print_device, count_devices },
	{ { "linalgd_worker_restarts_total", METRIC_COUNTER,
	    "How often a device's worker process ended and was started "
	    "again." },
	  print_restarts, count_devices },
	{ { "linalgd_host_memory_bytes", METRIC_GAUGE,
	    "The memory of --host-memory: used by operands, results and "
	    "stored matrices, spare for the next ones, or free." },
	  print_host_memory, NULL },
	{ { "linalgd_stored_matrices", METRIC_GAUGE,
	    "Stored matrices." },
	  print_stored, NULL },
	{ { "linalgd_stored_bytes", METRIC_GAUGE,
	    "The memory of the stored matrices." },
	  print_stored_bytes, NULL },
	{ { "linalgd_shares", METRIC_GAUGE,
	    "Pieces of memory that clients share." },
	  print_shares, NULL },
	{ { "linalgd_share_bytes", METRIC_GAUGE,
	    "The memory that clients share." },
	  print_share_bytes, NULL },
	{ { "linalgd_http_requests_total", METRIC_COUNTER,
	    "Requests by route, its method (HEAD counts as GET) and status;"
	    " 499: the client left before the reply." },
	  print_requests, count_routes },
	{ { "linalgd_http_received_bytes_total", METRIC_COUNTER,
	    "Bytes of requests' bodies." },
	  print_received, NULL },
	{ { "linalgd_http_sent_bytes_total", METRIC_COUNTER,
	    "Bytes of replies' bodies." },
	  print_sent, NULL },
	{ { "linalgd_fleet_ready", METRIC_GAUGE,
	    "With --queue: 1 while the fleet's database answers, else 0." },
	  fleet_print_ready, fleet_parts },
	{ { "linalgd_fleet_jobs", METRIC_GAUGE,
	    "Jobs of the fleet: waiting for any host, or leased to this "
	    "one." },
	  fleet_print_jobs, fleet_parts },
	{ { "linalgd_fleet_accepted_total", METRIC_COUNTER,
	    "Jobs of the fleet that this host has accepted." },
	  fleet_print_accepted, fleet_parts },
	{ { "linalgd_fleet_spilled_total", METRIC_COUNTER,
	    "Of these, jobs of synchronous requests for which this host's "
	    "queue was full." },
	  fleet_print_spilled, fleet_parts },
	{ { "linalgd_fleet_runs_total", METRIC_COUNTER,
	    "Runs of the fleet's jobs on this host: begun, recorded with "
	    "their end, fenced because that came too late, abandoned "
	    "because the lease was lost, given back to other hosts." },
	  fleet_print_runs, fleet_parts },
	{ { "linalgd_fleet_matrices_total", METRIC_COUNTER,
	    "Stored matrices of the fleet: fetched from the database, used "
	    "as the copy that this host has, evicted to make room." },
	  fleet_print_matrices, fleet_parts },
	{ { "linalgd_fleet_copies", METRIC_GAUGE,
	    "Stored matrices of the fleet of which this host has a copy." },
	  fleet_print_copies, fleet_parts },
	{ { "linalgd_fleet_copy_bytes", METRIC_GAUGE,
	    "The bytes of these copies." },
	  fleet_print_copy_bytes, fleet_parts },
	{ { "linalgd_fleet_shared_directory", METRIC_GAUGE,
	    "1 while this host sees the fleet's shared directory; only with "
	    "--shared-dir." },
	  fleet_print_shared, fleet_shares },
	{ { "linalgd_fleet_hosts", METRIC_GAUGE,
	    "Hosts that the fleet's database has heard of within a lease; "
	    "not there while it does not answer." },
	  fleet_print_hosts, fleet_known },
	{ { "linalgd_fleet_devices", METRIC_GAUGE,
	    "The devices of these hosts, by type." },
	  fleet_print_devices, fleet_known },
	{ { "linalgd_build_info", METRIC_INFO,
	    "The version that runs." },
	  print_build, NULL },
	{ { "process_start_time_seconds", METRIC_GAUGE,
	    "When the service started, in seconds since 1970." },
	  print_start_seconds, NULL },
	{ { "process_cpu_seconds_total", METRIC_COUNTER,
	    "Processor time of the service without its workers." },
	  print_cpu_seconds, NULL },
	{ { "process_resident_memory_bytes", METRIC_GAUGE,
	    "Resident memory of the service without its workers." },
	  print_resident_bytes, NULL },
	{ { "process_virtual_memory_bytes", METRIC_GAUGE,
	    "Address space of the service without its workers." },
	  print_virtual_bytes, NULL },
	{ { "process_open_fds", METRIC_GAUGE,
	    "Open file descriptors." },
	  print_open_fds, NULL },
	{ { "process_max_fds", METRIC_GAUGE,
	    "The limit of open file descriptors." },
	  print_max_fds, NULL },
	{ { "process_threads", METRIC_GAUGE,
	    "Threads of the service without its workers." },
	  print_threads, NULL },
	{ .print = NULL },
};
