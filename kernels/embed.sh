#!/bin/sh
# embed.sh FILE... - writes the kernels as C: a table of the sources of all
# programs (programs.sh), each with its macros and the headers it includes in
# place, and a table from kernel name to source, sorted by name. Names come from
# the preprocessed text, for every element type, so that kernels which macros
# make are found too.
set -euf

# "text" -> "a C string literal per line"
quote() {
	sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/'
}

# A file with its #include "x.h" lines replaced by x.h (each once).
inline() {
	awk -v dir=kernels '
	function put(file,   line, part) {
		while ((getline line < file) > 0) {
			if (line ~ /^#include "/) {
				split(line, part, "\"")
				if (!seen[part[2]]++)
					put(dir "/" part[2])
			} else {
				print line
			}
		}
		close(file)
	}
	BEGIN { put(ARGV[1]) }' "$1"
}

# text FILE MACRO=VALUE... - the source of a program.
text() {
	file=$1
	shift
	for macro in "$@"; do
		echo "#define ${macro%%=*} ${macro#*=}"
	done
	inline "$file"
}

# The names of the kernels of a program: the word after the "void" that follows
# the word "kernel", attributes between them or not.
names() {
	for t in float32 float64 int32 int64; do
		text "$@" | ${CC:-cc} -E -P -x c -D "DTYPE_$t" \
			-D cl_khr_fp64 -D cl_khr_subgroups -
	done | tr '\n\t' '  ' | awk '
	{
		while (match($0, /(^|[^A-Za-z0-9_])(__)?kernel[ ]/)) {
			$0 = substr($0, RSTART + RLENGTH)
			if (!match($0, /(^|[ )])void +/))
				break
			$0 = substr($0, RSTART + RLENGTH)
			match($0, /^[A-Za-z0-9_]*/)
			print substr($0, 1, RLENGTH)
		}
	}' | sort -u
}

programs=$(sh kernels/programs.sh "$@")
places=$(i=0; echo "$programs" | while read -r program; do
	# shellcheck disable=SC2086
	names $program | sed "s/\$/ $i/"
	i=$((i + 1))
done | LC_ALL=C sort)

twice=$(echo "$places" | cut -d ' ' -f 1 | uniq -d)
if [ -n "$twice" ]; then
	echo "embed.sh: kernels defined in two programs: $twice" >&2
	exit 1
fi

# The exit status of a preprocessor that fails is lost in the pipe.
read_all=$(echo "$places" | cut -d ' ' -f 2 | sort -u | wc -l)
if [ "$read_all" != "$(echo "$programs" | wc -l)" ]; then
	echo "embed.sh: no kernel was found in some of the programs" >&2
	exit 1
fi

echo 'static const struct kernel_source kernel_sources[] = {'
echo "$programs" | while read -r program; do
	file=${program%% *}
	echo "{ \"${file#kernels/}\","
	# shellcheck disable=SC2086
	text $program | quote
	echo '},'
done
echo '};'
echo 'static const struct kernel_place kernel_places[] = {'
echo "$places" | sed -n 's/^\([^ ]*\) \(.*\)/{ "\1", \2 },/p'
echo '};'
