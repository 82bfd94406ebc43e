/* api.c - see api.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/size.h"
#include "format/json_memory.h"
#include "http/etag.h"
#include "http/exchange.h"
#include "http/peers.h"
#include "http/server.h"
#include "http/service.h"
#include "http/shares.h"

/* All routes but the operations', which come from ops.def. */
static const struct route fixed[] = {
	{ GET, "/", &file_handler, "index.html", SCOPE_NONE },
	{ GET, "/docs", &file_handler, "docs.html", SCOPE_NONE },
	{ GET, "/page/{}/{}", &file_handler, NULL, SCOPE_NONE },
	{ GET, "/metrics", &metrics_handler, NULL, SCOPE_ADMIN },
	{ GET, "/healthz", &page_handler, &page_health, SCOPE_NONE },
	{ GET, "/readyz", &page_handler, &page_ready, SCOPE_NONE },
	{ GET, "/version", &page_handler, &page_version, SCOPE_READ },
	{ GET, "/tenant", &tenant_handler, NULL, SCOPE_TOKEN },
	{ GET, "/devices", &page_handler, &page_devices, SCOPE_READ },
	{ GET, "/ops", &page_handler, &page_ops, SCOPE_READ },
	{ GET, "/kernels", &page_handler, &page_kernels, SCOPE_READ },
	{ GET, "/openapi.yaml", &page_handler, &page_openapi_yaml, SCOPE_READ },
	{ GET, "/openapi.json", &page_handler, &page_openapi_json, SCOPE_READ },
	{ GET, "/problems", &problem_list_handler, NULL, SCOPE_NONE },
	{ GET, "/problems/{}", &problem_handler, NULL, SCOPE_NONE },
	{ GET, "/jobs", &job_list_handler, NULL, SCOPE_READ },
	{ GET, "/jobs/{}", &job_status_handler, NULL, SCOPE_READ },
	{ DELETE, "/jobs/{}", &job_delete_handler, NULL, SCOPE_RUN },
	{ POST, "/jobs/{}/retry", &job_retry_handler, NULL, SCOPE_RUN },
	{ GET, "/jobs/{}/result", &job_result_handler, NULL, SCOPE_READ },
	{ GET, "/jobs/{}/events", &job_events_handler, NULL, SCOPE_READ },
	{ GET, "/jobs/{}/trace", &job_trace_handler, NULL, SCOPE_READ },
	{ GET, "/matrices", &matrix_list_handler, NULL, SCOPE_READ },
	{ GET, "/matrices/{}", &matrix_get_handler, NULL, SCOPE_READ },
	{ PUT, "/matrices/{}", &matrix_put_handler, NULL, SCOPE_RUN },
	{ DELETE, "/matrices/{}", &matrix_delete_handler, NULL, SCOPE_RUN },
	/* the Open Inference Protocol, version 2: inference.c */
	{ GET, "/v2/health/live", &inference_handler, &inference_live,
	  SCOPE_NONE },
	{ GET, "/v2/health/ready", &inference_handler, &inference_ready,
	  SCOPE_NONE },
	{ GET, "/v2", &inference_handler, &inference_server, SCOPE_READ },
	{ GET, "/v2/models/stats", &inference_handler, &inference_all_stats,
	  SCOPE_ADMIN },
#define MODEL(what, page, scope)                                         \
	{ GET, "/v2/models/{}" what, &inference_handler, &page, scope }, \
	{ GET, "/v2/models/{}/versions/1" what, &inference_handler, &page, \
	  scope }
	MODEL("", inference_model, SCOPE_READ),
	MODEL("/ready", inference_model_ready, SCOPE_READ),
	MODEL("/config", inference_config, SCOPE_READ),
	MODEL("/stats", inference_stats, SCOPE_ADMIN),
#undef MODEL
	{ POST, "/v2/models/{}/infer", &infer_handler, NULL, SCOPE_RUN },
	{ POST, "/v2/models/{}/versions/1/infer", &infer_handler, NULL,
	  SCOPE_RUN },
	{ POST, "/v2/repository/index", &inference_handler, &inference_index,
	  SCOPE_READ },
	{ POST, "/shares", &share_post_handler, NULL, SCOPE_RUN },
	{ POST, "/pipelines", &run_handler, NULL, SCOPE_RUN },
	{ GET, "/pipelines", &pipeline_list_handler, NULL, SCOPE_READ },
	{ POST, "/pipelines/{}", &run_handler, NULL, SCOPE_RUN },
	{ GET, "/pipelines/{}", &pipeline_get_handler, NULL, SCOPE_READ },
	{ PUT, "/pipelines/{}", &pipeline_put_handler, NULL, SCOPE_RUN },
	{ DELETE, "/pipelines/{}", &pipeline_delete_handler, NULL, SCOPE_RUN },
};

/* Notes whose request it is. -1 with ERR_TOKEN if the token has expired. */
static int take_token(struct exchange *x, const struct token *t, struct err *e)
{
	char moment[CLOCK_TEXT];

	if (t->expires_ms <= clock_wall_ms())
		return err_set(e, ERR_TOKEN, "the token has expired at %s",
		               clock_text(t->expires_ms, moment));
	access_token(x, t->name);
	peers_claim(x->peer, t->tenant);
	x->tenant = t->tenant;
	x->scopes = t->scopes | SCOPE_TOKEN;
	x->expires_ms = t->expires_ms;
	return 0;
}

static int check_scope(const struct exchange *x, struct err *e)
{
	const unsigned needed = exchange_route(x)->scope;
	char needs[SCOPES_TEXT], has[SCOPES_TEXT];

	if ((x->scopes & needed) == needed)
		return 0;
	return err_set(e, ERR_FORBIDDEN, "%s %.80s needs a token with the "
	               "scope %s; this one has %s", method_name(x->method),
	               x->path, scopes_text(needed, needs),
	               scopes_text(x->scopes, has));
}

/* A path that needs no token is open to those with a wrong one, too. */
static int admit(struct exchange *x, void *arg, struct err *e)
{
	const struct api *a = arg;
	const unsigned needed = exchange_route(x)->scope;
	const struct token *t;

	x->tenant = a->house;
	x->scopes = a->tokens ? SCOPE_NONE : SCOPE_ALL | SCOPE_TOKEN;
	x->expires_ms = INT64_MAX;
	if (!a->tokens)
		return 0;
	t = tokens_find(a->tokens, exchange_header(x, "Authorization"));
	if (t && take_token(x, t, needed ? e : &(struct err){ 0 }) && needed)
		return -1;
	if (t || !needed)
		return check_scope(x, e);
	return err_set(e, ERR_TOKEN, "Authorization: Bearer with a token of "
	               "this service is needed");
}

/* Adds the names of the tenant's largest stored matrices to an error that says
 * that memory is full, because the client can delete those. Copies of them make
 * room for a repeat. */
static void explain(const struct exchange *x, struct err *e, void *arg)
{
	const struct api *a = arg;
	const size_t used = strlen(e->text);
	char largest[STORE_LARGEST_TEXT];

	if (e->code == ERR_MEMORY)
		depot_make_room(a->options.depot,
		                memory_pool_limit(a->options.memory) / 2);
	if (e->code == ERR_MEMORY && x->tenant &&
	    *store_largest(a->options.depot->store, x->tenant->name, largest))
		snprintf(e->text + used, sizeof e->text - used, "; the largest "
		         "stored matrices: %s", largest);
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
		                               &run_handler, ops[i],
		                               SCOPE_RUN };
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
		.memory = a->options.memory,
		.codec = a->options.codec,
		.paces = pace_of(a->options.transfer_ns),
		.origins = a->options.origins,
		.admit = admit,
		.explain = explain,
		.log_shapes = a->options.access_log != ACCESS_OFF,
		.ended = ended,
		.arg = a,
	};

	a->house = tenants_get(engine_tenants(a->options.engine), "", e);
	if (!a->house)
		return -1;
	a->shares = shares_new(a->options.loop, a->options.memory,
	                       a->options.share_memory, e);
	if (!a->shares || api_reload(a, e) || make_routes(a, e))
		return -1;
	o.routes = a->routes;
	a->server = server_new(a->options.loop, &o, e);
	if (a->server && a->options.share_memory)
		shares_listen_beside(a->shares, a->options.listen);
	return a->server ? 0 : -1;
}

struct api *api_new(const struct api_options *o, struct err *e)
{
	struct api *a = calloc(1, sizeof *a);

	json_memory_watch();
	if (!a) {
		err_set(e, ERR_MEMORY, "no memory for the HTTP service");
		return NULL;
	}
	a->options = *o;
	etag_set_service(&o->depot->service);
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
	if (!t || tokens_grant(t, engine_tenants(a->options.engine), e)) {
		tokens_free(t);
		return -1;
	}
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
	shares_free(a->shares);
	a->shares = NULL;
}

void api_free(struct api *a)
{
	if (!a)
		return;
	api_close(a);
	loop_timer_clear(a->options.loop, &a->trim);
	tokens_free(a->tokens);
	requests_fini(&a->requests);
	free_routes(a->routes);
	free(a);
}
