/* options_rows.h - a table of options of every type, for the tests of
 * base/options.h. Each of them has a variable of its own for the values. */
#ifndef TESTS_BASE_OPTIONS_ROWS_H
#define TESTS_BASE_OPTIONS_ROWS_H

#include "base/options.h"
#include "tests/test.h"

struct settings {
	const char *listen, *config;
	uint64_t memory, limit, port;
	int64_t ttl_ns;
	int format;
	bool insecure;
	struct option_list device;
};

static const char *const formats_of[] = { "text", "json", NULL };

#define AT(member) offsetof(struct settings, member)

static const struct option_row rows[] = {
	{ "listen", "TEST_LISTEN", OPTION_TEXT, AT(listen),
	  "127.0.0.1:8080", 0, 0, NULL, "ADDRESS:PORT", "where" },
	{ "memory", "TEST_MEMORY", OPTION_SIZE, AT(memory),
	  "1G", 1024, 0x1p50, NULL, "BYTES", "how much" },
	{ "limit", NULL, OPTION_COUNT, AT(limit),
	  "256", 1, 1000, NULL, "N", "how many" },
	{ "ttl", NULL, OPTION_SECONDS, AT(ttl_ns),
	  "600", 0, 1e6, NULL, "S", "how long" },
	{ "format", NULL, OPTION_CHOICE, AT(format),
	  "text", 0, 0, formats_of, "text|json", "how" },
	{ "port", NULL, OPTION_COUNT, AT(port),
	  NULL, 0, 65535, NULL, "PORT", "which" },
	{ "insecure", "TEST_INSECURE", OPTION_FLAG, AT(insecure),
	  NULL, 0, 0, NULL, NULL, "dare" },
	{ "device", "TEST_DEVICE", OPTION_LIST, AT(device),
	  NULL, 0, 0, NULL, "SEL", "which" },
	{ "config", "TEST_CONFIG", OPTION_FILE, AT(config),
	  NULL, 0, 0, NULL, "FILE", "a file" },
	{ 0 }
};

static struct settings s;
static struct err e;

static inline void setup(void)
{
	for (const struct option_row *r = rows; r->flag; r++)
		if (r->env)
			unsetenv(r->env);
	s = (struct settings){ 0 };
	e = (struct err){ 0 };
}

/* Parses these arguments, after "x" as the program's name. */
#define PARSE(...)                                                         \
	options_parse(rows, &s,                                            \
	              COUNT(((char *[]){ "x", __VA_ARGS__ })),             \
	              (char *[]){ "x", __VA_ARGS__, NULL }, NULL, &e)

#endif
