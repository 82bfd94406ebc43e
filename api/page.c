/* page.c - see page.h. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cost.h"
#include "api/markdown.h"
#include "api/marks.h"
#include "api/page.h"
#include "base/size.h"
#include "ops/manual.h"
#include "ops/variant.h"

#define EXAMPLES "api/examples/"

static void print_types(unsigned dtypes)
{
	const char *before = "";

	for (int d = 0; d < DTYPE_COUNT; d++)
		if (dtypes & DTYPE_BIT(d)) {
			printf("%s%s", before, dtype_name((enum dtype)d));
			before = ", ";
		}
}

static void print_operands(const struct op *o)
{
	puts("| operand | | |\n|---|---|---|");
	for (const struct operand *in = o->inputs; in->name; in++) {
		printf("| `%s` | %s | ", in->name,
		       in->optional ? "optional" : "required");
		markdown_cell(in->help);
	}
	fputs("\nTypes: ", stdout);
	print_types(op_usual_dtypes(o) | (o->halves ? DTYPE_HALVES : 0));
	if (o->asked_dtypes) {
		fputs("; with `dtype` also ", stdout);
		print_types(o->asked_dtypes);
	}
	puts(".\n");
}

static void print_bounds(const struct param *p)
{
	fputs(p->type == PARAM_INTEGER ? "whole number" : "number", stdout);
	if (fabs(p->min) < 1e18)
		printf(" %s %.15g", p->above_min ? "above" : "from", p->min);
	if (fabs(p->max) < 1e18)
		printf(" %s %.15g", p->below_max ? "below" : "to", p->max);
}

static void print_values(const struct param *p)
{
	switch (p->type) {
	case PARAM_BOOLEAN:
		fputs("`true`, `false`", stdout);
		break;
	case PARAM_CHOICE:
		for (int i = 0; p->choices[i]; i++)
			printf("%s`%s`", i ? ", " : "", p->choices[i]);
		break;
	case PARAM_LIST:
		printf("%d whole numbers by commas", PARAM_LIST_LENGTH);
		break;
	default:
		print_bounds(p);
	}
}

static void print_default(const struct param *p)
{
	if (isnan(p->fallback))
		return;
	if (p->type == PARAM_CHOICE)
		printf("`%s`", p->choices[(int)p->fallback]);
	else if (p->type == PARAM_BOOLEAN)
		fputs(p->fallback != 0 ? "`true`" : "`false`", stdout);
	else
		printf("`%.15g`", p->fallback);
}

static void print_parameters(const struct op *o)
{
	if (!o->params[0].name)
		return;
	puts("| parameter | values | default | |\n|---|---|---|---|");
	for (const struct param *p = o->params; p->name; p++) {
		printf("| `%s` | ", p->name);
		print_values(p);
		fputs(" | ", stdout);
		print_default(p);
		fputs(" | ", stdout);
		markdown_cell(p->help);
	}
	putchar('\n');
}

static void print_outputs(const struct op *o, const struct manual *m)
{
	puts("## Answer\n\n| output | | |\n|---|---|---|");
	for (const struct output *out = o->outputs; out->name; out++) {
		printf("| `%s` | %s | ", out->name,
		       out->on_request ? "if `return` names it" : "");
		markdown_cell(out->help);
	}
	if (o->describe)
		puts("| `failed` | of stacks | The matrices that have no "
		     "answer, with the reason. |");
	putchar('\n');
	markdown_text(m->verdict);
}

static void print_refusals(const struct manual *m)
{
	puts("## Errors\n\nThose of any request are listed by `GET /problems`."
	     "\n");
	if (m->refusals->code == ERR_NONE)
		return;
	puts("| status | problem | when |\n|---|---|---|");
	for (const struct refusal *r = m->refusals; r->code; r++) {
		printf("| %d | `%s` | ", err_status(r->code),
		       err_slug(r->code));
		markdown_cell_as_is(r->when);
	}
	putchar('\n');
}

static void print_variants(const struct op *o)
{
	static const struct { unsigned bit; const char *name; } kinds[] = {
		{ DEVICE_CPU, "CPU" }, { DEVICE_GPU, "GPU" },
		{ DEVICE_OTHER, "other" }, { DEVICE_CLUSTER, "cluster" },
	};
	const char *name;

	puts("## Variants\n\n| variant | requires | automatic on | types | "
	     "origin |\n|---|---|---|---|---|");
	for (const struct variant *v = o->variants; v->name; v++) {
		printf("| `%s` |", v->name);
		for (int i = 0; (name = variant_requirement(v, i)); i++)
			printf("%s %s", i ? "," : "", name);
		fputs(" | ", stdout);
		for (size_t i = 0, n = 0; i < COUNT(kinds); i++)
			if (v->auto_for & kinds[i].bit)
				printf("%s%s", n++ ? ", " : "", kinds[i].name);
		fputs(" | ", stdout);
		print_types(v->dtypes);
		printf(" | %s |\n", v->origin);
	}
	putchar('\n');
}

/* What follows the head of a file in HTTP's form, without its last newline. */
static char *body_of(char *file, const char *name)
{
	char *body = strstr(file, "\n\n");

	if (!body)
		fail("there is no body in", name);
	body += 2;
	body[strlen(body) - 1] = 0;
	return body;
}

static void print_example(const struct op *o)
{
	char name[256], *request, *response;

	snprintf(name, sizeof name, EXAMPLES "%s.request.http", o->name);
	request = read_file(name);
	printf("## Example\n\n```sh\ncurl --json '%s' \\\n"
	       "    http://127.0.0.1:8080/%s\n```\n\n",
	       body_of(request, name), o->name);
	snprintf(name, sizeof name, EXAMPLES "%s.response.http", o->name);
	response = read_file(name);
	printf("It answers, where `\"...\"` stands for what differs from one "
	       "time to the next:\n\n```json\n%s\n```\n\n",
	       body_of(response, name));
	free(request);
	free(response);
}

/* Links one of the other examples, whose request's file is named. */
static void print_link(const char *request)
{
	const size_t n = strlen(request) - strlen(".request.http");
	const size_t folder = strlen(EXAMPLES);
	char name[256], *response;

	snprintf(name, sizeof name, "%.*s.response.http", (int)n, request);
	response = read_file(name);
	printf("* %.*s: [request](../../%s), [answer](../../%s) (%.3s)\n",
	       (int)(n - folder), request + folder, request, name,
	       response + strlen("HTTP/1.1 "));
	free(response);
}

static void print_links(const struct op *o)
{
	glob_t found = { 0 };
	char pattern[256];

	snprintf(pattern, sizeof pattern, EXAMPLES "%s-*.request.http",
	         o->name);
	if (glob(pattern, 0, NULL, &found) == 0) {
		puts("Others:\n");
		for (size_t i = 0; i < found.gl_pathc; i++)
			print_link(found.gl_pathv[i]);
		putchar('\n');
	}
	globfree(&found);
}

static void print_see(const struct manual *m)
{
	const char *before = "More: ";

	if (!m->see)
		return;
	for (const char *s = m->see; *s; s += strspn(s, " ")) {
		const int n = (int)strcspn(s, " ");

		printf("%s[docs/%.*s](../%.*s)", before, n, s, n, s);
		before = ", ";
		s += n;
	}
	puts(".\n");
}

void page_print(const struct op *o)
{
	const struct manual *m = manual_of(o);

	printf("<!-- Made by make api of src/ops/%s; not to be edited. -->\n"
	       "# %s\n\n", o->name, o->name);
	markdown_sentence(o->summary, "\n\n");
	if (o->details)
		markdown_text(o->details);
	puts("## Mathematics\n");
	markdown_text(m->mathematics);
	printf("## Request\n\n`POST /%s`\n\n", o->name);
	print_operands(o);
	print_parameters(o);
	printf("Every operation also takes `device`, `dtype`, `variant`, "
	       "`timeout_ms`, `priority`,\n`return`, `timing`, `quality`, "
	       "`store` and `ttl`.%s\n\n",
	       o->changing_out ? " This one takes `into`, too\n"
	       "([docs/shares.md](../shares.md))." : "");
	print_outputs(o, m);
	print_refusals(m);
	puts("## Cost\n");
	markdown_text(m->work);
	cost_print(o);
	print_variants(o);
	puts("## Source\n");
	markdown_text(m->source);
	print_see(m);
	print_example(o);
	print_links(o);
	puts("[All operations](README.md)");
}

void page_print_index(void)
{
	puts("<!-- Made by make api of the operations' tables; not to be "
	     "edited. -->\n# Operations\n\nA page for each operation, made of "
	     "the tables that also make\n[openapi.yaml](../../api/openapi."
	     "yaml), `GET /ops` and `linalgd ops`.\n\n| path | |\n|---|---|");
	for (const struct op *const *o = ops; *o; o++) {
		printf("| [`/%s`](%s.md) | ", (*o)->name, (*o)->name);
		markdown_cell((*o)->summary);
	}
}
