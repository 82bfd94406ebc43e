/* pipeline_check.c - see pipeline.h: pipeline_link() and pipeline_prepare().
 * The steps are checked in their order, because the outputs of one give the
 * shapes and element types of a later one's operands. */
#include <stdio.h>
#include <string.h>

#include "matrix/sparse.h"
#include "ops/failure.h"
#include "ops/gang/devices.h"
#include "ops/pipeline.h"

static void note_use(struct pipeline *p, int k, const struct source *from)
{
	struct step *s = &p->step[from->step];

	s->used |= 1u << from->output;
	if (s->last_use[from->output] < k)
		s->last_use[from->output] = k;
}

static void forget_uses(struct pipeline *p)
{
	for (int k = 0; k < p->n; k++) {
		p->step[k].used = p->step[k].returned = 0;
		memset(p->step[k].last_use, -1,
		       sizeof p->step[k].last_use);
	}
	for (int i = 0; i < p->n_returned; i++)
		p->step[p->returned[i].step].returned |=
			1u << p->returned[i].output;
}

/* Finds the uses of all outputs, from the last step to the first, so that an
 * output counts as unused if only unused steps take it. */
static void find_uses(struct pipeline *p)
{
	forget_uses(p);
	for (int k = p->n - 1; k >= 0; k--) {
		struct step *s = &p->step[k];

		s->args.want = s->used | s->returned;
		for (int i = 0; i < OP_INPUTS && s->args.want; i++)
			if (step_is_fed(s, i))
				note_use(p, k, &s->from[i]);
	}
}

static void remove_step(struct pipeline *p, int k)
{
	args_fini(&p->step[k].args);
	p->n--;
	memmove(&p->step[k], &p->step[k + 1],
	        (size_t)(p->n - k) * sizeof p->step[0]);
	for (int j = 0; j < p->n; j++)
		for (int i = 0; i < OP_INPUTS; i++)
			p->step[j].from[i].step -= p->step[j].from[i].step > k;
	for (int j = 0; j < p->n; j++)
		for (int i = 0; i < OP_OUTPUTS; i++)
			p->step[j].last_use[i] -= p->step[j].last_use[i] > k;
	for (int i = 0; i < p->n_returned; i++)
		p->returned[i].step -= p->returned[i].step > k;
}

int pipeline_link(struct pipeline *p, bool prune, struct err *e)
{
	find_uses(p);
	for (int k = p->n - 1; k >= 0; k--) {
		if (p->step[k].args.want)
			continue;
		if (!prune) {
			err_set(e, ERR_PARAMETER, "no other step uses it, and "
			        "return does not name it");
			return pipeline_blame(p, k, e);
		}
		remove_step(p, k);
	}
	return 0;
}

/* --- one step */

static int fault_at(struct err *e, enum err_code code, const struct args *a,
                    int i, const char *why)
{
	char pointer[64];

	snprintf(pointer, sizeof pointer, "/%s", a->op->inputs[i].name);
	return err_set_at(e, code, pointer, "%s: %s %s", a->op->name,
	                  a->op->inputs[i].name, why);
}

/* Checks the source of an intermediate. An output whose shape or type depends
 * on the elements cannot be an operand, because the front must know the shapes
 * of all steps before the pipeline runs. */
static int check_source(const struct pipeline *p, const struct step *s, int i,
                        struct err *e)
{
	const struct step *f = &p->step[s->from[i].step];
	const struct matrix *m = step_source(p, s, i);
	const int output = s->from[i].output;
	const char *name = f->args.op->outputs[output].name;
	char why[160];

	if (m->ndim == MATRIX_ABSENT)
		snprintf(why, sizeof why, "is %s of step %s, which that step "
		         "does not have for its operands", name, f->name);
	else if (dtype_is_complex(m->dtype) &&
	         (f->args.op->complex_too >> output & 1))
		snprintf(why, sizeof why, "is %s of step %s, which may come "
		         "out complex, real or shorter; a step takes only "
		         "what has one type (eigen: structure=symmetric)",
		         name, f->name);
	else
		return 0;
	return fault_at(e, ERR_SHAPE, &s->args, i, why);
}

/* Gives the intermediates among a step's operands the shapes and types of their
 * sources. */
static int bind(struct pipeline *p, struct step *s, struct err *e)
{
	for (int i = 0; i < OP_INPUTS; i++) {
		if (!step_is_fed(s, i))
			continue;
		if (check_source(p, s, i, e) < 0)
			return -1;
		s->args.in[i] = *step_source(p, s, i);
		s->args.in[i].memory = s->args.in[i].index = NULL;
	}
	return 0;
}

/* Returns the copy of an operand of the request that an earlier step has, if
 * its type and layout are those that operand i of step k needs; else NULL. */
static const struct matrix *converted(const struct pipeline *p, int k, int i)
{
	const struct step *s = &p->step[k];
	const enum dtype wanted = args_operand_dtype(&s->args, i);

	for (int j = 0; j < k; j++)
		for (int l = 0; l < OP_INPUTS; l++) {
			const struct step *o = &p->step[j];

			if (o->args.in[l].memory && o->from[l].step < 0 &&
			    o->from[l].output == s->from[i].output &&
			    o->args.in[l].dtype == wanted &&
			    o->args.in[l].layout == s->args.in[i].layout)
				return &o->args.in[l];
		}
	return NULL;
}

static int convert_given(struct pipeline *p, int k, int i,
                         struct memory_pool *pool, struct err *e)
{
	struct args *a = &p->step[k].args;
	const struct matrix *same = converted(p, k, i);

	if (same) {
		matrix_fini(&a->in[i]);
		a->in[i] = matrix_ref(same);
		return 0;
	}
	return matrix_convert_operand(&a->in[i], args_operand_dtype(a, i),
	                              a->op->inputs[i].name, pool, e);
}

/* Can a worker convert an intermediate of type `from` to type `to`? */
static bool converts(enum dtype from, enum dtype to)
{
	if (dtype_is_complex(from) || dtype_is_complex(to))
		return dtype_is_complex(from) && dtype_is_complex(to);
	return to == from || to == FLOAT32 || to == FLOAT64 ||
	       dtype_is_half(to);
}

/* Checks the conversion of an intermediate to the type that its step needs. A
 * worker converts neither sparse matrices, nor dense ones to sparse ones or
 * back. */
static int convert_fed(struct step *s, int i, struct err *e)
{
	struct args *a = &s->args;
	const enum dtype wanted = args_operand_dtype(a, i);
	const bool stays = args_keeps_layout(a, i);

	if (!converts(a->in[i].dtype, wanted))
		return fault_at(e, ERR_PARAMETER, a, i,
		    dtype_is_complex(wanted) ? "is a real matrix of an earlier "
		    "step and the other operands are complex; real matrices "
		    "become complex only as operands of the request" :
		    "is of an earlier step and of another type than the other "
		    "operands; name a dtype of float32 or float64");
	if (a->in[i].ndim == 2 && !stays &&
	    (a->in[i].layout != a->op->inputs[i].layout ||
	     a->op->sparse_too >> i & 1))
		return fault_at(e, ERR_SHAPE, a, i,
		    a->in[i].layout == CSR ? "is a sparse matrix of an "
		    "earlier step, and this one computes with dense ones" :
		    "is a dense matrix of an earlier step, and this one "
		    "computes with sparse ones, which a request brings");
	if (a->in[i].layout == CSR && a->in[i].dtype != wanted)
		return fault_at(e, ERR_PARAMETER, a, i, "is a sparse matrix of "
		                "an earlier step, whose type this step does "
		                "not compute in; name that type as its dtype");
	a->in[i].dtype = wanted;
	return 0;
}

static int convert(struct pipeline *p, int k, struct memory_pool *pool,
                   struct err *e)
{
	struct step *s = &p->step[k];

	for (int i = 0; i < OP_INPUTS; i++)
		if (s->args.in[i].ndim != MATRIX_ABSENT &&
		    (step_is_fed(s, i) ? convert_fed(s, i, e) :
		     convert_given(p, k, i, pool, e)) < 0)
			return -1;
	return args_settle_layout(&s->args, pool, e);
}

static int check_variant(const struct args *a, struct err *e)
{
	if (!a->variant || a->variant->dtypes & DTYPE_BIT(a->dtype))
		return 0;
	return err_set_at(e, ERR_PARAMETER, "/variant", "%s: variant %s does "
	                  "not compute in %s", a->op->name, a->variant->name,
	                  dtype_name(a->dtype));
}

/* Counts the plain sources that name step k, and sets their output. */
static int set_plain(struct pipeline *p, int k, int output)
{
	int n = 0;

	for (int j = k + 1; j < p->n; j++)
		for (int i = 0; i < OP_INPUTS; i++) {
			struct source *const from = &p->step[j].from[i];

			if (!step_is_fed(&p->step[j], i) || !from->plain ||
			    from->step != k)
				continue;
			from->output = output;
			n++;
		}
	for (int i = 0; i < p->n_returned; i++)
		if (p->returned[i].plain && p->returned[i].step == k) {
			p->returned[i].output = output;
			n++;
		}
	return n;
}

/* Decides which output those mean that name the step alone. */
static int settle_plain(struct pipeline *p, int k, struct err *e)
{
	int first;

	if (set_plain(p, k, 0) == 0)
		return 0;
	first = args_first_output(&p->step[k].args, e);
	if (first > 0) {
		set_plain(p, k, first);
		find_uses(p);
	}
	return first < 0 ? -1 : 0;
}

static int check_step(struct pipeline *p, int k, struct memory_pool *pool,
                      struct err *e)
{
	struct step *s = &p->step[k];

	return bind(p, s, e) < 0 ||
	       args_settle_dtype(&s->args, s->dtype, e) < 0 ||
	       check_variant(&s->args, e) < 0 ||
	       convert(p, k, pool, e) < 0 || settle_plain(p, k, e) < 0 ||
	       args_check(&s->args, e) < 0 ||
	       gang_check_step(&s->args, e) < 0 ? -1 : 0;
}

static int check_returned(struct step *s, struct err *e)
{
	const struct output *out = s->args.op->outputs;

	for (int i = 0; out[i].name; i++)
		if (s->returned >> i & 1 &&
		    s->args.out[i].ndim == MATRIX_ABSENT)
			return err_set(e, ERR_PARAMETER, "it has no output %s "
			               "for these operands", out[i].name);
	return 0;
}

/* --- memory */

static int alloc_step(struct step *s, struct memory_pool *pool, struct err *e)
{
	struct args *a = &s->args;

	for (int i = 0; a->op->outputs[i].name; i++)
		if (s->returned >> i & 1 && matrix_alloc(&a->out[i], pool, e))
			return -1;
	if (!a->op->describe || a->stack < 2)
		return 0;
	a->failed = failures_shape(a->stack);
	return matrix_alloc(&a->failed, pool, e);
}

/* Intermediates whose type has 16 bits are kept in float32, in which kernels
 * compute them. */
static void widen(struct matrix *m)
{
	if (m->ndim != MATRIX_ABSENT && dtype_is_half(m->dtype))
		m->dtype = FLOAT32;
}

static void widen_intermediates(struct pipeline *p)
{
	for (int k = 0; k < p->n; k++) {
		struct step *s = &p->step[k];

		for (int i = 0; i < OP_OUTPUTS; i++)
			if (!(s->returned >> i & 1))
				widen(&s->args.out[i]);
		for (int i = 0; i < OP_INPUTS; i++)
			if (step_is_fed(s, i) &&
			    !dtype_is_half(step_source(p, s, i)->dtype))
				widen(&s->args.in[i]);
	}
}

static size_t bytes_of(const struct matrix *m)
{
	return m->ndim == MATRIX_ABSENT || m->memory ? 0 :
	       matrix_size(m) + matrix_index_size(m);
}

/* Returns the most bytes that intermediates occupy at any time. They are in the
 * host's memory if the device shares it; those of the step before the present
 * one may still be in use (ops/steps.c). */
static size_t most_bytes(const struct pipeline *p)
{
	size_t most = 0;

	for (int k = 0; k < p->n; k++) {
		size_t now = 0;

		for (int j = 0; j <= k; j++)
			for (int i = 0; i < OP_OUTPUTS; i++)
				if (j == k || p->step[j].last_use[i] >= k - 1)
					now += bytes_of(&p->step[j].args
					                    .out[i]);
		most = now > most ? now : most;
	}
	return most;
}

static int charge(struct pipeline *p, struct memory_pool *pool, struct err *e)
{
	p->charge = most_bytes(p);
	if (memory_pool_charge(pool, p->charge) < 0)
		return err_set(e, p->charge > memory_pool_limit(pool) ?
		               ERR_TOO_LARGE : ERR_MEMORY, "the intermediates "
		               "take %zu bytes, %zu of %zu for matrices are in "
		               "use", p->charge, memory_pool_used(pool),
		               memory_pool_limit(pool));
	p->charged = pool;
	return 0;
}

/* Sets the pipeline's type to the widest type of its steps, which a device must
 * support to run it. */
static void settle_dtype(struct args *a)
{
	a->dtype = a->pipeline->step[0].args.dtype;
	for (int k = 0; k < a->pipeline->n; k++)
		if (dtype_part(a->pipeline->step[k].args.dtype) == FLOAT64)
			a->dtype = FLOAT64;
	a->half = a->dtype;
}

int pipeline_prepare(struct args *a, struct memory_pool *pool, struct err *e)
{
	struct pipeline *const p = a->pipeline;

	for (int k = 0; k < p->n; k++)
		if (check_step(p, k, pool, e) < 0 ||
		    check_returned(&p->step[k], e) < 0)
			return pipeline_blame(p, k, e);
	for (int i = 0; i < PIPELINE_OPERANDS; i++)
		matrix_fini(&p->operand[i]);
	widen_intermediates(p);
	settle_dtype(a);
	for (int k = 0; k < p->n; k++)
		if (alloc_step(&p->step[k], pool, e) < 0)
			return pipeline_blame(p, k, e);
	return charge(p, pool, e);
}
