/* question.c - see question.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "bench/client.h"
#include "bench/question.h"
#include "format/writer.h"
#include "matrix/generate.h"

#define BOUNDARY "linalgd-bench"
#define OCTET_STREAM "application/octet-stream"
#define X_NPY "application/x-npy"

const char *const question_formats[] = {
	[OCTETS] = "octets", [JSON] = "json", [NPY] = "npy",
};

static const char *const names[QUESTION_OPERANDS] = { "a", "b" };

/* Element (0, 0) of the product. */
static double first_of_product(const struct question *q)
{
	double sum = 0;

	for (size_t k = 0; k < q->n; k++)
		sum += matrix_get(&q->in[0], k) *
		       matrix_get(&q->in[1], k * q->n);
	return sum;
}

/* The first pivot, the largest element of the first column. */
static double first_of_factors(const struct question *q)
{
	double most = 0;

	for (size_t i = 0; i < q->n; i++)
		most = fmax(most, matrix_get(&q->in[0], i * q->n));
	return most;
}

/* The dominant eigenvalue of a matrix of random numbers from (0, 1), which is
 * about n times their mean. */
static double eigenvalue(const struct question *q)
{
	return (double)q->n / 2;
}

static const struct kind {
	const char *op;
	int operands;
	const char *result;		/* the first output */
	double (*first)(const struct question *q);
	double tolerance;		/* relative */
	bool wide;			/* its raw octets are float64 */
} kinds[] = {
	{ "matmul", 2, "\"c\":", first_of_product, 1e-4, false },
	{ "lu", 1, "\"lu\":", first_of_factors, 1e-4, false },
	{ "eigen", 1, "\"eigenvalue\":", eigenvalue, 0.1, true },
};

static const struct kind *kind_of(const struct question *q)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (strcmp(kinds[i].op, q->op) == 0)
			return &kinds[i];
	return NULL;
}

static int make_operand(struct matrix *m, size_t n, uint64_t seed,
                        struct memory_pool *pool, struct err *e)
{
	const struct generator *g = generator_find("random", e);

	*m = (struct matrix){ .dtype = FLOAT32, .ndim = 2, .dim = { n, n } };
	if (!g || matrix_alloc(m, pool, e) < 0)
		return -1;
	generator_fill(g, m, seed, &(struct err){ 0 });
	return 0;
}

int question_make(struct question *q, struct memory_pool *pool,
                  struct err *e)
{
	const struct kind *k = kind_of(q);

	for (int i = 0; i < QUESTION_OPERANDS; i++)
		q->in[i] = (struct matrix){ .ndim = MATRIX_ABSENT };
	if (!k)
		return err_set(e, ERR_NOT_FOUND, "bench: nothing to ask of "
		               "%.60s", q->op);
	for (int i = 0; i < k->operands; i++)
		if (make_operand(&q->in[i], q->n, (uint64_t)i + 1, pool,
		                 e) < 0)
			return -1;
	return 0;
}

void question_fini(struct question *q)
{
	for (int i = 0; i < QUESTION_OPERANDS; i++)
		matrix_fini(&q->in[i]);
}

static void add_json(struct text *t, const struct matrix *m)
{
	enum { PIECE = 1 << 16 };
	struct json_writer w;
	size_t n;
	char *to;

	json_writer_init(&w, m);
	while ((to = text_reserve(t, PIECE)) &&
	       (n = json_writer_more(&w, to, PIECE)) > 0)
		text_grew(t, n);
}

static void write_json(const struct question *q, enum question_dialect d,
                       struct question_form *f)
{
	(void)d;
	f->type = f->accept = "application/json";
	text_puts(&f->body, "{\"dtype\":\"float32\"");
	for (int i = 0; i < kind_of(q)->operands; i++) {
		text_printf(&f->body, ",\"%s\":", names[i]);
		add_json(&f->body, &q->in[i]);
	}
	text_puts(&f->body, "}");
}

static void write_shapes(const struct question *q, enum question_dialect d,
                         struct question_form *f)
{
	const size_t n = q->n, used = strlen(f->target);
	const size_t room = sizeof f->target - used;
	char *to = f->target + used;

	if (d == THEIRS)
		snprintf(to, room, "?m=%zu&k=%zu&n=%zu&dtype=float32", n, n, n);
	else if (kind_of(q)->operands == 1)
		snprintf(to, room, "?shape=%zu,%zu&dtype=float32", n, n);
	else
		snprintf(to, room, "?a.shape=%zu,%zu&b.shape=%zu,%zu"
		         "&dtype=float32", n, n, n, n);
}

static void write_octets(const struct question *q, enum question_dialect d,
                         struct question_form *f)
{
	f->type = f->accept = OCTET_STREAM;
	write_shapes(q, d, f);
	for (int i = 0; i < kind_of(q)->operands; i++)
		text_add(&f->body, matrix_data(&q->in[i]),
		         matrix_size(&q->in[i]));
}

static void add_npy(struct text *t, const struct matrix *m)
{
	npy_header(t, m);
	text_add(t, matrix_data(m), matrix_size(m));
}

static void write_npy(const struct question *q, enum question_dialect d,
                      struct question_form *f)
{
	const int n = kind_of(q)->operands;
	const bool parts = d == OURS && n > 1;

	f->accept = X_NPY;
	f->type = parts ? "multipart/form-data; boundary=" BOUNDARY : X_NPY;
	for (int i = 0; i < n; i++) {
		if (parts)
			text_printf(&f->body, "--" BOUNDARY "\r\n"
			    "Content-Disposition: form-data; name=\"%s\"; "
			    "filename=\"%s.npy\"\r\nContent-Type: " X_NPY
			    "\r\n\r\n", names[i], names[i]);
		add_npy(&f->body, &q->in[i]);
		text_puts(&f->body, parts ? "\r\n" : "");
	}
	text_puts(&f->body, parts ? "--" BOUNDARY "--\r\n" : "");
}

int question_write(const struct question *q, enum question_dialect d,
                   struct question_form *f, struct err *e)
{
	static void (*const writers[])(const struct question *q,
	                               enum question_dialect d,
	                               struct question_form *f) = {
		[OCTETS] = write_octets, [JSON] = write_json,
		[NPY] = write_npy,
	};

	snprintf(f->target, sizeof f->target, "/%s", q->op);
	text_clear(&f->body);
	writers[q->format](q, d, f);
	return f->body.failed ? err_set(e, ERR_MEMORY, "bench: a body of %zu x "
	                                "%zu does not fit", q->n, q->n) : 0;
}

void question_head(const struct question_form *f, const char *more,
                   struct text *head)
{
	char request[QUESTION_TARGET + 8];

	snprintf(request, sizeof request, "POST %s", f->target);
	client_head(head, request, f->type, f->accept, more, f->body.length);
}

/* The first number after the result's name. */
static double first_in_json(const char *name, const struct text *answer)
{
	const char *at = answer->data ? strstr(answer->data, name) : NULL;

	if (!at)
		return NAN;
	at += strlen(name);
	return strtod(at + strspn(at, "[ \n"), NULL);
}

/* The first number of raw octets, or after the header of an npy file, which
 * says whether the numbers are float64. */
static double first_in_binary(enum question_format format, bool wide,
                              const struct text *answer)
{
	const char *at = answer->data;
	size_t skip = 0;
	float x;
	double y;

	if (format == NPY && answer->length > 10)
		skip = 10 + (unsigned char)at[8] +
		       256 * (size_t)(unsigned char)at[9];
	if (format == NPY)
		wide = at && memmem(at, size_min(skip, answer->length),
		                    "<f8", 3);
	if (wide && answer->length >= skip + sizeof y) {
		memcpy(&y, at + skip, sizeof y);
		return y;
	}
	if (answer->length < skip + sizeof x)
		return NAN;
	memcpy(&x, at + skip, sizeof x);
	return x;
}

bool question_answered(const struct question *q, const struct text *answer)
{
	const struct kind *k = kind_of(q);
	const double right = k->first(q);
	const double got = q->format == JSON ?
	    first_in_json(k->result, answer) :
	    first_in_binary(q->format, k->wide, answer);

	return fabs(got - right) <= k->tolerance * right;
}
