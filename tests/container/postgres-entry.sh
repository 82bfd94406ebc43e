#!/bin/sh
# postgres-entry.sh COMMAND... - makes the database that the variables
# POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB describe, if there is none,
# and executes the command, as the entry point of the image `postgres` does.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
	password=$(mktemp)
	echo "$POSTGRES_PASSWORD" >"$password"
	initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile="$password" \
		--auth-host=scram-sha-256 --auth-local=trust
	rm "$password"
	echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
	echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
	echo "CREATE DATABASE $POSTGRES_DB" |
		postgres --single -D "$PGDATA" postgres
fi
exec "$@"
