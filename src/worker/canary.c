/* canary.c - checks that the device computes correctly, by a product of two
 * matrices of small whole numbers, which every element type holds exactly. */
#include "device/seq.h"
#include "worker/serve.h"

enum { N = 8 };

static double left(size_t i, size_t k)
{
	return (double)(i + 2 * k) - 7;
}

static double right(size_t k, size_t j)
{
	return (double)(k * j) - 3;
}

static double product(size_t i, size_t j)
{
	double sum = 0;

	for (size_t k = 0; k < N; k++)
		sum += left(i, k) * right(k, j);
	return sum;
}

static int multiply(struct device *d, const struct matrix m[3], struct err *e)
{
	struct seq *s = seq_new(d, m[0].dtype, TIMING_NONE, e);
	struct buf a, b, c;
	int rc;

	if (!s)
		return -1;
	a = seq_input(s, &m[0]);
	b = seq_input(s, &m[1]);
	c = seq_output(s, &m[2]);
	seq_launch(s, "canary", GRID2(N, N, 1, 1), ARG_BUF(a), ARG_BUF(b),
	           ARG_BUF(c), ARG_INT(N));
	rc = seq_finish(s);
	seq_free(s);
	return rc;
}

static int compare(const struct matrix *c, struct err *e)
{
	for (size_t i = 0; i < (size_t)N * N; i++)
		if (matrix_get(c, i) != product(i / N, i % N))
			return err_set(e, ERR_DEVICE, "the device computes %g "
			               "where %g is right", matrix_get(c, i),
			               product(i / N, i % N));
	return 0;
}

static int sing(struct worker *w, struct device *d, enum dtype t,
                struct err *e)
{
	struct matrix m[3];
	int rc = 0;

	for (int i = 0; i < 3; i++) {
		m[i] = (struct matrix){ .dtype = t, .ndim = 2,
		                        .dim = { N, N } };
		if (matrix_alloc(&m[i], w->pool, e) < 0)
			rc = -1;
	}
	for (size_t i = 0; rc == 0 && i < (size_t)N * N; i++) {
		matrix_set(&m[0], i, left(i / N, i % N));
		matrix_set(&m[1], i, right(i / N, i % N));
		matrix_set(&m[2], i, -1);
	}
	if (rc == 0)
		rc = multiply(d, m, e);
	if (rc == 0)
		rc = compare(&m[2], e);
	for (int i = 0; i < 3; i++)
		matrix_fini(&m[i]);
	return rc;
}

static int sing_all(struct worker *w, struct device *d, struct err *e)
{
	if (sing(w, d, FLOAT32, e) < 0)
		return -1;
	return device_sheet(d)->float64 ? sing(w, d, FLOAT64, e) : 0;
}

int canary_sing(struct worker *w, struct err *e)
{
	if (sing_all(w, w->device, e) < 0)
		return -1;
	return w->direct ? sing_all(w, w->direct, e) : 0;
}
