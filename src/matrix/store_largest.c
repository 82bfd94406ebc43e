/* store_largest.c - see store.h: which matrices of a tenant take the most. */
#include <stdio.h>

#include "matrix/store.h"

/* Sets top[] to at most `most` of the tenant's largest matrices, the largest
 * first; returns their number. */
static int find_largest(const struct store *s, const char *tenant,
                        const struct stored *top[], int most)
{
	size_t i, end;
	int n = 0;

	for (store_range(s, tenant, &i, &end); i < end; i++) {
		const struct stored *x = store_at(s, i);
		int at = n;

		for (; at > 0 && stored_bytes(top[at - 1]) < stored_bytes(x);
		     at--)
			if (at < most)
				top[at] = top[at - 1];
		if (at < most)
			top[at] = x;
		n += n < most;
	}
	return n;
}

const char *store_largest(const struct store *s, const char *tenant,
                          char text[STORE_LARGEST_TEXT])
{
	enum { MOST = 3 };
	const struct stored *top[MOST];
	const int n = find_largest(s, tenant, top, MOST);
	size_t used = 0;

	*text = 0;
	for (int i = 0; i < n; i++) {
		const int more = snprintf(text + used,
		    STORE_LARGEST_TEXT - used, "%s%s (%zu bytes)",
		    i ? ", " : "", top[i]->name, stored_bytes(top[i]));

		if ((size_t)more >= STORE_LARGEST_TEXT - used) {
			text[used] = 0;
			break;
		}
		used += (size_t)more;
	}
	return text;
}
