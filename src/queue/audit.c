/* audit.c - see audit.h. */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "ops/pipeline.h"
#include "queue/audit.h"
#include "queue/bytes.h"
#include "queue/stages.h"
#include "queue/tenant.h"

enum { FACTS = 16 };

struct facts {
	int n;
	struct log_field field[FACTS + 1];
};

static void add_text(struct facts *f, const char *name, const char *text)
{
	if (text && *text && f->n < FACTS)
		f->field[f->n++] = (struct log_field)LOG_TEXT(name, text);
}

static void add_number(struct facts *f, const char *name, double number)
{
	if (f->n < FACTS)
		f->field[f->n++] = (struct log_field)LOG_NUMBER(name, number);
}

/* Text that grows in a room, and what does not fit is left out. */
struct words {
	char *text;
	size_t n, room;
};

static void say(struct words *w, const char *text)
{
	const int n = snprintf(w->text + w->n, w->room - w->n, "%s", text);

	w->n += (size_t)n < w->room - w->n ? (size_t)n : w->room - w->n - 1;
}

static void say_shapes(struct words *w, const struct args *a)
{
	char shape[MATRIX_SHAPE_TEXT];
	const char *comma = "";

	for (int i = 0; a->op->inputs[i].name; i++) {
		if (a->in[i].ndim == MATRIX_ABSENT)
			continue;
		say(w, comma);
		say(w, a->op->inputs[i].name);
		say(w, ":");
		say(w, matrix_shape_text(&a->in[i], shape));
		comma = ",";
	}
}

static void say_steps(struct words *w, const struct pipeline *p)
{
	for (int k = 0; k < p->n; k++) {
		say(w, k ? "," : "");
		say(w, p->step[k].args.op->name);
		say(w, "(");
		say_shapes(w, &p->step[k].args);
		say(w, ")");
	}
}

void audit_shapes(const struct args *a, char *text, size_t room)
{
	struct words w = { text, 0, room };

	text[0] = 0;
	if (a->pipeline)
		say_steps(&w, a->pipeline);
	else
		say_shapes(&w, a);
}

void audit_note(struct job *j)
{
	audit_shapes(&j->args, j->asked.shapes, sizeof j->asked.shapes);
	j->asked.bytes = bytes_operands(j, true);
}

/* Adds the stages that the job reached on a device. */
static void add_times(struct facts *f, const struct job *j)
{
	static const enum stage told[] = { STAGE_queue, STAGE_compute };

	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		add_number(f, stage_field(told[i]),
		           (double)(stage_ns(told[i], j) / 1000) / 1000);
	add_number(f, "ended_ms", (double)((j->ended_ns - j->accepted_ns) /
	                                   1000) / 1000);
}

static void add_answer(struct facts *f, const struct job *j)
{
	const bool good = j->state == JOB_SUCCESSFUL;

	add_number(f, "bytes_in", (double)j->asked.bytes);
	add_number(f, "bytes_out", good ? (double)bytes_answer(j) : 0);
	if (j->device >= 0)
		add_number(f, "device", j->device);
	add_text(f, "variant", j->variant);
	add_number(f, "attempts", j->attempts);
	add_times(f, j);
	if (j->err.code != ERR_NONE) {
		add_text(f, "problem", err_slug(j->err.code));
		add_text(f, "detail", j->err.text);
	}
}

void audit_write(struct job *j)
{
	const char *const how = job_state_name(j->state);
	struct facts said = { 0 }, f = { 0 };

	if (!j->asked.shapes[0] && !j->preparing)
		audit_note(j);
	add_text(&said, "job", j->id);
	add_text(&said, "outcome", how);
	add_text(&f, "op", j->args.op->name);
	add_text(&f, "shapes", j->asked.shapes);
	add_text(&f, "tenant", j->tenant ? j->tenant->name : NULL);
	add_answer(&f, j);
	log_record(LOG_LEVEL_INFO, said.field, f.field, "job %s %s", j->id,
	           how);
}
