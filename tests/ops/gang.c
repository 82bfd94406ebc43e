/* gang.c - see gang.h. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "matrix/received.h"
#include "tests/ops/gang.h"

int gang_fails = -1, gang_fails_at;

static struct device *own[SHEETS];	/* opened when first needed */

/* One part; `stop` is all parts'. */
struct part {
	struct device *device;
	struct args args;
	struct err err;
	atomic_bool *stop;
	int looks;			/* until it fails; -1: it does not */
	int rc;
};

int gang_asked(const struct args *a)
{
	struct gang_plan g = { 0 };

	if (a->op->gang)
		a->op->gang(a, 1, &g);
	return g.asked;
}

static bool is_stopped(void *arg)
{
	struct part *p = arg;

	if (p->looks > 0 && --p->looks == 0)
		atomic_store(p->stop, true);
	return atomic_load(p->stop);
}

static void *run(void *arg)
{
	struct part *p = arg;

	p->rc = part_on_device(p->device, &p->args, is_stopped, p, &p->err);
	if (p->rc < 0)
		atomic_store(p->stop, true);
	return NULL;
}

static struct device *device_of(int part, struct err *e)
{
	if (part > 0 && !own[part])
		own[part] = device_open(0, NULL, e);
	return part > 0 ? own[part] : test_device;
}

void gang_close(void)
{
	for (int i = 0; i < SHEETS; i++)
		if (own[i])
			device_close(own[i]);
}

/* Maps the board again, as each worker does: two devices of one process cannot
 * both pin the same pages of it. */
static struct matrix map_again(const struct matrix *board, struct err *e)
{
	struct matrix m = *board;
	const int fd = dup(memory_descriptor(board->memory, true));

	ck_assert_int_ge(fd, 0);
	m.memory = received_map(fd, board->memory->bytes, true, e);
	ck_ok(m.memory ? 0 : -1, e);
	return m;
}

static int begin(struct part *p, const struct args *a, int i, int parts,
                 const struct gang_plan *g, const struct matrix *board,
                 struct err *e)
{
	p->device = device_of(i, e);
	p->args = *a;
	p->args.gang = (struct gang){ .part = i, .parts = parts,
	                              .width = g->width,
	                              .board = map_again(board, e) };
	p->looks = i == gang_fails ? gang_fails_at : -1;
	for (int o = 0; o < OP_OUTPUTS && i > 0; o++)
		if (!(g->out >> o & 1))
			p->args.out[o].ndim = MATRIX_ABSENT;
	return p->device ? 0 : -1;
}

static int conclude(const struct part *part, int parts, struct args *a,
                    struct err *e)
{
	const struct part *bad = NULL;

	for (int i = 0; i < parts; i++)
		if (part[i].rc < 0 && (!bad || bad->err.code == ERR_DISMISSED))
			bad = &part[i];
	a->verdict = part[0].args.verdict;
	a->variant = part[0].args.variant;
	for (int i = 0; i < OP_OUTPUTS && !bad; i++)
		a->out[i].dtype = part[0].args.out[i].dtype;
	if (bad)
		*e = bad->err;
	return bad ? -1 : 0;
}

int gang_on_devices(struct args *a, struct err *e)
{
	const int parts = gang_asked(a);
	static struct part part[SHEETS];
	pthread_t thread[SHEETS];
	atomic_bool stop = false;
	struct gang_plan g;
	struct matrix board = { .dtype = INT64, .ndim = 1 };
	int rc;

	a->op->gang(a, parts, &g);
	board.dim[0] = size_blocks(size_max(g.board, MEMORY_SLAB), 8);
	if (matrix_alloc(&board, test_pool, e) < 0)
		return -1;
	memset(matrix_data(&board), 0, g.head);
	memset(part, 0, sizeof part);
	for (int i = 0; i < parts; i++) {
		ck_ok(begin(&part[i], a, i, parts, &g, &board, e), e);
		part[i].stop = &stop;
	}
	gang_runs = true;
	for (int i = 0; i < parts; i++)
		pthread_create(&thread[i], NULL, run, &part[i]);
	for (int i = 0; i < parts; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < parts; i++)
		memory_unref(part[i].args.gang.board.memory);
	gang_runs = false;
	rc = conclude(part, parts, a, e);
	matrix_fini(&board);
	gang_fails = -1;
	return rc;
}

void gang_refuses(const char *op, const struct matrix *a, const char *name,
                  const char *value)
{
	struct err e = { 0 };
	struct args r;

	ck_assert_int_eq(op_try(op, a, 1, &r, &e, "devices", "2", name, value,
	                        NULL), -1);
	ck_assert_msg(e.code == ERR_PARAMETER && strstr(e.text, "2 devices "
	              "compute together one real matrix"), "%s", e.text);
	ck_assert_str_eq(e.pointer, "/devices");
}

void gang_survives_failures(const char *op, const struct matrix *in, int n_in)
{
	static const int looks[] = { 1, 40, 150, 400 };

	for (size_t i = 0; i < COUNT(looks); i++)
		for (int part = 0; part < 3; part++) {
			struct err e = { 0 };
			struct args r;

			gang_fails = part;
			gang_fails_at = looks[i];
			ck_assert_int_eq(op_try(op, in, n_in, &r, &e,
			                        "devices", "3", NULL), -1);
			ck_assert_int_eq(e.code, ERR_DISMISSED);
		}
}

void gang_memory_shrinks(const char *op, const struct matrix *in, int n_in,
                         size_t most)
{
	struct args r;
	size_t two;

	device_copies = true;
	op_run(op, in, n_in, &r, "devices", "2", "quality", "none", NULL);
	args_fini(&r);
	two = test_memory;
	op_run(op, in, n_in, &r, "devices", "5", "quality", "none", NULL);
	args_fini(&r);
	device_copies = false;
	ck_assert_uint_lt(test_memory, two * 7 / 10);
	ck_assert_uint_lt(two, most);
}
