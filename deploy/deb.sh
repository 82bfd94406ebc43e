#!/bin/sh
# deb.sh DIRECTORY [OBJECTS] - builds the Debian package, and its source
# package, in DIRECTORY. With OBJECTS, a build directory, the binary package
# alone, of the programs that are there: for tests, since their compiler's
# flags are not those of Debian.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^VERSION := //p' Makefile)
rm -rf "$1"
mkdir -p "$1"
tree=$(realpath "$1")/linalgd-$version
mkdir "$tree"

# Prints the names of the sources.
sources() {
	git ls-files -co --exclude-standard 2>/dev/null ||
		find . -name .git -prune -o -path ./build -prune -o -type f -print
}
sources | while read -r file; do
	[ ! -e "$file" ] || echo "$file"
done | tar -c -T - | tar -x -C "$tree"

set -- "${2:-}"
if [ "$1" ]; then
	ln -s "$(realpath "$1")" "$tree/build"
	set -- -b -nc
else
	set -- -F
fi
cd "$tree"
dpkg-buildpackage -us -uc "$@"
rm -rf "$tree"
