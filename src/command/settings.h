/* settings.h - the settings of `linalgd serve`, by flags and environment. */
#ifndef COMMAND_SETTINGS_H
#define COMMAND_SETTINGS_H

#include "base/host.h"
#include "base/options.h"

#define NO_PORT UINT64_MAX

struct settings {
	const char *listen, *state, *cache, *token_file;
	const char *token;		/* from the environment, or NULL */
	struct option_list device, allow_host, allow_origin;
	uint64_t max_body, host_memory, queue_limit;
	uint64_t device_memory;		/* 0: all of it */
	uint64_t default_timeout_ms;	/* 0: none */
	int64_t result_ttl_ns, drain_delay_ns, drain_ns, transfer_ns;
	int log_format;			/* 1: JSON */
	uint64_t port;			/* NO_PORT: use listen's */
	int access_log;			/* enum access_log */
	bool insecure, make_token;
	char listen_text[256];		/* listen with another port */
	char cache_path[HOST_PATH];	/* where cache points by default */
};

extern const struct option_row settings_rows[];

/* Sets the members whose default is not 0. Call this before the options are
 * read. */
struct settings *settings_begin(struct settings *s);

/* Completes the settings after the options have been read. Makes the
 * directories, sets the memory limits that depend on this host, and replaces
 * the port of --listen by that of --port. The default of `cache` is NULL if
 * there is no home directory. */
int settings_settle(struct settings *s, struct err *e);

/* Refuses a socket that other machines can reach if no token is set;
 * settings_exposure_advice says what to do then. The address that the socket is
 * bound to decides, even if systemd passed the socket (handed_in). */
int settings_check_exposure(const struct settings *s, int socket,
                            bool handed_in, struct err *e);
extern const char settings_exposure_advice[];

/* Logs a warning for every LINALGD_ environment variable that linalgd does not
 * know. */
void settings_warn_unknown(void);

#endif
