/* pool.c - see pool.h. */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

struct pool {
	struct loop *loop;		/* set once */
	pthread_mutex_t lock;		/* guards what follows */
	pthread_cond_t more;
	struct task *first, **last;	/* waiting, the oldest first */
	bool stop;
	int n;				/* the loop's thread alone: threads[] */
	pthread_t threads[];
};

/* The oldest task; NULL: the pool is being freed. */
static struct task *take(struct pool *p)
{
	struct task *t;

	pthread_mutex_lock(&p->lock);
	while (!p->first && !p->stop)
		pthread_cond_wait(&p->more, &p->lock);
	t = p->stop ? NULL : p->first;
	if (t) {
		p->first = t->next;
		if (!p->first)
			p->last = &p->first;
	}
	pthread_mutex_unlock(&p->lock);
	return t;
}

static void *thread_main(void *arg)
{
	struct pool *p = arg;
	struct task *t;

	while ((t = take(p))) {
		t->work(t->arg);
		loop_post(p->loop, &t->post, t->done, t->arg);
	}
	return NULL;
}

/* Signals are the main thread's. */
static int start_threads(struct pool *p, int threads, struct err *e)
{
	sigset_t all, before;
	int rc = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (; p->n < threads && !rc; p->n += !rc)
		rc = pthread_create(&p->threads[p->n], NULL, thread_main, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc)
		return err_set(e, ERR_INTERNAL, "thread %d of %d: %s",
		               p->n + 1, threads, strerror(rc));
	return 0;
}

struct pool *pool_new(struct loop *l, int threads, struct err *e)
{
	struct pool *p = calloc(1, sizeof *p +
	                           (size_t)threads * sizeof p->threads[0]);

	if (!p) {
		err_set(e, ERR_MEMORY, "thread pool: out of memory");
		return NULL;
	}
	p->loop = l;
	p->last = &p->first;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->more, NULL);
	if (start_threads(p, threads, e)) {
		pool_free(p);
		return NULL;
	}
	return p;
}

void pool_free(struct pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->more);
	pthread_mutex_unlock(&p->lock);
	while (p->n)
		pthread_join(p->threads[--p->n], NULL);
	for (struct task *t = p->first, *next; t; t = next) {
		next = t->next;
		loop_post(p->loop, &t->post, t->done, t->arg);
	}
	loop_run_posts(p->loop);
	pthread_cond_destroy(&p->more);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

void pool_submit(struct pool *p, struct task *t, void (*work)(void *arg),
                 void (*done)(void *arg), void *arg)
{
	*t = (struct task){ .work = work, .done = done, .arg = arg, .pool = p };
	pthread_mutex_lock(&p->lock);
	*p->last = t;
	p->last = &t->next;
	pthread_cond_signal(&p->more);
	pthread_mutex_unlock(&p->lock);
}
