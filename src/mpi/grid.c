/* grid.c - see grid.h. */
#include <math.h>
#include <stdint.h>
#include <time.h>

#include "base/size.h"
#include "mpi/blacs.h"
#include "mpi/grid.h"

/* MPI counts elements in an int. */
enum { MOST = 1 << 30 };

/* The longest sleep of a process that waits for the next call. */
static const int64_t sleep_ns = 2000000;

void grid_init(struct ranks *g)
{
	*g = (struct ranks){ .rows = 1 };
	MPI_Comm_size(MPI_COMM_WORLD, &g->size);
	MPI_Comm_rank(MPI_COMM_WORLD, &g->rank);
	for (int r = 1; r * r <= g->size; r++)
		if (g->size % r == 0)
			g->rows = r;
	g->cols = g->size / g->rows;
	Cblacs_get(-1, 0, &g->context);
	Cblacs_gridinit(&g->context, "Row", g->rows, g->cols);
	Cblacs_gridinfo(g->context, &g->rows, &g->cols, &g->row, &g->col);
}

void grid_fini(struct ranks *g)
{
	Cblacs_gridexit(g->context);
}

enum err_code grid_agree(const struct ranks *g, enum err_code code)
{
	int x = (int)code;

	(void)g;
	MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return (enum err_code)x;
}

enum err_code grid_look(const struct ranks *g)
{
	int stop = grid_is_first(g) && g->cancelled && g->cancelled(g->arg);

	MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return stop ? ERR_DISMISSED : ERR_NONE;
}

static void reduce(void *x, size_t n, size_t each, MPI_Datatype type,
                   MPI_Op op)
{
	for (size_t at = 0; at < n; at += MOST)
		MPI_Allreduce(MPI_IN_PLACE, (char *)x + at * each,
		              (int)size_min(n - at, MOST), type, op,
		              MPI_COMM_WORLD);
}

void grid_sum(const struct ranks *g, double *x, size_t n)
{
	(void)g;
	reduce(x, n, sizeof *x, MPI_DOUBLE, MPI_SUM);
}

void grid_most(const struct ranks *g, double *x, size_t n)
{
	(void)g;
	reduce(x, n, sizeof *x, MPI_DOUBLE, MPI_MAX);
}

void grid_sum_ints(const struct ranks *g, int *x, size_t n)
{
	(void)g;
	reduce(x, n, sizeof *x, MPI_INT, MPI_SUM);
}

void grid_share(const struct ranks *g, double *x, size_t n)
{
	(void)g;
	for (size_t at = 0; at < n; at += MOST)
		MPI_Bcast(x + at, (int)size_min(n - at, MOST), MPI_DOUBLE, 0,
		          MPI_COMM_WORLD);
}

/* A blocking call of MPI would poll without pause. */
static void wait(MPI_Request *r)
{
	struct timespec t = { 0, 20000 };
	int done = 0;

	for (MPI_Test(r, &done, MPI_STATUS_IGNORE); !done;
	     MPI_Test(r, &done, MPI_STATUS_IGNORE)) {
		nanosleep(&t, NULL);
		if (t.tv_nsec < sleep_ns)
			t.tv_nsec *= 2;
	}
}

void grid_tell(const struct ranks *g, void *bytes, size_t n)
{
	MPI_Request r;

	(void)g;
	MPI_Ibcast(bytes, (int)n, MPI_BYTE, 0, MPI_COMM_WORLD, &r);
	wait(&r);
}
