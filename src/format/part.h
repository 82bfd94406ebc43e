/* part.h - the bytes of one operand: a whole body, a form's part, or a member
 * of an archive. The readers of formats that hold one operand take a struct
 * part. */
#ifndef FORMAT_PART_H
#define FORMAT_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "format/reader.h"

enum { PART_NAME = 64 };

struct part {
	const struct sink *sink;
	const char *name;	/* the operand's; NULL: the next one */
	uint64_t length;	/* in bytes; UINT64_MAX: unknown */
	bool bound;		/* length is only an upper bound, or unknown */
};

struct reader *npy_open(const struct part *p, struct err *e);
struct reader *matrix_market_open(const struct part *p, struct err *e);
struct reader *octets_open(const struct part *p, struct err *e);

/* Reads an archive of one array, or of one sparse matrix by SciPy. If the part
 * is a whole body, the archive may hold an array for every operand. */
struct reader *npz_part_open(const struct part *p, struct err *e);

/* Reads a JSON value of one operand (json_operand.h), not an object of
 * operands. */
struct reader *json_value_open(const struct part *p, struct err *e);

static inline struct part part_of_body(const struct sink *k, uint64_t length)
{
	return (struct part){ k, NULL, length, length == UINT64_MAX };
}

static inline struct matrix *part_operand(const struct part *p,
                                          struct err *e)
{
	return p->sink->operand(p->sink->arg, p->name, e);
}

/* Writes the name that errors use for the part, truncated to PART_NAME
 * bytes. */
static inline void part_label(const struct part *p, char label[PART_NAME],
                              const char *otherwise)
{
	const char *name = p->name ? p->name : otherwise;
	int i;

	for (i = 0; name[i] && i < PART_NAME - 1; i++)
		label[i] = name[i];
	label[i] = 0;
}

#endif
