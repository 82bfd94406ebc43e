/* fuzz_multipart.c - arbitrary bytes as multipart forms. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return fuzz_format("multipart/form-data; boundary=b", data, n);
}
