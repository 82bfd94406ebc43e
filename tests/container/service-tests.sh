#!/bin/bash
# service-tests.sh - checks what the image and deploy/compose.yaml promise on
# the running service. Called by docker-test.sh.
set -u
url=http://127.0.0.1:8080
. "$(dirname "$0")/checks.sh"
id=$(docker-compose ps -q linalgd)

about() {
	docker inspect "$id" --format "$1"
}

is_healthy() {
	[ "$(about '{{.State.Health.Status}}')" = healthy ]
}

is_ready() {
	curl -fsS -m 2 $url/readyz
}

# ask ARG...: curl with the token that the service made.
ask() {
	curl -fsS -m 120 -H "Authorization: Bearer $token" "$@"
}

# The dominant eigenvalue of [[2,1],[1,3]] is (5 + sqrt 5) / 2.
eigen_answers() {
	ask --json '{"a":[[2,1],[1,3]]}' $url/eigen |
		grep -q '"eigenvalue":3\.61803398874989'
}

status_without() {
	curl -s -o /dev/null -w '%{http_code}' "$@"
}

status_of_1() {
	docker exec "$id" grep "^$1:" /proc/1/status | cut -f2 | tr -d ' \n'
}

begun=$SECONDS
check 'becomes healthy' within 300 is_healthy
echo "healthy after $((SECONDS - begun)) s"
token=$(docker-compose exec -T linalgd cat /var/lib/linalgd/token)
check 'it has made a token of 48 digits' [ ${#token} = 48 ]
check 'the token file is for its user alone' [ "$(docker exec "$id" \
	stat -c %a:%u /var/lib/linalgd/token)" = 600:10001 ]
check 'without the token it is closed' \
	[ "$(status_without --json '{"a":[[1]]}' $url/eigen)" = 401 ]
check 'a token of ones own opens it, too' [ "$(status_without \
	-H 'Authorization: Bearer simsalabim' $url/devices)" = 200 ]
check 'POST /eigen answers on the published port' eigen_answers
check 'the device is PoCL' \
	sh -c "curl -fsS -H 'Authorization: Bearer $token' $url/devices |
		grep -q 'Portable Computing Language'"

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

# The packages of the image with their versions, as dpkg and as the bill of
# materials name them.
installed() {
	docker exec "$id" dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\n' |
		sed -n 's/^installed //p' | sort
}
in_bill() {
	docker exec "$id" cat /usr/share/doc/linalgd/sbom.spdx.json | python3 -c '
import json, sys
bill = json.load(sys.stdin)
assert bill["spdxVersion"] == "SPDX-2.3"
names = {p["SPDXID"]: p for p in bill["packages"]}
contained = [r["relatedSpdxElement"] for r in bill["relationships"] if r["relationshipType"] == "CONTAINS"]
assert len(contained) == len(set(contained)) == len(names) - 1
for i in contained:
    if i != "SPDXRef-linalgd":
        print(names[i]["name"], names[i]["versionInfo"])' | sort
}
check 'the bill of materials names every package' \
	[ "$(installed)" = "$(in_bill)" ]
pocl_in_bill() {
	in_bill | grep -q '^pocl-opencl-icd '
}
check 'PoCL is one of them' pocl_in_bill
version=$(docker exec "$id" linalgd version | cut -d' ' -f2)
check 'and linalgd, with its version' docker exec "$id" grep -q \
	"\"name\": \"linalgd\", \"versionInfo\": \"$version\"" \
	/usr/share/doc/linalgd/sbom.spdx.json

# The children of the container's first process, as the engine lists them.
workers() {
	front=$(about '{{.State.Pid}}')
	grep -lE "^[0-9]+ \(.*\) . $front " /proc/[0-9]*/stat 2>/dev/null |
		cut -d/ -f3
}
worker=$(workers | head -n 1)
check 'a worker process runs' [ -n "$worker" ]
kill -9 "$worker"
check 'it is back after its worker was killed' within 120 eigen_answers
check 'without a restart of the container' \
	[ "$(about '{{.RestartCount}}')" = 0 ]

check 'the log has every request' sh -c "docker-compose logs --no-color |
	grep -q 'POST /eigen 200 .*op=eigen shapes=a:2x2 job='"

kill -9 "$(about '{{.State.Pid}}')"
begun=$(date +%s%N)
restarted() {
	[ "$(about '{{.RestartCount}}')" = 1 ] && is_ready
}
check 'it is started again after a crash' within 120 restarted
echo "ready again after $((($(date +%s%N) - begun) / 1000000)) ms"
check 'and answers by the same token' eigen_answers

begun=$(date +%s%N)
docker-compose stop
echo "stopped after $((($(date +%s%N) - begun) / 1000000)) ms"
check 'SIGTERM ends it within its grace time, with exit status 0' [ "$(about '{{.State.ExitCode}}')" = 0 ]
check 'and a stopped one stays down' \
	[ "$(about '{{.State.Status}}')" = exited ]

# The image by itself, without compose's settings.
closed=$(docker run --rm -p 127.0.0.1:8081:8080 "$LINALGD_IMAGE" 2>&1)
check 'by itself the image does not start without a token' [ $? = 2 ]
check 'and says what to do' sh -c "echo '$closed' | grep -q LINALGD_TOKEN= &&
	echo '$closed' | grep -q -- --insecure"
alone=$(docker run -d --rm -p 127.0.0.1:8081:8080 -e LINALGD_TOKEN=sesame \
	"$LINALGD_IMAGE")
url=http://127.0.0.1:8081
check 'with a token it does' within 120 is_ready
check 'and asks for it' [ "$(status_without $url/ops)" = 401 ]
check 'and takes it' [ "$(status_without \
	-H 'Authorization: Bearer sesame' $url/ops)" = 200 ]
docker stop "$alone" >/dev/null
alone=$(docker run -d --rm -p 127.0.0.1:8081:8080 "$LINALGD_IMAGE" --insecure)
check 'told to be insecure it is open' within 120 is_ready
check 'to everybody' [ "$(status_without $url/ops)" = 200 ]
docker stop "$alone" >/dev/null

finish
