/* async.c - see async.h. */
#include "base/clock.h"
#include "http/async.h"
#include "http/job_reply.h"
#include "http/prefer.h"
#include "http/service.h"

static void on_over(void *arg)
{
	struct async *s = arg;
	struct job *j = s->wait.job;

	if (job_state_is_end(j->state))
		s->send(s->arg, j);
	else
		job_reply_accepted(s->x, s->engine, j);
	job_wait_end(&s->wait);
}

void async_init(struct async *s, struct exchange *x,
                void (*send)(void *arg, struct job *j), void *arg)
{
	*s = (struct async){
		.asked = prefer_asynchronous(exchange_prefer(x)),
		.x = x, .send = send, .arg = arg,
	};
}

void async_reply(struct async *s, struct engine *g, struct job *j)
{
	const struct api *a = exchange_context(s->x);
	const int seconds = job_wait_seconds(s->x);

	if (seconds <= 0) {
		job_reply_accepted(s->x, g, j);
		return;
	}
	if (job_state_is_end(j->state)) {
		s->send(s->arg, j);
		return;
	}
	s->engine = g;
	job_wait_begin(&s->wait, a->options.loop, j, clock_ns() +
	               seconds * INT64_C(1000000000), on_over, s);
}

void async_end(struct async *s)
{
	job_wait_end(&s->wait);
}
