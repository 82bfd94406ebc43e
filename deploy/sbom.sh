#!/bin/sh
# sbom.sh - prints the bill of materials of the image in which it runs, as SPDX
# 2.3 in JSON: linalgd, and every installed Debian package with its version and
# the source package that it was built from.
set -eu

packages() {
	dpkg-query -W -f '${db:Status-Status}\t${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\n' |
		sed -n 's/^installed\t//p'
}

# The namespace is the document's own, and the same for the same packages.
hash=$( (linalgd version; packages) | sha256sum)
uuid=$(echo "$hash" | sed 's/^\(.\{8\}\)\(.\{4\}\).\(.\{3\}\).\(.\{3\}\)\(.\{12\}\).*/\1-\2-8\3-8\4-\5/')
created=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%dT%H:%M:%SZ)
# shellcheck disable=SC1091
release=$(. /etc/os-release && echo "${VERSION_ID:-}")

packages | awk -F '\t' -v version="$(linalgd version | cut -d' ' -f2)" \
	-v uuid="$uuid" -v created="$created" -v release="$release" '
function package(id, name, version, more) {
	printf "%s\n    {\"SPDXID\": \"SPDXRef-%s\", \"name\": \"%s\", " \
	       "\"versionInfo\": \"%s\", \"downloadLocation\": \"NOASSERTION\", " \
	       "\"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", " \
	       "\"copyrightText\": \"NOASSERTION\", %s}", \
	       separator, id, name, version, more
	separator = ","
}

# A package URL writes these characters of a version by their codes.
function coded(text) {
	gsub(/%/, "%25", text)
	gsub(/\+/, "%2B", text)
	gsub(/:/, "%3A", text)
	return text
}

BEGIN {
	print "{\n  \"spdxVersion\": \"SPDX-2.3\",\n" \
	      "  \"dataLicense\": \"CC0-1.0\",\n" \
	      "  \"SPDXID\": \"SPDXRef-DOCUMENT\",\n" \
	      "  \"name\": \"linalgd-" version "-image\",\n" \
	      "  \"documentNamespace\": \"urn:uuid:" uuid "\",\n" \
	      "  \"creationInfo\": {\"created\": \"" created "\", " \
	      "\"creators\": [\"Tool: linalgd-sbom.sh-" version "\"]},"
	printf "  \"packages\": ["
	package("Image", "linalgd-image", version, \
	        "\"licenseDeclared\": \"NOASSERTION\", " \
	        "\"primaryPackagePurpose\": \"CONTAINER\"")
	package("linalgd", "linalgd", version, "\"licenseDeclared\": \"MIT\", " \
	        "\"primaryPackagePurpose\": \"APPLICATION\"")
}
{
	package("Package-" NR, $1, $2, "\"licenseDeclared\": " \
	        "\"NOASSERTION\", \"sourceInfo\": \"built from the source " \
	        "package " $4 " " $5 "\", \"externalRefs\": [" \
	        "{\"referenceCategory\": \"PACKAGE-MANAGER\", " \
	        "\"referenceType\": \"purl\", \"referenceLocator\": " \
	        "\"pkg:deb/debian/" coded($1) "@" coded($2) "?arch=" $3 \
	        (release != "" ? "&distro=debian-" release : "") "\"}]")
}

function relation(from, type, to) {
	printf "%s\n    {\"spdxElementId\": \"SPDXRef-%s\", " \
	       "\"relationshipType\": \"%s\", " \
	       "\"relatedSpdxElement\": \"SPDXRef-%s\"}", separator, from, type, to
	separator = ","
}

END {
	printf "\n  ],\n  \"relationships\": ["
	separator = ""
	relation("DOCUMENT", "DESCRIBES", "Image")
	relation("Image", "CONTAINS", "linalgd")
	for (i = 1; i <= NR; i++)
		relation("Image", "CONTAINS", "Package-" i)
	print "\n  ]\n}"
}'
