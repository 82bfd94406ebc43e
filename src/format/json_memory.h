/* json_memory.h - whether jansson ran out of memory.
 *
 * Jansson reports that as it reports a malformed text, and what builds a
 * document would have to check each member that it adds. So its allocations are
 * watched: a thread that used jansson asks at the end whether one of them has
 * failed.
 */
#ifndef FORMAT_JSON_MEMORY_H
#define FORMAT_JSON_MEMORY_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

/* To be called once, before any other thread exists and before the first
 * document. */
void json_memory_watch(void);

/* Has an allocation of this thread failed since the last call? */
bool json_memory_failed(void);

/* Makes json_memory_failed() true: there was no memory for a member. */
void json_memory_lost(void);

/* As json_loadb(), but NULL also where jansson 2.14 had no memory to keep a
 * byte of a text, leaves it out and goes on. The next json_memory_failed() then
 * is true. */
json_t *json_memory_load(const char *text, size_t n, size_t flags,
                         json_error_t *fault);

/* Records why jansson could not read a text: ERR_MEMORY if memory ran out, else
 * that code, what was read and the parser's words. pointer as in err_set_at().
 * Returns -1. */
int json_memory_refuse(struct err *e, enum err_code code, const char *pointer,
                       const char *what, const json_error_t *fault);

#endif
