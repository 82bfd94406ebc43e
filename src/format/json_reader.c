/* json_reader.c - reads a JSON object of operands and parameters.
 *
 *     {"a": [[1,2],[3,4]], "b": {"shape":[2], "data":[5,6]}, "tol": 1e-8}
 *
 * Reading can stop and resume at any byte. Only the braces, keys and commas of
 * the body, of its operands and of their parts (json_part.h) are parsed here;
 * rows of numbers go to json_array, base64 to its decoder, and all other values
 * are small and go to jansson.
 */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "format/formats.h"
#include "format/json_factors.h"
#include "format/json_part.h"
#include "format/json_reader.h"

static struct json_reader *self(struct reader *base)
{
	return (struct json_reader *)base;
}

const char *json_refuse(const struct json_reader *r, const char *p,
                        const char *end, const char *wanted, struct err *e)
{
	const int n = (int)size_min((size_t)(end - p), 12);

	err_set(e, ERR_REQUEST, "%.60s: \"%.*s\" at byte %zu, where %s is "
	        "wanted", json_label_of(r), n, p,
	        r->before + (size_t)(p - r->chunk), wanted);
	return NULL;
}

/* --- the states: each function returns where it stopped, or NULL with *e. p is
 * at a character that is no space, except within AT_RAW, AT_KEY_TEXT and
 * AT_BASE64 */

static const char *start(struct json_reader *r, const char *p,
                         const char *end, struct err *e)
{
	if (*p != '{')
		return json_refuse(r, p, end, json_is_named(r, "a") ?
		              "an object as {\"a\": [[1,2],[3,4]]}" :
		              "an object as {\"matrix\": [[1,2],[3,4]]}", e);
	r->level = JSON_MEMBER;
	r->where = AT_KEY_OR_END;
	return p + 1;
}

static const char *key(struct json_reader *r, const char *p, const char *end,
                       struct err *e)
{
	if (*p == '}' && r->where == AT_KEY_OR_END)
		return json_close_object(r, e) < 0 ? NULL : p + 1;
	if (*p == '}') {
		err_set(e, ERR_REQUEST, "JSON: a trailing comma before the } "
		        "at byte %zu", r->before + (size_t)(p - r->chunk));
		return NULL;
	}
	if (*p != '"')
		return json_refuse(r, p, end, "a name in double quotes", e);
	json_raw_clear(&r->raw);
	r->where = AT_KEY_TEXT;
	return p;
}

static const char *key_text(struct json_reader *r, const char *p,
                            const char *end, struct err *e)
{
	if (json_raw_feed(&r->raw, &p, end, e) < 0)
		return NULL;
	if (!r->raw.whole)
		return p;
	r->where = AT_COLON;
	return json_take_key(r, e) < 0 ? NULL : p;
}

static const char *colon(struct json_reader *r, const char *p,
                         const char *end, struct err *e)
{
	if (*p != ':')
		return json_refuse(r, p, end, "a colon", e);
	r->where = AT_VALUE;
	return p + 1;
}

/* Is the field's value, which begins with c, read by json_array or the base64
 * decoder rather than by jansson? */
static bool is_bulk(struct json_reader *r, char c)
{
	const char *name = json_name_of(r, JSON_FIELD);

	if (r->level != JSON_FIELD)
		return false;
	return (c == '[' && json_operand_list(&r->operand, name)) ||
	       (c == '"' && strcmp(name, "base64") == 0);
}

/* Is the field's value, which begins with c, an operand in an object? */
static bool is_part(struct json_reader *r, char c)
{
	return r->level == JSON_FIELD && c == '{' && !r->inside &&
	       json_part_of(json_name_of(r, JSON_FIELD)) >= 0;
}

static const char *bulk_field(struct json_reader *r, const char *p,
                              struct err *e)
{
	r->where = *p == '[' ? AT_ROWS : AT_BASE64;
	r->list = json_operand_list(&r->operand, json_name_of(r, JSON_FIELD));
	if (json_operand_field(&r->operand, json_name_of(r, JSON_FIELD),
	                       json_true(), e) < 0)
		return NULL;
	return p + (*p == '"');
}

static const char *operand_value(struct json_reader *r, const char *p,
                                 struct err *e)
{
	if (json_begin_operand(r, e) < 0)
		return NULL;
	if (*p == '[') {
		r->where = AT_ROWS;
		r->list = &r->operand.rows;
		return p;
	}
	r->level = JSON_FIELD;
	r->where = AT_KEY_OR_END;
	return p + 1;
}

static const char *value(struct json_reader *r, const char *p,
                         const char *end, struct err *e)
{
	const bool matrix = *p == '[' || *p == '{';

	(void)end;
	if (is_bulk(r, *p))
		return bulk_field(r, p, e);
	if (is_part(r, *p))
		return json_begin_part(r, e) < 0 ? NULL : p + 1;
	if (json_check_name(r, matrix, e) < 0)
		return NULL;
	if (r->level != JSON_FIELD && matrix && json_is_operand(r))
		return operand_value(r, p, e);
	json_raw_clear(&r->raw);
	r->where = AT_RAW;
	return p;
}

static const char *raw(struct json_reader *r, const char *p, const char *end,
                       struct err *e)
{
	if (json_raw_feed(&r->raw, &p, end, e) < 0)
		return NULL;
	if (!r->raw.whole)
		return p;
	return json_take_raw(r, e) < 0 ? NULL : p;
}

static const char *rows(struct json_reader *r, const char *p, const char *end,
                        struct err *e)
{
	int done;

	r->list->before = r->before + (size_t)(p - r->chunk);
	done = json_array_feed(r->list, &p, end, e);
	if (done < 0)
		return NULL;
	if (!done)
		return p;
	json_value_done(r);
	if (r->level == JSON_FIELD)
		return p;
	return json_end_operand(r, json_operand_settle(&r->operand, e)) < 0 ?
	       NULL : p;
}

static const char *comma(struct json_reader *r, const char *p,
                         const char *end, struct err *e)
{
	if (*p == '}')
		return json_close_object(r, e) < 0 ? NULL : p + 1;
	if (*p != ',')
		return json_refuse(r, p, end, "a comma or }", e);
	r->where = AT_KEY;
	return p + 1;
}

static const char *done(struct json_reader *r, const char *p,
                        const char *end, struct err *e)
{
	return json_refuse(r, p, end, "the end", e);
}

static const struct {
	bool spaces;			/* may come before the next token */
	const char *(*step)(struct json_reader *r, const char *p,
	                    const char *end, struct err *e);
} states[] = {
	[AT_START] = { true, start },
	[AT_KEY_OR_END] = { true, key },
	[AT_KEY] = { true, key },
	[AT_KEY_TEXT] = { false, key_text },
	[AT_COLON] = { true, colon },
	[AT_VALUE] = { true, value },
	[AT_RAW] = { false, raw },
	[AT_ROWS] = { false, rows },
	[AT_BASE64] = { false, json_read_base64 },
	[AT_COMMA_OR_END] = { true, comma },
	[AT_DONE] = { true, done },
};

/* Changes the pointer of an error in a part of an operand to that part. */
static void point_at_part(const struct json_reader *r, struct err *e)
{
	const char *const field = json_name_of(r, JSON_FIELD);
	const char *const label = r->operand.label;

	if (r->level != JSON_FIELD)
		return;
	if (r->where == AT_ROWS && json_part_of(field) >= 0)
		json_part_point(label, label, field, e);
	if (r->inside)
		json_part_point(label, label, json_part_name(r->inside - 1),
		                e);
}

/* Changes the pointer of an error in a text that is the value of one operand,
 * if it has none, to that operand. */
static int point_at_value(const struct json_reader *r, struct err *e)
{
	if (r->operand_only && r->part.name && !e->pointer[0])
		err_point(e, "", r->part.name);
	return -1;
}

static int json_feed(struct reader *base, const void *bytes, size_t n,
                     struct err *e)
{
	struct json_reader *r = self(base);
	const char *p = bytes, *end = p + n;

	r->chunk = p;
	while (p && p < end) {
		if (states[r->where].spaces && *p && strchr(" \t\r\n", *p))
			p++;
		else
			p = states[r->where].step(r, p, end, e);
	}
	r->before += n;
	if (p)
		return 0;
	point_at_part(r, e);
	return point_at_value(r, e);
}

static int json_finish(struct reader *base, struct err *e)
{
	struct json_reader *r = self(base);

	for (struct json_work *w = r->work; w; w = w->next)
		if (json_work_do(w, r->part.sink->pool, e) < 0) {
			json_part_blame(w->label, "", e);
			json_factors_point(w, e);
			return -1;
		}
	return 0;
}

static int json_end(struct reader *base, bool *work, struct err *e)
{
	struct json_reader *r = self(base);

	if (r->where == AT_RAW && r->level == JSON_BODY && !r->raw.string &&
	    r->raw.depth == 0 && json_take_raw(r, e) < 0)
		return point_at_value(r, e);
	if (r->where == AT_START)
		return err_set(e, ERR_REQUEST, "JSON: the body is empty, an "
		               "object of operands is wanted");
	if (r->where != AT_DONE) {
		err_set(e, ERR_REQUEST, "%.60s: the text ends too early, after "
		        "%zu bytes", json_label_of(r), r->before);
		return point_at_value(r, e);
	}
	*work = false;
	for (const struct json_work *w = r->work; w; w = w->next)
		*work |= json_work_is_long(w);
	return *work ? 0 : json_finish(base, e);
}

static void json_free(struct reader *base)
{
	struct json_reader *r = self(base);

	json_operand_fini(&r->operand);
	json_operand_fini(&r->outer);
	json_work_free(r->work);
	json_raw_fini(&r->raw);
	for (int i = 0; i < JSON_LEVELS; i++)
		text_fini(&r->key[i]);
	text_fini(&r->names);
	free(r);
}

static double json_cost(const struct reader *base)
{
	const struct json_reader *r = (const struct json_reader *)base;
	double bytes = 0;

	for (const struct json_work *w = r->work; w; w = w->next)
		bytes += json_work_cost(w);
	return bytes;
}

static const struct reader_kind json_kind = {
	json_feed, json_end, json_finish, json_free, json_cost,
};

static struct reader *open_at(const struct part *p, enum json_where where,
                              struct err *e)
{
	struct json_reader *r = calloc(1, sizeof *r);

	if (!r) {
		err_set(e, ERR_MEMORY, "no memory for a reader");
		return NULL;
	}
	r->base.kind = &json_kind;
	r->part = *p;
	r->where = where;
	r->operand_only = where == AT_VALUE;
	return &r->base;
}

struct reader *json_open(const struct sink *k, const char *media,
                         uint64_t length, struct err *e)
{
	struct part p = part_of_body(k, length);

	(void)media;
	return open_at(&p, AT_START, e);
}

struct reader *json_value_open(const struct part *p, struct err *e)
{
	return open_at(p, AT_VALUE, e);
}
