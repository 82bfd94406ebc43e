/* sheet.c - see sheet.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "clients/call/sheet.h"

/* The parameters that every operation takes. Their choices are those of
 * choices[] and, if `from` is set, the names in that list of the operation's
 * row. */
static const struct common {
	const char *name, *type, *help;
	const char *choices[5];
	const char *from;		/* "dtypes", "variants", "outputs" */
	bool several;			/* the value may be several choices,
					 * separated by commas */
	double min, max;
} commons[] = {
	{ "device", "string", "the device: auto, cpu, gpu, an index or part "
	  "of a name", { NULL }, NULL, false, 0, 0 },
	{ "dtype", "string", "the type of the computation and the answer",
	  { "float16", "bfloat16" }, "dtypes", false, 0, 0 },
	{ "variant", "string", "the variant, a way to compute the operation",
	  { "auto" }, "variants", false, 0, 0 },
	{ "timeout_ms", "integer", "milliseconds after which the job is "
	  "given up", { NULL }, NULL, false, 1, 604800000 },
	{ "priority", "integer", "0 to 9, 0 runs first", { NULL }, NULL,
	  false, 0, 9 },
	{ "return", "string", "the outputs to answer, separated by commas",
	  { NULL }, "outputs", true, 0, 0 },
	{ "timing", "string", "how much the answer tells of times",
	  { "full", "summary", "none", "trace" }, NULL, false, 0, 0 },
	{ "quality", "string", "how the answer is judged",
	  { "estimate", "full", "none" }, NULL, false, 0, 0 },
	{ "store", "string", "the name under which the first output is "
	  "stored, or output:name, separated by commas", { NULL }, NULL,
	  false, 0, 0 },
	{ "ttl", "number", "seconds after which what is stored is removed",
	  { NULL }, NULL, false, 0, 1000000000 },
};

static const char *string_at(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

/* Returns the row of that name in one of the operation's lists, such as
 * "inputs", or NULL. */
static const json_t *row_of(const json_t *op, const char *list,
                            const char *name)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(op, list), i, row)
		if (strcmp(string_at(row, "name"), name) == 0)
			return row;
	return NULL;
}

static const struct common *common_of(const char *name)
{
	for (size_t i = 0; i < COUNT(commons); i++)
		if (strcmp(commons[i].name, name) == 0)
			return &commons[i];
	return NULL;
}

/* Returns the name of an item of a list: the item is this string, or an object
 * with a member "name". */
static const char *name_of(const json_t *item)
{
	return json_is_string(item) ? json_string_value(item) :
	       string_at(item, "name");
}

static void add_names(struct nearest *near, const json_t *rows)
{
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
		nearest_add(near, name_of(row));
}

const json_t *sheet_find(const json_t *sheet, const char *op, struct err *e)
{
	const json_t *list = json_object_get(sheet, "ops"), *row;
	struct nearest near = nearest_to(op);
	size_t i;

	json_array_foreach(list, i, row)
		if (strcmp(string_at(row, "name"), op) == 0)
			return row;
	add_names(&near, list);
	err_set(e, ERR_PARAMETER, "%.60s: no such operation%s linalgd ops "
	        "lists them", op, nearest_hint_and(&near));
	nearest_fini(&near);
	return NULL;
}

int sheet_kind_of(const json_t *op, const char *name, enum sheet_kind *kind,
                  struct err *e)
{
	struct nearest near = nearest_to(name);

	*kind = row_of(op, "inputs", name) ? SHEET_OPERAND : SHEET_PARAMETER;
	if (*kind == SHEET_OPERAND || row_of(op, "parameters", name) ||
	    common_of(name))
		return 0;
	add_names(&near, json_object_get(op, "inputs"));
	add_names(&near, json_object_get(op, "parameters"));
	for (size_t i = 0; i < COUNT(commons); i++)
		nearest_add(&near, commons[i].name);
	err_set(e, ERR_PARAMETER, "%s has no operand or parameter %.40s%s "
	        "linalgd call %s --help lists them", string_at(op, "name"),
	        name, nearest_hint_and(&near), string_at(op, "name"));
	nearest_fini(&near);
	return -1;
}

/* --- values */

static int refuse(const char *name, const char *value, struct nearest *near,
                  struct err *e)
{
	err_set(e, ERR_PARAMETER, "%s=%.40s: must be one of %s%s", name, value,
	        nearest_list(near), nearest_hint(near));
	nearest_fini(near);
	return -1;
}

static bool is_name_of(const json_t *rows, const char *value)
{
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
		if (strcmp(value, name_of(row)) == 0)
			return true;
	return false;
}

/* Checks a value against the names in rows, which may be NULL, and in
 * `more`. */
static int check_choice(const char *name, const char *value,
                        const json_t *rows, const char *const *more,
                        struct err *e)
{
	struct nearest near = nearest_to(value);

	if (is_name_of(rows, value))
		return 0;
	for (const char *const *m = more; m && *m; m++)
		if (strcmp(*m, value) == 0)
			return 0;
	add_names(&near, rows);
	if (more)
		nearest_add_all(&near, more);
	return refuse(name, value, &near, e);
}

static int check_each(const struct common *c, const char *value,
                      const json_t *rows, struct err *e)
{
	char *copy = strdup(value), *rest = copy, *one;
	int rc = copy ? 0 : err_set(e, ERR_MEMORY, "no memory");

	while (!rc && (one = strsep(&rest, ",")))
		rc = check_choice(c->name, one + strspn(one, " "), rows,
		                  c->choices, e);
	free(copy);
	return rc;
}

/* Parses a number, which must be an integer if `whole` is set. */
static int parse(const char *name, const char *value, bool whole, double *x,
                 struct err *e)
{
	char *end;

	errno = 0;
	*x = strtod(value, &end);
	if (end != value && !*end && isfinite(*x) &&
	    (!whole || (*x == floor(*x) && !strpbrk(value, ".eExX"))))
		return 0;
	return err_set(e, ERR_PARAMETER, "%s=%.40s: must be %s", name, value,
	               whole ? "an integer" : "a number");
}

/* The members of a parameter's row in GET /ops that bound its value. */
static const struct {
	const char *key, *words;
	bool least, open;
} bounds[] = {
	{ "min", "at least", true, false },
	{ "above", "greater than", true, true },
	{ "max", "at most", false, false },
	{ "below", "less than", false, true },
};

static int check_bounds(const json_t *row, const char *name, double x,
                        struct err *e)
{
	for (size_t i = 0; i < COUNT(bounds); i++) {
		const json_t *b = json_object_get(row, bounds[i].key);
		const double bound = json_number_value(b);

		if (b && (bounds[i].open ? x == bound : false ||
		          (bounds[i].least ? x < bound : x > bound)))
			return err_set(e, ERR_PARAMETER, "%s=%.16g: must be "
			               "%s %.16g", name, x, bounds[i].words,
			               bound);
	}
	return 0;
}

static int check_number(const json_t *row, const char *name,
                        const char *value, bool whole, struct err *e)
{
	double x;

	return parse(name, value, whole, &x, e) ? -1 :
	       check_bounds(row, name, x, e);
}

static int check_common(const json_t *op, const struct common *c,
                        const char *value, struct err *e)
{
	const json_t *rows = c->from ? json_object_get(op, c->from) : NULL;
	double x;

	if (strcmp(c->type, "integer") == 0) {
		if (parse(c->name, value, true, &x, e))
			return -1;
		return x >= c->min && x <= c->max ? 0 :
		       err_set(e, ERR_PARAMETER, "%s=%.40s: must be from %.0f "
		               "to %.0f", c->name, value, c->min, c->max);
	}
	if (c->several)
		return check_each(c, value, rows, e);
	return rows || c->choices[0] ?
	       check_choice(c->name, value, rows, c->choices, e) : 0;
}

int sheet_check_value(const json_t *op, const char *name, const char *value,
                      struct err *e)
{
	static const char *const booleans[] = { "true", "false", NULL };
	const json_t *row = row_of(op, "parameters", name);
	const char *type = string_at(row, "type");
	const json_t *choices = json_object_get(row, "choices");

	if (!row)
		return check_common(op, common_of(name), value, e);
	if (strcmp(type, "boolean") == 0)
		return check_choice(name, value, NULL, booleans, e);
	if (strcmp(type, "integer") == 0 || strcmp(type, "number") == 0)
		return check_number(row, name, value, type[0] == 'i', e);
	return choices ? check_choice(name, value, choices, NULL, e) : 0;
}

int sheet_check_operands(const json_t *op,
                         bool (*given)(const void *arg, const char *name),
                         const void *arg, struct err *e)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(op, "inputs"), i, row)
		if (!json_is_true(json_object_get(row, "optional")) &&
		    !given(arg, string_at(row, "name")))
			return err_set(e, ERR_PARAMETER, "%s needs operand "
			               "%s: %.120s", string_at(op, "name"),
			               string_at(row, "name"),
			               string_at(row, "help"));
	return 0;
}

/* --- help */

static void help_row(struct text *t, const char *name, const char *help)
{
	text_printf(t, "  %s\n      %s", name, help);
}

static void help_value(struct text *t, const json_t *row)
{
	const json_t *choices = json_object_get(row, "choices"), *one;
	char *fallback = json_dumps(json_object_get(row, "default"),
	                            JSON_ENCODE_ANY);
	size_t i;

	json_array_foreach(choices, i, one)
		text_printf(t, "%s%s", i ? ", " : ". One of ",
		            json_string_value(one));
	if (fallback)
		text_printf(t, " (default %s)", fallback);
	free(fallback);
}

static void help_list(struct text *t, const char *title, const json_t *op,
                      const char *list, const char *mark, const char *words)
{
	const json_t *row;
	size_t i;

	if (json_array_size(json_object_get(op, list)))
		text_printf(t, "\n%s\n", title);
	json_array_foreach(json_object_get(op, list), i, row) {
		help_row(t, string_at(row, "name"), string_at(row, "help"));
		help_value(t, row);
		if (mark && json_is_true(json_object_get(row, mark)))
			text_puts(t, words);
		text_puts(t, "\n");
	}
}

void sheet_help(const json_t *op, struct text *t)
{
	text_printf(t, "%s: %s\n", string_at(op, "name"),
	            string_at(op, "summary"));
	help_list(t, "operands", op, "inputs", "optional", " (optional)");
	help_list(t, "parameters", op, "parameters", NULL, "");
	for (size_t i = 0; i < COUNT(commons); i++) {
		if (i == 0)
			text_puts(t, "\nparameters of every operation\n");
		help_row(t, commons[i].name, commons[i].help);
		text_puts(t, "\n");
	}
	help_list(t, "outputs", op, "outputs", "on_request",
	          " (on request)");
}
