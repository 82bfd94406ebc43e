/* shares_state.h - what shares.c and share_clients.c have in common. */
#ifndef HTTP_SHARES_STATE_H
#define HTTP_SHARES_STATE_H

#include "http/listeners.h"
#include "http/shares.h"

struct share {
	char id[SHARE_ID];
	const struct tenant *tenant;
	struct memory *memory;		/* a reference */
	struct share_client *owner;	/* who claimed it; or NULL */
	int64_t until_ns;		/* clock_ns(), to be claimed by then */
	struct share *next;
};

/* A connection of a share socket. */
struct share_client {
	struct shares *shares;
	int fd;
	struct share_client *next;
};

struct shares {
	struct loop *loop;
	struct memory_pool *pool;
	size_t limit, bytes;
	int n, n_clients;
	struct share *first;
	struct share_client *clients;
	struct timer unclaimed;
	struct listeners listeners;
	char path[LISTENERS_MOST][SHARE_PATH];	/* of listeners.fd[i] */
};

/* Returns where the share of that id is linked, or NULL. */
struct share **shares_at(struct shares *s, const char *id);

/* Frees the share that is linked there. */
void shares_remove(struct shares *s, struct share **at);

/* share_clients.c: takes over a connection of a share socket; ends a client
 * and frees its shares. */
void share_client_add(void *arg, int fd, const struct sockaddr *from,
                      socklen_t length);
void share_client_end(struct share_client *c);

#endif
