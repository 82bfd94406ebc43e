/* settings.c - see settings.h. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/host.h"
#include "base/size.h"
#include "command/settings.h"

static const char *const log_formats[] = { "text", "json", NULL };

#define AT(member) offsetof(struct settings, member)
#define MOST_BYTES 0x1p53

const struct option_row settings_rows[] = {
	{ "listen", "LINALGD_LISTEN", OPTION_TEXT, AT(listen),
	  "127.0.0.1:8080", 0, 0, NULL, "ADDRESS:PORT",
	  "where to listen; port 0: any free one; [::1]:8080 for IPv6" },
	{ "device", "LINALGD_DEVICE", OPTION_LIST, AT(device),
	  NULL, 0, 0, NULL, "SELECTOR",
	  "cpu, gpu, an index or part of a name; repeatable, or separated by "
	  "commas; all CPUs and GPUs when not given" },
	{ "token-file", "LINALGD_TOKEN_FILE", OPTION_TEXT, AT(token_file),
	  NULL, 0, 0, NULL, "FILE",
	  "one of its lines must come as Authorization: Bearer; read again on "
	  "SIGHUP" },
	{ "insecure", "LINALGD_INSECURE", OPTION_FLAG, AT(insecure),
	  NULL, 0, 0, NULL, NULL,
	  "listen beyond the loopback without a token file" },
	{ "max-body", "LINALGD_MAX_BODY", OPTION_SIZE, AT(max_body),
	  "4G", 1, MOST_BYTES, NULL, "BYTES", "the largest request; K, M, G" },
	{ "host-memory", "LINALGD_HOST_MEMORY", OPTION_SIZE, AT(host_memory),
	  NULL, 1 << 20, MOST_BYTES, NULL, "BYTES",
	  "for operands and results; half of the memory, or of the cgroup's "
	  "limit, when not given" },
	{ "device-memory", "LINALGD_DEVICE_MEMORY", OPTION_SIZE,
	  AT(device_memory), NULL, 1 << 20, MOST_BYTES, NULL, "BYTES",
	  "of each device's memory, at most; all of it when not given" },
	{ "queue-limit", "LINALGD_QUEUE_LIMIT", OPTION_COUNT, AT(queue_limit),
	  "256", 0, 1e6, NULL, "N", "jobs that may wait; beyond it is 503" },
	{ "result-ttl", "LINALGD_RESULT_TTL", OPTION_SECONDS, AT(result_ttl_ns),
	  "600", 0, 1e8, NULL, "SECONDS", "how long an asynchronous result "
	  "can be fetched" },
	{ "drain-seconds", "LINALGD_DRAIN_SECONDS", OPTION_SECONDS,
	  AT(drain_ns), "30", 0, 1e6, NULL, "SECONDS",
	  "how long SIGTERM waits for what runs" },
	{ "state", "LINALGD_STATE", OPTION_TEXT, AT(state),
	  NULL, 0, 0, NULL, "DIR", "directory, made at the start, for what "
	  "will outlive a restart; nothing does yet" },
	{ "cache", "LINALGD_CACHE", OPTION_TEXT, AT(cache),
	  NULL, 0, 0, NULL, "DIR", "directory for compiled kernels; "
	  "$XDG_CACHE_HOME/linalgd when not given" },
	{ "log-format", "LINALGD_LOG_FORMAT", OPTION_CHOICE, AT(log_format),
	  "text", 0, 0, log_formats, "text|json", "of standard error" },
	{ "help", NULL, OPTION_FLAG, AT(help),
	  NULL, 0, 0, NULL, NULL, "print this" },
	{ 0 }
};

int settings_read(struct settings *s, int argc, char *const *argv,
                  struct err *e)
{
	if (options_parse(settings_rows, s, argc, argv, e))
		return -1;
	if (s->help)
		return 0;
	if (!s->host_memory)
		s->host_memory = host_memory() / 2;
	if (s->state && host_make_directory(s->state, e))
		return -1;
	if (s->cache)
		return host_make_directory(s->cache, e);
	s->cache = host_default_cache(s->cache_path);
	return 0;
}

static bool is_loopback(const char *listen)
{
	static const char *const prefixes[] = { "127.", "[::1]:", "::1:",
	                                        "localhost:" };

	for (size_t i = 0; i < COUNT(prefixes); i++)
		if (!strncasecmp(listen, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

int settings_check_exposure(const struct settings *s, struct err *e)
{
	if (s->token_file || s->insecure || is_loopback(s->listen))
		return 0;
	return err_set(e, ERR_PARAMETER, "--listen %s: others could use this "
	               "machine; give a --token-file, or --insecure if "
	               "something else keeps them out", s->listen);
}
