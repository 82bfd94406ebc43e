/* record_room.c - see record_room.h. */
#include <stdio.h>

#include "base/size.h"
#include "journal/payload.h"
#include "matrix/store.h"
#include "ops/failure.h"
#include "queue/tenant.h"
#include "tests/journal/payload_room.h"
#include "tests/queue/record_room.h"

struct record_state record;

/* Device i is the one of index 2 i. */
static uint64_t every_other(void *arg, uint64_t indices)
{
	uint64_t devices = 0;

	(void)arg;
	for (int i = 0; i < 32; i++)
		devices |= (indices >> 2 * i & 1) << i;
	return devices;
}

void record_open(void)
{
	record = (struct record_state){
		.used_before = memory_pool_used(test_pool),
	};
	record.tenants = tenants_new(&record.e);
	record.store = store_new(&record.e);
	ck_assert(record.tenants && record.store);
	record.room = (struct record_room){
		.tenants = record.tenants, .store = record.store,
		.memory = test_pool, .devices = every_other,
	};
}

void record_close(void)
{
	store_free(record.store);
	tenants_free(record.tenants);
	ck_assert_uint_eq(memory_pool_used(test_pool), record.used_before);
}

static void settle(struct job *j, int dtype)
{
	ck_ok(args_settle_dtype(&j->args, dtype, &record.e), &record.e);
	ck_ok(args_settle_layout(&j->args, test_pool, &record.e), &record.e);
}

struct job *record_job(const struct op *o, size_t n, int dtype)
{
	struct job *j = job_new(o, &record.e);

	ck_assert_ptr_nonnull(j);
	ck_ok(o->sample(&j->args, n, test_pool, &record.e), &record.e);
	settle(j, dtype);
	return j;
}

struct job *record_stack(const struct op *o, int dtype)
{
	static const size_t dim[] = { 3, 4, 4 };
	struct job *j = job_new(o, &record.e);

	ck_assert_ptr_nonnull(j);
	for (int i = 0; i < OP_INPUTS && o->inputs[i].name; i++)
		if (!o->inputs[i].optional)
			j->args.in[i] = payload_dense(FLOAT64, 3, dim);
	settle(j, dtype);
	return j;
}

int record_prepare(struct job *j, struct err *e)
{
	return args_prepare(&j->args, test_pool, e);
}

static struct step *set_step(struct pipeline *p, int k, const char *name,
                             const char *op)
{
	struct step *const s = &p->step[k];

	step_init(s, name, op_find(op));
	s->place = k;
	s->judged = op_find(op)->residual != NULL;
	return s;
}

static void feed(struct step *s, int i, int step, int output)
{
	s->from[i] = (struct source){ .step = step,
	                                .output = output };
	s->args.in[i].ndim = 0;
}

struct job *record_pipeline(void)
{
	static const size_t dim[] = { 3, 4, 4 };
	struct err *const e = &record.e;
	struct job *j = job_new(ops[0], e);
	struct pipeline *p = pipeline_new(2, e);
	struct step *s;

	ck_assert(j && p);
	s = set_step(p, 0, "c", "matmul");
	s->args.in[0] = payload_dense(FLOAT32, 3, dim);
	s->args.in[1] = matrix_ref(&s->args.in[0]);
	s->from[0] = s->from[1] = (struct source){ .step = -1 };
	s->args.param[op_param(s->args.op, "transpose_b")] = 1;
	s->given = 1u << op_param(s->args.op, "transpose_b");
	s->args.quality = QUALITY_FULL;
	s = set_step(p, 1, "f", "cholesky");
	feed(s, 0, 0, 0);
	s->dtype = FLOAT64;
	ck_ok(pipeline_return(p, (struct source){ .step = 0 }, "c", e), e);
	ck_ok(pipeline_return(p, (struct source){ .step = 1 }, "f.l", e), e);
	ck_ok(pipeline_link(p, false, e), e);
	pipeline_args(&j->args, p);
	j->args.want = 3;
	ck_ok(pipeline_prepare(&j->args, test_pool, e), e);
	return j;
}

char *record_request_of(const struct job *j, uint64_t indices)
{
	struct text t = { 0 };

	record_request(&t, j, indices);
	ck_assert(!t.failed);
	return text_take(&t);
}

char *record_answer_of(const struct job *j)
{
	struct text t = { 0 };

	record_answer(&t, j);
	ck_assert(!t.failed);
	return text_take(&t);
}

/* The matrices, packed and unpacked. */
static void pass(const struct matrix *m, size_t n, struct matrix *back)
{
	size_t bytes, n_back;
	char *packed = payload_pack(m, n, &bytes, &record.e);

	ck_assert_msg(packed != NULL, "%s", record.e.text);
	ck_ok(payload_unpack(packed, bytes, "a job", back, n, &n_back,
	                     test_pool, &record.e), &record.e);
	ck_assert_uint_eq(n_back, n);
	free(packed);
}

static void drop(struct matrix *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		matrix_fini(&m[i]);
}

struct job *record_ask_again(const struct job *j, const char *request,
                             struct err *e)
{
	struct matrix m[RECORD_OPERANDS], back[RECORD_OPERANDS];
	const size_t n = record_operands(j, m);
	struct job *again = record_read_request(request, &record.room, e);

	if (!again || e->code)
		return again;
	pass(m, n, back);
	record_take_operands(again, back, n, &record.room, e);
	drop(back, n);
	return again;
}

struct job *record_answer_again(const struct job *j, const char *request,
                                const char *answer, struct err *e)
{
	struct matrix m[RECORD_RESULTS], back[RECORD_RESULTS];
	const size_t n = record_results(j, m);
	struct job *again = record_read_request(request, &record.room, e);

	if (!again || e->code || record_read_answer(again, answer, e))
		return again;
	pass(m, n, back);
	record_take_results(again, back, n, e);
	drop(back, n);
	return again;
}

static void fill_timing(struct job *j)
{
	struct timing t = {
		.upload_ns = 1, .download_ns = 2,
		.compute_ns = INT64_C(1) << 53, .host_ns = 4, .compile_ns = 5,
		.n_kernels = TIMING_ROWS,
	};

	for (int i = 0; i < t.n_kernels; i++) {
		t.kernel[i] = (struct kernel_time){
			.calls = UINT64_MAX - (uint64_t)i, .timed = 3,
			.total_ns = 1u << i % 31, .min_ns = 1, .max_ns = 9,
			.flops = 1e300 / 3, .bytes = 0.1 * i, .device = i % 3,
			.step = j->args.pipeline ? i % 2 : 0,
		};
		snprintf(t.kernel[i].name, TIMING_NAME, "kernel_%032d", i);
	}
	job_set_timing(j, &t);
}

static void fill_args(struct args *a, unsigned seed)
{
	double x = seed + 1.0 / 3;

#define X(measure, flag) a->verdict.measure = flag ? 1 : (x *= 1.7);
	VERDICT_MEASURES(X)
#undef X
	a->verdict.condition = NAN;
	for (int i = 0; i < OP_OUTPUTS; i++)
		for (size_t k = 0; a->out[i].memory &&
		     k < matrix_size(&a->out[i]); k++)
			((unsigned char *)matrix_data(&a->out[i]))[k] =
				(unsigned char)(seed + k * 41 + k / 253);
	a->real = 5;
	a->shorter = 2;
}

void record_fill(struct job *j)
{
	struct pipeline *const p = j->args.pipeline;

	j->accepted_ns = clock_ns() - 5000000000;
	j->first_byte_ns = j->accepted_ns - 17;
	j->started_ns = j->accepted_ns + 23;
	j->ended_ns = j->accepted_ns + 2000000001;
	j->replied_ns = j->ended_ns + 7;
	j->begun_ms = 1764000000123;
	j->finished_ms = 1764000000999;
	j->compile_ns = 77;
	j->device = 2;
	j->parts_on = UINT64_C(1) << 63 | 5;
	strcpy(j->variant, "some-variant");
	fill_timing(j);
	fill_args(&j->args, 1);
	for (int k = 0; p && k < p->n; k++) {
		fill_args(&p->step[k].args, (unsigned)k + 2);
		p->step[k].compute_ns = 1000 + k;
		snprintf(p->step[k].variant, TIMING_NAME, "of-step-%d", k);
	}
}

void record_ck_same(const struct matrix *a, const struct matrix *b)
{
	ck_assert_int_eq(!a->memory, !b->memory);
	if (a->memory)
		payload_ck_same(a, b);
	else
		ck_assert_int_eq(a->ndim, b->ndim);
}
