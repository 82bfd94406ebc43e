/* tensors.c - see tensors.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/slice.h"
#include "format/json_array.h"
#include "format/pieces.h"
#include "format/tensors.h"
#include "format/tensors_head.h"
#include "format/tensors_scan.h"

_Static_assert((int)TENSOR_INPUTS == (int)PIECES, "each has its name");

enum { HEAD = 64 << 10 };		/* most bytes of JSON, lists excluded */

/* The list "data" of an input. It is read before the input's shape and datatype
 * are known, because these may follow it in the JSON. */
struct list {
	struct json_array array;
	struct matrix m;		/* the numbers, in the list's own shape
					 * and type; set in tensors_end() */
	struct matrix *target;		/* the sink's operand */
	struct matrix shape;		/* the input's shape and type */
	struct element element;		/* its datatype */
	int input;			/* the input's index */
};

struct tensors {
	struct reader base;
	const struct sink *sink;
	struct tensor_request *request;
	uint64_t left;			/* bytes of JSON that are missing */
	size_t read;			/* bytes of JSON that have arrived */
	struct tensors_scan scan;
	struct text text;		/* the JSON; each list "data" is
					 * replaced by its index in list[] */
	bool parsed;
	int n;				/* lists */
	bool open;			/* the last list is being read */
	struct list list[PIECES];
	struct pieces pieces;
};

int tensors_point(int input, const char *member, struct err *e)
{
	char parent[ERR_POINTER];

	if (e->code == ERR_MEMORY)
		return -1;
	snprintf(parent, sizeof parent, "/inputs/%d", input);
	return err_point(e, parent, member);
}

static int begin_list(struct tensors *t, struct err *e)
{
	struct list *l = &t->list[t->n];

	if (t->n == PIECES)
		return err_set(e, ERR_REQUEST, "more than %d inputs", PIECES);
	json_array_init(&l->array, "data", t->sink->pool);
	l->array.words = true;
	l->input = t->scan.input;
	l->m.ndim = MATRIX_ABSENT;
	text_printf(&t->text, "%d", t->n++);
	t->open = true;
	return 0;
}

/* Passes bytes to the list that is being read. */
static int feed_list(struct tensors *t, const char **p, const char *end,
                     struct err *e)
{
	struct json_array *a = &t->list[t->n - 1].array;
	const char *const from = *p;
	int rc;

	a->before = t->read;
	rc = json_array_feed(a, p, end, e);
	t->read += (size_t)(*p - from);
	if (rc > 0)
		t->open = false;
	return rc < 0 ? tensors_point(t->list[t->n - 1].input, "data", e) : 0;
}

/* Reads bytes of the JSON, from p up to end. */
static int feed_head(struct tensors *t, const char *p, const char *end,
                     struct err *e)
{
	while (p < end) {
		enum scanned found;

		if (t->open) {
			if (feed_list(t, &p, end, e))
				return -1;
			continue;
		}
		found = tensors_scan(&t->scan, *p);
		if (found == SCAN_NO_LIST) {
			err_set(e, ERR_FORMAT, "data must be a list of "
			        "numbers");
			return tensors_point(t->scan.input, "data", e);
		}
		if (found == SCAN_LIST) {
			if (begin_list(t, e))
				return -1;
			continue;
		}
		if (t->text.length == HEAD)
			return err_set(e, ERR_TOO_LARGE, "the JSON has more "
			               "than %d bytes without its data", HEAD);
		text_add(&t->text, p++, 1);
		t->read++;
	}
	return t->text.failed ? err_set(e, ERR_MEMORY, "no memory for the "
	                                "request") : 0;
}

/* Takes an input of the parsed JSON: its elements are a list that has been
 * read, or they follow the JSON as a binary piece. */
static int take_input(void *arg, const struct tensor_input *in, struct err *e)
{
	struct tensors *t = arg;
	struct tensor_request *const r = t->request;
	struct list *l;
	size_t size;

	if (r->inputs < TENSOR_INPUTS)
		strcpy(r->input[r->inputs++], in->name);

	if (in->list < 0) {
		if (pieces_add(&t->pieces, in->name, &in->shape, in->element,
		               e))
			return -1;
		size = t->pieces.piece[t->pieces.n - 1].size;
		if (size == in->bytes)
			return 0;
		return err_set_at(e, ERR_FORMAT, "/inputs", "%s: the shape "
		                  "needs %zu bytes, binary_data_size is %"
		                  PRIu64, in->name, size, in->bytes);
	}
	if (in->list >= t->n)
		return err_set_at(e, ERR_FORMAT, "/inputs", "%s: data must be "
		                  "a list of numbers", in->name);
	l = &t->list[in->list];
	l->shape = in->shape;
	l->shape.dtype = element_dtype(in->element);
	l->element = in->element;
	l->target = t->sink->operand(t->sink->arg, in->name, e);
	return l->target ? 0 : -1;
}

static int parse(struct tensors *t, struct err *e)
{
	t->parsed = true;
	if (t->open)
		return err_set(e, ERR_FORMAT, "the JSON ends within a list");
	if (tensors_head_parse(&t->text, t->sink, t->request, take_input, t,
	                       e))
		return -1;
	return pieces_alloc(&t->pieces, e);
}

static int tensors_feed(struct reader *base, const void *bytes, size_t n,
                        struct err *e)
{
	struct tensors *t = (struct tensors *)base;
	const size_t head = n < t->left ? n : (size_t)t->left;
	const char *from = bytes;

	if (head && feed_head(t, from, from + head, e))
		return -1;
	if (t->left != UINT64_MAX)
		t->left -= head;
	if (t->left == 0 && !t->parsed && parse(t, e))
		return -1;
	if (n == head)
		return 0;
	return t->pieces.n ? pieces_feed(&t->pieces, from + head, n - head, e) :
	       err_set(e, ERR_FORMAT, "bytes after the JSON, and no input has "
	               "binary_data_size");
}

/* Moves a list's numbers to l->m and gives them the input's shape. ERR_FORMAT
 * if the number of elements differs. */
static int settle_list(struct list *l, struct err *e)
{
	size_t wanted;

	if (json_array_take(&l->array, &l->m, e) ||
	    matrix_count(&l->shape, &wanted, e))
		return -1;
	if (l->array.worded && l->element.kind != 'b')
		return err_set(e, ERR_FORMAT, "data has true or false, which "
		               "datatype BOOL has alone");
	if (matrix_elements(&l->m) != wanted)
		return err_set_at(e, ERR_FORMAT, "/inputs", "data has %zu "
		                  "elements, the shape %zu",
		                  matrix_elements(&l->m), wanted);
	l->m.ndim = l->shape.ndim;
	memcpy(l->m.dim, l->shape.dim, sizeof l->m.dim);
	return 0;
}

static bool list_is_long(const struct list *l)
{
	return (l->m.dtype != l->shape.dtype || l->element.kind != 'f') &&
	       convert_is_long(&l->m);
}

static int tensors_end(struct reader *base, bool *work, struct err *e)
{
	struct tensors *t = (struct tensors *)base;

	if (t->left != UINT64_MAX && t->left)
		return err_set(e, ERR_FORMAT, "the body ends within its JSON");
	if ((!t->parsed && parse(t, e)) || pieces_end(&t->pieces, work, e))
		return -1;
	for (int i = 0; i < t->n; i++) {
		if (settle_list(&t->list[i], e))
			return tensors_point(t->list[i].input, "data", e);
		*work |= list_is_long(&t->list[i]);
	}
	return 0;
}

/* Checks that a list's integers are of its datatype, which may be narrower than
 * the type that they are kept in. */
static int check_range(const struct list *l, struct err *e)
{
	const struct element x = l->element;
	const int bits = x.kind == 'b' ? 1 : 8 * x.bytes;
	const bool is_signed = x.kind == 'i';
	const double stop = ldexp(1, is_signed ? bits - 1 : bits);
	const double least = is_signed ? -stop : 0;

	if (!strchr("iub", x.kind) || (is_signed && x.bytes >= 4))
		return 0;
	for (size_t i = 0, n = matrix_elements(&l->m); i < n; i++) {
		const double one = matrix_get(&l->m, i);

		if (slice_every(i, e))
			return -1;
		/* 2^64 - 1 is 2^64 in float64. */
		if (one < least || one > stop || one != rint(one) ||
		    (one == stop && bits < 64))
			return err_set(e, ERR_FORMAT, "element %zu of data is "
			               "%.17g, which is no %s", i, one,
			               tensor_element_name(x));
	}
	return 0;
}

/* Gives a list's numbers the type of its datatype. */
static int convert_list(struct list *l, struct memory_pool *p, struct err *e)
{
	/* As in binary, what is beyond int64 becomes float64. */
	const bool beyond = l->element.kind == 'u' && l->element.bytes == 8 &&
	                    l->array.whole.beyond;

	if (check_range(l, e) ||
	    (!beyond &&
	     matrix_convert_operand(&l->m, l->shape.dtype, "data", p, e)))
		return tensors_point(l->input, "data", e);
	l->m.text = false;
	l->m.rounded = beyond;
	return 0;
}

static int tensors_finish(struct reader *base, struct err *e)
{
	struct tensors *t = (struct tensors *)base;

	for (int i = 0; i < t->n; i++) {
		struct list *l = &t->list[i];

		if (convert_list(l, t->sink->pool, e))
			return -1;
		*l->target = l->m;
		l->m = (struct matrix){ .ndim = MATRIX_ABSENT };
	}
	t->n = 0;
	return pieces_finish(&t->pieces, e);
}

static void tensors_free(struct reader *base)
{
	struct tensors *t = (struct tensors *)base;

	for (int i = 0; i < PIECES && t->list[i].array.label; i++) {
		json_array_fini(&t->list[i].array);
		matrix_fini(&t->list[i].m);
	}
	pieces_fini(&t->pieces);
	text_fini(&t->text);
	free(t);
}

static double tensors_cost(const struct reader *base)
{
	const struct tensors *t = (const struct tensors *)base;
	double bytes = pieces_cost(&t->pieces);

	for (int i = 0; i < t->n; i++)
		bytes += 3.0 * (double)matrix_size(&t->list[i].m);
	return bytes;
}

static const struct reader_kind tensors_kind = {
	tensors_feed, tensors_end, tensors_finish, tensors_free, tensors_cost,
};

struct reader *tensors_open(const struct sink *k, uint64_t head,
                            struct tensor_request *r, struct err *e)
{
	struct tensors *t = calloc(1, sizeof *t);

	if (!t) {
		err_set(e, ERR_MEMORY, "no memory for a reader");
		return NULL;
	}
	t->base.kind = &tensors_kind;
	t->sink = t->pieces.sink = k;
	t->request = r;
	t->left = head;
	return &t->base;
}
