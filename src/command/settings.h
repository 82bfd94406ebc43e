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

/* Sets the members that are not 0 by default; to be called before the options
 * are read. */
struct settings *settings_begin(struct settings *s);

/* To be called after the options were read: fills in defaults that depend on
 * this host, the directories (which are made; cache is NULL where there is no
 * home directory) and the memory, and puts --port into --listen. */
int settings_settle(struct settings *s, struct err *e);

/* Refuses a socket that other machines can reach if no token is set;
 * settings_exposure_advice says what to do then. The address that the socket is
 * bound to decides, also if the socket was passed by systemd (handed_in). */
int settings_check_exposure(const struct settings *s, int socket,
                            bool handed_in, struct err *e);
extern const char settings_exposure_advice[];

/* Logs a warning for every LINALGD_ variable that means nothing here. */
void settings_warn_unknown(void);

#endif
