/* inference.c - the health and metadata documents of the Open Inference
 * Protocol, version 2 (https://github.com/kserve/open-inference-protocol). Each
 * operation is a model of version 1. The documents config, statistics and
 * repository index are extensions of NVIDIA's Triton. */
#include <jansson.h>
#include <string.h>

#include "base/log.h"
#include "format/tensors.h"
#include "http/json_text.h"
#include "http/service.h"

/* --- the server */

static int print_live(const struct api *a, const struct op *op, struct text *t,
                      struct err *e)
{
	(void)a;
	(void)op;
	(void)e;
	text_puts(t, "{\"live\":true}");
	return 0;
}

static int print_ready(const struct api *a, const struct op *op,
                       struct text *t, struct err *e)
{
	if (a->quiet || !engine_ready(a->options.engine))
		return err_set(e, ERR_NOT_READY, "no device is ready");
	if (op)
		text_printf(t, "{\"name\":\"%s\",\"ready\":true}", op->name);
	else
		text_puts(t, "{\"ready\":true}");
	return 0;
}

static int print_server(const struct api *a, const struct op *op,
                        struct text *t, struct err *e)
{
	(void)a;
	(void)op;
	(void)e;
	json_text_print(t, json_pack("{s:s, s:s, s:[s,s,s,s]}", "name",
	                             "linalgd", "version", VERSION,
	                             "extensions", "binary_tensor_data",
	                             "model_configuration", "statistics",
	                             "model_repository"));
	return 0;
}

static json_t *index_row(const struct op *op)
{
	return json_pack("{s:s, s:s, s:s}", "name", op->name, "version", "1",
	                 "state", "READY");
}

static int print_index(const struct api *a, const struct op *op,
                       struct text *t, struct err *e)
{
	json_t *rows = json_array();

	(void)a;
	(void)op;
	(void)e;
	for (int i = 0; ops[i]; i++)
		json_array_append_new(rows, index_row(ops[i]));
	json_text_print(t, rows);
	return 0;
}

/* --- a model */

/* Makes the metadata of one tensor. Its dimensions are -1, the protocol's value
 * for a dimension of any size. */
static json_t *tensor_row(const char *name, enum dtype d, int dims)
{
	const char *datatype = tensor_datatype(d);
	json_t *shape = json_array();

	for (int i = 0; i < dims; i++)
		json_array_append_new(shape, json_integer(-1));
	return json_pack("{s:s, s:s, s:o}", "name", name, "datatype",
	                 datatype ? datatype : "FP64", "shape", shape);
}

/* Makes the metadata of an operation's operands. The protocol has one datatype
 * for each; an operand that may have several types is reported as FP64. */
static json_t *inputs_of(const struct op *op)
{
	json_t *rows = json_array();

	for (int i = 0; op->inputs[i].name; i++)
		json_array_append_new(rows, tensor_row(op->inputs[i].name,
		    op->indices >> i & 1 ? INT64 : FLOAT64,
		    op->inputs[i].min_dims));
	return rows;
}

/* Makes the metadata of an operation's outputs, with the types and numbers of
 * dimensions that they have in the operation's sample call. */
static json_t *outputs_of(const struct api *a, const struct op *op)
{
	json_t *rows = json_array();
	struct args args;
	struct err e = { 0 };

	args_init(&args, op);
	args.want = ~0u;
	args.dtype = FLOAT64;
	if (op->sample(&args, 4, a->options.memory, &e) ||
	    op->shape(&args, &e))
		log_warn("%s: its sample has no shape: %s", op->name, e.text);
	for (int i = 0; op->outputs[i].name; i++) {
		const struct matrix *m = &args.out[i];
		const bool known = m->ndim != MATRIX_ABSENT;

		json_array_append_new(rows, tensor_row(op->outputs[i].name,
		    known ? m->dtype : FLOAT64, known ? m->ndim : 1));
	}
	args_fini(&args);
	return rows;
}

static int print_model(const struct api *a, const struct op *op,
                       struct text *t, struct err *e)
{
	(void)e;
	json_text_print(t, json_pack("{s:s, s:[s], s:s, s:o, s:o}", "name",
	                             op->name, "versions", "1", "platform",
	                             "linalgd", "inputs", inputs_of(op),
	                             "outputs", outputs_of(a, op)));
	return 0;
}

/* Turns the metadata of tensors into Triton's model configuration of them. */
static json_t *config_rows(json_t *rows)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		const char *type =
		    json_string_value(json_object_get(row, "datatype"));

		json_object_set_new(row, "data_type",
		                    json_sprintf("TYPE_%s", type));
		json_object_set(row, "dims", json_object_get(row, "shape"));
		json_object_del(row, "datatype");
		json_object_del(row, "shape");
	}
	return rows;
}

static int print_config(const struct api *a, const struct op *op,
                        struct text *t, struct err *e)
{
	(void)e;
	json_text_print(t, json_pack("{s:s, s:s, s:s, s:i, s:o, s:o}", "name",
	                             op->name, "platform", "linalgd",
	                             "backend", "linalgd", "max_batch_size", 0,
	                             "input", config_rows(inputs_of(op)),
	                             "output", config_rows(outputs_of(a, op))));
	return 0;
}

/* --- statistics */

static json_t *duration_of(const struct histogram *h)
{
	uint64_t count = 0;

	for (int i = 0; i < HISTOGRAM_BUCKETS; i++)
		count += h->count[i];
	return json_pack("{s:I, s:I}", "count", (json_int_t)count, "ns",
	                 (json_int_t)h->sum_ns);
}

static uint64_t jobs_of(const struct tally *y, int op, bool successful)
{
	uint64_t n = 0;

	for (int place = 0; place < TALLY_PLACES; place++)
		for (int code = 0; code < ERR_COUNT; code++)
			if ((code == ERR_NONE) == successful)
				n += y->jobs[op][place][code];
	return n;
}

static json_t *stats_of(const struct api *a, int op)
{
	const struct tally *y = engine_tally(a->options.engine);
	const struct histogram *stage = y->stage[op];
	const json_int_t done = (json_int_t)jobs_of(y, op, true);
	const json_int_t failed = (json_int_t)jobs_of(y, op, false);

	return json_pack(
	    "{s:s, s:s, s:I, s:I, s:{s:{s:I, s:I}, s:{s:I, s:I}, s:o, s:o, "
	    "s:o, s:o}, s:[]}", "name", ops[op]->name, "version", "1",
	    "inference_count", done, "execution_count", done,
	    "inference_stats",
	    "success", "count", done, "ns",
	    (json_int_t)stage[STAGE_total].sum_ns,
	    "fail", "count", failed, "ns", (json_int_t)0,
	    "queue", duration_of(&stage[STAGE_queue]),
	    "compute_input", duration_of(&stage[STAGE_upload]),
	    "compute_infer", duration_of(&stage[STAGE_compute]),
	    "compute_output", duration_of(&stage[STAGE_download]),
	    "batch_stats");
}

static int print_stats(const struct api *a, const struct op *op,
                       struct text *t, struct err *e)
{
	json_t *rows = json_array();

	(void)e;
	for (int i = 0; ops[i]; i++)
		if (!op || ops[i] == op)
			json_array_append_new(rows, stats_of(a, i));
	json_text_print(t, json_pack("{s:o}", "model_stats", rows));
	return 0;
}

const struct inference_page
	inference_live = { false, print_live },
	inference_ready = { false, print_ready },
	inference_server = { false, print_server },
	inference_index = { false, print_index },
	inference_model = { true, print_model },
	inference_model_ready = { true, print_ready },
	inference_config = { true, print_config },
	inference_stats = { true, print_stats },
	inference_all_stats = { false, print_stats };

static int send(struct exchange *x, void *state, struct err *e)
{
	const struct inference_page *p = exchange_route(x)->arg;
	const struct op *op = NULL;
	struct text t = { 0 };

	(void)state;
	if (exchange_query(x, refuse_argument, NULL, e))
		return -1;
	if (p->names_op && !(op = op_find(exchange_segment(x, 0)))) {
		op_refuse(exchange_segment(x, 0), e);
		e->code = ERR_NOT_FOUND;
		return -1;
	}
	if (p->print(exchange_context(x), op, &t, e)) {
		text_fini(&t);
		return -1;
	}
	exchange_reply_text(x, 200, "application/json", &t);
	return 0;
}

const struct handler inference_handler = { .done = send };
