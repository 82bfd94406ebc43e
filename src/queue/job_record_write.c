/* job_record_write.c - see job_record.h: writing. */
#include <math.h>
#include <string.h>

#include "ops/failure.h"
#include "ops/pipeline.h"
#include "queue/job_record.h"
#include "queue/job_record_names.h"
#include "queue/keep.h"

/* --- the request */

static void put_outputs(struct text *t, const struct op *o, unsigned want)
{
	text_puts(t, "want");
	for (int i = 0; i < OP_OUTPUTS && o->outputs[i].name; i++)
		if (want >> i & 1)
			text_printf(t, " %s", o->outputs[i].name);
	text_puts(t, "\n");
}

/* Appends the value of parameter i; of a list, all of its values. */
static void put_value(struct text *t, const struct args *a, int i)
{
	const struct param *const p = &a->op->params[i];
	const int n = p->type == PARAM_LIST ? PARAM_LIST_LENGTH : 1;

	if (p->type == PARAM_CHOICE)
		text_printf(t, " %s", p->choices[(int)a->param[i]]);
	else
		for (int k = 0; k < n; k++)
			text_printf(t, " %.17g", a->param[i + k]);
}

static void put_params(struct text *t, const struct args *a)
{
	for (int i = 0; a->op->params[i].name; i++) {
		if (isnan(a->param[i]))
			continue;
		text_printf(t, "param %s", a->op->params[i].name);
		put_value(t, a, i);
		text_puts(t, "\n");
	}
}

/* `half` is the type that the answer has, and settles `dtype` when the call is
 * prepared again. */
static void put_call(struct text *t, const struct args *a)
{
	text_printf(t, "dtype %s\nquality %s\n", dtype_name(a->half),
	            record_qualities[a->quality]);
	if (a->variant)
		text_printf(t, "variant %s\n", a->variant->name);
	put_outputs(t, a->op, a->want);
	put_params(t, a);
}

static void put_steps(struct text *t, const struct pipeline *p)
{
	text_printf(t, "steps %d %s\n", p->n, p->root);
	for (int k = 0; k < p->n; k++) {
		const struct step *const s = &p->step[k];

		text_printf(t, "step %s %s %d %u %d\n", s->name,
		            s->args.op->name, s->place, s->given, s->judged);
		for (int i = 0; i < OP_INPUTS; i++)
			if (step_is_fed(s, i))
				text_printf(t, "from %d %d %d\n", i,
				            s->from[i].step, s->from[i].output);
			else if (s->args.in[i].ndim != MATRIX_ABSENT)
				text_printf(t, "operand %d\n", i);
		put_call(t, &s->args);
	}
	for (int i = 0; i < p->n_returned; i++)
		text_printf(t, "return %d %d %s\n", p->returned[i].step,
		            p->returned[i].output, p->names[i]);
}

static void put_keeping(struct text *t, const struct keeping *k)
{
	text_printf(t, "ttl %lld\nconditional %d\n", (long long)k->ttl_ns,
	            k->conditional);
	for (int i = 0; i < k->n; i++)
		text_printf(t, "store %d %d %llu %s\n", k->kept[i].output,
		            k->kept[i].told,
		            (unsigned long long)k->kept[i].version,
		            k->kept[i].name);
}

static void put_fingerprint(struct text *t, const struct job *j)
{
	text_puts(t, "fingerprint ");
	for (size_t i = 0; i < sizeof j->fingerprint; i++)
		text_printf(t, "%02x", j->fingerprint[i]);
	text_puts(t, "\n");
}

/* A deadline is kept as a moment of the calendar. */
static int64_t deadline_ms(const struct job *j)
{
	return j->deadline_ns ? j->created_ms +
	       (j->deadline_ns - j->accepted_ns) / 1000000 : 0;
}

void record_request(struct text *t, const struct job *j, uint64_t indices)
{
	const struct pipeline *const p = j->args.pipeline;

	text_printf(t, "op %s\ncreated %lld\ndeadline %lld %d\npriority %d\n"
	            "timing %s\nparse %lld\n", j->args.op->name,
	            (long long)j->created_ms, (long long)deadline_ms(j),
	            j->usual_deadline, j->priority,
	            record_levels[j->timing_level], (long long)j->parse_ns);
	if (indices)
		text_printf(t, "devices %llu\n", (unsigned long long)indices);
	if (*j->key)
		put_fingerprint(t, j);
	if (p)
		put_steps(t, p);
	else
		put_call(t, &j->args);
	if (j->keeping)
		put_keeping(t, j->keeping);
}

size_t record_operands(const struct job *j, struct matrix m[RECORD_OPERANDS])
{
	const struct pipeline *const p = j->args.pipeline;
	size_t n = 0;

	if (!p)
		for (; n < OP_INPUTS; n++)
			m[n] = j->args.in[n];
	for (int k = 0; p && k < p->n; k++)
		for (int i = 0; i < OP_INPUTS; i++)
			if (p->step[k].args.in[i].memory)
				m[n++] = p->step[k].args.in[i];
	return n;
}

/* --- the answer */

/* Times are kept from the job's acceptance on. */
static void put_times(struct text *t, const struct job *j)
{
	const int64_t times[] = {
		j->first_byte_ns, j->started_ns, j->ended_ns, j->replied_ns,
	};

	text_printf(t, "begun %lld\nfinished %lld\ntimes",
	            (long long)j->begun_ms, (long long)j->finished_ms);
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
		text_printf(t, " %lld", times[i] ?
		            (long long)(times[i] - j->accepted_ns) : 0LL);
	text_printf(t, " %lld\n", (long long)j->compile_ns);
}

/* Appends a text of one line. */
static void put_line(struct text *t, const char *name, const char *s)
{
	if (!*s)
		return;
	text_printf(t, "%s ", name);
	for (; *s; s++)
		text_add(t, (unsigned char)*s < ' ' ? " " : s, 1);
	text_puts(t, "\n");
}

static void put_error(struct text *t, const struct err *e)
{
	if (!e->code)
		return;
	text_printf(t, "error %s %u\n", err_slug(e->code), e->retry_s);
	put_line(t, "detail", e->text);
	put_line(t, "pointer", e->pointer);
}

static void put_verdict(struct text *t, const struct verdict *v)
{
#define X(measure, flag)                                                 \
	if (!isnan(v->measure))                                          \
		text_printf(t, "verdict " #measure " %.17g\n", v->measure);
	VERDICT_MEASURES(X)
#undef X
}

static void put_kernel(struct text *t, const struct kernel_time *k)
{
	text_printf(t, "kernel %s %d %d %llu %llu %llu %llu %llu %.17g %.17g\n",
	            k->name, k->device, k->step, (unsigned long long)k->calls,
	            (unsigned long long)k->timed,
	            (unsigned long long)k->total_ns,
	            (unsigned long long)k->min_ns,
	            (unsigned long long)k->max_ns, k->flops, k->bytes);
}

static void put_timing(struct text *t, const struct timing *g)
{
	text_printf(t, "timing %lld %lld %lld %lld %lld\n",
	            (long long)g->upload_ns, (long long)g->download_ns,
	            (long long)g->compute_ns, (long long)g->host_ns,
	            (long long)g->compile_ns);
	for (int i = 0; i < g->n_kernels; i++)
		put_kernel(t, &g->kernel[i]);
}

static void put_result(struct text *t, const struct args *a)
{
	text_printf(t, "result %u %u %zu %zu\n", a->real, a->shorter,
	            a->stack, a->failures);
	put_verdict(t, &a->verdict);
}

static void put_stored(struct text *t, const struct keeping *k)
{
	for (int i = 0; k && k->done && i < k->n; i++) {
		const struct matrix *const m = &k->kept[i].shape;

		text_printf(t, "stored %d %s %d", i, dtype_name(m->dtype),
		            m->ndim);
		for (int d = 0; d < m->ndim; d++)
			text_printf(t, " %zu", m->dim[d]);
		text_puts(t, "\n");
	}
}

/* Writes the host that ran a fleet's job, and for each of its devices the
 * index, the name and the platform. */
static void put_place(struct text *t, const struct job_place *p)
{
	if (!p)
		return;
	put_line(t, "host", p->host);
	for (int i = 0; i < p->n; i++) {
		text_printf(t, "place %d\n", p->device[i].index);
		put_line(t, "name", p->device[i].name);
		put_line(t, "platform", p->device[i].platform);
	}
}

void record_answer(struct text *t, const struct job *j)
{
	const struct pipeline *const p = j->args.pipeline;

	put_times(t, j);
	put_error(t, &j->err);
	text_printf(t, "device %d %llu\n", j->device,
	            (unsigned long long)j->parts_on);
	put_place(t, j->place);
	put_line(t, "variant", j->variant);
	put_timing(t, j->timing);
	put_result(t, &j->args);
	put_stored(t, j->keeping);
	for (int k = 0; p && k < p->n; k++) {
		text_printf(t, "answered %d %lld\n", k,
		            (long long)p->step[k].compute_ns);
		put_line(t, "variant", p->step[k].variant);
		put_result(t, &p->step[k].args);
	}
}

/* The list of failures with all of its room: their details lie behind it. */
static struct matrix failures_of(const struct args *a)
{
	struct matrix m = a->failed;

	if (m.memory)
		m.dim[0] = failures_shape(a->stack).dim[0];
	return m;
}

size_t record_results(const struct job *j, struct matrix m[RECORD_RESULTS])
{
	const struct pipeline *const p = j->args.pipeline;
	size_t n = 0;

	for (; n < OP_OUTPUTS; n++)
		m[n] = j->args.out[n];
	m[n++] = failures_of(&j->args);
	for (int k = 0; p && k < p->n; k++)
		m[n++] = failures_of(&p->step[k].args);
	return n;
}
