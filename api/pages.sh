#!/bin/sh
# pages.sh PROGRAM DIR - writes the pages of all operations, and their index, to
# DIR; PROGRAM is that of api/openapi.c.
set -eu

mkdir -p "$2"
sed -n 's/^OP(\(.*\))$/\1/p' src/ops/ops.def | while read -r op; do
	"$1" "$op" >"$2/$op.md"
done
"$1" index >"$2/README.md"
