/* far_side.c - see far_side.h. */
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/wire/far_side.h"

struct slab far_slab;
struct small far_small;
struct control far_control;
int far_pair[2];

void far_side_open(void)
{
	struct err e = { 0 };
	const int fd = small_open(&far_small, &e);

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
	                            far_pair), 0);
	far_slab = (struct slab){
		.results = far_control.results,
		.results_bytes = sizeof far_control.results,
	};
	ck_assert_msg(fd >= 0, "%s", e.text);
	ck_ok(slab_map(&far_slab, fd, &e), &e);
	close(fd);
}

void far_side_close(void)
{
	munmap(far_slab.data, far_slab.bytes);
	far_slab.data = NULL;
	small_close(&far_small);
	close(far_pair[0]);
	close(far_pair[1]);
}

struct matrix far_square(size_t n)
{
	struct matrix m = { .dtype = FLOAT64, .ndim = 2, .dim = { n, n } };
	struct err e = { 0 };

	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	for (size_t i = 0; i < n * n; i++)
		matrix_set(&m, i, (double)i);
	return m;
}

void far_side_settle(struct memory_pool *p)
{
	memory_pool_trim(p, INT64_MAX);
	while (memory_pool_taken(p) > memory_pool_used(p))
		sched_yield();
}

/* Lets the system write the byte that is there already to the address: a system
 * call returns an error instead of faulting. */
bool far_is_read_only(void *at)
{
	int ends[2];
	ssize_t n;

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], at, 1), 1);
	n = read(ends[0], at, 1);
	ck_assert(n == 1 || (n < 0 && errno == EFAULT));
	close(ends[0]);
	close(ends[1]);
	return n < 0;
}
