/* trace_text.c - see trace_text.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "http/json_text.h"
#include "http/trace_text.h"
#include "ops/pipeline.h"
#include "queue/trace.h"

enum { BATCH = 64 };			/* events that are printed at once */

enum job_lane { LANE_QUEUE = 1, LANE_STAGES };

/* The lanes of a device. */
enum device_lane { LANE_KERNELS = 1, LANE_BESIDE, LANE_TRANSFERS, LANE_HOST,
                   LANES };

static const char *const lane_names[LANES] = {
	[LANE_KERNELS] = "kernels", [LANE_BESIDE] = "kernels beside them",
	[LANE_TRANSFERS] = "transfers", [LANE_HOST] = "host",
};

/* Everything but kernels; the index is -1 - enum trace_kind. */
static const struct {
	const char *name, *category;
	enum device_lane lane;
} kinds[] = {
	[-1 - TRACE_UPLOAD] = { "upload", "transfer", LANE_TRANSFERS },
	[-1 - TRACE_DOWNLOAD] = { "download", "transfer", LANE_TRANSFERS },
	[-1 - TRACE_WRITE] = { "write", "transfer", LANE_TRANSFERS },
	[-1 - TRACE_READ] = { "read", "transfer", LANE_TRANSFERS },
	[-1 - TRACE_FILL] = { "fill", "transfer", LANE_TRANSFERS },
	[-1 - TRACE_COPY] = { "copy", "transfer", LANE_TRANSFERS },
	[-1 - TRACE_LAPACK] = { "LAPACK", "host", LANE_HOST },
	[-1 - TRACE_COMPILE] = { "compile", "host", LANE_HOST },
};

struct trace_text {
	const struct engine *engine;
	struct job *job;		/* a reference */
	struct trace *trace;		/* a reference, or NULL */
	const struct trace *part;	/* whose events come next */
	unsigned next;
	struct text piece;		/* to be sent, from `at` on */
	size_t at;
	bool any, ended;
};

static enum device_lane lane_of(const struct trace_event *e)
{
	return e->kind < 0 ? kinds[-1 - e->kind].lane :
	       e->lane ? LANE_BESIDE : LANE_KERNELS;
}

/* Begins another row of traceEvents. */
static struct text *row(struct trace_text *t)
{
	text_puts(&t->piece, t->any ? ",\n" : "\n");
	t->any = true;
	return &t->piece;
}

static void put_name(struct trace_text *t, const char *what, int pid, int tid,
                     const char *name)
{
	text_printf(row(t), "{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%d,"
	            "\"tid\":%d,\"args\":{\"name\":", what, pid, tid);
	json_text_put_string(&t->piece, name);
	text_puts(&t->piece, "}}");
}

static void put_us(struct text *t, const char *name, int64_t ns)
{
	const int64_t n = ns > 0 ? ns : 0;

	text_printf(t, ",\"%s\":%" PRId64 ".%03d", name, n / 1000,
	            (int)(n % 1000));
}

/* Appends an event but for its closing brace. */
static void put_event(struct trace_text *t, const char *name,
                      const char *category, int64_t begin_ns, int64_t end_ns,
                      int pid, int tid)
{
	text_puts(row(t), "{\"name\":");
	json_text_put_string(&t->piece, name);
	text_printf(&t->piece, ",\"cat\":\"%s\",\"ph\":\"X\"", category);
	put_us(&t->piece, "ts", begin_ns - t->job->first_byte_ns);
	put_us(&t->piece, "dur", end_ns - begin_ns);
	text_printf(&t->piece, ",\"pid\":%d,\"tid\":%d", pid, tid);
}

/* Appends a stage, unless the job did not reach it. */
static void put_stage(struct trace_text *t, const char *name, int64_t begin_ns,
                      int64_t end_ns, enum job_lane lane)
{
	if (!begin_ns || !end_ns || end_ns < begin_ns)
		return;
	put_event(t, name, "stage", begin_ns, end_ns, 0, (int)lane);
	text_puts(&t->piece, "}");
}

static void put_job(struct trace_text *t)
{
	const struct job *j = t->job;
	char name[80];

	snprintf(name, sizeof name, "%s, job %s", j->args.op->name, j->id);
	put_name(t, "process_name", 0, 0, name);
	put_name(t, "thread_name", 0, LANE_QUEUE, "queue");
	put_name(t, "thread_name", 0, LANE_STAGES, "stages");
	put_stage(t, "request", j->first_byte_ns, j->accepted_ns, LANE_STAGES);
	put_stage(t, "queue", j->accepted_ns,
	          j->started_ns ? j->started_ns : j->ended_ns, LANE_QUEUE);
	put_stage(t, "run", j->started_ns, j->ended_ns, LANE_STAGES);
}

/* Names the part's device, and those of its lanes that have events. */
static void put_device(struct trace_text *t, const struct trace *part)
{
	const struct sheet *s = engine_sheet_of(t->engine, part->device);
	bool used[LANES] = { false };
	char name[200];

	snprintf(name, sizeof name, "device %d: %.150s", part->device,
	         s ? s->name : "");
	put_name(t, "process_name", 1 + part->device, 0, name);
	for (unsigned i = 0; i < part->n; i++)
		used[lane_of(&part->event[i])] = true;
	for (int i = 1; i < LANES; i++)
		if (used[i])
			put_name(t, "thread_name", 1 + part->device, i,
			         lane_names[i]);
}

static uint64_t left_out(const struct trace *t)
{
	uint64_t n = 0;

	for (; t; t = t->next)
		n += t->left_out;
	return n;
}

static void put_end(struct trace_text *t)
{
	const struct job *j = t->job;

	text_puts(&t->piece, "\n],\"displayTimeUnit\":\"ms\",\"otherData\":"
	          "{\"job\":");
	json_text_put_string(&t->piece, j->id);
	json_text_put_name(&t->piece, "op");
	json_text_put_string(&t->piece, j->args.op->name);
	json_text_put_name(&t->piece, "variant");
	json_text_put_string(&t->piece, j->variant);
	json_text_put_name(&t->piece, "status");
	json_text_put_string(&t->piece, job_state_name(j->state));
	if (j->state == JOB_FAILED) {
		json_text_put_name(&t->piece, "problem");
		json_text_put_string(&t->piece, err_slug(j->err.code));
	}
	if (j->timing_level != TIMING_TRACE) {
		json_text_put_name(&t->piece, "note");
		json_text_put_string(&t->piece, "only the stages; kernels and "
		    "transfers are kept of a request with timing=trace");
	}
	json_text_put_name(&t->piece, "left_out");
	json_text_put_number(&t->piece, (double)left_out(t->trace));
	text_puts(&t->piece, "}}\n");
	t->ended = true;
}

/* A launch within a pipeline tells its step. */
static void put_command(struct trace_text *t, const struct trace *part,
                        const struct trace_event *e)
{
	const struct pipeline *p = t->job->args.pipeline;
	const bool kernel = e->kind >= 0;

	put_event(t, kernel ? part->name[e->kind] : kinds[-1 - e->kind].name,
	          kernel ? "kernel" : kinds[-1 - e->kind].category,
	          e->begin_ns, e->end_ns, 1 + part->device, (int)lane_of(e));
	if (kernel && p) {
		text_puts(&t->piece, ",\"args\":{\"step\":");
		json_text_put_string(&t->piece,
		                     p->step[part->step[e->kind]].name);
		text_puts(&t->piece, "}");
	}
	text_puts(&t->piece, "}");
}

static void put_events(struct trace_text *t)
{
	const struct trace *part = t->part;

	for (int i = 0; i < BATCH && t->next < part->n; i++)
		put_command(t, part, &part->event[t->next++]);
	if (t->next < part->n)
		return;
	t->part = part->next;
	t->next = 0;
}

/* Prints the next piece. */
static void print(struct trace_text *t)
{
	text_clear(&t->piece);
	t->at = 0;
	if (!t->any) {
		text_puts(&t->piece, "{\"traceEvents\":[");
		put_job(t);
		for (const struct trace *p = t->trace; p; p = p->next)
			put_device(t, p);
	} else if (t->part) {
		put_events(t);
	} else {
		put_end(t);
	}
}

struct trace_text *trace_text_new(const struct engine *g, struct job *j)
{
	struct trace_text *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	t->engine = g;
	t->job = job_ref(j);
	t->trace = j->trace ? trace_ref(j->trace) : NULL;
	t->part = t->trace;
	return t;
}

ssize_t trace_text_more(void *arg, char *room, size_t most)
{
	struct trace_text *t = arg;
	size_t n = 0, piece;

	while (n < most && !t->piece.failed) {
		if (t->at == t->piece.length) {
			if (t->ended)
				break;
			print(t);
		}
		piece = size_min(t->piece.length - t->at, most - n);
		if (piece)
			memcpy(room + n, t->piece.data + t->at, piece);
		t->at += piece;
		n += piece;
	}
	return t->piece.failed ? -1 : (ssize_t)n;
}

void trace_text_free(void *arg)
{
	struct trace_text *t = arg;

	text_fini(&t->piece);
	trace_unref(t->trace);
	job_unref(t->job);
	free(t);
}
