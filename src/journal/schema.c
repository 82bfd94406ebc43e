/* schema.c - see schema.h. */
#include "journal/schema.h"

/* A payload is the bytes of payload_pack(), NULL if it is in a file, or empty
 * when nobody needs it any more. Row i brings a database of version i to i + 1;
 * rows are only ever added. */
const char *const schema_versions[] = {
	"CREATE TABLE number(name TEXT PRIMARY KEY, value INTEGER NOT NULL);"
	"INSERT INTO number VALUES('identity', random()), ('version', 0);"
	"CREATE TABLE job("
	"  serial INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
	"  tenant TEXT NOT NULL, key TEXT, state TEXT NOT NULL,"
	"  epoch INTEGER NOT NULL DEFAULT 0,"
	"  attempts INTEGER NOT NULL DEFAULT 0,"
	"  history TEXT NOT NULL DEFAULT '',"
	"  request TEXT NOT NULL, operands BLOB,"
	"  answer TEXT NOT NULL DEFAULT '', results BLOB DEFAULT x'');"
	"CREATE UNIQUE INDEX job_key ON job(tenant, key)"
	"  WHERE key IS NOT NULL;"
	"CREATE TABLE matrix(tenant TEXT NOT NULL, name TEXT NOT NULL,"
	"  version INTEGER NOT NULL, text TEXT NOT NULL, elements BLOB,"
	"  PRIMARY KEY(tenant, name));"
	"CREATE TABLE pipeline(tenant TEXT NOT NULL, name TEXT NOT NULL,"
	"  text TEXT NOT NULL, PRIMARY KEY(tenant, name));",
	NULL
};

/* The statements of each verb, in order. */
const char *const schema_verbs[JOURNAL_VERB_COUNT][SCHEMA_STATEMENTS] = {
	[JOURNAL_ADD_JOB] = {
		"UPDATE job SET key = NULL "
		"WHERE tenant = :tenant AND key = :key",
		"INSERT INTO job(serial, id, tenant, key, state, request,"
		" operands) VALUES(:number, :name, :tenant, :key, 'accepted',"
		" :text, :payload)",
	},
	[JOURNAL_BEGIN_JOB] = {
		"UPDATE job SET state = 'running', epoch = :number "
		"WHERE id = :name AND state IN ('accepted', 'running')",
	},
	[JOURNAL_PUT_BACK_JOB] = {
		"UPDATE job SET state = 'accepted' "
		"WHERE id = :name AND epoch = :number AND state = 'running'",
	},
	[JOURNAL_END_JOB] = {
		"UPDATE job SET state = :state, answer = :text,"
		" results = :payload, operands = x'' "
		"WHERE id = :name AND epoch = :number "
		"AND state IN ('accepted', 'running')",
	},
	[JOURNAL_EXPIRE_JOB] = {
		"UPDATE job SET results = x'', answer = answer || 'gone' ||"
		" char(10) WHERE id = :name",
	},
	[JOURNAL_REMOVE_JOB] = { "DELETE FROM job WHERE id = :name" },
	[JOURNAL_PUT_MATRIX] = {
		"INSERT OR REPLACE INTO matrix"
		" VALUES(:tenant, :name, :number, :text, :payload)",
		"UPDATE number SET value = max(value, :number) "
		"WHERE name = 'version'",
	},
	[JOURNAL_REMOVE_MATRIX] = {
		"DELETE FROM matrix WHERE tenant = :tenant AND name = :name"
		" AND version = :number",
	},
	[JOURNAL_PUT_PIPELINE] = {
		"INSERT OR REPLACE INTO pipeline VALUES(:tenant, :name, :text)",
	},
	[JOURNAL_REMOVE_PIPELINE] = {
		"DELETE FROM pipeline WHERE tenant = :tenant AND name = :name",
	},
};

/* The file that nobody needs when the row is written, if there is one: its
 * payload is NULL now. */
const char *const schema_dropped[JOURNAL_VERB_COUNT] = {
	[JOURNAL_END_JOB] = "SELECT 'operands-' || id FROM job "
		"WHERE id = :name AND operands IS NULL",
	[JOURNAL_EXPIRE_JOB] = "SELECT 'results-' || id FROM job "
		"WHERE id = :name AND results IS NULL",
	[JOURNAL_REMOVE_JOB] = "SELECT 'results-' || id FROM job "
		"WHERE id = :name AND results IS NULL",
	[JOURNAL_PUT_MATRIX] = "SELECT 'matrix-' || version FROM matrix "
		"WHERE tenant = :tenant AND name = :name"
		" AND version <> :number AND elements IS NULL",
	[JOURNAL_REMOVE_MATRIX] = "SELECT 'matrix-' || version FROM matrix "
		"WHERE tenant = :tenant AND name = :name"
		" AND version = :number AND elements IS NULL",
};

/* The columns in the order in which database.c reads them. */
const char *const schema_tables[] = {
	[DATABASE_JOBS] =
		"SELECT tenant, id, serial, request, operands, key, state,"
		" epoch, attempts, history, answer, results "
		"FROM job ORDER BY serial",
	[DATABASE_MATRICES] =
		("SELECT tenant, name, version, text, elements FROM matrix "
		"ORDER BY version"),
	[DATABASE_PIPELINES] =
		"SELECT tenant, name, 0, text, x'' FROM pipeline",
};
