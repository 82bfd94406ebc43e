#!/bin/sh
# embed.sh DIR - writes every file of the page that is to be served as a row of
# C: its path below DIR, its ETag (the beginning of its SHA-256 in quotes), its
# bytes as a string literal, and how many they are. Question marks are escaped,
# because two of them begin a trigraph in C17.
set -euf

cd "$1"
find . -name '*.html' -o -name '*.js' -o -name '*.css' -o -name '*.svg' \
	-o -name '*.json' | LC_ALL=C sort | while read -r file; do
	hash=$(sha256sum "$file" | cut -c 1-20)
	echo "{ \"${file#./}\", \"\\\"$hash\\\"\","
	sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/.*/"&\\n"/' "$file"
	echo ", $(wc -c <"$file") },"
done
