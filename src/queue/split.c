/* split.c - see split.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "queue/durable.h"
#include "queue/end.h"
#include "queue/give.h"
#include "queue/split.h"
#include "queue/split_way.h"

struct split {
	struct job *whole;		/* NULL: it ended before its parts */
	struct job *part[SHEETS];	/* NULL: the part has ended */
	int n, left;			/* parts; those that have not ended */
	bool failing;			/* the other parts are being ended */
	bool beginning;			/* parts are still being sent */
	bool gang;
	bool again;			/* of a gang: begins anew when all parts
					 * have ended */
	enum job_state state;		/* successful, or the state and error */
	struct err err;			/* of the first part that failed */
	unsigned real;			/* bit i: output i, which may be
					 * complex, turned out to be real */
	uint64_t parts_on;		/* devices of the ended parts, bits */
	struct trace *trace;		/* of the ended parts; owned */
	struct verdict verdict;		/* of a gang's first part; of a call
					 * that is cut, the largest error_bound
					 * of its parts */
	struct timing timing;		/* the slowest part's, with the kernels
					 * of all */
};

static struct matrix rows_of(const struct matrix *m, size_t from, size_t to,
                             struct err *e)
{
	struct matrix part = *m;
	size_t row;

	part.dim[0] = 1;
	row = matrix_size(&part);
	part.dim[0] = to - from;
	part.memory = memory_part(m->memory, from * row, (to - from) * row, e);
	return part;
}

/* Returns a part's rows of a matrix that is cut, or the whole of one that is
 * not. */
static struct matrix share_of(const struct matrix *m, bool is_cut,
                              size_t from, size_t to, struct err *e)
{
	return is_cut ? rows_of(m, from, to, e) : matrix_ref(m);
}

static void take_rows(struct args *part, const struct args *a,
                      const struct split_way *w, int i, struct err *e)
{
	const struct cut *const c = &w->cut;
	const size_t from = split_first_row(w, i), to = split_first_row(w,
	                                                                i + 1);

	*part = *a;
	for (int k = 0; k < OP_INPUTS; k++)
		part->in[k] = share_of(&a->in[k], c->in >> k & 1, from, to, e);
	for (int k = 0; k < OP_OUTPUTS; k++)
		part->out[k] = share_of(&a->out[k], c->out >> k & 1, from, to,
		                        e);
}

/* All parts of a gang have the whole matrices; those after the first one leave
 * alone the outputs that it writes. */
static void take_all(struct args *part, const struct args *a,
                     const struct split_way *w, int i,
                     const struct matrix *board)
{
	*part = *a;
	for (int k = 0; k < OP_INPUTS; k++)
		part->in[k] = matrix_ref(&a->in[k]);
	for (int k = 0; k < OP_OUTPUTS; k++)
		part->out[k] = i == 0 || w->gang.out >> k & 1 ?
		               matrix_ref(&a->out[k]) :
		               (struct matrix){ .ndim = MATRIX_ABSENT };
	part->gang = (struct gang){ .part = i, .parts = w->n,
	                            .width = w->gang.width,
	                            .board = matrix_ref(board) };
}

/* Adds a part's timing: the slowest part's times, and the kernels of all parts
 * as far as there is room. */
static void add_timing(struct timing *all, const struct job *part)
{
	const struct timing *t = part->timing;

	all->upload_ns = t->upload_ns > all->upload_ns ? t->upload_ns :
	                 all->upload_ns;
	all->compute_ns = t->compute_ns > all->compute_ns ? t->compute_ns :
	                  all->compute_ns;
	all->download_ns = t->download_ns > all->download_ns ?
	                   t->download_ns : all->download_ns;
	for (int i = 0; i < t->n_kernels && all->n_kernels < TIMING_ROWS;
	     i++) {
		struct kernel_time *k = &all->kernel[all->n_kernels++];

		*k = t->kernel[i];
		k->device = part->device;
	}
}

/* Sets the job's devices; its `device` is the lowest of them. */
static void set_devices(struct job *j, uint64_t parts_on)
{
	j->parts_on = parts_on;
	j->device = parts_on ? __builtin_ctzll(parts_on) : -1;
}

/* The outputs that are complex in the request, and real in a part's answer. */
static unsigned real_of(const struct args *whole, const struct args *part)
{
	unsigned real = 0;

	for (int i = 0; i < OP_OUTPUTS; i++)
		real |= (unsigned)(whole->out[i].ndim != MATRIX_ABSENT &&
		                   dtype_is_complex(whole->out[i].dtype) &&
		                   !dtype_is_complex(part->out[i].dtype)) << i;
	return real;
}

static void conclude(struct split *s, struct job *j)
{
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (s->real >> i & 1)
			j->args.out[i].dtype =
			    dtype_part(j->args.out[i].dtype);
	set_devices(j, s->parts_on);
	job_set_timing(j, &s->timing);
	j->trace = s->trace;
	s->trace = NULL;
	j->args.verdict = s->verdict;
	end_job(j->engine, j, s->state, &s->err);
}

/* Ends the job when all parts have ended, or has it begin anew. */
static void finish(struct split *s)
{
	struct job *const j = s->whole;

	if (j)
		j->split = NULL;
	if (j && s->again) {
		set_devices(j, 0);
		give_again(j->engine, j);
	} else if (j) {
		conclude(s, j);
	}
	trace_unref(s->trace);
	free(s);
}

/* Ends all parts; frees s if that ends the last one. */
static void end_parts(struct engine *g, struct split *s, const struct err *why)
{
	struct job *part[SHEETS];
	const int n = s->n;

	memcpy(part, s->part, sizeof part);
	for (int i = 0; i < n; i++)
		if (part[i])
			end_early(g, part[i], JOB_DISMISSED, why);
}

static void take_trace(struct split *s, struct job *part)
{
	if (!part->trace)
		return;
	part->trace->next = s->trace;
	s->trace = part->trace;
	part->trace = NULL;
}

static void note(struct split *s, struct job *part)
{
	for (int i = 0; i < s->n; i++)
		if (s->part[i] == part)
			s->part[i] = NULL;
	s->left--;
	if (part->device >= 0)
		s->parts_on |= UINT64_C(1) << part->device;
	add_timing(&s->timing, part);
	take_trace(s, part);
	if (s->whole)
		strcpy(s->whole->variant, part->variant);
	if (s->gang && part->args.gang.part == 0) {
		s->verdict = part->args.verdict;
		s->real = s->whole ? real_of(&s->whole->args, &part->args) : 0;
	}
	if (!s->gang)
		s->verdict.error_bound = fmax(s->verdict.error_bound,
		                              part->args.verdict.error_bound);
	if (part->state == JOB_SUCCESSFUL || s->failing)
		return;
	s->state = part->state;
	s->err = part->err;
	s->again = part->lost && s->whole &&
	           s->whole->attempts < GIVE_ATTEMPTS;
}

static void on_part_end(struct job *part, void *arg)
{
	struct split *s = arg;
	const bool fails = part->state != JOB_SUCCESSFUL && !s->failing;

	note(s, part);
	s->failing |= fails;
	if (s->beginning)
		return;
	if (s->left == 0)
		finish(s);
	else if (fails && s->whole)
		end_parts(part->engine, s, &part->err);
}

static struct job *new_part(struct engine *g, struct split *s,
                            const struct split_way *w, int i,
                            const struct matrix *board, struct err *e)
{
	const struct job *const j = s->whole;
	struct job *p = job_new(j->args.op, e);

	if (!p)
		return NULL;
	if (w->is_gang)
		take_all(&p->args, &j->args, w, i, board);
	else
		take_rows(&p->args, &j->args, w, i, e);
	memcpy(p->id, j->id, sizeof p->id);
	p->tenant = j->tenant;
	p->paid = true;			/* the whole job is the queue's last, or
					 * has paid */
	p->devices = j->devices;
	p->priority = j->priority;
	p->timing_level = j->timing_level;
	p->part = p->alone = true;
	p->on_end = on_part_end;
	p->on_end_arg = s;
	p->engine = g;
	p->serial = ++g->serial;
	p->accepted_ns = j->accepted_ns;
	return p;
}

/* Makes the memory that the parts of a gang share; absent for other parts. */
static int make_board(struct engine *g, const struct split_way *w,
                      struct matrix *board, struct err *e)
{
	const size_t bytes = size_max(w->gang.board, MEMORY_SLAB);

	*board = (struct matrix){ .ndim = MATRIX_ABSENT };
	if (!w->is_gang)
		return 0;
	*board = (struct matrix){ .dtype = INT64, .ndim = 1, .dim = {
	                          size_blocks(bytes, sizeof(int64_t)) } };
	if (matrix_alloc(board, g->memory, e))
		return -1;
	memset(matrix_data(board), 0, w->gang.head);
	return 0;
}

static struct split *make(struct engine *g, struct job *j,
                          const struct split_way *w, struct err *e)
{
	struct split *s = calloc(1, sizeof *s);
	struct matrix board;

	if (!s) {
		err_set(e, ERR_MEMORY, "no memory for a job's parts");
		return NULL;
	}
	*s = (struct split){ .whole = j, .n = w->n, .left = w->n,
	                     .gang = w->is_gang, .state = JOB_SUCCESSFUL,
	                     .verdict = verdict_none() };
	if (make_board(g, w, &board, e) == 0)
		for (int i = 0; i < w->n; i++)
			s->part[i] = new_part(g, s, w, i, &board, e);
	matrix_fini(&board);
	if (!e->code)
		return s;
	for (int i = 0; i < w->n; i++)
		job_unref(s->part[i]);
	free(s);
	return NULL;
}

/* Sends the parts. If one of a gang cannot be sent, the rest is not. */
static void send_parts(struct engine *g, struct split *s,
                       const struct split_way *way)
{
	struct job *const j = s->whole;

	s->beginning = true;
	for (int i = 0; i < s->n; i++) {
		struct worker *const w = &g->worker[way->worker[i]];

		if (s->failing) {
			end_job(g, s->part[i], JOB_DISMISSED, &s->err);
			continue;
		}
		set_devices(j, j->parts_on |
		               UINT64_C(1) << w->sheet.index);
		give_jobs(g, w, &s->part[i], 1);
	}
	s->beginning = false;
	if (s->left == 0)
		finish(s);
	else if (s->failing)
		end_parts(g, s, &s->err);
}

static void begin(struct engine *g, struct job *j, struct split *s,
                  const struct split_way *w)
{
	if (j->gang)
		waiting_take(&g->waiting, j, w->worker[0]);
	else
		waiting_remove(&g->waiting, j);
	j->split = s;
	j->attempts += s->gang;
	job_set_state(j, JOB_RUNNING);
	j->started_ns = clock_ns();
	j->begun_ms = j->updated_ms = clock_wall_ms();
	durable_begin(g, &j, 1);
	job_changed(j);
	g->unended += (size_t)s->n;
	send_parts(g, s, w);
}

bool split_begin(struct engine *g, struct job *j)
{
	const struct split_way w = split_way_of(g, j);
	struct err e = { 0 };
	struct split *s = w.n > 1 ? make(g, j, &w, &e) : NULL;

	if (s) {
		begin(g, j, s, &w);
	} else if (j->gang) {
		waiting_remove(&g->waiting, j);
		end_job(g, j, JOB_FAILED, &e);
	}
	return s || j->gang;
}

void split_drop(struct engine *g, struct job *j, const struct err *why)
{
	struct split *s = j->split;

	j->split = NULL;
	s->whole = NULL;
	end_parts(g, s, why);
}

int split_progress(const struct engine *g, const struct job *j)
{
	const struct split *s = j->split;
	int sum = 100 * (s->n - s->left);

	for (int i = 0; i < s->n; i++)
		if (s->part[i])
			sum += state_progress(g, s->part[i]);
	return sum / s->n;
}

void split_free(struct job *j)
{
	if (!j->split)
		return;
	trace_unref(j->split->trace);
	free(j->split);
	j->split = NULL;
	job_unref(j);
}
