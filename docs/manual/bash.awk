# bash.awk - fills in the completion of bash: awk -f bash.awk TABLES
# linalgd.bash.in, where TABLES is what tables.sh prints.

BEGIN { FS = "\t" }

function append(list, key, word) {
	list[key] = list[key] (key in list && list[key] != "" ? " " : "") word
}

# What may follow an option, as _linalgd_values() says it.
function values_of(type, value, choices) {
	if (type == "flag")
		return ""
	if (choices != "") {
		gsub(/\|/, " ", choices)
		return choices
	}
	if (value == "FILE" || value == "PATH")
		return "@file"
	if (value == "DIR")
		return "@directory"
	if (value == "OPERATION")
		return operations
	if (value ~ /^SEL/)
		return "auto cpu gpu"
	return "@any"
}

# Prints a line of a `case` for each of the n keys.
function cases(key, n, text,    i) {
	for (i = 1; i <= n; i++)
		printf "\t%s) echo '%s' ;;\n", key[i], text[key[i]]
}

FNR == NR && $1 == "command" {
	commands = commands (commands != "" ? " " : "") $2
	if ($3 != "")
		command[++n_commands] = $2
}
FNR == NR && $1 == "option" { row[++n_rows] = $0 }
FNR == NR && $1 == "op" {
	operations = operations (operations != "" ? " " : "") $2
	operation[++n_operations] = $2
}
FNR == NR && $1 == "word" {
	append(names, $2, $3 "=")
	if ($4 != "" && $4 != "@file") {
		key = $2 ":" $3
		choice[++n_choices] = key
		choices[key] = $4
		gsub(/\|/, " ", choices[key])
	}
}
FNR == NR { next }

FNR == 1 {			# the operations are known now
	for (i = 1; i <= n_rows; i++) {
		split(row[i], field, "\t")
		append(options, field[2], "--" field[3])
		text = values_of(field[6], field[5], field[7])
		if (text == "")
			continue
		key = field[2] ":--" field[3]
		if (field[4] != "")
			key = key "|" field[2] ":-" field[4]
		value[++n_values] = key
		values[key] = text
	}
}
/^@options@$/ { cases(command, n_commands, options); next }
/^@values@$/ { cases(value, n_values, values); next }
/^@names@$/ { cases(operation, n_operations, names); next }
/^@choices@$/ { cases(choice, n_choices, choices); next }
{
	sub(/@commands@/, commands)
	sub(/@operations@/, operations)
	print
}
