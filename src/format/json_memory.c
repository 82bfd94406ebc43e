/* json_memory.c - see json_memory.h. */
#include <stdlib.h>

#include "format/json_memory.h"

static _Thread_local bool failed;

static void *take(size_t n)
{
	void *p = malloc(n);

	failed |= !p;
	return p;
}

void json_memory_watch(void)
{
	json_set_alloc_funcs(take, free);
}

void json_memory_lost(void)
{
	failed = true;
}

bool json_memory_failed(void)
{
	const bool did = failed;

	failed = false;
	return did;
}

json_t *json_memory_load(const char *text, size_t n, size_t flags,
                         json_error_t *fault)
{
	json_t *value;

	failed = false;
	value = json_loadb(text, n, flags, fault);
	if (!value || !failed)
		return value;
	json_decref(value);
	return NULL;
}

int json_memory_refuse(struct err *e, enum err_code code, const char *pointer,
                       const char *what, const json_error_t *fault)
{
	if (json_memory_failed())
		return err_set_at(e, ERR_MEMORY, pointer, "no memory for %s",
		                  what);
	if (json_error_code(fault) == json_error_null_character)
		return err_set_at(e, code, pointer, "%s: \\u0000 stands for no "
		                  "character of a text", what);
	return err_set_at(e, code, pointer, "%s: %.120s", what, fault->text);
}
