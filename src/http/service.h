/* service.h - the handlers, and the state that they share:
 * exchange_context() of every exchange is the struct api. */
#ifndef HTTP_SERVICE_H
#define HTTP_SERVICE_H

#include <stdbool.h>

#include "http/api.h"
#include "http/handler.h"
#include "http/requests.h"
#include "http/sheets.h"
#include "http/token.h"
#include "matrix/store.h"

struct api {
	struct api_options options;
	struct server *server;
	struct shares *shares;
	struct tenant *house;		/* the tenant "" */
	struct tokens *tokens;		/* NULL: none is required */
	struct route *routes;
	struct requests requests;
	bool quiet;			/* shutting down */
	uint64_t spilled;		/* synchronous requests that the fleet
					 * took, since the start */
	int streams;			/* of events: job_events.c */
	struct timer trim;		/* of the memory pool's spare pieces */
};

/* Sets the timer that gives spare memory back to the system when no request has
 * used it for a while. */
void service_trim_later(struct api *a);

extern const struct handler run_handler;	/* POST /{op}; its arg is the
						 * operation, NULL for a
						 * pipeline */
extern const struct handler infer_handler;	/* .../models/{op}/infer */
extern const struct handler inference_handler;	/* arg: an inference_page */
extern const struct handler page_handler;	/* arg: a struct page */
/* The files of the page for browsers. arg is the path of the file below
 * src/page; NULL: the path is that of the request. */
extern const struct handler file_handler;
extern const struct handler metrics_handler;
extern const struct handler problem_list_handler, problem_handler;
extern const struct handler job_list_handler;
extern const struct handler job_status_handler;
extern const struct handler job_result_handler;
extern const struct handler job_delete_handler, job_retry_handler;
extern const struct handler job_events_handler, job_trace_handler;
extern const struct handler matrix_list_handler;
extern const struct handler matrix_get_handler;
extern const struct handler matrix_put_handler;
extern const struct handler matrix_delete_handler;
extern const struct handler share_post_handler;
extern const struct handler tenant_handler;
extern const struct handler pipeline_list_handler, pipeline_get_handler;
extern const struct handler pipeline_put_handler, pipeline_delete_handler;

/* A body that is printed anew for each request. */
struct page {
	const char *type;
	int (*print)(struct api *a, struct text *t, struct err *e);
};

extern const struct page page_health, page_ready, page_version, page_devices,
                         page_ops, page_kernels, page_openapi_yaml,
                         page_openapi_json;

/* A document of the Open Inference Protocol. print() gets the operation that
 * the path names, or NULL. */
struct inference_page {
	bool names_op;
	int (*print)(const struct api *a, const struct op *op, struct text *t,
	             struct err *e);
};

extern const struct inference_page
	inference_live, inference_ready, inference_server, inference_model,
	inference_config, inference_model_ready, inference_stats,
	inference_all_stats, inference_index;

/* The tenant whose jobs the request may see; NULL: those of all tenants. */
const struct tenant *service_sees(const struct exchange *x);

/* Finds the job that the path names, as depot_find() does. -1 with
 * ERR_PARAMETER, without a call of then(), if the request has query
 * arguments. */
int service_find_job(const struct exchange *x, bool results,
                     depot_job_fn *then, struct asker *by, struct err *e);

/* An exchange_query() callback that refuses every argument. */
int refuse_argument(void *arg, const char *name, const char *value,
                    struct err *e);

#endif
