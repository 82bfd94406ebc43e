/* api.c - see api.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "http/exchange.h"
#include "http/server.h"
#include "http/service.h"

/* All routes but the operations', which come from ops.def. */
static const struct route fixed[] = {
	{ GET, "/metrics", &metrics_handler, NULL, false },
	{ GET, "/healthz", &page_handler, &page_health, true },
	{ GET, "/readyz", &page_handler, &page_ready, true },
	{ GET, "/version", &page_handler, &page_version, false },
	{ GET, "/devices", &page_handler, &page_devices, false },
	{ GET, "/ops", &page_handler, &page_ops, false },
	{ GET, "/kernels", &page_handler, &page_kernels, false },
	{ GET, "/openapi.yaml", &page_handler, &page_openapi_yaml, false },
	{ GET, "/openapi.json", &page_handler, &page_openapi_json, false },
	{ GET, "/problems", &problem_list_handler, NULL, true },
	{ GET, "/problems/{}", &problem_handler, NULL, true },
	{ GET, "/jobs", &job_list_handler, NULL, false },
	{ GET, "/jobs/{}", &job_status_handler, NULL, false },
	{ DELETE, "/jobs/{}", &job_delete_handler, NULL, false },
	{ GET, "/jobs/{}/result", &job_result_handler, NULL, false },
	{ GET, "/jobs/{}/events", &job_events_handler, NULL, false },
	{ GET, "/jobs/{}/trace", &job_trace_handler, NULL, false },
	{ GET, "/matrices", &matrix_list_handler, NULL, false },
	{ GET, "/matrices/{}", &matrix_get_handler, NULL, false },
	{ PUT, "/matrices/{}", &matrix_put_handler, NULL, false },
	{ DELETE, "/matrices/{}", &matrix_delete_handler, NULL, false },
};

static int admit(struct exchange *x, void *arg, struct err *e)
{
	const struct api *a = arg;
	const char *name;

	if (!a->tokens)
		return 0;
	name = tokens_find(a->tokens, exchange_header(x, "Authorization"));
	if (name)
		access_token(x, name);
	if (name || exchange_route(x)->open)
		return 0;
	return err_set(e, ERR_TOKEN, "Authorization: Bearer with a token of "
	               "this service is needed");
}

static void ended(const struct exchange *x, void *arg)
{
	struct api *a = arg;
	const struct request_facts f = {
		.route = x->route ? (int)(x->route - a->routes) : -1,
		.status = access_status(x),
		.refused = x->access.job || access_is_probe(x) ? ERR_NONE :
		           x->access.problem,
		.received = x->taken,
		.sent = x->method == HEAD ? 0 : x->sent,
	};

	requests_count(&a->requests, &f);
	if (a->options.access_log != ACCESS_OFF)
		access_write(x, a->options.access_log);
}

/* Returns an operation's path, which is allocated. */
static char *op_path(const struct op *o)
{
	char *path;

	return asprintf(&path, "/%s", o->name) < 0 ? NULL : path;
}

static int make_routes(struct api *a, struct err *e)
{
	size_t n = 0;

	while (ops[n])
		n++;
	a->routes = calloc(n + COUNT(fixed) + 1, sizeof *a->routes);
	for (size_t i = 0; a->routes && i < n; i++) {
		a->routes[i] = (struct route){ POST, op_path(ops[i]),
		                               &run_handler, ops[i], false };
		if (!a->routes[i].path)
			break;
	}
	if (!a->routes || (n && !a->routes[n - 1].path))
		return err_set(e, ERR_MEMORY, "no memory for the routes");
	memcpy(a->routes + n, fixed, sizeof fixed);
	return requests_init(&a->requests, (int)(n + COUNT(fixed)), e);
}

static void free_routes(struct route *routes)
{
	for (size_t i = 0; routes && ops[i]; i++)
		free((char *)routes[i].path);
	free(routes);
}

static const int64_t spare_ns = 2000000000;

static void trim(void *arg)
{
	struct api *a = arg;

	if (memory_pool_trim(a->options.memory, clock_ns() - spare_ns))
		service_trim_later(a);
}

void service_trim_later(struct api *a)
{
	if (!a->trim.fn)
		loop_timer_set(a->options.loop, &a->trim,
		               clock_ns() + spare_ns, trim, a);
}

static int start(struct api *a, struct err *e)
{
	struct server_options o = {
		.listen = a->options.listen,
		.max_body = a->options.max_body,
		.paces = pace_of(a->options.transfer_ns),
		.origins = a->options.origins,
		.admit = admit,
		.log_shapes = a->options.access_log != ACCESS_OFF,
		.ended = ended,
		.arg = a,
	};

	a->store = store_new(e);
	if (!a->store || api_reload(a, e) || make_routes(a, e))
		return -1;
	o.routes = a->routes;
	a->server = server_new(a->options.loop, &o, e);
	return a->server ? 0 : -1;
}

struct api *api_new(const struct api_options *o, struct err *e)
{
	struct api *a = calloc(1, sizeof *a);

	if (!a) {
		err_set(e, ERR_MEMORY, "no memory for the HTTP service");
		return NULL;
	}
	a->options = *o;
	if (start(a, e) == 0)
		return a;
	api_free(a);
	return NULL;
}

int api_port(const struct api *a)
{
	return server_port(a->server);
}

int api_reload(struct api *a, struct err *e)
{
	struct tokens *t;

	if (!a->options.token_file && !a->options.token)
		return 0;
	t = tokens_load(a->options.token_file, a->options.token, e);
	if (!t)
		return -1;
	tokens_free(a->tokens);
	a->tokens = t;
	return 0;
}

void api_unready(struct api *a)
{
	a->quiet = true;
}

void api_leave(struct api *a)
{
	server_leave(a->server);
}

void api_quiesce(struct api *a)
{
	server_quiesce(a->server);
}

bool api_busy(const struct api *a)
{
	return server_busy(a->server);
}

void api_close(struct api *a)
{
	if (!a)
		return;
	server_free(a->server);
	a->server = NULL;
}

void api_free(struct api *a)
{
	if (!a)
		return;
	api_close(a);
	loop_timer_clear(a->options.loop, &a->trim);
	tokens_free(a->tokens);
	store_free(a->store);
	requests_fini(&a->requests);
	free_routes(a->routes);
	free(a);
}
