#!/bin/sh
# tables.sh BINARY - prints what linalgd's own tables say of its commands,
# options and operations, for the manual and the completion of shells. A line
# is one of these, with a tab between its fields:
#
#	command	NAME	"options" or nothing	SUMMARY
#	option	COMMAND	FLAG	LETTER	VALUE	TYPE	CHOICES	FALLBACK	ENV	HELP
#	op	NAME	SUMMARY
#	word	OPERATION	OPERAND-OR-PARAMETER	CHOICES
#
# CHOICES are separated by |; those of an operand are @file.
set -eu
linalgd=$1

"$linalgd" help --describe | sed 's/^/command	/'
"$linalgd" help --describe | awk -F '\t' '$2 != "" { print $1 }' |
	while read -r command; do
		"$linalgd" "$command" --describe | sed "s/^/option	$command	/"
	done

# `linalgd ops` prints an operation's name at the left margin, and below it
# "   in NAME  help" and "      NAME  help. One of A, B, C (default A)".
"$linalgd" ops | awk '
/^[^ ]/ {
	op = substr($0, 1, index($0, ":") - 1)
	printf "op\t%s\t%s\n", op, substr($0, length(op) + 3)
}
/^   in / { printf "word\t%s\t%s\t@file\n", op, $2 }
/^      / {
	choices = $0 ~ /\(default (true|false)\)$/ ? "true|false" : ""
	if (match($0, /\. One of [^.]*$/)) {
		choices = substr($0, RSTART + 9)
		sub(/ \(default.*/, "", choices)
		gsub(/, /, "|", choices)
	}
	printf "word\t%s\t%s\t%s\n", op, $1, choices
}'
