/* call_parts.c - a part of a matrix is memory of its own, in this process and
 * in the worker to which a call takes it. */
#include <sys/mman.h>
#include <unistd.h>

#include "matrix/mappings.h"
#include "tests/test.h"
#include "tests/wire/far_side.h"

/* A matrix in the slab, and one too large for it. */
static const size_t sizes[] = { 64, 256 };

enum { FROM = 16, ROWS = 32 };

static struct err e;

static void setup(void)
{
	e = (struct err){ 0 };
	far_side_open();
}

static void teardown(void)
{
	far_side_close();
	ck_assert_uint_eq(memory_pool_used(test_pool), 0);
}

static struct matrix some_rows(const struct matrix *m)
{
	const size_t row = m->dim[1] * sizeof(double);
	struct matrix part = *m;

	part.dim[0] = ROWS;
	part.memory = memory_part(m->memory, FROM * row, ROWS * row, &e);
	ck_assert_ptr_nonnull(part.memory);
	return part;
}

START_TEST(a_part_keeps_the_whole)
{
	struct matrix m = far_square(sizes[1]), part = some_rows(&m);

	ck_assert_double_eq(matrix_get(&part, 5), FROM * 256 + 5);
	matrix_fini(&m);
	ck_assert_uint_gt(memory_pool_used(test_pool), 0);
	ck_assert_double_eq(matrix_get(&part, 6), FROM * 256 + 6);
	matrix_fini(&part);
}
END_TEST

static void post(struct args *a)
{
	const struct call_out out = { .serial = 7, .level = TIMING_NONE,
	                              .args = a };

	ck_ok(call_send(far_pair[0], &far_small, &out, 1, &e), &e);
}

static void receive(struct call *c)
{
	static struct call calls[CALL_BATCH];

	ck_assert_int_eq(call_receive(far_pair[1], &far_slab, calls, &e), 1);
	*c = calls[0];
}

/* A product whose operands are rows of a and a itself, and whose output is rows
 * of c. */
START_TEST(a_part_travels_beside_the_whole)
{
	const size_t n = sizes[_i];
	struct matrix a = far_square(n), c = far_square(n);
	struct args args;
	struct call call;

	args_init(&args, op_find("matmul"));
	a.memory->stored = 5;
	args.in[0] = some_rows(&a);
	args.in[1] = matrix_ref(&a);
	args.out[0] = some_rows(&c);
	post(&args);
	receive(&call);
	ck_ok(call.err.code ? -1 : 0, &call.err);
	ck_assert_uint_eq(call.args.in[1].memory->stored, 5);
	ck_assert_uint_gt(call.args.in[0].memory->stored, 5);
	ck_assert_uint_eq(call.args.in[0].memory->stored,
	                  args.in[0].memory->stored);
	ck_assert_uint_eq(call.args.out[0].memory->stored, 0);
	ck_assert_uint_eq(call.args.in[0].dim[0], ROWS);
	for (size_t i = 0; i < ROWS * n; i++)
		ck_assert_double_eq(matrix_get(&call.args.in[0], i),
		                    (double)(FROM * n + i));
	ck_assert_double_eq(matrix_get(&call.args.in[1], n * n - 1),
	                    (double)(n * n - 1));
	matrix_set(&call.args.out[0], 3, -1);
	call_fetch_results(&args, &(struct done){ .present = 1 },
	                   far_control.results, 0);
	ck_assert_double_eq(matrix_get(&c, FROM * n + 3), -1);
	args_fini(&call.args);
	args_fini(&args);
	matrix_fini(&a);
	matrix_fini(&c);
}
END_TEST

/* The number of the matrix's bytes that have a page. */
static size_t touched(const struct matrix *m)
{
	static unsigned char page[1 << 10];
	const size_t each = (size_t)sysconf(_SC_PAGESIZE);
	size_t n = 0;

	ck_assert_uint_le(m->memory->bytes, sizeof page * each);
	ck_assert_int_eq(mincore(m->memory->data, m->memory->bytes, page), 0);
	for (size_t i = 0; i < m->memory->bytes / each; i++)
		n += (page[i] & 1) * each;
	return n;
}

/* Sends a call whose output is some rows of a new matrix, or all of them;
 * returns how many bytes have a page when it has arrived. */
static size_t brings(struct mappings *k, bool all)
{
	struct matrix c = { .dtype = FLOAT64, .ndim = 2,
	                    .dim = { 2 * ROWS, 1024 } };
	struct args args;
	struct call call;
	size_t bytes;

	far_side_settle(test_pool);
	ck_ok(matrix_alloc(&c, test_pool, &e), &e);
	args_init(&args, op_find("matmul"));
	args.out[0] = all ? matrix_ref(&c) : some_rows(&c);
	far_slab.mappings = k;
	post(&args);
	receive(&call);
	far_slab.mappings = NULL;
	ck_ok(call.err.code ? -1 : 0, &call.err);
	bytes = touched(&c);
	args_fini(&call.args);
	args_fini(&args);
	matrix_fini(&c);
	mappings_trim(k, INT64_MAX);
	return bytes;
}

START_TEST(pages_are_there_unless_they_are_to_be_bare)
{
	const size_t row = 1024 * sizeof(double);
	struct mappings k = { .most = 1 << 30 };

	ck_assert_uint_eq(brings(&k, true), 2 * ROWS * row);
	ck_assert_uint_eq(brings(&k, false), ROWS * row);
	k.bare = true;
	ck_assert_uint_eq(brings(&k, true), 0);
	ck_assert_uint_eq(brings(&k, false), 0);
}
END_TEST

/* Receives three pieces, two at a time; those of a call that runs do not count
 * as kept. */
START_TEST(no_more_bytes_are_kept_than_may_be)
{
	struct matrix a = far_square(sizes[1]), b = far_square(sizes[1]);
	struct mappings k = { .most = 2 * a.memory->bytes };
	size_t bytes = 0;
	struct args args;
	struct call call;

	args_init(&args, op_find("matmul"));
	args.in[0] = a;
	args.in[1] = b;
	args.out[0] = far_square(sizes[1]);
	far_slab.mappings = &k;
	post(&args);
	receive(&call);
	far_slab.mappings = NULL;
	ck_ok(call.err.code ? -1 : 0, &call.err);
	for (int i = 0; i < MAPPINGS; i++)
		bytes += k.kept[i].memory ? k.kept[i].memory->bytes : 0;
	ck_assert_uint_eq(bytes, k.most);
	ck_assert_double_eq(matrix_get(&call.args.in[0], 9), 9);
	args_fini(&call.args);
	args_fini(&args);
	mappings_trim(&k, INT64_MAX);
}
END_TEST

START_TEST(a_part_beyond_the_whole_is_refused)
{
	struct matrix a = far_square(sizes[1]);
	const size_t whole = a.memory->bytes;
	const size_t wrong[][2] = {	/* offset, bytes */
		{ whole - 128, 256 }, { 0, whole + 128 },
		{ SIZE_MAX - 127, 256 },
	};
	struct args args;
	struct call call;

	for (size_t i = 0; i < COUNT(wrong); i++) {
		args_init(&args, op_find("matmul"));
		args.in[0] = some_rows(&a);
		args.in[0].dim[0] = 0;
		args.in[0].memory->offset = wrong[i][0];
		args.in[0].memory->bytes = wrong[i][1];
		post(&args);
		receive(&call);
		ck_assert_int_eq(call.err.code, ERR_INTERNAL);
		args_fini(&args);
	}
	matrix_fini(&a);
}
END_TEST

START_TEST(what_has_come_of_an_operand_is_told)
{
	static struct call got[CALL_BATCH];
	struct matrix a = far_square(256);

	a.memory->upload_id = 77;
	ck_ok(call_send_arrival(far_pair[0], a.memory, 1000, &e), &e);
	ck_assert_int_eq(call_receive(far_pair[1], &far_slab, got, &e), 1);
	ck_assert(got[0].is_prefetch);
	ck_assert_ptr_null(got[0].args.op);
	ck_assert_uint_eq(got[0].arrived, 1000);
	ck_assert_uint_eq(got[0].memory->upload_id, 77);
	ck_assert_uint_eq(got[0].memory->bytes, a.memory->bytes);
	ck_assert_mem_eq(got[0].memory->data, a.memory->data, 1000);
	memory_unref(got[0].memory);
	ck_ok(call_send_arrival(far_pair[0], a.memory, a.memory->bytes + 1, &e),
	      &e);
	ck_assert_int_eq(call_receive(far_pair[1], &far_slab, got, &e), 1);
	ck_assert(got[0].is_prefetch);
	ck_assert_ptr_null(got[0].memory);
	ck_assert_int_eq(e.code, ERR_NONE);
	matrix_fini(&a);
}
END_TEST

TCase *tcase_call_parts(void)
{
	TCase *c = tcase_create("call_parts");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, a_part_keeps_the_whole);
	tcase_add_loop_test(c, a_part_travels_beside_the_whole, 0,
	                    COUNT(sizes));
	tcase_add_test(c, pages_are_there_unless_they_are_to_be_bare);
	tcase_add_test(c, no_more_bytes_are_kept_than_may_be);
	tcase_add_test(c, a_part_beyond_the_whole_is_refused);
	tcase_add_test(c, what_has_come_of_an_operand_is_told);
	return c;
}
