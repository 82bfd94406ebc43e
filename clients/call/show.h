/* show.h - results, times and problems as text for people. */
#ifndef CLIENTS_CALL_SHOW_H
#define CLIENTS_CALL_SHOW_H

#include <jansson.h>

#include "base/text.h"

/* Appends the outputs of a reply in JSON, large ones shortened, and its member
 * "quality". */
void show_answer(struct text *t, const json_t *answer);

/* Appends the device, and the times of the stages and of the kernels, from the
 * description of a job. */
void show_timing(struct text *t, const json_t *job);

#endif
