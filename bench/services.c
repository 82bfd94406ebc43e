/* services.c - see services.h. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/client.h"
#include "bench/process.h"
#include "bench/services.h"

enum { ARGUMENTS = 20 };

static const struct service on_cpus[SERVICES] = {
	[SERVICE_OURS] = { NULL, OURS, 1, 0, 0 },
	[SERVICE_PEER] = { "FastAPI", THEIRS, 1, 0, 0 },
	[SERVICE_PEER_2] = { "FastAPI x2", THEIRS, 2, 0, 0 },
};

static const struct service on_gpus[SERVICES] = {
	[SERVICE_OURS] = { NULL, OURS, 1, 0, 0 },
	[SERVICE_PEER] = { "aiohttp, CuPy", THEIRS, 1, 0, 0 },
};

void services_init(struct services *s, const char *directory,
                   const char *selector, enum device_type type)
{
	struct err e;

	*s = (struct services){ .directory = directory,
	                        .selector = selector,
	                        .on_gpu = type == DEVICE_GPU };
	memcpy(s->service, s->on_gpu ? on_gpus : on_cpus, sizeof on_cpus);
	if (host_beside(s->self, "linalgd", &e) < 0)
		s->self[0] = 0;
}

/* Returns a port that was free at the time of the call, or 0 if there is
 * none. */
static int free_port(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
	                          .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t n = sizeof at;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&at, n) == 0 &&
	          getsockname(fd, (struct sockaddr *)&at, &n) == 0;

	if (fd >= 0)
		close(fd);
	return ok ? ntohs(at.sin_port) : 0;
}

/* Starts linalgd with a queue limit that lets a thousand connections wait. With
 * the default limit most of them would get 503. */
static int start_ours(struct services *s, struct service *to,
                      struct err *e)
{
	char listen[32];
	char *argv[] = { s->self, "serve", "--listen", listen, "--device",
	                 (char *)s->selector, "--queue-limit", "2000",
	                 "--access-log", "off", NULL };

	snprintf(listen, sizeof listen, "127.0.0.1:%d", to->port);
	return process_start(&to->pid, argv, (int[]){ -1, -1, -1 }, e);
}

static int start_gpu_peer(struct services *s, struct service *to,
                          struct err *e)
{
	char program[SERVICE_PATH + 32], port[16];
	char *argv[] = { program, port, NULL };

	snprintf(program, sizeof program, "%s/gpu_service.py", s->directory);
	snprintf(port, sizeof port, "%d", to->port);
	return process_start(&to->pid, argv, (int[]){ -1, -1, STDERR_FILENO },
	                     e);
}

static int start_cpu_peer(struct services *s, struct service *to,
                          struct err *e)
{
	char python[SERVICE_PATH + 32], port[16], workers[16];
	char *argv[ARGUMENTS] = {
		python, "-m", "uvicorn", "service:app", "--app-dir",
		(char *)s->directory, "--port", port, "--workers", workers,
		"--loop", "uvloop", "--http", "httptools", "--no-access-log",
		"--log-level", "warning", NULL
	};

	snprintf(python, sizeof python, "%s/venv/bin/python", s->directory);
	snprintf(port, sizeof port, "%d", to->port);
	snprintf(workers, sizeof workers, "%d", to->workers);
	return process_start(&to->pid, argv, (int[]){ -1, -1, STDERR_FILENO },
	                     e);
}

static bool is_ready(const struct service *s)
{
	struct err none = { 0 };
	struct text head = { 0 }, answer = { 0 }, body = { .data = "" };
	struct client *h = client_open(s->port, &none);
	bool ready = false;

	client_head(&head, "GET /readyz", NULL, "*/*", "", 0);
	if (h)
		ready = client_ask(h, &head, &body, &answer, &none) == 200;
	client_close(h);
	text_fini(&head);
	text_fini(&answer);
	return ready;
}

static int wait_until_ready(struct service *s, struct err *e)
{
	const struct timespec while_it_starts = { 0, 20 * 1000 * 1000 };
	const int64_t end = clock_ns() +
	                    SERVICE_READY_SECONDS * INT64_C(1000000000);

	while (process_runs(s->pid) && clock_ns() < end) {
		if (is_ready(s))
			return 0;
		nanosleep(&while_it_starts, NULL);
	}
	return err_set(e, ERR_NOT_READY, "bench: %s %s",
	               s->name ? s->name : "linalgd",
	               process_runs(s->pid) ? "does not get ready" : "ended");
}

int service_start(struct services *s, int which, struct err *e)
{
	struct service *to = &s->service[which];
	int rc;

	to->port = free_port();
	rc = !to->name ? start_ours(s, to, e) :
	     s->on_gpu ? start_gpu_peer(s, to, e) : start_cpu_peer(s, to, e);
	if (rc < 0)
		to->pid = 0;
	if (rc == 0 && wait_until_ready(to, e) < 0) {
		service_end(to, 0);
		return -1;
	}
	return rc;
}

void service_end(struct service *s, int seconds)
{
	if (s->pid > 0)
		process_end(s->pid, seconds);
	s->pid = 0;
}

void services_end(struct services *s)
{
	for (int i = 0; i < SERVICES; i++)
		service_end(&s->service[i], SERVICE_END_SECONDS);
}

/* Waits until the service has used no processor time for a while. BLAS
 * threads spin for a while after their last work, and linalgd compiles kernels
 * ahead of their use if its program cache does not have them. */
void service_settle(const struct service *s, bool started)
{
	enum { MS = 1000000 };
	const long look_ms = started ? 300 : 30;
	const int64_t most_ms = started ? 180000 : 2000;
	const int64_t end = clock_ns() + most_ms * MS;
	const struct timespec look = { .tv_nsec = look_ms * MS };
	double before, now = process_use(s->pid).cpu_s;

	do {
		before = now;
		nanosleep(&look, NULL);
		now = process_use(s->pid).cpu_s;
	} while (now > before && clock_ns() < end);
}

int service_try(const struct service *s, const struct question *q,
                const struct question_form *f, struct err *e)
{
	struct text head = { 0 }, answer = { 0 };
	struct client *h = client_open(s->port, e);
	int status = -1;

	question_head(f, "", &head);
	if (h)
		status = client_ask(h, &head, &f->body, &answer, e);
	if (status >= 0 && (status != 200 || !question_answered(q, &answer)))
		status = err_set(e, ERR_INTERNAL, "bench: %s answers %s with "
		    "%d: %.100s", s->name ? s->name : "linalgd", f->target,
		    status, answer.length ? answer.data : "");
	client_close(h);
	text_fini(&head);
	text_fini(&answer);
	return status < 0 ? -1 : 0;
}
