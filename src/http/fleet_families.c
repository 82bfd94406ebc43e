/* fleet_families.c - see fleet_families.h. */
#include "http/fleet_families.h"
#include "http/samples.h"
#include "wire/sheet_text.h"

int fleet_parts(const struct scrape *s)
{
	return s->api->options.depot->shared ? 1 : 0;
}

static struct fleet_counts counts(const struct scrape *s)
{
	const struct depot *d = s->api->options.depot;

	return d->calls->counts(d);
}

static const struct fleet_hosts *hosts(const struct scrape *s)
{
	const struct depot *d = s->api->options.depot;

	return d->calls->hosts(d);
}

int fleet_shares(const struct scrape *s)
{
	return fleet_parts(s) && counts(s).shares;
}

int fleet_known(const struct scrape *s)
{
	const struct depot *d = s->api->options.depot;

	return d->shared && hosts(s) && depot_is_well(d, &(struct err){ 0 });
}

void fleet_print_ready(struct scrape *s, int part)
{
	(void)part;
	put_count(s, depot_is_well(s->api->options.depot,
	                           &(struct err){ 0 }));
}

void fleet_print_jobs(struct scrape *s, int part)
{
	const struct fleet_counts c = counts(s);

	(void)part;
	put_state(s, "waiting", c.waiting);
	put_state(s, "leased", c.running);
}

void fleet_print_accepted(struct scrape *s, int part)
{
	(void)part;
	put_count(s, counts(s).accepted);
}

void fleet_print_spilled(struct scrape *s, int part)
{
	(void)part;
	put_count(s, s->api->spilled);
}

void fleet_print_runs(struct scrape *s, int part)
{
	const struct fleet_counts c = counts(s);
	const struct { const char *outcome; uint64_t n; } rows[] = {
		{ "begun", c.claimed }, { "recorded", c.recorded },
		{ "fenced", c.fenced }, { "abandoned", c.abandoned },
		{ "given-back", c.given_back },
	};

	(void)part;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		label(s, "outcome", rows[i].outcome);
		put_count(s, rows[i].n);
	}
}

void fleet_print_matrices(struct scrape *s, int part)
{
	const struct fleet_counts c = counts(s);
	const struct { const char *outcome; uint64_t n; } rows[] = {
		{ "fetched", c.fetched }, { "cached", c.cached },
		{ "evicted", c.evicted },
	};

	(void)part;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		label(s, "outcome", rows[i].outcome);
		put_count(s, rows[i].n);
	}
}

void fleet_print_copies(struct scrape *s, int part)
{
	(void)part;
	put_count(s, counts(s).copies);
}

void fleet_print_copy_bytes(struct scrape *s, int part)
{
	(void)part;
	put_count(s, counts(s).copy_bytes);
}

void fleet_print_shared(struct scrape *s, int part)
{
	(void)part;
	put_count(s, counts(s).sees_shared);
}

void fleet_print_hosts(struct scrape *s, int part)
{
	(void)part;
	put_count(s, (uint64_t)hosts(s)->n);
}

static uint64_t count_devices(const struct fleet_hosts *h, enum device_type t)
{
	uint64_t n = 0;

	for (int i = 0; i < h->n; i++)
		for (int k = 0; k < h->host[i].devices; k++)
			n += h->host[i].device[k].type == t;
	return n;
}

void fleet_print_devices(struct scrape *s, int part)
{
	static const enum device_type types[] = {
		DEVICE_CPU, DEVICE_GPU, DEVICE_OTHER
	};
	const struct fleet_hosts *h = hosts(s);

	(void)part;
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		label(s, "type", sheet_type_name(types[i]));
		put_count(s, count_devices(h, types[i]));
	}
}
