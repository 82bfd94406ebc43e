/* cleared.c - no tenant finds what another one left in the device's memory; and
 * fills of large buffers. */
#include "base/size.h"
#include "device/kept.h"
#include "device/state.h"
#include "tests/ops/op.h"

void transpose_cleared(TCase *t);

enum { CANARY = 0xa5, CHUNK = 16 << 20 };

/* Bytes of buffers; the largest are left out where the device has no room. No
 * pattern fills the last one in 2^31 - 1 repetitions, which is the most that
 * NVIDIA's driver can. */
static const size_t sizes[] = {
	7, 4 << 10, (4 << 10) + 3, 64 << 10, 1 << 20, 16 << 20, 256 << 20,
	(1 << 30) + 3, ((size_t)2 << 30) + 3
};

static bool has_room(size_t bytes)
{
	const struct sheet *s = device_sheet(test_device);

	return bytes <= s->max_allocation_bytes &&
	       bytes < s->global_memory_bytes / 16;
}

static cl_mem take(size_t bytes)
{
	struct err e = { 0 };
	const cl_mem mem = spare_take(test_device, bytes, &e);

	ck_assert_msg(mem, "%s", e.text);
	return mem;
}

/* A chunk full of that value. */
static const unsigned char *chunk_of(unsigned char value)
{
	static unsigned char chunk[CHUNK];

	memset(chunk, value, CHUNK);
	return chunk;
}

static void fill(cl_mem mem, size_t bytes)
{
	const unsigned char *const chunk = chunk_of(CANARY);

	for (size_t at = 0; at < bytes; at += CHUNK)
		ck_assert_int_eq(clEnqueueWriteBuffer(test_device->lane[0], mem,
		                 CL_TRUE, at, size_min(CHUNK, bytes - at),
		                 chunk, 0, NULL, NULL), CL_SUCCESS);
}

/* Do all bytes of the buffer have that value? */
static bool has_only(cl_mem mem, size_t bytes, unsigned char value)
{
	static unsigned char got[CHUNK];
	const unsigned char *const chunk = chunk_of(value);
	bool all = true;

	for (size_t at = 0; at < bytes; at += CHUNK) {
		const size_t n = size_min(CHUNK, bytes - at);

		ck_assert_int_eq(clEnqueueReadBuffer(test_device->lane[0], mem,
		                 CL_TRUE, at, n, got, 0, NULL, NULL),
		                 CL_SUCCESS);
		all = all && memcmp(got, chunk, n) == 0;
	}
	return all;
}

/* Leaves a buffer full of canaries, of the tenant with that number. */
static void leave(size_t bytes, uint32_t tenant)
{
	cl_mem mem;

	device_serve(test_device, tenant);
	mem = take(bytes);
	fill(mem, bytes);
	spare_give(test_device, mem, bytes, tenant);
}

START_TEST(a_kept_buffer_is_cleared_for_another_tenant)
{
	const size_t bytes = sizes[_i];
	cl_mem mem;

	if (!has_room(bytes))
		return;
	leave(bytes, 1);
	mem = take(bytes);		/* the same tenant's: as it was */
	ck_assert(has_only(mem, bytes, CANARY));
	spare_give(test_device, mem, bytes, 1);
	device_serve(test_device, 2);
	mem = take(bytes);
	ck_assert(has_only(mem, bytes, 0));
	spare_give(test_device, mem, bytes, 2);
	device_serve(test_device, 0);
	spare_drop_all(test_device);
}
END_TEST

/* The driver may give memory again that it was given back. */
START_TEST(a_new_buffer_has_nothing_of_another_tenant)
{
	const size_t bytes = sizes[_i];
	cl_mem mem;

	if (!has_room(bytes))
		return;
	leave(bytes, 1);
	spare_drop_all(test_device);
	device_serve(test_device, 2);
	mem = take(bytes);
	ck_assert(has_only(mem, bytes, 0));
	spare_give(test_device, mem, bytes, 2);
	device_serve(test_device, 0);
	spare_drop_all(test_device);
}
END_TEST

START_TEST(a_buffer_of_unknown_contents_is_cleared_for_everybody)
{
	cl_mem mem;

	device_serve(test_device, 1);
	mem = take(sizes[0]);
	fill(mem, sizes[0]);
	spare_give(test_device, mem, sizes[0], (uint32_t)SPARE_STRANGE);
	mem = take(sizes[0]);
	ck_assert(has_only(mem, sizes[0], 0));
	spare_give(test_device, mem, sizes[0], 1);
	device_serve(test_device, 0);
	spare_drop_all(test_device);
}
END_TEST

/* Of a buffer of that many bytes, fills three of the last five numbers. */
static void check_fill(size_t bytes)
{
	const int wrote[5] = { 1, 2, 3, 4, 5 }, seven = 7;
	const size_t last = bytes / 4 * 4 - sizeof wrote;
	int got[5];
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_FULL, &e);
	struct buf a = seq_scratch(s, bytes);

	seq_write(s, a, last, wrote, sizeof wrote);
	seq_fill(s, a, last + 4, 12, &seven, sizeof seven);
	seq_read(s, a, last, got, sizeof got);
	ck_ok(seq_finish(s), &e);
	ck_assert_mem_eq(got, ((int[]){ 1, 7, 7, 7, 5 }), sizeof got);
	seq_free(s);
}

/* There, NVIDIA's driver fills other places, or none. */
START_TEST(the_end_of_a_large_buffer_is_filled)
{
	static const size_t large[] = {
		((size_t)1 << 30) + 3, ((size_t)1 << 30) + 8192,
		((size_t)3 << 30) + 20, ((size_t)9 << 30) + 4096,
		((size_t)19 << 30) + 12,
	};

	for (size_t i = 0; i < COUNT(large); i++)
		if (has_room(large[i]))
			check_fill(large[i]);
}
END_TEST

void transpose_cleared(TCase *t)
{
	tcase_add_loop_test(t, a_kept_buffer_is_cleared_for_another_tenant, 0,
	                    COUNT(sizes));
	tcase_add_loop_test(t, a_new_buffer_has_nothing_of_another_tenant, 0,
	                    COUNT(sizes));
	tcase_add_test(t, the_end_of_a_large_buffer_is_filled);
	tcase_add_test(t,
	               a_buffer_of_unknown_contents_is_cleared_for_everybody);
}
