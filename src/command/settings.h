/* settings.h - what `linalgd serve` is told, by flags and the environment. */
#ifndef COMMAND_SETTINGS_H
#define COMMAND_SETTINGS_H

#include "base/host.h"
#include "base/options.h"

struct settings {
	const char *listen, *state, *cache, *token_file;
	struct option_list device;
	uint64_t max_body, host_memory, queue_limit;
	uint64_t device_memory;		/* 0: all of it */
	int64_t result_ttl_ns, drain_ns;
	int log_format;			/* 1: JSON */
	bool insecure, help;
	char cache_path[HOST_PATH];	/* where cache points by default */
};

extern const struct option_row settings_rows[];

/* Reads them and fills in what depends on this host: the default directories
 * (made, if need be; cache NULL where there is no home), the memory. */
int settings_read(struct settings *s, int argc, char *const *argv,
                  struct err *e);

/* Refuses to listen beyond this machine without tokens. */
int settings_check_exposure(const struct settings *s, struct err *e);

#endif
