/* settings.c - see settings.h. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/host.h"
#include "base/log.h"
#include "base/size.h"
#include "command/settings.h"
#include "http/access.h"
#include "http/listen.h"
#include "http/listen_unix.h"
#include "http/origin.h"
#include "http/token.h"

static const char *const log_formats[] = { "text", "json", NULL };

static const char *const access_logs[] = {
	[ACCESS_OFF] = "off", [ACCESS_ERRORS] = "errors", [ACCESS_ON] = "on",
	NULL
};

static const char *const durabilities[] = { "none", "full", NULL };
static const char *const off_or_on[] = { "off", "on", NULL };

#define AT(member) offsetof(struct settings, member)
#define MOST_BYTES 0x1p53
#define TOKEN "LINALGD_TOKEN"
#define QUEUE "LINALGD_QUEUE"
#define AHEAD "LINALGD_COMPILE_AHEAD"

const struct option_row settings_rows[] = {
	{ "config", "LINALGD_CONFIG", OPTION_FILE, AT(config), NULL, 0, 0,
	  NULL, "FILE", "configuration file, with a line \"listen = "
	  "127.0.0.1:8080\" for each option here that it sets; the command "
	  "line and the environment win; linalgd config prints one" },
	{ "listen", "LINALGD_LISTEN", OPTION_LIST, AT(places),
	  "127.0.0.1:8080", 0, 0, NULL, "ADDRESS:PORT",
	  "address and port to listen on; port 0 chooses a free one; an "
	  "IPv6 address as in [::1]:8080; or unix:/PATH, a Unix socket for "
	  "the owner and the group of the process; may be repeated, or list "
	  "several, separated by commas" },
	{ "port", NULL, OPTION_COUNT, AT(port), NULL, 0, 65535, NULL, "PORT",
	  "replaces the port in --listen; 0 chooses a free one" },
	{ "device", "LINALGD_DEVICE", OPTION_LIST, AT(device),
	  NULL, 0, 0, NULL, "SELECTOR",
	  "devices to use: cpu, gpu, an index or part of a name; may be "
	  "repeated, or list several, separated by commas; by default all "
	  "CPUs and GPUs" },
	{ "mpi", "LINALGD_MPI", OPTION_TEXT, AT(mpi),
	  NULL, 0, 0, NULL, "COMMAND", "command that starts linalgd-mpi on "
	  "several processes, as in \"mpirun -n 4 linalgd-mpi\"; together "
	  "they are one device, of type cluster, for problems that are too "
	  "large for the others" },
	{ "token-file", "LINALGD_TOKEN_FILE", OPTION_TEXT, AT(token_file),
	  NULL, 0, 0, NULL, "FILE",
	  "file with one token per line, each optionally followed by a "
	  "name and what the token allows; a request must send one of them "
	  "as Authorization: Bearer; the file is read again on SIGHUP; the "
	  "environment variable LINALGD_TOKEN may hold one more token" },
	{ "make-token", "LINALGD_MAKE_TOKEN", OPTION_FLAG, AT(make_token),
	  NULL, 0, 0, NULL, NULL,
	  "create the token file, with a random token, if it does not exist" },
	{ "insecure", "LINALGD_INSECURE", OPTION_FLAG, AT(insecure),
	  NULL, 0, 0, NULL, NULL,
	  "allow listening on other addresses than loopback without a token" },
	{ "allow-host", "LINALGD_ALLOW_HOST", OPTION_LIST, AT(allow_host),
	  NULL, 0, 0, NULL, "NAME",
	  "host name that requests may use for the service, besides "
	  "localhost and the name in --listen; by default a service that "
	  "listens on other addresses than loopback accepts any name; may "
	  "be repeated, or list several, separated by commas; * accepts any" },
	{ "allow-origin", "LINALGD_ALLOW_ORIGIN", OPTION_LIST,
	  AT(allow_origin), NULL, 0, 0, NULL, "ORIGIN",
	  "origin whose web pages may use the service from a browser, as "
	  "in https://app.example; may be repeated, or list several, "
	  "separated by commas; * accepts any" },
	{ "max-body", "LINALGD_MAX_BODY", OPTION_SIZE, AT(max_body),
	  "4G", 1, MOST_BYTES, NULL, "BYTES", "size of the largest request "
	  "body; takes the suffixes K, M and G" },
	{ "transfer-seconds", "LINALGD_TRANSFER_SECONDS", OPTION_SECONDS,
	  AT(transfer_ns), "600", 0.1, 1e6, NULL, "SECONDS",
	  "time in which a request body must arrive, and a response be "
	  "read, whatever the size; counted after 20 s of grace, or "
	  "after as many seconds if they are fewer; slower clients are "
	  "disconnected" },
	{ "host-memory", "LINALGD_HOST_MEMORY", OPTION_SIZE, AT(host_memory),
	  NULL, 1 << 20, MOST_BYTES, NULL, "BYTES",
	  "host memory for operands and results; by default half of the "
	  "machine's memory, or of the cgroup's limit" },
	{ "share-memory", "LINALGD_SHARE_MEMORY", OPTION_SIZE,
	  AT(share_memory), NULL, 0, MOST_BYTES, NULL, "BYTES",
	  "how much of it clients of a Unix socket may map, too, to pass "
	  "operands and results; by default a quarter; 0 shares nothing" },
	{ "device-memory", "LINALGD_DEVICE_MEMORY", OPTION_SIZE,
	  AT(device_memory), NULL, 1 << 20, MOST_BYTES, NULL, "BYTES",
	  "memory to use on each device; by default all of it" },
	{ "queue-limit", "LINALGD_QUEUE_LIMIT", OPTION_COUNT, AT(queue_limit),
	  "256", 0, 1e6, NULL, "N", "number of jobs that may wait for a "
	  "device; requests beyond it get 503; with 0 no job waits" },
	{ "result-ttl", "LINALGD_RESULT_TTL", OPTION_SECONDS, AT(result_ttl_ns),
	  "600", 0, 1e8, NULL, "SECONDS", "how long the result of an "
	  "asynchronous job can be fetched" },
	{ "store-ttl", "LINALGD_STORE_TTL", OPTION_SECONDS, AT(store_ttl_ns),
	  "0", 0, 1e8, NULL, "SECONDS", "how long a stored matrix is kept "
	  "unless its request says so by ttl; 0 sets no limit" },
	{ "default-timeout-ms", "LINALGD_DEFAULT_TIMEOUT_MS", OPTION_COUNT,
	  AT(default_timeout_ms), "3600000", 0, 604800e3, NULL, "MS",
	  "timeout_ms of requests that do not give one; 3600000 is one "
	  "hour; 0 sets no limit" },
	{ "drain-delay", "LINALGD_DRAIN_DELAY", OPTION_SECONDS,
	  AT(drain_delay_ns), "0", 0, 1e6, NULL, "SECONDS",
	  "how long after SIGTERM the service continues, while /readyz "
	  "returns 503 so that load balancers notice" },
	{ "drain-seconds", "LINALGD_DRAIN_SECONDS", OPTION_SECONDS,
	  AT(drain_ns), "30", 0, 1e6, NULL, "SECONDS",
	  "how long accepted requests may take to finish after that; those "
	  "that have not finished by then get 503" },
	{ "state", "LINALGD_STATE", OPTION_TEXT, AT(state),
	  NULL, 0, 0, NULL, "DIR", "directory, created at the start, for what "
	  "survives a restart: accepted asynchronous jobs, their results, "
	  "stored matrices, saved pipelines; without it they end with the "
	  "process" },
	{ "durability", "LINALGD_DURABILITY", OPTION_CHOICE, AT(durability),
	  "full", 0, 0, durabilities, "full|none", "with --state, whether "
	  "what was accepted is on the disk before the reply (full), or only "
	  "in memory (none)" },
	{ "queue", QUEUE, OPTION_TEXT, AT(queue),
	  NULL, 0, 0, NULL, "URL", "PostgreSQL database, as in "
	  "postgres://user@host/database, through which several hosts make "
	  "one service: each runs the asynchronous jobs of all; a password "
	  "is better in the environment or in the file of PGPASSFILE" },
	{ "host-name", "LINALGD_HOST_NAME", OPTION_TEXT, AT(host_name),
	  NULL, 0, 0, NULL, "NAME", "name of this host among those of "
	  "--queue; by default the system's name" },
	{ "lease", "LINALGD_LEASE", OPTION_SECONDS, AT(lease_ns),
	  "30", 1, 3600, NULL, "SECONDS", "with --queue, how long a host that "
	  "is not heard of keeps the jobs that it runs; then another host "
	  "runs them; the same on every host" },
	{ "shared-dir", "LINALGD_SHARED_DIR", OPTION_TEXT, AT(shared_dir),
	  NULL, 0, 0, NULL, "DIR", "with --queue, directory that all hosts "
	  "see, as on NFS: large operands, results and stored matrices are "
	  "files in it instead of rows of the database" },
	{ "shared-above", "LINALGD_SHARED_ABOVE", OPTION_SIZE,
	  AT(shared_above), "1M", 16 << 10, MOST_BYTES, NULL, "BYTES",
	  "payloads of more than so many bytes go to --shared-dir" },
	{ "cache", "LINALGD_CACHE", OPTION_TEXT, AT(cache),
	  NULL, 0, 0, NULL, "DIR", "directory for compiled kernels and "
	  "tuning tables; by default $XDG_CACHE_HOME/linalgd" },
	{ "compile-ahead", AHEAD, OPTION_CHOICE, AT(compile_ahead),
	  "on", 0, 0, off_or_on, "on|off", "whether the kernels of all "
	  "operations are compiled and launched once from the start on, so "
	  "that no request waits for the compiler later; off is for services "
	  "that live for seconds, such as in tests" },
	{ "sandbox", "LINALGD_SANDBOX", OPTION_CHOICE, AT(sandbox),
	  "on", 0, 0, off_or_on, "on|off", "whether the processes that "
	  "compute are confined: no network, no files but the cache, no other "
	  "processes; off is for debuggers and memory checkers" },
	{ "log-format", "LINALGD_LOG_FORMAT", OPTION_CHOICE, AT(log_format),
	  "text", 0, 0, log_formats, "text|json", "format of the log on "
	  "standard error" },
	{ "access-log", "LINALGD_ACCESS_LOG", OPTION_CHOICE, AT(access_log),
	  "on", 0, 0, access_logs, "on|errors|off", "which requests are "
	  "logged: all (on), those with an error response (errors) or none "
	  "(off); the probes GET /healthz and /readyz are never logged" },
	{ "audit-log", "LINALGD_AUDIT_LOG", OPTION_CHOICE, AT(audit_log),
	  "on", 0, 0, off_or_on, "on|off", "whether every job is logged when "
	  "it has ended: its tenant, operation, shapes, outcome and bytes" },
	{ 0 }
};

struct settings *settings_begin(struct settings *s)
{
	s->port = NO_PORT;
	s->share_memory = NO_SIZE;
	return s;
}

/* Returns the colon before the port of an address, or the address's end. */
static const char *colon_of(const char *listen)
{
	const char *bracket = strchr(listen, ']');
	const char *colon = strrchr(bracket ? bracket : listen, ':');

	return colon ? colon : listen + strlen(listen);
}

static bool is_path(const char *place)
{
	return strncmp(place, LISTEN_UNIX, strlen(LISTEN_UNIX)) == 0;
}

/* Sets s->listen to the first address of --listen that is no Unix socket, with
 * its port replaced by that of --port if this option is given. */
static int settle_address(struct settings *s, struct err *e)
{
	const char *colon;
	size_t i = 0;

	while (i < s->places.n && is_path(s->places.item[i]))
		i++;
	s->listen = s->places.item[i];
	if (!s->listen && s->port != NO_PORT)
		return err_set(e, ERR_PARAMETER, "--port: --listen has no "
		               "address");
	if (!s->listen)
		return 0;
	colon = colon_of(s->listen);
	if (s->port == NO_PORT && !*colon)
		return err_set(e, ERR_PARAMETER, "--listen %.100s: must be "
		               "ADDRESS:PORT, as in 127.0.0.1:8080, or "
		               "unix:PATH; -p takes a port alone", s->listen);
	if (s->port == NO_PORT)
		return 0;
	if (snprintf(s->listen_text, sizeof s->listen_text, "%.*s:%u",
	             (int)(colon - s->listen), s->listen,
	             (unsigned)s->port) >= (int)sizeof s->listen_text)
		return err_set(e, ERR_PARAMETER, "--listen %.60s...: the "
		               "address is too long", s->listen);
	s->listen = s->places.item[i] = s->listen_text;
	return 0;
}

/* Moves the token out of the environment, which workers inherit. */
static int take_token(struct settings *s, struct err *e)
{
	const char *token = getenv(TOKEN);

	if (s->make_token && !s->token_file)
		return err_set(e, ERR_PARAMETER, "--make-token needs "
		               "--token-file, which names the file to "
		               "create");
	if (!token || !*token)
		return 0;
	if (token[strcspn(token, " \t\r\n")])
		return err_set(e, ERR_PARAMETER, TOKEN " must not "
		               "contain spaces or line breaks");
	s->token = strdup(token);
	unsetenv(TOKEN);
	return s->token ? 0 : err_set(e, ERR_MEMORY, "no memory for a token");
}

/* Copies the URL and removes it from the environment, which workers inherit,
 * because it may contain a password. Sets the default of --host-name. */
static int take_queue(struct settings *s, struct err *e)
{
	if (!s->queue || !*s->queue) {
		s->queue = NULL;
		return s->shared_dir && *s->shared_dir ?
		       err_set(e, ERR_PARAMETER, "--shared-dir needs --queue, "
		               "which several hosts share") : 0;
	}
	if (snprintf(s->queue_text, sizeof s->queue_text, "%s", s->queue) >=
	    (int)sizeof s->queue_text)
		return err_set(e, ERR_PARAMETER, "--queue: the URL is too "
		               "long");
	s->queue = s->queue_text;
	unsetenv(QUEUE);
	if (!s->host_name && gethostname(s->host_text,
	                                 sizeof s->host_text - 1) == 0)
		s->host_name = s->host_text;
	if (!s->host_name)
		s->host_name = "linalgd";
	return 0;
}

static int check_each(const char *option, const struct option_list *list,
                      bool (*is_one)(const char *text), const char *wanted,
                      struct err *e)
{
	for (const char *const *item = list->item; item && *item; item++)
		if (!is_one(*item))
			return err_set(e, ERR_PARAMETER, "%s %.100s: must be "
			               "%s", option, *item, wanted);
	return 0;
}

static int check_names(const struct settings *s, struct err *e)
{
	return check_each("--allow-host", &s->allow_host, origin_is_host,
	                  "a name or an address, as in app.example", e) ||
	       check_each("--allow-origin", &s->allow_origin,
	                  origin_is_origin, "an origin without a path, as in "
	                  "https://app.example", e) ? -1 : 0;
}

int settings_settle(struct settings *s, struct err *e)
{
	if (settle_address(s, e) || take_token(s, e) || take_queue(s, e) ||
	    check_names(s, e))
		return -1;
	if (!s->host_memory)
		s->host_memory = host_memory() / 2;
	if (s->share_memory == NO_SIZE)
		s->share_memory = s->host_memory / 4;
	if (!s->cache)
		s->cache = host_default_cache(s->cache_path);
	return 0;
}

void settings_tell_workers(const struct settings *t)
{
	char bytes[24];

	snprintf(bytes, sizeof bytes, "%" PRIu64, t->device_memory);
	if (t->device_memory)
		setenv("LINALGD_DEVICE_MEMORY", bytes, 1);
	if (t->cache)
		setenv("LINALGD_CACHE", t->cache, 1);
	setenv(AHEAD, off_or_on[t->compile_ahead], 1);
}

int settings_make_token(const struct settings *s, struct err *e)
{
	const int made = s->make_token ? tokens_make(s->token_file, e) : 0;

	if (made > 0)
		log_with(LOG_LEVEL_INFO, LOG_FIELDS(LOG_TEXT("file",
		         s->token_file)), "made the token file %s, with a "
		         "random token", s->token_file);
	return made < 0 ? -1 : 0;
}

int settings_make_directories(const struct settings *s, struct err *e)
{
	if (s->state && host_make_directory(s->state, e))
		return -1;
	return s->cache && s->cache != s->cache_path ?
	       host_make_directory(s->cache, e) : 0;
}

int settings_check_exposure(const struct settings *s, int socket,
                            const char *place, struct err *e)
{
	if (s->token_file || s->token || s->insecure ||
	    listen_is_loopback(socket))
		return 0;
	if (!place)
		return err_set(e, ERR_PARAMETER, "the socket that was "
		               "handed in can be reached from other "
		               "machines, and no token is set");
	return err_set(e, ERR_PARAMETER, "--listen %.100s can be reached "
	               "from other machines, and no token is set", place);
}

const char settings_exposure_advice[] =
	"Set a token, which requests then send as Authorization: Bearer:\n"
	"    LINALGD_TOKEN=...       in the environment, or\n"
	"    --token-file FILE       (LINALGD_TOKEN_FILE), a token per line;\n"
	"                            --make-token creates that file\n"
	"or listen on 127.0.0.1, or use --insecure (LINALGD_INSECURE=true) if\n"
	"something else controls access. In a container:\n"
	"    docker run -p 8080:8080 -e LINALGD_TOKEN=... IMAGE\n"
	"    docker run -p 127.0.0.1:8080:8080 IMAGE --insecure\n";

static void warn_unknown(void *arg, const char *name, const char *nearest)
{
	(void)arg;
	log_with(LOG_LEVEL_WARN, LOG_FIELDS(LOG_TEXT("variable", name)),
	         "the environment variable %s is not a setting of linalgd "
	         "and is ignored%s%s%s", name,
	         nearest ? "; did you mean " : "",
	         nearest ? nearest : "", nearest ? "?" : "");
}

void settings_warn_unknown(void)
{
	/* Prefixes of variables of other subcommands and of the tests. */
	static const char *const others[] = {
		"LINALGD_PEERS=", "LINALGD_TEST_", "LINALGD_URL=",
		TOKEN "=", NULL
	};

	options_unknown(settings_rows, "LINALGD_", others, warn_unknown, NULL);
}
