/* archive.c - see archive.h. */
#include <stdio.h>
#include <stdlib.h>

#include "format/writer.h"
#include "http/archive.h"
#include "ops/pipeline.h"

static const char npz_type[] = "application/x-npz";

struct archive {
	struct npz_writer writer;
	struct job *job;		/* a reference */
};

struct archive *archive_new(struct job *j)
{
	struct archive *a = calloc(1, sizeof *a);

	if (a)
		a->job = job_ref(j);
	return a;
}

void archive_free(struct archive *a)
{
	if (!a)
		return;
	npz_writer_fini(&a->writer);
	job_unref(a->job);
	free(a);
}

int archive_fill(struct archive *a, struct err *e)
{
	const struct args *args = &a->job->args;
	const struct matrix *m[OP_OUTPUTS + PIPELINE_STEPS];
	const char *names[OP_OUTPUTS + PIPELINE_STEPS];
	char failed[PIPELINE_STEPS][PIPELINE_NAME + 8];
	size_t n = 0;

	for (int i = 0; i < OP_OUTPUTS; i++)
		if (args->out[i].ndim != MATRIX_ABSENT) {
			m[n] = &args->out[i];
			names[n++] = args->op->outputs[i].name;
		}
	if (n == 1 && m[0]->layout == CSR)
		return npz_writer_init_sparse(&a->writer, m[0], e);
	if (args->failures && !args->pipeline) {
		m[n] = &args->failed;
		names[n++] = "failed";
	}
	for (int k = 0; args->pipeline && k < args->pipeline->n; k++) {
		const struct step *s = &args->pipeline->step[k];

		if (!s->args.failures)
			continue;
		snprintf(failed[k], sizeof failed[k], "%s.failed", s->name);
		m[n] = &s->args.failed;
		names[n++] = failed[k];
	}
	return npz_writer_init(&a->writer, m, names, n, e);
}

static ssize_t more(void *arg, char *room, size_t most)
{
	struct archive *a = arg;

	return (ssize_t)npz_writer_more(&a->writer, room, most);
}

static void release(void *arg)
{
	archive_free(arg);
}

void archive_send(struct exchange *x, struct archive *a)
{
	exchange_reply_stream(x, 200, npz_type, npz_writer_size(&a->writer),
	                      more, release, a);
}

void archive_send_whole(struct exchange *x, struct archive *a)
{
	const size_t n = npz_writer_size(&a->writer);
	struct text t = { 0 };
	char *room = text_reserve(&t, n);

	if (room)
		text_grew(&t, npz_writer_more(&a->writer, room, n));
	exchange_reply_text(x, 200, npz_type, &t);
	archive_free(a);
}
