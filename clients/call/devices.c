/* devices.c - `linalgd devices --url`: prints the devices of a service and of
 * its fleet (call.h). */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/size.h"
#include "base/usage.h"
#include "clients/call/call.h"
#include "clients/call/tell.h"
#include "wire/sheet_text.h"

/* --- a row of GET /devices as a sheet */

static void read_text(const json_t *o, const char *key, char to[SHEET_NAME])
{
	const char *s = json_string_value(json_object_get(o, key));

	snprintf(to, SHEET_NAME, "%s", s ? s : "");
	for (char *c = to; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
}

static uint64_t read_count(const json_t *o, const char *key)
{
	const json_int_t n = json_integer_value(json_object_get(o, key));

	return n > 0 ? (uint64_t)n : 0;
}

static enum device_type read_type(const json_t *o)
{
	static const enum device_type types[] = {
		DEVICE_CPU, DEVICE_GPU, DEVICE_CLUSTER,
	};
	char name[SHEET_NAME];

	read_text(o, "type", name);
	for (size_t i = 0; i < COUNT(types); i++)
		if (strcmp(name, sheet_type_name(types[i])) == 0)
			return types[i];
	return DEVICE_OTHER;
}

static void read_subgroups(const json_t *o, struct sheet *s)
{
	const json_t *list = json_object_get(o, "subgroup_sizes"), *size;
	size_t i;

	json_array_foreach(list, i, size)
		if (i < SHEET_SUBGROUPS)
			s->subgroup_sizes[i] =
			    (uint32_t)json_integer_value(size);
}

static double read_peak(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

/* Reads what sheet_text() prints. What the row lacks is 0 or empty. */
static struct sheet read_sheet(const json_t *o)
{
	struct sheet s = {
		.index = (int)read_count(o, "index"),
		.type = read_type(o),
		.compute_units = (uint32_t)read_count(o, "compute_units"),
		.clock_mhz = (uint32_t)read_count(o, "clock_mhz"),
		.cache_line_bytes =
		    (uint32_t)read_count(o, "cache_line_bytes"),
		.global_memory_bytes = read_count(o, "global_memory_bytes"),
		.local_memory_bytes = read_count(o, "local_memory_bytes"),
		.cache_bytes = read_count(o, "cache_bytes"),
		.max_work_group_size = read_count(o, "max_work_group_size"),
		.float64 = json_is_true(json_object_get(o, "float64")),
		.peaks = { read_peak(o, "peak_gflops_float32"),
		           read_peak(o, "peak_gflops_float64"),
		           read_peak(o, "peak_gbytes_per_s") },
	};

	read_text(o, "name", s.name);
	read_text(o, "platform", s.platform);
	read_text(o, "driver", s.driver);
	read_subgroups(o, &s);
	return s;
}

/* --- the text */

static void device_text(struct text *t, const json_t *row)
{
	const struct sheet s = read_sheet(row);

	sheet_text(t, &s);
	if (json_is_false(json_object_get(row, "healthy")))
		text_puts(t, "   not healthy: its worker is not ready\n");
}

/* A host of the fleet tells less of its devices than they do themselves. */
static void host_text(struct text *t, const json_t *host, const char *name)
{
	const json_t *list = json_object_get(host, "devices"), *row;
	size_t i;

	text_printf(t, "host %s, seen %.1f s ago\n", name,
	            json_number_value(json_object_get(host, "seen_s")));
	json_array_foreach(list, i, row) {
		const struct sheet s = read_sheet(row);

		text_printf(t, "%d  %s  %s\n   %.1f GiB of memory, %s\n",
		            s.index, sheet_type_name(s.type), s.name,
		            (double)read_count(row, "memory_bytes") / 0x1p30,
		            s.float64 ? "float64" : "no float64");
	}
}

static void fleet_text(struct text *t, const json_t *fleet)
{
	char own[SHEET_NAME], name[SHEET_NAME];
	const json_t *host;
	size_t i;

	read_text(fleet, "host", own);
	json_array_foreach(json_object_get(fleet, "hosts"), i, host) {
		read_text(host, "host", name);
		if (strcmp(name, own))
			host_text(t, host, name);
	}
}

static void devices_text(struct text *t, const json_t *sheet)
{
	const json_t *fleet = json_object_get(sheet, "fleet"), *row;
	char own[SHEET_NAME];
	size_t i;

	if (fleet) {
		read_text(fleet, "host", own);
		text_printf(t, "host %s\n", own);
	}
	json_array_foreach(json_object_get(sheet, "devices"), i, row)
		device_text(t, row);
	fleet_text(t, fleet);
}

/* --- the request */

static int print(const struct call *c, const char *path, const char *body)
{
	json_t *sheet = json_loads(body, 0, NULL);
	struct text t = { 0 };
	int status = STATUS_OK;

	if (!json_is_array(json_object_get(sheet, "devices")))
		status = tell_stranger(c->url, path);
	else if (c->accept)
		puts(body);
	else
		devices_text(&t, sheet);
	if (t.data && !t.failed)
		fputs(t.data, stdout);
	text_fini(&t);
	json_decref(sheet);
	return status;
}

static int list(const struct call *c, struct http *h)
{
	const struct http_request q = { .path = "/devices" };
	struct http_reply reply;
	const enum http_end end = http_do(h, &q, &reply);
	const char *body = reply.body.data ? reply.body.data : "";
	const int status = end != HTTP_DONE ? tell_lost(h, c->url) :
	                   reply.status != 200 ? tell_problem(&reply) :
	                   print(c, q.path, body);

	http_reply_fini(&reply);
	return status;
}

int call_list_devices(const struct call *c)
{
	struct http h;
	int status = STATUS_UNREACHED;

	if (http_open(&h, c->url, c->token))
		usage_complain("libcurl could not be set up");
	else
		status = list(c, &h);
	http_close(&h);
	return status;
}
