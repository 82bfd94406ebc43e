/* quiet.h - jobs of which no other host is notified, because this host, which
 * accepts them, has a free device for each and claims them itself. A host that
 * is notified claims, mostly in vain if others are notified, too; so this saves
 * the database most of its work while the fleet is not busy.
 *
 *     quiet_reserve() -> accepted -> claimed by this host, or by another
 *                                 -> else every host is notified
 */
#ifndef FLEET_QUIET_H
#define FLEET_QUIET_H

#include "fleet/fleet_state.h"

/* Reserves a free device for a job that is to be accepted, whose request
 * selects `device`, and whose operands take so many bytes; false: there is
 * none, or it may be the wrong one, so that other hosts must be notified. */
bool quiet_reserve(struct fleet *f, const char *device, uint64_t bytes);

/* The job was not accepted. */
void quiet_cancel(struct fleet *f);

/* The job was accepted: claims it. */
void quiet_accepted(struct fleet *f, const char *id);

/* This host has claimed the job, of which others may have been notified. */
void quiet_claimed(struct fleet *f, const char *id);

/* A claim has found less jobs than it wanted: those accepted before it are
 * claimed by others, or have ended. */
void quiet_none_left(struct fleet *f);

/* Notifies every host of the jobs that this one cannot claim after all. */
void quiet_announce(struct fleet *f);

#endif
