/* device.c - functions that the variants on a device share. Each variant
 * reports the matrices that it cannot decompose, and LAPACK decomposes these on
 * the host. */
#include <stdlib.h>

#include "ops/lapack/stack.h"
#include "ops/svd/svd.h"

struct buf svd_output_or(struct seq *s, const struct args *a, int output,
                         struct buf other)
{
	return dense_has(a, output) ? seq_output(s, &a->out[output]) : other;
}

/* Copies matrix i of U, S and V^T, which the host has written, to the device,
 * where the verdict reads them. */
static void put_back(struct seq *s, struct args *a, size_t i)
{
	for (int k = SVD_U; k <= SVD_VH; k++) {
		struct matrix *m = &a->out[k];
		const size_t size = dense_has(a, k) ?
		                    matrix_size(m) / a->stack : 0;

		if (size > 0 && !seq_shares_memory(s))
			seq_write(s, seq_output(s, m), i * size,
			          lapack_out(a, k, i), size);
	}
}

int svd_repair(struct seq *s, struct args *a, const int32_t *status)
{
	bool any = false;

	for (size_t i = 0; i < a->stack; i++)
		any |= status[i] != 0;
	if (!any)
		return 0;
	if (svd_host_some(s, a, status) < 0)
		return -1;
	for (size_t i = 0; i < a->stack; i++)
		if (status[i] != 0)
			put_back(s, a, i);
	return 0;
}

int svd_device(struct seq *s, struct args *a, svd_launch_fn *launch)
{
	const size_t size = a->stack * sizeof(int32_t);
	int32_t *host = malloc(size);
	struct buf status;
	int rc = -1;

	if (!host)
		return err_set(seq_err(s), ERR_MEMORY, "svd: no memory for %zu "
		               "matrices", a->stack);
	status = seq_scratch(s, size);
	launch(s, a, status);
	seq_read(s, status, 0, host, size);
	if (!seq_failed(s))
		rc = svd_repair(s, a, host);
	free(host);
	return rc < 0 ? -1 : seq_finish(s);
}
