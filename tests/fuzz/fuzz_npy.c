/* fuzz_npy.c - arbitrary bytes as npy files. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return fuzz_format("application/x-npy", data, n);
}
