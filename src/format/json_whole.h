/* json_whole.h - integers in JSON that float64 cannot hold.
 *
 * The numbers of an array are float64 as long as that loses nothing. The first
 * integer that float64 cannot hold makes all of them int64, if all are whole
 * numbers within its range; a later number that is not makes them float64
 * again, and for good:
 *
 *     OPEN ──▶ INT64 ──▶ FLOAT64
 *       └──────────────────┘
 *
 * Only numbers of at least `limit` in magnitude can change that, so that the
 * others cost one comparison.
 */
#ifndef FORMAT_JSON_WHOLE_H
#define FORMAT_JSON_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_WHOLE_LIMIT 0x1p53

struct json_whole {
	double limit;			/* JSON_WHOLE_LIMIT at first */
	enum { WHOLE_OPEN, WHOLE_INT64, WHOLE_FLOAT64 } kind;
	/* Did such a number occur? */
	bool beyond;			/* an integer beyond int64 */
	bool lossy;			/* one that lost digits as float64 */
	bool points;			/* a large one with point or exponent */
};

/* Returns whether the text is an integer that differs from the float64 x. */
bool json_whole_loses(const char *from, const char *to, double x);

/* Returns whether v is exact in float64. */
bool json_whole_held(int64_t v);

/* Appends the number of that text, whose value is about x, to the n elements of
 * data, which are int64 if kind is WHOLE_INT64 and else float64. */
void json_whole_put(struct json_whole *w, const char *from, const char *to,
                    double x, void *data, size_t n);

/* Are all n elements integers, of which some have lost digits? */
bool json_whole_rounded(const struct json_whole *w, const void *data,
                        size_t n);

#endif
