/* fleet_sheet.h - the fleet's hosts as JSON, for the sheet of the devices. */
#ifndef HTTP_FLEET_SHEET_H
#define HTTP_FLEET_SHEET_H

#include <jansson.h>

#include "queue/depot.h"

/* Returns {"host": ..., "age_s": ..., "hosts": [...]}, as api/base.yaml
 * describes it; NULL without memory. */
json_t *fleet_sheet(const struct depot *d);

#endif
