/* last.h - the devices on which the last work-group of a launch to finish may
 * read what all the others have written (kernels/lib/last.h). On other devices
 * that takes a second launch. */
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
