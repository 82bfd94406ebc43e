/* fleet_families.h - the families of metrics about the fleet, for families.c:
 * without a fleet there are none. */
#ifndef HTTP_FLEET_FAMILIES_H
#define HTTP_FLEET_FAMILIES_H

#include "http/families.h"

int fleet_parts(const struct scrape *s);
void fleet_print_ready(struct scrape *s, int part);
void fleet_print_jobs(struct scrape *s, int part);
void fleet_print_accepted(struct scrape *s, int part);
void fleet_print_runs(struct scrape *s, int part);

#endif
