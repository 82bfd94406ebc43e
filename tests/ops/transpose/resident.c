/* resident.c - a stored matrix is uploaded only once to a device with memory of
 * its own, and is evicted when its memory is needed. */
#include "tests/ops/op.h"

void transpose_resident(TCase *t);

enum { N = 300 };

/* Transposes a matrix that is stored under that name; returns the upload_ns. */
static int64_t upload_ns(const struct matrix *a, uint64_t stored)
{
	struct matrix b = random_matrix(FLOAT32, 6, 2, (size_t)N, (size_t)N);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_SUMMARY, &e);
	struct timing t;
	size_t wrong = 0;

	a->memory->stored = stored;
	ck_assert_ptr_nonnull(s);
	seq_launch(s, "transpose_tile", GRID2(N, N, 16, 16),
	           ARG_BUF(seq_input(s, a)), ARG_BUF(seq_output(s, &b)),
	           ARG_INT(N), ARG_INT(N));
	ck_ok(seq_finish(s), &e);
	seq_timing(s, &t);
	seq_free(s);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			wrong += matrix_get(a, i * N + j) !=
			         matrix_get(&b, j * N + i);
	ck_assert_uint_eq(wrong, 0);
	matrix_fini(&b);
	return t.upload_ns;
}

START_TEST(a_stored_matrix_is_uploaded_once)
{
	struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)N, (size_t)N);
	struct matrix b = random_matrix(FLOAT32, 7, 2, (size_t)N, (size_t)N);

	device_copies = true;
	ck_assert_int_gt(upload_ns(&a, 0), 0);
	ck_assert_int_gt(upload_ns(&a, 0), 0);
	ck_assert_int_gt(upload_ns(&a, 1001), 0);
	ck_assert_int_eq(upload_ns(&a, 1001), 0);
	ck_assert_int_gt(upload_ns(&b, 1002), 0);
	ck_assert_int_eq(upload_ns(&a, 1001), 0);
	ck_assert_int_eq(upload_ns(&b, 1002), 0);
	device_copies = false;
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

/* Operands may be freed before their sequence, as those that a batch gathers
 * are. */
START_TEST(nothing_is_read_of_a_matrix_whose_call_is_done)
{
	struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)N, (size_t)N);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_NONE, &e);

	ck_assert_ptr_nonnull(s);
	device_copies = true;
	ck_assert(seq_input(s, &a).id);
	ck_ok(seq_finish(s), &e);
	a.memory->stored = 1501;
	seq_free(s);
	ck_assert_int_gt(upload_ns(&a, 1501), 0);
	device_copies = false;
	matrix_fini(&a);
}
END_TEST

START_TEST(the_one_used_longest_ago_goes_first)
{
	enum { FIRST = 2000, MANY = 200 };	/* more than are kept */
	struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)N, (size_t)N);

	device_copies = true;
	for (uint64_t i = 0; i < MANY; i++) {
		upload_ns(&a, FIRST + i);
		upload_ns(&a, FIRST);
	}
	ck_assert_int_eq(upload_ns(&a, FIRST), 0);
	ck_assert_int_eq(upload_ns(&a, FIRST + MANY - 1), 0);
	ck_assert_int_gt(upload_ns(&a, FIRST + 1), 0);
	device_copies = false;
	matrix_fini(&a);
}
END_TEST

/* The N rows from row `row` on, as a part of the memory. */
static struct matrix rows_from(const struct matrix *a, size_t row)
{
	const size_t bytes = N * sizeof(float);
	struct matrix part = *a;
	struct err e = { 0 };

	part.dim[0] = N;
	part.memory = memory_part(a->memory, row * bytes, N * bytes, &e);
	ck_assert_ptr_nonnull(part.memory);
	return part;
}

/* The upload_ns of a matrix, by the name that it has. */
static int64_t stored_upload_ns(const struct matrix *a)
{
	return upload_ns(a, a->memory->stored);
}

START_TEST(parts_of_one_matrix_are_not_taken_for_each_other)
{
	struct matrix a = random_matrix(FLOAT32, 5, 2, 2 * (size_t)N,
	                                (size_t)N);
	struct matrix first, other;

	a.memory->stored = 3001;
	first = rows_from(&a, 0);
	other = rows_from(&a, 96);

	device_copies = true;
	ck_assert_int_gt(stored_upload_ns(&first), 0);
	ck_assert_int_gt(stored_upload_ns(&other), 0);
	ck_assert_int_eq(stored_upload_ns(&first), 0);
	ck_assert_int_eq(stored_upload_ns(&other), 0);
	device_copies = false;
	matrix_fini(&first);
	matrix_fini(&other);
	matrix_fini(&a);
}
END_TEST

/* The upload_ns of a region of a. */
static int64_t region_ns(const struct matrix *a, const struct region *r)
{
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_SUMMARY, &e);
	float first = 0;
	struct timing t;

	ck_assert_ptr_nonnull(s);
	seq_read(s, seq_input_region(s, a, r), r->cols * sizeof first, &first,
	         sizeof first);
	ck_ok(seq_finish(s), &e);
	ck_assert(first == matrix_get(a, r->at + r->ld));
	seq_timing(s, &t);
	seq_free(s);
	return t.upload_ns;
}

START_TEST(a_region_is_kept_by_itself)
{
	struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)N, (size_t)N);
	static const struct region some = { 10 * N, 20, 30, N };
	static const struct region more = { 10 * N, 20, 31, N };

	device_copies = true;
	a.memory->stored = 1500;
	ck_assert_int_gt(region_ns(&a, &some), 0);
	ck_assert_int_gt(region_ns(&a, &more), 0);
	ck_assert_int_eq(region_ns(&a, &some), 0);
	ck_assert_int_eq(region_ns(&a, &more), 0);
	device_copies = false;
	matrix_fini(&a);
}
END_TEST

START_TEST(what_is_in_use_makes_no_room)
{
	const struct sheet usual = *device_sheet(test_device);
	struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)N, (size_t)N);
	const size_t bytes = matrix_size(&a);
	struct err e = { 0 };
	struct seq *s;
	bool fits;

	device_copies = true;
	upload_ns(&a, 1600);
	device_limit(test_device, 4 * bytes, 4 * bytes);
	s = seq_new(test_device, FLOAT32, TIMING_NONE, &e);
	ck_assert_ptr_nonnull(s);
	seq_input(s, &a);
	seq_scratch(s, 2 * bytes);
	fits = seq_finish(s) == 0;
	seq_scratch(s, bytes);
	seq_finish(s);
	seq_free(s);
	device_limit(test_device, usual.global_memory_bytes,
	             usual.max_allocation_bytes);
	device_copies = false;
	ck_assert(fits);
	ck_refused(-1, &e, ERR_TOO_LARGE);
	matrix_fini(&a);
}
END_TEST

START_TEST(what_never_fits_is_refused_at_once)
{
	const uint64_t all = device_sheet(test_device)->global_memory_bytes;
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_NONE, &e);

	ck_assert_ptr_nonnull(s);
	seq_scratch(s, (size_t)all);
	ck_refused(seq_finish(s), &e, ERR_TOO_LARGE);
	seq_free(s);
}
END_TEST

START_TEST(large_matrices_travel_in_chunks)
{
	static const size_t rows[] = { 500, 2048, 2049, 4100, 12289 };
	const size_t n = 1024;		/* rows of 4 KiB */

	device_copies = true;
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct matrix a = random_matrix(FLOAT32, 5, 2, rows[k], n);
		struct matrix b = random_matrix(FLOAT32, 6, 2, n, rows[k]);
		struct err e = { 0 };
		struct seq *s = seq_new(test_device, FLOAT32, TIMING_SUMMARY,
		                        &e);
		struct timing t;
		size_t wrong = 0;

		ck_assert_ptr_nonnull(s);
		seq_launch(s, "transpose_tile", GRID2(n, rows[k], 16, 16),
		           ARG_BUF(seq_input(s, &a)),
		           ARG_BUF(seq_output(s, &b)), ARG_INT(rows[k]),
		           ARG_INT(n));
		ck_ok(seq_finish(s), &e);
		seq_timing(s, &t);
		seq_free(s);
		ck_assert_int_gt(t.upload_ns, 0);
		ck_assert_int_gt(t.download_ns, 0);
		for (size_t i = 0; i < rows[k] * n; i++)
			wrong += ((float *)matrix_data(&a))[i] != ((float *)
			    matrix_data(&b))[i % n * rows[k] + i / n];
		ck_assert_uint_eq(wrong, 0);
		matrix_fini(&a);
		matrix_fini(&b);
	}
	device_copies = false;
}
END_TEST

/* Some MiB of rows with gaps, short and long rows; what lies between the rows
 * of the result must not change. */
START_TEST(large_regions_travel_without_their_gaps)
{
	static const struct region shapes[] = {
		{ 3, 2100, 700, 1000 }, { 1000, 3, 400000, 500000 },
		{ 0, 500000, 3, 4 },
	};

	device_copies = true;
	for (size_t k = 0; k < COUNT(shapes); k++) {
		const struct region r = shapes[k];
		const size_t n = r.at + r.rows * r.ld;
		struct matrix a = random_matrix(FLOAT32, 5, 1, n);
		struct matrix b = random_matrix(FLOAT32, 6, 1, n);
		struct matrix old = random_matrix(FLOAT32, 6, 1, n);
		struct err e = { 0 };
		struct seq *s = seq_new(test_device, FLOAT32, TIMING_NONE, &e);
		size_t wrong = 0;

		ck_assert_ptr_nonnull(s);
		seq_copy(s, seq_input_region(s, &a, &r), 0,
		         seq_output_region(s, &b, &r), 0,
		         r.rows * r.cols * sizeof(float));
		ck_ok(seq_finish(s), &e);
		seq_free(s);
		for (size_t i = 0; i < n; i++) {
			const bool inside = i >= r.at &&
			                    (i - r.at) % r.ld < r.cols;
			const struct matrix *m = inside ? &a : &old;

			wrong += ((float *)matrix_data(&b))[i] !=
			         ((float *)matrix_data(m))[i];
		}
		ck_assert_uint_eq(wrong, 0);
		matrix_fini(&a);
		matrix_fini(&b);
		matrix_fini(&old);
	}
	device_copies = false;
}
END_TEST

void transpose_resident(TCase *t)
{
	tcase_add_test(t, large_regions_travel_without_their_gaps);
	tcase_add_test(t, large_matrices_travel_in_chunks);
	tcase_add_test(t, a_stored_matrix_is_uploaded_once);
	tcase_add_test(t, nothing_is_read_of_a_matrix_whose_call_is_done);
	tcase_add_test(t, the_one_used_longest_ago_goes_first);
	tcase_add_test(t, parts_of_one_matrix_are_not_taken_for_each_other);
	tcase_add_test(t, a_region_is_kept_by_itself);
	tcase_add_test(t, what_is_in_use_makes_no_room);
	tcase_add_test(t, what_never_fits_is_refused_at_once);
}
