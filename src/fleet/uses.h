/* uses.h - the operands of a job that are stored matrices (matrices.h). Their
 * elements are not written again with the job: its row has their versions, in
 * the column `uses`, and the host that claims the job fetches them, unless it
 * has copies. */
#ifndef FLEET_USES_H
#define FLEET_USES_H

#include "fleet/fleet_state.h"

struct uses {
	bool any;
	size_t n;			/* operands */
	uint64_t version[RECORD_OPERANDS];	/* 0: it is in the payload */
	uint64_t bytes;			/* of the stored matrices */
	bool shared;			/* set by uses_pin(): some of them are
					 * in the shared directory */
};

enum { USES_TEXT = RECORD_OPERANDS * 21 + 3 };

/* Finds out which of a tenant's n operands are stored matrices. */
void uses_find(struct uses *u, const struct fleet *f, const char *tenant,
               const struct matrix *m, size_t n);

/* Sets payload[] to the operands without the stored matrices, borrowed. */
void uses_leave_out(const struct uses *u, const struct matrix *m, size_t n,
                    struct matrix payload[RECORD_OPERANDS]);

/* Sets *bytes to the size of that payload. */
int uses_payload(const struct uses *u, const struct matrix *m, size_t n,
                 uint64_t *bytes, struct err *e);

/* Returns the column operand_bytes for that size. Hosts of an earlier version
 * can run no job that uses matrices of the fleet, or `stores` any, and only
 * hosts that see the shared directory one that has a `file` there. */
int64_t uses_column(const struct uses *u, uint64_t bytes, bool stores,
                    bool file);

/* Writes and reads the column `uses`; an absent one is "". uses_print() returns
 * text, or NULL if there are no such operands. */
const char *uses_print(const struct uses *u, char text[USES_TEXT]);
void uses_read(struct uses *u, const char *text);

/* Within the transaction that inserts the job: keeps the versions from being
 * deleted before the job's row can be seen. ERR_GONE if one was deleted
 * already, since it was replaced or removed. */
int uses_pin(struct uses *u, struct pg *p, struct err *e);

#endif
