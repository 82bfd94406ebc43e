/* compilers.h - processes that compile kernels for a worker, because a
 * platform's compiler stops everything else in its own process.
 *
 *     linalgd worker --compile WHAT --share I/N --device D --cache DIR
 *                    [--socket FD]
 *
 *     worker ── struct request ──▶ compiler
 *            ◀── struct compiled ──
 *
 * Some are started at once: each compiles its share of what will be launched
 * (WHAT, see foresee.h and warm.h), and requests in between. Others are started
 * for requests alone, and end when none has come for some seconds. */
#ifndef WORKER_COMPILERS_H
#define WORKER_COMPILERS_H

#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>

#include "device/device.h"

enum {
	COMPILERS = 12,			/* that foresee, at most */
	COMPILERS_MORE = 4,		/* for requests alone, at most */
	COMPILERS_ALL = COMPILERS + COMPILERS_MORE,
	REQUESTS = 64			/* under way, at most */
};

struct request {
	bool direct;			/* for the device without threads */
	struct launch launch;
};

/* What a process has compiled: a launch's machine code, or a step of warm.h. */
struct compiled {
	uint64_t key;			/* 0: all that it foresaw is done */
};

struct compiler {
	pid_t pid;			/* 0: none */
	int socket;
	bool foresees;
	int requests;			/* not answered yet */
};

struct compilers {
	/* Set by the caller; direct and cache may be NULL. */
	struct device *device, *direct;
	const char *cache;
	/* Private to compilers.c. */
	struct compiler one[COMPILERS_ALL];
	struct {
		struct request request;
		uint64_t key;
		int by;			/* index of its process */
		int64_t since_ns;
	} under_way[REQUESTS];
	int n_under_way;
};

/* Starts the processes that foresee, as many as there is work and room for.
 * what: the argument of foresee(). All of them end with this process. */
void compilers_start(struct compilers *c, const char *what);

/* Requests the compilation of a launch, unless it is under way already; false
 * when no process can take the request. */
bool compilers_ask(struct compilers *c, struct device *d,
                   const struct launch *l);
bool compilers_has(const struct compilers *c, uint64_t key);

/* Fills in the poll entries of the processes; returns their number. */
int compilers_poll(const struct compilers *c,
                   struct pollfd p[COMPILERS_ALL]);

/* Receives what the processes have compiled, and notes it for the devices. A
 * request on which a process failed or hung is noted as well, so that the
 * caller compiles it itself. True when a request has been completed. */
bool compilers_hear(struct compilers *c);

/* Is a process still compiling what it foresaw? compilers_finish() waits until
 * none is. */
bool compilers_foresee(const struct compilers *c);
void compilers_finish(struct compilers *c);

/* compiler.c: the main function of such a process. */
struct compiler_options {
	int device, socket;		/* socket -1: none */
	const char *what, *cache;
	int share, shares;
};
int compilers_main(const struct compiler_options *o, struct err *e);

#endif
