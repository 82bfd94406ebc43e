/* sheet.c - see sheet.h. */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/host.h"
#include "mpi/routines.h"
#include "mpi/sheet.h"
#include "ops/scalapack.h"

static MPI_Comm of_host(void)
{
	MPI_Comm here;

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
	                    MPI_INFO_NULL, &here);
	return here;
}

static int size_of(MPI_Comm c)
{
	int n = 1;

	MPI_Comm_size(c, &n);
	MPI_Comm_free(&c);
	return n;
}

/* The first processor that this process may use; mpirun binds processes to
 * cores or sockets, which do not overlap. */
static int first_processor(void)
{
	cpu_set_t set;
	int i = 0;

	if (sched_getaffinity(0, sizeof set, &set))
		return 0;
	while (i < CPU_SETSIZE - 1 && !CPU_ISSET(i, &set))
		i++;
	return i;
}

int sheet_sharers(void)
{
	MPI_Comm here = of_host(), sharers;

	MPI_Comm_split(here, first_processor(), 0, &sharers);
	MPI_Comm_free(&here);
	return size_of(sharers);
}

/* "Open MPI v4.1.4" of "Open MPI v4.1.4, package: ..." */
static void set_vendor(struct sheet *s)
{
	char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int n = 0;

	MPI_Get_library_version(text, &n);
	text[strcspn(text, ",\n")] = 0;
	snprintf(s->vendor, sizeof s->vendor, "%.100s", text);
}

void sheet_of_grid(const struct ranks *g, int index, int threads,
                   struct sheet *s)
{
	const int neighbours = size_of(of_host());
	double memory = -(double)host_memory() / neighbours;
	double hosts = 1.0 / neighbours, units = threads;
	int version = 0, subversion = 0;

	grid_most(g, &memory, 1);
	grid_sum(g, &hosts, 1);
	grid_sum(g, &units, 1);
	MPI_Get_version(&version, &subversion);
	*s = (struct sheet){
		.index = index, .type = DEVICE_CLUSTER, .platform = "MPI",
		.driver = "ScaLAPACK", .compute_units = (uint32_t)units,
		.global_memory_bytes = (uint64_t)(-memory * g->size),
		.max_allocation_bytes = (uint64_t)(-memory * g->size),
		.float64 = true, .unified_memory = true,
	};
	snprintf(s->name, sizeof s->name, "linalgd-mpi, %d process%s on %.0f "
	         "host%s", g->size, g->size > 1 ? "es" : "", hosts,
	         hosts > 1.5 ? "s" : "");
	snprintf(s->version, sizeof s->version, "MPI %d.%d", version,
	         subversion);
	set_vendor(s);
}

/* --- the canary */

static double left(size_t i, size_t k)
{
	return (double)((i + 2 * k) % 15) - 7;
}

static double right(size_t k, size_t j)
{
	return (double)((3 * k + j) % 11) - 5;
}

static void fill(struct dist *d, double (*element)(size_t i, size_t j))
{
	for (size_t j = 0; j < d->cols; j++)
		for (size_t i = 0; i < d->rows; i++)
			dist_set(d, i, j, element(dist_row(d, i),
			                          dist_col(d, j)));
}

static bool is_right(const struct dist *c, size_t k)
{
	for (size_t j = 0; j < c->cols; j++)
		for (size_t i = 0; i < c->rows; i++) {
			double sum = 0;

			for (size_t l = 0; l < k; l++)
				sum += left(dist_row(c, i), l) *
				       right(l, dist_col(c, j));
			if (dist_element(c, i, j) != sum)
				return false;
		}
	return true;
}

static enum err_code sing(const struct ranks *g, enum dtype t)
{
	const size_t n = SCALAPACK_BLOCK * (size_t)g->cols + 3, k = n - 5;
	struct dist a = { 0 }, b = { 0 }, c = { 0 };
	enum err_code code = dist_new(&a, g, t, n, k);

	if (code == ERR_NONE)
		code = dist_new(&b, g, t, k, n);
	if (code == ERR_NONE)
		code = dist_new(&c, g, t, n, n);
	if (code == ERR_NONE) {
		fill(&a, left);
		fill(&b, right);
		routine_gemm(false, 1, &a, &b, 0, &c);
		code = grid_agree(g, is_right(&c, k) ? ERR_NONE : ERR_DEVICE);
	}
	dist_fini(&a);
	dist_fini(&b);
	dist_fini(&c);
	return code;
}

int sheet_canary(const struct ranks *g, struct err *e)
{
	if (sing(g, FLOAT32) == ERR_NONE && sing(g, FLOAT64) == ERR_NONE)
		return 0;
	return err_set(e, ERR_DEVICE, "a product of whole numbers by PxGEMM is "
	               "wrong");
}
