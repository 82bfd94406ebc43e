/* payload_room.c - see payload_room.h. */
#include <stdio.h>
#include <string.h>

#include "matrix/sparse.h"
#include "tests/journal/payload_room.h"

struct payload_room files;

void payload_room_open(void)
{
	files = (struct payload_room){ .path = "/tmp/linalgd-payload-XXXXXX" };
	files.used_before = memory_pool_used(test_pool);
	ck_assert_ptr_nonnull(mkdtemp(files.path));
	files.d = payloads_open(files.path, &files.e);
	ck_assert_msg(files.d != NULL, "%s", files.e.text);
}

void payload_room_close(void)
{
	char command[96];

	payloads_close(files.d);
	snprintf(command, sizeof command, "rm -rf %s", files.path);
	ck_assert_int_eq(system(command), 0);
	ck_assert_uint_eq(memory_pool_used(test_pool), files.used_before);
}

struct matrix payload_dense(enum dtype d, int ndim, const size_t *dim)
{
	struct matrix m = { .dtype = d, .ndim = ndim };

	for (int i = 0; i < ndim; i++)
		m.dim[i] = dim[i];
	ck_ok(matrix_alloc(&m, test_pool, &files.e), &files.e);
	for (size_t i = 0; i < matrix_size(&m); i++)
		((unsigned char *)m.memory->data)[i] =
			(unsigned char)(i * 37 + i / 251);
	return m;
}

struct matrix payload_sparse(void)
{
	const struct sparse_entry x[] = { { 0, 3, 1.5 }, { 2, 1, -2 } };
	struct matrix m = { .ndim = 2, .dim = { 3, 4 } };

	ck_ok(sparse_build(&m, x, 2, test_pool, &files.e), &files.e);
	m.coordinates = true;
	return m;
}

void payload_ck_same(const struct matrix *a, const struct matrix *b)
{
	ck_assert_int_eq(a->ndim, b->ndim);
	if (a->ndim == MATRIX_ABSENT)
		return;
	ck_assert_int_eq(a->dtype, b->dtype);
	ck_assert_int_eq(a->layout, b->layout);
	ck_assert_int_eq(a->coordinates, b->coordinates);
	ck_assert_int_eq(a->text, b->text);
	ck_assert_int_eq(a->rounded, b->rounded);
	for (int i = 0; i < a->ndim; i++)
		ck_assert_uint_eq(a->dim[i], b->dim[i]);
	ck_assert_uint_eq(matrix_size(a), matrix_size(b));
	ck_assert_mem_eq(a->memory->data, b->memory->data, matrix_size(a));
	if (a->layout == CSR)
		ck_assert_mem_eq(a->index->data, b->index->data,
		                 matrix_index_size(a));
}

static int count(void *arg, const char *name, struct err *e)
{
	(void)name;
	(void)e;
	++*(int *)arg;
	return 0;
}

int payload_count(void)
{
	int n = 0;

	ck_ok(payloads_list(files.d, count, &n, &files.e), &files.e);
	return n;
}
