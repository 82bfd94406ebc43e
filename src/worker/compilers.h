/* compilers.h - processes that compile kernels beside the one that needs them:
 * a platform's compiler stops whatever else its process does.
 *
 *     linalgd worker --compile WHAT --share I/N --device D --cache DIR
 *                    [--socket FD]
 *
 *     needs it ── struct request ──▶ compiles
 *              ◀── struct compiled ──
 *
 * Some are started at once and compile what will be launched (WHAT, see
 * foresee.h and warm.h), a share each, and requests in between. Others are
 * started for requests, and end when none came for some seconds.
 */
#ifndef WORKER_COMPILERS_H
#define WORKER_COMPILERS_H

#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>

#include "device/device.h"

enum {
	COMPILERS = 12,			/* that foresee, at most */
	COMPILERS_MORE = 4,		/* for requests */
	COMPILERS_ALL = COMPILERS + COMPILERS_MORE,
	REQUESTS = 64			/* under way, at most */
};

struct request {
	bool direct;			/* of the device without threads */
	struct launch launch;
};

/* What a process made: a launch's machine code, or what warm.h calls a step. */
struct compiled {
	uint64_t key;			/* 0: it has done all that it foresaw */
};

struct compiler {
	pid_t pid;			/* 0: none */
	int socket;
	bool foresees;
	int requests;			/* it has not answered */
};

struct compilers {
	/* Set by who starts them; direct and cache may be NULL. */
	struct device *device, *direct;
	const char *cache;
	/* Their own. */
	struct compiler one[COMPILERS_ALL];
	struct {
		struct request request;
		uint64_t key;
		int by;			/* which process has it */
		int64_t since_ns;
	} under_way[REQUESTS];
	int n_under_way;
};

/* Starts those that foresee, as many as there is work and room for. what: of
 * foresee(). All of them end with this process. */
void compilers_start(struct compilers *c, const char *what);

/* Has somebody compile it, unless somebody does already: false when nobody
 * can. */
bool compilers_ask(struct compilers *c, struct device *d,
                   const struct launch *l);
bool compilers_has(const struct compilers *c, uint64_t key);

/* Where they will be heard: how many entries. */
int compilers_poll(const struct compilers *c,
                   struct pollfd p[COMPILERS_ALL]);

/* Takes what they told, and notes it for the devices; what a process failed at
 * or sat on for minutes is noted, too, for the caller to compile himself. True
 * when something came that was asked for. */
bool compilers_hear(struct compilers *c);

/* Has one still some of what it foresaw to do? Waits until none has. */
bool compilers_foresee(const struct compilers *c);
void compilers_finish(struct compilers *c);

/* compiler.c: what such a process does. */
struct compiler_options {
	int device, socket;		/* socket -1: none */
	const char *what, *cache;
	int share, shares;
};
int compilers_main(const struct compiler_options *o, struct err *e);

#endif
