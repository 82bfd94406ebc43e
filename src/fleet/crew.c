/* crew.c - see crew.h. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/log.h"
#include "fleet/crew.h"

enum {
	CREW_MOST = 8,
	CREW_JOINED = 32,		/* calls in one transaction at most */
	RETRY_SECONDS = 1,
};

struct hand {
	struct crew *crew;
	struct pg *pg;
	pthread_t thread;
};

struct crew {
	struct loop *loop;
	const char *name;
	struct hand hand[CREW_MOST];
	int n, slow_most;
	pthread_mutex_t lock;		/* guards all below */
	pthread_cond_t changed;
	struct call *first, **end;
	int slow;			/* slow calls that are being done */
	bool closing, sick;
};

/* What clients are told; the log has the reason, which may name hosts and
 * roles. */
static const struct err away = {
	.code = ERR_STATE, .retry_s = RETRY_SECONDS,
	.text = "the queue's database does not answer; synchronous requests "
	        "without an Idempotency-Key are served",
};

static void append(struct crew *w, struct call *c)
{
	c->next = NULL;
	*w->end = c;
	w->end = &c->next;
	pthread_cond_broadcast(&w->changed);
}

static bool may_take(const struct crew *w, const struct call *c, bool joins)
{
	return joins ? c->joins : !c->slow || w->slow < w->slow_most;
}

/* Takes the first call that may be done now, or that may join others; NULL:
 * there is none. */
static struct call *take(struct crew *w, bool joins)
{
	struct call **p = &w->first, *c;

	while (*p && !may_take(w, *p, joins))
		p = &(*p)->next;
	c = *p;
	if (!c)
		return NULL;
	*p = c->next;
	if (!*p)
		w->end = p;
	w->slow += c->slow;
	return c;
}

static void on_done(void *arg)
{
	struct call *c = arg;

	c->done(c);
}

/* Notes whether the database answers. The lock is held. */
static void note(struct crew *w, const struct err *e)
{
	const bool sick = e->code == ERR_STATE;

	if (sick && !w->sick)
		log_with(LOG_LEVEL_ERROR, LOG_FIELDS(LOG_TEXT("reason",
		         e->text)), "the fleet's jobs are not to be had: %s",
		         e->text);
	else if (!sick && w->sick)
		log_info("the queue's database answers again");
	w->sick = sick;
}

static void pause_for_retry(struct crew *w)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += RETRY_SECONDS;
	while (!w->closing && pthread_cond_timedwait(&w->changed, &w->lock,
	                                             &until) != ETIMEDOUT)
		;
}

/* Ends a call, or puts one that must succeed, and did not, at the end of the
 * line, and returns true. The lock is held. */
static bool settle(struct crew *w, struct call *c, const struct err *e)
{
	w->slow -= c->slow;
	note(w, e);
	if (e->code == ERR_STATE && c->must && !w->closing) {
		append(w, c);
		return true;
	}
	c->err = e->code == ERR_STATE ? away : *e;
	loop_post(w->loop, &c->post, on_done, c);
	return false;
}

static bool settle_one(struct crew *w, struct call *c, const struct err *e)
{
	bool again;

	pthread_mutex_lock(&w->lock);
	again = settle(w, c, e);
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	return again;
}

/* Does a call, and does it again if it has found out that its connection was
 * lost since the last one; true: it must be tried once more, later. */
static bool attempt(struct hand *h, struct call *c)
{
	const bool was_open = pg_is_open(h->pg);
	struct err e = { 0 };

	c->joined = false;
	c->work(c, h->pg, &e);
	if (e.code == ERR_STATE && was_open && !pg_is_open(h->pg) && !c->once) {
		e = (struct err){ 0 };
		c->work(c, h->pg, &e);
	}
	return settle_one(h->crew, c, &e);
}

/* Does calls in one transaction; -1: none of them is done. */
static int attempt_joined(struct hand *h, struct call *const all[], int n)
{
	struct err e = { 0 };
	int rc = pg_open(h->pg, false, &e) || pg_begin(h->pg, &e) ? -1 : 0;

	for (int i = 0; rc == 0 && i < n; i++) {
		all[i]->joined = true;
		rc = all[i]->work(all[i], h->pg, &e);
	}
	if (rc == 0)
		return pg_commit(h->pg, &e);
	pg_roll_back(h->pg);
	return -1;
}

/* Pauses once, however many calls must be tried again. */
static void attempt_all(struct hand *h, struct call *const all[], int n)
{
	struct crew *const w = h->crew;
	const struct err none = { 0 };
	const bool done = n > 1 && attempt_joined(h, all, n) == 0;
	bool again = false;

	for (int i = 0; i < n; i++)
		again |= done ? settle_one(w, all[i], &none) :
		                attempt(h, all[i]);
	pthread_mutex_lock(&w->lock);
	if (again)
		pause_for_retry(w);
	pthread_mutex_unlock(&w->lock);
}

/* Takes a call and those that may be done with it; returns their number. The
 * lock is held. */
static int take_all(struct crew *w, struct call *all[CREW_JOINED])
{
	int n = 0;

	do
		all[n] = take(w, n > 0);
	while (all[n] && all[n++]->joins && n < CREW_JOINED);
	return n;
}

static void *work(void *arg)
{
	struct hand *const h = arg;
	struct crew *const w = h->crew;
	struct call *all[CREW_JOINED];
	int n;

	for (;;) {
		pthread_mutex_lock(&w->lock);
		while (!(n = take_all(w, all)) && !(w->closing && !w->first))
			pthread_cond_wait(&w->changed, &w->lock);
		pthread_mutex_unlock(&w->lock);
		if (!n)
			return NULL;
		attempt_all(h, all, n);
	}
}

static int begin(struct crew *w, const char *url, int threads, struct err *e)
{
	for (; w->n < threads; w->n++) {
		struct hand *const h = &w->hand[w->n];

		h->crew = w;
		h->pg = pg_new(url, w->name, e);
		if (!h->pg)
			return -1;
		if (pthread_create(&h->thread, NULL, work, h)) {
			pg_free(h->pg);
			return err_set(e, ERR_MEMORY, "no thread for the "
			               "queue's database");
		}
	}
	return 0;
}

struct crew *crew_new(struct loop *l, const char *url, const char *name,
                      int threads, struct err *e)
{
	struct crew *w = calloc(1, sizeof *w);

	if (!w) {
		err_set(e, ERR_MEMORY, "no memory for the fleet");
		return NULL;
	}
	w->loop = l;
	w->name = name;
	w->end = &w->first;
	w->slow_most = threads > CREW_QUICK ? threads - CREW_QUICK : threads;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	if (begin(w, url, threads, e) == 0)
		return w;
	crew_free(w);
	return NULL;
}

void crew_free(struct crew *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->closing = true;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	for (int i = 0; i < w->n; i++) {
		pthread_join(w->hand[i].thread, NULL);
		pg_free(w->hand[i].pg);
	}
	loop_run_posts(w->loop);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

void crew_submit(struct crew *w, struct call *c)
{
	bool closing;

	c->crew = w;
	pthread_mutex_lock(&w->lock);
	closing = w->closing;
	if (!closing)
		append(w, c);
	pthread_mutex_unlock(&w->lock);
	if (!closing)
		return;
	err_set(&c->err, ERR_STATE, "the service is stopping");
	loop_post(w->loop, &c->post, on_done, c);
}

bool crew_is_well(struct crew *w, struct err *e)
{
	bool well;

	pthread_mutex_lock(&w->lock);
	well = !w->sick;
	if (!well)
		*e = away;
	pthread_mutex_unlock(&w->lock);
	return well;
}
