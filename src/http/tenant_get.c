/* tenant_get.c - GET /tenant: what the request's token allows, and what its
 * tenant may use and uses. */
#include "base/clock.h"
#include "http/json_text.h"
#include "http/service.h"
#include "queue/quota.h"

/* A limit that is 0 is none, and not told. */
static void add_limit(json_t *to, const char *name, uint64_t limit)
{
	if (limit)
		json_object_set_new(to, name, json_integer((json_int_t)limit));
}

static json_t *limits_of(const struct tenant_limits *l)
{
	json_t *row = json_pack("{s:i, s:i}", "priority", l->urgency, "weight",
	                        l->weight ? (int)l->weight : 1);

	add_limit(row, "running", l->running);
	add_limit(row, "queued", l->queued);
	add_limit(row, "stored_bytes", l->stored);
	add_limit(row, "in_flight_bytes", l->in_flight);
	add_limit(row, "device_seconds", l->device_seconds);
	return row;
}

static json_t *use_of(const struct api *a, struct tenant *t)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:f}",
	    "running", (json_int_t)t->use.running,
	    "queued", (json_int_t)t->use.queued,
	    "stored_bytes", (json_int_t)store_bytes_of(a->options.depot->store,
	                                       t->name),
	    "in_flight_bytes", (json_int_t)t->use.in_flight,
	    "device_seconds", (double)quota_spent_ns(t) / 1e9);
}

static json_t *scopes_of(unsigned scopes)
{
	json_t *list = json_array();

	for (unsigned bit = 1; bit <= SCOPE_ADMIN; bit <<= 1) {
		char name[SCOPES_TEXT];

		if (scopes & bit)
			json_array_append_new(list,
			    json_string(scopes_text(bit, name)));
	}
	return list;
}

static int get(struct exchange *x, void *state, struct err *e)
{
	const struct api *a = exchange_context(x);
	struct tenant *const t = exchange_tenant(x);
	char moment[CLOCK_TEXT];
	struct text text = { 0 };
	json_t *row;

	(void)state;
	if (exchange_query(x, refuse_argument, NULL, e))
		return -1;
	row = json_pack("{s:s, s:o, s:o, s:o}", "tenant", t->name, "scopes",
	                scopes_of(exchange_scopes(x)), "limits",
	                limits_of(&t->limits),
	                "use", use_of(a, t));
	if (*exchange_token(x))
		json_object_set_new(row, "token",
		                    json_string(exchange_token(x)));
	if (exchange_expires_ms(x) < INT64_MAX)
		json_object_set_new(row, "expires", json_string(
		    clock_text(exchange_expires_ms(x), moment)));
	json_text_print(&text, row);
	exchange_reply_text(x, 200, "application/json", &text);
	return 0;
}

const struct handler tenant_handler = { .done = get };
