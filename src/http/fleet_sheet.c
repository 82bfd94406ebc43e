/* fleet_sheet.c - see fleet_sheet.h. */
#include "base/clock.h"
#include "http/fleet_sheet.h"
#include "http/json_text.h"
#include "wire/sheet_text.h"

static json_t *device(const struct fleet_device *d)
{
	return json_pack("{s:i, s:o, s:s, s:b, s:I}", "index", d->index,
	                 "name", json_text_string(d->name),
	                 "type", sheet_type_name(d->type),
	                 "float64", d->float64,
	                 "memory_bytes", (json_int_t)d->memory);
}

static json_t *host(const struct fleet_host *h, int64_t now)
{
	json_t *devices = json_array(), *j;

	for (int i = 0; i < h->devices; i++)
		json_array_append_new(devices, device(&h->device[i]));
	j = json_pack("{s:o, s:f, s:o}", "host", json_text_string(h->name),
	              "seen_s", (double)(now - h->seen_ns) / 1e9,
	              "devices", devices);
	if (h->leased >= 0)
		json_object_set_new(j, "leased", json_integer(h->leased));
	return j;
}

json_t *fleet_sheet(const struct depot *d)
{
	const struct fleet_hosts *const h = d->calls->hosts(d);
	const int64_t now = clock_ns();
	json_t *list = json_array(), *j;

	for (int i = 0; h && i < h->n; i++)
		json_array_append_new(list, host(&h->host[i], now));
	j = json_pack("{s:o, s:o}", "host", json_text_string(d->host),
	              "hosts", list);
	if (h)
		json_object_set_new(j, "age_s", json_real(
		    (double)(now - h->read_ns) / 1e9));
	return j;
}
