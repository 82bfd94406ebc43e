/* explore.c - takes the engine through every sequence of steps (world.h), up to
 * a number of them, breadth first, and checks it after each.
 *
 *     test-model [STEPS [SECONDS]]
 *
 * An engine cannot be copied, so every path is taken from the start. A path
 * that leads to a state that another path has led to is not followed any
 * further. After every new state the rest is let come to its end, and nothing
 * may be left. Each scenario is explored to STEPS steps, 4 by default, or for
 * SECONDS seconds of processor time, by default without limit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/model/invariant.h"
#include "tests/model/world.h"

enum { PATH = 40 };

static const struct scenario scenarios[] = {
	{ .name = "two tenants, one device", .devices = 1, .n = 3, .come = 2,
	  .job = {
		{ .kind = KIND_ALONE, .tenant = 1, .hurried = true },
		{ .kind = KIND_ALONE, .tenant = 2 },
		{ .kind = KIND_ALONE, .tenant = 1, .priority = 5 },
	} },
	{ .name = "batches", .devices = 1, .n = 4, .come = 3, .job = {
		{ .kind = KIND_TINY, .tenant = 1 },
		{ .kind = KIND_TINY, .tenant = 2, .ends = 3 },
		{ .kind = KIND_TINY, .tenant = 1, .ends = 1 },
		{ .kind = KIND_TINY },
	} },
	{ .name = "two devices", .devices = 2, .n = 3, .come = 2, .job = {
		{ .kind = KIND_ALONE, .tenant = 1 },
		{ .kind = KIND_ALONE, .tenant = 2, .hurried = true },
		{ .kind = KIND_TINY, .tenant = 2 },
	} },
	{ .name = "a job in parts", .devices = 2, .n = 2, .come = 1, .job = {
		{ .kind = KIND_LARGE, .tenant = 1, .hurried = true },
		{ .kind = KIND_ALONE, .tenant = 2 },
	} },
	{ .name = "jobs that are prepared", .devices = 1, .n = 3, .come = 2,
	  .job = {
		{ .kind = KIND_ALONE, .tenant = 1, .prepared = true,
		  .hurried = true },
		{ .kind = KIND_TINY, .tenant = 2, .prepared = true,
		  .ends = 1 },
		{ .kind = KIND_TINY, .tenant = 1 },
	} },
	{ .name = "two runs of a job of the fleet", .devices = 1, .n = 3,
	  .come = 1, .job = {
		{ .kind = KIND_ALONE, .tenant = 1, .row = 1, .hurried = true },
		{ .kind = KIND_ALONE, .tenant = 1, .row = 1 },
		{ .kind = KIND_ALONE, .tenant = 2, .row = 2 },
	} },
	{ .name = "jobs of the fleet in batches", .devices = 1, .n = 3,
	  .come = 2, .job = {
		{ .kind = KIND_TINY, .tenant = 1, .row = 1 },
		{ .kind = KIND_TINY, .tenant = 2, .row = 2 },
		{ .kind = KIND_TINY, .tenant = 2 },
	} },
};

struct path {
	int n;
	struct move step[PATH];
};

/* The paths to the states of one length, and those of the next. */
struct front {
	struct path *path;
	size_t n, room;
};

/* The states that were seen: a hash table with open addressing. */
static struct {
	uint64_t *state;
	size_t n, room;
} seen;

static struct memory_pool *pool;
static size_t transitions;

static void *must(void *memory)
{
	if (!memory) {
		fprintf(stderr, "the model: out of memory\n");
		exit(2);
	}
	return memory;
}

static bool put(uint64_t *table, size_t room, uint64_t state)
{
	size_t i = state & (room - 1);

	while (table[i] && table[i] != state)
		i = (i + 1) & (room - 1);
	if (table[i])
		return false;
	table[i] = state;
	return true;
}

static void grow(void)
{
	const size_t room = seen.room ? 2 * seen.room : 1 << 12;
	uint64_t *const table = must(calloc(room, sizeof *table));

	for (size_t i = 0; i < seen.room; i++)
		if (seen.state[i])
			put(table, room, seen.state[i]);
	free(seen.state);
	seen.state = table;
	seen.room = room;
}

/* Returns whether the state is new. */
static bool is_new(uint64_t state)
{
	if (2 * seen.n >= seen.room)
		grow();
	if (!put(seen.state, seen.room, state))
		return false;
	seen.n++;
	return true;
}

static void keep(struct front *f, const struct path *p)
{
	if (f->n == f->room) {
		f->room = f->room ? 2 * f->room : 1024;
		f->path = must(realloc(f->path, f->room * sizeof *f->path));
	}
	f->path[f->n++] = *p;
}

static bool complain(const struct scenario *s, const struct path *p,
                     const char *what)
{
	char text[40];

	printf("%s: %s, after", s->name, what);
	for (int i = 0; i < p->n; i++)
		printf("%s %s", i ? "," : "",
		       world_text(p->step[i], text, sizeof text));
	printf("\n");
	return false;
}

static const char *walk(const struct scenario *s, const struct path *p)
{
	const char *broken = NULL;

	world_begin(s, pool);
	for (int i = 0; i < p->n && !broken; i++) {
		world_take(p->step[i]);
		broken = i + 1 == p->n ? invariant_broken() : NULL;
	}
	return broken;
}

/* Takes the path, checks its last step, and keeps it if it leads to a new
 * state. */
static bool take(const struct scenario *s, const struct path *p,
                 struct front *next)
{
	const char *broken = walk(s, p);

	transitions++;
	if (broken)
		return complain(s, p, broken);
	if (is_new(invariant_state())) {
		keep(next, p);
		if (!world_finish())
			return complain(s, p, "something waits for ever");
		broken = invariant_broken_at_end();
		if (broken)
			return complain(s, p, broken);
	}
	return world_end() || complain(s, p, "something is left");
}

static bool extend(const struct scenario *s, const struct path *p,
                   struct front *next)
{
	struct move steps[WORLD_STEPS];
	int n;

	walk(s, p);
	n = world_steps(steps);
	world_end();
	for (int i = 0; i < n; i++) {
		struct path longer = *p;

		longer.step[longer.n++] = steps[i];
		if (!take(s, &longer, next))
			return false;
	}
	return true;
}

static double cpu_s(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* Follows all paths of one length by one step; false: a fault was found. */
static bool deepen(const struct scenario *s, const struct front *now,
                   struct front *next, double until_s)
{
	for (size_t i = 0; i < now->n && cpu_s() < until_s; i++)
		if (!extend(s, &now->path[i], next))
			return false;
	return true;
}

static bool explore(const struct scenario *s, int most, double until_s)
{
	struct front now = { 0 }, next;
	const size_t before = transitions;
	struct err e = { 0 };
	bool good = true;
	int depth = 0;

	pool = must(memory_pool_new(1 << 22, &e));
	seen.n = 0;
	memset(seen.state, 0, seen.room * sizeof *seen.state);
	keep(&now, &(struct path){ 0 });
	while (good && now.n && depth < most && cpu_s() < until_s) {
		next = (struct front){ 0 };
		good = deepen(s, &now, &next, until_s);
		depth += good && cpu_s() < until_s;
		free(now.path);
		now = next;
	}
	printf("%s: %zu states, %zu transitions, all of %d steps\n", s->name,
	       seen.n, transitions - before, depth);
	free(now.path);
	if (good)
		memory_pool_free(pool);
	return good;
}

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 4;
	const double seconds = argc > 2 ? atof(argv[2]) : 1e9;
	int passed = 0, failed = 0;

	grow();
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		if (explore(&scenarios[i], steps < PATH ? steps : PATH,
		            cpu_s() + seconds))
			passed++;
		else
			failed++;
	free(seen.state);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
