/* fuzz_npz.c - arbitrary bytes as npz archives. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return fuzz_format("application/x-npz", data, n);
}
