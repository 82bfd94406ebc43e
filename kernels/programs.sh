#!/bin/sh
# programs.sh FILE... - a line for each program of the kernel files: the file,
# and the macros with which it is compiled. A file with lines like
#     /* program KERNEL=lu_columns_256 ROWS=1 */
# is a program for each of them, compiled only when its kernel is needed; any
# other file is one program without macros.
set -eu

for f in "$@"; do
	macros=$(sed -n 's|^/\* program \(.*\) \*/$|\1|p' "$f")
	echo "$macros" | sed "s|^|$f |"
done
