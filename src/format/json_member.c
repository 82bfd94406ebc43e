/* json_member.c - takes a complete value as an operand, a parameter, or a field
 * of an operand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/json_number.h"
#include "format/json_part.h"
#include "format/json_reader.h"

const char *json_label_of(const struct json_reader *r)
{
	return r->operand_only && r->part.name ? r->part.name : "JSON";
}

const char *json_name_of(const struct json_reader *r, enum json_level level)
{
	const char *name = r->key[level].data;

	return name ? name : "operand";
}

bool json_is_named(const struct json_reader *r, const char *name)
{
	const struct sink *k = r->part.sink;

	return k->is_operand && k->is_operand(k->arg, name);
}

bool json_is_operand(const struct json_reader *r)
{
	return r->level == JSON_BODY ||
	       json_is_named(r, json_name_of(r, JSON_MEMBER));
}

void json_value_done(struct json_reader *r)
{
	r->where = r->level == JSON_BODY ? AT_DONE : AT_COMMA_OR_END;
}

/* Sets the pointer of an error that has none to the member itself. */
static int point_at_member(const struct json_reader *r, struct err *e)
{
	if (!e->pointer[0] && r->level != JSON_BODY)
		err_point(e, "", json_name_of(r, JSON_MEMBER));
	return -1;
}

int json_begin_operand(struct json_reader *r, struct err *e)
{
	struct part p = r->part;

	if (r->level == JSON_MEMBER)
		p.name = json_name_of(r, JSON_MEMBER);
	return json_operand_begin(&r->operand, &p, e) ? point_at_member(r, e) :
	       0;
}

int json_begin_part(struct json_reader *r, struct err *e)
{
	const char *name = json_name_of(r, JSON_FIELD);

	if (json_operand_field(&r->operand, name, json_true(), e) < 0)
		return -1;
	r->inside = json_part_of(name) + 1;
	r->outer = r->operand;
	json_part_begin(&r->operand, &r->outer);
	r->where = AT_KEY_OR_END;
	return 0;
}

int json_end_part(struct json_reader *r, struct json_work *w, struct err *e)
{
	const int part = r->inside - 1;

	if (!w)
		json_part_point(r->operand.label, r->operand.label,
		                json_part_name(part), e);
	json_operand_fini(&r->operand);
	r->operand = r->outer;
	r->outer = (struct json_operand){ 0 };
	r->operand.part[part] = w;
	r->inside = 0;
	if (w && w->next)
		return err_set(e, ERR_FORMAT, "%s: %s must be one matrix",
		               r->operand.label, json_part_name(part));
	json_value_done(r);
	return w ? 0 : -1;
}

/* Keeps the operand's remaining work, w, for json_finish(). */
int json_end_operand(struct json_reader *r, struct json_work *w)
{
	struct json_work *last = w;

	json_operand_fini(&r->operand);
	if (!w)
		return -1;
	while (last->next)
		last = last->next;
	last->next = r->work;
	r->work = w;
	return 0;
}

int json_check_name(const struct json_reader *r, bool matrix, struct err *e)
{
	const struct sink *k = r->part.sink;

	if (r->level != JSON_MEMBER || !k->check_name ||
	    k->check_name(k->arg, json_name_of(r, JSON_MEMBER), matrix, e) == 0)
		return 0;
	return point_at_member(r, e);
}

static int take_parameter(struct json_reader *r, struct err *e)
{
	const struct sink *k = r->part.sink;
	const char *name = json_name_of(r, JSON_MEMBER);
	struct text value = { 0 };
	int rc;

	rc = json_raw_plain(&r->raw, name, json_value_kinds(k, name), &value,
	                    e);
	if (rc == 0)
		rc = k->parameter(k->arg, name, value.data, e);
	text_fini(&value);
	return rc ? point_at_member(r, e) : 0;
}

/* Is the raw text a number? jansson cannot tell: it refuses large integers. */
static bool raw_number(const struct json_reader *r, double *x)
{
	const struct text *t = &r->raw.text;

	return t->length &&
	       json_number(t->data, t->data + t->length, x) ==
	       t->data + t->length;
}

/* Takes an operand that is neither rows nor an object: a number is a scalar. */
static int take_scalar(struct json_reader *r, struct err *e)
{
	const char *name = r->level == JSON_BODY ? json_label_of(r) :
	                   json_name_of(r, JSON_MEMBER);
	json_t *other;
	double x;

	if (raw_number(r, &x)) {
		if (isinf(x)) {
			err_set(e, ERR_FORMAT, "%s: the number is beyond "
			        "float64", name);
			return point_at_member(r, e);
		}
		if (json_begin_operand(r, e) < 0)
			return -1;
		return json_end_operand(r, json_operand_scalar(&r->operand,
		                                               &r->raw.text, x,
		                                               e));
	}
	other = json_raw_parse(&r->raw, name, e);
	if (other)
		err_set(e, ERR_FORMAT, "%s: must be rows of numbers, a number "
		        "or an object", name);
	json_decref(other);
	return point_at_member(r, e);
}

/* Takes a number that is a part of a complex scalar. */
static int take_scalar_part(struct json_reader *r, double x, struct err *e)
{
	if (isinf(x))
		return err_set(e, ERR_FORMAT, "%s: the number is beyond "
		               "float64", r->operand.label);
	if (json_begin_part(r, e) < 0)
		return -1;
	return json_end_part(r, json_operand_scalar(&r->operand, &r->raw.text,
	                                            x, e), e);
}

static int take_field(struct json_reader *r, struct err *e)
{
	const char *name = json_name_of(r, JSON_FIELD);
	const int part = json_part_of(name);
	json_t *value;
	double x;

	if (!r->inside && (part == JSON_REAL_PART || part == JSON_IMAG_PART) &&
	    raw_number(r, &x))
		return take_scalar_part(r, x, e);
	value = json_raw_parse(&r->raw, name, e);
	if (!value) {
		json_part_blame(r->operand.label, name, e);
		return -1;
	}
	if (json_operand_list(&r->operand, name) ||
	    strcmp(name, "base64") == 0) {
		json_decref(value);
		err_set(e, ERR_FORMAT, "%s: %.20s must be %s",
		        r->operand.label, name,
		        strcmp(name, "base64") == 0 ? "a string" :
		        strcmp(name, "data") == 0 ||
		        (part >= 0 && part != JSON_PIVOTS_PART) ?
		        "rows of numbers" : "a list of numbers");
		json_part_blame(r->operand.label, name, e);
		return -1;
	}
	return json_operand_field(&r->operand, name, value, e);
}

int json_take_raw(struct json_reader *r, struct err *e)
{
	int rc = r->level == JSON_FIELD ? take_field(r, e) :
	         json_is_operand(r) ? take_scalar(r, e) : take_parameter(r, e);

	json_value_done(r);
	return rc;
}

/* A linear search suffices: an operation has few names, and others were
 * refused. */
static bool was_given(const struct text *names, const char *name)
{
	for (size_t at = 0; at < names->length;
	     at += strlen(names->data + at) + 1)
		if (strcmp(names->data + at, name) == 0)
			return true;
	return false;
}

int json_take_key(struct json_reader *r, struct err *e)
{
	struct text *key = &r->key[r->level];

	text_clear(key);
	if (json_raw_string(&r->raw, "JSON: a name", key, e) < 0)
		return -1;
	if (r->level == JSON_FIELD)
		return 0;
	if (was_given(&r->names, key->data)) {
		err_set(e, ERR_REQUEST, "JSON: \"%.40s\" is given twice",
		        key->data);
		return point_at_member(r, e);
	}
	text_add(&r->names, key->data, key->length + 1);
	return r->names.failed ?
	       err_set(e, ERR_MEMORY, "no memory for JSON") : 0;
}

/* Ends the object of an operand, or of a part of one. */
static struct json_work *close_object(struct json_reader *r, struct err *e)
{
	struct json_work *w = NULL;

	if (r->operand.fields)
		w = json_operand_settle(&r->operand, e);
	else
		err_set(e, ERR_FORMAT, "%s: an empty object",
		        r->operand.label);
	if (!w)
		json_part_blame(r->operand.label, "", e);
	return w;
}

int json_close_object(struct json_reader *r, struct err *e)
{
	if (r->inside)
		return json_end_part(r, close_object(r, e), e);
	if (r->level == JSON_FIELD) {
		r->level = r->operand_only ? JSON_BODY : JSON_MEMBER;
		json_value_done(r);
		return json_end_operand(r, close_object(r, e));
	}
	r->level = JSON_BODY;
	r->where = AT_DONE;
	return 0;
}

