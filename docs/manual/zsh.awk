# zsh.awk - makes the completion of zsh: awk -f zsh.awk TABLES, where TABLES is
# what tables.sh prints.

BEGIN { FS = "\t" }

# A text between the single quotes and brackets of _arguments.
function plain(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/\[/, "\\[", text)
	gsub(/\]/, "\\]", text)
	gsub(/:/, "\\:", text)
	gsub(/'/, "'\\''", text)
	return text
}

function action(value, choices) {
	gsub(/\|/, " ", choices)
	if (choices != "")
		return "(" choices ")"
	if (value == "FILE" || value == "PATH")
		return "_files"
	if (value == "DIR")
		return "_files -/"
	if (value == "OPERATION")
		return "(@operations@)"
	return value ~ /^SEL/ ? "(auto cpu gpu)" : ""
}

function argument(    text, names, type) {
	type = $6
	names = "'--" $3 (type != "flag" ? "=" : "")
	if ($4 != "")
		names = "'(-" $4 " --" $3 ")'{-" $4 (type != "flag" ? "+" : "") \
		        ",--" $3 (type != "flag" ? "=" : "") "}'"
	else if (type == "list")
		names = "'*--" $3 "="
	text = names "[" plain($10) "]"
	if (type != "flag")
		text = text ":" plain($5) ":" action($5, $7)
	return " \\\n\t\t\t" text "'"
}

$1 == "command" {
	commands = commands "\n\t\t'" $2 ":" plain($4) "'"
	if ($3 != "")
		command[++n] = $2
}
$1 == "option" { arguments[$2] = arguments[$2] argument() }
$1 == "op" {
	operations = operations (operations != "" ? " " : "") $2
	operation[++ops] = $2
}
$1 == "word" {
	text = "(" $4 ")"
	gsub(/\|/, " ", text)
	words[$2] = words[$2] " '" $3 ":" $3 ":" \
	            ($4 == "@file" ? "_files -P @" : text) "'"
}

END {
	print "#compdef linalgd linalgd-call linalgd-bench"
	print "# Completion of linalgd in zsh. The build makes it from " \
	      "linalgd's own tables."
	print "\n# NAME=VALUE of a call of the operation in line[1]"
	print "_linalgd_operand() {\n\tcase $line[1] in"
	for (i = 1; i <= ops; i++)
		print "\t" operation[i] ") _values -S = operand" \
		      words[operation[i]] " ;;"
	print "\tesac\n}\n"
	print "_linalgd_options() {"
	print "\tlocal line state\n\tcase $1 in"
	for (i = 1; i <= n; i++) {
		gsub(/@operations@/, operations, arguments[command[i]])
		print "\t" command[i] ") _arguments -S" arguments[command[i]] \
		      (command[i] == "call" ? " \\\n\t\t\t'1:operation:(" \
		      operations ")' '*:operand:_linalgd_operand'" : "") " ;;"
	}
	print "\tesac\n}\n"
	print "_linalgd() {\n\tlocal -a commands=(" commands ")\n"
	print "\tif [[ $service == linalgd-* ]]; then"
	print "\t\t_linalgd_options ${service#linalgd-}"
	print "\telif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then"
	print "\t\t_describe command commands"
	print "\telif [[ $words[2] == -* ]]; then\n\t\t_linalgd_options serve"
	print "\telif [[ $words[2] == help ]]; then"
	print "\t\t_describe command commands"
	print "\telse\n\t\tshift words\n\t\t(( CURRENT-- ))"
	print "\t\t_linalgd_options $words[1]\n\tfi\n}\n\n_linalgd \"$@\""
}
