/* job_record_answer.c - see job_record.h: reads an answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "ops/failure.h"
#include "ops/pipeline.h"
#include "queue/job_record_lines.h"
#include "queue/keep.h"

static int read_begun(struct reading *r, const char *values)
{
	return record_moment(r, values, &r->job->begun_ms);
}

static int read_finished(struct reading *r, const char *values)
{
	const int rc = record_moment(r, values, &r->job->finished_ms);

	r->job->updated_ms = r->job->finished_ms;
	return rc;
}

static int read_times(struct reading *r, const char *values)
{
	long long first, started, ended, replied, compile;
	struct job *const j = r->job;
	const int64_t base = clock_ns();

	if (sscanf(values, "%lld %lld %lld %lld %lld", &first, &started, &ended,
	           &replied, &compile) != 5 || !record_is_time(first) ||
	    !record_is_time(started) || !record_is_time(ended) ||
	    !record_is_time(replied) || !record_is_time(compile))
		return record_wrong(r, "times");
	j->accepted_ns = base;
	j->first_byte_ns = base + first;
	j->started_ns = started ? base + started : 0;
	j->ended_ns = base + ended;
	j->replied_ns = replied ? base + replied : 0;
	j->compile_ns = compile;
	return 0;
}

static int read_error(struct reading *r, const char *values)
{
	char slug[40];
	unsigned retry_s;

	if (sscanf(values, "%39s %u", slug, &retry_s) != 2)
		return record_wrong(r, "error");
	for (int c = ERR_NONE + 1; c < ERR_COUNT; c++)
		if (strcmp(err_slug((enum err_code)c), slug) == 0)
			r->job->err.code = (enum err_code)c;
	r->job->err.retry_s = retry_s;
	return r->job->err.code ? 0 : record_wrong(r, "error");
}

static int read_detail(struct reading *r, const char *values)
{
	snprintf(r->job->err.text, sizeof r->job->err.text, "%s", values);
	return 0;
}

static int read_pointer(struct reading *r, const char *values)
{
	snprintf(r->job->err.pointer, sizeof r->job->err.pointer, "%s",
	         values);
	return 0;
}

static int read_device(struct reading *r, const char *values)
{
	unsigned long long parts;

	if (sscanf(values, "%d %llu", &r->job->device, &parts) != 2)
		return record_wrong(r, "device");
	r->job->parts_on = parts;
	return 0;
}

static int read_ran(struct reading *r, const char *values)
{
	snprintf(r->variant, TIMING_NAME, "%s", values);
	return 0;
}

static int read_timing(struct reading *r, const char *values)
{
	long long ns[5];

	if (sscanf(values, "%lld %lld %lld %lld %lld", &ns[0], &ns[1], &ns[2],
	           &ns[3], &ns[4]) != 5)
		return record_wrong(r, "times");
	for (int i = 0; i < 5; i++)
		if (!record_is_time(ns[i]))
			return record_wrong(r, "times");
	r->timing->upload_ns = ns[0];
	r->timing->download_ns = ns[1];
	r->timing->compute_ns = ns[2];
	r->timing->host_ns = ns[3];
	r->timing->compile_ns = ns[4];
	return 0;
}

static int read_kernel(struct reading *r, const char *values)
{
	const struct pipeline *const p = r->job->args.pipeline;
	unsigned long long n[5];
	struct kernel_time *k;

	if (r->timing->n_kernels == TIMING_ROWS)
		return record_wrong(r, "number of kernels");
	k = &r->timing->kernel[r->timing->n_kernels];
	if (sscanf(values, "%39s %d %d %llu %llu %llu %llu %llu %lf %lf",
	           k->name, &k->device, &k->step, &n[0], &n[1], &n[2], &n[3],
	           &n[4], &k->flops, &k->bytes) != 10 ||
	    k->step < 0 || k->step >= (p ? p->n : 1))
		return record_wrong(r, "kernel");
	k->calls = n[0];
	k->timed = n[1];
	k->total_ns = n[2];
	k->min_ns = n[3];
	k->max_ns = n[4];
	r->timing->n_kernels++;
	return 0;
}

static int read_result(struct reading *r, const char *values)
{
	struct args *const a = r->args;

	return sscanf(values, "%u %u %zu %zu", &a->real, &a->shorter,
	              &a->stack, &a->failures) == 4 ? 0 :
	       record_wrong(r, "result");
}

static int read_verdict(struct reading *r, const char *values)
{
	struct verdict *const v = &r->args->verdict;
	char name[32];
	double x;

	if (sscanf(values, "%31s %lf", name, &x) != 2)
		return record_wrong(r, "verdict");
#define X(measure, flag)                   \
	if (strcmp(name, #measure) == 0) { \
		v->measure = x;            \
		return 0;                  \
	}
	VERDICT_MEASURES(X)
#undef X
	return record_wrong(r, "verdict");
}

static int read_stored(struct reading *r, const char *values)
{
	struct keeping *const k = r->job->keeping;
	char dtype[16];
	struct matrix *m;
	int i, ndim, used;

	if (sscanf(values, "%d %15s %d%n", &i, dtype, &ndim, &used) != 3 ||
	    !k || i < 0 || i >= k->n || ndim < 0 || ndim > MATRIX_DIMS)
		return record_wrong(r, "stored output");
	m = &k->kept[i].shape;
	if (dtype_find(dtype, &m->dtype))
		return record_wrong(r, "dtype");
	m->ndim = ndim;
	for (int d = 0; d < ndim; d++) {
		char *end;

		m->dim[d] = strtoull(values + used, &end, 10);
		used = (int)(end - values);
	}
	k->done = true;
	return 0;
}

static int read_answered(struct reading *r, const char *values)
{
	struct pipeline *const p = r->job->args.pipeline;
	long long ns;
	int k;

	if (sscanf(values, "%d %lld", &k, &ns) != 2 || !p || k < 0 ||
	    k >= p->n || !record_is_time(ns))
		return record_wrong(r, "step");
	p->step[k].compute_ns = ns;
	r->args = &p->step[k].args;
	r->variant = p->step[k].variant;
	return 0;
}

/* --- the host and the devices that ran a fleet's job */

static int read_host(struct reading *r, const char *values)
{
	struct job *const j = r->job;

	if (!j->place)
		j->place = calloc(1, sizeof *j->place);
	if (!j->place)
		return err_set(r->e, ERR_MEMORY, "no memory for a job");
	snprintf(j->place->host, sizeof j->place->host, "%s", values);
	j->place->n = 0;
	return 0;
}

static int read_place(struct reading *r, const char *values)
{
	struct job_place *const p = r->job->place;

	if (!p || p->n == SHEETS)
		return record_wrong(r, "place");
	p->device[p->n++].index = atoi(values);
	return 0;
}

static int read_place_name(struct reading *r, const char *values)
{
	struct job_place *const p = r->job->place;

	if (!p || !p->n)
		return record_wrong(r, "place");
	snprintf(p->device[p->n - 1].name, SHEET_NAME, "%s", values);
	return 0;
}

static int read_platform(struct reading *r, const char *values)
{
	struct job_place *const p = r->job->place;

	if (!p || !p->n)
		return record_wrong(r, "place");
	snprintf(p->device[p->n - 1].platform, SHEET_NAME, "%s", values);
	return 0;
}

static int read_gone(struct reading *r, const char *values)
{
	(void)values;
	r->job->gone = true;
	return 0;
}

static const struct record_line answer_lines[] = {
	{ "begun", read_begun }, { "finished", read_finished },
	{ "times", read_times }, { "error", read_error },
	{ "detail", read_detail }, { "pointer", read_pointer },
	{ "device", read_device }, { "variant", read_ran },
	{ "timing", read_timing }, { "kernel", read_kernel },
	{ "result", read_result }, { "verdict", read_verdict },
	{ "stored", read_stored }, { "answered", read_answered },
	{ "host", read_host }, { "place", read_place },
	{ "name", read_place_name }, { "platform", read_platform },
	{ "gone", read_gone }, { NULL, NULL }
};

int record_read_answer(struct job *j, const char *text, struct err *e)
{
	struct reading r = { .job = j, .args = &j->args, .variant = j->variant,
	                     .step = -1, .e = e };
	int rc;

	r.timing = calloc(1, sizeof *r.timing);
	if (!r.timing)
		return err_set(e, ERR_MEMORY, "no memory for a job's times");
	rc = record_lines(&r, answer_lines, text);
	if (rc == 0)
		job_set_timing(j, r.timing);
	free(r.timing);
	return rc;
}

/* Takes a list of failures over, which must have room for all of the stack. The
 * room is compared first, since the product may overflow. */
static int take_failures(struct args *a, struct matrix *m, struct err *e)
{
	const struct matrix *const f = &a->failed;
	const size_t failures = a->failures;

	a->failed = *m;
	*m = (struct matrix){ .ndim = MATRIX_ABSENT };
	if (!f->memory && failures == 0)
		return 0;
	if (!f->memory || f->dtype != INT64 || f->ndim != 1 ||
	    f->dim[0] < a->stack ||
	    f->dim[0] != failures_shape(a->stack).dim[0] ||
	    !args_take_failures(a, failures))
		return err_set(e, ERR_FORMAT, "a job's record: wrong list of "
		               "failures");
	return 0;
}

/* A pipeline's failures are those of its steps. */
int record_take_results(struct job *j, struct matrix *m, size_t n,
                        struct err *e)
{
	struct args *const a = &j->args;
	struct pipeline *const p = a->pipeline;

	if (n != (size_t)OP_OUTPUTS + 1 + (size_t)(p ? p->n : 0))
		return err_set(e, ERR_FORMAT, "a job's record: %zu results",
		               n);
	for (int i = 0; i < OP_OUTPUTS; i++) {
		a->out[i] = m[i];
		m[i] = (struct matrix){ .ndim = MATRIX_ABSENT };
	}
	if (p)
		a->failures = 0;
	if (take_failures(a, &m[OP_OUTPUTS], e))
		return -1;
	for (int k = 0; p && k < p->n; k++) {
		struct args *const s = &p->step[k].args;

		if (take_failures(s, &m[OP_OUTPUTS + 1 + k], e))
			return -1;
		a->failures += s->failures;
	}
	return 0;
}
