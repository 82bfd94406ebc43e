/* mm_reader.h - the state of a Matrix Market text's reader, shared by
 * matrix_market.c, which takes the lines, and mm_finish.c, which makes the
 * matrix of them. */
#ifndef FORMAT_MM_READER_H
#define FORMAT_MM_READER_H

#include "format/mm_banner.h"
#include "format/part.h"
#include "matrix/grow.h"

enum { MM_LINE_MOST = 1024 };

struct mm_reader {
	struct reader base;
	struct part part;
	char label[PART_NAME];
	struct matrix *target;
	char line[MM_LINE_MOST];	/* one cut by the end of a piece */
	size_t line_length, lines;
	/* Takes the next line, and sets the function for the one after it. */
	int (*take)(struct mm_reader *r, const char *p, const char *end,
	            struct err *e);
	struct mm_banner is;
	bool rounded;			/* float64 cannot hold some integer */
	enum mm_symmetry symmetry;	/* of the part that is laid out */
	bool lower, upper;		/* triangles that entries came from */
	size_t m, n, expected, most, got;
	struct grow data;		/* doubles, or sparse_entry */
	struct grow imag;		/* the same of the imaginary part */
	struct matrix out;
	bool ready;
};

/* Returns whether the matrix keeps its coordinates, as its target may be
 * sparse. */
bool mm_stays_sparse(const struct mm_reader *r);

/* Allocates the memory of r->out, unless the values read are a general array,
 * whose memory becomes the matrix's, or the matrix is sparse: its memory is
 * allocated when its entries are sorted. */
int mm_take_memory(struct mm_reader *r, struct err *e);

/* Makes r->out of what was read, after mm_take_memory(). */
int mm_lay_out(struct mm_reader *r, struct err *e);

#endif
