/* settings.c - see settings.h. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/log.h"
#include "base/size.h"
#include "command/settings.h"
#include "http/access.h"
#include "http/listen.h"

static const char *const log_formats[] = { "text", "json", NULL };

static const char *const access_logs[] = {
	[ACCESS_OFF] = "off", [ACCESS_ERRORS] = "errors", [ACCESS_ON] = "on",
	NULL
};

#define AT(member) offsetof(struct settings, member)
#define MOST_BYTES 0x1p53
#define TOKEN "LINALGD_TOKEN"

const struct option_row settings_rows[] = {
	{ "listen", "LINALGD_LISTEN", OPTION_TEXT, AT(listen),
	  "127.0.0.1:8080", 0, 0, NULL, "ADDRESS:PORT",
	  "where to listen; port 0: any free one; [::1]:8080 for IPv6" },
	{ "port", NULL, OPTION_COUNT, AT(port), NULL, 0, 65535, NULL, "PORT",
	  "of the address in --listen, in place of its own; 0: any free one" },
	{ "device", "LINALGD_DEVICE", OPTION_LIST, AT(device),
	  NULL, 0, 0, NULL, "SELECTOR",
	  "cpu, gpu, an index or part of a name; repeatable, or separated by "
	  "commas; all CPUs and GPUs when not given" },
	{ "token-file", "LINALGD_TOKEN_FILE", OPTION_TEXT, AT(token_file),
	  NULL, 0, 0, NULL, "FILE",
	  "a token a line, behind it its name for the access log; requests "
	  "must bring one as Authorization: Bearer; read again on SIGHUP; "
	  "LINALGD_TOKEN holds one token itself" },
	{ "make-token", "LINALGD_MAKE_TOKEN", OPTION_FLAG, AT(make_token),
	  NULL, 0, 0, NULL, NULL,
	  "make the token file, with a random token, if it is not there" },
	{ "insecure", "LINALGD_INSECURE", OPTION_FLAG, AT(insecure),
	  NULL, 0, 0, NULL, NULL,
	  "listen beyond the loopback without a token" },
	{ "allow-host", "LINALGD_ALLOW_HOST", OPTION_LIST, AT(allow_host),
	  NULL, 0, 0, NULL, "NAME",
	  "a name besides localhost and that of --listen by which requests may "
	  "call the service; without it, a service that listens beyond the "
	  "loopback answers to any; repeatable, or separated by commas; * for "
	  "any" },
	{ "allow-origin", "LINALGD_ALLOW_ORIGIN", OPTION_LIST,
	  AT(allow_origin), NULL, 0, 0, NULL, "ORIGIN",
	  "whose pages may use this service from a browser, as in "
	  "https://app.example; repeatable, or separated by commas; * for "
	  "any" },
	{ "max-body", "LINALGD_MAX_BODY", OPTION_SIZE, AT(max_body),
	  "4G", 1, MOST_BYTES, NULL, "BYTES", "the largest request; K, M, G" },
	{ "transfer-seconds", "LINALGD_TRANSFER_SECONDS", OPTION_SECONDS,
	  AT(transfer_ns), "600", 0.1, 1e6, NULL, "SECONDS",
	  "how long a body of any length may take to arrive, or an answer to "
	  "be read, after 20 s of grace; slower clients are cut off" },
	{ "host-memory", "LINALGD_HOST_MEMORY", OPTION_SIZE, AT(host_memory),
	  NULL, 1 << 20, MOST_BYTES, NULL, "BYTES",
	  "for operands and results; half of the memory, or of the cgroup's "
	  "limit, when not given" },
	{ "device-memory", "LINALGD_DEVICE_MEMORY", OPTION_SIZE,
	  AT(device_memory), NULL, 1 << 20, MOST_BYTES, NULL, "BYTES",
	  "of each device's memory, at most; all of it when not given" },
	{ "queue-limit", "LINALGD_QUEUE_LIMIT", OPTION_COUNT, AT(queue_limit),
	  "256", 0, 1e6, NULL, "N", "jobs that may wait for a "
	  "device; beyond it is 503; 0: none may" },
	{ "result-ttl", "LINALGD_RESULT_TTL", OPTION_SECONDS, AT(result_ttl_ns),
	  "600", 0, 1e8, NULL, "SECONDS", "how long an asynchronous result "
	  "can be fetched" },
	{ "default-timeout-ms", "LINALGD_DEFAULT_TIMEOUT_MS", OPTION_COUNT,
	  AT(default_timeout_ms), "3600000", 0, 604800e3, NULL, "MS",
	  "the timeout_ms of requests that name none, 3600000 being an hour; "
	  "0: they may take for ever" },
	{ "drain-delay", "LINALGD_DRAIN_DELAY", OPTION_SECONDS,
	  AT(drain_delay_ns), "0", 0, 1e6, NULL, "SECONDS",
	  "how long the service goes on after SIGTERM while /readyz says 503, "
	  "so that load balancers notice" },
	{ "drain-seconds", "LINALGD_DRAIN_SECONDS", OPTION_SECONDS,
	  AT(drain_ns), "30", 0, 1e6, NULL, "SECONDS",
	  "how long it then takes at most to finish what was accepted; what "
	  "is not finished by then gets 503" },
	{ "state", "LINALGD_STATE", OPTION_TEXT, AT(state),
	  NULL, 0, 0, NULL, "DIR", "directory, made at the start, for what "
	  "will outlive a restart; nothing does yet" },
	{ "cache", "LINALGD_CACHE", OPTION_TEXT, AT(cache),
	  NULL, 0, 0, NULL, "DIR", "directory for compiled kernels; "
	  "$XDG_CACHE_HOME/linalgd when not given" },
	{ "log-format", "LINALGD_LOG_FORMAT", OPTION_CHOICE, AT(log_format),
	  "text", 0, 0, log_formats, "text|json", "of standard error" },
	{ "access-log", "LINALGD_ACCESS_LOG", OPTION_CHOICE, AT(access_log),
	  "on", 0, 0, access_logs, "on|errors|off", "a line for every request, "
	  "for those that are answered with an error, or for none; probes, GET "
	  "/healthz and /readyz, are left out" },
	{ 0 }
};

struct settings *settings_begin(struct settings *s)
{
	s->port = NO_PORT;
	return s;
}

/* Returns the colon before the port of an address, or the address's end. */
static const char *colon_of(const char *listen)
{
	const char *bracket = strchr(listen, ']');
	const char *colon = strrchr(bracket ? bracket : listen, ':');

	return colon ? colon : listen + strlen(listen);
}

/* Replaces the port in the address of --listen by that of --port, if given. */
static int settle_address(struct settings *s, struct err *e)
{
	const char *colon = colon_of(s->listen);

	if (s->port == NO_PORT && !*colon)
		return err_set(e, ERR_PARAMETER, "--listen %.100s: must be "
		               "ADDRESS:PORT, as in 127.0.0.1:8080; -p takes a "
		               "port alone", s->listen);
	if (s->port == NO_PORT)
		return 0;
	if (snprintf(s->listen_text, sizeof s->listen_text, "%.*s:%u",
	             (int)(colon - s->listen), s->listen,
	             (unsigned)s->port) >= (int)sizeof s->listen_text)
		return err_set(e, ERR_PARAMETER, "--listen %.60s...: too long "
		               "an address", s->listen);
	s->listen = s->listen_text;
	return 0;
}

/* Moves the token out of the environment, which workers inherit. */
static int take_token(struct settings *s, struct err *e)
{
	const char *token = getenv(TOKEN);

	if (s->make_token && !s->token_file)
		return err_set(e, ERR_PARAMETER, "--make-token makes the file "
		               "of --token-file, which is not given");
	if (!token || !*token)
		return 0;
	if (token[strcspn(token, " \t\r\n")])
		return err_set(e, ERR_PARAMETER, TOKEN " must be one word");
	s->token = strdup(token);
	unsetenv(TOKEN);
	return s->token ? 0 : err_set(e, ERR_MEMORY, "no memory for a token");
}

int settings_settle(struct settings *s, struct err *e)
{
	if (settle_address(s, e) || take_token(s, e))
		return -1;
	if (!s->host_memory)
		s->host_memory = host_memory() / 2;
	if (s->state && host_make_directory(s->state, e))
		return -1;
	if (s->cache)
		return host_make_directory(s->cache, e);
	s->cache = host_default_cache(s->cache_path);
	return 0;
}

int settings_check_exposure(const struct settings *s, int socket,
                            bool handed_in, struct err *e)
{
	if (s->token_file || s->token || s->insecure ||
	    listen_is_loopback(socket))
		return 0;
	if (handed_in)
		return err_set(e, ERR_PARAMETER, "the socket that was handed "
		               "in lets other machines use this one, and no "
		               "token is set");
	return err_set(e, ERR_PARAMETER, "--listen %.100s lets other machines "
	               "use this one, and no token is set", s->listen);
}

const char settings_exposure_advice[] =
	"Give it a token, and requests an Authorization: Bearer header:\n"
	"    LINALGD_TOKEN=...       in the environment, or\n"
	"    --token-file FILE       (LINALGD_TOKEN_FILE), a token a line;\n"
	"                            --make-token makes that file\n"
	"or listen on 127.0.0.1, or say --insecure (LINALGD_INSECURE=true) if\n"
	"something else keeps strangers out. In a container:\n"
	"    docker run -p 8080:8080 -e LINALGD_TOKEN=... IMAGE\n"
	"    docker run -p 127.0.0.1:8080:8080 IMAGE --insecure\n";

static void warn_unknown(void *arg, const char *name, const char *nearest)
{
	(void)arg;
	log_with(LOG_LEVEL_WARN, LOG_FIELDS(LOG_TEXT("variable", name)),
	         "the environment's %s is no setting of linalgd and means "
	         "nothing%s%s%s", name, nearest ? "; did you mean " : "",
	         nearest ? nearest : "", nearest ? "?" : "");
}

void settings_warn_unknown(void)
{
	/* Prefixes of variables of other subcommands and of the tests. */
	static const char *const others[] = {
		"LINALGD_PEERS=", "LINALGD_TEST_", TOKEN "=", NULL
	};

	options_unknown(settings_rows, "LINALGD_", others, warn_unknown, NULL);
}
