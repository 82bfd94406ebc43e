# shellcheck shell=bash
# checks.sh - sourced by the tests in the engine: checks that are counted.
passed=0 failed=0

# check NAME COMMAND...: runs the command, prints a line, and counts it.
check() {
	name=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
		echo "ok - $name"
	else
		failed=$((failed + 1))
		echo "FAILED - $name"
	fi
}

# within SECONDS COMMAND...: succeeds as soon as the command does.
within() {
	until=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $until ] || return 1
		sleep .2
	done
}

# The end of a test: prints the counts, and fails if a check did.
finish() {
	echo "$passed passed, $failed failed"
	[ $failed = 0 ]
}
