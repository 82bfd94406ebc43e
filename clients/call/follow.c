/* follow.c - see follow.h. */
#include <string.h>

#include <jansson.h>

#include "base/clock.h"
#include "clients/call/follow.h"

enum { WIDTH = 30 };

static const int64_t patience_ns = 300000000;

struct bar bar_begin(void)
{
	return (struct bar){ .since_ns = clock_ns() };
}

static void draw(struct bar *b)
{
	const int done = (int)(b->fraction * WIDTH + 0.5);

	if (clock_ns() - b->since_ns < patience_ns)
		return;
	b->drawn = true;
	fprintf(stderr, "\r\033[K%-10s [%.*s%*s] %3.0f%%  %.1f s", b->stage,
	        done, "##############################", WIDTH - done, "",
	        100 * b->fraction,
	        (double)(clock_ns() - b->since_ns) / 1e9);
	fflush(stderr);
}

void bar_draw(struct bar *b, const char *stage, double fraction)
{
	snprintf(b->stage, sizeof b->stage, "%.20s", stage);
	b->fraction = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
	draw(b);
}

void bar_progress(void *bar, uint64_t sent, uint64_t all)
{
	struct bar *b = bar;

	if (sent < all)
		bar_draw(b, "sending", (double)sent / (double)all);
	else if (b->stage[0])
		draw(b);
}

void bar_end(struct bar *b)
{
	if (b->drawn)
		fputs("\r\033[K", stderr);
	b->drawn = false;
	text_fini(&b->line);
}

/* Takes a line of the events. A line that begins with "data:" has a job's state
 * in JSON: {"status":"running","progress":40,"stage":"running"}. */
static void take_line(struct bar *b, const char *line)
{
	static const char data[] = "data:";
	json_t *o = strncmp(line, data, sizeof data - 1) ? NULL :
	            json_loads(line + sizeof data - 1, 0, NULL);
	const char *stage = json_string_value(json_object_get(o, "stage"));

	if (!stage)
		stage = json_string_value(json_object_get(o, "status"));
	if (stage)
		bar_draw(b, stage, json_number_value(
		         json_object_get(o, "progress")) / 100);
	json_decref(o);
}

static bool on_bytes(void *arg, const char *bytes, size_t n)
{
	struct bar *b = arg;

	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '\n') {
			text_add(&b->line, bytes + i, 1);
			continue;
		}
		if (b->line.data)
			take_line(b, b->line.data);
		text_clear(&b->line);
	}
	return !b->line.failed;
}

enum http_end follow(struct http *h, const char *job, struct bar *b,
                     struct http_reply *r)
{
	char path[128];
	const struct http_request q = {
		.path = path, .accept = "text/event-stream",
		.sink = on_bytes, .arg = b,
		.progress = bar_progress, .bar = b,
	};

	snprintf(path, sizeof path, "/jobs/%s/events", job);
	return http_do(h, &q, r);
}
