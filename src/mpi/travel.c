/* travel.c - hands a matrix out and collects it; see dist.h. A row block
 * belongs to one row of the grid. Process 0 sends each process of that row the
 * columns that are its own, as rows; the process transposes them into its
 * share. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "mpi/dist.h"
#include "ops/scalapack.h"

enum { NB = SCALAPACK_BLOCK, TAG = 1 };

struct travel {
	const struct dist *d;
	size_t each;			/* bytes of an element */
	char *rows;			/* process 0: a row block */
	char *part;			/* what one process has of it */
};

/* A row block, and where the owner keeps it. */
struct block {
	size_t first, n;		/* rows of the whole matrix */
	int row;			/* the grid's */
	size_t at;			/* the first one's place there */
};

static struct block block_of(const struct dist *d, size_t b)
{
	return (struct block){
		.first = b * NB, .n = size_min(d->m - b * NB, NB),
		.row = (int)(b % (size_t)d->g->rows),
		.at = b / (size_t)d->g->rows * NB,
	};
}

static enum err_code begin(struct travel *t, const struct dist *d)
{
	*t = (struct travel){ .d = d, .each = dtype_bytes(d->dtype) };
	t->part = malloc(NB * (dist_share(d->n, 0, d->g->cols) + 1) * t->each);
	if (grid_is_first(d->g))
		t->rows = malloc(NB * (d->n + 1) * t->each);
	return grid_agree(d->g, t->part && (t->rows || !grid_is_first(d->g)) ?
	                        ERR_NONE : ERR_MEMORY);
}

static void end(struct travel *t)
{
	free(t->part);
	free(t->rows);
}

/* Where the j-th element that column `col` of the grid has of row i lies among
 * the rows of a block, in bytes; it is the first of up to NB neighbours. */
static size_t place_of(const struct travel *t, int col, size_t i, size_t j)
{
	return (i * t->d->n + dist_global(j, col, t->d->g->cols)) * t->each;
}

/* Copies what column `col` of the grid has of a block's rows to t->part. */
static void pack(const struct travel *t, const struct block *b, int col,
                 const char *rows)
{
	const size_t own = dist_share(t->d->n, col, t->d->g->cols);

	for (size_t i = 0; i < b->n; i++)
		for (size_t j = 0; j < own; j += NB)
			memcpy(t->part + (i * own + j) * t->each,
			       rows + place_of(t, col, i, j),
			       size_min(own - j, NB) * t->each);
}

/* Does the reverse, to t->rows. */
static void unpack(const struct travel *t, const struct block *b, int col)
{
	const size_t own = dist_share(t->d->n, col, t->d->g->cols);

	for (size_t i = 0; i < b->n; i++)
		for (size_t j = 0; j < own; j += NB)
			memcpy(t->rows + place_of(t, col, i, j),
			       t->part + (i * own + j) * t->each,
			       size_min(own - j, NB) * t->each);
}

#define TURN(type)                                                           \
static void turn_##type(const struct dist *d, const struct block *b,         \
                        type *part, bool back)                               \
{                                                                            \
	for (size_t j = 0; j < d->cols; j++) {                               \
		type *own = (type *)d->data + j * d->ld + b->at;             \
                                                                             \
		for (size_t i = 0; i < b->n; i++)                            \
			if (back)                                            \
				part[i * d->cols + j] = own[i];              \
			else                                                 \
				own[i] = part[i * d->cols + j];              \
	}                                                                    \
}
TURN(float)
TURN(double)
#undef TURN

/* Transposes a part into this process's share of the matrix, or back. */
static void turn(const struct travel *t, const struct block *b, bool back)
{
	if (t->d->dtype == FLOAT32)
		turn_float(t->d, b, (float *)t->part, back);
	else
		turn_double(t->d, b, (double *)t->part, back);
}

static int bytes_of(const struct travel *t, const struct block *b, int col)
{
	return (int)(b->n * dist_share(t->d->n, col, t->d->g->cols) * t->each);
}

static void send_out(const struct travel *t, const struct block *b,
                     const void *rows)
{
	const struct ranks *g = t->d->g;

	for (int col = g->cols - 1; col >= 0; col--) {
		pack(t, b, col, rows);
		if (b->row * g->cols + col != g->rank)
			MPI_Send(t->part, bytes_of(t, b, col), MPI_BYTE,
			         b->row * g->cols + col, TAG, MPI_COMM_WORLD);
	}
}

/* Process 0 packs its own part last, so that it is what is left in t->part. */
static void out(const struct travel *t, const struct block *b,
                dist_get_fn *get, void *arg)
{
	const struct ranks *g = t->d->g;

	if (grid_is_first(g))
		send_out(t, b, get(arg, b->first, b->n, t->rows));
	else if (b->row == g->row)
		MPI_Recv(t->part, bytes_of(t, b, g->col), MPI_BYTE, 0, TAG,
		         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (b->row == g->row)
		turn(t, b, false);
}

static void collect(const struct travel *t, const struct block *b)
{
	const struct ranks *g = t->d->g;

	for (int col = 0; col < g->cols; col++) {
		if (b->row * g->cols + col != g->rank)
			MPI_Recv(t->part, bytes_of(t, b, col), MPI_BYTE,
			         b->row * g->cols + col, TAG, MPI_COMM_WORLD,
			         MPI_STATUS_IGNORE);
		unpack(t, b, col);
	}
}

static void back(const struct travel *t, const struct block *b,
                 dist_put_fn *put, void *arg)
{
	const struct ranks *g = t->d->g;

	if (b->row == g->row)
		turn(t, b, true);
	if (grid_is_first(g)) {
		collect(t, b);
		put(arg, b->first, b->n, t->rows);
	} else if (b->row == g->row) {
		MPI_Send(t->part, bytes_of(t, b, g->col), MPI_BYTE, 0, TAG,
		         MPI_COMM_WORLD);
	}
}

static enum err_code travel(const struct dist *d, dist_get_fn *get,
                            dist_put_fn *put, void *arg)
{
	struct travel t;
	enum err_code code = begin(&t, d);

	for (size_t i = 0; code == ERR_NONE && i * NB < d->m; i++) {
		const struct block b = block_of(d, i);

		if (i % (size_t)d->g->rows == 0)
			code = grid_look(d->g);
		if (code == ERR_NONE && get)
			out(&t, &b, get, arg);
		else if (code == ERR_NONE)
			back(&t, &b, put, arg);
	}
	end(&t);
	return code;
}

enum err_code dist_scatter(struct dist *d, dist_get_fn *get, void *arg)
{
	return travel(d, get, NULL, arg);
}

enum err_code dist_gather(const struct dist *d, dist_put_fn *put, void *arg)
{
	return travel(d, NULL, put, arg);
}
