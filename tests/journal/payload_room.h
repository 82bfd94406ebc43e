/* payload_room.h - an empty directory for each test of payload files. */
#ifndef TESTS_JOURNAL_PAYLOAD_ROOM_H
#define TESTS_JOURNAL_PAYLOAD_ROOM_H

#include "journal/payload.h"
#include "tests/test.h"

struct payload_room {
	char path[64];
	struct payloads *d;
	struct err e;
	size_t used_before;
};
extern struct payload_room files;

void payload_room_open(void);		/* fixtures */
void payload_room_close(void);

/* Returns a dense matrix of that type, whose elements are distinct bytes, and a
 * 3 x 4 sparse one of two entries. */
struct matrix payload_dense(enum dtype d, int ndim, const size_t *dim);
struct matrix payload_sparse(void);

void payload_ck_same(const struct matrix *a, const struct matrix *b);

/* Returns the number of the files that payloads_list() tells. */
int payload_count(void);

#endif
