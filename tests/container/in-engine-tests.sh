#!/bin/bash
# in-engine-tests.sh - what the image and deploy/compose.yaml promise, asked
# of the running service. Called by docker-test.sh.
set -u
url=http://127.0.0.1:8080
passed=0 failed=0
id=$(docker-compose ps -q linalgd)

# check NAME COMMAND...: one line, counted.
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

about() {
	docker inspect "$id" --format "$1"
}

# within SECONDS COMMAND...: true as soon as the command is.
within() {
	until=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $until ] || return 1
		sleep .2
	done
}

is_healthy() {
	[ "$(about '{{.State.Health.Status}}')" = healthy ]
}

is_ready() {
	curl -fsS -m 2 $url/readyz
}

# The dominant eigenvalue of [[2,1],[1,3]] is (5 + sqrt 5) / 2.
eigen_answers() {
	curl -fsS -m 120 -H 'Content-Type: application/json' \
		-d '{"a":[[2,1],[1,3]]}' $url/eigen |
		grep -q '"eigenvalue":3\.61803398874989'
}

status_of_1() {
	docker exec "$id" grep "^$1:" /proc/1/status | cut -f2 | tr -d ' \n'
}

begun=$SECONDS
check 'becomes healthy' within 300 is_healthy
echo "healthy after $((SECONDS - begun)) s"
check 'POST /eigen answers on the published port' eigen_answers
check 'the device is PoCL' \
	sh -c "curl -fsS $url/devices | grep -q 'Portable Computing Language'"

check 'PID 1 is linalgd' [ "$(docker exec "$id" cat /proc/1/comm)" = linalgd ]
check 'PID 1 is user 10001' [ "$(status_of_1 Uid)" = 10001 ]
check 'it has no capability' [ "$(status_of_1 CapBnd)" = 0000000000000000 ]
check 'it can gain no privileges' [ "$(status_of_1 NoNewPrivs)" = 1 ]
check 'the root is read-only' \
	sh -c "! docker exec --user 0 $id touch /here 2>/dev/null"
check 'the cache can be written' docker exec "$id" touch /var/cache/linalgd/x
check 'NVIDIA is registered' \
	docker exec "$id" grep -q libnvidia-opencl /etc/OpenCL/vendors/nvidia.icd
check 'memory is limited' [ "$(about '{{.HostConfig.Memory}}')" = 3221225472 ]
check 'processes are limited' [ "$(about '{{.HostConfig.PidsLimit}}')" = 512 ]

check 'published on loopback' [ "$(about \
	'{{(index (index .NetworkSettings.Ports "8080/tcp") 0).HostIp}}')" = 127.0.0.1 ]
check 'and nowhere else' \
	sh -c '! curl -s -m 3 -o /dev/null http://10.89.76.1:8080/healthz'

worker=$(docker top "$id" -o pid,args | awk '/linalgd worker/ { print $1 }' | head -n 1)
check 'a worker process runs' [ -n "$worker" ]
kill -9 "$worker"
check 'it is back after its worker was killed' within 120 eigen_answers
check 'without a restart of the container' \
	[ "$(about '{{.RestartCount}}')" = 0 ]

kill -9 "$(about '{{.State.Pid}}')"
begun=$(date +%s%N)
restarted() {
	[ "$(about '{{.RestartCount}}')" = 1 ] && is_ready
}
check 'it is started again after a crash' within 120 restarted
echo "ready again after $((($(date +%s%N) - begun) / 1000000)) ms"
check 'and answers' eigen_answers

begun=$(date +%s%N)
docker-compose stop
echo "stopped after $((($(date +%s%N) - begun) / 1000000)) ms"
check 'SIGTERM ends it within its grace time, with exit status 0' [ "$(about '{{.State.ExitCode}}')" = 0 ]
check 'and a stopped one stays down' \
	[ "$(about '{{.State.Status}}')" = exited ]

echo "$passed passed, $failed failed"
[ $failed = 0 ]
