/* services.h - linalgd and its peer as services on this machine's loopback
 * interface; the benchmark starts and ends each with all its processes.
 *
 *     ours     this program, serve --device ...
 *     peer     DIR/venv/bin/python -m uvicorn service:app, with one worker
 *     peer x2  and with two
 *
 * and beside ours on a GPU
 *
 *     peer     DIR/gpu_service.py PORT: aiohttp and CuPy
 */
#ifndef BENCH_SERVICES_H
#define BENCH_SERVICES_H

#include <sys/types.h>

#include "base/host.h"
#include "bench/question.h"
#include "wire/sheet.h"

enum { SERVICE_OURS, SERVICE_PEER, SERVICE_PEER_2, SERVICES };

enum {
	SERVICE_PATH = HOST_PATH,
	SERVICE_READY_SECONDS = 300,	/* longest wait for all devices */
	SERVICE_END_SECONDS = 10
};

struct service {
	const char *name;		/* NULL: linalgd */
	enum question_dialect dialect;
	int workers;			/* processes that compute */
	pid_t pid;			/* 0: not running */
	int port;
};

struct services {
	struct service service[SERVICES];
	char self[SERVICE_PATH];	/* this program */
	const char *directory;		/* of peers and scripts */
	const char *selector;		/* of our device */
	bool on_gpu;			/* that device is a GPU */
};

/* Sets the services for that kind of device, and starts none of them. */
void services_init(struct services *s, const char *directory,
                   const char *selector, enum device_type type);
void services_end(struct services *s);

/* Starts that service on a free port, and waits until it is ready. */
int service_start(struct services *s, int which, struct err *e);
/* Waits until the service is idle, for a limited time: after it was measured,
 * or, with `started`, until it has compiled kernels and warmed up. */
void service_settle(const struct service *s, bool started);

/* Ends the service, which has that many seconds to finish its work. */
void service_end(struct service *s, int seconds);

/* Asks once, outside of any measurement; 0 when the answer is right. */
int service_try(const struct service *s, const struct question *q,
                const struct question_form *f, struct err *e);

#endif
