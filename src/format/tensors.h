/* tensors.h - the requests of the Open Inference Protocol, version 2 (KServe),
 * with its extension for binary tensors.
 *
 *     {"id": "...", "parameters": {...},
 *      "inputs": [{"name": "a", "shape": [2, 2], "datatype": "FP32",
 *                  "data": [1, 2, 3, 4]},
 *                 {"name": "b", "shape": [2], "datatype": "FP64",
 *                  "parameters": {"binary_data_size": 16}}],
 *      "outputs": [{"name": "x", "parameters": {"binary_data": true}}]}
 *     the elements of the binary inputs, in their order
 *
 * The lists "data" are read into matrices while they arrive (json_array.h). The
 * rest of the JSON is small; it is collected, and parsed when it is complete.
 */
#ifndef FORMAT_TENSORS_H
#define FORMAT_TENSORS_H

#include "format/part.h"

enum { TENSOR_INPUTS = 8, TENSOR_OUTPUTS = 16, TENSOR_ID = 128 };

/* The members of a request that concern the reply, and the inputs' names, to
 * which its errors point. */
struct tensor_request {
	char id[TENSOR_ID];		/* repeated in the reply; "": none */
	bool binary;			/* the reply has outputs that are not in
					 * output[] in binary */
	int n;				/* outputs that the request names; 0:
					 * the reply has all outputs */
	struct tensor_output {
		char name[PART_NAME];
		bool binary;
	} output[TENSOR_OUTPUTS];
	int inputs;
	char input[TENSOR_INPUTS][PART_NAME];
};

/* Returns the reader of a body whose first `head` bytes are JSON; UINT64_MAX:
 * the whole body is JSON. The sink receives the parameters and the wanted
 * outputs. A parameter of the protocol gets linalgd's name and unit: timeout,
 * in microseconds, becomes timeout_ms. *r is filled in when the JSON has been
 * read, and must outlive the reader. */
struct reader *tensors_open(const struct sink *k, uint64_t head,
                            struct tensor_request *r, struct err *e);

/* Returns the protocol's name of a dtype, such as "FP32", or NULL if it has
 * none. */
const char *tensor_datatype(enum dtype d);

#endif
