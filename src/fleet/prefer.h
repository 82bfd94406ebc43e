/* prefer.h - a host prefers jobs that use stored matrices of which it has
 * copies (cache.h), in two ways.
 *
 * Of the jobs that wait, it claims these first (S_CLAIM): when it claims, it
 * tells the database of which matrices it has copies.
 *
 * A new job is left to such hosts for about the time that others would take to
 * fetch its matrices (HEAD_START_MS in sql.h). This is delay scheduling
 * (Zaharia et al., 2010). The notification about the job says how long that is,
 * and which matrices it uses, so that another idle host claims it just then if
 * no host that has the matrices is idle.
 */
#ifndef FLEET_PREFER_H
#define FLEET_PREFER_H

#include "base/text.h"
#include "fleet/fleet_state.h"

/* Appends the versions of which this host has copies, at most the 32 that were
 * used last, and 0, as an array of SQL; nothing if it has none. */
void prefer_copies(const struct fleet *f, struct text *array);

/* Claims jobs, now or later, because the database has notified this host of a
 * new one. The text is that of the notification: "MS {VERSION,...}" if the job
 * uses stored matrices, where a version of 0 stands for another operand. */
void prefer_claim(struct fleet *f, const char *text);

/* Forgets a claim that was to be later. */
void prefer_stop(struct fleet *f);

#endif
