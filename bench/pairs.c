/* pairs.c - see pairs.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/size.h"
#include "base/usage.h"
#include "bench/median.h"
#include "bench/outcome.h"
#include "bench/ours.h"
#include "bench/pairs.h"
#include "bench/peer.h"
#include "bench/print.h"
#include "ops/timed.h"

enum { TURN_NS = 5000000, MOST_PEERS = 4 };

/* The pause after a peer's turn, because the peer's threads spin for a while
 * after their work. */
static const struct timespec settle = { 0, 30 * 1000 * 1000 };

/* The peers' programs, below their directory, by kind of device. */
static const struct program {
	const char *name;
	unsigned devices;		/* enum device_type bits */
} programs[] = {
	{ "openblas", DEVICE_CPU | DEVICE_OTHER },
	{ "scipy_peer.py", DEVICE_CPU | DEVICE_OTHER },
	{ "cuda_peer.py", DEVICE_GPU },
};

struct session {
	const struct bench_pairs *bench;
	struct device *direct;		/* for tiny calls; NULL: none */
	struct peer *peer[MOST_PEERS];	/* those that could be started */
	int peers;
};

static int calls_in_turn(int64_t ns)
{
	return ns <= 0 ? 1 : (int)(TURN_NS / ns) + 1;
}

/* One way to measure: whole requests, or the computation alone. */
struct way {
	int64_t (*ours)(struct device *d, struct args *a, int times,
	                struct err *e);
	bool whole;			/* the peer's results are downloaded */
};

/* The measurements by one way. */
struct column {
	const struct way *way;
	int times;			/* our calls in one measurement */
	uint64_t peer_times;		/* the peer's calls in one */
	double ours[MOST_PAIRS], theirs[MOST_PAIRS], ratio[MOST_PAIRS];
};

static void column_begin(struct column *c, const struct way *way,
                         struct device *d, struct args *a, struct peer *peer,
                         struct err *e)
{
	const uint64_t ns = peer ? peer_run(peer, way->whole, 1) : 0;

	c->way = way;
	c->times = calls_in_turn(way->ours(d, a, 1, e));
	c->peer_times = (uint64_t)calls_in_turn((int64_t)ns);
}

/* Makes measurement i of our calls, and then of the peer's unless peer is
 * NULL. */
static int take_turns(struct column *c, size_t i, struct device *d,
                      struct args *a, struct peer *peer, struct err *e)
{
	const int64_t ns = c->way->ours(d, a, c->times, e);
	uint64_t peer_ns;

	if (ns < 0)
		return -1;
	c->ours[i] = ns > 0 ? (double)ns * 1e-6 : NAN;
	c->theirs[i] = c->ratio[i] = NAN;
	if (!peer)
		return 0;
	peer_ns = peer_run(peer, c->way->whole, c->peer_times);
	c->theirs[i] = peer_ns ? (double)peer_ns * 1e-6 : NAN;
	c->ratio[i] = c->theirs[i] / c->ours[i];
	nanosleep(&settle, NULL);
	return 0;
}

/* The device on which a worker would run the call. */
static struct device *device_for(const struct session *s,
                                 const struct args *a)
{
	return s->direct && args_is_tiny(a) ? s->direct : s->bench->device;
}

/* Fills in the times and ratios of *r. Whole requests are measured last, so
 * that the outputs, which are judged later, are those of a whole request. */
static int run_pairs(const struct session *s, struct args *a,
                     struct peer *peer, struct bench_result *r,
                     struct err *e)
{
	static const struct way kernels = { timed_kernels, false };
	static const struct way requests = { timed_request, true };
	static struct column alone, whole;
	struct device *const d = device_for(s, a);
	const size_t n = s->bench->pairs;

	column_begin(&alone, &kernels, d, a, peer, e);
	column_begin(&whole, &requests, d, a, peer, e);
	for (size_t i = 0; i < n; i++)
		if (take_turns(&alone, i, d, a, peer, e) < 0 ||
		    take_turns(&whole, i, d, a, peer, e) < 0)
			return -1;
	r->kernels_ms = bench_median(alone.ours, n);
	r->peer_kernels_ms = bench_median(alone.theirs, n);
	r->kernels_ratio = bench_median(alone.ratio, n);
	r->ours_ms = bench_median(whole.ours, n);
	r->peer_ms = bench_median(whole.theirs, n);
	r->ratio = bench_median(whole.ratio, n);
	return 0;
}

/* Collects the outputs that the row names, and returns their number. Their
 * memory stays the call's. */
static int results_of(const struct bench_row *row, const struct args *a,
                      struct matrix results[BENCH_RESULTS])
{
	int n = 0;

	for (; row->results[n]; n++)
		results[n] = a->out[op_output(a->op, row->results[n])];
	return n;
}

/* If the row has a judge, judges our results, and then the peer's, which
 * overwrite them. */
static void judge(const struct bench_row *row, const struct args *a,
                  struct peer *peer, struct bench_result *r)
{
	struct matrix results[BENCH_RESULTS];
	const int n = results_of(row, a, results);

	if (!row->error)
		return;
	r->error = row->error(a->in, results);
	if (peer && peer_fetch(peer, results, n))
		r->peer_error = row->error(a->in, results);
}

/* Loads the operands into the first peer that offers the call and returns this
 * peer. Returns NULL if no peer offers the call, or if the row names none. */
static struct peer *load(const struct session *s, const char *call,
                         const size_t dim[3], const struct args *a,
                         const struct bench_row *row)
{
	int n_in = 0;

	while (row->operands[n_in])
		n_in++;
	for (int i = 0; call && i < s->peers; i++)
		if (peer_offers(s->peer[i], call))
			return peer_load(s->peer[i], call, dim, a->in, n_in) ?
			       s->peer[i] : NULL;
	return NULL;
}

/* Measures the row with the c-th call of a peer. */
static int run_row(const struct session *s, const struct bench_row *row,
                   int c, const size_t dim[3], struct args *a,
                   struct err *e)
{
	struct device *device = s->bench->device;
	struct bench_result r = {
		.suite = s->bench->suite,
		.work = bench_work(row),
		.device = device_sheet(device)->name,
		.dtype = a->dtype,
		.error = NAN, .peer_error = NAN,
	};
	struct peer *peer = load(s, row->peer[c], dim, a, row);

	bench_shape_text(row, dim, r.shape);
	if (peer)
		r.peer = peer_offers(peer, row->peer[c]);
	if (run_pairs(s, a, peer, &r, e) < 0)
		return -1;
	r.floor_ms = (double)bench_floor(device, a->dtype, a->op->flops(a),
	                                 a->op->bytes(a), e) * 1e-6;
	judge(row, a, peer, &r);
	(s->bench->json ? bench_print_json : bench_print_line)(&r);
	fflush(stdout);
	return 0;
}

/* Is a line printed for the row's c-th call? The first call always gets a line,
 * even if the row names none or no peer offers it. Further calls get one only
 * if a peer offers them. */
static bool is_worth_a_line(const struct session *s,
                            const struct bench_row *row, int c)
{
	for (int i = 0; row->peer[c] && i < s->peers; i++)
		if (peer_offers(s->peer[i], row->peer[c]))
			return true;
	return c == 0;
}

/* Runs the row at one size. A failure ends this row, but not those after it. */
static void run_shape(const struct session *s, const struct bench_row *row,
                      const size_t shape[3], enum dtype dtype)
{
	const struct sheet *sheet = device_sheet(s->bench->device);
	size_t dim[3] = { shape[0], shape[1], shape[2] };
	struct err e = { 0 };
	struct args a;
	bool ok = bench_prepare(&a, row, dim, dtype, sheet, s->bench->pool,
	                        &e) == 0;
	char what[80];

	if (ok && a.in[0].layout == CSR)
		dim[2] = a.in[0].nnz;
	for (int c = 0; ok && c < BENCH_PEER_CALLS; c++)
		if (is_worth_a_line(s, row, c))
			ok = run_row(s, row, c, dim, &a, &e) == 0;
	snprintf(what, sizeof what, "%s %s", bench_work(row),
	         dtype_name(dtype));
	if (!ok)
		outcome_failed(what, &e);
	args_fini(&a);
}

static void run_shapes(const struct session *s, const struct bench_row *row,
                       const size_t dim[BENCH_SHAPES][3], enum dtype dtype)
{
	for (int i = 0; i < BENCH_SHAPES && dim[i][0] && !outcome_unread(); i++)
		run_shape(s, row, dim[i], dtype);
}

static bool is_wanted(const struct bench_pairs *b,
                      const struct bench_row *row)
{
	const enum device_type type = device_sheet(b->device)->type;

	return (!row->devices || row->devices & type) &&
	       (!b->work || strcmp(b->work, bench_work(row)) == 0);
}

/* Returns whether the table has a row that is wanted. */
static bool run_table(const struct session *s, const struct bench_row *row)
{
	static const enum dtype dtypes[] = { FLOAT32, FLOAT64, COMPLEX64,
	                                     COMPLEX128 };
	const enum device_type type = device_sheet(s->bench->device)->type;
	bool any = false;

	for (; row->op; row++)
		for (size_t i = 0; is_wanted(s->bench, row) &&
		     i < COUNT(dtypes); i++) {
			const enum dtype t = dtypes[i];

			any = true;
			if (!((row->dtypes ? row->dtypes : DTYPE_REALS) &
			      DTYPE_BIT(t)))
				continue;
			run_shapes(s, row, row->dim, t);
			if (type == DEVICE_GPU)
				run_shapes(s, row, row->on_gpus, t);
		}
	return any;
}

static void open_peers(struct session *s)
{
	const enum device_type type = device_sheet(s->bench->device)->type;

	for (size_t i = 0; i < COUNT(programs); i++) {
		char path[2048];
		struct err e = { 0 };
		struct peer *p;

		if (!(programs[i].devices & type))
			continue;
		snprintf(path, sizeof path, "%s/%s", s->bench->directory,
		         programs[i].name);
		p = peer_open(path, &e);
		if (p)
			s->peer[s->peers++] = p;
		else
			usage_complain("%s", e.text);
	}
}

static void print_heading(const struct session *s)
{
	const char *names[MOST_PEERS + 1] = { NULL };

	for (int i = 0; i < s->peers; i++)
		names[i] = peer_name(s->peer[i]);
	bench_print_heading(device_sheet(s->bench->device)->name, names);
}

int bench_pairs_run(const struct bench_pairs *b, struct err *e)
{
	struct session s = { .bench = b };
	bool any = false;

	s.direct = device_open_direct(b->device, b->cache);
	open_peers(&s);
	if (!b->json)
		print_heading(&s);
	for (const struct bench_row *const *t = bench_tables; *t; t++)
		any |= run_table(&s, *t);
	for (int i = 0; i < s.peers; i++)
		peer_close(s.peer[i]);
	device_close(s.direct);
	return any ? 0 : err_set(e, ERR_PARAMETER, "bench: no work of this "
	                         "suite is %.60s", b->work);
}
