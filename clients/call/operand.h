/* operand.h - adds operands and parameters to the form that is sent. An operand
 * on the command line is NAME= and one of:
 *
 *     @FILE, @- or -          .npy, .npz, .mtx, .json, or standard input
 *     ref:NAME                a stored matrix
 *     generate:KIND:4x3       a matrix that the service generates; parameters
 *                             of the generator may follow, as :seed=3
 *     [[1,2],[3,4]]           JSON
 */
#ifndef CLIENTS_CALL_OPERAND_H
#define CLIENTS_CALL_OPERAND_H

#include <curl/curl.h>

#include "base/err.h"

/* Is the operand to be read from standard input? */
bool operand_is_input(const char *value);

/* Adds an operand to the form. ERR_PARAMETER if the value has none of the forms
 * above, names a file that cannot be read, or is invalid JSON. Standard input
 * is read to its end in this call, a file only when the form is sent. */
int operand_add(curl_mime *form, const char *name, const char *value,
                struct err *e);

/* Adds a parameter to the form. */
int operand_add_parameter(curl_mime *form, const char *name,
                          const char *value, struct err *e);

/* Returns the media type for the extension of a file's name, or NULL if the
 * extension is unknown. */
const char *operand_media(const char *path);

#endif
