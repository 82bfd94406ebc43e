#!/bin/bash
# fleet-tests.sh - checks what deploy/compose.fleet.yaml promises: three hosts
# that take each other's jobs, and lose none when a host or the database is
# killed. Called by docker-test.sh; all requests go through the edge.
set -u
url=http://127.0.0.1:8080
. "$(dirname "$0")/checks.sh"

# ask ARG...: curl with the token of all hosts.
ask() {
	curl -fsS -m 120 -H "Authorization: Bearer $LINALGD_TOKEN" "$@"
}

# hosts_are NAME...: does the fleet consist of these?
hosts_are() {
	[ "$(ask $url/devices | python3 -c 'import json, sys
print(*sorted(h["host"] for h in json.load(sys.stdin)["fleet"]["hosts"]))')" = "$*" ]
}

# submit N: N jobs, the i-th of which computes [[2, 0], [0, i]] [[3], [1]].
# Prints i and the path of each.
submit() {
	for i in $(seq "$1"); do
		path=$(ask -D - -o /dev/null -H 'Prefer: respond-async' \
			--json "{\"a\":[[2,0],[0,$i]],\"b\":[[3],[1]]}" \
			$url/matmul | tr -d '\r' |
			sed -n 's/^[Ll]ocation: //p')
		[ -n "$path" ] || return 1
		echo "$i $path"
	done
}

# results_are_right FILE: waits for the jobs that submit() printed.
results_are_right() {
	while read -r i path; do
		ask -H 'Prefer: wait=100' "$url$path/result" |
			grep -q "\"c\":\[\[6\(\.0\)\?\],\[$i\(\.0\)\?\]\]" ||
			return 1
	done <"$1"
}

# The hosts that ran the jobs of that file.
who_ran() {
	while read -r _ path; do
		ask "$url$path" | grep -o '"host":"[^"]*"'
	done <"$1" | sort -u | wc -l
}

multiplies() {
	ask --json '{"a":[[1,2],[3,4]],"b":[[1],[1]]}' $url/matmul |
		grep -q '"c":\[\[3\(\.0\)\?\],\[7\(\.0\)\?\]\]'
}

queue_is_away() {
	ask $url/readyz | grep -q '"queue":"away"'
}

# The edge gives each host every third request.
queue_is_there_for_all() {
	for _ in 1 2 3 4 5 6; do
		ask $url/readyz | grep -q '"queue":"ready"' || return 1
	done
}

files_are_shared() {
	[ "$(docker-compose exec -T node-c sh -c \
		'find /var/lib/linalgd-shared -type f -size +2000k | wc -l')" -ge 1 ]
}

jobs=$(mktemp)
large=$(mktemp)
trap 'rm -f "$jobs" "$large"' EXIT

check 'three hosts become one fleet' within 300 hosts_are node-a node-b node-c
check 'the edge answers a request' within 120 multiplies
submit 60 >"$jobs"
check 'it accepts 60 jobs' [ "$(wc -l <"$jobs")" = 60 ]
check 'whose results can be read through it' results_are_right "$jobs"
check 'several hosts ran them' [ "$(who_ran "$jobs")" -ge 2 ]

python3 -c 'import numpy, sys; numpy.save(sys.stdout.buffer, numpy.eye(512))' >"$large"
check 'it stores a matrix of 2 MiB' ask -o /dev/null -T "$large" \
	-H 'Content-Type: application/x-npy' $url/matrices/large
check 'in the directory that all hosts see' files_are_shared
trace_is() {
	ask --json '{"a":{"ref":"large"}}' $url/trace | grep -q "$1"
}
check 'which any host can use' trace_is 512
check 'and another one, too' trace_is 512

# The connections to a host that is killed are retried by the edge at another.
submit 40 >"$jobs"
docker-compose kill -s KILL node-b
check 'no job is lost with the host that is killed' results_are_right "$jobs"
check 'and the others go on' multiplies
docker-compose start node-b
check 'it comes back' within 120 hosts_are node-a node-b node-c

submit 40 >"$jobs"
docker-compose kill -s KILL postgres
check 'without the database the hosts say so' within 60 queue_is_away
check 'and answer what needs no queue' multiplies
docker-compose start postgres
check 'they find it again' within 120 queue_is_there_for_all
check 'with every job that was accepted' results_are_right "$jobs"
check 'no host was started again' [ "$(docker inspect --format '{{.RestartCount}}' \
	"$(docker-compose ps -q node-a)" "$(docker-compose ps -q node-c)" |
	sort -u)" = 0 ]

docker-compose stop node-a node-c >/dev/null 2>&1
check 'a host ends with the exit status 0' [ "$(docker inspect --format \
	'{{.State.ExitCode}}' "$(docker-compose ps -qa node-a)")" = 0 ]
check 'one host alone goes on' within 60 multiplies

finish
