/* matrix_market.c - reads Matrix Market text, a line at a time.
 *
 *     %%MatrixMarket matrix array|coordinate field symmetry
 *     % comments
 *     rows columns [entries]
 *     value                 (array: column by column)
 *     row column [value]    (coordinate, counted from 1)
 *
 * A complex value is its real and its imaginary part. The parts are collected
 * and laid out as two matrices, of which the imaginary one of a hermitian
 * matrix is skew-symmetric, and joined at the end.
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

#include "base/size.h"
#include "format/mm_reader.h"
#include "format/mm_text.h"
#include "matrix/convert.h"

enum { LONG_BYTES = 256 << 10 };	/* more take a millisecond to sort */

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

/* Adds the entry to a part and, in a symmetric matrix, its mirror image. */
static int add_part(struct mm_reader *r, struct grow *part, bool skew,
                    size_t i, size_t j, double value, struct err *e)
{
	const bool mirrored = r->symmetry != MM_GENERAL && i != j;
	const uint32_t above = mirrored && i < j ? MM_ABOVE : 0;
	const struct sparse_entry x[] = {
		{ (uint32_t)(i - 1) | above, (uint32_t)(j - 1), value },
		{ (uint32_t)(j - 1) | above, (uint32_t)(i - 1),
		  skew ? -value : value },
	};

	if (skew && i == j && value != 0)
		return refuse(r, e, r->is.hermitian ? "the diagonal of a "
		              "hermitian matrix is real" : "the diagonal of a "
		              "skew-symmetric matrix is zero");
	r->upper |= above != 0;
	r->lower |= mirrored && !above;
	return grow_add(part, r->part.sink->pool, x,
	                (mirrored ? 2 : 1) * sizeof x[0], e);
}

/* Reads the imaginary part of a complex value; of others it is 0. */
static const char *imaginary(struct mm_reader *r, const char *p,
                             const char *end, double *x)
{
	return p && r->is.complex ? mm_real(p, end, x, &r->rounded) : p;
}

static int take_entry(struct mm_reader *r, const char *p, const char *end,
                      struct err *e)
{
	const bool skew = r->symmetry == MM_SKEW;
	double value = 1, imag = 0;
	size_t i, j;

	if (r->got == r->expected)
		return refuse(r, e, "more entries than the size line says");
	p = mm_integer(p, end, &i);
	p = p ? mm_integer(p, end, &j) : NULL;
	if (p && !r->is.pattern)
		p = mm_real(p, end, &value, &r->rounded);
	p = imaginary(r, p, end, &imag);
	if (!p || mm_skip_blanks(p, end) != end)
		return refuse(r, e, r->is.pattern ? "must be: row column" :
		              r->is.complex ?
		              "must be: row column real imaginary" :
		              "must be: row column value");
	r->got++;
	if (check_place(r, i, j, e) < 0 ||
	    add_part(r, &r->data, skew, i, j, value, e) < 0)
		return -1;
	return r->is.complex ? add_part(r, &r->imag, skew != r->is.hermitian, i,
	                                j, imag, e) : 0;
}

static int take_value(struct mm_reader *r, const char *p, const char *end,
                      struct err *e)
{
	double x, imag = 0;

	if (r->got == r->most)
		return refuse(r, e, "more values than the size line says");
	p = mm_real(p, end, &x, &r->rounded);
	p = imaginary(r, p, end, &imag);
	if (!p || mm_skip_blanks(p, end) != end)
		return refuse(r, e, r->is.complex ? "must be two numbers" :
		              "must be one number");
	r->got++;
	if (grow_add(&r->data, r->part.sink->pool, &x, sizeof x, e) < 0)
		return -1;
	return r->is.complex ? grow_add(&r->imag, r->part.sink->pool, &imag,
	                             sizeof imag, e) : 0;
}

static int take_size(struct mm_reader *r, const char *p, const char *end,
                     struct err *e)
{
	p = mm_integer(p, end, &r->m);
	p = p ? mm_integer(p, end, &r->n) : NULL;
	if (p && r->is.coordinate)
		p = mm_integer(p, end, &r->expected);
	if (!p || mm_skip_blanks(p, end) != end)
		return refuse(r, e, r->is.coordinate ?
		              "must be: rows columns entries" :
		              "must be: rows columns");
	if (r->symmetry != MM_GENERAL && r->m != r->n)
		return refuse(r, e, "a symmetric matrix must be square");
	if (r->is.coordinate && r->expected &&
	    size_max(r->m, r->n) > SPARSE_MOST)
		return err_set(e, ERR_TOO_LARGE, "%s: coordinates up to "
		               "(%zu,%zu), they end at %zu", r->label, r->m,
		               r->n, SPARSE_MOST);
	if (!r->is.coordinate &&
	    !mm_count(r->m, r->n, r->symmetry, &r->expected))
		return err_set(e, ERR_TOO_LARGE, "%s: %zux%zu values are "
		               "beyond any memory", r->label, r->m, r->n);
	/* Some programs write both triangles of a symmetric array. */
	r->most = r->is.coordinate ? r->expected : r->m * r->n;
	r->take = r->is.coordinate ? take_entry : take_value;
	return 0;
}

static int take_banner(struct mm_reader *r, const char *p, const char *end,
                       struct err *e)
{
	const char *const why = mm_banner_read(&r->is, p, end);

	if (why)
		return refuse(r, e, why);
	r->symmetry = r->is.symmetry;
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
	size_t room = MM_LINE_MOST - r->line_length;
	char first = r->line_length ? r->line[0] : *p;

	if (n > room && (first != '%' || r->take == take_banner))
		return err_set(e, ERR_FORMAT, "%s: line %zu is longer than "
		               "%d bytes", r->label, r->lines + 1,
		               MM_LINE_MOST);
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

static int mm_finish(struct reader *base, struct err *e)
{
	struct mm_reader *r = (struct mm_reader *)base;

	if (r->ready)
		return 0;
	r->ready = true;
	if (mm_lay_out(r, e) < 0)
		return -1;
	grow_fini(&r->data);
	r->out.rounded = r->is.integers && r->rounded;
	r->out.text = r->is.integers;
	*r->target = r->out;
	r->out = (struct matrix){ .ndim = MATRIX_ABSENT };
	return 0;
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
		               r->is.coordinate ? "entries" : "values");
	if (mm_take_memory(r, e) < 0)
		return -1;
	*work = r->data.used > LONG_BYTES || (mm_stays_sparse(r) ?
	        r->m > LONG_BYTES / sizeof(int64_t) : convert_is_long(&r->out));
	return *work ? 0 : mm_finish(base, e);
}

static void mm_free(struct reader *base)
{
	struct mm_reader *r = (struct mm_reader *)base;

	grow_fini(&r->data);
	grow_fini(&r->imag);
	matrix_fini(&r->out);
	free(r);
}

static double mm_cost(const struct reader *base)
{
	const struct mm_reader *r = (const struct mm_reader *)base;

	return (r->is.complex ? 3 : 1) *
	       mm_layout_cost(&r->out, mm_stays_sparse(r), r->data.used);
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
