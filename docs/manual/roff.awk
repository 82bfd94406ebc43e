# roff.awk - fills in a page of the manual: awk -f roff.awk TABLES PAGE.in
# TABLES is what tables.sh prints. In the page, @version@ and @date@ stand for
# these variables, and lines of their own for what is made of the tables:
#
#	@commands	every command with its summary
#	@options NAME	the options of that command
#	@settings	the options of serve, as keys of the configuration file
#	@environment	every environment variable of an option

BEGIN { FS = "\t" }

# Text that roff must take as it is.
function plain(text) {
	gsub(/\\/, "\\e", text)
	gsub(/--/, "\\-\\-", text)
	return text
}

# Prints text in lines of at most 76 columns, of which none looks like a
# request.
function fill(text,    word, n, i, line) {
	n = split(plain(text), word, " ")
	line = ""
	for (i = 1; i <= n; i++) {
		if (line != "" && length(line) + 1 + length(word[i]) > 76) {
			print line
			line = ""
		}
		if (line == "")
			line = (word[i] ~ /^[.']/ ? "\\&" : "") word[i]
		else
			line = line " " word[i]
	}
	if (line != "")
		print line
}

# A flag or a variable in roff's bold, a value in its italics.
function bold(text) {
	gsub(/-/, "\\-", text)
	return "\\fB" text "\\fR"
}

function italic(text) {
	gsub(/-/, "\\-", text)
	return "\\fI" text "\\fR"
}

function print_commands(    i) {
	for (i = 1; i <= commands; i++) {
		print ".TP\n" bold(command[i])
		fill(summary[i] ".")
	}
}

function print_option(i) {
	print ".TP"
	print (letter[i] != "" ? bold("-" letter[i]) ", " : "") \
	      bold("--" flag[i]) (value[i] != "" ? " " italic(value[i]) : "")
	fill(help[i] (fallback[i] != "" ? " (default " fallback[i] ")" : "") \
	     "." (env[i] != "" ? " Also by the environment variable " env[i] \
	     "." : ""))
}

function print_options(of,    i) {
	for (i = 1; i <= options; i++)
		if (owner[i] == of)
			print_option(i)
}

# The file that names the configuration file, and what ends the process at
# once, cannot stand in it.
function print_settings(    i) {
	for (i = 1; i <= options; i++)
		if (owner[i] == "serve" && type[i] != "file" &&
		    flag[i] != "help" && flag[i] != "version") {
			print ".TP"
			print bold(flag[i]) " = " \
			      italic(value[i] != "" ? value[i] : "true|false")
			fill(help[i] (fallback[i] != "" ? " (default " \
			     fallback[i] ")" : "") ".")
		}
}

# An option of several commands, as --cache, has one variable.
function print_environment(    i, of, n, name) {
	for (i = 1; i <= options; i++) {
		if (env[i] == "")
			continue
		if (!(env[i] in of))
			name[++n] = env[i]
		of[env[i]] = of[env[i]] (of[env[i]] != "" ? ", " : "") owner[i]
		option_of[env[i]] = flag[i]
	}
	for (i = 1; i <= n; i++) {
		print ".TP\n" bold(name[i])
		fill("--" option_of[name[i]] " of " of[name[i]] ".")
	}
}

FNR == NR && $1 == "command" { command[++commands] = $2; summary[commands] = $4 }
FNR == NR && $1 == "option" {
	i = ++options
	owner[i] = $2; flag[i] = $3; letter[i] = $4; value[i] = $5
	type[i] = $6; fallback[i] = $8; env[i] = $9; help[i] = $10
}
FNR == NR { next }

/^@commands$/ { print_commands(); next }
/^@options / { print_options(substr($0, 10)); next }
/^@settings$/ { print_settings(); next }
/^@environment$/ { print_environment(); next }
{
	gsub(/@version@/, version)
	gsub(/@date@/, date)
	print
}
