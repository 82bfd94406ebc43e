/* serve.c - linalgd serve: everything put together, run, and taken apart.
 *
 *     settings --> log --> memory, loop, codec pool --> engine --> api
 *
 * It is ready when it listens and one device's worker has passed its canary.
 * SIGTERM and SIGINT: not ready, what waits is dismissed, what runs is
 * finished and answered, exit 0; a second one, or --drain-seconds: at once.
 */
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/host.h"
#include "base/log.h"
#include "base/notify.h"
#include "base/pool.h"
#include "command/command.h"
#include "command/settings.h"
#include "http/api.h"
#include "queue/engine.h"

enum { CODEC_THREADS = 2, RECORDS = 1000 };

#define SECOND INT64_C(1000000000)
#define GRACE (2 * SECOND)
#define FLUSH_STEP (SECOND / 100)	/* between looks for unsent replies */

struct service {
	struct settings settings;
	struct memory_pool *memory;
	struct loop *loop;
	struct pool *codec;
	struct engine *engine;
	struct api *api;
	int signals;			/* signalfd; -1: none */
	int64_t started_ns, watchdog_ns;
	bool ready, stopping;
	struct timer drain, flush, watchdog;
};

/* Arenas for two codec threads, and large pieces back to the system, but not
 * what some dozens of small requests use in turn. */
static void tune_malloc(void)
{
	mallopt(M_ARENA_MAX, 2);
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
	mallopt(M_TRIM_THRESHOLD, 4 << 20);
}

static void on_flush(void *arg)
{
	struct service *s = arg;

	if (api_busy(s->api))
		loop_timer_set(s->loop, &s->flush, clock_ns() + FLUSH_STEP,
		               on_flush, s);
	else
		loop_stop(s->loop);
}

static void on_drain_over(void *arg)
{
	struct service *s = arg;

	log_warn("not everything was finished in time");
	loop_stop(s->loop);
}

static void stop(struct service *s, const char *why)
{
	if (s->stopping) {
		log_warn("%s again: stopping at once", why);
		loop_stop(s->loop);
		return;
	}
	log_info("%s: finishing what runs", why);
	s->stopping = true;
	notify_send("STOPPING=1");
	api_quiesce(s->api);
	loop_timer_set(s->loop, &s->drain, clock_ns() + s->settings.drain_ns,
	               on_drain_over, s);
	engine_drain(s->engine, on_flush, s);
}

static void reload(struct service *s)
{
	struct err e = { 0 };

	if (api_reload(s->api, &e))
		log_error("the token file, which stays as it was: %s", e.text);
	else
		log_info("token file read again");
}

static void on_signal(void *arg, short revents)
{
	struct service *s = arg;
	struct signalfd_siginfo i;

	(void)revents;
	while (read(s->signals, &i, sizeof i) == sizeof i)
		if (i.ssi_signo == SIGHUP)
			reload(s);
		else
			stop(s, i.ssi_signo == SIGTERM ? "SIGTERM" : "SIGINT");
}

static int take_signals(struct service *s, struct err *e)
{
	sigset_t mine;

	sigemptyset(&mine);
	sigaddset(&mine, SIGTERM);
	sigaddset(&mine, SIGINT);
	sigaddset(&mine, SIGHUP);
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &mine, NULL);
	s->signals = signalfd(-1, &mine, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->signals < 0)
		return err_set(e, ERR_INTERNAL, "signalfd: %s",
		               strerror(errno));
	return loop_watch(s->loop, s->signals, POLLIN, on_signal, s, e);
}

static void on_watchdog(void *arg)
{
	struct service *s = arg;

	notify_send("WATCHDOG=1");
	loop_timer_set(s->loop, &s->watchdog, clock_ns() + s->watchdog_ns,
	               on_watchdog, s);
}

/* The moment of becoming ready is seen where it cannot be missed: before the
 * loop goes to sleep. */
static int64_t tell_ready(void *arg)
{
	struct service *s = arg;

	if (!s->ready && engine_ready(s->engine)) {
		s->ready = true;
		log_info("ready after %.3f s",
		         (double)(clock_ns() - s->started_ns) / 1e9);
		notify_send("READY=1");
	}
	return INT64_MAX;
}

static int start_engine(struct service *s, struct err *e)
{
	const struct engine_options o = {
		.program = "/proc/self/exe", .cache = s->settings.cache,
		.devices = s->settings.device.item,
		.queue_limit = s->settings.queue_limit,
		.result_ttl_ns = s->settings.result_ttl_ns, .grace_ns = GRACE,
		.records = RECORDS,
	};

	s->engine = engine_new(s->loop, s->memory, &o, e);
	return s->engine ? 0 : -1;
}

static int start_api(struct service *s, struct err *e)
{
	const struct settings *t = &s->settings;
	const int handed_in = notify_listen_fd();
	char fd[16];
	const struct api_options o = {
		.loop = s->loop, .engine = s->engine, .memory = s->memory,
		.codec = s->codec, .listen = handed_in < 0 ? t->listen : fd,
		.max_body = t->max_body, .token_file = t->token_file,
	};
	const char *colon = strrchr(t->listen, ':');

	snprintf(fd, sizeof fd, "fd:%d", handed_in);
	s->api = api_new(&o, e);
	if (!s->api)
		return -1;
	if (handed_in >= 0)
		log_info("listening on a socket that was handed in, port %d",
		         api_port(s->api));
	else
		log_info("listening on %.*s:%d", (int)(colon - t->listen),
		         t->listen, api_port(s->api));
	return 0;
}

static int start(struct service *s, struct err *e)
{
	s->memory = memory_pool_new(s->settings.host_memory, e);
	s->loop = loop_new(e);
	if (!s->memory || !s->loop || take_signals(s, e))
		return -1;
	s->codec = pool_new(s->loop, CODEC_THREADS, e);
	if (!s->codec || start_engine(s, e) || start_api(s, e))
		return -1;
	s->watchdog_ns = notify_watchdog_ns();
	if (s->watchdog_ns)
		on_watchdog(s);
	return loop_prepare(s->loop, tell_ready, s, e);
}

/* What others still use goes last. A draining engine takes no job that a pool
 * thread was preparing. */
static void take_apart(struct service *s)
{
	if (s->engine)
		engine_drain(s->engine, NULL, NULL);
	api_close(s->api);
	pool_free(s->codec);
	api_free(s->api);
	engine_free(s->engine);
	if (s->signals >= 0)
		close(s->signals);
	loop_free(s->loop);
	memory_pool_free(s->memory);
}

static int print_help(void)
{
	struct text t = { 0 };

	text_puts(&t, "usage: linalgd [serve] [--OPTION VALUE]...\n\n");
	options_help(settings_rows, &t);
	if (!t.failed)
		fputs(t.data, stdout);
	text_fini(&t);
	return STATUS_OK;
}

static int refuse(const struct err *e, int status)
{
	fprintf(stderr, "linalgd: %s\n", e->text);
	return status;
}

/* What their environment says. */
static void tell_workers(const struct settings *t)
{
	char bytes[24];

	snprintf(bytes, sizeof bytes, "%" PRIu64, t->device_memory);
	if (t->device_memory)
		setenv("LINALGD_DEVICE_MEMORY", bytes, 1);
	if (t->cache)
		setenv("LINALGD_CACHE", t->cache, 1);
}

int command_serve(int argc, char **argv)
{
	static struct service s = { .signals = -1 };
	struct err e = { 0 };
	int rc;

	s.started_ns = clock_ns();
	if (settings_read(&s.settings, argc, argv, &e))
		return refuse(&e, STATUS_USAGE);
	if (s.settings.help)
		return print_help();
	if (settings_check_exposure(&s.settings, &e))
		return refuse(&e, STATUS_USAGE);
	log_format_json(s.settings.log_format);
	tell_workers(&s.settings);
	tune_malloc();
	host_raise_files();
	rc = start(&s, &e) ? -1 : loop_run(s.loop, &e);
	take_apart(&s);
	return rc ? refuse(&e, STATUS_FAILED) : STATUS_OK;
}
