/* fuzz_mm.c - arbitrary bytes as Matrix Market text. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return fuzz_format("application/x-matrix-market", data, n);
}
