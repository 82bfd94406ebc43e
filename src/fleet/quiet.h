/* quiet.h - jobs of which no host is notified. A host that accepts a job while
 * one of its devices is free claims the job itself. A notification would make
 * every host with a free device claim, and all but one of them would find
 * nothing, which was most of the database's work.
 *
 *     quiet_reserve() -> quiet_accepted() -> claimed by this host or another
 *                                         -> else quiet_announce()
 */
#ifndef FLEET_QUIET_H
#define FLEET_QUIET_H

#include "fleet/fleet_state.h"

/* Reserves a free device for a job that is about to be accepted. `device` is
 * what its request selects, `bytes` the size of its operands. Returns false if
 * no device is free, or if the free one may not suit the job: then the hosts
 * must be notified. */
bool quiet_reserve(struct fleet *f, const char *device, uint64_t bytes);

/* Gives the reservation back, because the job was not accepted. */
void quiet_cancel(struct fleet *f);

/* Notes that the job was accepted, and claims it. */
void quiet_accepted(struct fleet *f, const char *id);

/* Notes that this host has claimed a job, which need not be a quiet one. */
void quiet_claimed(struct fleet *f, const char *id);

/* Notes that a claim has found fewer jobs than it wanted. So no job that was
 * accepted before the claim still waits for this host. */
void quiet_none_left(struct fleet *f);

/* Notifies every host if this one cannot claim all of its quiet jobs. */
void quiet_announce(struct fleet *f);

#endif
