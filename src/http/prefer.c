/* prefer.c - see prefer.h. */
#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "http/prefer.h"

/* Returns the text after the name of the first preference that is called
 * `name`, or NULL if there is none. */
static const char *find(const char *s, const char *name)
{
	const size_t n = strlen(name);

	while (s && *s) {
		s += strspn(s, ", \t");
		if (strcspn(s, "=,; \t") == n && strncasecmp(s, name, n) == 0)
			return s + n;
		s += strcspn(s, ",");
	}
	return NULL;
}

bool prefer_asynchronous(const char *preferences)
{
	return find(preferences, "respond-async") != NULL;
}

/* Does the value end at s, after its closing quote if it has an opening
 * one? */
static bool ends(const char *s, bool quoted)
{
	if (quoted && *s++ != '"')
		return false;
	return strcspn(s + strspn(s, " \t"), ",;") == 0;
}

int prefer_wait(const char *preferences, int most)
{
	const char *s = find(preferences, "wait");
	bool quoted;
	int n = 0;

	if (!s)
		return -1;
	s += strspn(s, " \t");
	if (*s++ != '=')
		return -1;
	s += strspn(s, " \t");
	quoted = *s == '"';
	s += quoted;
	if (!isdigit((unsigned char)*s))
		return -1;
	for (; isdigit((unsigned char)*s); s++)
		if (n <= most)
			n = 10 * n + (*s - '0');
	return !ends(s, quoted) ? -1 : n < most ? n : most;
}
