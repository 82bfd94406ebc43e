/* peer.h - a peer: a helper program that computes the same operations, over a
 * pipe with the protocol of wire.h. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/wire.h"
#include "matrix/matrix.h"

struct peer;

/* Starts the program. Returns NULL with *e when it does not exist. */
struct peer *peer_open(const char *program, struct err *e);
void peer_close(struct peer *p);
const char *peer_name(const struct peer *p);

/* The name of the library that computes that call in the peer, or NULL if the
 * peer does not offer the call. */
const char *peer_offers(const struct peer *p, const char *call);

/* Sends a call and its operands; false if the peer has no such call or has
 * ended. */
bool peer_load(struct peer *p, const char *call, const size_t dim[3],
               const struct matrix *in, int n_in);

/* Returns the time in ns of the shortest of that many calls, which includes
 * bringing the results to the host's memory if `whole` is set; 0 when the peer
 * has ended. */
uint64_t peer_run(struct peer *p, bool whole, uint64_t times);

/* Reads the results into matrices whose shapes and memory are set. */
bool peer_fetch(struct peer *p, struct matrix *out, int n_out);

#endif
