/* tensors_head.h - parses the JSON of an inference request (tensors.h), in
 * which each list "data" has been replaced by its index. */
#ifndef FORMAT_TENSORS_HEAD_H
#define FORMAT_TENSORS_HEAD_H

#include "format/tensors.h"
#include "matrix/convert.h"

struct tensor_input {
	char name[PART_NAME];
	struct matrix shape;		/* without memory */
	struct element element;
	int list;			/* the index in place of "data"; -1: the
					 * elements follow in binary */
	uint64_t bytes;			/* binary_data_size, the length of
					 * binary elements */
};

/* Points an error at a member of an input; returns -1. */
int tensors_point(int input, const char *member, struct err *e);

/* Returns the datatype's name. */
const char *tensor_element_name(struct element x);

/* Sets *x to the element type of the protocol's datatype `name`. The caller
 * passes *x as { 0 }. */
int tensor_element(const char *name, struct element *x, struct err *e);

/* Parses the text. Calls take(arg, input, e) for each input, passes parameters
 * and the names of the wanted outputs to the sink, and fills in *r. */
int tensors_head_parse(const struct text *t, const struct sink *k,
                       struct tensor_request *r,
                       int (*take)(void *arg, const struct tensor_input *in,
                                   struct err *e),
                       void *arg, struct err *e);

#endif
