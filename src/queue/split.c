/* split.c - see split.h. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "queue/durable.h"
#include "queue/end.h"
#include "queue/give.h"
#include "queue/split.h"

/* A job is split only if it computes for at least long_ns on one device, and
 * takes at least `gain` times as long there as in parts. */
static const double long_ns = 50e6, gain = 1.25;

struct split {
	struct job *whole;		/* NULL: it ended before its parts */
	struct job *part[SHEETS];	/* NULL: the part has ended */
	int n, left;			/* parts; those that have not ended */
	bool failing;			/* the other parts are being ended */
	enum job_state state;		/* successful, or the state and error */
	struct err err;			/* of the first part that failed */
	uint64_t parts_on;		/* devices of the ended parts, bits */
	struct trace *trace;		/* of the ended parts; owned */
	struct timing timing;		/* the slowest part's, with the kernels
					 * of all */
};

/* An idle device, and the estimated times of the whole job there. */
struct candidate {
	int worker;
	double compute_ns;
	double shared_ns, cut_ns;	/* transfer of matrices that every part
					 * needs whole; of those that are cut */
};

static int by_speed(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	const double d = a->compute_ns - b->compute_ns;

	return d < 0 ? -1 : d > 0 ? 1 : a->worker - b->worker;
}

static double bytes_of(const struct rates *r, const struct sheet *s,
                       const struct args *a, unsigned in, unsigned out)
{
	double bytes = 0;

	for (int i = 0; i < OP_INPUTS; i++)
		if (in >> i & 1)
			bytes += rates_bytes(r, s, &a->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++)
		if (out >> i & 1)
			bytes += rates_bytes(r, s, &a->out[i]);
	return bytes;
}

static struct candidate candidate(const struct engine *g, int i,
                                  const struct args *a, const struct cut *c)
{
	const struct rates *r = &g->rates[i];
	const struct sheet *s = &g->worker[i].sheet;

	return (struct candidate){
		.worker = i,
		.compute_ns = rates_estimate(g->rates, g->n_workers, i, s,
		                             a).compute_ns,
		.shared_ns = rates_transfer_ns(r, s,
		    bytes_of(r, s, a, ~c->in, ~c->out)),
		.cut_ns = rates_transfer_ns(r, s,
		    bytes_of(r, s, a, c->in, c->out)),
	};
}

/* Estimates the time until the last of n equal parts is done. */
static double parts_ns(const struct candidate *c, int n)
{
	double most = 0;

	for (int i = 0; i < n; i++) {
		const double ns = c[i].shared_ns +
		                  (c[i].cut_ns + c[i].compute_ns) / n;

		most = ns > most ? ns : most;
	}
	return most;
}

/* Chooses those of the fastest idle devices that together would be done
 * soonest, and returns their number. Fewer than 2: splitting does not pay. */
static int choose(const struct engine *g, const struct job *j,
                  const struct cut *cut, struct candidate c[SHEETS])
{
	const size_t most = cut->rows / cut->unit;
	int n = 0, best = 1;

	for (int i = 0; i < g->n_workers; i++)
		if (j->devices >> i & 1 && worker_is_idle(&g->worker[i]))
			c[n++] = candidate(g, i, &j->args, cut);
	if (n < 2)
		return 0;
	qsort(c, (size_t)n, sizeof *c, by_speed);
	if (c[0].compute_ns < long_ns)
		return 0;
	for (int k = 2; k <= n && (size_t)k <= most; k++)
		if (parts_ns(c, k) < parts_ns(c, best))
			best = k;
	return parts_ns(c, 1) >= gain * parts_ns(c, best) ? best : 0;
}

/* Returns the first row of part i of n, or the number of rows for i = n. */
static size_t first_row(const struct cut *c, int i, int n)
{
	return i == n ? c->rows : size_blocks(c->rows, c->unit) *
	       (size_t)i / (size_t)n * c->unit;
}

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

static void take_args(struct args *part, const struct args *a,
                      const struct cut *c, size_t from, size_t to,
                      struct err *e)
{
	*part = *a;
	for (int i = 0; i < OP_INPUTS; i++)
		part->in[i] = share_of(&a->in[i], c->in >> i & 1, from, to, e);
	for (int i = 0; i < OP_OUTPUTS; i++)
		part->out[i] = share_of(&a->out[i], c->out >> i & 1, from, to,
		                        e);
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

/* Ends the job when all parts have ended. */
static void finish(struct split *s)
{
	struct job *const j = s->whole;

	if (j) {
		j->split = NULL;
		set_devices(j, s->parts_on);
		job_set_timing(j, &s->timing);
		j->trace = s->trace;
		s->trace = NULL;
		end_job(j->engine, j, s->state, &s->err);
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
	if (part->state == JOB_SUCCESSFUL || s->failing)
		return;
	s->state = part->state;
	s->err = part->err;
}

static void on_part_end(struct job *part, void *arg)
{
	struct split *s = arg;
	const bool fails = part->state != JOB_SUCCESSFUL && !s->failing;

	note(s, part);
	s->failing |= fails;
	if (s->left == 0)
		finish(s);
	else if (fails && s->whole)
		end_parts(part->engine, s, &part->err);
}

static struct job *new_part(struct engine *g, struct split *s,
                            const struct cut *c, int i, struct err *e)
{
	const struct job *const j = s->whole;
	struct job *p = job_new(j->args.op, e);

	if (!p)
		return NULL;
	take_args(&p->args, &j->args, c, first_row(c, i, s->n),
	          first_row(c, i + 1, s->n), e);
	memcpy(p->id, j->id, sizeof p->id);
	p->tenant = j->tenant;
	p->paid = true;			/* the whole job is the queue's last */
	p->devices = j->devices;
	p->tenant = j->tenant;
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

static struct split *make(struct engine *g, struct job *j, int n,
                          const struct cut *c)
{
	struct split *s = calloc(1, sizeof *s);
	struct err e = { 0 };

	if (!s)
		return NULL;
	*s = (struct split){ .whole = j, .n = n, .left = n,
	                     .state = JOB_SUCCESSFUL };
	for (int i = 0; i < n; i++)
		s->part[i] = new_part(g, s, c, i, &e);
	if (!e.code)
		return s;
	for (int i = 0; i < n; i++)
		job_unref(s->part[i]);
	free(s);
	return NULL;
}

bool split_begin(struct engine *g, struct job *j)
{
	const struct op *const o = j->args.op;
	struct candidate device[SHEETS];
	struct split *s = NULL;
	struct cut cut;
	int n = 0;

	if (o->cut && !j->part && g->waiting.n == 1 && o->cut(&j->args, &cut))
		n = choose(g, j, &cut, device);
	if (n > 1)
		s = make(g, j, n, &cut);
	if (!s)
		return false;
	waiting_remove(&g->waiting, j);
	j->split = s;
	job_set_state(j, JOB_RUNNING);
	j->started_ns = clock_ns();
	j->begun_ms = j->updated_ms = clock_wall_ms();
	durable_begin(g, &j, 1);
	job_changed(j);
	g->unended += (size_t)n;
	for (int i = 0; i < n; i++) {
		struct worker *const w = &g->worker[device[i].worker];

		set_devices(j, j->parts_on |
		               UINT64_C(1) << w->sheet.index);
		give_jobs(g, w, &s->part[i], 1);
	}
	return true;
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
