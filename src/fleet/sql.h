/* sql.h - pieces of SQL of which the statements are made. */
#ifndef FLEET_SQL_H
#define FLEET_SQL_H

/* Can device d run job j, as far as the database knows? need_device is 'auto',
 * a type, an index in decimal, or a part of a device's name in lower case. */
#define FITS                                                              \
	"(j.need_device = 'auto' OR j.need_device = d.type OR"            \
	" j.need_device = d.number::text OR"                              \
	" (j.need_device NOT IN ('cpu', 'gpu') AND"                       \
	"  j.need_device !~ '^[0-9]+$' AND"                               \
	"  position(j.need_device IN d.name) > 0)) AND"                   \
	" (d.float64 OR NOT j.need_float64) AND d.memory >= j.need_memory"

/* A number for what job j needs: 0 is any device, 1 any device with float64,
 * 2 a CPU, 3 a GPU; 4 stands for all other devices that requests can name. A
 * host looks for waiting jobs by this number (needs.h), with the index
 * job_waits_for of schema.c, in which the expression is the same. */
#define NEED                                                              \
	"CASE j.need_device WHEN 'auto' THEN j.need_float64::int"         \
	" WHEN 'cpu' THEN 2 WHEN 'gpu' THEN 3 ELSE 4 END"

/* The size of a job's payload. Bit 60 of operand_bytes is set in the rows of
 * jobs that hosts with a schema before version 4 cannot run: they take the
 * operands to be too large for them. Bit 61 is set if some of the operands are
 * in the shared directory, of which hosts with a schema before version 7 do not
 * know. */
#define OPERAND_BYTES "(operand_bytes & ~(3::bigint << 60))"
#define IS_SHARED "operand_bytes >= 1::bigint << 61"

/* Has node n refreshed its row within the last $1 milliseconds? */
#define ALIVE "n.seen > now() - $1::float8 * interval '1 ms'"

#define MS(moment) "(extract(epoch FROM " moment ") * 1000)::bigint::text"
#define IN_MS(parameter) parameter "::float8 * interval '1 ms'"

/* The columns from which view.c makes a job. */
#define RECORD                                                            \
	"id, tenant, state, epoch::text, attempts::text, progress::text," \
	" request, answer, gone::int::text, result_bytes::text, "         \
	MS("created") ", " MS("started") ", " MS("finished") ", "         \
	MS("greatest(created, started, finished)") ", history,"           \
	" coalesce(owner, ''), coalesce(result_file, '')"

/* The `answer` of a job that a statement ends, in the form in which
 * record_answer() writes one. */
#define ANSWER(slug, detail)                                              \
	"convert_to('error " slug " 0' || chr(10) || 'detail ' || "       \
	detail " || chr(10), 'UTF8')"

/* Deletes the chunks of the jobs whose ids the query `from` has returned. */
#define WITHOUT_CHUNKS(from)                                              \
	" c AS (DELETE FROM linalgd.chunk WHERE job IN (SELECT id FROM "  \
	from "))"

/* Does the same with chunks that are in no partition which will be dropped:
 * see schema.c. */
#define WITHOUT_KEPT_CHUNKS(from)                                         \
	" c AS (DELETE FROM linalgd.chunk WHERE created = '-infinity' AND" \
	" job IN (SELECT id FROM " from "))"

/* The columns from which form.c makes a stored matrix. */
#define MATRIX                                                            \
	"m.name, m.version::text, m.form, m.payload_bytes::text, "        \
	MS("m.created") ", " MS("m.expires") ", " MS("m.expires - now()")

/* A stored matrix that a request for its name gets. */
#define IS_THERE                                                          \
	"m.removed IS NULL AND (m.expires IS NULL OR m.expires > now())"

/* Versions that jobs use which have not ended, or may be retried. */
#define USED                                                              \
	"(SELECT unnest(uses) FROM linalgd.job WHERE uses IS NOT NULL AND" \
	" (finished IS NULL OR dead))"

/* Puts job $2 back into the queue if node $1 still runs it with epoch $3. This
 * claim does not count as an attempt. */
#define GIVE_BACK(assignment)                                             \
	"WITH b AS (UPDATE linalgd.job SET state = 'accepted',"           \
	" owner = NULL, lease_until = NULL, attempts = attempts - 1,"     \
	" started = NULL, " assignment " "                                \
	"WHERE id = $2 AND epoch = $3::bigint AND owner = $1 AND"         \
	" state = 'running' RETURNING id) "                               \
	"SELECT b.id, pg_notify('linalgd_job', '')::text FROM b"

/* Can node $1, which has $4 bytes of memory free and sees the shared directory
 * if $5 is true, claim job j now? */
#define CLAIMABLE                                                         \
	"j.state = 'accepted' AND j.not_before <= now() AND "             \
	OPERAND_BYTES " + j.use_bytes <= $4::bigint AND"                  \
	" ($5::boolean OR NOT " IS_SHARED ") AND"                         \
	" $1 <> ALL(j.refused) AND EXISTS (SELECT FROM linalgd.device d"  \
	"  WHERE d.node = $1 AND " FITS ")"

/* The milliseconds for which a new job is left to hosts that have copies of the
 * stored matrices that it uses: a fetch transfers about 200 MB/s; even if they
 * are small, such a host needs time for a claim. */
#define HEAD_START_MS(bytes)                                              \
	"least(greatest(" bytes " / 200000, 20), 250)"

/* Is that time over, so that any host may claim job j? */
#define IS_FOR_ALL                                                        \
	"j.created + " HEAD_START_MS("j.use_bytes") " *"                  \
	" interval '1 ms' <= now()"

/* Gives node $1 the jobs whose serial numbers the table `picked` has, with
 * leases of $2 milliseconds. */
#define CLAIM(picked)                                                     \
	"UPDATE linalgd.job SET state = 'running', owner = $1,"           \
	" epoch = epoch + 1, attempts = attempts + 1, progress = 0,"      \
	" started = coalesce(started, now()),"                            \
	" lease_until = now() + " IN_MS("$2") " "                         \
	"FROM " picked " WHERE job.serial = picked.serial "               \
	"RETURNING id, tenant, epoch::text, request, operands, "          \
	MS("now() - created") ", " MS("deadline - now()")                 \
	", " OPERAND_BYTES "::text, " MS("created") ", need_device,"      \
	" uses::text, use_bytes::text, coalesce(operand_file, '')"

/* Selects and locks the first `limit` waiting jobs j for which the condition
 * holds, in the order of their ranks. */
#define TAKE(condition, limit)                                            \
	"SELECT j.serial FROM linalgd.job j WHERE " condition             \
	" ORDER BY j.rank, j.serial LIMIT " limit                         \
	" FOR UPDATE SKIP LOCKED"

/* The waiting jobs whose NEED is one of at most four in the array `needs`, in
 * the order of their ranks. They are read by four scans of the index at once,
 * which are merged, as far as the claim needs them: one scan with the array in
 * its condition would not be in this order. */
#define QUEUE(needs)                                                      \
	"(" NEEDING(needs, "1") " UNION ALL " NEEDING(needs, "2")         \
	" UNION ALL " NEEDING(needs, "3") " UNION ALL "                   \
	NEEDING(needs, "4") ") AS queue"
#define NEEDING(needs, i)                                                 \
	"(SELECT serial, rank FROM linalgd.job j WHERE"                   \
	" j.state = 'accepted' AND " NEED " = (SELECT (" needs            \
	"::int[])[" i "]) ORDER BY rank, serial)"

/* The same as TAKE, of jobs in the QUEUE. */
#define TAKE_NEEDING(needs, condition, limit)                             \
	"SELECT j.serial FROM " QUEUE(needs) ", LATERAL ("                \
	"SELECT j.serial FROM linalgd.job j WHERE"                        \
	" j.serial = queue.serial AND " condition                         \
	" FOR UPDATE SKIP LOCKED) AS j"                                   \
	" ORDER BY queue.rank, queue.serial LIMIT " limit

/* The rank of the first job that the node can claim. */
#define FIRST_RANK                                                        \
	"SELECT j.rank FROM linalgd.job j WHERE " CLAIMABLE               \
	" ORDER BY j.rank, j.serial LIMIT 1"
#define FIRST_RANK_NEEDING(needs)                                         \
	"SELECT queue.rank FROM " QUEUE(needs) ", LATERAL ("              \
	"SELECT FROM linalgd.job j WHERE j.serial = queue.serial AND "    \
	CLAIMABLE " OFFSET 0) AS j"                                       \
	" ORDER BY queue.rank, queue.serial LIMIT 1"

/* Calls the macro. One of the arguments may be a macro such as FOR_ANY, which
 * stands for several. */
#define APPLY(macro, ...) macro(__VA_ARGS__)

/* The arguments `condition` and `limit` of TAKE in S_CLAIM_ANY. */
#define FOR_ANY                                                           \
	"(j.uses IS NULL OR " IS_FOR_ALL ") AND " CLAIMABLE,              \
	"(SELECT $3::int)"

/* The same in S_CLAIM, where the jobs that the node prefers have been picked
 * before. */
#define FOR_OTHERS                                                        \
	"(j.uses IS NULL OR j.uses <@ $6::bigint[] OR " IS_FOR_ALL        \
	") AND " CLAIMABLE " AND"                                         \
	" j.serial <> ALL(ARRAY(SELECT serial FROM liked))",              \
	"$3::int - (SELECT count(*) FROM liked)"

/* S_CLAIM with the queries for the table `first`, and for all jobs but those
 * that the node likes. */
#define CLAIM_LIKED(first, others)                                        \
	"WITH near AS MATERIALIZED (SELECT serial, rank, uses"            \
	" FROM linalgd.job WHERE state = 'accepted' AND"                  \
	" uses IS NOT NULL ORDER BY rank, serial LIMIT 32),"              \
	" first AS (" first "),"                                          \
	" liked AS MATERIALIZED (SELECT serial FROM linalgd.job j"        \
	" WHERE serial = ANY(ARRAY(SELECT serial FROM near WHERE"         \
	"  uses <@ $6::bigint[] AND"                                      \
	"  rank - interval '10 s' <= (SELECT rank FROM first))) AND "     \
	CLAIMABLE " LIMIT $3::int FOR UPDATE SKIP LOCKED),"               \
	" others AS MATERIALIZED (" others ") "                           \
	CLAIM("(SELECT serial FROM liked UNION ALL"                       \
	      " SELECT serial FROM others) AS picked")

#endif
