/* matrix_write.c - see matrix_write.h. */
#include "http/etag.h"
#include "http/matrix_write.h"

void matrix_write_init(struct matrix_write *w, struct exchange *x)
{
	*w = (struct matrix_write){
		.x = x, .api = exchange_context(x), .by.arg = w,
		.matrix.ndim = MATRIX_ABSENT,
	};
}

void matrix_write_fini(struct matrix_write *w)
{
	ask_cancel(&w->by);
	wanted_fini(&w->target);
	matrix_fini(&w->matrix);
}

static void on_put(void *arg, uint64_t version, bool new, const struct err *e)
{
	struct exchange *const x = ((struct matrix_write *)arg)->x;
	const struct stored s = { .version = version };
	struct text none = { 0 };
	char etag[ETAG_TEXT];

	if (e->code) {
		exchange_reply_problem(x, e, NULL);
		return;
	}
	if (new)
		exchange_reply_header(x, "Location", exchange_path(x));
	exchange_reply_header(x, "ETag", etag_of(&s, NULL, etag));
	exchange_reply_text(x, new ? 201 : 204, NULL, &none);
}

static int put(struct matrix_write *w, const uint64_t *expected)
{
	struct depot *const d = w->api->options.depot;

	d->calls->put(d, exchange_tenant(w->x), exchange_segment(w->x, 0),
	              &w->matrix, w->ttl_ns, expected, on_put, &w->by);
	matrix_fini(&w->matrix);
	return 0;
}

static const struct stored *found(const struct matrix_write *w)
{
	return wanted_found(&w->target, exchange_segment(w->x, 0),
	                    &(struct err){ 0 });
}

static int on_early_target(void *arg, struct err *e)
{
	const struct matrix_write *const w = arg;

	return etag_admit_change(w->x, found(w), e);
}

/* Checks the preconditions. The matrix is stored only if the name still has the
 * same version then. */
static int on_target(void *arg, struct err *e)
{
	struct matrix_write *const w = arg;
	const struct stored *s = found(w);
	const uint64_t expected = s ? s->version : 0;

	return etag_admit_change(w->x, s, e) ? -1 : put(w, &expected);
}

static int want_target(struct matrix_write *w, struct err *e)
{
	wanted_fini(&w->target);
	return wanted_init(&w->target, w->x, e) ||
	       wanted_note(&w->target, exchange_segment(w->x, 0), e) < 0 ?
	       -1 : 0;
}

int matrix_write_check(struct matrix_write *w, struct err *e)
{
	if (!etag_has_conditions(w->x))
		return 0;
	if (want_target(w, e))
		return -1;
	wanted_hold(&w->target, on_early_target, w);
	return 0;
}

int matrix_write(struct matrix_write *w, struct matrix *m, int64_t ttl_ns,
                 struct err *e)
{
	w->matrix = *m;
	w->ttl_ns = ttl_ns;
	*m = (struct matrix){ .ndim = MATRIX_ABSENT };
	if (!etag_has_conditions(w->x))
		return put(w, NULL);
	if (want_target(w, e))
		return -1;
	wanted_look(&w->target, WANTED_ROWS, on_target, w);
	return 0;
}
