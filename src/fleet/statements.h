/* statements.h - the SQL statements that are executed in the fleet's database,
 * and the versions of its schema.
 *
 * Every column of a result has the type text or bytea: results are fetched in
 * binary format, in which other types would need decoding. So numbers are cast
 * to text, and points in time are milliseconds since 1970 by the database's
 * clock. A state is the name of an enum job_state.
 */
#ifndef FLEET_STATEMENTS_H
#define FLEET_STATEMENTS_H

enum statement {
	/* nodes, their devices, and the number of waiting jobs */
	S_JOIN, S_LEAVE, S_DEVICE, S_ALIVE, S_COUNT_WAITING, S_HOSTS,
	/* accepting a job */
	S_INSERT, S_NOTIFY, S_FIND_KEY, S_FREE_KEY, S_ANY_FITS, S_TENANT_WAITS,
	/* chunks of payloads */
	S_ADD_CHUNK, S_READ_CHUNKS, S_ADD_PARTITIONS, S_DROP_PARTITIONS,
	/* payloads in the shared directory */
	S_SHARED, S_SHARED_LOCK, S_SHARED_TAKE, S_SHARED_DROPPED,
	S_SHARED_SWEEP, S_SHARED_UNNAMED,
	/* claims, leases and ends */
	S_CLAIM_ANY, S_CLAIM, S_CLAIM_ANY_NEEDING, S_CLAIM_NEEDING,
	S_ANY_NEEDING, S_RENEW, S_END, S_CHECK_END, S_GIVE_BACK, S_REFUSE,
	S_FAIL_REFUSED,
	/* reading jobs */
	S_FIND, S_LIST, S_STATES, S_RESULTS,
	/* changing jobs */
	S_LOCK, S_DISMISS, S_REMOVE, S_RETRY,
	/* stored matrices */
	S_MATRIX_FIND, S_MATRIX_VERSION, S_MATRIX_LIST, S_MATRIX_ADD,
	S_MATRIX_LOCK, S_MATRIX_CURRENT, S_MATRIX_BYTES, S_MATRIX_REPLACE,
	S_MATRIX_SHOW, S_MATRIX_EXISTS, S_MATRIX_REMOVE, S_MATRIX_PIN,
	S_SERVICE,
	/* saved pipelines */
	S_PIPELINE_FIND, S_PIPELINE_LIST, S_PIPELINE_PUT, S_PIPELINE_REMOVE,
	/* reaping, by every node */
	S_REAP_LEASES, S_REAP_DEADLINES, S_REAP_RESULTS, S_REAP_RECORDS,
	S_REAP_NODES, S_REAP_EXPIRED, S_REAP_LOCK, S_REAP_MATRICES,
	STATEMENT_COUNT
};

enum { STATEMENT_PARAMETERS = 17 };

struct statement_row {
	const char *sql;
	int parameters;			/* $1 to $N, at most
					 * STATEMENT_PARAMETERS */
};
extern const struct statement_row statements[STATEMENT_COUNT];

/* Row i is the SQL that brings a schema from version i to version i + 1;
 * version 0 has no tables. The last row is NULL. */
extern const char *const schema_changes[];

#endif
