/* sheet_text.h - a device's sheet as text for people, as `linalgd devices`
 * prints it. */
#ifndef WIRE_SHEET_TEXT_H
#define WIRE_SHEET_TEXT_H

#include "base/text.h"
#include "wire/sheet.h"

/* "cpu", "gpu", "cluster" or "other" */
const char *sheet_type_name(enum device_type t);

void sheet_text(struct text *t, const struct sheet *s);

#endif
