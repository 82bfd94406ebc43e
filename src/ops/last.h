/* last.h - on which devices a work-group may go on with what all others have
 * made (kernels/lib/last.h); elsewhere that is left to a launch of its own. */
#ifndef OPS_LAST_H
#define OPS_LAST_H

#include <string.h>

#include "wire/sheet.h"

enum { LAST_SM = 70 };			/* the PTX memory model's fences */

static inline bool last_is_known(const struct sheet *d)
{
	return d->nvidia_sm >= LAST_SM || strstr(d->platform, "Portable");
}

#endif
