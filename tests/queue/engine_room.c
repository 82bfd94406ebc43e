/* engine_room.c - see engine_room.h. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "journal/journal.h"
#include "tests/queue/engine_room.h"

#define HOUR (3600000 * MS)

struct engine_room room;
static char notes[32];

static void stop(void *arg)
{
	(void)arg;
	loop_stop(room.loop);
}

void room_run(void)
{
	struct timer t = { 0 };

	loop_timer_set(room.loop, &t, clock_ns() + MS, stop, NULL);
	ck_ok(loop_run(room.loop, &room.e), &room.e);
	loop_timer_clear(room.loop, &t);
}

void room_start(const char *devices, size_t queue_limit)
{
	const char *const list[] = { devices, NULL };
	const struct engine_options o = {
		.program = "/proc/self/exe", .devices = list,
		.queue_limit = queue_limit, .records = 8,
		.result_ttl_ns = room.result_ttl_ns,
		.grace_ns = room.grace_ns, .timeout_ns = room.timeout_ns,
		.journal = room.journal,
	};

	room.engine = engine_new(room.loop, room.pool, &o, &room.e);
	ck_assert_msg(room.engine != NULL, "%s", room.e.text);
}

static bool all_ready(void)
{
	for (int i = 0; i < engine_devices(room.engine); i++)
		if (!engine_healthy(room.engine, i))
			return false;
	return true;
}

void room_start_ready(const char *devices)
{
	room_start(devices, 8);
	UNTIL(all_ready());
}

void room_open(void)
{
	room = (struct engine_room){ .result_ttl_ns = HOUR, .grace_ns = HOUR };
	ck_assert_ptr_nonnull(mkdtemp(strcpy(notes, "/tmp/linalgd-XXXXXX")));
	setenv(FAKE_NOTES, notes, 1);
	unsetenv(FAKE_SICK);
	unsetenv(FAKE_ALIKE);
	room.loop = loop_new(&room.e);
	room.pool = memory_pool_new(1 << 24, &room.e);
	ck_assert(room.loop && room.pool);
}

static void forget_notes(void)
{
	DIR *const d = opendir(notes);
	const struct dirent *file;

	while (d && (file = readdir(d)))
		unlinkat(dirfd(d), file->d_name, 0);
	closedir(d);
	rmdir(notes);
}

void room_end_process(void)
{
	journal_close(room.journal);
	room.journal = NULL;
	engine_free(room.engine);
	room.engine = NULL;
}

void room_close(void)
{
	engine_free(room.engine);
	ck_assert_uint_eq(memory_pool_used(room.pool), 0);
	memory_pool_free(room.pool);
	loop_free(room.loop);
	forget_notes();
}

static void on_end(struct job *j, void *arg)
{
	ck_assert(job_state_is_end(j->state));
	room.ended[room.n_ended++] = (int)(intptr_t)arg;
}

struct job *room_job(enum fake_deed deed, size_t n, const char *device)
{
	struct err *const e = &room.e;
	struct job *j = job_new(op_find("transpose"), e);
	struct matrix *m;

	ck_assert_ptr_nonnull(j);
	m = &j->args.in[0];
	*m = (struct matrix){ .dtype = FLOAT64, .ndim = 2, .dim = { 1, n } };
	ck_ok(matrix_alloc(m, room.pool, e), e);
	matrix_set(m, 0, deed);
	ck_ok(args_settle_dtype(&j->args, -1, e), e);
	ck_ok(args_check(&j->args, e), e);
	ck_ok(args_alloc(&j->args, room.pool, e), e);
	matrix_set(&j->args.out[0], 0, 0);
	ck_ok(engine_select(room.engine, device, &j->devices, e), e);
	j->alone = true;
	j->on_end = on_end;
	j->on_end_arg = (void *)(intptr_t)deed;
	return j;
}

struct job *room_submit_to(enum fake_deed deed, size_t n, const char *device)
{
	struct job *j = room_job(deed, n, device);

	room_accepts(j);
	return j;
}

struct job *room_submit(enum fake_deed deed)
{
	return room_submit_to(deed, 3, "auto");
}

bool room_at_work(const struct job *j)
{
	return engine_progress(room.engine, j) == 50;
}

struct job *room_signal(int signal, int runs)
{
	struct job *j = room_submit(runs == 1 ? FAKE_HOLD_ONCE : FAKE_HOLD);

	for (int i = 1; i <= runs; i++) {
		UNTIL(j->attempts == i && room_at_work(j));
		kill(room.engine->worker[0].pid, signal);
		UNTIL(j->attempts > i || room.n_ended);
	}
	UNTIL(room.n_ended);
	return j;
}
