/* wire.h - the protocol between `linalgd bench` and a peer: one request at a
 * time on the peer's standard input, one reply on its standard output.
 *
 *     the peer, once:   struct peer_hello, then `offers` struct peer_offer
 *     PEER_LOAD   + `bytes` bytes, the operands back to back, row-major
 *                       ──▶ struct peer_reply, value 1, or 0: no such call
 *     PEER_RUN          ──▶ struct peer_reply, value: ns of the shortest of
 *                           `times` calls on fresh copies of the operands; a
 *                           first call, to wake the threads, does not count,
 *                           but one of more than PEER_LONG_NS always counts
 *                           and is the last
 *     PEER_WHOLE        ──▶ as PEER_RUN, but the time includes the copy of the
 *                           results to the host's memory, if they are not
 *                           there already
 *     PEER_FETCH        ──▶ struct peer_reply, value: bytes that follow, the
 *                           results back to back, row-major
 *
 * A sparse operand consists of its values, its rows + 1 row starts as 64-bit
 * integers and its column indices as 32-bit integers; k is the number of
 * values. A complex element is two reals, its parts. For a stack, k is the
 * number of matrices. Both ends run on one machine, so the structs are sent as
 * they are, in its byte order. Pivots are 64-bit and count from 0. The peer
 * ends when its input ends.
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
	uint32_t element;		/* bytes of a real: 4 or 8 */
	uint64_t times;
	char call[PEER_CALL];		/* "gemm", "rowsums", ... */
	uint64_t dim[3];		/* m, n, k */
	uint64_t bytes;
};

struct peer_reply {
	uint64_t value;
};

#endif
