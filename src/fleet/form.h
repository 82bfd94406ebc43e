/* form.h - the column `form` of linalgd.matrix: the element type, the layout
 * and the shape of a stored matrix, as text. */
#ifndef FLEET_FORM_H
#define FLEET_FORM_H

#include "fleet/pg.h"
#include "matrix/store.h"

enum { FORM_TEXT = 256 };

/* Writes m's form; returns text. */
const char *form_print(const struct matrix *m, char text[FORM_TEXT]);

/* Sets m to a matrix of that form, without memory; -1 with ERR_STATE if a later
 * version of linalgd has written what this one does not know. */
int form_read(struct matrix *m, const char *text, struct err *e);

/* The columns that the statements on stored matrices have in common. */
enum {
	FORM_NAME_COLUMN, FORM_VERSION_COLUMN, FORM_COLUMN,
	FORM_PAYLOAD_COLUMN, FORM_CREATED_COLUMN, FORM_EXPIRES_COLUMN,
	FORM_LEFT_COLUMN, FORM_DATA_COLUMN, FORM_TENANT_COLUMN,
	FORM_THERE_COLUMN, FORM_FILE_COLUMN,
};

/* Sets s to the stored matrix of a row, without memory; `tenant` is its
 * tenant's. */
int form_read_row(struct stored *s, const struct pg_answer *a, int row,
                  const char *tenant, struct err *e);

#endif
