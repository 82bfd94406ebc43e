/* matrix_market.c - reads Matrix Market text, a line at a time.
 *
 *     %%MatrixMarket matrix array|coordinate real|integer|pattern symmetry
 *     % comments
 *     rows columns [entries]
 *     value                 (array: column by column)
 *     row column [value]    (coordinate, counted from 1)
 *
 * Values and coordinates are collected as they arrive. The matrix is allocated
 * when the last is there, so that a false size line takes no memory.
 * Coordinates stay sparse if the operand may be sparse, else they become dense.
 * Source: R. F. Boisvert, R. Pozo, K. A. Remington, The Matrix Market
 * Exchange Formats, NISTIR 5935, 1996.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/size.h"
#include "format/mm_layout.h"
#include "format/mm_text.h"
#include "format/part.h"
#include "matrix/convert.h"
#include "matrix/grow.h"

enum {
	LINE_MOST = 1024,
	LONG_BYTES = 256 << 10,		/* more take a millisecond to sort */
};

struct mm_reader {
	struct reader base;
	struct part part;
	char label[PART_NAME];
	struct matrix *target;
	char line[LINE_MOST];		/* one cut by the end of a piece */
	size_t line_length, lines;
	/* Takes the next line, and sets the function for the one after it. */
	int (*take)(struct mm_reader *r, const char *p, const char *end,
	            struct err *e);
	bool coordinate, pattern, integers;
	bool rounded;			/* float64 cannot hold some integer */
	enum mm_symmetry symmetry;
	bool lower, upper;		/* triangles that entries came from */
	size_t m, n, expected, most, got;
	struct grow data;		/* doubles, or sparse_entry */
	struct matrix out;
	bool ready;
};

static int refuse(const struct mm_reader *r, struct err *e, const char *why)
{
	return err_set(e, ERR_FORMAT, "%s: line %zu: %s", r->label, r->lines,
	               why);
}

/* May an entry stand at row i, column j, counted from 1? */
static int check_place(const struct mm_reader *r, size_t i, size_t j,
                       struct err *e)
{
	if (i < 1 || i > r->m || j < 1 || j > r->n)
		return err_set(e, ERR_FORMAT, "%s: line %zu: entry (%zu,%zu) "
		               "lies outside of the %zux%zu matrix", r->label,
		               r->lines, i, j, r->m, r->n);
	return 0;
}

/* Adds the entry and, in a symmetric matrix, its mirror image. */
static int add_entry(struct mm_reader *r, size_t i, size_t j, double value,
                     struct err *e)
{
	const bool mirrored = r->symmetry != MM_GENERAL && i != j;
	const uint32_t above = mirrored && i < j ? MM_ABOVE : 0;
	const struct sparse_entry x[] = {
		{ (uint32_t)(i - 1) | above, (uint32_t)(j - 1), value },
		{ (uint32_t)(j - 1) | above, (uint32_t)(i - 1),
		  r->symmetry == MM_SKEW ? -value : value },
	};

	if (r->symmetry == MM_SKEW && i == j && value != 0)
		return refuse(r, e, "the diagonal of a skew-symmetric matrix "
		              "is zero");
	r->upper |= above != 0;
	r->lower |= mirrored && !above;
	return grow_add(&r->data, r->part.sink->pool, x,
	                (mirrored ? 2 : 1) * sizeof x[0], e);
}

static int take_entry(struct mm_reader *r, const char *p, const char *end,
                      struct err *e)
{
	double value = 1;
	size_t i, j;

	if (r->got == r->expected)
		return refuse(r, e, "more entries than the size line says");
	p = mm_integer(p, end, &i);
	p = p ? mm_integer(p, end, &j) : NULL;
	if (p && !r->pattern)
		p = mm_real(p, end, &value, &r->rounded);
	if (!p || mm_skip_blanks(p, end) != end)
		return refuse(r, e, r->pattern ? "must be: row column" :
		              "must be: row column value");
	r->got++;
	return check_place(r, i, j, e) < 0 ? -1 : add_entry(r, i, j, value, e);
}

static int take_value(struct mm_reader *r, const char *p, const char *end,
                      struct err *e)
{
	double x;

	if (r->got == r->most)
		return refuse(r, e, "more values than the size line says");
	p = mm_real(p, end, &x, &r->rounded);
	if (!p || mm_skip_blanks(p, end) != end)
		return refuse(r, e, "must be one number");
	r->got++;
	return grow_add(&r->data, r->part.sink->pool, &x, sizeof x, e);
}

static int take_size(struct mm_reader *r, const char *p, const char *end,
                     struct err *e)
{
	p = mm_integer(p, end, &r->m);
	p = p ? mm_integer(p, end, &r->n) : NULL;
	if (p && r->coordinate)
		p = mm_integer(p, end, &r->expected);
	if (!p || mm_skip_blanks(p, end) != end)
		return refuse(r, e, r->coordinate ?
		              "must be: rows columns entries" :
		              "must be: rows columns");
	if (r->symmetry != MM_GENERAL && r->m != r->n)
		return refuse(r, e, "a symmetric matrix must be square");
	if (r->coordinate && r->expected &&
	    size_max(r->m, r->n) > SPARSE_MOST)
		return err_set(e, ERR_TOO_LARGE, "%s: coordinates up to "
		               "(%zu,%zu), they end at %zu", r->label, r->m,
		               r->n, SPARSE_MOST);
	if (!r->coordinate &&
	    !mm_count(r->m, r->n, r->symmetry, &r->expected))
		return err_set(e, ERR_TOO_LARGE, "%s: %zux%zu values are "
		               "beyond any memory", r->label, r->m, r->n);
	/* Some programs write both triangles of a symmetric array. */
	r->most = r->coordinate ? r->expected : r->m * r->n;
	r->take = r->coordinate ? take_entry : take_value;
	return 0;
}

static int take_banner(struct mm_reader *r, const char *p, const char *end,
                       struct err *e)
{
	static const char *const layouts[] = { "array", "coordinate", NULL };
	static const char *const fields[] = {
		"real", "double", "integer", "pattern", NULL };
	static const char *const symmetries[] = {
		[MM_GENERAL] = "general", [MM_SYMMETRIC] = "symmetric",
		[MM_SKEW] = "skew-symmetric", [MM_HERMITIAN] = "hermitian",
		NULL };
	char w[MM_WORDS][MM_WORD] = { 0 };
	int words = mm_split(w, p, end), layout = mm_find(layouts, w[2]);
	int field = mm_find(fields, w[3]);
	int symmetry = mm_find(symmetries, w[4]);

	if (words != MM_WORDS || strcasecmp(w[0], "%%MatrixMarket") != 0 ||
	    strcasecmp(w[1], "matrix") != 0 || layout < 0)
		return refuse(r, e, "must be \"%%MatrixMarket matrix "
		              "array|coordinate field symmetry\"");
	if (field < 0)
		return refuse(r, e, "the field must be real, integer or "
		              "pattern; complex numbers are not supported");
	if (symmetry < 0)
		return refuse(r, e, "the symmetry must be general, symmetric, "
		              "skew-symmetric or hermitian");
	r->coordinate = layout == 1;
	r->pattern = strcmp(fields[field], "pattern") == 0;
	r->symmetry = (enum mm_symmetry)symmetry;
	r->integers = strcmp(fields[field], "integer") == 0;
	if (r->pattern && (!r->coordinate || symmetry > MM_SYMMETRIC))
		return refuse(r, e, "a pattern must be a general or symmetric "
		              "coordinate matrix");
	/* Real numbers are their own conjugates. */
	if (symmetry == MM_HERMITIAN)
		r->symmetry = MM_SYMMETRIC;
	r->take = take_size;
	return 0;
}

static int take_line(struct mm_reader *r, const char *p, const char *end,
                     struct err *e)
{
	r->lines++;
	if (end > p && end[-1] == '\r')
		end--;
	if (r->take == take_banner)
		return take_banner(r, p, end, e);
	if (mm_skip_blanks(p, end) == end || *p == '%')
		return 0;
	return r->take(r, p, end, e);
}

/* Keeps the beginning of a line whose end has not arrived. The rest of a long
 * comment is dropped. */
static int keep_piece(struct mm_reader *r, const char *p, size_t n,
                      struct err *e)
{
	size_t room = LINE_MOST - r->line_length;
	char first = r->line_length ? r->line[0] : *p;

	if (n > room && (first != '%' || r->take == take_banner))
		return err_set(e, ERR_FORMAT, "%s: line %zu is longer than "
		               "%d bytes", r->label, r->lines + 1, LINE_MOST);
	memcpy(r->line + r->line_length, p, size_min(n, room));
	r->line_length += size_min(n, room);
	return 0;
}

static int mm_feed(struct reader *base, const void *bytes, size_t n,
                   struct err *e)
{
	struct mm_reader *r = (struct mm_reader *)base;
	const char *p = bytes, *end = p + n, *eol;

	while (p < end && (eol = memchr(p, '\n', (size_t)(end - p)))) {
		int rc;

		if (r->line_length == 0) {
			rc = take_line(r, p, eol, e);
		} else {
			rc = keep_piece(r, p, (size_t)(eol - p), e);
			if (rc == 0)
				rc = take_line(r, r->line,
				               r->line + r->line_length, e);
			r->line_length = 0;
		}
		if (rc < 0)
			return -1;
		p = eol + 1;
	}
	return p < end ? keep_piece(r, p, (size_t)(end - p), e) : 0;
}

static bool stays_sparse(const struct mm_reader *r)
{
	return r->coordinate && r->target->layout == CSR;
}

/* Refuses a symmetric matrix whose triangles contradict each other. */
static int refuse_clash(const struct mm_reader *r, const size_t at[2],
                        struct err *e)
{
	const size_t i = size_max(at[0], at[1]) + 1;
	const size_t j = size_min(at[0], at[1]) + 1;

	return err_set(e, ERR_FORMAT, "%s: entries (%zu,%zu) and (%zu,%zu) of "
	               "a %ssymmetric matrix contradict each other", r->label,
	               i, j, j, i, r->symmetry == MM_SKEW ? "skew-" : "");
}

static int lay_out_array(struct mm_reader *r, struct err *e)
{
	size_t at[2];
	int agrees = 1;

	if (r->symmetry != MM_GENERAL && r->got == r->expected)
		return mm_unfold(&r->out, r->data.memory ?
		                 r->data.memory->data : NULL, r->symmetry, e);
	if (r->symmetry != MM_GENERAL)
		agrees = mm_agrees(&r->out, r->symmetry, at, e);
	if (agrees <= 0)
		return agrees < 0 ? -1 : refuse_clash(r, at, e);
	return convert_fortran(&r->out, r->part.sink->pool, e);
}

static int lay_out(struct mm_reader *r, struct err *e)
{
	struct sparse_entry *x = r->data.memory ? r->data.memory->data : NULL;
	size_t entries = r->data.used / sizeof *x, at[2];

	if (!r->coordinate)
		return lay_out_array(r, e);
	if (r->upper) {
		const int rc = mm_join(x, &entries, r->lower, at, e);

		if (rc <= 0)
			return rc < 0 ? -1 : refuse_clash(r, at, e);
	}
	if (stays_sparse(r))
		return sparse_build(&r->out, x, entries, r->part.sink->pool,
		                    e);
	return mm_scatter(&r->out, x, entries, e);
}

static int mm_finish(struct reader *base, struct err *e)
{
	struct mm_reader *r = (struct mm_reader *)base;

	if (r->ready)
		return 0;
	r->ready = true;
	if (lay_out(r, e) < 0)
		return -1;
	grow_fini(&r->data);
	r->out.rounded = r->integers && r->rounded;
	r->out.text = r->integers;
	*r->target = r->out;
	r->out = (struct matrix){ .ndim = MATRIX_ABSENT };
	return 0;
}

/* Allocates the operand's memory, unless the values read are a general array,
 * whose memory becomes the operand's, or the matrix is sparse: its memory is
 * allocated when its entries are sorted. */
static int take_memory(struct mm_reader *r, struct err *e)
{
	struct memory_pool *pool = r->part.sink->pool;

	r->out = (struct matrix){ .dtype = FLOAT64, .ndim = 2,
	                          .dim = { r->m, r->n } };
	if (stays_sparse(r))
		return sparse_check_shape(&r->out, e);
	if (r->coordinate || r->got < r->most)
		return matrix_alloc(&r->out, pool, e);
	r->out.memory = grow_take(&r->data, pool, e);
	return r->out.memory ? 0 : -1;
}

static int mm_end(struct reader *base, bool *work, struct err *e)
{
	struct mm_reader *r = (struct mm_reader *)base;

	if (r->line_length &&
	    take_line(r, r->line, r->line + r->line_length, e) < 0)
		return -1;
	r->line_length = 0;
	if (r->take == take_banner || r->take == take_size)
		return err_set(e, ERR_FORMAT, "%s: the text ends before its "
		               "size line", r->label);
	if (r->got < r->expected || (r->got > r->expected &&
	                             r->got < r->most))
		return err_set(e, ERR_FORMAT, "%s: %zu of %zu %s came",
		               r->label, r->got, r->got < r->expected ?
		               r->expected : r->most,
		               r->coordinate ? "entries" : "values");
	if (take_memory(r, e) < 0)
		return -1;
	*work = r->data.used > LONG_BYTES || (stays_sparse(r) ?
	        r->m > LONG_BYTES / sizeof(int64_t) : convert_is_long(&r->out));
	return *work ? 0 : mm_finish(base, e);
}

static void mm_free(struct reader *base)
{
	struct mm_reader *r = (struct mm_reader *)base;

	grow_fini(&r->data);
	matrix_fini(&r->out);
	free(r);
}

static double mm_cost(const struct reader *base)
{
	const struct mm_reader *r = (const struct mm_reader *)base;

	return mm_layout_cost(&r->out, stays_sparse(r), r->data.used);
}

static const struct reader_kind mm_kind = {
	mm_feed, mm_end, mm_finish, mm_free, mm_cost,
};

struct reader *matrix_market_open(const struct part *p, struct err *e)
{
	struct matrix *target = part_operand(p, e);
	struct mm_reader *r = target ? calloc(1, sizeof *r) : NULL;

	if (!r) {
		if (target)
			err_set(e, ERR_MEMORY, "no memory for a reader");
		return NULL;
	}
	r->base.kind = &mm_kind;
	r->part = *p;
	r->target = target;
	r->out.ndim = MATRIX_ABSENT;
	r->take = take_banner;
	part_label(p, r->label, "matrix market");
	return &r->base;
}
