/* worker.c - a worker's command line, its environment and its start. */
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host.h"
#include "base/size.h"
#include "base/usage.h"
#include "ops/tuning.h"
#include "worker/cluster.h"
#include "worker/measure.h"
#include "worker/sandbox.h"
#include "worker/serve.h"
#include "worker/worker.h"

enum { POOL_BYTES = 256 << 20 };

/* Bytes of mappings that are kept. On devices with memory of their own a call's
 * time depends noticeably on mapping, and such hosts have memory enough:
 * MAPPED_BARE, or 1 / MAPPED_SHARE of the host's memory if that is more. */
enum { MAPPED = 256 << 20, MAPPED_BARE = 1 << 30, MAPPED_SHARE = 32 };

static size_t mapped_most(bool bare)
{
	return bare ? size_max(MAPPED_BARE, host_memory() / MAPPED_SHARE) :
	              MAPPED;
}

struct start {
	bool list, measure, bare;
	int device, socket, slab, control, share, shares, workers;
	const char *cache, *compile, *cluster;
};

static int parse(int argc, char **argv, struct start *o, struct err *e)
{
	static const struct option options[] = {
		{ "list", no_argument, NULL, 'l' },
		{ "measure", no_argument, NULL, 'p' },
		{ "compile", required_argument, NULL, 'x' },
		{ "share", required_argument, NULL, 'y' },
		{ "device", required_argument, NULL, 'd' },
		{ "socket", required_argument, NULL, 's' },
		{ "slab", required_argument, NULL, 'm' },
		{ "control", required_argument, NULL, 'c' },
		{ "cache", required_argument, NULL, 'k' },
		{ "workers", required_argument, NULL, 'w' },
		{ "cluster", required_argument, NULL, 'n' },
		{ "sandbox", required_argument, NULL, 'b' },
		{ 0 }
	};
	int *const number[] = {
		['d'] = &o->device, ['s'] = &o->socket, ['m'] = &o->slab,
		['c'] = &o->control, ['w'] = &o->workers,
	};
	int c;

	optind = 1;
	opterr = 0;
	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0)
		if (c == 'l')
			o->list = true;
		else if (c == 'p')
			o->measure = true;
		else if (c == 'b')
			o->bare = strcmp(optarg, "off") == 0;
		else if (c == 'x')
			o->compile = optarg;
		else if (c == 'y')
			sscanf(optarg, "%d/%d", &o->share, &o->shares);
		else if (c == 'k')
			o->cache = optarg;
		else if (c == 'n')
			o->cluster = optarg;
		else if (c == '?')
			return err_set(e, ERR_PARAMETER, "worker: %s: no such "
			               "option, or its value is missing",
			               argv[optind - 1]);
		else
			*number[c] = atoi(optarg);
	if (!o->list && !o->measure && !o->compile &&
	    (o->socket < 0 || o->slab < 0 || o->control < 0))
		return err_set(e, ERR_PARAMETER, "worker: linalgd serve starts "
		               "it, with --socket, --slab and --control");
	return 0;
}

/* Sets the environment variable to a directory below the cache. */
static void set_directory(const char *variable, const char *cache,
                          const char *name, int device, bool replace)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s-%d", cache, name, device);
	mkdir(path, 0700);
	setenv(variable, path, replace);
}

/* OpenBLAS, which ops/eigen/lapack.h may load, takes all processors unless the
 * environment limits it, and its idle threads would spin for 30 ms; 2^20 cycles
 * are less than 1 ms. */
static void limit_openblas(const struct start *o)
{
	const long share = sysconf(_SC_NPROCESSORS_ONLN) /
	                   (o->workers > 1 ? o->workers : 1);
	char threads[24];

	snprintf(threads, sizeof threads, "%ld", share > 1 ? share : 1);
	setenv("OPENBLAS_NUM_THREADS", threads, 0);
	setenv("OPENBLAS_THREAD_TIMEOUT", "20", 0);
}

/* Sets what OpenCL platforms read when they start. OpenCL layers are disabled,
 * as they would load any code into this process; PoCL's cache is private to a
 * device, as one process at a time may use it. */
static void set_environment(const struct start *o)
{
	const char *cache = o->cache;

	unsetenv("OPENCL_LAYERS");
	unsetenv("OPENCL_LAYER_PATH");
	unsetenv("POCL_MEMORY_LIMIT");
	if (o->compile) {
		setenv("POCL_AFFINITY", "0", 1);
		return;			/* the rest stays as inherited */
	}
	setenv("POCL_AFFINITY", "1", 0);
	limit_openblas(o);
	if (!cache)
		return;
	mkdir(cache, 0700);
	set_directory("POCL_CACHE_DIR", cache,
	              o->measure ? "pocl-measure" : "pocl", o->device, true);
	set_directory("CUDA_CACHE_PATH", cache, "cuda", o->device, false);
}

/* The directory without --cache (as for --list): PoCL finds no device where it
 * cannot write, and a service has no home directory. systemd sets the second
 * variable. */
static const char *default_cache(void)
{
	const char *cache = getenv("LINALGD_CACHE");

	return cache ? cache : getenv("CACHE_DIRECTORY");
}

static int write_list(const struct sheet *sheets, int n, struct err *e)
{
	if (io_write_all(STDOUT_FILENO, &n, sizeof n) < 0
	    || io_write_all(STDOUT_FILENO, sheets,
	                    (size_t)n * sizeof sheets[0]) < 0)
		return err_set(e, ERR_INTERNAL, "cannot write the list");
	return 0;
}

static int list(const struct start *o, struct err *e)
{
	static struct sheet sheets[SHEETS];
	int n = device_list(sheets, e);

	for (int i = 0; i < n; i++)
		measure_recall(&sheets[i], o->cache);
	return n < 0 ? -1 : write_list(sheets, n, e);
}

static int measure(const struct start *o, struct err *e)
{
	struct device *d = device_open(o->device, NULL, e);
	struct sheet s;
	int rc;

	if (!d)
		return -1;
	s = *device_sheet(d);
	rc = measure_peaks(d, &s.peaks, e);
	device_close(d);
	if (rc == 0 && o->cache)
		rc = measure_keep(&s, o->cache, e);
	return rc < 0 ? -1 : write_list(&s, 1, e);
}

/* Makes the process end with its parent, and be the first that the kernel kills
 * when memory runs out. */
static void tie_to_parent(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (fd < 0)
		return;
	io_write_all(fd, "500", 3);
	close(fd);
}

/* Keeps the descriptors from the processes that this one starts. */
static void keep_files(const struct start *o)
{
	const int files[] = { o->socket, o->slab, o->control };

	for (size_t i = 0; i < COUNT(files); i++)
		fcntl(files[i], F_SETFD, FD_CLOEXEC);
}

int worker_open(struct worker *w, int device, const char *cache,
                struct err *e)
{
	w->pool = memory_pool_new(POOL_BYTES, e);
	w->device = w->pool ? device_open(device, cache, e) : NULL;
	if (!w->device)
		return -1;
	w->direct = device_open_direct(w->device, cache);
	w->sheet = *device_sheet(w->device);
	tuning_recall(&w->tuning, &w->sheet, cache);
	return 0;
}

/* A device on which local memory cannot be shown to be cleared is used all the
 * same. Its log says so. */
static void try_wiping(struct worker *w)
{
	struct err e = { 0 };

	w->wipes = device_wipe(w->device, &e) == 0;
	if (!w->wipes)
		fprintf(stderr, "local memory is not cleared between tenants: "
		        "%s\n", e.text);
}

/* The front's --compile-ahead, which it sets in the environment. */
static bool compiles_ahead(void)
{
	const char *const ahead = getenv("LINALGD_COMPILE_AHEAD");

	return !ahead || strcmp(ahead, "off") != 0;
}

static int open_all(struct worker *w, const struct start *o, struct err *e)
{
	void *page;

	w->socket = o->socket;
	page = mmap(NULL, sizeof *w->control, PROT_READ | PROT_WRITE,
	            MAP_SHARED, o->control, 0);
	if (page == MAP_FAILED)
		return err_set(e, ERR_INTERNAL, "mapping the control page");
	w->control = page;
	w->slab.results = w->control->results;
	w->slab.results_bytes = sizeof w->control->results;
	if (beat_start(w->control, e) < 0 || slab_map(&w->slab, o->slab, e) < 0)
		return -1;
	w->slab.mappings = &w->mappings;
	if (worker_open(w, o->device, o->cache, e) < 0)
		return -1;
	device_meter(w->device, &w->control->memory);
	if (w->direct)
		device_meter(w->direct, &w->control->memory);
	w->mappings.bare = !w->sheet.unified_memory;
	w->mappings.most = mapped_most(w->mappings.bare);
	measure_recall(&w->sheet, o->cache);
	if (canary_sing(w, e) < 0)
		return -1;
	try_wiping(w);
	w->compilers.device = w->device;
	w->compilers.direct = w->direct;
	w->compilers.cache = o->cache;
	w->ahead = compiles_ahead();
	if (w->ahead)
		compilers_start(&w->compilers, "usual");
	cold_watch(w);
	return 0;
}

static int compile(const struct start *o, struct err *e)
{
	const struct compiler_options c = {
		.device = o->device, .socket = o->socket, .what = o->compile,
		.cache = o->cache, .share = o->share, .shares = o->shares,
	};

	tie_to_parent();
	return compilers_main(&c, e);
}

/* Confines this process before it loads any driver. A kernel or a container
 * that lacks a protection is told in the log, which has this process's standard
 * error. */
static void confine(const struct start *o)
{
	char missing[128];
	unsigned in_force;

	if (o->bare)
		return;
	if (o->cache)
		setenv("TMPDIR", o->cache, 1);
	in_force = sandbox_enter(o->cache);
	if (in_force != SANDBOX_ALL)
		fprintf(stderr, "the worker runs without protection of %s\n",
		        sandbox_missing(in_force, missing, sizeof missing));
}

static int serve(const struct start *o, struct err *e)
{
	static struct worker w;
	int status = WORKER_NO_START;

	tie_to_parent();
	keep_files(o);
	if (o->cluster && *o->cluster)
		return cluster_run(&(const struct cluster_options){
			.command = o->cluster, .device = o->device,
			.socket = o->socket, .slab = o->slab,
			.control = o->control });
	confine(o);
	if (open_all(&w, o, e) == 0) {
		status = worker_serve(&w);
	} else {
		const struct ready r = { .err = *e };

		io_send(o->socket, &r, sizeof r, NULL, 0, &(struct err){ 0 });
	}
	return status;
}

int worker_main(int argc, char **argv)
{
	struct start o = { .socket = -1, .slab = -1, .control = -1,
	                   .shares = 1 };
	struct err e = { 0 };
	int status = WORKER_NO_START;
	bool wrong;

	o.cache = default_cache();
	wrong = parse(argc, argv, &o, &e) < 0;
	if (!wrong) {
		set_environment(&o);
		status = o.list ? list(&o, &e) < 0 :
		         o.measure ? measure(&o, &e) < 0 :
		         o.compile ? compile(&o, &e) < 0 : serve(&o, &e);
	}
	if (e.code == ERR_NONE)
		return status;
	usage_complain("%s", e.text);
	return wrong ? STATUS_USAGE : status;
}
