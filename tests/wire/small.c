/* small.c - a worker sees the small operands of its present calls' tenant, and
 * nobody else's. */
#include "tests/test.h"
#include "tests/wire/far_side.h"

static struct err e;

/* A square of order 8 with that element everywhere. */
static struct matrix filled(double x)
{
	struct matrix m = far_square(8);

	for (size_t i = 0; i < 64; i++)
		matrix_set(&m, i, x);
	return m;
}

/* Sends calls of that tenant with these operands to the worker, and releases
 * what it receives. */
static void send_all(uint32_t tenant, const struct matrix *m, int n)
{
	static struct call got[CALL_BATCH];
	struct call_out out[CALL_BATCH];
	struct args args[CALL_BATCH];

	for (int i = 0; i < n; i++) {
		args_init(&args[i], op_find("transpose"));
		args[i].in[0] = m[i];
		args[i].dtype = FLOAT64;
		out[i] = (struct call_out){ .serial = 1, .args = &args[i],
		                            .tenant = tenant };
	}
	ck_ok(call_send(far_pair[0], &far_small, out, n, &e), &e);
	ck_assert_int_eq(call_receive(far_pair[1], &far_slab, got, &e), n);
	for (int i = 0; i < n; i++) {
		ck_assert_uint_eq(got[i].tenant, tenant);
		ck_assert_double_eq(matrix_get(&got[i].args.in[0], 63),
		                    matrix_get(&m[i], 63));
		args_fini(&got[i].args);
	}
}

/* How many numbers that the worker can read are x. */
static size_t seen(double x)
{
	const double *const at = far_slab.data;
	size_t n = 0;

	ck_assert_uint_eq(far_slab.bytes, SMALL_BYTES);
	for (size_t i = 0; i < far_slab.bytes / sizeof *at; i++)
		n += at[i] == x;
	return n;
}

START_TEST(a_worker_sees_no_operand_of_another_worker)
{
	struct matrix ours[] = { filled(3), filled(4) }, other = filled(5);

	send_all(1, ours, 2);
	ck_assert_uint_eq(seen(3), 64);
	ck_assert_uint_eq(seen(4), 64);
	ck_assert_uint_eq(seen(5), 0);
	matrix_fini(&ours[0]);
	matrix_fini(&ours[1]);
	matrix_fini(&other);
}
END_TEST

START_TEST(what_one_tenant_left_is_cleared_for_the_next)
{
	struct matrix first[] = { filled(3), filled(4) }, next = filled(5);

	send_all(1, first, 2);
	send_all(2, &next, 1);
	ck_assert_uint_eq(seen(3) + seen(4), 0);
	ck_assert_uint_eq(seen(5), 64);
	send_all(1, first, 1);
	ck_assert_uint_eq(seen(5), 0);
	matrix_fini(&first[0]);
	matrix_fini(&first[1]);
	matrix_fini(&next);
}
END_TEST

TCase *tcase_small(void)
{
	TCase *t = tcase_create("small");

	tcase_add_checked_fixture(t, far_side_open, far_side_close);
	tcase_add_test(t, a_worker_sees_no_operand_of_another_worker);
	tcase_add_test(t, what_one_tenant_left_is_cleared_for_the_next);
	return t;
}
