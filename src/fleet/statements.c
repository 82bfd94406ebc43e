/* statements.c - see statements.h. */
#include "fleet/sql.h"
#include "fleet/statements.h"

const struct statement_row statements[STATEMENT_COUNT] = {
	/* $3: the number of jobs that the node runs, as in S_ALIVE. */
	[S_JOIN] = { "INSERT INTO linalgd.node(id, host, leased) "
		"VALUES($1, $2, $3::int) "
		"ON CONFLICT(id) DO UPDATE SET seen = now()", 3 },
	[S_LEAVE] = { "DELETE FROM linalgd.node WHERE id = $1", 1 },
	[S_DEVICE] = { "INSERT INTO linalgd.device(node, number, type, name,"
		" float64, memory, shown) VALUES($1, $2::int, $3, $4,"
		" $5::boolean, $6::bigint, $7) ON CONFLICT DO NOTHING", 7 },
	[S_ALIVE] = { "UPDATE linalgd.node SET seen = now(), leased = $2::int "
		"WHERE id = $1 RETURNING id", 2 },
	/* Counts waiting jobs, but not beyond $1, because counting a long queue
	 * takes long. */
	[S_COUNT_WAITING] = { "SELECT count(*)::text FROM ("
		"SELECT FROM linalgd.job WHERE state = 'accepted' "
		"LIMIT $1::bigint) AS waiting", 1 },
	/* Returns a row for each device of the nodes that are alive, and one
	 * for a node without devices. A node that runs a version without the
	 * columns host, leased and shown is shown by its id. Reads no jobs,
	 * because every host executes this statement all the time. */
	[S_HOSTS] = { "SELECT n.id, coalesce(n.host, n.id),"
		" greatest(" MS("now() - n.seen") "::bigint, 0)::text,"
		" n.leased::text, d.number::text, d.type,"
		" coalesce(d.shown, d.name), d.float64::int::text,"
		" d.memory::text FROM linalgd.node n"
		" LEFT JOIN linalgd.device d ON d.node = n.id "
		"WHERE " ALIVE " ORDER BY n.id, d.number", 1 },
	/* $6: the priority; $9: milliseconds until the deadline, or NULL; $13:
	 * milliseconds of device time that the tenant is charged for the job;
	 * $15: the versions of stored matrices that are operands, or NULL;
	 * $16: their bytes; $17: the file of the operands, or NULL. For the
	 * notification's text see prefer.h.
	 *
	 * The new job's turn is $13 after now or, if that is later, after the
	 * turn of the tenant's last waiting job whose priority is at least as
	 * urgent. So the turns of a tenant with many jobs are spread out, and
	 * jobs of other tenants are claimed in between: start-time fair
	 * queueing (Goyal, Vin and Cheng, 1997) with the database's clock as
	 * virtual time. A step of priority counts as 30 s of turn. */
	[S_INSERT] = { "WITH t AS (SELECT greatest(now(), max(last.turn)) + "
		IN_MS("$13") " AS turn FROM generate_series(0, $6::int) AS p,"
		" LATERAL (SELECT turn FROM linalgd.job WHERE tenant = $2 AND"
		"  priority = p AND state = 'accepted'"
		"  ORDER BY turn DESC LIMIT 1) AS last),"
		" i AS (INSERT INTO linalgd.job(id, tenant, key,"
		" fingerprint, request, priority, turn, rank, need_device,"
		" need_float64, deadline, need_memory, operand_bytes,"
		" operands, uses, use_bytes, operand_file) "
		"SELECT $1, $2, $3::bytea, $4::bytea, $5::bytea, $6::int,"
		" turn, turn + $6::int * interval '30 s', $7, $8::boolean,"
		" now() + " IN_MS("$9") ", $10::bigint, $11::bigint,"
		" $12::bytea, $15::bigint[], $16::bigint, $17 FROM t"
		" ON CONFLICT DO NOTHING RETURNING id) "
		"SELECT i.id, CASE WHEN $14::boolean"
		" THEN pg_notify('linalgd_job', CASE WHEN $15::bigint[] IS"
		"  NULL THEN '' ELSE " HEAD_START_MS("$16::bigint") " || ' ' ||"
		"  $15::bigint[]::text END) END::text FROM i", 17 },
	[S_NOTIFY] = { "SELECT pg_notify('linalgd_job', '')::text", 0 },
	[S_FIND_KEY] = { "SELECT id, state, serves::int::text, fingerprint "
		"FROM linalgd.job WHERE tenant = $1 AND key = $2::bytea "
		"FOR UPDATE", 2 },
	[S_FREE_KEY] = { "UPDATE linalgd.job SET key = NULL WHERE id = $1",
		1 },
	[S_ANY_FITS] = { "SELECT 1::text WHERE EXISTS (SELECT FROM "
		"linalgd.node n JOIN linalgd.device d ON d.node = n.id,"
		" (VALUES($2, $3::boolean, $4::bigint)) AS"
		" j(need_device, need_float64, need_memory) "
		"WHERE " ALIVE " AND " FITS ")", 4 },
	[S_TENANT_WAITS] = { "SELECT count(*)::text FROM linalgd.job "
		"WHERE state = 'accepted' AND tenant = $1", 1 },

	/* Those of stored matrices do not get old: see schema.c. */
	[S_ADD_CHUNK] = { "INSERT INTO linalgd.chunk VALUES($1, $2::bigint,"
		" $3::int, $4::bytea, CASE WHEN $1 = 'matrix'"
		" THEN '-infinity' ELSE now() END)", 4 },
	[S_READ_CHUNKS] = { "SELECT data FROM linalgd.chunk WHERE job = $1 AND "
		"run = $2::bigint ORDER BY number", 2 },
	[S_ADD_PARTITIONS] = { "SELECT linalgd.add_partitions()::text", 0 },
	[S_DROP_PARTITIONS] = { "SELECT linalgd.drop_partitions()::text", 0 },

	[S_SHARED] = { "SELECT coalesce(directory, '') FROM linalgd.shared",
		0 },
	[S_SHARED_LOCK] = { "SELECT coalesce(directory, ''), service::text "
		"FROM linalgd.shared, linalgd.schema FOR UPDATE OF shared",
		0 },
	[S_SHARED_TAKE] = { "UPDATE linalgd.shared SET directory = $1", 1 },
	[S_SHARED_DROPPED] = { "DELETE FROM linalgd.dropped WHERE ctid ="
		" ANY(ARRAY(SELECT ctid FROM linalgd.dropped LIMIT 1000"
		"  FOR UPDATE SKIP LOCKED)) RETURNING name", 0 },
	/* Returns a row for one host an hour. */
	[S_SHARED_SWEEP] = { "UPDATE linalgd.shared SET swept = now() "
		"WHERE swept < now() - interval '1 hour' "
		"RETURNING swept::text", 0 },
	/* Those of the names $1 that are in no row. The name of an unfinished
	 * file, which begins with a dot, never is. */
	[S_SHARED_UNNAMED] = { "SELECT f.n FROM unnest($1::text[]) AS f(n) "
		"WHERE NOT EXISTS (SELECT FROM linalgd.job"
		"  WHERE operand_file = f.n) AND NOT EXISTS ("
		" SELECT FROM linalgd.job WHERE result_file = f.n) AND"
		" NOT EXISTS (SELECT FROM linalgd.matrix"
		"  WHERE file = f.n)", 1 },

	/* $1: the node; $2: milliseconds of the lease; $3: the number of jobs
	 * at most; $4: the bytes of free memory; $5: whether the node sees the
	 * shared directory. This is for a node without copies of stored
	 * matrices, because S_CLAIM takes more processor time. With LIMIT $3
	 * in place of the subquery it was slower in every measurement,
	 * probably because PostgreSQL then makes a new plan for each claim. */
	[S_CLAIM_ANY] = { "WITH picked AS MATERIALIZED (" APPLY(TAKE, FOR_ANY)
		") " CLAIM("picked"), 5 },
	/* $6: the versions of stored matrices of which the node has copies, and
	 * 0.
	 *
	 * The node likes jobs that use stored matrices and for which it need
	 * fetch none. It looks for them among the first 32 waiting jobs that
	 * use any, so that the cost does not grow with the queue. A job is
	 * overtaken only by those whose rank is at most 10 s after its own, so
	 * that it is claimed at last, and before those of a lower priority.
	 * Jobs that the node does not like have to wait for HEAD_START_MS. */
	[S_CLAIM] = { CLAIM_LIKED(FIRST_RANK, APPLY(TAKE, FOR_OTHERS)), 6 },
	/* The two statements above for a node whose devices cannot run many of
	 * the jobs that wait. The last parameter: the needs that its devices
	 * meet. The statements above read each job that the node cannot run;
	 * these read none, but take a third more processor time if there is
	 * none. */
	[S_CLAIM_ANY_NEEDING] = { "WITH picked AS MATERIALIZED ("
		APPLY(TAKE_NEEDING, "$6", FOR_ANY) ") " CLAIM("picked"), 6 },
	[S_CLAIM_NEEDING] = { CLAIM_LIKED(FIRST_RANK_NEEDING("$7"),
		APPLY(TAKE_NEEDING, "$7", FOR_OTHERS)), 7 },
	/* To look at 64 jobs in vain takes about as much as S_CLAIM_ANY_NEEDING
	 * takes more than S_CLAIM_ANY. */
	[S_ANY_NEEDING] = { "SELECT 1::text WHERE EXISTS (SELECT FROM"
		" linalgd.job j WHERE j.state = 'accepted' AND " NEED
		" = ANY($1::int[]) OFFSET 64)", 1 },
	/* $1: the node; $2: milliseconds of the lease; $3 to $5: arrays of
	 * jobs' ids, epochs and progress in percent. Rows that another
	 * transaction has locked, for instance to record an end, are skipped:
	 * waiting for them could be a deadlock. */
	[S_RENEW] = { "WITH held AS MATERIALIZED (SELECT serial,"
		" mine.progress FROM linalgd.job JOIN"
		" unnest($3::text[], $4::bigint[], $5::int[]) AS"
		" mine(id, epoch, progress) ON job.id = mine.id AND"
		" job.epoch = mine.epoch WHERE job.owner = $1 AND"
		" job.state = 'running' FOR NO KEY UPDATE OF job SKIP LOCKED) "
		"UPDATE linalgd.job SET progress = held.progress,"
		" lease_until = now() + " IN_MS("$2") " "
		"FROM held WHERE job.serial = held.serial "
		"RETURNING job.id, job.epoch::text", 5 },
	/* $1: the node; $2: the job; $3: the run's epoch; $4: the new state;
	 * $5: the answer; $6: whether the job serves repeats of its request;
	 * $7: the results, NULL if there are none or they are elsewhere; $8:
	 * their size in bytes; $9: milliseconds for which they are kept; $10:
	 * their file, or NULL.
	 * Returns no row if the epoch or the owner is another one by now: the
	 * run is fenced. */
	[S_END] = { "WITH e AS (UPDATE linalgd.job SET state = $4,"
		" answer = $5::bytea, serves = $6::boolean,"
		" results = $7::bytea, result_bytes = $8::bigint,"
		" result_file = $10, operand_file = NULL,"
		" expires = now() + " IN_MS("$9") ", finished = now(),"
		" operands = NULL, owner = NULL, lease_until = NULL,"
		" progress = 100 "
		"WHERE id = $2 AND epoch = $3::bigint AND owner = $1 AND"
		" state = 'running' RETURNING id) "
		"SELECT e.id, pg_notify('linalgd_end', e.id)::text FROM e",
		10 },
	/* Returns a row if the run with epoch $2 has ended job $1 in this way.
	 * It may have, although S_END returns no row, if the answer to an
	 * earlier COMMIT was lost. */
	[S_CHECK_END] = { "SELECT id FROM linalgd.job WHERE id = $1 AND "
		"epoch = $2::bigint AND state = $3 AND answer = $4::bytea",
		4 },
	/* $4: milliseconds before the job can be claimed again. */
	[S_GIVE_BACK] = { GIVE_BACK("not_before = now() + " IN_MS("$4")), 4 },
	[S_REFUSE] = { GIVE_BACK("refused = refused || $1"), 3 },
	/* Fails a waiting job if every living node with a device that fits has
	 * refused it. */
	[S_FAIL_REFUSED] = { "WITH e AS (UPDATE linalgd.job j SET"
		" state = 'failed', answer = $3::bytea, finished = now(),"
		" expires = now(), operand_file = NULL "
		"WHERE id = $2 AND state = 'accepted' AND NOT EXISTS ("
		" SELECT FROM linalgd.node n JOIN linalgd.device d"
		"  ON d.node = n.id WHERE " ALIVE " AND"
		"  n.id <> ALL(j.refused) AND " FITS ") RETURNING id) "
		"SELECT e.id, pg_notify('linalgd_end', e.id)::text FROM e",
		3 },

	/* In the next statements a tenant that is NULL stands for any
	 * tenant. */
	[S_FIND] = { "SELECT " RECORD " FROM linalgd.job WHERE id = $1 AND "
		"($2::text IS NULL OR tenant = $2)", 2 },
	[S_LIST] = { "SELECT " RECORD " FROM linalgd.job WHERE "
		"($1::text IS NULL OR tenant = $1) AND "
		"($2::text IS NULL OR state = $2) "
		"ORDER BY serial DESC LIMIT $3::int", 3 },
	[S_STATES] = { "SELECT id, state, progress::text FROM linalgd.job "
		"WHERE id = ANY($1::text[])", 1 },
	[S_RESULTS] = { "SELECT results FROM linalgd.job WHERE id = $1 AND "
		"NOT gone", 1 },

	[S_LOCK] = { "SELECT state FROM linalgd.job WHERE id = $1 AND "
		"($2::text IS NULL OR tenant = $2) FOR UPDATE", 2 },
	[S_DISMISS] = { "WITH e AS (UPDATE linalgd.job SET"
		" state = 'dismissed', serves = false, finished = now(),"
		" expires = now(), operands = NULL, operand_file = NULL,"
		" owner = NULL, lease_until = NULL, answer = "
		ANSWER("dismissed", "'the job was dismissed'") " "
		"WHERE id = $1 RETURNING id, epoch)," WITHOUT_CHUNKS("e")
		" SELECT pg_notify('linalgd_cancel', e.id || ' ' ||"
		" e.epoch)::text,"
		" pg_notify('linalgd_end', e.id)::text FROM e", 1 },
	[S_REMOVE] = { "WITH e AS (DELETE FROM linalgd.job WHERE id = $1 "
		"RETURNING id)," WITHOUT_CHUNKS("e")
		" SELECT pg_notify('linalgd_end', e.id)::text FROM e", 1 },

	/* Puts a job that failed because hosts were lost back into the queue,
	 * as if it were new. */
	[S_RETRY] = { "WITH e AS (UPDATE linalgd.job SET state = 'accepted',"
		" dead = false, attempts = 0, serves = true, refused = '{}',"
		" not_before = now(), rank = now(), deadline = NULL,"
		" started = NULL, finished = NULL, expires = NULL,"
		" answer = '' WHERE id = $1 AND ($2::text IS NULL OR"
		" tenant = $2) AND dead RETURNING id) "
		"SELECT e.id, pg_notify('linalgd_job', '')::text FROM e", 2 },
	/* $2, $3: arrays of names and of the versions of which this host has a
	 * copy; $4: is `data` wanted of other versions? */
	[S_MATRIX_FIND] = { "SELECT " MATRIX ", CASE WHEN $4::boolean AND"
		" m.version <> w.version THEN m.data END "
		"FROM unnest($2::text[], $3::bigint[]) AS w(name, version)"
		" JOIN linalgd.matrix m ON m.tenant = $1 AND m.name = w.name "
		"WHERE " IS_THERE, 4 },
	[S_MATRIX_VERSION] = { "SELECT " MATRIX ", m.data, m.tenant,"
		" (" IS_THERE ")::int::text, coalesce(m.file, '')"
		" FROM linalgd.matrix m "
		"WHERE m.version = $1::bigint", 1 },
	[S_MATRIX_LIST] = { "SELECT " MATRIX " FROM linalgd.matrix m "
		"WHERE m.tenant = $1 AND " IS_THERE, 1 },
	/* Inserts a version, which S_MATRIX_SHOW makes visible when its chunks
	 * are written. */
	[S_MATRIX_ADD] = { "INSERT INTO linalgd.matrix(tenant, name, form,"
		" bytes, payload_bytes, data, removed, file) VALUES($1, $2,"
		" $3, $4::bigint, $5::bigint, $6::bytea, now(), $7) "
		"RETURNING version::text", 7 },
	/* Waits for other transactions that change what $1 names. */
	[S_MATRIX_LOCK] = { "SELECT pg_advisory_xact_lock("
		"hashtextextended($1, 7094712317))::text", 1 },
	[S_MATRIX_CURRENT] = { "SELECT m.version::text FROM linalgd.matrix m "
		"WHERE m.tenant = $1 AND m.name = $2 AND " IS_THERE, 2 },
	/* The bytes of the tenant's matrices but for those named in $2, and
	 * the milliseconds until the first of all expires. */
	[S_MATRIX_BYTES] = { "SELECT coalesce(sum(m.bytes) FILTER (WHERE"
		" m.name <> ALL($2::text[])), 0)::text, "
		MS("min(m.expires) - now()") " FROM linalgd.matrix m "
		"WHERE m.tenant = $1 AND " IS_THERE, 2 },
	[S_MATRIX_REPLACE] = { "UPDATE linalgd.matrix SET removed = now() "
		"WHERE tenant = $1 AND name = ANY($2::text[]) AND"
		" removed IS NULL", 2 },
	/* $2: milliseconds to live, or NULL. */
	[S_MATRIX_SHOW] = { "UPDATE linalgd.matrix SET removed = NULL,"
		" created = clock_timestamp(), expires = clock_timestamp() + "
		IN_MS("$2") " WHERE version = ANY($1::bigint[])", 2 },
	[S_MATRIX_EXISTS] = { "SELECT 1::text FROM linalgd.matrix "
		"WHERE version = $1::bigint", 1 },
	/* $3: the version that it must have, or NULL. */
	[S_MATRIX_REMOVE] = { "UPDATE linalgd.matrix m SET removed = now() "
		"WHERE m.tenant = $1 AND m.name = $2 AND " IS_THERE
		" AND m.version = coalesce($3::bigint, m.version) "
		"RETURNING m.version::text", 3 },
	/* Keeps versions from being deleted until the end of the transaction,
	 * which inserts a job that uses them. */
	[S_MATRIX_PIN] = { "SELECT (file IS NOT NULL)::int::text "
		"FROM linalgd.matrix WHERE version = ANY($1::bigint[]) "
		"FOR KEY SHARE", 1 },
	[S_SERVICE] = { "SELECT service::text FROM linalgd.schema", 0 },

	[S_PIPELINE_FIND] = { "SELECT name, text FROM linalgd.pipeline "
		"WHERE tenant = $1 AND name = $2", 2 },
	[S_PIPELINE_LIST] = { "SELECT name, text FROM linalgd.pipeline "
		"WHERE tenant = $1", 1 },
	/* Returns no row if the tenant has $4 pipelines and none of that
	 * name, or if $5 (enum depot_when, whose last compares the text with
	 * $6) does not hold; else whether the name is new. An equal text may be
	 * what this statement has just saved. */
	[S_PIPELINE_PUT] = { "INSERT INTO linalgd.pipeline(tenant, name, text) "
		"SELECT $1, $2, $3 WHERE $4::bigint > (SELECT count(*) FROM"
		" linalgd.pipeline WHERE tenant = $1 AND name <> $2) "
		"AND ($5::int < 2 OR EXISTS(SELECT 1 FROM linalgd.pipeline "
		"WHERE tenant = $1 AND name = $2"
		" AND ($5::int = 2 OR text IN ($3, $6)))) "
		"ON CONFLICT(tenant, name) DO UPDATE SET text = $3 "
		"WHERE $5::int IN (0, 2) OR pipeline.text = $3"
		" OR ($5::int = 3 AND pipeline.text = $6) "
		"RETURNING (xmax = 0)::int::text", 6 },
	/* $3: the text that it must have, or ''. */
	[S_PIPELINE_REMOVE] = { "DELETE FROM linalgd.pipeline "
		"WHERE tenant = $1 AND name = $2 AND $3 IN ('', text) "
		"RETURNING name", 3 },

	/* Puts jobs whose leases have lapsed back into the queue, or fails
	 * those that have had $1 attempts. The operands of a failed job are
	 * kept for S_RETRY. */
	[S_REAP_LEASES] = { "WITH lost AS MATERIALIZED (SELECT serial "
		"FROM linalgd.job WHERE state = 'running' AND"
		" lease_until < now() FOR UPDATE SKIP LOCKED),"
		" e AS (UPDATE linalgd.job SET"
		"  state = CASE WHEN attempts < $1::int THEN 'accepted'"
		"   ELSE 'failed' END, dead = attempts >= $1::int,"
		"  serves = attempts < $1::int, owner = NULL,"
		"  finished = CASE WHEN attempts < $1::int THEN NULL"
		"   ELSE now() END,"
		"  expires = CASE WHEN attempts < $1::int THEN NULL"
		"   ELSE now() END, lease_until = NULL,"
		"  history = history || ' ' || owner || ' at ' ||"
		"   to_char(now() AT TIME ZONE 'UTC',"
		"   'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),"
		"  answer = CASE WHEN attempts < $1::int THEN ''::bytea ELSE "
		ANSWER("device-failure", "attempts::text || ' hosts were lost "
		       "while this job ran:' || history || ' ' || owner")
		"  END FROM lost WHERE job.serial = lost.serial "
		"  RETURNING id, state, epoch) "
		"SELECT e.id, e.state, pg_notify(CASE e.state WHEN 'accepted'"
		" THEN 'linalgd_job' ELSE 'linalgd_end' END, e.id)::text,"
		" pg_notify('linalgd_cancel', e.id || ' ' || e.epoch)::text"
		" FROM e", 1 },
	[S_REAP_DEADLINES] = { "WITH late AS MATERIALIZED (SELECT serial "
		"FROM linalgd.job WHERE state = 'accepted' AND"
		" deadline < now() FOR UPDATE SKIP LOCKED),"
		" e AS (UPDATE linalgd.job SET state = 'failed',"
		"  serves = false, finished = now(), expires = now(),"
		"  operands = NULL, operand_file = NULL, answer = "
		ANSWER("timeout",
		"'time was up after ' || (extract(epoch FROM deadline -"
		" created) * 1000)::bigint ||"
		" ' ms, while the job waited for a host'")
		"  FROM late WHERE job.serial = late.serial RETURNING id),"
		WITHOUT_KEPT_CHUNKS("e")
		" SELECT e.id, pg_notify('linalgd_end', e.id)::text FROM e",
		0 },
	[S_REAP_RESULTS] = { "WITH old AS MATERIALIZED (SELECT serial "
		"FROM linalgd.job WHERE expires < now() AND NOT gone AND"
		" NOT dead LIMIT 1000 FOR UPDATE SKIP LOCKED),"
		" e AS (UPDATE linalgd.job SET results = NULL, gone = true,"
		"  serves = false, operand_file = NULL, result_file = NULL "
		"  FROM old WHERE job.serial = old.serial RETURNING id),"
		WITHOUT_KEPT_CHUNKS("e") " SELECT id FROM e", 0 },
	/* $1: milliseconds after its end for which a job's row is kept. */
	[S_REAP_RECORDS] = { "WITH old AS MATERIALIZED (SELECT serial "
		"FROM linalgd.job WHERE finished < now() - " IN_MS("$1")
		" LIMIT 1000 FOR UPDATE SKIP LOCKED),"
		" e AS (DELETE FROM linalgd.job USING old "
		"  WHERE job.serial = old.serial RETURNING id),"
		WITHOUT_KEPT_CHUNKS("e") " SELECT id FROM e", 1 },
	[S_REAP_NODES] = { "DELETE FROM linalgd.node n WHERE NOT (" ALIVE ")",
		1 },
	[S_REAP_EXPIRED] = { "UPDATE linalgd.matrix SET removed = now() "
		"WHERE expires < now() AND removed IS NULL", 0 },
	/* Two statements, so that the second one sees the jobs of transactions
	 * which pinned a version before it was locked. $1: milliseconds that
	 * removed versions are kept for hosts that are about to fetch them. */
	[S_REAP_LOCK] = { "SELECT version::text FROM linalgd.matrix "
		"WHERE removed < now() - " IN_MS("$1") " AND"
		" version NOT IN " USED " LIMIT 100 FOR UPDATE SKIP LOCKED",
		1 },
	[S_REAP_MATRICES] = { "WITH e AS (DELETE FROM linalgd.matrix WHERE"
		" version = ANY($1::bigint[]) AND version NOT IN " USED
		" RETURNING version), c AS (DELETE FROM linalgd.chunk WHERE"
		" job = 'matrix' AND run IN (SELECT version FROM e)) "
		"SELECT version::text FROM e", 1 },
};
