/* nearest.c - see nearest.h. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

enum { PREFIX = 3 };		/* characters that a common beginning needs */

/* Writes the name in lower case without '-' and '_'. Returns its length, or -1
 * when it is too long to be a known name. */
static int fold(const char *name, char to[NEAREST_NAME])
{
	int n = 0;

	for (; *name; name++) {
		if (*name == '-' || *name == '_')
			continue;
		if (n == NEAREST_NAME - 1)
			return -1;
		to[n++] = (char)tolower((unsigned char)*name);
	}
	to[n] = 0;
	return n;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* The number of single edits between a and b; row i holds the distances
 * between the first i characters of a and the first characters of b. */
static int edits(const char *a, int m, const char *b, int n)
{
	int row[NEAREST_NAME][NEAREST_NAME];

	for (int j = 0; j <= n; j++)
		row[0][j] = j;
	for (int i = 1; i <= m; i++) {
		row[i][0] = i;
		for (int j = 1; j <= n; j++) {
			int d = row[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			d = least(d, least(row[i - 1][j], row[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				d = least(d, row[i - 2][j - 2] + 1);
			row[i][j] = d;
		}
	}
	return row[m][n];
}

/* Returns the distance of two names in edits; INT_MAX: they are not near. */
static int distance(const char *typed, const char *name)
{
	char a[NEAREST_NAME], b[NEAREST_NAME];
	const int m = fold(typed, a), n = fold(name, b);
	const int shorter = least(m, n), longer = m > n ? m : n;
	int d;

	if (shorter <= 0)
		return INT_MAX;
	d = edits(a, m, b, n);
	if (d <= longer / 3)
		return d;
	return shorter >= PREFIX && strncmp(a, b, (size_t)shorter) == 0 ?
	       longer : INT_MAX;
}

struct nearest nearest_to(const char *typed)
{
	return (struct nearest){ .typed = typed, .distance = INT_MAX };
}

void nearest_fini(struct nearest *n)
{
	text_fini(&n->list);
}

void nearest_try(struct nearest *n, const char *name)
{
	const int d = distance(n->typed, name);

	if (d >= n->distance)
		return;
	n->distance = d;
	n->name = name;
}

void nearest_try_all(struct nearest *n, const char *const *names)
{
	for (; *names; names++)
		nearest_try(n, *names);
}

void nearest_add(struct nearest *n, const char *name)
{
	nearest_try(n, name);
	text_printf(&n->list, "%s%s", n->list.length ? ", " : "", name);
}

void nearest_add_all(struct nearest *n, const char *const *names)
{
	for (; *names; names++)
		nearest_add(n, *names);
}

const char *nearest_list(const struct nearest *n)
{
	return n->list.data ? n->list.data : "none";
}

const char *nearest_hint(struct nearest *n)
{
	n->hint[0] = 0;
	if (n->name)
		snprintf(n->hint, sizeof n->hint, "; did you mean %s?",
		         n->name);
	return n->hint;
}

const char *nearest_hint_and(struct nearest *n)
{
	return n->name ? nearest_hint(n) : ".";
}
