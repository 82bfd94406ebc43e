/* npy.c - reads npy files. Elements go straight into the operand's memory as
 * they arrive. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "format/npy_header.h"
#include "format/part.h"

enum {
	MAGIC = 6,
	VERSION_END = 8,
	PROLOGUE = 12,			/* version 1.0: 10 */
};

struct npy_reader {
	struct reader base;
	struct part part;
	char label[PART_NAME];
	struct matrix *target;
	struct text head;		/* up to the end of the dictionary */
	struct npy_header header;
	struct matrix m;
	size_t size, got;		/* bytes of elements */
	bool in_data, ready;
};

/* The head's length, as far as its first bytes tell it. */
static size_t head_length(const struct npy_reader *r)
{
	const unsigned char *h = (const unsigned char *)r->head.data;
	size_t n = r->head.length;

	if (n < VERSION_END)
		return VERSION_END;
	if (h[MAGIC] == 1)
		return n < PROLOGUE - 2 ? PROLOGUE - 2 :
		       (size_t)PROLOGUE - 2 + h[8] + (h[9] << 8);
	return n < PROLOGUE ? PROLOGUE :
	       (size_t)PROLOGUE + h[8] + ((size_t)h[9] << 8) +
	       ((size_t)h[10] << 16) + ((size_t)h[11] << 24);
}

static int check_head(const struct npy_reader *r, struct err *e)
{
	const unsigned char *h = (const unsigned char *)r->head.data;

	if (memcmp(h, "\x93NUMPY", size_min(MAGIC, r->head.length)) != 0)
		return err_set(e, ERR_FORMAT, "%s: not an npy file", r->label);
	if (r->head.length < VERSION_END)
		return 0;
	if (h[MAGIC] < 1 || h[MAGIC] > 3 || h[MAGIC + 1] != 0)
		return err_set(e, ERR_FORMAT, "%s: npy version %d.%d is not "
		               "known, 1.0 to 3.0 are", r->label, h[MAGIC],
		               h[MAGIC + 1]);
	if (head_length(r) > PROLOGUE + NPY_DICT_MOST)
		return err_set(e, ERR_FORMAT, "%s: an npy header beyond %d "
		               "bytes", r->label, NPY_DICT_MOST);
	return 0;
}

/* Checks, before any memory is allocated, that the body can hold the elements
 * that the head announces. */
static int check_size(struct npy_reader *r, struct err *e)
{
	const struct part *p = &r->part;
	uint64_t rest = p->length < r->head.length ? 0 :
	                p->length - r->head.length;
	char text[MATRIX_SHAPE_TEXT];
	size_t n;

	if (matrix_count(&r->m, &n, e) < 0)
		return -1;
	if (!size_mul(n, r->header.element.bytes, &r->size))
		return err_set(e, ERR_TOO_LARGE, "%s: %s elements are beyond "
		               "any memory", r->label,
		               matrix_shape_text(&r->m, text));
	if (r->size == rest || (p->bound && r->size < rest))
		return 0;
	return err_set(e, ERR_FORMAT, "%s: %s elements of %d bytes are %zu "
	               "bytes, the body has %llu", r->label,
	               matrix_shape_text(&r->m, text),
	               r->header.element.bytes, r->size,
	               (unsigned long long)rest);
}

/* ml_dtypes writes bfloat16 as "<V2", which any two bytes may be. */
static int check_type(const struct npy_reader *r, struct err *e)
{
	const struct sink *k = r->part.sink;

	if (r->header.element.kind != 'V' ||
	    (k->dtype && k->dtype(k->arg) == BFLOAT16))
		return 0;
	return err_set(e, ERR_FORMAT, "%s: dtype \"V2\" does not say what its "
	               "elements are; if they are bfloat16, name "
	               "dtype=bfloat16 in the query", r->label);
}

static int begin_data(struct npy_reader *r, struct err *e)
{
	struct npy_header *h = &r->header;
	size_t dict = r->head.data[MAGIC] == 1 ? PROLOGUE - 2 : PROLOGUE;

	if (npy_header_parse(h, r->label, r->head.data + dict,
	                     r->head.length - dict, e) < 0 ||
	    check_type(r, e) < 0)
		return -1;
	r->m.dtype = element_dtype(h->element);
	r->m.ndim = h->ndim;
	memcpy(r->m.dim, h->dim, sizeof h->dim);
	if (check_size(r, e) < 0 ||
	    matrix_alloc_arriving(&r->m, r->part.sink->pool, e))
		return -1;
	r->in_data = true;
	return 0;
}

/* Takes as much of the head as there is; returns the number of bytes, or -1. */
static long feed_head(struct npy_reader *r, const char *bytes, size_t n,
                      struct err *e)
{
	size_t take = 0, want;

	while (!r->in_data && take < n) {
		want = size_min(head_length(r) - r->head.length, n - take);
		text_add(&r->head, bytes + take, want);
		if (r->head.failed)
			return err_set(e, ERR_MEMORY, "no memory for a header");
		take += want;
		if (check_head(r, e) < 0)
			return -1;
		if (r->head.length == head_length(r) && begin_data(r, e) < 0)
			return -1;
	}
	return (long)take;
}

static int npy_feed(struct reader *base, const void *bytes, size_t n,
                    struct err *e)
{
	struct npy_reader *r = (struct npy_reader *)base;
	long head = feed_head(r, bytes, n, e);

	if (head < 0)
		return -1;
	n -= (size_t)head;
	if (n == 0)
		return 0;
	if (n > r->size - r->got)
		return err_set(e, ERR_FORMAT, "%s: bytes after the npy's last "
		               "element", r->label);
	if (element_take(&r->m, r->header.element, r->got,
	                 (const char *)bytes + head, n, e))
		return -1;
	r->got += n;
	if (r->part.sink->arrived && !r->header.fortran &&
	    element_native(r->header.element))
		r->part.sink->arrived(r->part.sink->arg, r->m.memory, r->got);
	return 0;
}

static int npy_finish(struct reader *base, struct err *e)
{
	struct npy_reader *r = (struct npy_reader *)base;

	if (r->ready)
		return 0;
	r->ready = true;
	if (convert_elements(&r->m, r->header.element, e) < 0 ||
	    (r->header.fortran &&
	     convert_fortran(&r->m, r->part.sink->pool, e) < 0))
		return -1;
	*r->target = r->m;
	r->m = (struct matrix){ .ndim = MATRIX_ABSENT };
	return 0;
}

static int npy_end(struct reader *base, bool *work, struct err *e)
{
	struct npy_reader *r = (struct npy_reader *)base;

	if (r->head.length == 0)
		return err_set(e, ERR_FORMAT, "%s: the npy is empty", r->label);
	if (!r->in_data || r->got < r->size)
		return err_set(e, ERR_FORMAT, "%s: the npy ends after %zu of "
		               "%zu bytes", r->label,
		               r->head.length + r->got, r->in_data ?
		               r->head.length + r->size : head_length(r));
	*work = convert_is_long(&r->m) &&
	        (r->header.fortran || !element_native(r->header.element));
	return *work ? 0 : npy_finish(base, e);
}

static void npy_free(struct reader *base)
{
	struct npy_reader *r = (struct npy_reader *)base;

	text_fini(&r->head);
	matrix_fini(&r->m);
	free(r);
}

static double npy_cost(const struct reader *base)
{
	const struct npy_reader *r = (const struct npy_reader *)base;

	return 2.0 * (double)matrix_size(&r->m);
}

static const struct reader_kind npy_kind = {
	npy_feed, npy_end, npy_finish, npy_free, npy_cost,
};

struct reader *npy_open(const struct part *p, struct err *e)
{
	struct matrix *target = part_operand(p, e);
	struct npy_reader *r = target ? calloc(1, sizeof *r) : NULL;

	if (!r) {
		if (target)
			err_set(e, ERR_MEMORY, "no memory for a reader");
		return NULL;
	}
	*r = (struct npy_reader){
		.base.kind = &npy_kind, .part = *p, .target = target,
		.m.ndim = MATRIX_ABSENT,
	};
	part_label(p, r->label, "npy");
	return &r->base;
}
