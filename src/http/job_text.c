/* job_text.c - see job_text.h. */
#include <math.h>
#include <stdio.h>

#include "base/size.h"
#include "http/job_text.h"
#include "ops/failure.h"
#include "ops/pipeline.h"
#include "queue/keep.h"
#include "queue/stages.h"
#include "queue/tenant.h"

/* Returns whether a reply about the job has this stage. */
static bool is_told(enum stage s, const struct job *j)
{
	return !stage_is_rare(s) || stage_ns(s, j) > 0;
}

const char *job_text_path(const struct job *j, char path[JOB_PATH])
{
	snprintf(path, JOB_PATH, "/jobs/%s", j->id);
	return path;
}

/* Appends milliseconds >= 0, exactly. Printing a double by printf would take
 * longer than all other headers of a reply. */
static void put_ms(struct text *t, int64_t ns)
{
	char digits[24], *const end = digits + sizeof digits, *at = end;
	uint64_t left = ns > 0 ? (uint64_t)ns : 0;
	size_t n;

	for (int i = 0; i < 6; i++, left /= 10)
		*--at = (char)('0' + left % 10);
	*--at = '.';
	do
		*--at = (char)('0' + left % 10);
	while (left /= 10);
	for (n = (size_t)(end - at); at[n - 1] == '0'; n--)
		;
	text_add(t, at, n - (at[n - 1] == '.'));
}

static void put_time(struct text *t, const char *token, int64_t ns)
{
	if (t->length)
		text_puts(t, ", ");
	text_puts(t, token);
	text_puts(t, ";dur=");
	put_ms(t, ns);
}

void job_text_server_timing(struct text *t, const struct job *j)
{
	text_reserve(t, 256);
	for (enum stage s = 0; s < STAGE_COUNT; s++)
		if (is_told(s, j))
			put_time(t, stage_name(s), stage_ns(s, j));
	if (!timing_has_kernels(j->timing_level))
		return;
	for (int i = 0; i < j->timing->n_kernels; i++)
		put_time(t, j->timing->kernel[i].name,
		         (int64_t)j->timing->kernel[i].total_ns);
}

/* These append members to an object, by the kind of their value. */
static void add_ms(struct text *t, const char *name, int64_t ns)
{
	json_text_put_name(t, name);
	put_ms(t, ns);
}

static void add_string(struct text *t, const char *name, const char *s)
{
	json_text_put_name(t, name);
	json_text_put_string(t, s);
}

static void add_number(struct text *t, const char *name, double x)
{
	json_text_put_name(t, name);
	json_text_put_number(t, x);
}

static void add_flag(struct text *t, const char *name)
{
	json_text_put_name(t, name);
	text_puts(t, "true");
}

/* Appends a rate: work per nanosecond is work in units of 1e9 per second. */
static void add_rate(struct text *t, const char *name, double work,
                     uint64_t ns)
{
	if (work > 0 && ns > 0)
		add_number(t, name, work / (double)ns);
}

static void put_device(struct text *t, int index, const char *name,
                       const char *platform)
{
	text_puts(t, "{");
	add_number(t, "index", index);
	add_string(t, "name", name);
	add_string(t, "platform", platform);
	text_puts(t, "}");
}

/* Appends `before` and a device that has run the job, on this host or, by
 * j->place, on another one. Returns false if the device is not known. */
static bool put_device_of(struct text *t, const struct engine *g,
                          const struct job *j, int index, const char *before)
{
	const struct job_place *const p = j->place;
	const struct sheet *s = p || index < 0 ? NULL :
	                        engine_sheet_of(g, index);
	int i = 0;

	while (p && i < p->n && p->device[i].index != index)
		i++;
	if (!s && (!p || i == p->n))
		return false;
	text_puts(t, before);
	put_device(t, index, s ? s->name : p->device[i].name,
	           s ? s->platform : p->device[i].platform);
	return true;
}

static void add_device(struct text *t, const struct engine *g,
                       const struct job *j, int index)
{
	put_device_of(t, g, j, index, ",\"device\":");
}

static void add_kernel(struct text *t, const struct engine *g,
                       const struct job *j, const struct kernel_time *k)
{
	const struct pipeline *const p = j->args.pipeline;

	text_puts(t, "{");
	add_string(t, "name", k->name);
	add_string(t, "variant", p ? p->step[k->step].variant : j->variant);
	if (p)
		add_string(t, "step", p->step[k->step].name);
	if (j->parts_on)
		add_device(t, g, j, k->device);
	add_number(t, "calls", (double)k->calls);
	if (k->timed < k->calls)
		add_number(t, "timed_calls", (double)k->timed);
	add_ms(t, "total_ms", (int64_t)k->total_ns);
	add_ms(t, "min_ms", (int64_t)k->min_ns);
	add_ms(t, "max_ms", (int64_t)k->max_ns);
	add_rate(t, "gflops", k->flops, k->total_ns);
	add_rate(t, "gbytes_per_s", k->bytes, k->total_ns);
	text_puts(t, "}");
}

/* Appends the times of the kernels of a pipeline's step, or of the whole job if
 * step is negative. */
static void add_kernels(struct text *t, const struct engine *g,
                        const struct job *j, int step)
{
	const char *comma = "";

	json_text_put_name(t, "kernels");
	text_puts(t, "[");
	for (int i = 0; i < j->timing->n_kernels; i++) {
		if (step >= 0 && j->timing->kernel[i].step != step)
			continue;
		text_puts(t, comma);
		add_kernel(t, g, j, &j->timing->kernel[i]);
		comma = ",";
	}
	text_puts(t, "]");
}

static void add_steps(struct text *t, const struct engine *g,
                      const struct job *j)
{
	const struct pipeline *const p = j->args.pipeline;

	json_text_put_name(t, "steps");
	text_puts(t, "[");
	for (int k = 0; k < p->n; k++) {
		text_puts(t, k ? ",{" : "{");
		add_string(t, "as", p->step[k].name);
		add_string(t, "op", p->step[k].args.op->name);
		add_string(t, "variant", p->step[k].variant);
		add_ms(t, "compute_ms", p->step[k].compute_ns);
		add_kernels(t, g, j, k);
		text_puts(t, "}");
	}
	text_puts(t, "]");
}

void job_text_timing(struct text *t, const struct engine *g,
                     const struct job *j)
{
	if (j->timing_level == TIMING_NONE)
		return;
	json_text_put_name(t, "timing");
	text_puts(t, "{");
	for (enum stage s = 0; s < STAGE_COUNT; s++)
		if (is_told(s, j))
			add_ms(t, stage_field(s), stage_ns(s, j));
	if (timing_has_kernels(j->timing_level) && j->args.pipeline &&
	    j->state == JOB_SUCCESSFUL)
		add_steps(t, g, j);
	if (timing_has_kernels(j->timing_level))
		add_kernels(t, g, j, -1);
	text_puts(t, "}");
}

void job_text_device(struct text *t, const struct engine *g,
                     const struct job *j)
{
	const char *comma = "";

	if (j->place)
		add_string(t, "host", j->place->host);
	add_device(t, g, j, j->device);
	if (!j->parts_on)
		return;
	json_text_put_name(t, "devices");
	text_puts(t, "[");
	for (int i = 0; i < SHEETS; i++)
		if (j->parts_on >> i & 1 &&
		    put_device_of(t, g, j, i, comma))
			comma = ",";
	text_puts(t, "]");
}

/* Appends the measures of a verdict as an object under that name; nothing if
 * the verdict has none. */
static void add_verdict(struct text *t, const char *name,
                        const struct verdict *v)
{
	const struct { const char *name; bool flag; double x; } told[] = {
#define X(measure, flag) { #measure, flag, v->measure },
		VERDICT_MEASURES(X)
#undef X
	};
	bool any = false;

	for (size_t i = 0; i < COUNT(told); i++) {
		if (!isfinite(told[i].x))
			continue;
		if (!any) {
			json_text_put_name(t, name);
			text_puts(t, "{");
		}
		any = true;
		if (told[i].flag)
			add_flag(t, told[i].name);
		else
			add_number(t, told[i].name, told[i].x);
	}
	if (any)
		text_puts(t, "}");
}

/* Appends the quality of a pipeline: a member for each step whose accuracy was
 * measured. */
static void add_verdicts(struct text *t, const struct pipeline *p)
{
	struct text all = { 0 };

	text_puts(&all, "{");
	for (int k = 0; k < p->n; k++)
		add_verdict(&all, p->step[k].name, &p->step[k].args.verdict);
	if (all.length > 1) {
		json_text_put_name(t, "quality");
		text_add(t, all.data, all.length);
		text_puts(t, "}");
	}
	t->failed |= all.failed;
	text_fini(&all);
}

void job_text_quality(struct text *t, const struct job *j)
{
	if (!j->args.pipeline)
		add_verdict(t, "quality", &j->args.verdict);
	else if (j->state == JOB_SUCCESSFUL)
		add_verdicts(t, j->args.pipeline);
}

void job_text_failure(struct text *t, const struct job *j, size_t i)
{
	const struct step *s = pipeline_failed(&j->args, &i);
	const struct args *a = s ? &s->args : &j->args;
	const struct failure f = args_failure(a, i);
	struct err why = { 0 };

	a->op->describe(a, &f, &why);
	text_puts(t, "{");
	if (s)
		add_string(t, "step", s->name);
	add_number(t, "index", (double)f.index);
	add_string(t, "kind", err_slug((enum err_code)f.detail.code));
	add_string(t, "detail", why.text);
	text_puts(t, "}");
}

static void put_shape(struct text *t, const struct matrix *m)
{
	text_puts(t, "[");
	for (int i = 0; i < m->ndim; i++)
		text_printf(t, "%s%zu", i ? "," : "", m->dim[i]);
	text_puts(t, "]");
}

void job_text_stored(struct text *t, const struct job *j)
{
	const struct keeping *k = j->keeping;

	if (!k || !k->done)
		return;
	json_text_put_name(t, "stored");
	text_puts(t, "{");
	for (int i = 0; i < k->n; i++) {
		const struct kept *one = &k->kept[i];

		json_text_put_name(t, j->args.op->outputs[one->output].name);
		text_puts(t, "{");
		add_string(t, "name", one->name);
		json_text_put_name(t, "shape");
		put_shape(t, &one->shape);
		add_string(t, "dtype", dtype_name(one->shape.dtype));
		text_puts(t, "}");
	}
	text_puts(t, "}");
}

void job_text_shared(struct text *t, const struct job *j,
                     const struct matrix *m)
{
	text_puts(t, "{\"share\":");
	json_text_put_string(t, j->into);
	json_text_put_name(t, "offset");
	json_text_put_number(t, (double)m->memory->offset);
	json_text_put_name(t, "shape");
	put_shape(t, m);
	add_string(t, "dtype", dtype_name(m->dtype));
	text_puts(t, "}");
}

static void add_moment(struct text *t, const char *name, int64_t wall_ms)
{
	char moment[CLOCK_TEXT];

	if (wall_ms)
		add_string(t, name, clock_text(wall_ms, moment));
}

static void add_error(struct text *t, const struct job *j)
{
	char path[JOB_PATH];

	if (j->err.code == ERR_NONE)
		return;
	json_text_put_name(t, "error");
	json_text_print(t, json_text_problem(&j->err, job_text_path(j, path)));
}

void job_text_status(struct text *t, const struct engine *g,
                     const struct job *j)
{
	text_puts(t, "{");
	add_string(t, "id", j->id);
	add_string(t, "op", j->args.op->name);
	add_string(t, "status", job_state_name(job_told_state(j)));
	add_number(t, "progress", engine_progress(g, j));
	add_number(t, "priority", j->priority);
	if (j->tenant && *j->tenant->name)
		add_string(t, "tenant", j->tenant->name);
	add_moment(t, "created", j->created_ms);
	if (!j->beginning)
		add_moment(t, "started", j->begun_ms);
	add_moment(t, "finished", j->finished_ms);
	add_moment(t, "updated", j->updated_ms);
	job_text_device(t, g, j);
	add_error(t, j);
	if (job_state_is_end(j->state)) {
		job_text_stored(t, j);
		job_text_quality(t, j);
		job_text_timing(t, g, j);
	}
	text_puts(t, "}");
}
