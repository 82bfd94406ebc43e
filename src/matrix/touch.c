/* touch.c - see touch.h. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "base/host.h"
#include "base/size.h"
#include "matrix/pages.h"
#include "matrix/touch.h"

enum {
	LEAST = PAGES_LARGE,
	STEP = 2 * PAGES_LARGE,		/* bytes that a thread takes at once */
	THREADS_MOST = 4,
};

long touch_processors;

struct touch {
	struct memory *memory;		/* touch_end() waits for us */
	char *data;
	size_t bytes;
	atomic_size_t next;
	atomic_int threads;
};

static void leave(struct touch *t)
{
	struct memory *const m = t->memory;
	const bool to_the_end = t->bytes == m->bytes;

	if (atomic_fetch_sub(&t->threads, 1) != 1)
		return;
	free(t);
	if (to_the_end)
		atomic_store(&m->touched.all, !atomic_load(&m->touched.cancel));
	atomic_fetch_sub(&m->touched.ranges, 1);
}

static void *touch(void *arg)
{
	struct touch *t = arg;
	size_t at;

	while (!atomic_load(&t->memory->touched.cancel) &&
	       (at = atomic_fetch_add(&t->next, STEP)) < t->bytes)
		pages_bring(t->data + at, size_min(t->bytes - at, STEP), true);
	leave(t);
	return NULL;
}

/* The number of threads: at most a quarter of the processors, because the front
 * and other threads need the rest. */
static int threads(size_t bytes)
{
	const long all = touch_processors ? touch_processors :
	                 host_threads();
	const size_t n = size_min((size_t)all / 4, THREADS_MOST);

	return (int)size_min(n, size_blocks(bytes, STEP));
}

static void start(struct touch *t, int n)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread, &attributes, touch, t) != 0)
			leave(t);
	pthread_attr_destroy(&attributes);
}

void touch_range(struct memory *m, size_t from, size_t to)
{
	struct touch *t;
	int n;

	if (to - from < LEAST || atomic_load(&m->touched.all) ||
	    (m->pool && memory_pool_is_behind(m->pool)))
		return;
	n = threads(to - from);
	t = n > 0 ? malloc(sizeof *t) : NULL;
	if (!t)
		return;
	*t = (struct touch){ .memory = m, .data = m->data, .bytes = to,
	                     .next = from / STEP * STEP, .threads = n };
	atomic_fetch_add(&m->touched.ranges, 1);
	start(t, n);
}

void touch_all(struct memory *m)
{
	touch_range(m, 0, m->bytes);
}

void touch_end(struct memory *m)
{
	atomic_store(&m->touched.cancel, true);
	while (atomic_load(&m->touched.ranges) > 0)
		sched_yield();
	atomic_store(&m->touched.cancel, false);
}

void touch_forget(struct memory *m)
{
	atomic_store(&m->touched.all, false);
}
