/* split_room.c - see split_room.h. */
#include <stdlib.h>

#include "tests/queue/split_room.h"

const int64_t hour = 3600 * 1000 * MS;

static void on_end(struct job *j, void *arg)
{
	(void)arg;
	ck_assert(job_state_is_end(j->state));
	room.n_ended++;
}

struct job *tall_product(size_t rows, const enum fake_deed deed[ALIKE])
{
	struct err *const e = &room.e;
	struct job *j = job_new(op_find("matmul"), e);

	ck_assert_ptr_nonnull(j);
	for (int i = 0; i < 2; i++) {
		j->args.in[i] = (struct matrix){
			.dtype = FLOAT64, .ndim = 2,
			.dim = { i == 0 ? rows : 1, 1 },
		};
		ck_ok(matrix_alloc(&j->args.in[i], room.pool, e), e);
	}
	for (size_t i = 0; i < rows; i++)
		matrix_set(&j->args.in[0], i, deed[i / UNIT % ALIKE]);
	ck_ok(args_settle_dtype(&j->args, -1, e), e);
	ck_ok(args_check(&j->args, e), e);
	ck_ok(args_alloc(&j->args, room.pool, e), e);
	for (size_t i = 0; i < rows; i++)
		matrix_set(&j->args.out[0], i, 0);
	ck_ok(engine_select(room.engine, "auto", &j->devices, e), e);
	j->alone = true;
	j->on_end = on_end;
	return j;
}

struct job *product(const enum fake_deed deed[ALIKE])
{
	return tall_product(ROWS, deed);
}

void takes(int device, const struct job *j, int64_t ns)
{
	const struct timing t = { .compute_ns = ns };

	room.engine->rates[device] = (struct rates){ 0 };
	rates_learn(&room.engine->rates[device],
	            &room.engine->worker[device].sheet, &j->args, 0, &t);
}

void submit(struct job *j)
{
	for (int i = 0; i < engine_devices(room.engine); i++)
		takes(i, j, hour);
	room_accepts(j);
}

void start_alike(void)
{
	setenv(FAKE_ALIKE, "4", 1);
	room_start_ready("auto");
}

struct job *in_parts(enum fake_deed a, enum fake_deed b,
                            enum fake_deed c, enum fake_deed d)
{
	const enum fake_deed deed[ALIKE] = { a, b, c, d };
	struct job *j;

	start_alike();
	j = product(deed);
	submit(j);
	ck_assert_int_eq(j->state, JOB_RUNNING);
	ck_assert_ptr_nonnull(j->split);
	ck_assert_uint_eq(j->parts_on, (1u << ALIKE) - 1);
	return j;
}

struct worker *worker_of(int part)
{
	return &room.engine->worker[part];
}

bool is_at_work(int part)
{
	return atomic_load(&worker_of(part)->control->progress) == 50;
}

bool all_idle(void)
{
	for (int i = 0; i < ALIKE; i++)
		if (!worker_is_idle(&room.engine->worker[i]))
			return false;
	return true;
}
