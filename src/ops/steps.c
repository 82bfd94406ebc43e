/* steps.c - see steps.h.
 *
 * An intermediate is the same struct memory in the step that computes it and in
 * the steps that take it. By this, seq_input() finds its buffer on the device.
 *
 * The host enqueues the steps one after another, and waits between two only
 * when it reads elements (memory.look), as LAPACK does. If the device shares
 * the host's memory, the kernels write intermediates into the host's memory,
 * and the host frees those that were last used before the step that runs.
 * Otherwise an intermediate is downloaded only if the host reads it, and a
 * buffer is freed after its last use. The returned outputs are downloaded at
 * the end.
 */
#include <math.h>
#include <pthread.h>

#include "base/size.h"
#include "matrix/received.h"
#include "ops/execute.h"
#include "ops/steps.h"

/* After a step of more than long_work operations, the host waits until the
 * device has begun this step, so that few steps are enqueued if the call is
 * cancelled. A GPU computes so long a step longer than the host enqueues the
 * next one. */
static const double long_work = 5e9;

/* Returns a step's weight in the progress of the pipeline: its floating-point
 * operations and bytes, plus 1, because neither may be known. */
static double work_of(const struct args *a)
{
	return a->op->flops(a) + a->op->bytes(a) + 1;
}

static void tell_progress(void *arg, double done)
{
	struct steps *p = arg;

	p->progress(p->arg, (p->before + p->own * fmin(fmax(done, 0), 1)) /
	                    p->all);
}

/* --- the memory that the host and later steps read */

static void look(struct memory *m, void *arg)
{
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	struct steps *p = arg;

	pthread_mutex_lock(&one);
	m->looked = true;
	if (received_back(m, seq_err(p->seq)) == 0)
		seq_fetch(p->seq, m);
	pthread_mutex_unlock(&one);
}

/* Sets or clears memory.look of every dense output. Sparse outputs have none,
 * because the host reads an index without calling it; they are downloaded at
 * the end of their step. */
static void watch(struct steps *p, bool on)
{
	for (int k = 0; k < p->n; k++)
		for (int i = 0; i < OP_OUTPUTS; i++) {
			const struct matrix *m = &p->step[k]->out[i];

			if (!m->memory || m->layout != DENSE)
				continue;
			m->memory->look = on ? look : NULL;
			m->memory->look_arg = p;
			m->memory->looked = false;
		}
}

static bool has(const struct matrix *m, const struct memory *memory)
{
	return m->memory == memory || m->index == memory;
}

/* Returns whether the memory is an operand of step `first` or a later one, or a
 * returned output of a step so far. */
static bool is_used(const struct steps *p, const struct memory *m, int first)
{
	for (int k = first; k < p->n; k++)
		for (int i = 0; i < OP_INPUTS; i++)
			if (has(&p->step[k]->in[i], m))
				return true;
	for (int k = 0; k <= p->at; k++)
		for (int i = 0; i < OP_OUTPUTS; i++)
			if (has(&p->step[k]->out[i], m))
				return !m->own;
	return false;
}

static bool is_needed(void *arg, const struct memory *m)
{
	const struct steps *p = arg;

	return is_used(p, m, p->at + 1);
}

/* --- operands of another type than their source */

/* Returns the output of an earlier step whose memory is m, or NULL. */
static const struct matrix *source_of(const struct steps *p,
                                      const struct memory *m)
{
	for (int k = 0; k < p->at && m; k++)
		for (int i = 0; i < OP_OUTPUTS; i++)
			if (p->step[k]->out[i].memory == m)
				return &p->step[k]->out[i];
	return NULL;
}

static const char *const casts[DTYPE_COUNT] = {
	[FLOAT32] = "cast_float32", [FLOAT64] = "cast_float64",
	[INT32] = "cast_int32", [INT64] = "cast_int64", [BOOL] = "cast_bool",
};

/* Returns the type in which kernels see the elements of an intermediate. Those
 * of 16 bits are as float32 beside what is stored (device/halves.c). */
static enum dtype seen_type(enum dtype t)
{
	return dtype_is_half(t) ? FLOAT32 : dtype_part(t);
}

/* Converts every element; of complex elements, both parts. */
static void launch_cast(struct seq *s, const struct matrix *from,
                        const struct matrix *to)
{
	enum { EACH = 8, GROUP = 64, MOST = 1 << 16 };
	const size_t n = matrix_elements(from) *
	                 (dtype_is_complex(from->dtype) ? 2 : 1);
	const size_t items = size_min(size_blocks(n, EACH), MOST);
	const struct buf x = seq_input(s, from), y = seq_output(s, to);

	seq_set_dtype(s, seen_type(to->dtype));
	seq_work(s, 0, (double)(matrix_size(from) + matrix_size(to)));
	seq_launch(s, casts[seen_type(from->dtype)], GRID1(items, GROUP),
	           ARG_BUF(x), ARG_BUF(y), ARG_LONG(n));
}

/* Replaces operand m, whose dtype is the one that the step needs, by a
 * converted copy if m's memory holds an intermediate of another type. */
static int cast(struct steps *p, struct matrix *m, struct err *e)
{
	const struct matrix *from = source_of(p, m->memory);
	struct matrix to = *m;
	size_t bytes;

	if (from && (from->layout != m->layout ||
	             matrix_elements(from) != matrix_elements(m)))
		return err_set(e, ERR_INTERNAL, "an operand is not what its "
		               "step has answered");
	if (!from || from->dtype == m->dtype)
		return 0;
	if (!casts[seen_type(from->dtype)] || !casts[seen_type(m->dtype)] ||
	    dtype_is_complex(from->dtype) != dtype_is_complex(m->dtype) ||
	    from->layout != DENSE)
		return err_set(e, ERR_INTERNAL, "%s cannot become %s between "
		               "two steps", dtype_name(from->dtype),
		               dtype_name(m->dtype));
	if (matrix_bytes(&to, &bytes, e) < 0)
		return -1;
	to.memory = received_new(bytes, e);
	if (!to.memory || (!p->lazy && received_back(to.memory, e) < 0)) {
		memory_unref(to.memory);
		return -1;
	}
	launch_cast(p->seq, from, &to);
	to.memory->look = look;
	to.memory->look_arg = p;
	matrix_fini(m);
	*m = to;
	return seq_finish(p->seq);
}

/* --- the steps */

/* Refuses an intermediate that has become shorter or real: the front has
 * computed the shapes of the following steps for its full length and its
 * type. */
static int check_outputs(const struct steps *p, struct err *e)
{
	const struct args *a = p->step[p->at];

	for (int i = 0; i < OP_OUTPUTS; i++) {
		const struct memory *m = a->out[i].memory;

		for (int k = p->at + 1; m && k < p->n; k++)
			for (int l = 0; l < OP_INPUTS; l++)
				if (p->step[k]->in[l].memory == m &&
				    ((a->real | a->shorter) >> i & 1))
					return err_set(e, ERR_SHAPE, "%s: %s "
					    "came out shorter or real, and a "
					    "later step uses it", a->op->name,
					    a->op->outputs[i].name);
	}
	return 0;
}

static void free_intermediate(const struct steps *p, struct memory **m)
{
	if (!*m || !(*m)->own || is_used(p, *m, p->at))
		return;
	memory_unref(*m);
	*m = NULL;
}

/* Frees memory that the host shares with the device, and that only steps before
 * the present one use. These have ended. */
static void free_shared(struct steps *p)
{
	for (int i = 0; i < OP_INPUTS && p->at > 0; i++)
		matrix_fini(&p->step[p->at - 1]->in[i]);
	for (int k = 0; k < p->at; k++)
		for (int i = 0; i < OP_OUTPUTS; i++) {
			struct matrix *m = &p->step[k]->out[i];

			free_intermediate(p, &m->memory);
			free_intermediate(p, &m->index);
		}
}

/* Allocates the data of the present step's intermediates, if the device writes
 * into the host's memory, and of sparse ones, which have no memory.look. look()
 * allocates that of the others. */
static int back_outputs(const struct steps *p)
{
	struct err *e = seq_err(p->seq);

	for (int i = 0; i < OP_OUTPUTS; i++) {
		const struct matrix *m = &p->step[p->at]->out[i];

		if (!m->memory || (p->lazy && m->layout == DENSE))
			continue;
		if (received_back(m->memory, e) < 0 ||
		    (m->index && received_back(m->index, e) < 0))
			return -1;
	}
	return 0;
}

static int run_step(struct steps *p)
{
	struct args *a = p->step[p->at];
	struct err *e = seq_err(p->seq);

	p->own = work_of(a);
	seq_step(p->seq, a->dtype);
	for (int i = 0; i < OP_INPUTS; i++)
		if (cast(p, &a->in[i], e) < 0)
			return -1;
	seq_set_dtype(p->seq, a->dtype);
	if (back_outputs(p) < 0 || p->choose(p->arg, a, e) < 0 ||
	    op_execute(p->seq, a) < 0 || check_outputs(p, e) < 0)
		return -1;
	if (!p->lazy || p->own > long_work)
		seq_keep_up(p->seq);
	seq_end_step(p->seq, is_needed, p);
	if (!p->lazy)
		free_shared(p);
	p->before += p->own;
	p->own = 0;
	tell_progress(p, 0);
	return 0;
}

static int run_all(struct steps *p)
{
	for (p->at = 0; p->at < p->n; p->at++)
		if (run_step(p) < 0)
			return -1;
	p->at = p->n - 1;
	seq_defer(p->seq, false);
	return seq_finish(p->seq);
}

int steps_execute(struct steps *p)
{
	int rc;

	p->lazy = !seq_shares_memory(p->seq);
	p->before = p->own = p->all = 0;
	for (int k = 0; k < p->n; k++)
		p->all += work_of(p->step[k]);
	seq_on_progress(p->seq, tell_progress, p);
	seq_steps(p->seq, p->n);
	seq_defer(p->seq, true);
	watch(p, true);
	rc = run_all(p);
	if (rc < 0)
		seq_wait(p->seq);
	watch(p, false);
	return rc;
}
