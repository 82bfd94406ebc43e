/* settings.h - the settings of `linalgd serve`, by flags, environment and
 * configuration file. */
#ifndef COMMAND_SETTINGS_H
#define COMMAND_SETTINGS_H

#include "base/host.h"
#include "base/options.h"

#define NO_PORT UINT64_MAX
#define NO_SIZE UINT64_MAX

enum { SETTINGS_URL = 1024 };

struct settings {
	const char *config;		/* path of the configuration file, or
					 * NULL */
	const char *state, *cache, *token_file;
	int durability;			/* 0: none */
	const char *queue;		/* URL of the fleet's database; NULL:
					 * there is no fleet */
	const char *host_name;		/* this host's name in the fleet */
	int64_t lease_ns;
	const char *shared_dir;		/* the directory for the fleet's large
					 * payloads; NULL: there is none */
	uint64_t shared_above;
	struct option_list places;	/* addresses and paths of --listen */
	const char *listen;		/* the first of these that is no Unix
					 * socket; NULL: all are */
	const char *token;		/* from the environment, or NULL */
	const char *mpi;		/* command that starts linalgd-mpi; NULL
					 * or empty: none */
	struct option_list device, allow_host, allow_origin;
	uint64_t max_body, host_memory, queue_limit;
	uint64_t share_memory;		/* 0: nothing is shared */
	uint64_t device_memory;		/* 0: all of it */
	uint64_t default_timeout_ms;	/* 0: none */
	int64_t result_ttl_ns, drain_delay_ns, drain_ns, transfer_ns;
	int64_t store_ttl_ns;		/* of stored matrices; 0: no limit */
	int log_format;			/* 1: JSON */
	uint64_t port;			/* NO_PORT: use listen's */
	int access_log;			/* enum access_log */
	int audit_log;			/* 0: jobs have no lines */
	int compile_ahead;		/* 0: kernels are compiled on request */
	int sandbox;			/* 0: workers are not confined */
	bool insecure, make_token;
	char listen_text[256];		/* listen with another port */
	char queue_text[SETTINGS_URL];	/* what queue points to */
	char host_text[HOST_PATH];	/* host_name by default */
	char cache_path[HOST_PATH];	/* where cache points by default */
};

extern const struct option_row settings_rows[];

/* Sets the members whose default is not 0. Call this before the options are
 * read. */
struct settings *settings_begin(struct settings *s);

/* Completes the settings after the options have been read: takes the token out
 * of the environment, sets the memory limits that depend on this host, and
 * replaces the port of --listen by that of --port. The default of `cache` is
 * NULL if there is no home directory. */
int settings_settle(struct settings *s, struct err *e);

/* Sets the environment variables that workers read. */
void settings_tell_workers(const struct settings *t);

/* Makes the directories that the settings name; call settings_settle()
 * first. */
int settings_make_directories(const struct settings *s, struct err *e);

/* Makes the token file, with a random token, if the settings ask for that and
 * there is none. */
int settings_make_token(const struct settings *s, struct err *e);

/* Refuses a socket that other machines can reach if no token is set, judged by
 * the address that the socket is bound to. place is the socket's address in
 * --listen, for the message; NULL if systemd passed the socket.
 * settings_exposure_advice is the text that tells the user what to do. */
int settings_check_exposure(const struct settings *s, int socket,
                            const char *place, struct err *e);
extern const char settings_exposure_advice[];

/* Logs a warning for every LINALGD_ environment variable that linalgd does not
 * know. */
void settings_warn_unknown(void);

#endif
