/* wire.h - the protocol between `linalgd bench` and a peer: one request at a
 * time on the peer's standard input, one reply on its standard output.
 *
 *     the peer, once:   struct peer_hello, then `offers` struct peer_offer
 *     PEER_LOAD   + `bytes` bytes, the operands back to back, row-major
 *                       ──▶ struct peer_reply, value 1, or 0: no such call
 *     PEER_RUN          ──▶ struct peer_reply, value: ns of the shortest of
 *                           `times` calls on fresh copies of the operands,
 *                           after one to wake up; a call of more than
 *                           PEER_LONG_NS counts by itself and is the last
 *     PEER_WHOLE        ──▶ the same, with the results brought to the host's
 *                           memory; peers that compute there do so anyway
 *     PEER_FETCH        ──▶ struct peer_reply, value: bytes that follow, the
 *                           results back to back, row-major
 *
 * A sparse operand is its values, its rows + 1 row starts of 64 bits and its
 * columns of 32; k is how many values there are. In a stack, k counts the
 * matrices. Both ends are on one machine: plain structs in its byte order.
 * Pivots are 64-bit, 0-based. The peer ends when its input does.
 */
#ifndef BENCH_WIRE_H
#define BENCH_WIRE_H

#include <stdint.h>

enum { PEER_NAME = 64, PEER_CALL = 16, PEER_OFFERS = 64,
       PEER_LONG_NS = 100000000 };

enum peer_what { PEER_LOAD, PEER_RUN, PEER_FETCH, PEER_WHOLE };

struct peer_hello {
	char name[PEER_NAME];
	uint64_t offers;		/* at most PEER_OFFERS */
};

/* A call, and whose it is: "OpenBLAS", "C loop, all cores", "cuSPARSE". */
struct peer_offer {
	char call[PEER_CALL];
	char by[PEER_NAME];
};

struct peer_request {
	uint32_t what;			/* enum peer_what */
	uint32_t element;		/* bytes of one: 4 or 8 */
	uint64_t times;
	char call[PEER_CALL];		/* "gemm", "rowsums", ... */
	uint64_t dim[3];		/* m, n, k */
	uint64_t bytes;
};

struct peer_reply {
	uint64_t value;
};

#endif
