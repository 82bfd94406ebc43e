/* marks.c - see marks.h; print_MARK() prints what #@MARK stands for. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/marks.h"
#include "base/size.h"
#include "ops/manual.h"

enum { WIDTH = 100 };		/* of the lines of a text */

static void line(int indent, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void line(int indent, const char *fmt, ...)
{
	va_list ap;

	printf("%*s", indent, "");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* A paragraph's n characters as lines of a folded scalar; end: what is added
 * to its last word. */
static void fold(int indent, const char *s, size_t n, const char *end)
{
	while ((size_t)indent + n > WIDTH) {
		size_t cut = (size_t)(WIDTH - indent);

		while (cut > 1 && s[cut] != ' ')
			cut--;
		line(indent, "%.*s", (int)cut, s);
		s += cut + 1;
		n -= cut + 1;
	}
	line(indent, "%.*s%s", (int)n, s, end);
}

/* A folded scalar needs no quotes, whatever is in it. */
static void text(int indent, const char *key, const char *paragraphs)
{
	line(indent, "%s: >-", key);
	for (const char *s = paragraphs; *s; s += strspn(s, "\n")) {
		const size_t n = strcspn(s, "\n");

		if (s != paragraphs)
			printf("\n\n");
		fold(indent + 2, s, n, "");
		s += n;
	}
}

/* A summary or a help, see op.h, as a sentence. */
static void sentence(int indent, const char *key, const char *phrase)
{
	char *s = strdup(phrase);

	if (!s)
		fail("no memory for", phrase);
	s[0] = (char)toupper((unsigned char)s[0]);
	line(indent, "%s: >-", key);
	fold(indent + 2, s, strlen(s), ".");
	free(s);
}

static void print_summary(int indent, const struct op *o)
{
	sentence(indent, "summary", o->summary);
}

static void print_details(int indent, const struct op *o)
{
	const struct manual *m = manual_of(o);
	char *s;

	if (asprintf(&s, "%s%sMathematics: %s\n\nCost: %s\n\nQuality: %s\n\n"
	             "Source: %s", o->details ? o->details : "",
	             o->details ? "\n\n" : "", m->mathematics, m->work,
	             m->verdict, m->source) < 0)
		fail("no memory for the description of", o->name);
	text(indent, "description", s);
	free(s);
}

static void print_shapes(int indent, const struct op *o)
{
	for (const struct operand *in = o->inputs; in->name; in++)
		line(indent, "- $ref: '#/components/parameters/%s.shape'",
		     in->name);
}

/* The shapes of the operands whose names no operation before it has. */
static void print_new_shapes(int indent, const struct op *o)
{
	for (const struct operand *in = o->inputs; in->name; in++) {
		const struct op *const *first = ops;

		while (op_input(*first, in->name) < 0)
			first++;
		if (*first != o)
			continue;
		line(indent, "%s.shape:", in->name);
		line(indent + 2, "name: %s.shape", in->name);
		line(indent + 2, "in: query");
		line(indent + 2, "description: Of operand %s in an "
		     "octet-stream body.", in->name);
		line(indent + 2, "schema: "
		     "{ $ref: '#/components/schemas/shape_text' }");
	}
}

static void print_parameters(int indent, const struct op *o)
{
	for (const struct param *p = o->params; p->name; p++) {
		line(indent, "- name: %s", p->name);
		line(indent + 2, "in: query");
		sentence(indent + 2, "description", p->help);
		line(indent + 2, "schema: "
		     "{ $ref: '#/components/schemas/%s_%s' }",
		     o->name, p->name);
	}
}

/* With a point before the exponent: without one YAML 1.1 has a string. */
static void number(const char *key, double x)
{
	char s[32], *e;

	snprintf(s, sizeof s, "%.15g", x);
	e = strchr(s, 'e');
	if (e && !strchr(s, '.'))
		printf(", %s: %.*s.0%s", key, (int)(e - s), s, e);
	else
		printf(", %s: %s", key, s);
}

static void bounds(const struct param *p)
{
	if (isfinite(p->min))
		number(p->above_min ? "exclusiveMinimum" : "minimum", p->min);
	if (isfinite(p->max))
		number(p->below_max ? "exclusiveMaximum" : "maximum", p->max);
}

static bool is_number(const char *choice)
{
	return choice[strspn(choice, "0123456789")] == 0;
}

static void choices(const struct param *p)
{
	for (int i = 0; p->choices[i]; i++)
		printf(is_number(p->choices[i]) ? "%s'%s'" : "%s%s",
		       i ? ", " : ", enum: [", p->choices[i]);
	putchar(']');
}

/* Is one of the choices a number? In JSON it may come as one. */
static bool has_numbers(const struct param *p)
{
	int i = 0;

	if (p->type != PARAM_CHOICE)
		return false;
	while (p->choices[i] && !is_number(p->choices[i]))
		i++;
	return p->choices[i] != NULL;
}

static void print_numbers(const struct param *p)
{
	const char *before = ", { type: integer, enum: [";

	for (int i = 0; p->choices[i]; i++)
		if (is_number(p->choices[i])) {
			printf("%s%s", before, p->choices[i]);
			before = ", ";
		}
	printf("] }");
}

static const char *type_of(const struct param *p)
{
	static const char *const types[] = {
		[PARAM_REAL] = "number", [PARAM_INTEGER] = "integer",
		[PARAM_BOOLEAN] = "boolean", [PARAM_CHOICE] = "string",
		[PARAM_LIST] = "string",
	};

	return types[p->type];
}

static void list(void)
{
	printf(", pattern: '^");
	for (int i = 0; i < PARAM_LIST_LENGTH; i++)
		printf("%s[0-9]+", i ? "," : "");
	printf("$'");
}

static void fallback(const struct param *p)
{
	switch (p->type) {
	case PARAM_BOOLEAN:
		printf(", default: %s", p->fallback != 0 ? "true" : "false");
		break;
	case PARAM_CHOICE:
		printf(", default: %s", p->choices[(int)p->fallback]);
		break;
	default:
		number("default", p->fallback);
	}
}

static void print_parameter_schemas(int indent, const struct op *o)
{
	for (const struct param *p = o->params; p->name; p++) {
		printf("%*s%s_%s: { type: %s", indent, "", o->name, p->name,
		       type_of(p));
		if (p->type == PARAM_CHOICE)
			choices(p);
		else if (p->type == PARAM_LIST)
			list();
		else if (p->type != PARAM_BOOLEAN)
			bounds(p);
		if (!isnan(p->fallback))
			fallback(p);
		puts(" }");
	}
}

/* The body of the request, whose JSON is YAML too, on one line. */
static void print_examples(int indent, const struct op *o)
{
	char name[256], *request, *body;

	snprintf(name, sizeof name, "api/examples/%s.request.http", o->name);
	request = read_file(name);
	body = strstr(request, "\n\n");
	if (!body)
		fail("there is no body in", name);
	line(indent, "examples:");
	printf("%*s-", indent + 2, "");
	for (char *s = strtok(body, "\n"); s; s = strtok(NULL, "\n"))
		printf(" %s", s + strspn(s, " "));
	putchar('\n');
	free(request);
}

static void print_required(int indent, const struct op *o)
{
	const char *before = "required: [";

	printf("%*s", indent, "");
	for (const struct operand *in = o->inputs; in->name; in++) {
		if (in->optional)
			continue;
		printf("%s%s", before, in->name);
		before = ", ";
	}
	puts("]");
}

static void print_operands(int indent, const struct op *o)
{
	for (const struct operand *in = o->inputs; in->name; in++)
		line(indent, "%s: { $ref: '#/components/schemas/matrix' }",
		     in->name);
}

static void print_members(int indent, const struct op *o)
{
	for (const struct param *p = o->params; p->name; p++) {
		const bool numbers = has_numbers(p);

		printf("%*s%s: %s{ $ref: '#/components/schemas/%s_%s' }",
		       indent, "", p->name, numbers ? "{ anyOf: [" : "",
		       o->name, p->name);
		if (numbers)
			print_numbers(p);
		puts(numbers ? "] }" : "");
	}
}

static const char *output_schema(const struct op *o, int output)
{
	const int input = op_input(o, o->outputs[output].name);

	const bool complex = o->complex_too >> output & 1 ||
	                     o->dtypes & DTYPE_COMPLEXES;

	if (o->booleans >> output & 1)
		return "Booleans";
	if (input >= 0 && o->sparse_too >> input & 1)
		return complex ? "ComplexSparseNumbers" : "SparseNumbers";
	return complex ? "ComplexNumbers" : "Numbers";
}

static void print_outputs(int indent, const struct op *o)
{
	for (int i = 0; o->outputs[i].name; i++) {
		const bool into = o->changing_out >> i & 1;

		line(indent, "%s: %s{ $ref: '#/components/schemas/%s' }%s",
		     o->outputs[i].name, into ? "{ anyOf: [" : "",
		     output_schema(o, i), into ?
		     ", { $ref: '#/components/schemas/in_share' }] }" : "");
	}
}

/* Only where the matrices of a stack fail one by one. */
static void print_failed(int indent, const struct op *o)
{
	if (o->describe)
		line(indent, "failed: "
		     "{ $ref: '#/components/schemas/Failures' }");
}

static const struct mark {
	const char *name;
	void (*print)(int indent, const struct op *o);
} marks[] = {
	{ "#@summary", print_summary },
	{ "#@details", print_details },
	{ "#@shapes", print_shapes },
	{ "#@new_shapes", print_new_shapes },
	{ "#@parameters", print_parameters },
	{ "#@parameter_schemas", print_parameter_schemas },
	{ "#@examples", print_examples },
	{ "#@required", print_required },
	{ "#@operands", print_operands },
	{ "#@members", print_members },
	{ "#@outputs", print_outputs },
	{ "#@failed", print_failed },
};
void mark_print(const char *mark, int indent, const struct op *o)
{
	for (size_t i = 0; i < COUNT(marks); i++)
		if (strcmp(marks[i].name, mark) == 0) {
			marks[i].print(indent, o);
			return;
		}
	fail("there is no mark", mark);
}
