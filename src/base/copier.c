/* copier.c - see copier.h. Each thread takes the next piece that is allowed and
 * not taken yet. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/copier.h"

enum { MOST = 16 };

struct copier {
	pthread_mutex_t lock;		/* guards all below */
	pthread_cond_t work, done;
	pthread_t thread[MOST];
	int threads;			/* beside the caller */
	bool ends;
	void (*piece)(void *arg, size_t i);
	void *arg;
	size_t allowed, taken;		/* pieces below these numbers */
	size_t ready;			/* all pieces below it are done */
	bool is_done[COPIER_AHEAD];	/* of a piece i >= ready: at
					 * i % COPIER_AHEAD */
};

/* Takes and does the next piece; false when none may be taken. The caller
 * holds the lock, which is released while the piece is done. */
static bool do_piece(struct copier *c)
{
	const size_t i = c->taken;

	if (i == c->allowed)
		return false;
	c->taken++;
	pthread_mutex_unlock(&c->lock);
	c->piece(c->arg, i);
	pthread_mutex_lock(&c->lock);
	c->is_done[i % COPIER_AHEAD] = true;
	if (i != c->ready)
		return true;
	while (c->is_done[c->ready % COPIER_AHEAD])
		c->is_done[c->ready++ % COPIER_AHEAD] = false;
	pthread_cond_signal(&c->done);
	return true;
}

static void *do_all(void *arg)
{
	struct copier *c = arg;

	pthread_mutex_lock(&c->lock);
	while (!c->ends)
		if (!do_piece(c))
			pthread_cond_wait(&c->work, &c->lock);
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

struct copier *copier_new(int threads, struct err *e)
{
	struct copier *c = calloc(1, sizeof *c);

	if (!c) {
		err_set(e, ERR_MEMORY, "no memory for a copier");
		return NULL;
	}
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->work, NULL);
	pthread_cond_init(&c->done, NULL);
	while (c->threads < threads - 1 && c->threads < MOST &&
	       pthread_create(&c->thread[c->threads], NULL, do_all, c) == 0)
		c->threads++;
	return c;
}

void copier_free(struct copier *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->ends = true;
	pthread_cond_broadcast(&c->work);
	pthread_mutex_unlock(&c->lock);
	for (int i = 0; i < c->threads; i++)
		pthread_join(c->thread[i], NULL);
	pthread_cond_destroy(&c->done);
	pthread_cond_destroy(&c->work);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

void copier_begin(struct copier *c, void (*piece)(void *arg, size_t i),
                  void *arg)
{
	pthread_mutex_lock(&c->lock);
	c->piece = piece;
	c->arg = arg;
	c->allowed = c->taken = c->ready = 0;
	pthread_mutex_unlock(&c->lock);
}

void copier_allow(struct copier *c, size_t n)
{
	pthread_mutex_lock(&c->lock);
	if (n == c->allowed + 1)
		pthread_cond_signal(&c->work);
	else if (n > c->allowed)
		pthread_cond_broadcast(&c->work);
	c->allowed = n;
	pthread_mutex_unlock(&c->lock);
}

size_t copier_wait(struct copier *c, size_t n)
{
	pthread_mutex_lock(&c->lock);
	while (c->ready < n)
		if (!do_piece(c))
			pthread_cond_wait(&c->done, &c->lock);
	n = c->ready;
	pthread_mutex_unlock(&c->lock);
	return n;
}
