/* tensors_head.c - see tensors_head.h. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "format/json_memory.h"
#include "format/json_value.h"
#include "format/tensors_head.h"

/* The destinations of what is read. */
struct head {
	const struct sink *sink;
	struct tensor_request *request;
	int (*take)(void *arg, const struct tensor_input *in, struct err *e);
	void *arg;
};

/* A member that a JSON object may have, and the function that reads it. */
struct member {
	const char *name;
	int (*read)(json_t *value, void *into, struct err *e);
};

/* Reads the members of an object, each by its row; a member without a row is an
 * error. */
static int read_object(json_t *o, const char *what, const struct member *rows,
                       void *into, struct err *e)
{
	const char *name;
	json_t *value;

	if (!json_is_object(o))
		return err_set(e, ERR_FORMAT, "%s must be an object", what);
	json_object_foreach(o, name, value) {
		const struct member *m = rows;
		struct nearest near = nearest_to(name);

		while (m->name && strcmp(m->name, name) != 0)
			nearest_try(&near, (m++)->name);
		if (!m->name)
			return err_set(e, ERR_REQUEST, "%s has no member "
			               "%.60s%s", what, name,
			               nearest_hint(&near));
		if (m->read(value, into, e))
			return -1;
	}
	return 0;
}

static int read_text(json_t *value, const char *what, char *to, size_t room,
                     struct err *e)
{
	const char *text = json_string_value(value);

	if (!text || strlen(text) >= room)
		return err_set(e, ERR_FORMAT, "%s must be a string of less "
		               "than %zu bytes", what, room);
	strcpy(to, text);
	return 0;
}

/* --- parameters */

static int pass_on(const struct head *h, const char *name, json_t *value,
                   struct err *e)
{
	struct text t = { 0 };
	int rc = json_value_print(value, json_value_kinds(h->sink, name), name,
	                          &t, e);

	if (rc == 0)
		rc = h->sink->parameter(h->sink->arg, name, t.data, e);
	text_fini(&t);
	return rc ? err_point(e, "/parameters", name) : 0;
}

/* Passes the protocol's timeout, in microseconds, to the sink as timeout_ms. */
static int pass_timeout(const struct head *h, json_t *value, struct err *e)
{
	json_t *ms;
	int rc;

	if (!json_is_integer(value) || json_integer_value(value) < 1)
		return err_set_at(e, ERR_PARAMETER, "/parameters/timeout",
		                  "timeout must be a positive number of "
		                  "microseconds");
	ms = json_integer((json_integer_value(value) + 999) / 1000);
	if (!ms)
		return err_set(e, ERR_MEMORY, "no memory for a parameter");
	rc = pass_on(h, "timeout_ms", ms, e);
	json_decref(ms);
	return rc ? err_point(e, "/parameters", "timeout") : 0;
}

static int read_parameters(json_t *value, void *into, struct err *e)
{
	const struct head *h = into;
	const char *name;
	json_t *one;

	if (!json_is_object(value))
		return err_set(e, ERR_FORMAT, "parameters must be an object");
	json_object_foreach(value, name, one) {
		if (strcmp(name, "binary_data_output") == 0) {
			if (!json_is_boolean(one))
				return err_set_at(e, ERR_PARAMETER,
				    "/parameters/binary_data_output",
				    "%s must be true or false", name);
			h->request->binary = json_is_true(one);
		} else if (strcmp(name, "timeout") == 0 ?
		           pass_timeout(h, one, e) :
		           pass_on(h, name, one, e)) {
			return -1;
		}
	}
	return 0;
}

/* --- inputs */

struct reading_input {
	struct tensor_input in;
	bool shaped, given;
};

static int input_name(json_t *value, void *into, struct err *e)
{
	struct reading_input *r = into;

	return read_text(value, "an input's name", r->in.name,
	                 sizeof r->in.name, e);
}

static int input_shape(json_t *value, void *into, struct err *e)
{
	struct reading_input *r = into;
	struct matrix *m = &r->in.shape;
	const size_t n = json_array_size(value);

	if (!json_is_array(value) || n > MATRIX_DIMS)
		return err_set_at(e, ERR_FORMAT, "/shape", "shape must be a "
		                  "list of at most %d numbers", MATRIX_DIMS);
	for (size_t i = 0; i < n; i++) {
		const json_t *x = json_array_get(value, i);

		if (!json_is_integer(x) || json_integer_value(x) < 0)
			return err_set_at(e, ERR_FORMAT, "/shape", "shape "
			                  "must be of whole numbers from 0 on");
		m->dim[i] = (size_t)json_integer_value(x);
	}
	m->ndim = (int)n;
	r->shaped = true;
	return 0;
}

static int input_datatype(json_t *value, void *into, struct err *e)
{
	struct reading_input *r = into;
	char name[16];

	if (read_text(value, "datatype", name, sizeof name, e))
		return -1;
	return tensor_element(name, &r->in.element, e);
}

static int input_data(json_t *value, void *into, struct err *e)
{
	struct reading_input *r = into;

	(void)e;			/* value: an index, see tensors.c */
	r->in.list = (int)json_integer_value(value);
	r->given = true;
	return 0;
}

static int input_binary(json_t *value, void *into, struct err *e)
{
	struct reading_input *r = into;

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return err_set_at(e, ERR_FORMAT, "/parameters",
		                  "binary_data_size must be a number of bytes");
	r->in.bytes = (uint64_t)json_integer_value(value);
	r->in.list = -1;
	r->given = true;
	return 0;
}

static int input_parameters(json_t *value, void *into, struct err *e)
{
	static const struct member rows[] = {
		{ "binary_data_size", input_binary }, { 0 }
	};

	return read_object(value, "an input's parameters", rows, into, e);
}

/* Reads an input; its members' errors get a pointer in read_inputs(). */
static int read_input(json_t *value, const struct head *h, struct err *e)
{
	static const struct member rows[] = {
		{ "name", input_name }, { "shape", input_shape },
		{ "datatype", input_datatype }, { "data", input_data },
		{ "parameters", input_parameters }, { 0 }
	};
	struct reading_input r = { 0 };

	if (read_object(value, "an input", rows, &r, e))
		return -1;
	if (!*r.in.name || !r.shaped || !r.in.element.bytes || !r.given)
		return err_set_at(e, ERR_FORMAT, "/inputs", "input %s needs "
		                  "name, shape, datatype, and data or "
		                  "binary_data_size", r.in.name);
	return h->take(h->arg, &r.in, e);
}

/* Points an error at the input, or at its member that the error's pointer
 * names: an operand of the sink is the input's name. */
static int point_at_input(int i, struct err *e)
{
	static const char *const members[] = {
		"/shape", "/datatype", "/data", "/parameters", NULL
	};
	char parent[ERR_POINTER];

	snprintf(parent, sizeof parent, "/inputs/%d", i);
	for (int k = 0; members[k]; k++)
		if (strcmp(e->pointer, members[k]) == 0)
			return err_point(e, parent, members[k] + 1);
	if (e->pointer[0] && strcmp(e->pointer, "/inputs") != 0)
		return err_point(e, parent, "name");
	strcpy(e->pointer, parent);
	return -1;
}

static int read_inputs(json_t *value, void *into, struct err *e)
{
	json_t *one;
	size_t i;

	if (!json_is_array(value))
		return err_set_at(e, ERR_FORMAT, "/inputs", "inputs must be a "
		                  "list");
	json_array_foreach(value, i, one)
		if (read_input(one, into, e))
			return point_at_input((int)i, e);
	return 0;
}

/* --- outputs */

static int output_name(json_t *value, void *into, struct err *e)
{
	struct tensor_output *o = into;

	return read_text(value, "an output's name", o->name, sizeof o->name,
	                 e);
}

static int output_binary(json_t *value, void *into, struct err *e)
{
	struct tensor_output *o = into;

	if (!json_is_boolean(value))
		return err_set_at(e, ERR_FORMAT, "/outputs", "binary_data must "
		                  "be true or false");
	o->binary = json_is_true(value);
	return 0;
}

static int output_parameters(json_t *value, void *into, struct err *e)
{
	static const struct member rows[] = {
		{ "binary_data", output_binary }, { 0 }
	};

	return read_object(value, "an output's parameters", rows, into, e);
}

static int read_output(json_t *value, struct tensor_request *r, struct err *e)
{
	static const struct member rows[] = {
		{ "name", output_name }, { "parameters", output_parameters },
		{ 0 }
	};
	struct tensor_output *o = &r->output[r->n];

	if (r->n == TENSOR_OUTPUTS)
		return err_set_at(e, ERR_FORMAT, "/outputs", "more than %d "
		                  "outputs", TENSOR_OUTPUTS);
	o->binary = r->binary;
	if (read_object(value, "an output", rows, o, e))
		return -1;
	if (!*o->name)
		return err_set_at(e, ERR_FORMAT, "/outputs", "an output needs "
		                  "a name");
	r->n++;
	return 0;
}

static int check_output(const struct head *h, const char *name, struct err *e)
{
	const struct sink *k = h->sink;

	return k->check_output ? k->check_output(k->arg, name, e) : 0;
}

static int point_at_output(size_t i, struct err *e)
{
	snprintf(e->pointer, sizeof e->pointer, "/outputs/%zu", i);
	return -1;
}

/* Reads the wanted outputs. The request's parameters, which have the default of
 * binary_data, must be read before. */
static int read_outputs(json_t *value, const struct head *h, struct err *e)
{
	struct text names = { 0 };
	json_t *one;
	size_t i;
	int rc = 0;

	if (!value)
		return 0;
	if (!json_is_array(value))
		return err_set_at(e, ERR_FORMAT, "/outputs", "outputs must be "
		                  "a list");
	json_array_foreach(value, i, one) {
		if (read_output(one, h->request, e) ||
		    check_output(h, h->request->output[i].name, e)) {
			rc = point_at_output(i, e);
			break;
		}
		text_printf(&names, "%s%s", i ? "," : "",
		            h->request->output[i].name);
	}
	if (!rc && (names.length || names.failed))
		rc = names.failed ? err_set(e, ERR_MEMORY, "no memory for "
		                            "outputs") :
		     h->sink->parameter(h->sink->arg, "return", names.data, e);
	text_fini(&names);
	if (rc && strcmp(e->pointer, "/return") == 0)
		strcpy(e->pointer, "/outputs");
	return rc;
}

static int read_id(json_t *value, void *into, struct err *e)
{
	const struct head *h = into;

	return read_text(value, "id", h->request->id, sizeof h->request->id,
	                 e);
}

static int read_later(json_t *value, void *into, struct err *e)
{
	(void)value;
	(void)into;
	(void)e;
	return 0;
}

int tensors_head_parse(const struct text *t, const struct sink *k,
                       struct tensor_request *r,
                       int (*take)(void *arg, const struct tensor_input *in,
                                   struct err *e),
                       void *arg, struct err *e)
{
	static const struct member rows[] = {
		{ "id", read_id }, { "parameters", read_parameters },
		{ "inputs", read_inputs }, { "outputs", read_later }, { 0 }
	};
	struct head h = { k, r, take, arg };
	json_error_t why;
	json_t *o = json_memory_load(t->data ? t->data : "", t->length,
	                             JSON_REJECT_DUPLICATES, &why);
	int rc;

	if (!o)
		return json_memory_refuse(e, ERR_FORMAT, "", "the JSON", &why);
	rc = read_object(o, "the request", rows, &h, e);
	if (!rc)
		rc = read_outputs(json_object_get(o, "outputs"), &h, e);
	json_decref(o);
	return rc;
}
