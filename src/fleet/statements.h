/* statements.h - the statements that the fleet's database is asked, by name,
 * and the versions of its schema.
 *
 * Every column of an answer is text or bytea, so that answers come in binary
 * and are still easy to read: numbers are cast to text. Times of the database's
 * clock are told as milliseconds. States are the names of enum job_state.
 */
#ifndef FLEET_STATEMENTS_H
#define FLEET_STATEMENTS_H

enum statement {
	/* a node, its devices, and what it knows of the others */
	S_JOIN, S_LEAVE, S_DEVICE, S_ALIVE, S_WAITING,
	/* acceptance */
	S_INSERT, S_KEY, S_FREE_KEY, S_ANY_FITS, S_TENANT_WAITS,
	/* payloads */
	S_CHUNK, S_CHUNKS, S_DROP_CHUNKS,
	/* runs */
	S_CLAIM, S_BEAT, S_END, S_ENDED, S_GIVE_BACK, S_REFUSE, S_UNWANTED,
	/* looking at jobs */
	S_FIND, S_LIST, S_STATES, S_RESULTS,
	/* dismissal, and another try */
	S_LOCK, S_DISMISS, S_REMOVE, S_RETRY,
	/* what every node does now and then */
	S_REAP_LEASES, S_REAP_DEADLINES, S_REAP_RESULTS, S_REAP_RECORDS,
	S_REAP_NODES,
	STATEMENT_COUNT
};

/* Their text, and the number of their parameters. */
struct statement_row {
	const char *sql;
	int parameters;
};
extern const struct statement_row statements[STATEMENT_COUNT];

/* Version i + 1 of the schema is made of version i by row i; ended by NULL. */
extern const char *const schema_changes[];

#endif
