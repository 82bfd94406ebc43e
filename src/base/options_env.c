/* options_env.c - environment variables that look like linalgd's but are not:
 * see options_unknown() in options.h. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/options.h"

static bool begins_with_any(const char *name, const char *const *beginnings)
{
	for (; *beginnings; beginnings++)
		if (!strncmp(name, *beginnings, strlen(*beginnings)))
			return true;
	return false;
}

/* Returns the row's variable that was probably meant, comparing the names
 * after their common prefix; *known: the name is itself a row's. */
static const char *nearest_variable(const struct option_row *rows,
                                    const char *name, size_t prefix,
                                    bool *known)
{
	struct nearest near = nearest_to(name + prefix);
	const char *found = NULL;

	*known = false;
	for (const struct option_row *r = rows; r->flag; r++) {
		if (!r->env || strlen(r->env) < prefix)
			continue;
		*known |= !strcmp(r->env, name);
		nearest_try(&near, r->env + prefix);
		if (near.name == r->env + prefix)
			found = r->env;
	}
	return found;
}

void options_unknown(const struct option_row *rows, const char *prefix,
                     const char *const *others,
                     void (*fn)(void *arg, const char *name,
                                const char *nearest), void *arg)
{
	const size_t n = strlen(prefix);
	char name[128];

	for (char **v = environ; *v; v++) {
		const char *nearest;
		bool known;

		if (strncmp(*v, prefix, n) || begins_with_any(*v, others))
			continue;
		snprintf(name, sizeof name, "%.*s", (int)strcspn(*v, "="), *v);
		nearest = nearest_variable(rows, name, n, &known);
		if (!known)
			fn(arg, name, nearest);
	}
}
