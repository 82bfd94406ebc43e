#!/bin/sh
# setup.sh [systemd|docker] - sets linalgd up on a plain Debian 12 host, as
# root, with or without NVIDIA GPUs (whose driver must be there already).
#
#   systemd   builds it here and installs it as a service (default)
#   docker    installs Docker where it is missing and starts deploy/compose.yaml
#
# Run it again to upgrade. Either way it answers on http://127.0.0.1:8080 .
set -eu
cd "$(dirname "$0")/.."

die() {
	echo "setup.sh: $*" >&2
	exit 1
}

has_gpu() {
	[ -e /dev/nvidiactl ] || nvidia-smi -L >/dev/null 2>&1
}

install_packages() {
	apt-get -o DPkg::Lock::Timeout=300 update -q
	DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 \
		install -y -q --no-install-recommends "$@"
}

# wait_until_ready WHERE-ITS-LOG-IS [COMMAND-THAT-PRINTS-A-TOKEN]
wait_until_ready() {
	seconds=0
	until curl -fsS -m 2 -o /dev/null http://127.0.0.1:8080/readyz \
		2>/dev/null; do
		seconds=$((seconds + 1))
		[ $seconds -le 180 ] || die "not ready after 180 s; see $1"
		sleep 1
	done
	echo 'linalgd is ready. Try:'
	[ -z "${2:-}" ] || printf '  TOKEN=$(%s)\n' "$2"
	cat <<-END
	  curl ${2:+-H "Authorization: Bearer \$TOKEN" }\\
	    --json '{"a":{"generate":"hilbert","shape":[4,4]}}' \\
	    http://127.0.0.1:8080/eigen
	END
}

# The loader finds NVIDIA's OpenCL by this file; some drivers come without.
register_nvidia() {
	! has_gpu || ls /etc/OpenCL/vendors/*nvidia* >/dev/null 2>&1 || {
		mkdir -p /etc/OpenCL/vendors
		echo libnvidia-opencl.so.1 >/etc/OpenCL/vendors/nvidia.icd
	}
}

with_systemd() {
	[ -d /run/systemd/system ] || die "systemd does not run here"
	command -v make >/dev/null || install_packages make
	sh deploy/packages.sh build
	register_nvidia
	make -j"$(nproc)"
	make install
	systemd-sysusers /usr/local/lib/sysusers.d/linalgd.conf
	[ -e /etc/linalgd/linalgd.conf ] || install -D -m 644 \
		/usr/local/share/doc/linalgd/examples/linalgd.conf \
		/etc/linalgd/linalgd.conf
	systemctl daemon-reload
	systemctl is-enabled -q linalgd.socket 2>/dev/null ||
		systemctl enable linalgd
	systemctl restart linalgd
	wait_until_ready "journalctl -u linalgd"
}

# NVIDIA's container toolkit, from NVIDIA's own package archive.
install_toolkit() {
	! command -v nvidia-ctk >/dev/null || return 0
	archive=https://nvidia.github.io/libnvidia-container
	key=/usr/share/keyrings/nvidia-container-toolkit.gpg
	install_packages curl ca-certificates gnupg
	curl -fsSL $archive/gpgkey | gpg --dearmor --yes -o $key
	echo "deb [signed-by=$key] $archive/stable/deb/$(dpkg \
		--print-architecture) /" \
		>/etc/apt/sources.list.d/nvidia-container-toolkit.list
	install_packages nvidia-container-toolkit
	nvidia-ctk runtime configure --runtime=docker
	systemctl restart docker
}

with_docker() {
	command -v docker >/dev/null || install_packages docker.io
	command -v curl >/dev/null || install_packages curl
	compose="docker compose"
	$compose version >/dev/null 2>&1 || {
		command -v docker-compose >/dev/null ||
			install_packages docker-compose
		compose=docker-compose
	}
	set -- -f deploy/compose.yaml
	if has_gpu; then
		install_toolkit
		set -- "$@" -f deploy/compose.gpu.yaml
	fi
	$compose "$@" up -d --build
	wait_until_ready "$compose $* logs" \
		"$compose $* exec -T linalgd cat /var/lib/linalgd/token"
}

[ "$(id -u)" = 0 ] || die "must run as root"
command -v apt-get >/dev/null || die "is written for Debian; apt-get is missing"
case ${1:-systemd} in
systemd) with_systemd ;;
docker) with_docker ;;
*) die "usage: setup.sh [systemd|docker]" ;;
esac
