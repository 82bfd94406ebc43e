/* job_record.c - a job that becomes text and matrices, and these a job again:
 * nothing of it is lost, whatever the operation, its types, variants and
 * parameters. job_record_answer.c has answers and pipelines,
 * job_record_broken.c texts that are wrong. */
#include <math.h>
#include <stdio.h>

#include "base/size.h"
#include "matrix/store.h"
#include "ops/failure.h"
#include "queue/tenant.h"
#include "tests/queue/record_room.h"

/* --- the request */

void record_ck_same_call(const struct args *a, const struct args *b)
{
	ck_assert_ptr_eq(a->variant, b->variant);
	ck_assert_int_eq(a->dtype, b->dtype);
	ck_assert_int_eq(a->half, b->half);
	ck_assert_int_eq(a->quality, b->quality);
	ck_assert_uint_eq(a->want, b->want);
	for (int i = 0; i < OP_PARAMS; i++)
		ck_assert_msg(a->param[i] == b->param[i] ||
		              (isnan(a->param[i]) && isnan(b->param[i])),
		              "%s: parameter %d: %.17g, %.17g", a->op->name, i,
		              a->param[i], b->param[i]);
}

/* The two have the same operands, and room for the same answer. */
void record_ck_same_matrices(const struct args *a, const struct args *b)
{
	ck_assert_uint_eq(a->stack, b->stack);
	for (int i = 0; i < OP_INPUTS; i++)
		record_ck_same(&a->in[i], &b->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++) {
		const struct matrix *m = &a->out[i], *n = &b->out[i];

		ck_assert_int_eq(m->ndim, n->ndim);
		ck_assert_int_eq(!m->memory, !n->memory);
		if (m->ndim == MATRIX_ABSENT)
			continue;
		ck_assert_int_eq(m->dtype, n->dtype);
		ck_assert_int_eq(m->layout, n->layout);
		for (int d = 0; d < m->ndim; d++)
			ck_assert_uint_eq(m->dim[d], n->dim[d]);
	}
	ck_assert_int_eq(!a->failed.memory, !b->failed.memory);
}

static void ck_same_request(const struct job *a, const struct job *b)
{
	ck_assert_int_eq(a->priority, b->priority);
	ck_assert_int_eq(a->timing_level, b->timing_level);
	ck_assert_int_eq(a->parse_ns, b->parse_ns);
	ck_assert_int_eq(a->created_ms, b->created_ms);
	ck_assert_int_eq(a->usual_deadline, b->usual_deadline);
	ck_assert_mem_eq(a->fingerprint, b->fingerprint,
	                 sizeof a->fingerprint);
	record_ck_same_call(&a->args, &b->args);
}

/* Sends the job through its record; frees it. */
static void ck_kept(struct job *j)
{
	char *request = record_request_of(j, 0);
	struct err e = { 0 };
	struct job *again = record_ask_again(j, request, &e);

	ck_assert_msg(e.code == ERR_NONE, "%s: %s\n%s", j->args.op->name,
	              e.text, request);
	ck_assert_ptr_eq(j->args.op, again->args.op);
	ck_same_request(j, again);
	record_ck_same_matrices(&j->args, &again->args);
	job_unref(again);
	job_unref(j);
	free(request);
}

/* A call that the operation refuses is never recorded. */
static bool ck_kept_if_taken(struct job *j)
{
	struct err e = { 0 };

	if (record_prepare(j, &e)) {
		job_unref(j);
		return false;
	}
	ck_kept(j);
	return true;
}

START_TEST(every_operation_comes_back_in_each_type)
{
	for (const struct op *const *o = ops; *o; o++)
		for (int d = -1; d < DTYPE_COUNT; d++)
			for (size_t n = 4; n < 8; n++)
				if (d < 0 || op_takes_dtype(*o, (enum dtype)d))
					ck_assert(ck_kept_if_taken(record_job(
						*o, n, d)) || d >= 0);
}
END_TEST

START_TEST(every_variant_comes_back)
{
	for (const struct op *const *o = ops; *o; o++)
		for (const struct variant *v = (*o)->variants; v->name; v++) {
			struct job *j = record_job(*o, 5, -1);

			j->args.variant = v;
			ck_kept_if_taken(j);
		}
}
END_TEST

START_TEST(every_output_comes_back)
{
	for (const struct op *const *o = ops; *o; o++)
		for (int i = 0; i < OP_OUTPUTS && (*o)->outputs[i].name; i++) {
			struct job *j = record_job(*o, 5, -1);

			j->args.want = 1u << i;
			j->args.quality = (enum quality)(i % 3);
			ck_kept_if_taken(j);
		}
}
END_TEST

/* Value number k of the parameter; NAN: there are no more. */
static double value_of(const struct param *p, int k)
{
	static const double real[] = { 0.1 + 0.2, -1.0 / 3, 5e-324, 1.5e300 };
	static const double whole[] = { 1, 2, -7, 9007199254740991 };

	if (p->type == PARAM_CHOICE)
		return p->choices[k] ? k : NAN;
	if (p->type == PARAM_BOOLEAN)
		return k < 2 ? k : NAN;
	if (k >= 4)
		return NAN;
	return fmin(p->max, fmax(p->min, p->type == PARAM_REAL ? real[k] :
	                                                         whole[k]));
}

/* The text has what an operation would refuse, too, such as a parameter that
 * does not go with others. */
static void ck_parameter_kept(const struct op *o, int i, double value)
{
	struct job *j = record_job(o, 5, -1), *again;
	const int n = o->params[i].type == PARAM_LIST ? PARAM_LIST_LENGTH : 1;
	struct err e = { 0 };
	char *request;

	for (int k = 0; k < n; k++)
		j->args.param[i + k] = value + k;
	request = record_request_of(j, 0);
	again = record_read_request(request, &record.room, &e);
	ck_assert_msg(again && !e.code, "%s: %s", o->name, e.text);
	record_ck_same_call(&j->args, &again->args);
	job_unref(again);
	free(request);
	ck_kept_if_taken(j);
}

START_TEST(every_parameter_comes_back_to_the_last_bit)
{
	for (const struct op *const *o = ops; *o; o++)
		for (int i = 0; (*o)->params[i].name; i++) {
			const struct param *const p = &(*o)->params[i];

			for (int k = 0; !isnan(value_of(p, k)); k++)
				ck_parameter_kept(*o, i, value_of(p, k));
		}
}
END_TEST

START_TEST(sparse_and_scalar_operands_come_back)
{
	static const char *const taking[] = { "spmv", "permute", "matmul",
	                                      "transpose", "solve" };
	int taken = 0;

	for (size_t i = 0; i < COUNT(taking); i++)
		for (int text = 0; text < 2; text++) {
			struct job *j = record_job(op_find(taking[i]), 6, -1);

			j->args.in[0].text = text;
			taken += j->args.in[0].layout == CSR;
			ck_assert(ck_kept_if_taken(j));
		}
	ck_assert_int_gt(taken, 0);
}
END_TEST

START_TEST(stacks_come_back)
{
	int taken = 0;

	for (const struct op *const *o = ops; *o; o++)
		if ((*o)->inputs[0].layout == DENSE)
			taken += ck_kept_if_taken(record_stack(*o, FLOAT64));
	ck_assert_int_gt(taken, 8);
}
END_TEST

/* A device is named by its sheet's index, since its place may change. */
START_TEST(what_is_not_the_call_comes_back)
{
	struct job *j = record_job(op_find("matmul"), 4, -1), *again;
	struct err e = { 0 };
	char *request;

	ck_ok(record_prepare(j, &e), &e);
	j->priority = 9;
	j->timing_level = TIMING_TRACE;
	j->parse_ns = INT64_C(1) << 53;
	j->created_ms = clock_wall_ms() - 1000;
	j->accepted_ns = clock_ns() - 1000000000;
	j->deadline_ns = j->accepted_ns + 3600 * INT64_C(1000000000);
	j->usual_deadline = true;
	strcpy(j->key, "a key");
	for (int i = 0; i < 32; i++)
		j->fingerprint[i] = (uint8_t)(i * 37 + 9);
	request = record_request_of(j, 1u << 2 | 1u << 6);
	again = record_ask_again(j, request, &e);
	ck_assert_msg(again && !e.code, "%s", e.text);
	ck_same_request(j, again);
	ck_assert_uint_eq(again->devices, 1u << 1 | 1u << 3);
	/* It goes by the calendar, which may have been set meanwhile. */
	ck_assert_int_lt(llabs(again->deadline_ns - j->deadline_ns),
	                 INT64_C(600) * 1000000000);
	job_unref(again);
	job_unref(j);
	free(request);
}
END_TEST

static struct keeping *keep_in(struct job *j, const char *list)
{
	struct err *const e = &record.e;

	j->tenant = tenants_get(record.tenants, "t", e);
	j->keeping = keep_new(record.store, j->tenant, NULL, e);
	ck_ok(keep_parse(j->keeping, j->args.op, list, e), e);
	ck_ok(keep_settle(j->keeping, &j->args, true, e), e);
	return j->keeping;
}

static void ck_same_keeping(const struct keeping *a, const struct keeping *b)
{
	ck_assert_ptr_nonnull(b);
	ck_assert_int_eq(a->n, b->n);
	ck_assert_int_eq(a->ttl_ns, b->ttl_ns);
	ck_assert_int_eq(a->conditional, b->conditional);
	ck_assert_int_eq(a->done, b->done);
	for (int i = 0; i < a->n; i++) {
		ck_assert_int_eq(a->kept[i].output, b->kept[i].output);
		ck_assert_int_eq(a->kept[i].told, b->kept[i].told);
		ck_assert_uint_eq(a->kept[i].version, b->kept[i].version);
		ck_assert_str_eq(a->kept[i].name, b->kept[i].name);
		if (!a->done)
			continue;
		ck_assert_int_eq(a->kept[i].shape.dtype,
		                 b->kept[i].shape.dtype);
		ck_assert_int_eq(a->kept[i].shape.ndim, b->kept[i].shape.ndim);
		ck_assert_mem_eq(a->kept[i].shape.dim, b->kept[i].shape.dim,
		                 sizeof a->kept[i].shape.dim);
	}
}

/* Names are as long as they may be. */
START_TEST(what_is_to_be_stored_comes_back)
{
	struct job *j = record_job(op_find("lu"), 4, -1), *again;
	char list[300], longest[STORE_NAME];
	struct err e = { 0 };
	char *request, *answer;

	memset(longest, 'n', sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	snprintf(list, sizeof list, "pivots:p,lu:%s", longest);
	keep_in(j, list)->ttl_ns = INT64_C(86400000000001);
	j->keeping->conditional = true;
	j->keeping->kept[1].version = UINT64_MAX;
	ck_ok(record_prepare(j, &e), &e);
	request = record_request_of(j, 0);
	again = record_ask_again(j, request, &e);
	ck_assert_msg(again && !e.code, "%s", e.text);
	ck_same_keeping(j->keeping, again->keeping);
	job_unref(again);
	j->keeping->done = true;
	j->keeping->kept[0].shape = (struct matrix){ .dtype = INT64, .ndim = 1,
	                                             .dim = { 4 } };
	j->keeping->kept[1].shape = (struct matrix){ .dtype = FLOAT64,
	                                             .ndim = 2,
	                                             .dim = { 4, 4 } };
	record_fill(j);
	answer = record_answer_of(j);
	again = record_answer_again(j, request, answer, &e);
	ck_assert_msg(again && !e.code, "%s", e.text);
	ck_same_keeping(j->keeping, again->keeping);
	job_unref(again);
	job_unref(j);
	free(answer);
	free(request);
}
END_TEST

TCase *tcase_job_record(void)
{
	TCase *c = tcase_create("job_record");

	tcase_add_checked_fixture(c, record_open, record_close);
	tcase_add_test(c, every_operation_comes_back_in_each_type);
	tcase_add_test(c, every_variant_comes_back);
	tcase_add_test(c, every_output_comes_back);
	tcase_add_test(c, every_parameter_comes_back_to_the_last_bit);
	tcase_add_test(c, sparse_and_scalar_operands_come_back);
	tcase_add_test(c, stacks_come_back);
	tcase_add_test(c, what_is_not_the_call_comes_back);
	tcase_add_test(c, what_is_to_be_stored_comes_back);
	return c;
}
