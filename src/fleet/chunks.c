/* chunks.c - see chunks.h. */
#include <string.h>

#include "base/size.h"
#include "fleet/chunks.h"

struct writing {
	struct pg *pg;
	const char *job;
	int64_t run, next_number;
};

static int take(void *arg, const void *bytes, size_t n, struct err *e)
{
	struct writing *const w = arg;
	char run[PG_DIGITS], number[PG_DIGITS];
	const struct pg_value v[] = {
		pg_text(w->job), pg_number(w->run, run),
		pg_number(w->next_number++, number), pg_bytes(bytes, n),
	};

	return pg_do(w->pg, S_ADD_CHUNK, v, e);
}

int chunks_write(struct pg *p, const char *job, int64_t run,
                 const struct matrix *m, size_t n, struct err *e)
{
	struct writing w = { .pg = p, .job = job, .run = run };

	return payload_send(m, n, CHUNK_BYTES, take, &w, e);
}

struct reading {
	struct pg *pg;
	struct pg_answer *chunk;	/* NULL: none was read yet */
	size_t at;			/* its next byte */
};

static int next_chunk(struct reading *r, struct err *e)
{
	pg_answer_free(r->chunk);
	r->at = 0;
	r->chunk = pg_stream_next(r->pg, e);
	if (r->chunk)
		return 0;
	return e->code ? -1 : err_set(e, ERR_GONE, "a part of it is not in "
	                              "the queue's database any more");
}

static int give(void *arg, void *to, size_t n, struct err *e)
{
	struct reading *const r = arg;

	for (char *p = to; n > 0;) {
		size_t now;

		if ((!r->chunk || r->at == pg_length(r->chunk, 0, 0)) &&
		    next_chunk(r, e))
			return -1;
		now = size_min(n, pg_length(r->chunk, 0, 0) - r->at);
		memcpy(p, pg_get(r->chunk, 0, 0) + r->at, now);
		r->at += now;
		p += now;
		n -= now;
	}
	return 0;
}

int chunks_read(struct pg *p, const char *job, int64_t run, uint64_t bytes,
                struct matrix *m, size_t most, size_t *n,
                struct memory_pool *pool, struct err *e)
{
	struct reading r = { .pg = p };
	char number[PG_DIGITS];
	const struct pg_value v[] = { pg_text(job), pg_number(run, number) };
	int rc;

	if (pg_stream(p, S_READ_CHUNKS, v, e))
		return -1;
	rc = payload_receive(give, &r, bytes, job, m, most, n, pool, e);
	pg_answer_free(r.chunk);
	pg_stream_end(p);
	return rc;
}
