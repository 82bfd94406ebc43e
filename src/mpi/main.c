/* main.c - linalgd-mpi: computes problems that are too large for one device by
 * ScaLAPACK, on all processes that MPI has started. `linalgd serve --mpi`
 * starts it.
 *
 *     front.c     process 0 and the front
 *     work.c      one call, in all processes: lu.c, solve.c, matmul.c, eigen.c
 *     dist.c      a matrix over the processes; travel.c hands it out
 *     routines.c  ScaLAPACK; measure.c: what it has no routine for
 *     grid.c      the processes
 */
#include <dlfcn.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/host.h"
#include "mpi/front.h"
#include "mpi/sheet.h"
#include "mpi/work.h"

static const char help[] =
	"usage: mpirun [OPTION...] linalgd-mpi --front NAME\n"
	"\n"
	"Computes lu, solve, matmul and symmetric eigen for linalgd by\n"
	"ScaLAPACK, on all processes together. linalgd starts it, and adds\n"
	"the option --front:\n"
	"\n"
	"    linalgd serve --mpi \"mpirun -n 4 linalgd-mpi\"\n";

/* Returns the name of the front, or NULL after a message. */
static const char *parse(int argc, char **argv, int *status)
{
	static const struct option options[] = {
		{ "front", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ 0 }
	};
	const char *front = NULL;
	int c;

	*status = 2;
	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0)
		if (c == 'f') {
			front = optarg;
		} else if (c == 'v' || c == 'h') {
			fputs(c == 'v' ? "linalgd-mpi " VERSION "\n" : help,
			      stdout);
			*status = 0;
			return NULL;
		} else {
			return NULL;
		}
	if (!front || optind < argc)
		fputs(help, stderr);
	return optind < argc ? NULL : front;
}

/* A process that its parent leaves behind, mpirun or a daemon of it or of
 * Slurm's, ends. It gains no privileges, and writes no operands to a core
 * file. */
static void restrict_self(void)
{
	const struct rlimit none = { 0, 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	setrlimit(RLIMIT_CORE, &none);
}

/* Limits OpenBLAS to this process's part of the processors, unless the user has
 * said how many; returns the number of threads. */
static int share_processors(void)
{
	const int each = (int)(host_cpus() / sheet_sharers());
	const int threads = each > 1 ? each : 1;
	void *const found = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
	void (*set)(int threads);

	if (getenv("OPENBLAS_NUM_THREADS") || !found)
		return threads;
	memcpy(&set, &found, sizeof set);
	set(threads);
	return threads;
}

static void follow(const struct ranks *g)
{
	struct work w = { .g = g };

	for (;;) {
		grid_tell(g, &w.order, sizeof w.order);
		if (w.order.kind == WORK_END)
			return;
		work_of_kind(w.order.kind)->run(&w);
	}
}

/* In process 0; -1 if the service cannot begin. */
static int lead(struct front *f, const struct sheet *s, const struct err *why)
{
	struct order end = { .kind = WORK_END };
	struct err e = { 0 };

	if (front_tell_ready(f, s, why, &e)) {
		fprintf(stderr, "linalgd-mpi: %s\n", e.text);
		return -1;
	}
	if (!why->code)
		front_serve(f);
	grid_tell(f->grid, &end, sizeof end);
	return 0;
}

/* Ends all processes. */
static int give_up(const struct err *e)
{
	fprintf(stderr, "linalgd-mpi: %s\n", e->text);
	MPI_Abort(MPI_COMM_WORLD, 1);
	return 1;
}

static int serve(const char *name)
{
	const int threads = share_processors();
	static struct front f;
	struct err e = { 0 };
	struct sheet s;
	struct ranks g;
	int rc = 0;

	grid_init(&g);
	if (grid_is_first(&g) && front_open(&f, name, &g, &e))
		return give_up(&e);
	sheet_of_grid(&g, f.index, threads, &s);
	sheet_canary(&g, &e);
	if (grid_is_first(&g))
		rc = lead(&f, &s, &e);
	else
		follow(&g);
	if (rc < 0)
		return give_up(&e);
	grid_fini(&g);
	return 0;
}

int main(int argc, char **argv)
{
	int status, provided;
	const char *const front = parse(argc, argv, &status);

	if (!front)
		return status;
	restrict_self();
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	status = serve(front);
	MPI_Finalize();
	return status;
}
