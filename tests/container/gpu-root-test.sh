#!/bin/bash
# gpu-root-test.sh ROOT.tar.xz - tests the GPU image's root filesystem on a host
# with NVIDIA's driver and no Docker engine. It is entered by chroot, with the
# driver's libraries and devices bound in as the container toolkit does; there
# linalgd must serve, answer, and pass `linalgd check`. Needs root, in a
# namespace of its own.
set -euo pipefail
[ "${1:-}" ] || { sed -n 2,5p "$0"; exit 2; }
[ "${INSIDE:-}" ] || exec env INSIDE=1 unshare --mount bash "$0" "$@"

root=$(mktemp -d /var/tmp/gpu-root.XXXXXX)
port=${PORT:-18080}
url=http://127.0.0.1:$port
daemon=
finish() {
	[ ! "$daemon" ] || kill "$daemon" 2>/dev/null || true
	grep " $root" /proc/self/mounts | cut -d' ' -f2 | sort -r |
		xargs -r umount -l
	rm -rf --one-file-system "$root"
}
trap finish EXIT

# bind PATH [AS]: makes the host's file or folder visible inside, once.
bind() {
	to=$root${2:-$1}
	! mountpoint -q "$to" || return 0
	if [ -d "$1" ]; then
		mkdir -p "$to"
	else
		mkdir -p "$(dirname "$to")"
		: >"$to"
	fi
	mount --rbind "$1" "$to"
}

tar -xJf "$1" -C "$root"
chmod 755 "$root"
echo "root: $(du -sm "$root" | cut -f1) MiB, compressed $(du -m "$1" | cut -f1)"
for folder in /dev /proc /sys; do
	bind $folder
done
ldconfig -p | awk '/libcuda\.so|libnvidia-/ { print $NF }' |
	while read -r library; do
		bind "$(readlink -f "$library")" \
			"/usr/lib/x86_64-linux-gnu/$(basename "$library")"
	done

inside=(chroot --userspec=10001:10001 "$root" /usr/bin/env -i
	PATH=/usr/local/bin:/usr/bin:/bin LINALGD_CACHE=/var/cache/linalgd
	LINALGD_STATE=/var/lib/linalgd)

"${inside[@]}" linalgd devices
"${inside[@]}" linalgd serve --listen "127.0.0.1:$port" --device gpu &
daemon=$!
begun=$SECONDS
until "${inside[@]}" curl -fsS -o /dev/null -m 2 $url/readyz 2>/dev/null; do
	kill -0 $daemon
	[ $((SECONDS - begun)) -lt 300 ]
	sleep .2
done
echo "ready after $((SECONDS - begun)) s"

# The matrix is [[2,1],[1,3]]; asked from outside where the host has curl.
from=()
command -v curl >/dev/null || from=("${inside[@]}")
ask() {
	"${from[@]}" curl -fsS -m 120 -H 'Content-Type: application/json' \
		-d '{"a":[[2,1],[1,3]]}' "$url$1"
}
ask /eigen | grep -q '"eigenvalue":3\.61803398874989'
ask '/lu?return=p,l,u' | grep -q '"u":\[\[2.*,1.*\],\[0.*,2\.5\]\]'
echo "eigen and lu answer${from:+, asked from inside}"
kill $daemon
wait $daemon
daemon=
"${inside[@]}" linalgd check --device gpu --quick | tail -1
