/* fuzz_json.c - arbitrary bytes as JSON, compared with jansson: what that
 * refuses must be refused, and rows of numbers that it accepts must be
 * accepted, with the same numbers. */
#include <jansson.h>

#include "format/json_memory.h"
#include "fuzz.h"

enum verdict { REFUSED, EITHER, TAKEN };

/* Checks that x's rows have one shape: returns their depth, or -1; takes *dim
 * from the first ones. */
static int depth_of(const json_t *x, size_t *dim, int most)
{
	int depth = -1;
	const json_t *row;
	size_t i;

	if (json_is_number(x))
		return 0;
	if (!json_is_array(x) || most == 0)
		return -1;
	dim[0] = json_array_size(x);
	if (dim[0] == 0)
		return 1;
	json_array_foreach(x, i, row) {
		size_t rest[MATRIX_DIMS];
		int d = depth_of(row, rest, most - 1);

		if (d < 0 || (i && d != depth) ||
		    (i && memcmp(rest, dim + 1, (size_t)d * sizeof *rest)))
			return -1;
		depth = d;
		memcpy(dim + 1, rest, (size_t)d * sizeof *rest);
	}
	return depth + 1;
}

/* Element i, as jansson reads it: integers that float64 cannot hold are read as
 * int64. */
static double number_of(const struct matrix *m, size_t i)
{
	const int64_t *integers = matrix_data(m);
	const double *reals = matrix_data(m);

	return m->dtype == INT64 ? (double)integers[i] : reals[i];
}

/* x holds m's elements from `at` on; returns the one after them. */
static size_t same_numbers(const json_t *x, const struct matrix *m, size_t at)
{
	const json_t *row;
	size_t i;

	if (json_is_number(x)) {
		const double want = json_number_value(x);
		const double is = number_of(m, at);

		fuzz_want(memcmp(&want, &is, sizeof want) == 0 || want == 0);
		return at + 1;
	}
	json_array_foreach(x, i, row)
		at = same_numbers(row, m, at);
	return at;
}

static void same_matrix(const json_t *x, const struct matrix *m)
{
	size_t dim[MATRIX_DIMS + 1];

	fuzz_want(m->ndim == depth_of(x, dim, MATRIX_DIMS));
	fuzz_want(!memcmp(dim, m->dim, (size_t)m->ndim * sizeof *dim));
	if (matrix_elements(m))
		same_numbers(x, m, 0);
}

static enum verdict of_member(const char *name, const json_t *x)
{
	size_t dim[MATRIX_DIMS + 1];

	if (strlen(name) != 1 || !strchr("abc", name[0]))
		return json_is_string(x) || json_is_boolean(x) ? TAKEN :
		       json_is_null(x) || json_is_object(x) ? REFUSED : EITHER;
	if (json_is_object(x))
		return json_object_size(x) ? EITHER : REFUSED;
	return depth_of(x, dim, MATRIX_DIMS) < 0 ? REFUSED : TAKEN;
}

static enum verdict of_body(const json_t *body)
{
	enum verdict all = json_is_object(body) ? TAKEN : REFUSED;
	const char *name;
	json_t *x;

	json_object_foreach((json_t *)body, name, x) {
		enum verdict v = of_member(name, x);

		all = v < all ? v : all;
	}
	return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct fuzz f;
	json_error_t fault;
	json_t *body, *x;
	enum verdict v;

	if (!fuzz_both(&f, "application/json", data, n))
		return 0;
	json_memory_failed();	/* what failed before */
	body = json_loadb((const char *)data + 1, n - 1,
	                  JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
	                  &fault);
	if (!body && json_memory_failed()) {
		fuzz_fini(&f);
		return 0;
	}
	/* jansson 2.14 accepts a zero byte after a number. */
	v = body && !memchr(data + 1, 0, n - 1) ? of_body(body) : REFUSED;
	fuzz_want(v == EITHER || f.taken == (v == TAKEN));
	for (int i = 0; i < FUZZ_OPERANDS && f.taken; i++) {
		x = json_object_get(body, (char[]){ "abc"[i], 0 });
		if (x && !json_is_object(x))
			same_matrix(x, &f.m[i]);
	}
	json_decref(body);
	fuzz_fini(&f);
	return 0;
}
