/* sheets.h - prints devices, operations and kernels as JSON: the
 * bodies of GET /devices, /ops and /kernels, and of `linalgd devices --json`.
 *
 * t->failed is set when memory runs out.
 */
#ifndef HTTP_SHEETS_H
#define HTTP_SHEETS_H

#include <stdbool.h>

#include "base/text.h"
#include "wire/sheet.h"

struct depot;

struct sheet_row {
	const struct sheet *sheet;
	bool healthy;
};

/* d: also prints the hosts that share it, unless it is NULL. */
void sheets_devices(struct text *t, const struct sheet_row *rows, int n,
                    const struct depot *d);
void sheets_ops(struct text *t);

/* Prints a row per kernel of every variant, with every device's
 * availability. */
void sheets_kernels(struct text *t, const struct sheet_row *rows, int n);

#endif
