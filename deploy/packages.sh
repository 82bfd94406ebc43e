#!/bin/sh
# packages.sh build|check|test|deb|coverage - installs the Debian packages that are
# missing, as root or through sudo: for linalgd; for the programs of its tests, too;
# for all tests; for a Debian package; for `make coverage`. README.md says why each
# library is there.
set -eu

build='gcc g++ libc6-dev libmicrohttpd-dev libjansson-dev libinih-dev
	nettle-dev libpq-dev libsqlite3-dev libzip-dev libzstd-dev zlib1g-dev ocl-icd-opencl-dev
	pocl-opencl-icd liblapacke libopenblas0-pthread libcurl4-openssl-dev curl
	ca-certificates'
check='check libsubunit-dev liblapacke-dev liblapack-dev libopenblas-dev
	libopenmpi-dev libscalapack-openmpi-dev openmpi-bin'
test='chromium clang clang-tools fonts-dejavu-core haproxy libclang-rt-dev
	oclgrind openssl postgresql prometheus python3 python3-numpy python3-protobuf
	python3-scipy python3-venv wrk zstd
	bash-completion lintian man-db mandoc systemd zsh
	slurm-client slurmctld slurmd'
deb='build-essential debhelper dpkg-dev'
coverage='gcovr'

case ${1:-build} in
build) wanted=$build ;;
check) wanted="$build $check" ;;
test) wanted="$build $check $test $deb" ;;
deb) wanted="$build $deb" ;;
coverage) wanted="$build $check $test $deb $coverage" ;;
*) echo "usage: packages.sh build|check|test|deb|coverage" >&2; exit 2 ;;
esac

missing=
for p in $wanted; do
	dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' ||
		missing="$missing $p"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || {
		echo "packages.sh: root or sudo is needed to install:$missing" >&2
		exit 1
	}
	as_root=sudo
fi
# Debian's PostgreSQL would make and start a server; the tests start their own.
no_server=/etc/postgresql-common/createcluster.d/linalgd-tests.conf
case $missing in *postgresql*)
	$as_root mkdir -p "${no_server%/*}"
	echo 'create_main_cluster = false' | $as_root tee "$no_server" >/dev/null
esac
echo "installing:$missing"
$as_root apt-get -o DPkg::Lock::Timeout=300 update -q
status=0
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get \
	-o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends $missing ||
	status=$?
$as_root rm -f "$no_server"
exit "$status"
