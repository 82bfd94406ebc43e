/* rates.c - see rates.h. */
#include <math.h>
#include <string.h>

#include "ops/pipeline.h"
#include "queue/rates.h"

/* Each job reduces the weight of all earlier ones by a quarter. Its time counts
 * as at most `most` times the expected time. */
static const double weight = 0.75, most = 4;

/* Nothing is learnt from shorter computations and transfers, which measure the
 * overhead of launches, not rates. */
static const int64_t least_ns = 50000;
static const double least_bytes = 1 << 20;

/* Used where nothing was measured: a compute unit's float32 operations per
 * cycle, and a device's bytes per nanosecond (a CPU with AVX2; a GPU with HBM;
 * any PCI Express bus). */
static const struct {
	double flops, gbytes_per_s;
} usual[] = {
	[DEVICE_CPU] = { 32, 20 }, [DEVICE_GPU] = { 256, 500 },
	[DEVICE_OTHER] = { 32, 20 }, [DEVICE_CLUSTER] = { 16, 1 },
};
static const double bus_gbytes_per_s = 10;

static double or_else(double measured, double guessed)
{
	return measured > 0 ? measured : guessed;
}

static double peak_gflops(const struct sheet *s, enum dtype dtype)
{
	const double guess = usual[s->type].flops * 1e-3 *
	                     (s->compute_units ? s->compute_units : 1) *
	                     (s->clock_mhz ? s->clock_mhz : 1000);

	return dtype == FLOAT32 ? or_else(s->peaks.gflops_float32, guess) :
	                          or_else(s->peaks.gflops_float64, guess / 2);
}

/* Estimates the computing time by the sheet's peaks. */
static double guess_ns(const struct sheet *s, const struct args *a)
{
	const double compute = a->op->flops(a) / peak_gflops(s, a->dtype);
	const double move = a->op->bytes(a) /
	                    or_else(s->peaks.gbytes_per_s,
	                            usual[s->type].gbytes_per_s);

	return compute > move ? compute : move;
}

static struct rate *rate_of(const struct rates *r, const struct args *a)
{
	int i = 0;

	while (ops[i] != a->op)
		i++;
	return (struct rate *)&r->compute[i][a->dtype];
}

static double ratio(const struct rate *r)
{
	return r->guess_ns > 0 ? r->ns / r->guess_ns : 1;
}

static void learn(struct rate *r, double ns, double guess)
{
	if (r->guess_ns > 0)
		ns = fmin(ns, most * ratio(r) * guess);
	r->ns = r->ns * weight + ns;
	r->guess_ns = r->guess_ns * weight + guess;
}

static bool is_known(const struct rates *r, const struct memory *m)
{
	for (int i = 0; i < RATES_STORED && m->stored; i++)
		if (r->stored[i] == m->stored)
			return true;
	return false;
}

static double memory_bytes(const struct rates *r, const struct memory *m,
                           size_t bytes)
{
	return !m || is_known(r, m) ? 0 : (double)bytes;
}

double rates_bytes(const struct rates *r, const struct sheet *s,
                   const struct matrix *m)
{
	if (s->unified_memory || m->ndim == MATRIX_ABSENT)
		return 0;
	return memory_bytes(r, m->memory, matrix_size(m)) +
	       memory_bytes(r, m->index, matrix_index_size(m));
}

double rates_transfer_ns(const struct rates *r, const struct sheet *s,
                         double bytes)
{
	return s->unified_memory ? 0 :
	       bytes / bus_gbytes_per_s * ratio(&r->transfer);
}

/* Returns the time to transfer a pipeline's data: each operand of the request
 * once, and the outputs that are returned. Intermediates stay on the device. */
static double pipeline_bytes(const struct rates *r, const struct sheet *s,
                             const struct pipeline *p)
{
	unsigned seen = 0;
	double bytes = 0;

	for (int k = 0; k < p->n; k++) {
		const struct step *t = &p->step[k];

		for (int i = 0; i < OP_INPUTS; i++) {
			const unsigned bit = 1u << t->from[i].output;

			if (!t->args.in[i].memory || step_is_fed(t, i) ||
			    seen & bit)
				continue;
			seen |= bit;
			bytes += rates_bytes(r, s, &t->args.in[i]);
		}
		for (int i = 0; i < OP_OUTPUTS; i++)
			if (t->args.out[i].memory)
				bytes += rates_bytes(r, s, &t->args.out[i]);
	}
	return bytes;
}

double rates_all_bytes(const struct rates *r, const struct sheet *s,
                       const struct args *a)
{
	double bytes = 0;

	if (a->pipeline)
		return pipeline_bytes(r, s, a->pipeline);
	for (int i = 0; i < OP_INPUTS; i++)
		bytes += rates_bytes(r, s, &a->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++)
		bytes += rates_bytes(r, s, &a->out[i]);
	return bytes;
}

static double compute_ns(const struct rates *all, int n, int i,
                         const struct sheet *s, const struct args *a)
{
	const struct rate *own = rate_of(&all[i], a);

	for (int k = 0; k < n && own->guess_ns <= 0; k++)
		own = rate_of(&all[k], a);
	return guess_ns(s, a) * ratio(own);
}

/* Returns the estimated time to compute a call or, for a pipeline, all of its
 * steps. */
static double all_compute_ns(const struct rates *all, int n, int i,
                             const struct sheet *s, const struct args *a)
{
	const struct pipeline *const p = a->pipeline;
	double ns = 0;

	if (!p)
		return compute_ns(all, n, i, s, a);
	for (int k = 0; k < p->n; k++)
		ns += compute_ns(all, n, i, s, &p->step[k].args);
	return ns;
}

struct estimate rates_estimate(const struct rates *all, int n, int i,
                               const struct sheet *s, const struct args *a)
{
	return (struct estimate){
		all_compute_ns(all, n, i, s, a),
		rates_transfer_ns(&all[i], s, rates_all_bytes(&all[i], s,
		                                            a)),
	};
}

static void keep(struct rates *r, const struct memory *m)
{
	if (!m || !m->stored || is_known(r, m))
		return;
	r->stored[r->oldest] = m->stored;
	r->oldest = (r->oldest + 1) % RATES_STORED;
}

bool rates_alike(const struct sheet *s, const struct sheet *t)
{
	return s->type == t->type && strcmp(s->name, t->name) == 0 &&
	       s->compute_units == t->compute_units &&
	       s->global_memory_bytes == t->global_memory_bytes;
}

void rates_learn(struct rates *r, const struct sheet *s,
                 const struct args *a, double bytes, const struct timing *t)
{
	const int64_t moving_ns = t->upload_ns + t->download_ns;

	if (t->cold || a->variant || a->pipeline)
		return;
	if (t->compute_ns >= least_ns)
		learn(rate_of(r, a), (double)t->compute_ns, guess_ns(s, a));
	if (bytes >= least_bytes && moving_ns > 0)
		learn(&r->transfer, (double)moving_ns,
		      bytes / bus_gbytes_per_s);
}

void rates_keep(struct rates *r, const struct sheet *s,
                const struct args *a)
{
	for (int k = 0; a->pipeline && k < a->pipeline->n; k++)
		rates_keep(r, s, &a->pipeline->step[k].args);
	for (int i = 0; i < OP_INPUTS && !s->unified_memory; i++) {
		keep(r, a->in[i].memory);
		keep(r, a->in[i].index);
	}
}

void rates_forget(struct rates *r)
{
	memset(r->stored, 0, sizeof r->stored);
}
