/* sheet.h - checks the command line against an operation's row in the reply to
 * GET /ops, called the sheet here. */
#ifndef CLIENTS_CALL_SHEET_H
#define CLIENTS_CALL_SHEET_H

#include <stdbool.h>

#include <jansson.h>

#include "base/err.h"
#include "base/text.h"

enum sheet_kind { SHEET_OPERAND, SHEET_PARAMETER };

/* Returns the operation's row of the sheet, borrowed; NULL with ERR_PARAMETER,
 * which names the nearest operation. */
const json_t *sheet_find(const json_t *sheet, const char *op, struct err *e);

/* Sets *kind to whether an operand or a parameter has that name. -1 with
 * ERR_PARAMETER if neither has. */
int sheet_kind_of(const json_t *op, const char *name, enum sheet_kind *kind,
                  struct err *e);

/* Checks a parameter's value against its type, its range and its choices. */
int sheet_check_value(const json_t *op, const char *name, const char *value,
                      struct err *e);

/* Checks that every operand that is not optional is given: given(arg, name)
 * must return whether the command line has that operand. -1 with
 * ERR_PARAMETER. */
int sheet_check_operands(const json_t *op,
                         bool (*given)(const void *arg, const char *name),
                         const void *arg, struct err *e);

/* Appends the operation's operands, parameters and outputs for --help. */
void sheet_help(const json_t *op, struct text *t);

#endif
