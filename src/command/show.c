/* show.c - `linalgd devices`, `ops` and `kernels`: print what the endpoints
 * of the same names reply, as text for people or as JSON for programs. */
#include <stdio.h>
#include <stdlib.h>

#include "base/host.h"
#include "base/usage.h"
#include "command/command.h"
#include "http/sheets.h"
#include "ops/variant.h"
#include "queue/spawn.h"
#include "wire/sheet_text.h"

#define SELF "/proc/self/exe"

struct show {
	bool json, measure;
	const char *cache;
	const char *url, *unix_path, *token_file;
	int n;
	struct sheet sheets[SHEETS];
	struct sheet_row rows[SHEETS];
};

static const struct option_row devices_rows[] = {
	{ "json", NULL, OPTION_FLAG, offsetof(struct show, json),
	  NULL, 0, 0, NULL, NULL, "print the same JSON as the HTTP endpoint" },
	{ "measure", NULL, OPTION_FLAG, offsetof(struct show, measure),
	  NULL, 0, 0, NULL, NULL, "measure the peak rates of every device "
	  "and keep them in the cache directory" },
	{ "cache", "LINALGD_CACHE", OPTION_TEXT, offsetof(struct show, cache),
	  NULL, 0, 0, NULL, "DIR", "directory for measured peak rates; by "
	  "default $XDG_CACHE_HOME/linalgd" },
	{ "url", NULL, OPTION_TEXT, offsetof(struct show, url), NULL, 0, 0,
	  NULL, "URL", "list the devices of a running service and of its "
	  "fleet instead: http://HOST:PORT, https:// or unix:/PATH" },
	{ "unix", NULL, OPTION_TEXT, offsetof(struct show, unix_path), NULL,
	  0, 0, NULL, "PATH", "Unix socket on which that service listens; "
	  "replaces --url" },
	{ "token-file", NULL, OPTION_TEXT, offsetof(struct show, token_file),
	  NULL, 0, 0, NULL, "FILE", "file whose first word is that service's "
	  "token; by default the environment variable LINALGD_TOKEN holds it" },
	{ 0 }
};

static const struct option_row option_rows[] = {
	{ "json", NULL, OPTION_FLAG, offsetof(struct show, json),
	  NULL, 0, 0, NULL, NULL, "print the same JSON as the HTTP endpoint" },
	{ 0 }
};

static void devices_text(struct text *t, const struct show *o)
{
	for (int i = 0; i < o->n; i++)
		sheet_text(t, &o->sheets[i]);
}

static void devices_json(struct text *t, const struct show *o)
{
	sheets_devices(t, o->rows, o->n, NULL);
}

static void param_text(struct text *t, const struct param *p)
{
	text_printf(t, "      %-16s %s", p->name, p->help);
	for (int i = 0; p->choices && p->choices[i]; i++)
		text_printf(t, "%s%s", i ? ", " : ". One of ", p->choices[i]);
	if (p->type == PARAM_BOOLEAN)
		text_puts(t, p->fallback != 0 ? " (default true)"
		                              : " (default false)");
	else if (p->choices && !isnan(p->fallback))
		text_printf(t, " (default %s)", p->choices[(int)p->fallback]);
	else if (!isnan(p->fallback))
		text_printf(t, " (default %g)", p->fallback);
	text_puts(t, "\n");
}

static void ops_text(struct text *t, const struct show *o)
{
	(void)o;
	for (int i = 0; ops[i]; i++) {
		text_printf(t, "%s: %s\n", ops[i]->name, ops[i]->summary);
		for (const struct operand *p = ops[i]->inputs; p->name; p++)
			text_printf(t, "   in %-16s %s%s\n", p->name, p->help,
			            p->optional ? " (optional)" : "");
		for (const struct param *p = ops[i]->params; p->name; p++)
			param_text(t, p);
		for (const struct output *p = ops[i]->outputs; p->name; p++)
			text_printf(t, "  out %-16s %s%s\n", p->name, p->help,
			            p->on_request ? " (on request)" : "");
	}
}

static void ops_json(struct text *t, const struct show *o)
{
	(void)o;
	sheets_ops(t);
}

static void variant_text(struct text *t, const struct op *op,
                         const struct variant *v, const struct show *o)
{
	text_printf(t, "%-10s %-20s %-10s", op->name, v->name, v->origin);
	for (int i = 0; i < o->n; i++) {
		const char *reason = variant_lacks(v, &o->sheets[i]);

		text_printf(t, "  %d: %s", o->sheets[i].index,
		            reason ? reason : "yes");
	}
	text_puts(t, "\n");
}

static void kernels_text(struct text *t, const struct show *o)
{
	for (int i = 0; ops[i]; i++)
		for (const struct variant *v = ops[i]->variants; v->name; v++)
			variant_text(t, ops[i], v, o);
}

static void kernels_json(struct text *t, const struct show *o)
{
	sheets_kernels(t, o->rows, o->n);
}

/* Sets the directory in which workers look for measured peaks. */
static void set_cache(struct show *o)
{
	static char path[HOST_PATH];

	if (!o->cache)
		o->cache = host_default_cache(path);
	if (o->cache)
		setenv("LINALGD_CACHE", o->cache, 1);
}

/* Gets the sheets from a worker process, as the service does: this process
 * makes no OpenCL call. */
static int find_devices(struct show *o, struct err *e)
{
	set_cache(o);
	o->n = spawn_list(SELF, o->sheets, e);
	for (int i = 0; i < o->n && o->measure; i++)
		if (spawn_measure(SELF, o->sheets[i].index, o->cache,
		                  &o->sheets[i], e) < 0)
			return -1;
	for (int i = 0; i < o->n; i++)
		o->rows[i] = (struct sheet_row){ &o->sheets[i], true };
	return o->n < 0 ? -1 : 0;
}

/* --- of a running service */

static int list_of_service(struct show *o)
{
	static char name[] = "devices", url[] = "--url", path[] = "--unix",
	            token[] = "--token-file", format[] = "--format=json";
	char *argv[8] = { name };
	int n = 1;

	if (o->unix_path) {
		argv[n++] = path;
		argv[n++] = (char *)o->unix_path;
	} else {
		argv[n++] = url;
		argv[n++] = (char *)o->url;
	}
	if (o->token_file) {
		argv[n++] = token;
		argv[n++] = (char *)o->token_file;
	}
	if (o->json)
		argv[n++] = format;
	return command_devices_of(argv);
}

/* Returns USAGE_GO_ON if this machine's devices are to be listed, or the exit
 * status. */
static int ask_service(struct show *o)
{
	struct err e = { 0 };

	if (o->url || o->unix_path) {
		if (!o->measure)
			return list_of_service(o);
		err_set(&e, ERR_PARAMETER, "--measure: measures this "
		        "machine's devices, not those of a service");
		return usage_fail(&e);
	}
	if (!o->token_file)
		return USAGE_GO_ON;
	err_set(&e, ERR_PARAMETER, "--token-file: is for a service, which "
	        "--url or --unix names");
	return usage_fail(&e);
}

/* --- printing */

typedef void printer(struct text *t, const struct show *o);

static int show(const struct option_row *rows, int argc, char **argv,
                printer *as_text, printer *as_json, bool devices)
{
	static struct show o;
	struct text t = { 0 };
	struct err e = { 0 };
	int status;

	status = usage_read(argv[0], rows, &o, argc, argv, NULL);
	if (status != USAGE_GO_ON)
		return status;
	status = ask_service(&o);
	if (status != USAGE_GO_ON)
		return status;
	if (devices && find_devices(&o, &e))
		return usage_fail(&e);
	(o.json ? as_json : as_text)(&t, &o);
	if (t.data && !t.failed)
		fputs(t.data, stdout);
	if (o.json)
		putchar('\n');
	text_fini(&t);
	return STATUS_OK;
}

int command_devices(int argc, char **argv)
{
	return show(devices_rows, argc, argv, devices_text, devices_json,
	            true);
}

int command_ops(int argc, char **argv)
{
	return show(option_rows, argc, argv, ops_text, ops_json, false);
}

int command_kernels(int argc, char **argv)
{
	return show(option_rows, argc, argv, kernels_text, kernels_json, true);
}
