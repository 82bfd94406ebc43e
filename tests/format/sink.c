/* sink.c - see sink.h. */
#include "tests/format/sink.h"
#include "tests/test.h"

static const char *const a_b_c[SINK_OPERANDS] = { "a", "b", "c" };

static int index_of(const struct test_sink *s, const char *name)
{
	for (int i = 0; i < SINK_OPERANDS; i++)
		if (name ? strcmp(s->names[i], name) == 0 : !s->given[i])
			return i;
	return -1;
}

static struct matrix *operand(void *arg, const char *name, struct err *e)
{
	struct test_sink *s = arg;
	int i = index_of(s, name);

	if (i < 0 || s->given[i]) {
		err_set(e, ERR_REQUEST, "%s: no operand or given twice",
		        name ? name : "next");
		return NULL;
	}
	s->given[i] = true;
	return &s->m[i];
}

static int parameter(void *arg, const char *name, const char *value,
                     struct err *e)
{
	struct test_sink *s = arg;

	ck_assert(!s->finishing);
	if (strcmp(name, "unknown") == 0)
		return err_set(e, ERR_PARAMETER, "unknown: no parameter");
	text_printf(&s->parameters, "%s=%s;", name, value);
	return 0;
}

static bool is_operand(void *arg, const char *name)
{
	return index_of(arg, name) >= 0;
}

static int layout(void *arg, int i, const char **name, struct matrix *shape,
                  struct err *e)
{
	struct test_sink *s = arg;

	(void)e;
	ck_assert(!s->finishing);
	if (i >= s->n_shapes)
		return 0;
	*name = s->shape_of[i];
	*shape = s->shape[i];
	return 1;
}

/* Reports arrived bytes to the engine, on the loop's thread only. */
static void arrived(void *arg, struct memory *m, size_t bytes)
{
	const struct test_sink *s = arg;

	ck_assert(!s->finishing);
	ck_assert_uint_le(bytes, m->bytes);
}

void test_sink_init(struct test_sink *s)
{
	*s = (struct test_sink){ .names = a_b_c, .sink = {
		.operand = operand, .parameter = parameter,
		.is_operand = is_operand, .layout = layout,
		.arrived = arrived, .pool = test_pool, .arg = s,
	} };
	for (int i = 0; i < SINK_OPERANDS; i++)
		s->m[i].ndim = MATRIX_ABSENT;
}

void test_sink_fini(struct test_sink *s)
{
	for (int i = 0; i < SINK_OPERANDS; i++)
		matrix_fini(&s->m[i]);
	text_fini(&s->parameters);
}

static int feed(struct test_sink *s, struct reader *r, const char *body,
                size_t n, size_t piece, struct err *e)
{
	bool work;

	for (size_t at = 0; at < n; at += piece) {
		size_t k = size_min(piece, n - at);
		char *copy = malloc(k);	/* so that sanitizers see overruns */
		int rc;

		memcpy(copy, body + at, k);
		rc = reader_feed(r, copy, k, e);
		free(copy);
		if (rc < 0)
			return -1;
	}
	if (reader_end(r, &work, e) < 0)
		return -1;
	if (work)
		ck_assert_double_gt(reader_cost(r), 0);
	s->finishing = true;
	return reader_finish(r, e);
}

int sink_read(struct test_sink *s, const char *media, const void *body,
              size_t n, size_t piece, struct err *e)
{
	const struct format *f = format_find(media);
	struct reader *r;
	int rc;

	ck_assert_msg(f != NULL, "%s", media);
	r = f->open(&s->sink, media, n, e);
	rc = r ? feed(s, r, body, n, piece, e) : -1;
	reader_free(r);
	return rc;
}

void sink_always(const char *media, const void *body, size_t n,
                 void (*check)(struct test_sink *s), enum err_code code)
{
	enum { LONG = 16384 };
	size_t used = memory_pool_used(test_pool);

	for (size_t piece = n + 1; piece > 0;
	     piece = n > LONG ? piece / 2 : piece - 1) {
		struct test_sink s;
		struct err e = { 0 };
		int rc;

		test_sink_init(&s);
		rc = sink_read(&s, media, body, n, piece, &e);
		ck_assert_msg((check != NULL) == (rc == 0),
		              "%.*s in pieces of %zu: %s",
		              (int)size_min(n, 200), (const char *)body,
		              piece, e.text);
		ck_assert_msg(e.code == code, "%.*s in pieces of %zu: %s",
		              (int)size_min(n, 200), (const char *)body,
		              piece, e.text);
		if (check)
			check(&s);
		test_sink_fini(&s);
		ck_assert_uint_eq(memory_pool_used(test_pool), used);
	}
}

void sink_reads(const char *media, const char *body,
                void (*check)(struct test_sink *s))
{
	sink_always(media, body, strlen(body), check, ERR_NONE);
}

void sink_refuses(const char *media, const char *body, enum err_code code,
                  const char *word)
{
	struct test_sink s;
	struct err e = { 0 };

	sink_always(media, body, strlen(body), NULL, code);
	test_sink_init(&s);
	sink_read(&s, media, body, strlen(body), strlen(body) + 1, &e);
	test_sink_fini(&s);
	ck_assert_msg(strstr(e.text, word) != NULL, "\"%s\" lacks \"%s\"",
	              e.text, word);
}

void sink_holds(const struct matrix *m, enum dtype d, const char *shape,
                const double *x)
{
	char text[MATRIX_SHAPE_TEXT];

	ck_assert_int_eq(m->dtype, d);
	ck_assert_str_eq(matrix_shape_text(m, text), shape);
	for (size_t i = 0; i < matrix_elements(m); i++)
		ck_assert_msg(matrix_get(m, i) == x[i],
		              "element %zu is %g, wanted %g", i,
		              matrix_get(m, i), x[i]);
}
