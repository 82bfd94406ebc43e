/* seed_kernels.c - see seed_kernels.h. Operands that a kernel changes in place
 * are copied first. */
#include "check/seed_kernels.h"
#include "ops/eigen/seed.h"

static struct buf copy_to(struct seq *s, const struct matrix *in,
                          const struct matrix *out)
{
	struct buf to = seq_output(s, out);

	seq_copy(s, seq_input(s, in), 0, to, 0, matrix_size(in));
	return to;
}

void seed_kernel_row_sums(struct seq *s, int number, const struct matrix *in,
                          const struct matrix *out)
{
	seed_row_sums(s, number, seq_input(s, &in[0]), seq_output(s, out),
	              matrix_rows(&in[0]));
}

void seed_kernel_max(struct seq *s, int number, const struct matrix *in,
                     const struct matrix *out)
{
	seed_max(s, number, seq_input(s, &in[0]), seq_output(s, out),
	         matrix_elements(&in[0]));
}

void seed_kernel_update(struct seq *s, int number, const struct matrix *in,
                        const struct matrix *out)
{
	seed_update(s, number, copy_to(s, &in[0], out), seq_input(s, &in[1]),
	            seq_input(s, &in[2]), matrix_elements(&in[0]));
}

void seed_kernel_next(struct seq *s, int number, const struct matrix *in,
                      const struct matrix *out)
{
	(void)number;
	seed_next(s, copy_to(s, &in[0], out), seq_input(s, &in[1]),
	          matrix_rows(&in[0]));
}

void seed_kernel_stop(struct seq *s, int number, const struct matrix *in,
                      const struct matrix *out)
{
	seed_stop(s, number, seq_input(s, &in[0]), seq_input(s, &in[1]),
	          SEED_ALIKE, seq_output(s, out), matrix_elements(&in[0]));
}
