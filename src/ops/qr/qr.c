/* qr.c - the operation qr: A = Q R, or A P = Q R with column pivoting, of any
 * m x n matrix or of every matrix of a stack. */
#include "ops/qr/qr.h"

#include "ops/blas/trsm.h"
#include "ops/cholesky/cholesky.h"
#include "ops/gang/devices.h"
#include "ops/lapack/stack.h"
#include "ops/qr/block.h"
#include "ops/qr/device.h"
#include "ops/qr/gang.h"
#include "ops/qr/judge.h"

static const struct operand inputs[] = {
	{ "a", "the matrix, of any shape, or a stack of them", 2, false,
	  DENSE },
	{ 0 }
};

static const struct param params[] = {
	[QR_MODE] = {
		.name = "mode", .type = PARAM_CHOICE, .fallback = QR_THIN,
		.choices = (const char *const[]){ "thin", "complete", "raw",
		                                NULL },
		.help = "the number of Q's columns and R's rows: min(m,n) "
		        "(thin) or m (complete); or the reflections h and tau "
		        "in place of both (raw)",
	},
	[QR_PIVOT] = {
		.name = "pivot", .type = PARAM_BOOLEAN, .fallback = 0,
		.help = "permute the columns of a so that the magnitudes on "
		        "R's diagonal do not increase",
	},
	[QR_DEVICES] = GANG_DEVICES,
	{ 0 }
};

static const struct output outputs[] = {
	[QR_Q] = { "q", "Q, with orthonormal columns", false },
	[QR_R] = { "r", "R, upper triangular", false },
	[QR_P] = { "p", "the permutation with A[:,p] = Q R, only with "
	  "pivot=true", false },
	[QR_H] = { "h", "R on and above the diagonal, below it the vectors of "
	  "the reflections H = I - tau v v^H without their first elements, "
	  "which are 1; only with mode=raw, which has no q and r", false },
	[QR_TAU] = { "tau", "the factors of the reflections, only with "
	  "mode=raw", false },
	{ 0 }
};

struct qr_sizes qr_sizes_of(const struct args *a)
{
	const struct matrix *x = &a->in[0];
	const size_t k = dense_least(a);

	return (struct qr_sizes){
		.stack = matrix_stack(x), .m = matrix_rows(x),
		.n = matrix_cols(x), .k = k,
		.columns = a->param[QR_MODE] == QR_COMPLETE ? matrix_rows(x) :
		           k,
		.raw = a->param[QR_MODE] == QR_RAW,
		.pivots = a->param[QR_PIVOT] != 0,
	};
}

/* Refuses outputs that were named and that such a call does not have. */
static int check_outputs(const struct args *a, struct err *e)
{
	const struct qr_sizes z = qr_sizes_of(a);
	const unsigned all = 1u << QR_Q | 1u << QR_R | 1u << QR_P |
	                     1u << QR_H | 1u << QR_TAU;
	const unsigned has = (z.raw ? 1u << QR_H | 1u << QR_TAU :
	                              1u << QR_Q | 1u << QR_R) |
	                     (z.pivots ? 1u << QR_P : 0);
	const unsigned wrong = (a->want & all) == all ? 0 :
	                       a->want & all & ~has;

	for (int i = 0; outputs[i].name; i++)
		if (wrong >> i & 1)
			return err_set_at(e, ERR_PARAMETER, "/return", "qr: "
			    "mode=%s%s has no output %s; it has %s%s",
			    params[QR_MODE].choices[(int)a->param[QR_MODE]],
			    z.pivots ? "" : " without pivot", outputs[i].name,
			    z.raw ? "h, tau" : "q, r", z.pivots ? ", p" : "");
	return 0;
}

static int check(const struct args *a, struct err *e)
{
	return dense_check(a, false, e) < 0 || check_outputs(a, e) < 0 ||
	       gang_check(a, "one real matrix of 64 rows and columns or more "
	                  "for each device, answered as q and r, without "
	                  "pivoting, and with a quality of estimate or none",
	                  e) < 0 ? -1 : 0;
}

static int shape(struct args *a, struct err *e)
{
	const struct qr_sizes z = qr_sizes_of(a);

	(void)e;
	if (z.raw) {
		dense_shape(a, QR_H, a->dtype, 2, z.m, z.n);
		dense_shape(a, QR_TAU, a->dtype, 1, z.k, 0);
	} else {
		dense_shape(a, QR_Q, a->dtype, 2, z.m, z.columns);
		dense_shape(a, QR_R, a->dtype, 2, z.columns, z.n);
	}
	if (z.pivots)
		dense_shape(a, QR_P, INT64, 1, z.n, 0);
	return 0;
}

/* LAPACK's counts for xGEQRF and xORGQR: reflector j of k changes the last m -
 * j rows of the columns after it, with 4 operations for each element. */
static double flops(const struct args *a)
{
	const struct qr_sizes z = qr_sizes_of(a);
	const double m = (double)z.m, n = (double)z.n, k = (double)z.k;
	const double q = (double)z.columns;
	const double r = 2 * k * m * n - k * k * (m + n) + 2 * k * k * k / 3;
	const double f = 4 * m * q * k - 2 * k * k * (m + q) +
	                 4 * k * k * k / 3;

	return (double)z.stack * (r + (args_wants(a, QR_Q) && !z.raw ? f : 0));
}

static double bytes(const struct args *a)
{
	return (double)matrix_size(&a->in[0]) +
	       (double)matrix_size(&a->out[QR_Q]) +
	       (double)matrix_size(&a->out[QR_R]) +
	       (double)matrix_size(&a->out[QR_H]);
}

/* |A P - Q R| */
static void judge_product(struct judge *j, const struct qr_sizes *z)
{
	const struct args *a = j->a;
	const struct judged of_a = { .b = judge_matrix(j, &a->in[0]),
	                             .rows = z->m, .cols = z->n,
	                             .scaled = true };
	const struct judged q = { .b = judge_matrix(j, &a->out[QR_Q]),
	                          .rows = z->m, .cols = z->columns };
	const struct judged r = { .b = judge_matrix(j, &a->out[QR_R]),
	                          .rows = z->columns, .cols = z->n,
	                          .scaled = true };
	const struct vectors x = judge_probes(j, z->n);
	const struct vectors px = !z->pivots ? x :
	    judge_place(j, judge_matrix(j, &a->out[QR_P]), &x);
	const struct vectors rx = judge_times(j, &r, &x, NULL);
	const struct vectors qrx = judge_times(j, &q, &rx, NULL);
	struct buf square;
	const struct vectors t = judge_times(j, &of_a, &px, &square);

	judge_residual(j, &t, &qrx, square, size_max(z->m, z->n));
}

/* |I - Q^T Q| */
static void judge_q(struct judge *j, const struct qr_sizes *z)
{
	const struct judged q = { .b = judge_matrix(j, &j->a->out[QR_Q]),
	                          .rows = z->m, .cols = z->columns };
	const struct vectors x = judge_probes(j, z->columns);
	const struct vectors y = judge_times(j, &q, &x, NULL);

	judge_orthogonality(j, &y, &x, z->m);
}

/* Does the answer have both h and tau, without which neither is judged? */
static bool is_raw_whole(const struct args *a)
{
	return dense_has(a, QR_H) && dense_has(a, QR_TAU);
}

static void judge(struct judge *j)
{
	const struct qr_sizes z = qr_sizes_of(j->a);
	const bool p = !z.pivots || dense_has(j->a, QR_P);

	if (is_raw_whole(j->a))
		qr_raw_judge(j, &z);
	if (dense_has(j->a, QR_Q) && dense_has(j->a, QR_R) && p)
		judge_product(j, &z);
	if (dense_has(j->a, QR_Q))
		judge_q(j, &z);
}

static int residual(struct seq *s, struct args *a)
{
	if (a->gang.parts)
		return seq_finish(s);
	/* host.c judges h and tau itself. */
	if (!isnan(a->verdict.orthogonality) ||
	    (qr_sizes_of(a).raw && !is_raw_whole(a)))
		return 0;
	return judge_run(s, a, judge);
}

static void need_judge_of_host(const struct args *a, const struct sheet *d,
                               struct need *n)
{
	if (a->quality == QUALITY_NONE || dense_is_empty(a) ||
	    qr_sizes_of(a).raw)
		return;
	need_matrix(n, d, &a->in[0]);
	if (dense_has(a, QR_Q))
		need_matrix(n, d, &a->out[QR_Q]);
	if (dense_has(a, QR_Q) && dense_has(a, QR_R)) {
		need_matrix(n, d, &a->out[QR_R]);
		need_matrix(n, d, &a->out[QR_P]);
	}
	judge_need(n, d, a, judge);
}

/* How a variant factors on one device. */
struct way {
	int (*run)(struct seq *s, struct args *a);
	bool on_device;			/* if qr_blocked_fits() */
	bool by_gram;			/* if qr_gram_fits() */
};

/* With by_gram the memory of qr_blocked() is added, too, which factors A if the
 * factorization of A^T A fails. */
static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	const struct way *way = v->how;

	if (a->gang.parts) {
		qr_gang_need(a, d, n);
		return;
	}
	if (way->by_gram && qr_gram_fits(a, d))
		qr_gram_need(n, d, a);
	if (!way->on_device || !qr_blocked_fits(a, d)) {
		need_judge_of_host(a, d, n);
		return;
	}
	need_matrices(n, d, a);
	qr_blocked_need(n, d, a);
	judge_need(n, d, a, judge);
}

static int run_cholesky(struct seq *s, struct args *a)
{
	bool done = false;

	if (qr_gram_fits(a, seq_sheet(s)) && qr_gram_factor(s, a, &done) < 0)
		return -1;
	return done ? seq_finish(s) : qr_blocked(s, a);
}

static int run(struct seq *s, struct args *a)
{
	const struct way *way = a->variant->how;

	return a->gang.parts ? qr_gang(s, a) : way->run(s, a);
}

#define BLOCKED_KERNELS \
	"qr_small qr_fit qr_scale qr_load qr_give_r qr_give_h qr_identity " \
	QR_BLOCK_KERNELS

#define VERDICT_KERNELS JUDGE_KERNELS " " QR_RAW_KERNELS

/* The kernels of a gang's parts that the variant `blocked` has, too. */
#define GANG_BLOCKS "qr_scale " QR_BLOCK_KERNELS " " BLAS_GEMM_KERNELS " "

static const struct variant variants[] = {
	{ "host", 0, DEVICE_CPU, DTYPE_REALS,
	  QR_GANG_KERNELS GANG_BLOCKS JUDGE_KERNELS, "LAPACK", run,
	  .need = need, .how = &(const struct way){ qr_host, false, false } },
	{ "cholesky", 0, DEVICE_GPU, DTYPE_REALS,
	  QR_GANG_KERNELS
	  BLOCKED_KERNELS " qr_gram_sum qr_gram_shift qr_signs "
	  QR_QUICK_KERNELS CHOLESKY_IN_PLACE_KERNELS BLAS_TRSM_KERNELS " "
	  VERDICT_KERNELS,
	  "linalgd", run, .need = need,
	  .how = &(const struct way){ run_cholesky, true, true } },
	{ "blocked", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
	  QR_GANG_KERNELS
	  BLOCKED_KERNELS " " BLAS_GEMM_KERNELS " " VERDICT_KERNELS,
	  "linalgd", run, .need = need,
	  .how = &(const struct way){ qr_blocked, true, false } },
	{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
	  DTYPE_COMPLEXES, "", "LAPACK", qr_complex,
	  .need = NULL },
	{ 0 }
};

const struct op op_qr = {
	.name = "qr",
	.summary = "QR factorization, A = Q R, with column pivoting on request",
	.details = "The signs are LAPACK's: R's diagonal may be negative. "
	           "With mode=raw the answer is LAPACK's packed form.",
	.dtypes = DTYPE_REALS | DTYPE_COMPLEXES,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.gang = qr_gang_plan,
	.residual = residual,
	.residual_launches = true,
	.describe = lapack_describe_nonfinite,
	.sample = dense_sample,
};
