/* seeds_cell.c - see seeds_cell.h.
 *
 * A run that compiled kernels does not count. The first run that compiled none
 * still touches memory for the first time, so it is repeated even if it uses up
 * the time limit, unless it exceeds the limit BY_FAR times. Further runs follow
 * within the time limit, and the shortest one counts. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "bench/ours.h"
#include "bench/outcome.h"
#include "bench/seeds_cell.h"
#include "device/seq.h"
#include "matrix/generate.h"
#include "ops/timed.h"
#include "ops/variant.h"

enum { MOST_RUNS = 21, BY_FAR = 8 };

static int make_matrix(struct matrix *m, const char *shape, size_t n,
                       enum dtype dtype, struct memory_pool *pool,
                       struct err *e)
{
	*m = (struct matrix){ .dtype = dtype, .ndim = (int)strlen(shape) };
	for (int i = 0; i < m->ndim; i++)
		m->dim[i] = n;
	return matrix_alloc(m, pool, e);
}

int seed_problem_make(struct seed_problem *p, const struct seed_table *t,
                      size_t n, struct memory_pool *pool, struct err *e)
{
	*p = (struct seed_problem){ .table = t, .n = n };
	for (int i = 0; t->operands[i]; i++) {
		const struct generator *g = generator_find(t->generators[i],
		                                           e);

		if (!g || make_matrix(&p->in[i], t->operands[i], n, t->dtype,
		                      pool, e) < 0)
			return -1;
		generator_fill(g, &p->in[i], (uint64_t)i + 1,
		               &(struct err){ 0 });
	}
	return t->kernel ? make_matrix(&p->out, t->result, n,
	                               t->result_dtype, pool, e) : 0;
}

void seed_problem_fini(struct seed_problem *p)
{
	for (int i = 0; i < SEED_OPERANDS; i++)
		matrix_fini(&p->in[i]);
	matrix_fini(&p->out);
}

void seed_cell_empty(struct seed_cell *c, const char *reason)
{
	*c = (struct seed_cell){ .ms = NAN, .error = NAN, .rounds = NAN };
	snprintf(c->reason, sizeof c->reason, "%s", reason);
}

const char *seed_version_lacks(const struct seed_table *t,
                               const struct seed_version *v,
                               const struct sheet *s)
{
	const struct variant *variant;

	if (v->by != SEED_VARIANT)
		return NULL;
	variant = op_variant(op_find(t->op), v->variant);
	if (!variant)
		return "no such variant in this build";
	if (!(variant->dtypes & DTYPE_BIT(t->dtype)))
		return "not for this element type";
	return variant_lacks(variant, s);
}

/* Prepares a call of the table's operation, which shares p's operands. */
static int prepare(struct args *a, const struct seed_problem *p,
                   const struct seed_version *v, const struct sheet *s,
                   struct memory_pool *pool, struct err *e)
{
	const struct seed_table *t = p->table;

	args_init(a, op_find(t->op));
	a->quality = QUALITY_NONE;
	for (int i = 0; a->op->inputs[i].name && i < SEED_OPERANDS; i++) {
		a->in[i] = p->in[i];
		memory_ref(a->in[i].memory);
	}
	for (const char *const *x = t->params; *x; x += 2)
		if (args_set(a, op_param(a->op, x[0]), x[1], e) < 0)
			return -1;
	if (args_settle_dtype(a, (int)t->dtype, e) < 0 ||
	    args_prepare(a, pool, e) < 0)
		return -1;
	a->variant = v->by == SEED_VARIANT ? op_variant(a->op, v->variant) :
	             bench_choose(a, s, e);
	return a->variant ? 0 : -1;
}

static int run_kernel(const struct bench_seeds *b, struct seed_problem *p,
                      int number, int64_t *ns, struct err *e)
{
	struct seq *s = seq_new(b->device, p->table->dtype, TIMING_SUMMARY,
	                        e);
	struct timing t;
	int rc;

	if (!s)
		return -1;
	p->table->kernel(s, number, p->in, &p->out);
	rc = seq_finish(s);
	if (rc == 0) {
		seq_timing(s, &t);
		*ns = t.compute_ns;
	}
	seq_free(s);
	return rc;
}

/* The subject of a measurement: a call, or a single kernel if a is NULL. */
struct runner {
	const struct bench_seeds *b;
	struct seed_problem *p;
	struct args *a;
	int number;
};

static int64_t run_once(const struct runner *r, struct err *e)
{
	int64_t ns = -1;
	int rc = r->a ? timed_kernels_once(r->b->device, r->a, &ns, e) :
	         run_kernel(r->b, r->p, r->number, &ns, e);

	return rc < 0 ? -1 : ns;
}

static int64_t shortest_run(const struct runner *r, struct err *e)
{
	const int64_t cell_ns = r->b->cell_ns;
	const int64_t compiled = device_compile_ns(r->b->device);
	int64_t begin = clock_ns(), best = run_once(r, e);

	if (best >= 0 && device_compile_ns(r->b->device) > compiled) {
		begin = clock_ns();
		best = run_once(r, e);
	}
	if (best < 0 || clock_ns() - begin > BY_FAR * cell_ns)
		return best;
	for (int i = 1; i < MOST_RUNS; i++) {
		const int64_t ns = run_once(r, e);

		if (ns < 0)
			return -1;
		if (ns < best)
			best = ns;
		if (clock_ns() - begin + best > cell_ns)
			break;
	}
	return best;
}

static void judge(const struct seed_problem *p, const struct seed_version *v,
                  const struct args *a, struct seed_cell *cell)
{
	const int rounds = op_output(a->op, "iterations");
	struct matrix results[3];
	int n = 0;

	if (rounds >= 0 && p->table->rounds[0] > 0)
		cell->rounds = matrix_get(&a->out[rounds], 0) - 1;
	for (; p->table->results[n]; n++)
		results[n] = a->out[op_output(a->op, p->table->results[n])];
	if (!v->unjudged)
		cell->error = p->table->error(p->in, results);
}

static int measure_call(const struct bench_seeds *b, struct seed_problem *p,
                        const struct seed_version *v, struct seed_cell *cell,
                        struct err *e)
{
	struct args a = { 0 };
	const struct runner r = { .b = b, .p = p, .a = &a };
	int64_t ns = -1;

	if (prepare(&a, p, v, device_sheet(b->device), b->pool, e) == 0)
		ns = shortest_run(&r, e);
	if (ns >= 0) {
		cell->ms = (double)ns * 1e-6;
		judge(p, v, &a, cell);
	}
	args_fini(&a);
	return ns < 0 ? -1 : 0;
}

static int measure_kernel(const struct bench_seeds *b, struct seed_problem *p,
                          const struct seed_version *v,
                          struct seed_cell *cell, struct err *e)
{
	const struct runner r = { .b = b, .p = p, .number = v->number };
	const int64_t ns = shortest_run(&r, e);

	if (ns < 0)
		return -1;
	cell->ms = (double)ns * 1e-6;
	cell->error = p->table->error(p->in, &p->out);
	return 0;
}

void seed_cell_measure(const struct bench_seeds *b, struct seed_problem *p,
                       const struct seed_version *v, struct seed_cell *cell)
{
	const char *lacks = seed_version_lacks(p->table, v,
	                                       device_sheet(b->device));
	char reason[120];
	struct err e = { 0 };

	seed_cell_empty(cell, "");
	if (lacks) {
		snprintf(reason, sizeof reason, "not available: %s", lacks);
		seed_cell_empty(cell, reason);
	} else if ((v->by == SEED_KERNEL ? measure_kernel : measure_call)
	           (b, p, v, cell, &e) < 0) {
		seed_cell_empty(cell, e.text);
		outcome_failed(p->table->name, &e);
	}
}

double seed_floor_ms(const struct bench_seeds *b, struct seed_problem *p)
{
	static const struct seed_version ours = { .by = SEED_OURS };
	struct err e = { 0 };
	struct args a = { 0 };
	int64_t ns = -1;

	if (!p->table->op || p->table->dtype == INT32)
		return NAN;
	if (prepare(&a, p, &ours, device_sheet(b->device), b->pool, &e) == 0)
		ns = bench_floor(b->device, a.dtype, a.op->flops(&a),
		                 a.op->bytes(&a), &e);
	args_fini(&a);
	return ns < 0 ? NAN : (double)ns * 1e-6;
}
