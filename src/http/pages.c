/* pages.c - the handlers of documents about the service itself: health,
 * devices, operations, kernels, OpenAPI. */
#include <string.h>

#include "http/json_text.h"
#include "http/service.h"

/* api/openapi.yaml and .json, embedded by the Makefile. */
static const char yaml[] =
#include "openapi_yaml.inc"
;
static const char json[] =
#include "openapi_json.inc"
;

/* Fills in a row for each device in use; returns how many. */
static int device_rows(const struct api *a, struct sheet_row rows[SHEETS])
{
	const struct engine *g = a->options.engine;
	int n = 0;

	for (; n < engine_devices(g) && n < SHEETS; n++) {
		rows[n].sheet = engine_sheet(g, n);
		rows[n].healthy = engine_healthy(g, n);
	}
	return n;
}

static int print_health(struct api *a, struct text *t, struct err *e)
{
	(void)a;
	(void)e;
	text_puts(t, "{\"status\":\"ok\"}");
	return 0;
}

#ifdef __clang__
#define COMPILER __VERSION__		/* "Clang 14.0.6" */
#else
#define COMPILER "GCC " __VERSION__
#endif

static int print_version(struct api *a, struct text *t, struct err *e)
{
	(void)a;
	(void)e;
	json_text_print(t, json_pack("{s:s, s:s, s:s}", "name", "linalgd",
	                             "version", VERSION,
	                             "compiler", COMPILER));
	return 0;
}

/* While a queue that is shared does not answer, this host still serves
 * synchronous requests. So it is ready, and the reply says that the queue is
 * away. */
static int print_ready(struct api *a, struct text *t, struct err *e)
{
	const struct depot *const d = a->options.depot;
	struct err away = { 0 };

	if (a->quiet)
		return err_set(e, ERR_NOT_READY, "the service is shutting "
		               "down");
	if (!engine_ready(a->options.engine))
		return err_set(e, ERR_NOT_READY, "none of %d devices has a "
		               "worker that is ready",
		               engine_devices(a->options.engine));
	if (!depot_disk_is_well(d, e))
		return -1;
	json_text_print(t, d->shared ?
	                json_pack("{s:s, s:s}", "status", "ready", "queue",
	                          depot_is_well(d, &away) ? "ready" : "away") :
	                json_pack("{s:s}", "status", "ready"));
	return 0;
}

static int print_devices(struct api *a, struct text *t, struct err *e)
{
	struct sheet_row rows[SHEETS];
	const struct depot *const d = a->options.depot;

	(void)e;
	sheets_devices(t, rows, device_rows(a, rows), d->shared ? d : NULL);
	return 0;
}

static int print_ops(struct api *a, struct text *t, struct err *e)
{
	(void)a;
	(void)e;
	sheets_ops(t);
	return 0;
}

static int print_kernels(struct api *a, struct text *t, struct err *e)
{
	struct sheet_row rows[SHEETS];

	(void)e;
	sheets_kernels(t, rows, device_rows(a, rows));
	return 0;
}

static int print_yaml(struct api *a, struct text *t, struct err *e)
{
	(void)a;
	(void)e;
	text_add(t, yaml, sizeof yaml - 1);
	return 0;
}

static int print_json(struct api *a, struct text *t, struct err *e)
{
	(void)a;
	(void)e;
	text_add(t, json, sizeof json - 1);
	return 0;
}

const struct page page_health = { "application/json", print_health };
const struct page page_version = { "application/json", print_version };
const struct page page_ready = { "application/json", print_ready };
const struct page page_devices = { "application/json", print_devices };
const struct page page_ops = { "application/json", print_ops };
const struct page page_kernels = { "application/json", print_kernels };
const struct page page_openapi_yaml = { "application/yaml", print_yaml };
const struct page page_openapi_json = { "application/json", print_json };

int refuse_argument(void *arg, const char *name, const char *value,
                    struct err *e)
{
	(void)arg;
	(void)value;
	return err_set(e, ERR_PARAMETER, "there is no parameter %.60s here",
	               name);
}

static int send_page(struct exchange *x, void *state, struct err *e)
{
	const struct page *p = exchange_route(x)->arg;
	struct text t = { 0 };

	(void)state;
	if (exchange_query(x, refuse_argument, NULL, e) ||
	    p->print(exchange_context(x), &t, e)) {
		text_fini(&t);
		return -1;
	}
	exchange_reply_text(x, 200, p->type, &t);
	return 0;
}

const struct handler page_handler = { .done = send_page };
