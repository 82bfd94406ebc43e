/* tensors_types.c - the datatypes of the Open Inference Protocol. */
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "format/tensors_head.h"

/* The protocol's datatypes. answer: a reply has an output of this dtype in this
 * datatype. */
static const struct {
	const char *name;
	struct element element;
	bool answer;
	enum dtype dtype;
} datatypes[] = {
	{ "FP32", { 'f', 4, false }, true, FLOAT32 },
	{ "FP64", { 'f', 8, false }, true, FLOAT64 },
	{ "FP16", { 'f', 2, false }, true, FLOAT16 },
	{ "BF16", { 'V', 2, false }, true, BFLOAT16 },
	{ "INT32", { 'i', 4, false }, true, INT32 },
	{ "INT64", { 'i', 8, false }, true, INT64 },
	{ "BOOL", { 'b', 1, false }, true, BOOL },
	{ "INT8", { 'i', 1, false }, false, 0 },
	{ "INT16", { 'i', 2, false }, false, 0 },
	{ "UINT8", { 'u', 1, false }, false, 0 },
	{ "UINT16", { 'u', 2, false }, false, 0 },
	{ "UINT32", { 'u', 4, false }, false, 0 },
	{ "UINT64", { 'u', 8, false }, false, 0 },
};

const char *tensor_datatype(enum dtype d)
{
	for (size_t i = 0; i < COUNT(datatypes); i++)
		if (datatypes[i].answer && datatypes[i].dtype == d)
			return datatypes[i].name;
	return NULL;
}

const char *tensor_element_name(struct element x)
{
	size_t i = 0;

	while (datatypes[i].element.kind != x.kind ||
	       datatypes[i].element.bytes != x.bytes)
		i++;
	return datatypes[i].name;
}

int tensor_element(const char *name, struct element *x, struct err *e)
{
	struct nearest near = nearest_to(name);

	for (size_t i = 0; i < COUNT(datatypes); i++) {
		nearest_add(&near, datatypes[i].name);
		if (strcmp(datatypes[i].name, name) == 0)
			*x = datatypes[i].element;
	}
	if (!x->bytes)
		err_set_at(e, ERR_FORMAT, "/datatype", "datatype is %.40s, "
		           "must be one of %s%s", name, nearest_list(&near),
		           nearest_hint(&near));
	nearest_fini(&near);
	return x->bytes ? 0 : -1;
}
