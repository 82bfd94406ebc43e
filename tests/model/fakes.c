/* fakes.c - see fakes.h. These functions replace those of src/base/loop.c,
 * src/base/clock.c, src/queue/supervisor.c, spawn.c, worker_log.c and
 * src/wire/call_send.c, which this program is linked without. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "queue/spawn.h"
#include "queue/worker_log.h"
#include "tests/model/fakes.h"

struct loop fake_loop;
int64_t fake_now_ns;
int fake_devices;
bool fake_refuses;

int64_t clock_ns(void)
{
	return fake_now_ns;
}

int64_t clock_wall_ms(void)
{
	return fake_now_ns / 1000000;
}

const char *clock_text(int64_t wall_ms, char text[CLOCK_TEXT])
{
	snprintf(text, CLOCK_TEXT, "%lld", (long long)wall_ms);
	return text;
}

bool loop_is_here(const struct loop *l)
{
	(void)l;
	return true;
}

void loop_timer_clear(struct loop *l, struct timer *t)
{
	int n = 0;

	for (int i = 0; i < l->n_timers; i++)
		if (l->timer[i] != t)
			l->timer[n++] = l->timer[i];
	l->n_timers = n;
	t->fn = NULL;
}

void loop_timer_set(struct loop *l, struct timer *t, int64_t at_ns,
                    void (*fn)(void *arg), void *arg)
{
	loop_timer_clear(l, t);
	if (l->n_timers == FAKE_TIMERS)
		abort();
	*t = (struct timer){ .at_ns = at_ns, .fn = fn, .arg = arg };
	l->timer[l->n_timers++] = t;
}

void fake_fire(int i)
{
	struct timer *const t = fake_loop.timer[i];
	void (*const fn)(void *arg) = t->fn;

	loop_timer_clear(&fake_loop, t);
	fn(t->arg);
}

void loop_later(struct loop *l, struct post *p, void (*fn)(void *arg),
                void *arg)
{
	if (p->fn)
		return;
	*p = (struct post){ fn, arg, l->later };
	l->later = p;
}

void loop_later_clear(struct loop *l, struct post *p)
{
	for (struct post **at = &l->later; *at; at = &(*at)->next)
		if (*at == p) {
			*at = p->next;
			break;
		}
	p->fn = NULL;
}

bool fake_turn(void)
{
	struct post *const p = fake_loop.later;
	void (*fn)(void *arg);

	if (!p)
		return false;
	fn = p->fn;
	fake_loop.later = p->next;
	p->fn = NULL;
	fn(p->arg);
	return true;
}

void loop_stay_awake(struct loop *l, int64_t until_ns)
{
	(void)l;
	(void)until_ns;
}

/* Only threads post, and the model has none. */
void loop_post(struct loop *l, struct post *p, void (*fn)(void *arg),
               void *arg)
{
	(void)l;
	(void)p;
	(void)fn;
	(void)arg;
	abort();
}

void loop_run_posts(struct loop *l)
{
	(void)l;
}

int spawn_list(const char *program, struct sheet sheets[SHEETS],
               struct err *e)
{
	(void)program;
	(void)e;
	for (int i = 0; i < fake_devices; i++) {
		sheets[i] = (struct sheet){
			.index = i, .float64 = true, .type = DEVICE_GPU,
			.global_memory_bytes = 1 << 20,
			.max_allocation_bytes = 1 << 19, .compute_units = 4,
			.local_memory_bytes = 1 << 16,
			.max_work_group_size = 1024,
		};
		snprintf(sheets[i].name, sizeof sheets[i].name, "Fake");
	}
	return fake_devices;
}

void worker_init(struct worker *w, const struct worker_options *o,
                 const struct sheet *s)
{
	*w = (struct worker){ .options = o, .sheet = *s };
}

void worker_start(struct worker *w)
{
	static struct control page[SHEETS];

	w->control = &page[w->sheet.index];
	w->state = WORKER_STARTING;
}

bool worker_is_well(const struct worker *w)
{
	return w->state == WORKER_READY;
}

bool worker_is_idle(const struct worker *w)
{
	return worker_is_well(w) && !w->n_running;
}

void worker_kill(struct worker *w)
{
	if (w->state != WORKER_DOWN)
		w->state = WORKER_DYING;
}

void worker_fini(struct worker *w)
{
	w->state = WORKER_DOWN;
}

int call_send(int socket, struct small *small, const struct call_out *calls,
              int n, struct err *e)
{
	(void)socket;
	(void)small;
	(void)calls;
	(void)n;
	if (!fake_refuses)
		return 0;
	fake_refuses = false;
	return err_set(e, ERR_DEVICE, "as asked for");
}

int call_send_arrival(int socket, struct memory *m, size_t arrived,
                      struct err *e)
{
	(void)socket;
	(void)m;
	(void)arrived;
	(void)e;
	return 0;
}

void worker_log_ready(const struct worker *w)
{
	(void)w;
}

void worker_log_bad_canary(const struct worker *w, const char *why)
{
	(void)w;
	(void)why;
}

void worker_log_stuck(const struct worker *w, const char *id)
{
	(void)w;
	(void)id;
}

void worker_log_unsent(const struct worker *w, const char *id,
                       const char *why)
{
	(void)w;
	(void)id;
	(void)why;
}
