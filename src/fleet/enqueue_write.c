/* enqueue_write.c - writes a job to the database, on a thread of the crew. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/chunks.h"
#include "fleet/enqueue_state.h"

/* Transactions at most for a key that other hosts insert at the same time. */
enum { KEY_TRIES = 5 };

/* Inserts the row, with the operands in it if they are packed. *done: it was
 * inserted; otherwise the id or the key exists already. */
static int insert(struct enqueuing *x, struct pg *p, const char *packed,
                  size_t n, bool *done, struct err *e)
{
	char priority[PG_DIGITS], left[PG_DIGITS], need[PG_DIGITS],
	     bytes[PG_DIGITS], charge[PG_DIGITS], use_bytes[PG_DIGITS];
	char versions[USES_TEXT];
	const struct pg_value none = pg_text(NULL), v[] = {
		pg_text(x->id), pg_text(x->tenant),
		*x->key ? pg_bytes(x->key, strlen(x->key)) : none,
		*x->key ? pg_bytes(x->fingerprint, sizeof x->fingerprint) :
		          none,
		pg_bytes(x->request.data, x->request.length),
		pg_number(x->priority, priority), pg_text(x->device),
		pg_text(x->float64 ? "t" : "f"),
		x->has_deadline ? pg_number(x->left_ms, left) : none,
		pg_number(x->need, need),
		pg_number(uses_column(&x->uses, x->bytes, x->stores, *x->file),
		          bytes),
		packed ? pg_bytes(packed, n) : none, pg_text(charge),
		pg_text(x->quiet ? "f" : "t"),
		pg_text(uses_print(&x->uses, versions)),
		pg_number((int64_t)x->uses.bytes, use_bytes),
		pg_text(*x->file ? x->file : NULL),
	};
	int rows;

	snprintf(charge, sizeof charge, "%.3f", x->charge_ms);
	rows = pg_count(p, S_INSERT, v, e);
	*done = rows == 1;
	return rows < 0 ? -1 : 0;
}

/* Has an earlier execution of this call inserted the job, whose answer to
 * COMMIT was lost? */
static int check_there(struct enqueuing *x, struct pg *p, bool *there,
                       struct err *e)
{
	const struct pg_value v[] = { pg_text(x->id), pg_text(x->tenant) };
	const int rows = pg_count(p, S_FIND, v, e);

	*there = rows == 1;
	return rows < 0 ? -1 : 0;
}

/* Looks for a job with the key, and locks its row. If that job serves the
 * request, sets x->old; if it does not, or not any more, takes the key from
 * it. */
static int check_key(struct enqueuing *x, struct pg *p, struct err *e)
{
	const struct pg_value v[] = {
		pg_text(x->tenant), pg_bytes(x->key, strlen(x->key)),
	};
	struct pg_answer *a = pg_ask(p, S_FIND_KEY, v, e);
	char id[JOB_ID];
	bool serves, same;

	if (!a)
		return -1;
	if (!pg_rows(a)) {
		pg_answer_free(a);
		return 0;
	}
	snprintf(id, sizeof id, "%s", pg_get(a, 0, 0));
	serves = pg_integer(a, 0, 2);
	same = pg_length(a, 0, 3) == sizeof x->fingerprint &&
	       memcmp(pg_get(a, 0, 3), x->fingerprint,
	              sizeof x->fingerprint) == 0;
	pg_answer_free(a);
	if (strcmp(id, x->id) == 0)
		return 0;
	if (!same)
		return err_set(e, ERR_KEY_REUSED, "Idempotency-Key %.64s came "
		               "with another request before, job %s", x->key,
		               id);
	if (serves)
		strcpy(x->old, id);
	return serves ? 0 : pg_do(p, S_FREE_KEY,
	                          (struct pg_value[]){ pg_text(id) }, e);
}

/* Inserts the row within a transaction, and the operands as chunks if they are
 * neither packed nor in a file. */
static int insert_all(struct enqueuing *x, struct pg *p, const char *packed,
                      size_t n, bool *done, struct err *e)
{
	struct matrix payload[RECORD_OPERANDS];

	if (*x->key && check_key(x, p, e))
		return -1;
	*done = *x->old;
	if (*done)
		return 0;
	if ((x->uses.any && uses_pin(&x->uses, p, e)) ||
	    insert(x, p, packed, n, done, e))
		return -1;
	if (!*done)
		return check_there(x, p, done, e);
	uses_leave_out(&x->uses, x->operand, x->n, payload);
	return packed || *x->file ? 0 :
	       chunks_write(p, x->id, CHUNK_OPERANDS, payload, x->n, e);
}

/* If another host inserts the same key at the same time, then insert() inserts
 * nothing, and the next transaction finds the key. */
static int transact(struct enqueuing *x, struct pg *p, const char *packed,
                    size_t n, struct err *e)
{
	bool done = false;

	for (int i = 0; i < KEY_TRIES && !done; i++) {
		if (pg_begin(p, e))
			return -1;
		if (pg_end(p, insert_all(x, p, packed, n, &done, e), e))
			return -1;
	}
	return done ? 0 : err_set(e, ERR_CONFLICT, "Idempotency-Key %.64s is "
	                          "in use at the moment", x->key);
}

/* The stored matrices that the job uses must be pinned in the transaction that
 * inserts its row. */
int enqueue_write(struct enqueuing *x, struct pg *p, struct err *e)
{
	const struct call *const c = &x->call;
	struct matrix payload[RECORD_OPERANDS];
	char *packed = NULL;
	bool done = false;
	size_t n = 0;
	int rc;

	uses_leave_out(&x->uses, x->operand, x->n, payload);
	if (x->bytes > CHUNK_INLINE)
		shared_write(x->shared, x->bytes, payload, x->n, x->file);
	else if (!(packed = payload_pack(payload, x->n, &n, e)))
		return -1;
	rc = packed && !x->uses.any ? insert(x, p, packed, n, &done, e) : 0;
	if (rc == 0 && !done && c->in_batch)
		rc = err_set(e, ERR_CONFLICT, "the job exists already");
	if (rc == 0 && !done)
		rc = transact(x, p, packed, n, e);
	free(packed);
	return rc;
}
