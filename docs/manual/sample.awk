# sample.awk - makes a configuration file of the options of serve, as
# tables.sh prints them: awk -v set='NAME=VALUE ...' -f sample.awk TABLES
# Every option stands there as a comment, with its default, below its help;
# those that `set` names are set.

BEGIN {
	FS = "\t"
	n = split(set, pair, " ")
	for (i = 1; i <= n; i++) {
		at = index(pair[i], "=")
		given[substr(pair[i], 1, at - 1)] = substr(pair[i], at + 1)
	}
	print "# Settings of linalgd; see linalgd.conf(5). The command line and " \
	      "LINALGD_\n# variables of the environment win over this file. " \
	      "`linalgd config --config FILE`\n# shows the settings in force."
}

function comment(text,    word, n, i, line) {
	n = split(text, word, " ")
	line = "#"
	for (i = 1; i <= n; i++) {
		if (length(line) + 1 + length(word[i]) > 79) {
			print line
			line = "#"
		}
		line = line " " word[i]
	}
	print line
}

$1 == "option" && $2 == "serve" && $6 != "file" && $3 != "help" &&
$3 != "version" {
	print ""
	comment($10)
	if ($3 in given)
		print $3 " = " given[$3]
	else
		print "#" $3 " = " ($8 != "" ? $8 : $5 != "" ? $5 : "true")
}
