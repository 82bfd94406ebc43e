/* job.c - see job.h. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "ops/pipeline.h"
#include "queue/keep.h"
#include "queue/tenant.h"
#include "queue/trace.h"

static const struct {
	const char *name;
	bool end;
} states[] = {
#define X(state, name, end) [state] = { name, end },
	JOB_STATES(X)
#undef X
};

const char *job_state_name(enum job_state s)
{
	return states[s].name;
}

bool job_state_is_end(enum job_state s)
{
	return states[s].end;
}

int job_state_find(const char *name)
{
	for (int i = 0; i < JOB_STATE_COUNT; i++)
		if (!strcmp(states[i].name, name))
			return i;
	return -1;
}

static const struct timing no_timing;

struct job *job_new(const struct op *o, struct err *e)
{
	struct job *j = calloc(1, sizeof *j);
	uint64_t random[2];

	if (!j) {
		err_set(e, ERR_MEMORY, "a job: out of memory");
		return NULL;
	}
	io_random(random, sizeof random);
	snprintf(j->id, sizeof j->id, "%012llx%04x%016llx",
	         (unsigned long long)clock_wall_ms() & 0xffffffffffff,
	         (unsigned)(random[0] & 0xffff),
	         (unsigned long long)random[1]);
	args_init(&j->args, o);
	j->refs = 1;
	j->device = -1;
	j->priority = 5;
	j->timing = &no_timing;
	return j;
}

struct job *job_ref(struct job *j)
{
	j->refs++;
	return j;
}

static void drop_timing(struct job *j)
{
	if (j->timing != &no_timing)
		free((void *)j->timing);
	j->timing = &no_timing;
}

void job_set_timing(struct job *j, const struct timing *t)
{
	const size_t bytes = offsetof(struct timing, kernel) +
	                     (size_t)t->n_kernels * sizeof t->kernel[0];
	struct timing *copy = malloc(bytes);

	if (!copy)
		return;
	memcpy(copy, t, bytes);
	drop_timing(j);
	j->timing = copy;
}

const char *job_stage(const struct job *j)
{
	return job_state_is_end(j->state) ? "ended" :
	       job_told_state(j) == JOB_RUNNING ? "running" :
	       j->preparing ? "preparing" :
	       j->cold ? "compiling" : "waiting";
}

void job_watch(struct job *j, struct watch *w)
{
	w->previous = NULL;
	w->next = j->watches;
	if (w->next)
		w->next->previous = w;
	j->watches = w;
}

void job_unwatch(struct job *j, struct watch *w)
{
	if (w->next)
		w->next->previous = w->previous;
	if (w->previous)
		w->previous->next = w->next;
	else
		j->watches = w->next;
}

void job_changed(const struct job *j)
{
	for (const struct watch *w = j->watches; w; w = w->next)
		w->changed(w->arg);
}

/* The tenant's number of jobs in that state; NULL: it does not count those. */
static uint64_t *number(const struct job *j, enum job_state s)
{
	return s == JOB_RUNNING ? &j->tenant->use.running :
	       s == JOB_ACCEPTED ? &j->tenant->use.queued : NULL;
}

void job_count(struct job *j)
{
	uint64_t *const to = j->tenant && !j->part && !j->counted ?
	                     number(j, j->state) : NULL;

	j->counted = to != NULL;
	if (to)
		(*to)++;
}

void job_uncount(struct job *j)
{
	if (j->counted)
		(*number(j, j->state))--;
	j->counted = false;
}

void job_set_state(struct job *j, enum job_state s)
{
	const bool counted = j->counted;

	job_uncount(j);
	j->state = s;
	if (counted)
		job_count(j);
}

uint64_t job_devices(const struct job *j)
{
	return j->part || tenant_may_run(j->tenant, 0) ? j->devices & ~j->cold :
	                                                 0;
}

void job_put_off(struct job *j, int device, int64_t since_ns)
{
	j->cold |= UINT64_C(1) << device;
	if (j->cold_ns == 0)
		j->cold_ns = since_ns;
}

void job_go_on(struct job *j, int64_t now_ns)
{
	if (j->cold_ns)
		j->compile_ns += now_ns - j->cold_ns;
	j->cold_ns = 0;
}

int job_charge(struct job *j, struct memory_pool *p, struct err *e)
{
	if (!j->keep || j->charged)
		return 0;
	if (memory_pool_charge(p, JOB_RECORD_BYTES) < 0)
		return err_set(e, ERR_MEMORY, "there is no memory to keep "
		               "another result: %zu of %zu bytes are taken; "
		               "fetch and delete results, or wait until their "
		               "time to live is over", memory_pool_used(p),
		               memory_pool_limit(p));
	j->charged = p;
	return 0;
}

void job_discharge(struct job *j)
{
	if (j->charged)
		memory_pool_discharge(j->charged, JOB_RECORD_BYTES);
	j->charged = NULL;
}

uint32_t job_tenant(const struct job *j)
{
	return j->tenant ? j->tenant->number : 0;
}

void job_drop_trace(struct job *j)
{
	if (j->traced)
		*j->traced = NULL;
	j->traced = NULL;
	trace_unref(j->trace);
	j->trace = NULL;
}

/* Operands that are prepared by a pool thread are not charged yet, so that this
 * changes nothing there. */
static void give_back(const struct job *j, uint64_t *charged)
{
	if (*charged)
		j->tenant->use.in_flight -= *charged;
	*charged = 0;
}

void job_drop_operands(struct job *j)
{
	give_back(j, &j->operands_charged);
	for (int i = 0; i < OP_INPUTS; i++)
		matrix_fini(&j->args.in[i]);
	if (j->args.pipeline)
		pipeline_drop_operands(j->args.pipeline);
}

void job_drop_outputs(struct job *j)
{
	give_back(j, &j->outputs_charged);
	for (int i = 0; i < OP_OUTPUTS; i++)
		matrix_fini(&j->args.out[i]);
	matrix_fini(&j->args.failed);
	if (j->args.pipeline)
		pipeline_drop_outputs(j->args.pipeline);
}

static bool only_a_record(const struct job *j)
{
	return j->listed && j->refs == 1 && (!j->keep || j->gone) &&
	       job_state_is_end(j->state);
}

void job_forget_outputs(struct job *j)
{
	if (only_a_record(j))
		job_drop_outputs(j);
}

void job_unref(struct job *j)
{
	if (!j)
		return;
	if (--j->refs == 0) {
		give_back(j, &j->operands_charged);
		give_back(j, &j->outputs_charged);
		args_fini(&j->args);
		drop_timing(j);
		job_drop_trace(j);
		job_discharge(j);
		keep_free(j->keeping);
		free(j->place);
		free(j);
	} else if (only_a_record(j)) {
		job_drop_outputs(j);
	}
}

static bool wants_float64(const struct args *a)
{
	return a->dtype == FLOAT64 || a->dtype == COMPLEX128;
}

bool job_needs_float64(const struct job *j)
{
	const struct pipeline *const p = j->args.pipeline;
	bool needs = !p && wants_float64(&j->args);

	for (int k = 0; p && k < p->n; k++)
		needs |= wants_float64(&p->step[k].args);
	return needs;
}
