/* crew.c - see crew.h. */
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/clock_wait.h"
#include "base/log.h"
#include "fleet/crew.h"

enum {
	CREW_MOST = 8,			/* threads at most */
	CREW_BATCH = 32,		/* calls in one transaction at most */
	RETRY_SECONDS = 1,		/* until a call is repeated that must
					 * succeed */
};

struct crew_thread {
	struct crew *crew;
	struct pg *pg;
	pthread_t thread;
};

struct crew {
	struct loop *loop;
	const char *name;
	struct crew_thread thread[CREW_MOST];
	int n;				/* threads */
	int slow_most;			/* threads that may take slow calls */
	pthread_mutex_t lock;		/* guards all below */
	pthread_cond_t changed;
	struct call *first, **end;	/* the queue of calls */
	int slow;			/* slow calls under way */
	bool closing;
	bool away;			/* no connection is to be had */
	int64_t back_ns;		/* clock_ns() when the last outage
					 * ended; 0: there was none */
	/* The last work() to which the database gave an error as its answer;
	 * NULL: none since it last succeeded. */
	int (*refused)(struct call *c, struct pg *p, struct err *e);
	int n_refused;			/* calls that are repeated for that */
};

/* The error that clients see. The log has the reason, which may name the
 * database's host and role. */
static const struct err away = {
	.code = ERR_STATE, .retry_s = RETRY_SECONDS,
	.text = "the queue's database does not answer; synchronous requests "
	        "without an Idempotency-Key are served",
};
static const struct err refusal = {
	.code = ERR_STATE, .retry_s = RETRY_SECONDS,
	.text = "the queue's database does not accept this now; the log of "
	        "the service has the reason",
};

static void append(struct crew *w, struct call *c)
{
	c->next = NULL;
	*w->end = c;
	w->end = &c->next;
	pthread_cond_broadcast(&w->changed);
}

static bool may_take(const struct crew *w, const struct call *c, bool batchable)
{
	return batchable ? c->batchable : !c->slow || w->slow < w->slow_most;
}

/* Takes the first call in the queue that may be executed now or, if
 * `batchable`, the first that may be added to a batch. NULL if there is
 * none. */
static struct call *take(struct crew *w, bool batchable)
{
	struct call **p = &w->first, *c;

	while (*p && !may_take(w, *p, batchable))
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

static void complain(const char *what, const struct err *e)
{
	log_with(LOG_LEVEL_ERROR, LOG_FIELDS(LOG_TEXT("reason", e->text)),
	         "%s: %s", what, e->text);
}

/* Records whether a connection to the database is to be had. */
static void note_presence(struct crew *w, bool present, const struct err *e)
{
	if (!present && !w->away)
		complain("the fleet's jobs are not to be had", e);
	if (present && w->away) {
		log_info("the queue's database answers again");
		w->back_ns = clock_ns();
	}
	w->away = !present;
}

/* Records whether the database refuses calls although it answers. It may go on
 * to accept all others, so that only a call that does the same work shows that
 * it has changed, and only once no refused call is left to be repeated. */
static void note_refusal(struct crew *w, struct call *c, bool refused,
                         const struct err *e)
{
	if (refused && !w->refused)
		complain("the queue's database refuses a change", e);
	if (refused)
		w->refused = c->work;
	w->n_refused += (refused && c->must) - c->refused;
	c->refused = refused && c->must;
	if (!refused && w->refused == c->work && !w->n_refused) {
		log_info("the queue's database accepts again what it refused");
		w->refused = NULL;
	}
}

/* Records how a call went, with a line in the log when the state of the
 * database changes. `open`: there is still a connection. The lock is held. */
static void note(struct crew *w, struct call *c, bool open,
                 const struct err *e)
{
	const bool failed = e->code == ERR_STATE;

	note_presence(w, open || !failed, e);
	if (open)
		note_refusal(w, c, failed, e);
}

static void pause_for_retry(struct crew *w)
{
	const int64_t until = clock_ns() +
	                      RETRY_SECONDS * INT64_C(1000000000);

	while (!w->closing && clock_wait(&w->changed, &w->lock, until))
		;
}

/* Ends a call, or appends it to the queue again if it must succeed and got no
 * answer; then returns true. The lock is held. */
static bool settle(struct crew *w, struct call *c, bool open,
                   const struct err *e)
{
	w->slow -= c->slow;
	note(w, c, open, e);
	if (e->code == ERR_STATE && c->must && !w->closing) {
		append(w, c);
		return true;
	}
	c->err = e->code != ERR_STATE ? *e : open ? refusal : away;
	loop_post(w->loop, &c->post, on_done, c);
	return false;
}

static bool settle_one(struct crew_thread *h, struct call *c,
                       const struct err *e)
{
	struct crew *const w = h->crew;
	bool again;

	pthread_mutex_lock(&w->lock);
	again = settle(w, c, pg_is_open(h->pg), e);
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	return again;
}

/* Executes a call, and once more if its connection turns out to have been lost
 * since the previous call. Returns true if it is to be repeated later. */
static bool attempt(struct crew_thread *h, struct call *c)
{
	const bool was_open = pg_is_open(h->pg);
	struct err e = { 0 };

	c->in_batch = false;
	c->work(c, h->pg, &e);
	if (e.code == ERR_STATE && was_open && !pg_is_open(h->pg) && !c->once) {
		e = (struct err){ 0 };
		c->work(c, h->pg, &e);
	}
	return settle_one(h, c, &e);
}

/* Executes n calls in one transaction; -1 if it was rolled back. */
static int attempt_batch(struct crew_thread *h, struct call *const all[], int n)
{
	struct err e = { 0 };
	int rc = pg_begin(h->pg, &e);

	for (int i = 0; rc == 0 && i < n; i++) {
		all[i]->in_batch = true;
		rc = all[i]->work(all[i], h->pg, &e);
	}
	return pg_end(h->pg, rc, &e);
}

/* Executes n calls, in one transaction if possible. Pauses once, however many
 * of them are to be repeated. */
static void attempt_all(struct crew_thread *h, struct call *const all[], int n)
{
	struct crew *const w = h->crew;
	const struct err none = { 0 };
	const bool done = n > 1 && attempt_batch(h, all, n) == 0;
	bool again = false;

	for (int i = 0; i < n; i++)
		again |= done ? settle_one(h, all[i], &none) :
		                attempt(h, all[i]);
	pthread_mutex_lock(&w->lock);
	if (again)
		pause_for_retry(w);
	pthread_mutex_unlock(&w->lock);
}

/* Takes the first call and, if it is batchable, others to make a batch; returns
 * how many. The lock is held. */
static int take_all(struct crew *w, struct call *all[CREW_BATCH])
{
	int n = 0;

	do
		all[n] = take(w, n > 0);
	while (all[n] && all[n++]->batchable && n < CREW_BATCH);
	return n;
}

static void *work(void *arg)
{
	struct crew_thread *const h = arg;
	struct crew *const w = h->crew;
	struct call *all[CREW_BATCH];
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

static int start_threads(struct crew *w, const char *url, int threads,
                         struct err *e)
{
	for (; w->n < threads; w->n++) {
		struct crew_thread *const h = &w->thread[w->n];

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
	clock_cond_init(&w->changed);
	if (start_threads(w, url, threads, e) == 0)
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
		pthread_join(w->thread[i].thread, NULL);
		pg_free(w->thread[i].pg);
	}
	loop_run_posts(w->loop);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

void crew_submit(struct crew *w, struct call *c)
{
	bool closing;

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

bool crew_is_well(struct crew *w, int64_t *back_ns, struct err *e)
{
	bool well;

	pthread_mutex_lock(&w->lock);
	well = !w->away;
	*back_ns = w->back_ns;
	if (!well)
		*e = away;
	pthread_mutex_unlock(&w->lock);
	return well;
}
