/* claimed.h - the rows that a host has claimed: makes a struct job of each, and
 * hands it to the engine. */
#ifndef FLEET_CLAIMED_H
#define FLEET_CLAIMED_H

#include "fleet/fleet_state.h"
#include "fleet/uses.h"

/* A row that was claimed. */
struct claimed {
	struct fleet *fleet;
	char id[JOB_ID], tenant[TENANT_NAME];
	char device[STORE_NAME];	/* that the request selects */
	int64_t epoch, age_ms, created_ms;
	int64_t left_ms;		/* until its deadline, negative after
					 * it; 0: it has none */
	uint64_t bytes;			/* of the operands' payload */
	char *request;
	bool large;			/* the operands are not in the row, and
					 * are read after the claim */
	char file[SHARED_NAME];		/* their file in the shared directory;
					 * "": they are in chunks */
	struct matrix operand[RECORD_OPERANDS];
	size_t n;
	struct uses uses;		/* operands that are stored matrices */
	size_t left;			/* of these, not fetched yet */
	struct err err;			/* from reading the operands */
};

/* Reads a row that S_CLAIM has returned, on a thread of the crew. NULL without
 * memory. */
struct claimed *claimed_read(struct fleet *f, const struct pg_answer *a,
                             int row);
void claimed_free(struct claimed *c);

/* Takes the row over, whose lease f->runs has: reads the operands that are
 * missing, and then hands the job to the engine, or gives it back. */
void claimed_begin(struct claimed *c);

#endif
