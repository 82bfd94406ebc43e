/* serve.c - `linalgd serve`: builds the service from its parts, runs it, and
 * shuts it down.
 *
 *     settings --> log --> memory, loop, codec pool --> journal --> engine
 *                                                         --> api, fleet
 *
 * It is ready when it listens and one device's worker has passed its canary.
 * SIGTERM or SIGINT ends it in steps:
 *
 *     LEAVING    /readyz says 503; everything else goes on as before
 *        |       --drain-delay
 *     DRAINING   new jobs get 503, replies end their connections; what was
 *        |       accepted is finished
 *        |       all of it is, or --drain-seconds: the rest gets 503
 *     FLUSHING   no new connections; replies are sent, also to those who have
 *        |       connected less than a second ago
 *        |       all of them are, or --drain-seconds, FLUSH_LEAST at least
 *     exit 0
 *
 * A second signal kills the workers, and then ends the process at once, by that
 * signal.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/host.h"
#include "base/log.h"
#include "base/notify.h"
#include "base/pool.h"
#include "base/usage.h"
#include "command/command.h"
#include "command/settings.h"
#include "command/sockets.h"
#include "fleet/fleet.h"
#include "http/api.h"
#include "journal/journal.h"
#include "queue/local.h"
#include "queue/restore.h"
#include "worker/sandbox.h"

enum { CODEC_THREADS_MOST = 4, RECORDS = 1000 };

#define SECOND INT64_C(1000000000)
#define GRACE (2 * SECOND)
#define FLUSH_STEP (SECOND / 100)	/* between checks for unsent replies */
#define FLUSH_LEAST (2 * SECOND)

struct service {
	struct settings settings;
	struct memory_pool *memory;
	struct loop *loop;
	struct pool *codec;
	struct journal *journal;	/* NULL: nothing survives the process */
	struct fleet *fleet;		/* NULL: there is no --queue */
	struct engine *engine;
	struct depot *depot;		/* the fleet's, or this service's own */
	struct api *api;
	int signals;			/* signalfd; -1: none */
	struct sockets sockets;		/* the listening sockets; api.c closes
					 * them */
	int64_t started_ns, watchdog_ns, drain_end_ns;
	bool ready, stopping;
	bool failed;			/* the exit status is to tell it */
	struct timer stage, flush, watchdog;
};

static void on_flush(void *arg)
{
	struct service *s = arg;

	if (api_busy(s->api))
		loop_timer_set(s->loop, &s->flush, clock_ns() + FLUSH_STEP,
		               on_flush, s);
	else
		loop_stop(s->loop);
}

static void on_flush_over(void *arg)
{
	struct service *s = arg;

	log_warn("not every reply was sent in time");
	loop_stop(s->loop);
}

static void on_drained(void *arg)
{
	struct service *s = arg;
	const int64_t least_ns = clock_ns() + FLUSH_LEAST;

	api_quiesce(s->api);
	loop_timer_set(s->loop, &s->stage, s->drain_end_ns > least_ns ?
	               s->drain_end_ns : least_ns, on_flush_over, s);
	on_flush(s);
}

static void on_drain_over(void *arg)
{
	struct service *s = arg;

	log_warn("not everything was finished in time");
	engine_give_up(s->engine);
}

/* Begins DRAINING. A socket from systemd is not accepted from any more, since
 * the next process takes its new connections. A socket of our own stays open,
 * so that clients get a reply and results can be fetched. */
static void drain(void *arg)
{
	struct service *s = arg;

	log_info("taking no new jobs");
	api_leave(s->api);
	fleet_drain(s->fleet);
	if (s->sockets.handed_in)
		api_quiesce(s->api);
	s->drain_end_ns = clock_ns() + s->settings.drain_ns;
	loop_timer_set(s->loop, &s->stage, s->drain_end_ns, on_drain_over, s);
	engine_drain(s->engine, on_drained, s);
}

/* Ends the process at once. It frees nothing, because the kernel does that
 * faster and no work in progress can delay the end. */
static void end_at_once(struct service *s, int signal_number)
{
	sigset_t just_this;

	log_warn("a second signal: ending at once");
	engine_kill_workers(s->engine);
	signal(signal_number, SIG_DFL);
	sigemptyset(&just_this);
	sigaddset(&just_this, signal_number);
	raise(signal_number);
	sigprocmask(SIG_UNBLOCK, &just_this, NULL);
}

static void begin_stop(struct service *s, const char *why)
{
	log_info("%s: finishing what was accepted", why);
	s->stopping = true;
	notify_send("STOPPING=1");
	api_unready(s->api);
	if (s->settings.drain_delay_ns)
		loop_timer_set(s->loop, &s->stage, clock_ns() +
		               s->settings.drain_delay_ns, drain, s);
	else
		drain(s);
}

static void stop(struct service *s, int signal_number)
{
	if (s->stopping)
		end_at_once(s, signal_number);
	else
		begin_stop(s, signal_number == SIGTERM ? "SIGTERM" : "SIGINT");
}

/* A host that cannot join the fleet again must be replaced. */
static void on_outdated(void *arg, const struct err *e)
{
	struct service *s = arg;

	log_error("%s", e->text);
	s->failed = true;
	if (!s->stopping)
		begin_stop(s, "this host cannot join the fleet");
}

static void reload(struct service *s)
{
	struct err e = { 0 };

	if (api_reload(s->api, &e))
		log_with(LOG_LEVEL_ERROR, LOG_FIELDS(LOG_TEXT("reason",
		         e.text)), "the token file, which stays as it was: %s",
		         e.text);
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
			stop(s, (int)i.ssi_signo);
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

/* Reports, once, that the service is ready. As a hook that runs before every
 * sleep of the loop, it cannot miss that moment. */
static int64_t tell_ready(void *arg)
{
	struct service *s = arg;
	const double seconds = (double)(clock_ns() - s->started_ns) / 1e9;

	if (!s->ready && engine_ready(s->engine)) {
		s->ready = true;
		log_with(LOG_LEVEL_INFO, LOG_FIELDS(LOG_NUMBER("seconds",
		         seconds)), "ready after %.3f s", seconds);
		notify_send("READY=1");
	}
	return INT64_MAX;
}

static int start_engine(struct service *s, struct err *e)
{
	const struct settings *t = &s->settings;
	const struct engine_options o = {
		.program = "/proc/self/exe", .cache = t->cache,
		.devices = t->device.item,
		.cluster = t->mpi && *t->mpi ? t->mpi : NULL,
		.queue_limit = t->queue_limit,
		.result_ttl_ns = t->result_ttl_ns, .grace_ns = GRACE,
		.timeout_ns = (int64_t)t->default_timeout_ms * 1000000,
		.records = RECORDS, .bare = !t->sandbox,
		.journal = s->journal, .audits = t->audit_log,
	};

	if (t->sandbox)
		sandbox_protect_front();
	s->engine = engine_new(s->loop, s->memory, &o, e);
	if (s->engine)
		s->depot = s->fleet ? fleet_depot(s->fleet) :
		           local_new(s->loop, s->engine, t->store_ttl_ns, e);
	return s->depot ? 0 : -1;
}

static int start_api(struct service *s, struct err *e)
{
	const struct settings *t = &s->settings;
	const struct api_options o = {
		.loop = s->loop, .engine = s->engine, .memory = s->memory,
		.codec = s->codec, .listen = s->sockets.list,
		.depot = s->depot, .share_memory = t->share_memory,
		.max_body = t->max_body, .transfer_ns = t->transfer_ns,
		.token_file = t->token_file, .token = t->token,
		.access_log = t->access_log,
		.origins = {
			.loopback = sockets_are_loopback(&s->sockets),
			.listen = s->sockets.handed_in ? NULL : t->listen,
			.hosts = t->allow_host.item,
			.origins = t->allow_origin.item,
		},
	};

	if (settings_make_token(t, e))
		return -1;
	s->api = api_new(&o, e);
	if (!s->api)
		return -1;
	sockets_tell(&s->sockets);
	return 0;
}

static int open_journal(struct service *s, struct err *e)
{
	if (!s->settings.state || !s->settings.durability)
		return 0;
	s->journal = journal_open(s->settings.state, e);
	return s->journal ? 0 : -1;
}

static int make_fleet(struct service *s, struct err *e)
{
	const struct settings *t = &s->settings;
	const struct fleet_options o = {
		.loop = s->loop, .memory = s->memory, .codec = s->codec,
		.url = t->queue, .name = t->host_name,
		.lease_ns = t->lease_ns, .result_ttl_ns = t->result_ttl_ns,
		.store_ttl_ns = t->store_ttl_ns, .queue_limit = t->queue_limit,
		.shared_dir = t->shared_dir && *t->shared_dir ?
		              t->shared_dir : NULL,
		.shared_above = t->shared_above,
		.outdated = on_outdated, .arg = s,
	};

	if (!t->queue)
		return 0;
	s->fleet = fleet_new(&o, e);
	return s->fleet ? 0 : -1;
}

/* Few threads suffice, because a short task does not wait for long ones. */
static int codec_threads(void)
{
	const int all = host_threads();

	return all < CODEC_THREADS_MOST ? all : CODEC_THREADS_MOST;
}

static int start(struct service *s, struct err *e)
{
	s->memory = memory_pool_new(s->settings.host_memory, e);
	s->loop = loop_new(e);
	if (!s->memory || !s->loop || take_signals(s, e))
		return -1;
	s->codec = pool_new(s->loop, codec_threads(), e);
	if (!s->codec || open_journal(s, e) || make_fleet(s, e) ||
	    start_engine(s, e) || start_api(s, e) ||
	    (!s->fleet && local_restore(s->depot, e)) ||
	    restore_jobs(s->engine, s->depot->store, s->codec, e) ||
	    (s->fleet && fleet_start(s->fleet, s->engine, e)))
		return -1;
	s->watchdog_ns = notify_watchdog_ns();
	if (s->watchdog_ns)
		on_watchdog(s);
	return loop_prepare(s->loop, tell_ready, s, e);
}

/* Frees everything; what other parts still use is freed last. */
static void take_apart(struct service *s)
{
	if (s->engine) {
		engine_drain(s->engine, NULL, NULL);
		engine_give_up(s->engine);
	}
	api_close(s->api);
	pool_free(s->codec);
	fleet_close(s->fleet);
	journal_close(s->journal);
	api_free(s->api);
	fleet_free(s->fleet);
	local_free(s->fleet ? NULL : s->depot);
	engine_free(s->engine);
	if (s->signals >= 0)
		close(s->signals);
	loop_free(s->loop);
	memory_pool_free(s->memory);
}

int command_serve(int argc, char **argv)
{
	static struct service s = { .signals = -1 };
	struct err e = { 0 };
	int rc, status;

	s.started_ns = clock_ns();
	status = usage_read("[serve]", settings_rows,
	                    settings_begin(&s.settings), argc, argv, NULL);
	if (status != USAGE_GO_ON)
		return status;
	if (settings_settle(&s.settings, &e) ||
	    settings_make_directories(&s.settings, &e))
		return usage_fail(&e);
	status = sockets_open(&s.sockets, &s.settings);
	if (status != STATUS_OK)
		return status;
	log_format_json(s.settings.log_format);
	settings_warn_unknown();
	settings_tell_workers(&s.settings);
	host_tune_malloc();
	tzset();			/* before libzip does in a thread */
	host_raise_files();
	rc = start(&s, &e) ? -1 : loop_run(s.loop, &e);
	take_apart(&s);
	sockets_remove(&s.sockets);
	return rc ? usage_fail(&e) : s.failed ? STATUS_FAILED : STATUS_OK;
}
