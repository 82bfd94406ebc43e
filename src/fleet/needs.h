/* needs.h - what jobs can need, and which needs the devices of a host meet.
 *
 * A host that can run none of the jobs that wait would read all of them each
 * time that it claims. With 1,000,000 of them that takes one to two seconds of
 * one of the database's cores every second; and as long as such a claim reads,
 * the index entries of jobs that others have claimed meanwhile must be read
 * again by every claim. So a host asks the database every second whether many
 * jobs wait whose needs none of its devices meets (S_ANY_NEEDING). If so, it
 * claims by statements that read only the others.
 *
 * Needs are numbers, which the macro NEED in sql.h makes of a job. They are
 * coarse: a device may be too small for a job whose need it meets, have another
 * name than the job asks for, or, if the job asks for a CPU or a GPU, lack
 * float64. Such jobs are read in vain.
 */
#ifndef FLEET_NEEDS_H
#define FLEET_NEEDS_H

#include "base/err.h"
#include "fleet/pg.h"
#include "wire/sheet.h"

enum { NEEDS_TEXT = 16 };

/* Arrays of SQL. { "", "" } is a host that has not joined yet. */
struct needs {
	char met[NEEDS_TEXT], unmet[NEEDS_TEXT];
};

/* Finds the needs that at least one of the devices meets, and the others. */
void needs_find(struct needs *x, const struct sheet *sheet, int n);

/* Finds out whether many jobs with unmet needs wait. */
int needs_look(const struct needs *x, struct pg *p, bool *unfit,
               struct err *e);

#endif
