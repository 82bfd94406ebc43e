/* fuzz_tensors.c - arbitrary bytes as requests of the Open Inference
 * Protocol. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return fuzz_format(NULL, data, n);
}
