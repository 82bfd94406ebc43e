/* call.c - a call arrives as it was sent; a wrong one is refused. */
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "matrix/mappings.h"
#include "matrix/sparse.h"
#include "tests/test.h"
#include "tests/wire/far_side.h"

/* A call of the first operation, with n x n in and out. */
static void fill(struct args *a, size_t n)
{
	args_init(a, ops[0]);
	a->dtype = FLOAT32;
	a->quality = QUALITY_FULL;
	a->want = 5;
	a->param[0] = 0.25;
	a->variant = &ops[0]->variants[0];
	a->in[0] = far_square(n);
	a->out[0] = far_square(n);
}

/* This process's, without those that the pool keeps for its next request. */
static int open_descriptors(void)
{
	int n = 0;

	far_side_settle(test_pool);
	for (int fd = 0; fd < 1024; fd++)
		n += dup2(fd, fd) >= 0;
	return n;
}

static int send_one(uint64_t serial, const struct args *a,
                    enum timing_level level, struct err *e)
{
	const struct call_out c = { .serial = serial, .level = level,
	                            .args = a };

	return call_send(far_pair[0], &far_small, &c, 1, e);
}

/* Receives the first call of a batch; -1 if anything is wrong with any call. */
static int receive_one(uint64_t *serial, struct args *a,
                       enum timing_level *level, struct err *e)
{
	static struct call calls[CALL_BATCH];
	const int n = call_receive(far_pair[1], &far_slab, calls, e);

	for (int i = 0; i < n; i++)
		if (calls[i].err.code != ERR_NONE)
			*e = calls[i].err;
	for (int i = e->code == ERR_NONE; i < n; i++)
		args_fini(&calls[i].args);
	if (n <= 0 || e->code != ERR_NONE)
		return n <= 0 ? n : -1;
	*serial = calls[0].serial;
	*a = calls[0].args;
	*level = calls[0].level;
	return n;
}

static void goes_through(size_t n)
{
	struct args sent, got;
	struct err e = { 0 };
	enum timing_level level;
	uint64_t serial;
	char text[MATRIX_SHAPE_TEXT];

	fill(&sent, n);
	ck_ok(send_one(42, &sent, TIMING_SUMMARY, &e), &e);
	ck_assert_int_eq(receive_one(&serial, &got, &level, &e), 1);
	ck_assert_uint_eq(serial, 42);
	ck_assert_int_eq(level, TIMING_SUMMARY);
	ck_assert_ptr_eq(got.op, sent.op);
	ck_assert_ptr_eq(got.variant, sent.variant);
	ck_assert_int_eq(got.dtype, FLOAT32);
	ck_assert_int_eq(got.quality, QUALITY_FULL);
	ck_assert_uint_eq(got.want, 5);
	ck_assert_double_eq(got.param[0], 0.25);
	ck_assert_int_eq(got.in[1].ndim, MATRIX_ABSENT);
	ck_assert_uint_eq(matrix_elements(&got.in[0]), n * n);
	ck_assert_str_eq(matrix_shape_text(&got.in[0], text),
	                 n == 3 ? "3x3" : "300x300");
	ck_assert_mem_eq(matrix_data(&got.in[0]), matrix_data(&sent.in[0]),
	                 matrix_size(&sent.in[0]));
	/* The other side sees what one writes, or fetches it if it is small. */
	matrix_set(&got.out[0], 1, -5);
	call_fetch_results(&sent, &(struct done){ .present = 1 },
	                   far_control.results, 0);
	ck_assert_double_eq(matrix_get(&sent.out[0], 1), -5);
	args_fini(&got);
	args_fini(&sent);
}

START_TEST(small_matrices_travel_in_the_slab)
{
	goes_through(3);
}
END_TEST

START_TEST(large_matrices_travel_as_descriptors_and_none_leaks)
{
	int before = open_descriptors();

	goes_through(300);
	goes_through(300);
	ck_assert_int_eq(open_descriptors(), before);
}
END_TEST

/* An n x n matrix with a full last row and nothing else. */
static struct matrix sparse(size_t n, struct err *e)
{
	struct matrix m = { .dtype = FLOAT64, .ndim = 2, .dim = { n, n },
	                    .layout = CSR, .nnz = n };

	ck_ok(matrix_alloc(&m, test_pool, e), e);
	memset(sparse_starts(&m), 0, n * sizeof(int64_t));
	sparse_starts(&m)[n] = (int64_t)n;
	for (size_t k = 0; k < n; k++) {
		matrix_set(&m, k, (double)k);
		sparse_columns(&m)[k] = (int32_t)k;
	}
	return m;
}

static void sparse_goes_through(size_t n)
{
	struct args sent, got;
	struct err e = { 0 };
	enum timing_level level;
	uint64_t serial;

	fill(&sent, 3);
	matrix_fini(&sent.in[0]);
	sent.in[0] = sparse(n, &e);
	sent.in[1].layout = CSR;	/* absent, but to be sparse */
	ck_ok(send_one(1, &sent, TIMING_NONE, &e), &e);
	ck_assert_int_eq(receive_one(&serial, &got, &level, &e), 1);
	ck_assert_int_eq(got.in[0].layout, CSR);
	ck_assert_uint_eq(got.in[0].nnz, n);
	ck_assert_mem_eq(matrix_data(&got.in[0]), matrix_data(&sent.in[0]),
	                 matrix_size(&sent.in[0]));
	ck_assert_mem_eq(got.in[0].index->data, sent.in[0].index->data,
	                 matrix_index_size(&sent.in[0]));
	args_fini(&got);
	args_fini(&sent);
}

START_TEST(sparse_matrices_travel_with_their_index)
{
	int before = open_descriptors();

	sparse_goes_through(4);
	sparse_goes_through(6000);	/* values in the slab, index not */
	sparse_goes_through(30000);
	ck_assert_int_eq(open_descriptors(), before);
}
END_TEST

static void is_refused(const struct args *sent)
{
	struct args got;
	struct err e = { 0 };
	enum timing_level level;
	uint64_t serial;

	ck_ok(send_one(1, sent, TIMING_NONE, &e), &e);
	ck_assert_int_eq(receive_one(&serial, &got, &level, &e), -1);
	ck_assert_int_eq(e.code, ERR_INTERNAL);
}

START_TEST(a_sparse_matrix_without_its_whole_index_is_refused)
{
	struct args sent;
	struct err e = { 0 };

	fill(&sent, 3);
	matrix_fini(&sent.in[0]);
	sent.in[0] = sparse(4, &e);
	sent.in[0].dim[0] = 1000;
	is_refused(&sent);
	sent.in[0].dim[0] = 4;
	memory_unref(sent.in[0].index);
	sent.in[0].index = NULL;
	is_refused(&sent);
	args_fini(&sent);
}
END_TEST

START_TEST(the_same_memory_twice_is_mapped_once)
{
	struct args sent, got;
	struct err e = { 0 };
	enum timing_level level;
	uint64_t serial;

	fill(&sent, 300);
	sent.in[1] = sent.in[0];
	memory_ref(sent.in[1].memory);
	ck_ok(send_one(1, &sent, TIMING_NONE, &e), &e);
	ck_assert_int_eq(receive_one(&serial, &got, &level, &e), 1);
	ck_assert_ptr_eq(got.in[0].memory, got.in[1].memory);
	ck_assert_ptr_ne(got.in[0].memory, got.out[0].memory);
	args_fini(&got);
	args_fini(&sent);
}
END_TEST

/* Sends two large calls, the second with its memory resized or not; at[] is
 * where the far side maps the first operand. */
static void addresses(struct mappings *k, bool resize, void *at[2])
{
	struct args sent, got;
	struct err e = { 0 };
	enum timing_level level;
	uint64_t serial;

	far_slab.mappings = k;
	fill(&sent, 300);
	for (int i = 0; i < 2; i++) {
		ck_ok(send_one(1, &sent, TIMING_NONE, &e), &e);
		ck_assert_int_eq(receive_one(&serial, &got, &level, &e), 1);
		at[i] = got.in[0].memory;
		ck_assert_double_eq(matrix_get(&got.in[0], 300), 300 + i);
		args_fini(&got);
		matrix_set(&sent.in[0], 300, 301);
		if (resize)
			ck_ok(memory_resize(&sent.in[0].memory, 1 << 20, &e),
			      &e);
	}
	args_fini(&sent);
	far_slab.mappings = NULL;
}

START_TEST(kept_mappings_serve_the_next_call)
{
	struct mappings k = { .most = 1 << 30 };
	int before = open_descriptors();
	void *at[2];

	addresses(&k, false, at);
	ck_assert_ptr_eq(at[0], at[1]);
	ck_assert(mappings_trim(&k, 0));	/* used since then */
	ck_assert(!mappings_trim(&k, INT64_MAX));
	ck_assert_int_eq(open_descriptors(), before);
}
END_TEST

/* A piece's size is final once it was sent. */
START_TEST(a_piece_that_grows_after_it_was_sent_is_another)
{
	struct mappings k = { .most = 1 << 30 };
	int before = open_descriptors();
	void *at[2];

	addresses(&k, true, at);
	ck_assert_ptr_ne(at[0], at[1]);
	mappings_trim(&k, INT64_MAX);
	ck_assert_int_eq(open_descriptors(), before);
}
END_TEST

START_TEST(more_pieces_than_places_push_the_oldest_out)
{
	struct mappings k = { .most = 1 << 30 };
	void *at[2];
	int n = 0;

	for (int i = 0; i < MAPPINGS; i++)
		addresses(&k, false, at);
	for (int i = 0; i < MAPPINGS; i++)
		n += k.kept[i].memory != NULL;
	ck_assert_int_gt(n, 0);
	addresses(&k, false, at);
	ck_assert_ptr_eq(at[0], at[1]);
	mappings_trim(&k, INT64_MAX);
}
END_TEST

START_TEST(a_closed_socket_is_the_end)
{
	struct args got;
	struct err e = { 0 };
	enum timing_level level;
	uint64_t serial;

	shutdown(far_pair[0], SHUT_RDWR);
	ck_assert_int_eq(receive_one(&serial, &got, &level, &e), 0);
	ck_assert_int_eq(e.code, ERR_NONE);
}
END_TEST

/* Sends the call with one of its bytes set to 0xee. */
static int with_wrong_byte(size_t at, size_t *length, struct err *e)
{
	static unsigned char bytes[1 << 16];
	struct args sent, got;
	enum timing_level level;
	uint64_t serial;
	int fds[IO_FDS], n_fds, rc;
	struct err fine = { 0 };

	fill(&sent, 100);
	ck_ok(send_one(1, &sent, TIMING_NONE, &fine), &fine);
	*length = (size_t)io_receive(far_pair[1], bytes, sizeof bytes, fds,
	                             &n_fds);
	if (at < *length)
		bytes[at] = 0xee;
	ck_ok(io_send(far_pair[0], bytes, *length, fds, n_fds, &fine), &fine);
	for (int i = 0; i < n_fds; i++)
		close(fds[i]);
	rc = receive_one(&serial, &got, &level, e);
	if (rc > 0)
		args_fini(&got);
	args_fini(&sent);
	return rc;
}

/* With any single byte wrong, a call is accepted (a parameter may be anything)
 * or refused as an internal error, and no descriptor stays open. */
START_TEST(any_wrong_byte_is_refused_or_harmless)
{
	size_t length = 1;
	int before = open_descriptors(), refused = 0;

	for (size_t at = 0; at < length; at++) {
		struct err e = { 0 };
		int rc = with_wrong_byte(at, &length, &e);

		ck_assert(rc == 1 || rc == -1);
		ck_assert_int_eq(rc < 0, e.code != ERR_NONE);
		refused += rc < 0;
	}
	ck_assert_int_gt(refused, 50);
	ck_assert_int_eq(open_descriptors(), before);
}
END_TEST

START_TEST(a_short_message_is_refused)
{
	struct args got;
	struct err e = { 0 };
	enum timing_level level;
	uint64_t serial;

	ck_ok(io_send(far_pair[0], "hello", 5, NULL, 0, &e), &e);
	ck_refused(receive_one(&serial, &got, &level, &e), &e,
	           ERR_INTERNAL);
}
END_TEST

TCase *tcase_call(void)
{
	TCase *t = tcase_create("call");

	tcase_add_checked_fixture(t, far_side_open, far_side_close);
	tcase_add_test(t, small_matrices_travel_in_the_slab);
	tcase_add_test(t, large_matrices_travel_as_descriptors_and_none_leaks);
	tcase_add_test(t, sparse_matrices_travel_with_their_index);
	tcase_add_test(t, a_sparse_matrix_without_its_whole_index_is_refused);
	tcase_add_test(t, the_same_memory_twice_is_mapped_once);
	tcase_add_test(t, kept_mappings_serve_the_next_call);
	tcase_add_test(t, a_piece_that_grows_after_it_was_sent_is_another);
	tcase_add_test(t, more_pieces_than_places_push_the_oldest_out);
	tcase_add_test(t, a_closed_socket_is_the_end);
	tcase_add_test(t, any_wrong_byte_is_refused_or_harmless);
	tcase_add_test(t, a_short_message_is_refused);
	return t;
}
