/* fleet_families.h - prints the metrics about the fleet, for the table in
 * families.c. Without a fleet, fleet_parts() is 0, and they are left out. */
#ifndef HTTP_FLEET_FAMILIES_H
#define HTTP_FLEET_FAMILIES_H

#include "http/families.h"

int fleet_parts(const struct scrape *s);
/* 1 if the fleet's hosts are known: they have been read, and the database
 * answers. Else 0: no number is better than an old one. */
int fleet_known(const struct scrape *s);
/* 1 if there is a shared directory. */
int fleet_shares(const struct scrape *s);
void fleet_print_ready(struct scrape *s, int part);
void fleet_print_jobs(struct scrape *s, int part);
void fleet_print_accepted(struct scrape *s, int part);
void fleet_print_spilled(struct scrape *s, int part);
void fleet_print_runs(struct scrape *s, int part);
void fleet_print_matrices(struct scrape *s, int part);
void fleet_print_copies(struct scrape *s, int part);
void fleet_print_copy_bytes(struct scrape *s, int part);
void fleet_print_shared(struct scrape *s, int part);
void fleet_print_hosts(struct scrape *s, int part);
void fleet_print_devices(struct scrape *s, int part);

#endif
