/* fleet_families.c - see fleet_families.h. */
#include "fleet/fleet.h"
#include "http/fleet_families.h"
#include "http/samples.h"

int fleet_parts(const struct scrape *s)
{
	return s->api->options.fleet ? 1 : 0;
}

void fleet_print_ready(struct scrape *s, int part)
{
	(void)part;
	put_count(s, fleet_is_well(s->api->options.fleet,
	                           &(struct err){ 0 }));
}

void fleet_print_jobs(struct scrape *s, int part)
{
	const struct fleet_counts c = fleet_counts(s->api->options.fleet);

	(void)part;
	put_state(s, "waiting", c.waiting);
	put_state(s, "leased", c.running);
}

void fleet_print_accepted(struct scrape *s, int part)
{
	(void)part;
	put_count(s, fleet_counts(s->api->options.fleet).accepted);
}

void fleet_print_spilled(struct scrape *s, int part)
{
	(void)part;
	put_count(s, s->api->spilled);
}

void fleet_print_runs(struct scrape *s, int part)
{
	const struct fleet_counts c = fleet_counts(s->api->options.fleet);
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
