/* schema.c - see statements.h: the versions of the database's schema.
 *
 * A row of this table must never be changed once it has been released: a new
 * version is a new row. The indexes on linalgd.job are partial: the index on
 * waiting jobs, for example, contains no job that has ended, so that a claim
 * costs the same however many ended jobs the table keeps.
 *
 * linalgd.node and linalgd.device:
 *
 *     host          the host's name, as replies show it; NULL if a version
 *                   before this column has written the row
 *     leased        jobs that the host ran when it was last seen; or NULL
 *     name          the device's name in lower case
 *     shown         the device's name as replies show it; or NULL
 *
 * linalgd.job:
 *
 *     serves        a request with the same key gets this job
 *     rank          the order in which jobs are claimed (see S_INSERT)
 *     need_...      what a device must have to run the job
 *     refused       nodes whose exact check refused the job
 *     not_before    the job cannot be claimed earlier
 *     attempts      claims, less those that were given back
 *     epoch         claims: the fencing token of the current run
 *     history       hosts that were lost while they ran the job, and when
 *     dead          the job failed because too many hosts were lost
 *     owner         the node that holds the lease, until lease_until
 *     request       the job's record (queue/job_record.h); so is answer
 *     operand_bytes the size of `operands` as a payload; see OPERAND_BYTES in
 *                   statements.c
 *     operands      a small payload; NULL if it is in linalgd.chunk or was
 *                   deleted; so are results
 *     operand_file  the name of a file in the shared directory, which has the
 *                   operands in place of chunks, or NULL; so is result_file
 *     gone          the results have expired
 *     uses          the version of the stored matrix that is operand i, 0 if
 *                   operand i is in the payload; NULL if all are
 *     use_bytes     the bytes of these stored matrices
 *
 * linalgd.chunk has the larger payloads (fleet/chunks.h), in partitions:
 *
 *     created       the time of the transaction, which is job.created for
 *                   operands and job.finished for results; '-infinity' for
 *                   stored matrices and all rows from before this column
 *
 * The partition chunk_kept has the rows of '-infinity', which are deleted one
 * by one. Each other one, chunk_T, has those of the hour that begins T seconds
 * after the beginning of 1970. Every host calls add_partitions(), which makes
 * them ahead, and drop_partitions(), which drops those that are 5 minutes past
 * and of which no job needs anything. They do this with the rights of the
 * schema's owner, so that hosts whose roles may not make tables can call them.
 * A partition's lock is taken before its last check, lest a transaction add
 * something meanwhile. It is truncated first, because all that read or write
 * chunks delay the DROP, which is then left to a later call.
 *
 * linalgd.matrix has the stored matrices; those that `uses` of an unfinished
 * job lists stay after they were replaced or removed:
 *
 *     version       identifies the elements, which never change
 *     form          element type, layout and shape (fleet/form.h)
 *     bytes         of the elements and indices, as limits of tenants count
 *     payload_bytes of the matrix as a payload (journal/payload.h)
 *     data          a small payload; NULL if it is in linalgd.chunk, as job
 *                   'matrix' with the version as its run, or in the shared
 *                   directory
 *     file          the name of that file, or NULL
 *     removed       when it was replaced or removed; or the matrix is being
 *                   written
 *
 * linalgd.schema:
 *
 *     service       a random number that is part of all entity tags
 *
 * linalgd.shared has one row (fleet/shared.h), and linalgd.dropped the names of
 * files that rows had:
 *
 *     directory     the marker of the shared directory; NULL: there is none
 *     swept         when files that no row names were last looked for
 */
#include "fleet/statements.h"

const char *const schema_changes[] = {
	"CREATE TABLE linalgd.node("
	"  id text PRIMARY KEY, seen timestamptz NOT NULL DEFAULT now());"
	"CREATE TABLE linalgd.device("
	"  node text NOT NULL REFERENCES linalgd.node ON DELETE CASCADE,"
	"  number int NOT NULL, type text NOT NULL, name text NOT NULL,"
	"  float64 boolean NOT NULL, memory bigint NOT NULL,"
	"  PRIMARY KEY(node, number));"
	"CREATE TABLE linalgd.job("
	"  serial bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
	"  id text NOT NULL UNIQUE, tenant text NOT NULL, key bytea,"
	"  fingerprint bytea, serves boolean NOT NULL DEFAULT true,"
	"  state text NOT NULL DEFAULT 'accepted',"
	"  rank timestamptz NOT NULL,"
	"  need_device text NOT NULL, need_float64 boolean NOT NULL,"
	"  need_memory bigint NOT NULL, operand_bytes bigint NOT NULL,"
	"  refused text[] NOT NULL DEFAULT '{}',"
	"  not_before timestamptz NOT NULL DEFAULT now(),"
	"  deadline timestamptz,"
	"  attempts int NOT NULL DEFAULT 0, epoch bigint NOT NULL DEFAULT 0,"
	"  history text NOT NULL DEFAULT '', dead boolean NOT NULL DEFAULT"
	"  false, owner text, lease_until timestamptz,"
	"  progress int NOT NULL DEFAULT 0,"
	"  request bytea NOT NULL, operands bytea,"
	"  answer bytea NOT NULL DEFAULT '', results bytea,"
	"  result_bytes bigint NOT NULL DEFAULT 0,"
	"  gone boolean NOT NULL DEFAULT false,"
	"  created timestamptz NOT NULL DEFAULT now(),"
	"  started timestamptz, finished timestamptz, expires timestamptz)"
	"  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);"
	"CREATE UNIQUE INDEX job_key ON linalgd.job(tenant, key)"
	"  WHERE key IS NOT NULL;"
	"CREATE INDEX job_waits ON linalgd.job(rank, serial)"
	"  WHERE state = 'accepted';"
	"CREATE INDEX job_waits_of ON linalgd.job(tenant)"
	"  WHERE state = 'accepted';"
	"CREATE INDEX job_deadline ON linalgd.job(deadline)"
	"  WHERE state = 'accepted' AND deadline IS NOT NULL;"
	"CREATE INDEX job_lease ON linalgd.job(lease_until)"
	"  WHERE state = 'running';"
	"CREATE INDEX job_expires ON linalgd.job(expires)"
	"  WHERE expires IS NOT NULL AND NOT gone;"
	"CREATE INDEX job_finished ON linalgd.job(finished)"
	"  WHERE finished IS NOT NULL;"
	"CREATE TABLE linalgd.chunk("
	"  job text NOT NULL, run bigint NOT NULL, number int NOT NULL,"
	"  data bytea NOT NULL, PRIMARY KEY(job, run, number));"
	"ALTER TABLE linalgd.chunk ALTER COLUMN data SET STORAGE EXTERNAL;",
	/* `turn` gives tenants fair shares: see S_INSERT. */
	"ALTER TABLE linalgd.job"
	"  ADD COLUMN priority int NOT NULL DEFAULT 5,"
	"  ADD COLUMN turn timestamptz NOT NULL DEFAULT now();"
	"DROP INDEX linalgd.job_waits_of;"
	"CREATE INDEX job_waits_of ON linalgd.job(tenant, priority, turn)"
	"  WHERE state = 'accepted';",
	/* What every host shows of the others: see S_HOSTS. In rows that hosts
	 * of the version before write, the new columns are NULL. */
	"ALTER TABLE linalgd.node ADD COLUMN host text,"
	"  ADD COLUMN leased int;"
	"ALTER TABLE linalgd.device ADD COLUMN shown text;",
	/* Stored matrices and saved pipelines. */
	"CREATE TABLE linalgd.matrix("
	"  version bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
	"  tenant text NOT NULL, name text NOT NULL, form text NOT NULL,"
	"  bytes bigint NOT NULL, payload_bytes bigint NOT NULL,"
	"  data bytea, created timestamptz NOT NULL DEFAULT now(),"
	"  expires timestamptz, removed timestamptz);"
	"CREATE UNIQUE INDEX matrix_name ON linalgd.matrix(tenant, name)"
	"  WHERE removed IS NULL;"
	"CREATE INDEX matrix_removed ON linalgd.matrix(removed)"
	"  WHERE removed IS NOT NULL;"
	"CREATE INDEX matrix_expires ON linalgd.matrix(expires)"
	"  WHERE expires IS NOT NULL AND removed IS NULL;"
	"CREATE TABLE linalgd.pipeline("
	"  tenant text NOT NULL, name text NOT NULL, text text NOT NULL,"
	"  PRIMARY KEY(tenant, name));"
	"ALTER TABLE linalgd.job ADD COLUMN uses bigint[],"
	"  ADD COLUMN use_bytes bigint NOT NULL DEFAULT 0;"
	"CREATE INDEX job_uses ON linalgd.job(serial)"
	"  WHERE uses IS NOT NULL AND (finished IS NULL OR dead);"
	"ALTER TABLE linalgd.schema ADD COLUMN service bigint NOT NULL"
	"  DEFAULT 1 + (random() * 9e18)::bigint;",
	/* For hosts that look for waiting jobs whose matrices they have. */
	"CREATE INDEX job_waits_using ON linalgd.job(rank, serial)"
	"  WHERE state = 'accepted' AND uses IS NOT NULL;",
	/* Chunks in partitions. The former table becomes the one for rows of
	 * '-infinity', with those that it has; roles keep their privileges. */
	"ALTER TABLE linalgd.chunk RENAME TO chunk_kept;"
	"ALTER TABLE linalgd.chunk_kept DROP CONSTRAINT chunk_pkey,"
	"  ADD COLUMN created timestamptz NOT NULL DEFAULT '-infinity';"
	"CREATE TABLE linalgd.chunk("
	"  job text NOT NULL, run bigint NOT NULL, number int NOT NULL,"
	"  data bytea NOT NULL, created timestamptz NOT NULL DEFAULT now(),"
	"  PRIMARY KEY(job, run, number, created))"
	"  PARTITION BY RANGE(created);"
	"ALTER TABLE linalgd.chunk ALTER COLUMN data SET STORAGE EXTERNAL;"
	"ALTER TABLE linalgd.chunk ATTACH PARTITION linalgd.chunk_kept"
	"  FOR VALUES FROM (MINVALUE) TO ('2000-01-01');"
	"DO $$ DECLARE g record; BEGIN"
	"  FOR g IN SELECT a.grantee, a.privilege_type FROM pg_class c,"
	"    aclexplode(c.relacl) a WHERE c.oid ="
	"    'linalgd.chunk_kept'::regclass AND a.grantee <> c.relowner LOOP"
	"   EXECUTE format('GRANT %s ON linalgd.chunk TO %s',"
	"    g.privilege_type, CASE g.grantee WHEN 0 THEN 'PUBLIC'"
	"    ELSE quote_ident(pg_get_userbyid(g.grantee)) END);"
	"  END LOOP; END $$;"
	"CREATE INDEX job_operands ON linalgd.job(created)"
	"  WHERE (finished IS NULL OR dead) AND operands IS NULL;"
	"CREATE INDEX job_results ON linalgd.job(finished)"
	"  WHERE results IS NULL AND result_bytes > 0 AND NOT gone;"
	"CREATE FUNCTION linalgd.add_partition(begins bigint) RETURNS void"
	"  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$"
	"  DECLARE name text := 'chunk_' || begins; BEGIN"
	"  EXECUTE format('CREATE TABLE linalgd.%I(LIKE linalgd.chunk"
	"    INCLUDING ALL)', name);"
	"  EXECUTE format('ALTER TABLE linalgd.chunk ATTACH PARTITION"
	"    linalgd.%I FOR VALUES FROM (%L) TO (%L)', name,"
	"    to_timestamp(begins), to_timestamp(begins + 3600));"
	"  END $$;"
	"CREATE FUNCTION linalgd.has_partition(begins bigint)"
	"  RETURNS boolean LANGUAGE sql AS $$"
	"  SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relnamespace"
	"   = 'linalgd'::regnamespace AND relname = 'chunk_' || begins) $$;"
	"CREATE FUNCTION linalgd.add_partitions() RETURNS int"
	"  LANGUAGE plpgsql SECURITY DEFINER"
	"  SET search_path = pg_catalog, pg_temp AS $$"
	"  DECLARE hour bigint := floor(extract(epoch FROM now()) / 3600);"
	"  n int := 0; BEGIN"
	"  FOR k IN hour .. hour + 3 LOOP"
	"   CONTINUE WHEN linalgd.has_partition(3600::bigint * k);"
	"   PERFORM pg_advisory_xact_lock(7094712317);"
	"   CONTINUE WHEN linalgd.has_partition(3600::bigint * k);"
	"   PERFORM linalgd.add_partition(3600::bigint * k);"
	"   n := n + 1;"
	"  END LOOP; RETURN n; END $$;"
	"CREATE FUNCTION linalgd.is_needed(part text, begins timestamptz)"
	"  RETURNS boolean LANGUAGE plpgsql"
	"  SET search_path = pg_catalog, pg_temp AS $$"
	"  DECLARE ends timestamptz := begins + interval '1 hour';"
	"  found boolean; BEGIN"
	"  IF EXISTS (SELECT FROM linalgd.job WHERE (finished IS NULL OR dead)"
	"     AND operands IS NULL AND created >= begins AND created < ends)"
	"    OR EXISTS (SELECT FROM linalgd.job WHERE results IS NULL AND"
	"     result_bytes > 0 AND NOT gone AND finished >= begins AND"
	"     finished < ends) THEN RETURN true; END IF;"
	"  EXECUTE format('SELECT EXISTS (SELECT FROM linalgd.%I"
	"    WHERE job = ''matrix'')', part) INTO found;"
	"  RETURN found; END $$;"
	"CREATE FUNCTION linalgd.drop_partitions() RETURNS int"
	"  LANGUAGE plpgsql SECURITY DEFINER"
	"  SET search_path = pg_catalog, pg_temp"
	"  SET lock_timeout = '100ms' AS $$"
	"  DECLARE p record; n int := 0; BEGIN"
	"  IF NOT pg_try_advisory_xact_lock(7094712317) THEN RETURN 0; END IF;"
	"  FOR p IN SELECT relname, to_timestamp(substr(relname, 7)::bigint) AS"
	"    begins FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid"
	"    WHERE inhparent = 'linalgd.chunk'::regclass AND"
	"    relname ~ '^chunk_[0-9]+$' LOOP"
	"   CONTINUE WHEN p.begins + interval '65 minutes' > now() OR"
	"     linalgd.is_needed(p.relname, p.begins);"
	"   BEGIN"
	"    EXECUTE format('LOCK TABLE linalgd.%I IN ACCESS EXCLUSIVE MODE',"
	"      p.relname);"
	"    CONTINUE WHEN linalgd.is_needed(p.relname, p.begins);"
	"    EXECUTE format('TRUNCATE linalgd.%I', p.relname);"
	"    BEGIN"
	"     EXECUTE format('DROP TABLE linalgd.%I', p.relname);"
	"     n := n + 1;"
	"    EXCEPTION WHEN lock_not_available THEN NULL; END;"
	"   EXCEPTION WHEN lock_not_available THEN NULL; END;"
	"  END LOOP; RETURN n; END $$;",
	/* Payloads in a shared directory. Triggers note the names that rows
	 * give up, whichever statement changes them. */
	"ALTER TABLE linalgd.job ADD COLUMN operand_file text,"
	"  ADD COLUMN result_file text;"
	"ALTER TABLE linalgd.matrix ADD COLUMN file text;"
	"CREATE INDEX job_operand_file ON linalgd.job(operand_file)"
	"  WHERE operand_file IS NOT NULL;"
	"CREATE INDEX job_result_file ON linalgd.job(result_file)"
	"  WHERE result_file IS NOT NULL;"
	"CREATE INDEX matrix_file ON linalgd.matrix(file)"
	"  WHERE file IS NOT NULL;"
	"CREATE TABLE linalgd.shared("
	"  directory text, swept timestamptz NOT NULL DEFAULT now());"
	"INSERT INTO linalgd.shared DEFAULT VALUES;"
	"CREATE TABLE linalgd.dropped(name text NOT NULL);"
	"DO $$ DECLARE g record; BEGIN"
	"  FOR g IN SELECT a.grantee, a.privilege_type FROM pg_class c,"
	"    aclexplode(c.relacl) a WHERE c.oid ="
	"    'linalgd.job'::regclass AND a.grantee <> c.relowner LOOP"
	"   EXECUTE format('GRANT %s ON linalgd.shared, linalgd.dropped"
	"    TO %s', g.privilege_type, CASE g.grantee WHEN 0 THEN 'PUBLIC'"
	"    ELSE quote_ident(pg_get_userbyid(g.grantee)) END);"
	"  END LOOP; END $$;"
	"CREATE FUNCTION linalgd.drop_file() RETURNS trigger"
	"  LANGUAGE plpgsql SECURITY DEFINER"
	"  SET search_path = pg_catalog, pg_temp AS $$ BEGIN"
	"  EXECUTE format('INSERT INTO linalgd.dropped VALUES(($1).%I)',"
	"    TG_ARGV[0]) USING OLD;"
	"  RETURN NULL; END $$;"
	"CREATE TRIGGER operand_file AFTER UPDATE OF operand_file"
	"  ON linalgd.job FOR EACH ROW WHEN (OLD.operand_file IS NOT NULL AND"
	"  OLD.operand_file IS DISTINCT FROM NEW.operand_file)"
	"  EXECUTE FUNCTION linalgd.drop_file('operand_file');"
	"CREATE TRIGGER result_file AFTER UPDATE OF result_file"
	"  ON linalgd.job FOR EACH ROW WHEN (OLD.result_file IS NOT NULL AND"
	"  OLD.result_file IS DISTINCT FROM NEW.result_file)"
	"  EXECUTE FUNCTION linalgd.drop_file('result_file');"
	"CREATE TRIGGER operand_file_deleted AFTER DELETE"
	"  ON linalgd.job FOR EACH ROW WHEN (OLD.operand_file IS NOT NULL)"
	"  EXECUTE FUNCTION linalgd.drop_file('operand_file');"
	"CREATE TRIGGER result_file_deleted AFTER DELETE"
	"  ON linalgd.job FOR EACH ROW WHEN (OLD.result_file IS NOT NULL)"
	"  EXECUTE FUNCTION linalgd.drop_file('result_file');"
	"CREATE TRIGGER file_deleted AFTER DELETE"
	"  ON linalgd.matrix FOR EACH ROW WHEN (OLD.file IS NOT NULL)"
	"  EXECUTE FUNCTION linalgd.drop_file('file');"
	"DROP INDEX linalgd.job_operands, linalgd.job_results;"
	"CREATE INDEX job_operands ON linalgd.job(created)"
	"  WHERE (finished IS NULL OR dead) AND operands IS NULL AND"
	"  operand_file IS NULL;"
	"CREATE INDEX job_results ON linalgd.job(finished)"
	"  WHERE results IS NULL AND result_bytes > 0 AND NOT gone AND"
	"  result_file IS NULL;"
	"CREATE OR REPLACE FUNCTION linalgd.is_needed(part text,"
	"  begins timestamptz) RETURNS boolean LANGUAGE plpgsql"
	"  SET search_path = pg_catalog, pg_temp AS $$"
	"  DECLARE ends timestamptz := begins + interval '1 hour';"
	"  found boolean; BEGIN"
	"  IF EXISTS (SELECT FROM linalgd.job WHERE (finished IS NULL OR dead)"
	"     AND operands IS NULL AND operand_file IS NULL AND"
	"     created >= begins AND created < ends)"
	"    OR EXISTS (SELECT FROM linalgd.job WHERE results IS NULL AND"
	"     result_bytes > 0 AND NOT gone AND result_file IS NULL AND"
	"     finished >= begins AND finished < ends) THEN"
	"   RETURN true; END IF;"
	"  EXECUTE format('SELECT EXISTS (SELECT FROM linalgd.%I"
	"    WHERE job = ''matrix'')', part) INTO found;"
	"  RETURN found; END $$;",
	/* For hosts that look for waiting jobs which their devices can run. The
	 * expression is NEED in sql.h. A host that can run all that wait uses
	 * job_waits. */
	"CREATE INDEX job_waits_for ON linalgd.job((CASE need_device"
	"  WHEN 'auto' THEN need_float64::int WHEN 'cpu' THEN 2"
	"  WHEN 'gpu' THEN 3 ELSE 4 END), rank, serial)"
	"  WHERE state = 'accepted';",
	0
};
