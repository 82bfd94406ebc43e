/* settings.h - what `linalgd serve` is told, by flags and the environment. */
#ifndef COMMAND_SETTINGS_H
#define COMMAND_SETTINGS_H

#include "base/host.h"
#include "base/options.h"

#define NO_PORT UINT64_MAX

struct settings {
	const char *listen, *state, *cache, *token_file;
	const char *token;		/* of the environment, or NULL */
	struct option_list device, allow_host, allow_origin;
	uint64_t max_body, host_memory, queue_limit;
	uint64_t device_memory;		/* 0: all of it */
	uint64_t default_timeout_ms;	/* 0: none */
	int64_t result_ttl_ns, drain_delay_ns, drain_ns, transfer_ns;
	int log_format;			/* 1: JSON */
	uint64_t port;			/* NO_PORT: that of listen */
	int access_log;			/* enum access_log */
	bool insecure, make_token;
	char listen_text[256];		/* listen with another port */
	char cache_path[HOST_PATH];	/* where cache points by default */
};

extern const struct option_row settings_rows[];

/* Before the options are read into it: what is not zero when not given. */
struct settings *settings_begin(struct settings *s);

/* Afterwards: fills in what depends on this host, the default directories
 * (made, if need be; cache NULL where there is no home) and the memory, and
 * joins --port to --listen. */
int settings_settle(struct settings *s, struct err *e);

/* Refuses to listen beyond this machine without tokens; what can be done then,
 * settings_exposure_advice says. It goes by the address that the socket is
 * bound to, whether --listen named that or the socket was handed in. */
int settings_check_exposure(const struct settings *s, int socket,
                            bool handed_in, struct err *e);
extern const char settings_exposure_advice[];

/* Logs a warning for every LINALGD_ variable that means nothing here. */
void settings_warn_unknown(void);

#endif
