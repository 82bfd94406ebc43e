/* openblas.c - a peer of `linalgd bench` that times OpenBLAS, and plain C loops
 * on all cores. It speaks the protocol of bench/wire.h. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/wire.h"

/* The loaded call: its operands as received, and memory for its results and for
 * the copies that it overwrites. */
struct work {
	size_t m, n, k;
	void *a, *b, *out, *tmp;
	lapack_int *pivots;
};

static size_t least(size_t m, size_t n)
{
	return m < n ? m : n;
}

static size_t most(size_t m, size_t n)
{
	return m > n ? m : n;
}

#define REAL float
#define NAME(x) s_##x
#define BLAS(prefix, x) prefix##s##x
#define COMPLEX(prefix, x) prefix##c##x
#include "calls.h"
#include "decompose.h"
#undef REAL
#undef NAME
#undef BLAS
#undef COMPLEX
#define REAL double
#define NAME(x) d_##x
#define BLAS(prefix, x) prefix##d##x
#define COMPLEX(prefix, x) prefix##z##x
#include "calls.h"
#include "decompose.h"

/* The numbers of reals in a, b, the results, the copies that the call
 * overwrites, and the pivots. */
struct sizes { size_t a, b, out, tmp, pivots; };

static struct sizes gemm_sizes(size_t m, size_t n, size_t k)
{
	return (struct sizes){ m * k, k * n, m * n, 0, 0 };
}

static struct sizes complex_gemm_sizes(size_t m, size_t n, size_t k)
{
	return (struct sizes){ 2 * m * k, 2 * k * n, 2 * m * n, 0, 0 };
}

/* A stack of m products of n x n matrices. */
static struct sizes stack_sizes(size_t m, size_t n, size_t k)
{
	(void)k;
	return (struct sizes){ m * n * n, m * n * n, m * n * n, 0, 0 };
}

static struct sizes gemv_sizes(size_t m, size_t n, size_t k)
{
	(void)n;
	return (struct sizes){ m * k, k, m, 0, 0 };
}

static struct sizes getrf_sizes(size_t m, size_t n, size_t k)
{
	(void)k;
	return (struct sizes){ m * n, 0, m * n, m * n, least(m, n) };
}

static struct sizes gesv_sizes(size_t m, size_t n, size_t k)
{
	(void)k;
	return (struct sizes){ m * m, m * n, m * n, m * m + m * n, 0 };
}

static struct sizes rows_sizes(size_t m, size_t n, size_t k)
{
	(void)k;
	return (struct sizes){ m * n, 0, m, 0, 0 };
}

static struct sizes same_sizes(size_t m, size_t n, size_t k)
{
	(void)k;
	return (struct sizes){ m * n, 0, m * n, 0, 0 };
}

static struct sizes scalar_sizes(size_t m, size_t n, size_t k)
{
	(void)k;
	return (struct sizes){ m * n, 0, 1, 0, 0 };
}

/* A is m x m, and so is the result. */
static struct sizes square_sizes(size_t m, size_t n, size_t k)
{
	(void)n, (void)k;
	return (struct sizes){ m * m, 0, m * m, m * m, 0 };
}

/* A is m x m, and the result is one number or a few. */
static struct sizes few_sizes(size_t m, size_t n, size_t k)
{
	(void)n, (void)k;
	return (struct sizes){ m * m, 0, 2, m * m, 0 };
}

static struct sizes geqrf_sizes(size_t m, size_t n, size_t k)
{
	(void)k;
	return (struct sizes){ m * n, 0, m * n + n * n, m * n + n, 0 };
}

static struct sizes gesdd_sizes(size_t m, size_t n, size_t k)
{
	const size_t out = (m + 1 + n) * least(m, n);

	(void)k;
	return (struct sizes){ m * n, 0, out, m * n + out, 0 };
}

static struct sizes gelsd_sizes(size_t m, size_t n, size_t k)
{
	return (struct sizes){ m * n, m * k, n * k,
	                       m * n + most(m, n) * (k + 1), 0 };
}

static struct sizes syevd_sizes(size_t m, size_t n, size_t k)
{
	(void)n, (void)k;
	return (struct sizes){ m * m, 0, m + m * m, m * m, 0 };
}

static struct sizes geev_sizes(size_t m, size_t n, size_t k)
{
	(void)n, (void)k;
	return (struct sizes){ m * m, 0, 2 * (m + m * m), 2 * (m + m * m), 0 };
}

/* Index 0 is for float and 1 for double. reset and finish are not timed. */
static const struct call {
	const char *name;
	struct sizes (*sizes)(size_t m, size_t n, size_t k);
	void (*run[2])(struct work *w), (*reset[2])(struct work *w);
	void (*finish[2])(struct work *w);
	const char *by;			/* NULL: OpenBLAS */
} calls[] = {
#define BOTH(x) { s_##x, d_##x }
#define LOOP "C loop, all cores"
	{ "gemm", gemm_sizes, BOTH(gemm), { 0 }, { 0 }, NULL },
	{ "gemm_tn", gemm_sizes, BOTH(gemm_tn), { 0 }, { 0 }, NULL },
	{ "gemm_nt", gemm_sizes, BOTH(gemm_nt), { 0 }, { 0 }, NULL },
	{ "gemm_tt", gemm_sizes, BOTH(gemm_tt), { 0 }, { 0 }, NULL },
	{ "gemm_c", complex_gemm_sizes, BOTH(gemm_c), { 0 }, { 0 }, NULL },
	{ "gemm_stack", stack_sizes, BOTH(gemm_stack), { 0 }, { 0 }, NULL },
	{ "gemv", gemv_sizes, BOTH(gemv), { 0 }, { 0 }, NULL },
	{ "getrf", getrf_sizes, BOTH(getrf), BOTH(getrf_reset),
	  BOTH(getrf_finish), NULL },
	{ "gesv", gesv_sizes, BOTH(gesv), BOTH(gesv_reset),
	  BOTH(gesv_finish), NULL },
	{ "potrf", square_sizes, BOTH(potrf), BOTH(symmetric_reset),
	  BOTH(potrf_finish), NULL },
	{ "getri", square_sizes, BOTH(getri), BOTH(square_reset),
	  BOTH(square_finish), NULL },
	{ "det", few_sizes, BOTH(det), BOTH(square_reset), { 0 }, NULL },
	{ "gecon", few_sizes, BOTH(gecon), BOTH(square_reset), { 0 }, NULL },
	{ "geqrf", geqrf_sizes, BOTH(geqrf), BOTH(getrf_reset),
	  BOTH(geqrf_finish), NULL },
	{ "gesdd", gesdd_sizes, BOTH(gesdd), BOTH(getrf_reset),
	  BOTH(gesdd_finish), NULL },
	{ "gesdd_n", gesdd_sizes, BOTH(gesdd_n), BOTH(getrf_reset), { 0 },
	  NULL },
	{ "gelsd", gelsd_sizes, BOTH(gelsd), BOTH(gelsd_reset),
	  BOTH(gelsd_finish), NULL },
	{ "gels", gelsd_sizes, BOTH(gels), BOTH(gelsd_reset),
	  BOTH(gelsd_finish), NULL },
	{ "syevd", syevd_sizes, BOTH(syevd), BOTH(symmetric_reset),
	  BOTH(syevd_finish), NULL },
	{ "syevd_n", syevd_sizes, BOTH(syevd_n), BOTH(symmetric_reset), { 0 },
	  NULL },
	{ "geev", geev_sizes, BOTH(geev), BOTH(square_reset),
	  BOTH(geev_finish), NULL },
	{ "geev_n", geev_sizes, BOTH(geev_n), BOTH(square_reset), { 0 }, NULL },
	{ "matvec", gemv_sizes, BOTH(loop_matvec), { 0 }, { 0 }, LOOP },
	{ "rowsums", rows_sizes, BOTH(loop_rowsums), { 0 }, { 0 }, LOOP },
	{ "transpose", same_sizes, BOTH(loop_transpose), { 0 }, { 0 }, LOOP },
	{ "sum", scalar_sizes, BOTH(loop_sum), { 0 }, { 0 }, LOOP },
	{ "max", scalar_sizes, BOTH(loop_max), { 0 }, { 0 }, LOOP },
	{ "norm2", scalar_sizes, BOTH(loop_norm2), { 0 }, { 0 }, LOOP },
};

static const struct call *call;
static struct work work;
static size_t element, result_bytes;

static void get(void *to, size_t n)
{
	if (n > 0 && fread(to, n, 1, stdin) != 1)
		exit(0);		/* the input has ended */
}

static void put(const void *from, size_t n)
{
	if (n > 0 && fwrite(from, n, 1, stdout) != 1)
		exit(1);
}

static void reply(uint64_t value)
{
	struct peer_reply r = { value };

	put(&r, sizeof r);
}

static void *room(size_t bytes)
{
	void *p = aligned_alloc(128, (bytes + 128) / 128 * 128);

	if (!p)
		exit(1);
	memset(p, 0, bytes);
	return p;
}

static const struct call *call_find(const char *name)
{
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
		if (strncmp(calls[i].name, name, PEER_CALL) == 0)
			return &calls[i];
	return NULL;
}

static void skip(uint64_t bytes)
{
	char sink[4096];

	for (uint64_t n; bytes > 0; bytes -= n) {
		n = bytes < sizeof sink ? bytes : sizeof sink;
		get(sink, n);
	}
}

static void unload(void)
{
	free(work.a);
	free(work.b);
	free(work.out);
	free(work.tmp);
	free(work.pivots);
	work = (struct work){ 0 };
}

static void load(const struct peer_request *r)
{
	struct sizes n;

	unload();
	call = call_find(r->call);
	element = r->element;
	if (!call || (element != sizeof(float) && element != sizeof(double))) {
		skip(r->bytes);
		reply(0);
		return;
	}
	work.m = r->dim[0];
	work.n = r->dim[1];
	work.k = r->dim[2];
	n = call->sizes(work.m, work.n, work.k);
	result_bytes = n.out * element + n.pivots * sizeof(int64_t);
	work.a = room(n.a * element);
	work.b = room(n.b * element);
	work.out = room(result_bytes);
	work.tmp = room(n.tmp * element);
	work.pivots = room((work.m + work.n) * sizeof *work.pivots);
	get(work.a, n.a * element);
	get(work.b, n.b * element);
	reply(1);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns the time in ns of the shortest of that many calls. One more call
 * comes first to wake the threads. It counts only if it is long, and is then
 * the only one. */
static uint64_t run(uint64_t times)
{
	bool d = element == sizeof(double);
	uint64_t best = UINT64_MAX;

	for (uint64_t i = 0; i <= times || i < 2; i++) {
		uint64_t ns;

		if (call->reset[d])
			call->reset[d](&work);
		ns = now_ns();
		call->run[d](&work);
		ns = now_ns() - ns;
		if ((i > 0 || ns > PEER_LONG_NS) && ns < best)
			best = ns;
		if (ns > PEER_LONG_NS)
			break;
	}
	return best;
}

static void fetch(void)
{
	if (call->finish[element == sizeof(double)])
		call->finish[element == sizeof(double)](&work);
	reply(result_bytes);
	put(work.out, result_bytes);
}

static void greet(void)
{
	struct peer_hello hello = { .offers = sizeof calls / sizeof calls[0] };

	snprintf(hello.name, sizeof hello.name, "OpenBLAS %s, %d threads",
	         openblas_get_corename(), openblas_get_num_threads());
	put(&hello, sizeof hello);
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		struct peer_offer o = { 0 };

		snprintf(o.call, sizeof o.call, "%s", calls[i].name);
		snprintf(o.by, sizeof o.by, "%s",
		         calls[i].by ? calls[i].by : hello.name);
		put(&o, sizeof o);
	}
}

int main(void)
{
	struct peer_request r;

	greet();
	for (;;) {
		fflush(stdout);
		get(&r, sizeof r);
		if (r.what == PEER_LOAD)
			load(&r);
		else if (call && (r.what == PEER_RUN || r.what == PEER_WHOLE))
			reply(run(r.times));
		else if (call && r.what == PEER_FETCH)
			fetch();
		else
			reply(0);
	}
}
