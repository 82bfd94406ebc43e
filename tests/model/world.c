/* world.c - see world.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/model/fakes.h"
#include "tests/model/leases.h"
#include "tests/model/world.h"

struct world world;

enum { LARGE_ROWS = 2 * 384, MANY_TURNS = 64 };

/* The model is of no use without memory. */
static void must(bool good, const struct err *e)
{
	if (good)
		return;
	fprintf(stderr, "the model: %s\n", e->text);
	exit(2);
}

static void on_end(struct job *j, void *arg)
{
	const int i = (int)(intptr_t)arg;
	const int other = world.plan->job[i].ends - 1;

	(void)j;
	world.ended[i]++;
	if (other >= 0 && world.job[other])
		engine_dismiss(world.engine, world.job[other]);
}

static void operand(struct job *j, int i, size_t rows, size_t columns)
{
	struct matrix *const m = &j->args.in[i];
	struct err e = { 0 };

	*m = (struct matrix){ .dtype = FLOAT64, .ndim = 2,
	                      .dim = { rows, columns } };
	must(!matrix_alloc(m, world.pool, &e), &e);
	memset(matrix_data(m), 0, matrix_size(m));
}

/* Every device is known to take an hour for it. */
static void take_long(const struct job *j)
{
	const struct timing t = { .compute_ns = 3600 * INT64_C(1000000000) };

	for (int i = 0; i < world.engine->n_workers; i++)
		rates_learn(&world.engine->rates[i],
		            &world.engine->worker[i].sheet, &j->args, 0, &t);
}

static struct job *make(int i)
{
	const struct plan_of_job *const p = &world.plan->job[i];
	const bool large = p->kind == KIND_LARGE;
	struct err e = { 0 };
	struct job *j = job_new(op_find(large ? "matmul" : "transpose"), &e);

	must(j != NULL, &e);
	operand(j, 0, large ? LARGE_ROWS : 1, large ? 1 : 3);
	if (large)
		operand(j, 1, 1, 1);
	must(!args_settle_dtype(&j->args, -1, &e) &&
	     !args_check(&j->args, &e) &&
	     !args_alloc(&j->args, world.pool, &e), &e);
	if (large)
		take_long(j);
	j->tenant = p->tenant ? &world.tenant[p->tenant - 1] : NULL;
	j->devices = (UINT64_C(1) << world.plan->devices) - 1;
	j->priority = p->priority;
	j->alone = p->kind != KIND_TINY;
	if (p->hurried)
		j->deadline_ns = fake_now_ns + 1000000000;
	if (p->row)
		return j;		/* no client waits for it */
	j->on_end = on_end;
	j->on_end_arg = (void *)(intptr_t)i;
	return j;
}

static void ready(struct worker *w)
{
	union message m = { .ready = { .sheet = w->sheet } };
	struct err e = { 0 };

	if (w->state == WORKER_DOWN)
		worker_start(w);
	must(!worker_take_message(w, &m, sizeof m.ready, &e), &e);
}

/* Returns whether the engine takes the job. */
static bool offer(int i, struct job *j)
{
	const struct plan_of_job *const p = &world.plan->job[i];
	struct err e = { 0 };

	if (p->row)
		world.epoch[i] = leases_claim(p->row - 1, j);
	return p->row ? world.epoch[i] != 0 :
	       p->prepared ? !engine_accept(world.engine, j, &e) :
	                     !engine_submit(world.engine, j, &e);
}

static void come(int i)
{
	struct job *const j = make(i);

	fake_now_ns++;
	world.came[i] = true;
	world.job[i] = j;
	if (!offer(i, j)) {
		world.job[i] = NULL;
		job_unref(j);
	} else {
		world.accepted++;
	}
}

void world_begin(const struct scenario *s, struct memory_pool *p)
{
	const struct engine_options o = {
		.program = "none", .queue_limit = 3, .records = 8,
		.result_ttl_ns = 1, .grace_ns = 1,
	};
	struct err e = { 0 };

	fake_now_ns = 1000000000;
	fake_devices = s->devices;
	fake_refuses = false;
	fake_loop = (struct loop){ .later = NULL };
	world = (struct world){ .plan = s, .pool = p };
	world.engine = engine_new(&fake_loop, p, &o, &e);
	must(world.engine != NULL, &e);
	leases_begin(world.engine, &fake_loop, p);
	for (int i = 0; i < s->devices; i++)
		ready(&world.engine->worker[i]);
	for (int i = 0; i < s->come; i++)
		come(i);
}

static void prepare(int i, bool in_vain)
{
	struct err e = { 0 };

	if (in_vain)
		err_set(&e, ERR_REQUEST, "as asked for");
	engine_prepared(world.engine, world.job[i], &e);
}

bool world_end(void)
{
	for (int i = 0; i < WORLD_JOBS; i++)
		if (world.job[i] && world.job[i]->preparing)
			prepare(i, true);
	leases_end();
	engine_free(world.engine);
	for (int i = 0; i < WORLD_JOBS; i++)
		job_unref(world.job[i]);
	return memory_pool_used(world.pool) == 0 && !fake_loop.n_timers &&
	       !fake_loop.later;
}

/* The job that has this one as a part, or is it. */
static int number_of(const struct job *j)
{
	for (int i = 0; i < WORLD_JOBS; i++)
		if (world.job[i] && !strcmp(world.job[i]->id, j->id))
			return i;
	return 0;
}

static struct done answer_of(const struct job *j, enum reply r)
{
	static const enum err_code codes[] = {
		[REPLY_FAILED] = ERR_SINGULAR,
		[REPLY_PUT_OFF] = ERR_NOT_READY,
		[REPLY_DISMISSED] = ERR_DISMISSED,
	};
	struct done d = { .serial = j->serial, .verdict = verdict_none(),
	                  .begun_ns = fake_now_ns };

	strcpy(d.variant, j->args.op->variants[0].name);
	d.present = r == REPLY_DONE;
	if (r != REPLY_DONE)
		err_set(&d.err, codes[r], "as asked for");
	return d;
}

/* The worker answers its first n jobs, the first of them so. */
static void answer(struct worker *w, int n, enum reply r)
{
	static union message m;
	struct err e = { 0 };

	m.answers.used = 0;
	for (int i = 0; i < n; i++) {
		const struct job *const j = w->running[i];
		const enum reply x = i == 0 ? r : REPLY_DONE;
		const struct done d = answer_of(j, x);

		if (x != REPLY_DONE)
			world.failed_parts[number_of(j)] += j->part;
		must(!answers_add(&m.answers, &d, -1, &e), &e);
	}
	if (r == REPLY_PUT_OFF)
		world.compiles[w - world.engine->worker] = true;
	w->n_answers -= n;
	must(!w->options->done(w->options->arg, w, &m.answers, &e), &e);
}

/* A process reports only the compilations for which it put calls off. */
static void compiled(struct worker *w)
{
	world.compiles[w - world.engine->worker] = false;
	w->options->on_compiled(w->options->arg, w);
}

static void lose(struct worker *w, bool own_fault)
{
	world.compiles[w - world.engine->worker] = false;
	w->state = WORKER_DOWN;
	w->options->lost(w->options->arg, w, "was lost", own_fault);
}

static void on_drained(void *arg)
{
	(void)arg;
	world.drained = true;
}

static int row_of(int i)
{
	return world.plan->job[i].row - 1;
}

void world_take(struct move s)
{
	struct engine *const g = world.engine;
	struct worker *const w = &g->worker[s.a % SHEETS];

	switch ((enum verb)s.verb) {
	case COME:     come(s.a); break;
	case PREPARED: prepare(s.a, s.b); break;
	case TURN:     fake_turn(); break;
	case ANSWERED: answer(w, 1, (enum reply)s.b); break;
	case ANSWERED_ALL: answer(w, w->n_running, REPLY_DONE); break;
	case COMPILED: compiled(w); break;
	case KILLED:   worker_kill(w); break;
	case LOST:     lose(w, s.b); break;
	case READY:    ready(w); break;
	case DISMISS:  engine_dismiss(g, world.job[s.a]); break;
	case FIRE:     fake_fire(s.a); break;
	case REFUSE:   fake_refuses = world.refused_once = true; break;
	case DRAIN:    engine_drain(g, on_drained, NULL); break;
	case GIVE_UP:  engine_give_up(g); break;
	case EXECUTED: leases_execute(s.a, s.b); break;
	case ABANDON:  leases_abandon(row_of(s.a), world.epoch[s.a]); break;
	case WITHDRAW: leases_withdraw(row_of(s.a), world.epoch[s.a]); break;
	case LAPSED:   leases_lapse(s.a); break;
	case OTHER_CLAIMS: leases_other_claims(s.a); break;
	case OTHER_ENDS: leases_other_ends(s.a); break;
	}
}

static void go_on(struct worker *w)
{
	if (w->n_running)
		answer(w, w->n_running, REPLY_DONE);
	if (w->state == WORKER_DYING)
		lose(w, false);
	if (w->state == WORKER_DOWN)
		ready(w);
	if (world.compiles[w - world.engine->worker])
		compiled(w);
}

static bool all_is_done(void)
{
	const struct engine *const g = world.engine;

	for (int i = 0; i < g->n_workers; i++)
		if (g->worker[i].n_running)
			return false;
	return g->unended == 0 && g->preparing == 0 && !leases_pending();
}

bool world_finish(void)
{
	struct engine *const g = world.engine;

	fake_refuses = false;
	for (int turn = 0; turn < MANY_TURNS && !all_is_done(); turn++) {
		for (int i = 0; i < WORLD_JOBS; i++)
			if (world.job[i] && world.job[i]->preparing)
				prepare(i, false);
		for (int i = 0; i < g->n_workers; i++)
			go_on(&g->worker[i]);
		while (leases_pending())
			leases_execute(0, false);
		while (fake_turn())
			;
		for (int i = 0; i < fake_loop.n_timers; i++)
			if (fake_loop.timer[i] == &g->again)
				fake_fire(i);
	}
	return all_is_done();
}

const char *world_text(struct move s, char *text, size_t room)
{
	static const char *const verbs[] = {
		"come", "prepared", "turn", "answered", "answered all",
		"compiled", "killed", "lost", "ready", "dismiss", "fire",
		"refuse", "drain", "give up", "executed", "abandon",
		"withdraw", "lapsed", "other claims", "other ends",
	};

	snprintf(text, room, "%s %d %d", verbs[s.verb], s.a, s.b);
	return text;
}
