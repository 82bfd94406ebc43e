/* problem.c - a problem's buffers, its numbers on the device, and the structure
 * of its matrix. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/eigen/eigen.h"

size_t eigen_acc_bytes(const struct sheet *d, enum dtype t)
{
	return t == FLOAT64 || d->float64 ? sizeof(double) : sizeof(float);
}

struct buf eigen_scratch(struct eigen_problem *p, size_t n)
{
	return seq_scratch(p->s, n * acc_bytes(p));
}

void eigen_read(struct eigen_problem *p, struct buf b, size_t from,
                double *to, size_t n)
{
	const size_t bytes = acc_bytes(p);
	const float *x = (const float *)to;

	seq_read(p->s, b, from * bytes, to, n * bytes);
	if (bytes == sizeof(float) && !seq_failed(p->s))
		for (size_t i = n; i-- > 0;)	/* widened in place */
			to[i] = x[i];
}

void eigen_write(struct eigen_problem *p, struct buf b, size_t from,
                 const double *x, size_t n)
{
	const size_t bytes = acc_bytes(p);
	float *narrow;

	if (bytes == sizeof(double)) {
		seq_write(p->s, b, from * bytes, x, n * bytes);
		return;
	}
	narrow = malloc(n * sizeof *narrow);
	if (!narrow) {
		err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory");
		return;
	}
	for (size_t i = 0; i < n; i++)
		narrow[i] = (float)x[i];
	seq_write(p->s, b, from * bytes, narrow, n * bytes);
	free(narrow);
}

/* SplitMix64 (Steele, Lea and Flood 2014), rounded to 11 bits: so short numbers
 * keep the products of small integers exact, which the proof that a matrix is
 * nilpotent relies on. */
void eigen_random(double *x, size_t n)
{
	uint64_t state = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

		z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		z ^= z >> 31;
		x[i] = ((double)(z >> 53) - 1023.5) * 0x1p-10;
	}
}

/* The number of rows of a block. */
static size_t rows_of(const struct sheet *d, const struct eigen_kernels *k,
                      size_t n)
{
	const size_t units = size_max(d->compute_units, 1);

	return size_round_up(size_blocks(n, units * k->blocks_per_unit),
	                     k->rows);
}

/* The number of partial sums of all blocks. */
static size_t parts_of(size_t blocks)
{
	return blocks * size_max(PART_LENGTH, LOOK_LENGTH);
}

void eigen_problem_need(struct need *need, const struct sheet *d,
                        enum dtype t, const struct eigen_kernels *k, size_t n)
{
	const size_t acc = eigen_acc_bytes(d, t);

	need_buffer(need, STATE_LENGTH * acc);
	need_buffer(need, 4 * n * acc);
	need_buffer(need, parts_of(size_blocks(n, rows_of(d, k, n))) * acc);
	if (k->local > 1)
		need_buffer(need, sizeof(int32_t));
}

void eigen_problem_init(struct eigen_problem *p, struct seq *s,
                        struct args *a, const struct eigen_kernels *k)
{
	const size_t n = matrix_rows(&a->in[0]);

	*p = (struct eigen_problem){ .k = k, .s = s, .m = &a->in[0], .n = n };
	p->rows = rows_of(seq_sheet(s), k, n);
	p->blocks = size_blocks(n, p->rows);
	p->epsilon = dtype_epsilon(acc_bytes(p) == sizeof(double) ?
	                           FLOAT64 : FLOAT32);
	p->range = acc_bytes(p) == sizeof(double) ? 300 : 30;
	p->a = seq_input(s, p->m);
	p->state = eigen_scratch(p, STATE_LENGTH);
	p->pair = eigen_scratch(p, 4 * n);
	p->parts = eigen_scratch(p, parts_of(p->blocks));
	if (k->local == 1)
		return;
	p->done = seq_scratch(s, sizeof(int32_t));
	seq_fill(s, p->done, 0, sizeof(int32_t), &(int32_t){ 0 },
	         sizeof(int32_t));
}

static void add_look(double *all, const double *one)
{
	for (int k = 0; k < LOOK_LENGTH; k++)
		all[k] = k == LOOK_LOWEST || k == LOOK_SMALLEST ?
		         fmin(all[k], one[k]) : fmax(all[k], one[k]);
}

/* The power of two that puts x into [1, 2), within float64's range. */
static double unit_for(double x)
{
	return x > 0 ? ldexp(1, (int)fmin(-ilogb(x), 1000)) : 1;
}

static int fold_looks(struct eigen_problem *p, double all[LOOK_LENGTH])
{
	const size_t count = p->blocks * LOOK_LENGTH;
	double *looks = malloc(count * sizeof *looks);

	if (!looks)
		return err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory");
	eigen_read(p, p->parts, 0, looks, count);
	for (size_t b = 0; b < p->blocks && !seq_failed(p->s); b++)
		add_look(all, looks + b * LOOK_LENGTH);
	free(looks);
	return seq_failed(p->s) ? -1 : 0;
}

int eigen_problem_look(struct eigen_problem *p, size_t index,
                       double *largest)
{
	const double n = (double)p->n;
	double all[LOOK_LENGTH] = { [LOOK_LOWEST] = INFINITY,
	                            [LOOK_SMALLEST] = INFINITY };

	p->index = index;
	seq_work(p->s, 0, n * n * (double)dtype_bytes(p->m->dtype));
	seq_launch(p->s, p->k->look,
	           GRID1(p->blocks * p->k->local, p->k->local), ARG_BUF(p->a),
	           ARG_LONG(index * p->n * p->n), ARG_BUF(p->parts),
	           ARG_LONG(p->n), ARG_LONG(p->rows));
	if (fold_looks(p, all) < 0)
		return -1;
	p->non_negative = all[LOOK_LOWEST] >= 0;
	p->positive = all[LOOK_LOWEST] > 0;
	p->below = all[LOOK_BELOW] != 0;
	p->above = all[LOOK_ABOVE] != 0;
	*largest = isinf(all[LOOK_LARGEST]) ? NAN : all[LOOK_LARGEST];
	p->wide = *largest > 0 && p->range < ilogb(*largest) -
	                                     ilogb(all[LOOK_SMALLEST]);
	p->unit = unit_for(all[LOOK_LARGEST]);
	p->norm = p->unit * all[LOOK_NORM];
	return 0;
}
