/* matrix_put.c - PUT /matrices/{name}: stores a matrix from a body in any
 * format that operands may have. JSON and forms name the matrix "matrix".
 *
 *     begin -> body ... -> done -> prepare (on a pool thread if it is long)
 *                                     |
 *                           reply <- keep (matrix_write.h)
 */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "format/json_value.h"
#include "format/octets.h"
#include "http/etag.h"
#include "http/matrix_write.h"
#include "http/outputs.h"
#include "http/service.h"
#include "http/shares.h"
#include "http/upload.h"
#include "http/wanted.h"
#include "matrix/convert.h"
#include "queue/quota.h"

static const char operand[] = "matrix";

struct put {
	struct exchange *x;		/* NULL: the client has left */
	struct matrix_write write;
	struct api *api;
	struct wanted wanted;		/* what the body refers to */
	struct tenant *tenant;
	struct memory_pool *memory;
	struct matrix matrix;
	bool given;
	struct matrix shape;		/* of raw octets, or absent */
	bool shape_used, shape_in_query;
	int dtype;			/* -1: the body's */
	int64_t ttl_ns;			/* time to live; -1: the service's */
	struct sink sink;
	struct reader *reader;
	struct task task;
	bool preparing;			/* the pool uses this: do not free */
	bool work;			/* preparing takes long */
	bool finished;			/* reader_finish() was called */
	struct err err;			/* of preparing */
};

static void put_free(struct put *p)
{
	reader_free(p->reader);
	matrix_fini(&p->matrix);
	matrix_write_fini(&p->write);
	wanted_fini(&p->wanted);
	free(p);
}

/* --- callbacks of the reader and the query */

static int refuse_name(const char *name, struct err *e)
{
	struct nearest near = nearest_to(name);

	nearest_add(&near, "dtype");
	nearest_add(&near, "shape");
	nearest_add(&near, "ttl");
	nearest_try(&near, operand);
	err_set(e, ERR_PARAMETER, "there is no parameter %.60s here, only "
	        "%s%s", name, nearest_list(&near), nearest_hint(&near));
	nearest_fini(&near);
	return -1;
}

static int set_dtype(struct put *p, const char *value, struct err *e)
{
	if (p->dtype >= 0)
		return err_set(e, ERR_PARAMETER, "dtype is given twice");
	return upload_dtype(value, &p->dtype, e);
}

/* Reads the parameter `ttl`, the time to live in seconds; 0 means no limit. */
static int set_ttl(struct put *p, const char *value, struct err *e)
{
	if (p->ttl_ns >= 0)
		return err_set(e, ERR_PARAMETER, "ttl is given twice");
	return outputs_ttl(value, &p->ttl_ns, e);
}

static unsigned kinds(void *arg, const char *name)
{
	(void)arg;
	return strcmp(name, "dtype") == 0 ? VALUE_STRING :
	       strcmp(name, "ttl") == 0 ? VALUE_NUMBER :
	       strcmp(name, "shape") == 0 ? VALUE_STRING | VALUE_NUMBERS :
	       VALUE_PLAIN;
}

static int take_parameter(void *arg, const char *name, const char *value,
                          struct err *e)
{
	struct put *p = arg;

	if (strcmp(name, "dtype") == 0)
		return set_dtype(p, value, e);
	if (strcmp(name, "ttl") == 0)
		return set_ttl(p, value, e);
	if (strcmp(name, "shape") != 0)
		return refuse_name(name, e);
	if (p->shape.ndim != MATRIX_ABSENT)
		return err_set(e, ERR_PARAMETER, "shape is given twice");
	return octet_shape(name, value, &p->shape, e);
}

static bool is_operand(void *arg, const char *name)
{
	(void)arg;
	return strcmp(name, operand) == 0;
}

static int refuse_operand(const char *name, struct err *e)
{
	return err_set(e, ERR_REQUEST, "the matrix is named \"%s\", not %.60s",
	               operand, name);
}

static int check_name(void *arg, const char *name, bool matrix,
                      struct err *e)
{
	if (is_operand(arg, name) || strcmp(name, "dtype") == 0 ||
	    strcmp(name, "shape") == 0 || strcmp(name, "ttl") == 0)
		return 0;
	return (matrix ? refuse_operand : refuse_name)(name, e);
}

static struct matrix *take_operand(void *arg, const char *name, struct err *e)
{
	struct put *p = arg;

	if (name && !is_operand(NULL, name))
		refuse_operand(name, e);
	else if (p->given)
		err_set(e, ERR_REQUEST, "there is more than one matrix");
	else {
		p->given = true;
		p->matrix.layout = CSR;
		return &p->matrix;
	}
	return NULL;
}

static int raw_layout(void *arg, int i, const char **name,
                      struct matrix *shape, struct err *e)
{
	struct put *p = arg;

	p->shape_used = true;
	if (i > 0 || p->shape.ndim == MATRIX_ABSENT)
		return 0;
	if (p->dtype < 0)
		return upload_wants_dtype(e);
	*name = operand;
	*shape = p->shape;
	shape->dtype = (enum dtype)p->dtype;
	return 1;
}

static int named_dtype(void *arg)
{
	return ((const struct put *)arg)->dtype;
}

static int fetched(void *arg, const char *name, struct matrix *m,
                   struct err *e)
{
	const struct put *p = arg;
	const struct stored *s = wanted_found(&p->wanted, name, e);

	if (!s)
		return -1;
	*m = matrix_ref(&s->matrix);
	return 0;
}

static int find_reference(void *arg, const char *name, struct matrix *m,
                          struct err *e)
{
	const int noted = wanted_note(&((struct put *)arg)->wanted, name, e);

	return noted ? noted : fetched(arg, name, m, e);
}

/* The elements are copied, since those of a stored matrix must not change. */
static int find_share(void *arg, const char *id, const struct matrix *m,
                      struct memory **from, struct err *e)
{
	const struct put *p = arg;

	(void)m;
	*from = memory_ref(shares_find(p->api->shares, p->tenant, id, e));
	return *from ? 1 : -1;
}

/* --- the handler */

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct depot *const d = ((struct api *)exchange_context(x))->
	                        options.depot;
	struct put *p;

	if (store_check_name(exchange_segment(x, 0), e))
		return -1;
	p = calloc(1, sizeof *p);
	if (!p)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	*state = p;
	p->api = exchange_context(x);
	p->x = x;
	matrix_write_init(&p->write, x);
	p->tenant = exchange_tenant(x);
	p->memory = p->api->options.memory;
	p->matrix.ndim = p->shape.ndim = MATRIX_ABSENT;
	p->dtype = -1;
	p->ttl_ns = -1;
	wanted_make_room(x);
	if (!depot_is_well(d, e) ||
	    quota_store_more(p->tenant, d->store, exchange_segment(x, 0), e) ||
	    wanted_init(&p->wanted, x, e) ||
	    exchange_query(x, take_parameter, p, e))
		return -1;
	p->shape_in_query = p->shape.ndim != MATRIX_ABSENT;
	p->sink = (struct sink){
		.operand = take_operand, .parameter = take_parameter,
		.is_operand = is_operand, .kinds = kinds,
		.check_name = check_name, .layout = raw_layout,
		.dtype = named_dtype,
		.reference = find_reference, .fetched = fetched,
		.share = find_share,
		.pool = p->memory, .arg = p,
	};
	p->reader = upload_open(x, &p->sink, e);
	return p->reader ? matrix_write_check(&p->write, e) : -1;
}

static int body(struct exchange *x, void *state, const void *bytes, size_t n,
                struct err *e)
{
	struct put *p = state;

	(void)x;
	return reader_feed(p->reader, bytes, n, e);
}

/* Shrinks the matrix's memory to its size: the rest would otherwise be kept as
 * long as the matrix. */
static void cut(struct matrix *m, struct err *e)
{
	const size_t bytes = matrix_size(m);

	if (m->memory->refs == 1 && m->memory->bytes > bytes)
		memory_resize(&m->memory, bytes, e);
}

static int make(struct put *p, struct err *e)
{
	if (!p->finished && reader_finish(p->reader, e))
		return -1;
	if (p->matrix.ndim == MATRIX_ABSENT)
		return err_set(e, ERR_REQUEST, "there is no matrix in the "
		               "body");
	if (upload_settle(&p->matrix, operand, p->dtype, p->shape_used,
	                  p->memory, e))
		return -1;
	cut(&p->matrix, e);
	return 0;
}

/* Runs on any thread; long work is done in slices (base/slice.h). */
static void prepare(void *arg)
{
	struct put *p = arg;

	if (make(p, &p->err))
		matrix_fini(&p->matrix);	/* slow if it is large */
	reader_free(p->reader);
	p->reader = NULL;
}

static int keep(struct put *p, struct err *e)
{
	const int64_t ttl_ns = p->ttl_ns < 0 ?
	    store_ttl(p->api->options.depot->store) : p->ttl_ns;

	if (p->err.code != ERR_NONE) {
		*e = p->err;
		return -1;
	}
	return matrix_write(&p->write, &p->matrix, ttl_ns, e);
}

static void prepared(void *arg)
{
	struct put *p = arg;
	struct err e = { 0 };

	p->preparing = false;
	engine_vacate(p->api->options.engine);
	if (!p->x)
		put_free(p);
	else if (keep(p, &e))
		exchange_reply_problem(p->x, &e, NULL);
}

static bool converts_long(const struct put *p)
{
	return p->dtype >= 0 && p->matrix.ndim != MATRIX_ABSENT &&
	       (int)p->matrix.dtype != p->dtype &&
	       convert_is_long(&p->matrix);
}

static int prepare_later(struct put *p, struct err *e)
{
	double bytes = 2.0 * (double)matrix_size(&p->matrix);

	if (engine_occupy(p->api->options.engine, e))
		return -1;
	if (!p->finished)
		bytes += reader_cost(p->reader);
	sink_retire(&p->sink);
	p->preparing = true;
	pool_submit(p->api->options.codec, &p->task, pool_cost_ns(bytes),
	            prepare, prepared, p);
	return 0;
}

/* Goes on when the matrices that the body refers to are there. */
static int go_on(void *arg, struct err *e)
{
	struct put *p = arg;
	bool work = p->work;

	if (!work) {
		if (reader_finish(p->reader, e))
			return -1;
		p->finished = true;
		work = converts_long(p);
	}
	if (work)
		return prepare_later(p, e);
	prepare(p);
	return keep(p, e);
}

static int done(struct exchange *x, void *state, struct err *e)
{
	struct put *p = state;

	(void)x;
	if (reader_end(p->reader, &p->work, e))
		return -1;
	if (p->shape.ndim != MATRIX_ABSENT && !p->shape_used)
		return upload_wants_no_shape("shape", p->shape_in_query, e);
	wanted_look(&p->wanted, WANTED_ELEMENTS, go_on, p);
	return 0;
}

static void end(struct exchange *x, void *state)
{
	struct put *p = state;

	if (!p)
		return;
	(void)x;
	service_trim_later(p->api);
	p->x = NULL;
	if (p->preparing)
		pool_cancel(&p->task);
	else
		put_free(p);
}

const struct handler matrix_put_handler = { begin, body, done, NULL, end };
