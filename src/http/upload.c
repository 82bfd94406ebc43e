/* upload.c - see upload.h. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "base/size.h"
#include "http/upload.h"

/* Checks that the operands will fit, assuming the size of a binary body. */
static int check_memory(const struct memory_pool *p, uint64_t length,
                        struct err *e)
{
	const size_t limit = memory_pool_limit(p);
	const size_t used = size_min(memory_pool_used(p), limit);

	if (length > limit)
		return err_set(e, ERR_TOO_LARGE, "the body has %llu bytes, %zu "
		               "are the limit for all matrices",
		               (unsigned long long)length, limit);
	if (length > limit - used)
		return err_set(e, ERR_MEMORY, "the body has %llu bytes, %zu of "
		               "%zu for matrices are left",
		               (unsigned long long)length, limit - used, limit);
	return 0;
}

/* Refuses a media type. curl -d and --data-binary send a form's type unless one
 * is given, so the error explains that. */
static int refuse_media(const char *media, struct err *e)
{
	static const char form[] = "application/x-www-form-urlencoded";
	struct nearest near = nearest_to(media);

	if (strncasecmp(media, form, sizeof form - 1) == 0)
		return err_set(e, ERR_MEDIA, "Content-Type is %s, as curl -d "
		               "sends it; use curl --json, or add -H "
		               "'Content-Type: application/json'", form);
	for (const struct format *f = formats; f->media_type; f++)
		nearest_try(&near, f->media_type);
	return err_set(e, ERR_MEDIA, "Content-Type is %.80s%s Taken are "
	               "application/json, x-npy, x-npz, octet-stream, "
	               "x-matrix-market and multipart/form-data",
	               *media ? media : "missing", nearest_hint_and(&near));
}

static const struct format *find_format(const struct exchange *x,
                                        const struct memory_pool *p,
                                        const char *media, struct err *e)
{
	const uint64_t length = exchange_length(x);
	const struct format *f = format_find(media);

	if (!f) {
		refuse_media(media, e);
		return NULL;
	}
	if (exchange_is_coded(x))
		return f;
	if (f->needs_length && length == UINT64_MAX) {
		err_set(e, ERR_LENGTH, "%s needs a Content-Length",
		        f->media_type);
		return NULL;
	}
	if (f->needs_length && check_memory(p, length, e))
		return NULL;
	return f;
}

struct reader *upload_open(const struct exchange *x, const struct sink *k,
                           struct err *e)
{
	const char *media = exchange_header(x, "Content-Type");
	const struct format *f;

	if (!media)
		media = "";
	f = find_format(x, k->pool, media, e);
	return f ? f->open(k, media, exchange_length(x), e) : NULL;
}

int upload_dtype(const char *value, int *dtype, struct err *e)
{
	struct nearest near = nearest_to(value);
	enum dtype d;

	if (dtype_find(value, &d) == 0) {
		*dtype = (int)d;
		return 0;
	}
	for (int i = 0; i < DTYPE_COUNT; i++)
		nearest_add(&near, dtype_name((enum dtype)i));
	err_set(e, ERR_PARAMETER, "dtype is %.60s, must be one of %s%s", value,
	        nearest_list(&near), nearest_hint(&near));
	nearest_fini(&near);
	return -1;
}

int upload_wants_dtype(struct err *e)
{
	return err_set_at(e, ERR_PARAMETER, "?dtype", "raw octets need dtype, "
	                  "as in ?shape=3,4&dtype=float32");
}

int upload_wants_no_shape(const char *name, bool in_query, struct err *e)
{
	char pointer[ERR_POINTER];

	if (in_query)
		snprintf(pointer, sizeof pointer, "?%s", name);
	else
		err_pointer(pointer, "", name);
	return err_set_at(e, ERR_PARAMETER, pointer, "%.60s is for bodies of "
	                  "application/octet-stream alone", name);
}

int upload_settle(struct matrix *m, const char *name, int dtype, bool raw,
                  struct memory_pool *p, struct err *e)
{
	const bool only_raw = dtype == BOOL;

	if (dtype < 0 && m->rounded)
		return err_set_at(e, ERR_FORMAT, "/matrix", "matrix: it has "
		                  "integers that cannot be kept exact: beyond "
		                  "int64, or of a sparse matrix beyond 2^53; "
		                  "dtype=float64 rounds them");
	if (dtype < 0 || (only_raw && raw))
		return 0;
	if (only_raw)
		return err_set_at(e, ERR_PARAMETER, "/dtype", "dtype %s is "
		                  "for bodies of application/octet-stream "
		                  "alone", dtype_name((enum dtype)dtype));
	if (matrix_convert_operand(m, (enum dtype)dtype, name, p, e) < 0)
		return -1;
	m->rounded = false;
	return 0;
}
