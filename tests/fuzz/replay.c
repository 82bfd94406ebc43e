/* replay.c - runs a fuzzer without libFuzzer, on what can be made of its seeds:
 *
 *     replay-FUZZER SEED...
 *
 * each seed as it is, cut off after every byte, and with every byte changed;
 * and as it is while each of its allocations fails in turn. So that the same
 * branches are taken each time, nothing is random. The last line is
 * 'N passed, N failed'; a failure ends it by abort().
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "format/json_memory.h"
#include "tests/fuzz/fuzz.h"

enum { SEED = 1 << 16, STEPS = 300 };

/* How a seed's first byte has it read: whole, in pieces, dense, sparse. */
static const uint8_t ways[] = { 0, 6, 66, 128, 134 };

static const uint8_t others[] =
	"\0\x01\x7f\xff\n\r \t\"\\0189-+.,:;=eE[]{}xu/<%";

static unsigned long until_failure;	/* allocations; 0: none fails */
static unsigned long runs;

static bool fails(void)
{
	return until_failure && --until_failure == 0;
}

/* The linker has each call of malloc() call __wrap_malloc(), and so on. */
#define WRAP(name, params, args)                       \
	void *__real_##name params;                    \
	void *__wrap_##name params;                    \
	void *__wrap_##name params                     \
	{                                              \
		return fails() ? NULL : __real_##name args; \
	}
WRAP(malloc, (size_t n), (n))
WRAP(calloc, (size_t n, size_t each), (n, each))
WRAP(realloc, (void *p, size_t n), (p, n))
WRAP(reallocarray, (void *p, size_t n, size_t each), (p, n, each))
WRAP(strdup, (const char *s), (s))

static void run(const uint8_t *data, size_t n)
{
	LLVMFuzzerTestOneInput(data, n);
	runs++;
}

static void change(uint8_t *data, size_t n)
{
	const size_t step = size_max(1, n / STEPS);

	for (size_t at = 0; at < n; at += step) {
		const uint8_t was = data[at];

		run(data, at);
		for (size_t i = 0; i < sizeof others - 1; i++) {
			data[at] = others[i];
			run(data, n);
		}
		data[at] = was ^ 0x20;
		run(data, n);
		data[at] = was;
	}
}

static void starve(const uint8_t *data, size_t n)
{
	bool failed = true;

	for (unsigned long at = 1; failed; at++) {
		until_failure = at;
		run(data, n);
		failed = !until_failure;
		until_failure = 0;
	}
}

static size_t load(const char *path, uint8_t *data)
{
	FILE *f = fopen(path, "rb");
	const size_t n = f ? fread(data, 1, SEED, f) : 0;

	if (!f)
		perror(path);
	else
		fclose(f);
	return n;
}

int main(int argc, char **argv)
{
	static uint8_t data[SEED];

	json_memory_watch();	/* jansson's allocations fail, too */
	for (int i = 1; i < argc; i++) {
		const size_t n = load(argv[i], data);
		const uint8_t first = data[0];

		if (!n)
			return 1;
		run(data, n);
		change(data, n);
		for (size_t k = 0; k < COUNT(ways); k++) {
			data[0] = ways[k];
			run(data, n);
			starve(data, n);
		}
		data[0] = first;
	}
	printf("%lu runs\n%d passed, 0 failed\n", runs, argc - 1);
	return 0;
}
