/* copier.c - see copier.h. Threads and caller take piece after piece. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/copier.h"
#include "base/size.h"

enum { PIECE = 512 << 10, MOST = 16 };

struct copier {
	pthread_mutex_t lock;		/* guards all below */
	pthread_cond_t work, done;
	pthread_t thread[MOST];
	int threads;			/* beside the caller */
	bool ends;
	char *to;
	const char *from;
	size_t left;			/* bytes that nobody has taken */
	int copying;			/* pieces under way */
};

/* The next piece, with the lock held; false when none is left. */
static bool copy_piece(struct copier *c)
{
	char *to = c->to;
	const char *from = c->from;
	const size_t n = size_min(c->left, PIECE);

	if (n == 0)
		return false;
	c->to += n;
	c->from += n;
	c->left -= n;
	c->copying++;
	pthread_mutex_unlock(&c->lock);
	memcpy(to, from, n);
	pthread_mutex_lock(&c->lock);
	if (--c->copying == 0 && c->left == 0)
		pthread_cond_signal(&c->done);
	return true;
}

static void *copy_all(void *arg)
{
	struct copier *c = arg;

	pthread_mutex_lock(&c->lock);
	while (!c->ends)
		if (!copy_piece(c))
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
	       pthread_create(&c->thread[c->threads], NULL, copy_all, c) == 0)
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

void copier_copy(struct copier *c, void *to, const void *from, size_t n)
{
	if (n <= PIECE || c->threads == 0) {
		memcpy(to, from, n);
		return;
	}
	pthread_mutex_lock(&c->lock);
	c->to = to;
	c->from = from;
	c->left = n;
	pthread_cond_broadcast(&c->work);
	while (copy_piece(c))
		;
	while (c->copying > 0)
		pthread_cond_wait(&c->done, &c->lock);
	pthread_mutex_unlock(&c->lock);
}
