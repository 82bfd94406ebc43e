#!/bin/bash
# docker-test.sh - builds the image, runs deploy/compose.yaml on a real Docker
# engine and service-tests.sh against it, and then deploy/compose.fleet.yaml and
# fleet-tests.sh. The engine exists only inside this script: in PID and mount
# namespaces of its own, for the run also in a network of its own, with its data
# in a directory that is deleted afterwards.
# Needs root; installs what is missing by apt-get. GPU_ROOT=FILE.tar.xz keeps
# the GPU image's root filesystem, for gpu-root-test.sh.
set -euo pipefail
self=$(readlink -f "$0")
here=$(dirname "$self")
root=$(readlink -f "$here/../..")
cache=${CACHE:-/var/cache/linalgd-docker-test}
base=$cache/debian-bookworm-slim.tar
PATH=/usr/sbin:/usr/bin:$PATH		# Debian's client, not one beside it
export LINALGD_IMAGE=linalgd:test LINALGD_TOKEN=simsalabim COMPOSE_PROJECT_NAME=citest
export LINALGD_DB_PASSWORD=sesame POSTGRES_IMAGE=postgres:test HAPROXY_IMAGE=haproxy:test

# Starts dockerd with the flags given and waits until it answers.
engine() {
	dockerd --data-root "$W/data" --exec-root "$W/exec" \
		--pidfile "$W/pid" -H "$DOCKER_HOST" \
		--storage-driver=overlay2 "$@" >"$W/dockerd.$PHASE.log" 2>&1 &
	daemon=$!
	for _ in $(seq 900); do
		! docker version >/dev/null 2>&1 || return 0
		kill -0 $daemon || break
		sleep .2
	done
	tail -20 "$W/dockerd.$PHASE.log"
	return 1
}

# Compiles without optimization in half of the time: other tests run what is
# optimized.
build_image() {
	DOCKER_BUILDKIT=1 docker build --progress=plain --network host \
		--build-arg CFLAGS=-O0 "$@" "$root"
}

# Builds in the host's network, for apt-get; no bridge, no firewall rules.
build() {
	engine --bridge=none --iptables=false --ip6tables=false \
		--ip-forward=false
	docker import --change 'CMD ["bash"]' --change 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
		"$base" debian:bookworm-slim >/dev/null
	build_image -t "$LINALGD_IMAGE"
	build_image --target gpu -t linalgd:gpu-test
	for stand_in in postgres haproxy; do
		docker build --network host --target $stand_in \
			-t $stand_in:test -f "$here/stand-ins.Dockerfile" "$here"
	done
	docker images
	[ -z "${GPU_ROOT:-}" ] || docker export \
		"$(docker create linalgd:gpu-test)" | xz -T0 >"$GPU_ROOT"
	kill $daemon
	wait $daemon || true
}

# run_tests TESTS FILE...: starts the services of these files and runs the tests
# against them. Notes in $rc whether one failed.
run_tests() {
	tests=$1
	shift
	COMPOSE_FILE=$(IFS=:; echo "$*")
	export COMPOSE_FILE
	docker-compose up -d --no-build
	if ! bash "$here/$tests"; then
		rc=1
		docker-compose logs --no-color --tail 50
	fi
	docker-compose down -v -t 3
}

# Runs in a network of its own, so that the bridge, address translation and
# published ports stay inside.
run() {
	rc=0
	ip link set lo up
	engine --bip 10.89.76.1/24 \
		--default-address-pool base=10.89.80.0/20,size=24
	docker-compose -f "$root/deploy/compose.yaml" \
		-f "$root/deploy/compose.gpu.yaml" config -q
	export LINALGD_MEMORY=3g
	run_tests service-tests.sh "$root/deploy/compose.yaml"
	export LINALGD_MEMORY=1g
	run_tests fleet-tests.sh "$root/deploy/compose.fleet.yaml" \
		"$here/fleet.override.yaml"
	kill $daemon
	wait $daemon || true
	exit $rc
}

install_missing() {
	for p in dockerd docker docker-compose debootstrap iptables ip; do
		command -v $p >/dev/null && continue
		apt-get -o DPkg::Lock::Timeout=300 update -q
		apt-get -o DPkg::Lock::Timeout=300 install -y -q \
			--no-install-recommends docker.io docker-compose \
			debootstrap iptables iproute2
		return
	done
}

# Makes debian:bookworm-slim here, so that no registry is needed.
make_base() {
	[ ! -s "$base" ] || [ -n "$(find "$base" -mtime +7)" ] || return 0
	mkdir -p "$cache"
	tree=$(mktemp -d "${TMPDIR:-/var/tmp}/base.XXXXXX")
	debootstrap --variant=minbase bookworm "$tree/r" >"$cache/debootstrap.log"
	rm -rf "$tree"/r/var/cache/apt/* "$tree"/r/var/lib/apt/lists/* \
		"$tree"/r/etc/{apt/sources.list,resolv.conf,hostname}
	# leave out what the official image leaves out, also from later packages
	rm -rf "$tree"/r/usr/share/{doc,info,locale,man}/*
	printf 'path-exclude /usr/share/%s/*\n' doc info locale man \
		>"$tree/r/etc/dpkg/dpkg.cfg.d/docker"
	printf '%s\n' 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb || true"; };' \
		'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";' \
		>"$tree/r/etc/apt/apt.conf.d/docker-clean"
	# add -updates and -security, as in the official image
	cp /etc/apt/sources.list.d/debian.sources "$tree/r/etc/apt/sources.list.d/"
	tar -C "$tree/r" --numeric-owner -cf "$base.tmp" .
	mv "$base.tmp" "$base"
	rm -rf "$tree"
}

clean_up() {
	rm -rf "$W"
	for c in /sys/fs/cgroup/*/docker /sys/fs/cgroup/docker; do
		[ ! -d "$c" ] || find "$c" -depth -type d \
			-exec rmdir {} + 2>/dev/null || true
	done
}

skip() {
	echo "skipped: $*"
	echo '0 passed, 0 failed, 1 skipped'
	exit 0
}

# Can directories be overlaid where the engine's data will lie?
can_overlay() {
	mkdir "$1" "$1/lower" "$1/upper" "$1/work" "$1/all" &&
		unshare --mount mount -t overlay overlay -o \
			"lowerdir=$1/lower,upperdir=$1/upper,workdir=$1/work" \
			"$1/all"
}

# Checks the privileges that a Docker engine needs and this machine may lack.
check_privileges() {
	[ "$(id -u)" = 0 ] || skip 'a Docker engine needs root'
	unshare --mount --pid --net --fork --mount-proc true 2>/dev/null ||
		skip 'a Docker engine needs namespaces; unshare may not make them'
	try=$(mktemp -d "${TMPDIR:-/var/tmp}/overlay.XXXXXX")
	can_overlay "$try/x" 2>/dev/null || no_overlay=yes
	rm -rf "$try"
	[ ! "${no_overlay:-}" ] ||
		skip 'a Docker engine needs overlay file systems; mount may not make them'
	grep -qs cgroup /proc/mounts ||
		skip 'a Docker engine needs control groups; none are mounted'
}

# In a chroot, makes this root that of the mount namespace: `docker exec` enters
# a container by setns(), which begins there.
own_root() {
	[ "$(stat -c %d:%i /)" != \
	  "$(nsenter --mount=/proc/self/ns/mnt stat -c %d:%i /)" ] || return 0
	exec 9</
	exec nsenter --mount=/proc/self/ns/mnt sh -c 'cd /proc/self/fd/9 &&
		pivot_root . . && umount -l . && cd / && exec bash "$0"' "$self"
}

outer() {
	check_privileges
	install_missing
	make_base
	W=$(mktemp -d "${TMPDIR:-/var/tmp}/dockertest.XXXXXX")
	export W DOCKER_HOST=unix://$W/docker.sock DOCKER_CONFIG=$W/cfg
	trap clean_up EXIT
	alone="unshare --mount --pid --fork --kill-child --mount-proc"
	s=$SECONDS
	PHASE=build timeout 900 $alone bash "$self"
	echo "build phase: $((SECONDS - s)) s, $(du -sm "$W/data" | cut -f1) MiB"
	s=$SECONDS
	PHASE=run timeout 600 $alone --net bash "$self"
	echo "run phase: $((SECONDS - s)) s"
}

case ${PHASE:-} in
build) own_root; build ;;
run) own_root; run ;;
*) outer ;;
esac
