/* job_events.c - GET /jobs/{id}/events: a job's changes, as server-sent
 * events.
 *
 *     id: 3
 *     event: status           (or "end": the job has ended, and so the stream)
 *     data: {"status":"running","progress":40,"stage":"running"}
 *
 * The first event is sent at once, the next ones when something has changed.
 * Only the newest state is of interest: what changes while a client does not
 * read, or within EVENT_NS of the last event, becomes one event. So a stream
 * never holds more than one event. A client that reads nothing is disconnected
 * (pace.h).
 *
 * A client that reconnects after the job's end gets the event "end" again,
 * whatever its Last-Event-ID. A browser's EventSource reconnects by itself, so
 * the client should close it at the event "end".
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "http/access.h"
#include "http/json_text.h"
#include "http/service.h"

/* Streams at the same time: of all clients, and of a tenant with a token. */
enum { STREAMS_MOST = 128, STREAMS_OF_TENANT = STREAMS_MOST / 2 };

/* event_ns: the least time between two events. silence_ns: the time after which
 * a comment is sent, because proxies close silent connections. look_ns: the
 * time between two checks of the job's progress. */
static const int64_t event_ns = 200000000, silence_ns = 15000000000,
                     look_ns = 200000000;

struct stream {
	struct api *api;
	struct exchange *x;
	struct tenant *tenant;
	struct asker by;
	struct job *job;		/* a reference; NULL: it has ended */
	struct watch watch;
	struct timer look;
	struct post changed;
	struct text text;		/* to be sent, from `at` on */
	size_t at;
	bool waits;			/* more() had nothing to send; look()
					 * resumes the reply */
	unsigned id;			/* of the last event */
	int64_t event_ns, sent_ns;	/* when the last event, or anything, was
					 * written */
	enum job_state state;		/* of the last event */
	const char *stage;
	int progress;
};

static bool has_changed(const struct stream *s, int progress)
{
	return s->id == 0 || job_told_state(s->job) != s->state ||
	       job_stage(s->job) != s->stage || progress != s->progress;
}

/* Stops watching the job and releases it, so that a stream that has sent the
 * job's end does not keep the job's results in memory. */
static void let_go(struct stream *s)
{
	if (!s->job)
		return;
	job_unwatch(s->job, &s->watch);
	loop_timer_clear(s->api->options.loop, &s->look);
	loop_later_clear(s->api->options.loop, &s->changed);
	job_unref(s->job);
	s->job = NULL;
}

static void write_event(struct stream *s, int progress, int64_t now)
{
	const bool last = job_state_is_end(s->job->state);

	s->state = job_told_state(s->job);
	s->stage = job_stage(s->job);
	s->progress = progress;
	s->event_ns = s->sent_ns = now;
	text_printf(&s->text, "id: %u\nevent: %s\ndata: {\"status\":\"%s\","
	            "\"progress\":%d,\"stage\":\"%s\"}\n\n", ++s->id,
	            last ? "end" : "status", job_state_name(s->state),
	            progress, s->stage);
}

/* Writes the next event or comment, if one is due and the previous one has been
 * sent completely. */
static void tell(struct stream *s)
{
	const int64_t now = clock_ns();
	int progress;

	if (!s->job || s->at < s->text.length)
		return;
	text_clear(&s->text);
	s->at = 0;
	progress = engine_progress(s->api->options.engine, s->job);
	if (has_changed(s, progress) &&
	    (s->id == 0 || job_state_is_end(s->job->state) ||
	     now - s->event_ns >= event_ns)) {
		write_event(s, progress, now);
	} else if (now - s->sent_ns >= silence_ns) {
		text_puts(&s->text, ":\n\n");
		s->sent_ns = now;
	}
	if (job_state_is_end(s->state) || s->job->left)
		let_go(s);
}

/* Writes what is due, and sets the timer for the next check unless the job has
 * ended. events() begins with this function, so that the timer is set before
 * more() first calls tell(). */
static void look(void *arg)
{
	struct stream *s = arg;

	tell(s);
	if (s->job)
		loop_timer_set(s->api->options.loop, &s->look,
		               clock_ns() + look_ns, look, s);
	if (s->waits && (s->at < s->text.length || !s->job)) {
		s->waits = false;
		exchange_resume(s->x);
	}
}

static void on_change(void *arg)
{
	struct stream *s = arg;

	loop_later(s->api->options.loop, &s->changed, look, s);
}

static ssize_t more(void *arg, char *room, size_t most)
{
	struct stream *s = arg;
	size_t n;

	tell(s);
	if (s->text.failed)
		return -1;
	n = size_min(s->text.length - s->at, most);
	memcpy(room, s->text.data ? s->text.data + s->at : room, n);
	s->at += n;
	s->waits = n == 0 && s->job;
	return s->waits ? STREAM_LATER : (ssize_t)n;
}

static void release(void *arg)
{
	(void)arg;		/* end() frees the stream */
}

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct stream *s = calloc(1, sizeof *s);

	if (!s)
		return err_set(e, ERR_MEMORY, "no memory for the events");
	*s = (struct stream){
		.api = exchange_context(x), .x = x, .by.arg = s,
	};
	s->tenant = exchange_tenant(x);
	s->tenant->streams++;
	s->api->streams++;
	*state = s;
	return 0;
}

static void stream(void *arg, struct job *j, const struct err *e)
{
	struct stream *s = arg;
	struct exchange *const x = s->x;

	if (!j) {
		exchange_reply_problem(x, e, NULL);
		return;
	}
	access_job(x, j);
	exchange_reply_header(x, "Linalgd-Job", j->id);
	exchange_reply_header(x, "Cache-Control", "no-store");
	s->job = job_ref(j);
	s->watch = (struct watch){ .changed = on_change, .arg = s };
	job_watch(j, &s->watch);
	look(s);
	exchange_reply_stream(x, 200, "text/event-stream", UINT64_MAX, more,
	                      release, s);
	exchange_reply_live(x);
	depot_follow(s->api->options.depot, j);
}

static int events(struct exchange *x, void *state, struct err *e)
{
	struct stream *s = state;

	if (s->api->streams > STREAMS_MOST)
		return err_set(e, ERR_STREAMS, "%d clients follow jobs, as "
		               "many as may", STREAMS_MOST);
	if (*s->tenant->name && s->tenant->streams > STREAMS_OF_TENANT)
		return err_set(e, ERR_STREAMS, "%d clients of this tenant "
		               "follow jobs, as many as may",
		               STREAMS_OF_TENANT);
	return service_find_job(x, false, stream, &s->by, e);
}

static void end(struct exchange *x, void *state)
{
	struct stream *s = state;

	(void)x;
	if (!s)
		return;
	ask_cancel(&s->by);
	let_go(s);
	s->tenant->streams--;
	s->api->streams--;
	text_fini(&s->text);
	free(s);
}

const struct handler job_events_handler = {
	.begin = begin, .done = events, .end = end,
};
