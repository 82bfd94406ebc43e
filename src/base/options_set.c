/* options_set.c - checks the text of an option's value and stores the value:
 * see options_set.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "base/options_set.h"
#include "base/size.h"

/* Parses a decimal number that may be followed by a unit, which is one of the
 * characters of `units`. *unit is 0 without a unit, else 1 + its index in
 * units. */
static int parse_number(const char *text, const char *units, double *x,
                        int *unit)
{
	char *end;
	const char *u;

	if (*text < '0' || *text > '9' || strpbrk(text, "xXpP"))
		return -1;
	*x = strtod(text, &end);
	*unit = 0;
	if (!*end)
		return 0;
	u = *end == ' ' ? NULL : strchr(units, *end & ~0x20);
	if (!u || end[1])
		return -1;
	*unit = (int)(u - units) + 1;
	return 0;
}

int options_size(const char *text, uint64_t *bytes)
{
	double x;
	int unit;

	if (parse_number(text, "KMGT", &x, &unit))
		return -1;
	x = ldexp(x, 10 * unit);
	if (x >= 0x1p63)
		return -1;
	*bytes = (uint64_t)x;
	return 0;
}

static int refuse(const struct option_row *r, const char *value,
                  const char *wanted, struct err *e)
{
	return err_set(e, ERR_PARAMETER, "--%s %s: %s", r->flag, value,
	               wanted);
}

static int refuse_range(const struct option_row *r, const char *value,
                        struct err *e)
{
	return err_set(e, ERR_PARAMETER, "--%s %s: must be from %.16g to %.16g",
	               r->flag, value, r->min, r->max);
}

static int set_text(const struct option_row *r, void *to, const char *value,
                    struct err *e)
{
	(void)r;
	(void)e;
	*(const char **)to = value;
	return 0;
}

static int set_list(const struct option_row *r, void *to, const char *value,
                    struct err *e)
{
	struct option_list *list = to;

	for (;;) {
		const size_t n = strcspn(value, ",");

		if (!n)
			return refuse(r, value, "an empty item", e);
		if (list->n == OPTION_ITEMS ||
		    list->used + n >= OPTION_LIST_TEXT)
			return refuse(r, value, "too many items", e);
		list->item[list->n++] = list->text + list->used;
		memcpy(list->text + list->used, value, n);
		list->used += n + 1;
		if (!value[n])
			return 0;
		value += n + 1;
	}
}

static int set_size(const struct option_row *r, void *to, const char *value,
                    struct err *e)
{
	uint64_t bytes;

	if (options_size(value, &bytes))
		return refuse(r, value, "must be bytes, as 65536, 64K, 1.5G",
		              e);
	if ((double)bytes < r->min || (double)bytes > r->max)
		return refuse_range(r, value, e);
	*(uint64_t *)to = bytes;
	return 0;
}

static int set_count(const struct option_row *r, void *to, const char *value,
                     struct err *e)
{
	double x;
	int unit;

	if (parse_number(value, "", &x, &unit) || x != floor(x))
		return refuse(r, value, "must be a whole number", e);
	if (x < r->min || x > r->max)
		return refuse_range(r, value, e);
	*(uint64_t *)to = (uint64_t)x;
	return 0;
}

static int set_seconds(const struct option_row *r, void *to,
                       const char *value, struct err *e)
{
	double x;
	int unit;

	if (parse_number(value, "S", &x, &unit))
		return refuse(r, value, "must be a number of seconds", e);
	if (x < r->min || x > r->max)
		return refuse_range(r, value, e);
	*(int64_t *)to = (int64_t)(x * 1e9);
	return 0;
}

static int set_choice(const struct option_row *r, void *to, const char *value,
                      struct err *e)
{
	struct nearest near = nearest_to(value);

	for (int i = 0; r->choices[i]; i++)
		if (!strcmp(r->choices[i], value)) {
			*(int *)to = i;
			return 0;
		}
	nearest_add_all(&near, r->choices);
	err_set(e, ERR_PARAMETER, "--%s %s: must be one of %s%s", r->flag,
	        value, nearest_list(&near), nearest_hint(&near));
	nearest_fini(&near);
	return -1;
}

static int set_flag(const struct option_row *r, void *to, const char *value,
                    struct err *e)
{
	static const char *const no[] = { "0", "false", "no", "off", "" };
	static const char *const yes[] = { "1", "true", "yes", "on" };

	for (size_t i = 0; i < COUNT(no); i++)
		if (!strcasecmp(value, no[i])) {
			*(bool *)to = false;
			return 0;
		}
	for (size_t i = 0; i < COUNT(yes); i++)
		if (!strcasecmp(value, yes[i])) {
			*(bool *)to = true;
			return 0;
		}
	return refuse(r, value, "must be true or false", e);
}

static int (*const setters[])(const struct option_row *r, void *to,
                              const char *value, struct err *e) = {
	[OPTION_TEXT] = set_text,
	[OPTION_FILE] = set_text,
	[OPTION_LIST] = set_list,
	[OPTION_SIZE] = set_size,
	[OPTION_COUNT] = set_count,
	[OPTION_SECONDS] = set_seconds,
	[OPTION_CHOICE] = set_choice,
	[OPTION_FLAG] = set_flag,
};

int options_set(const struct option_row *r, void *into, const char *value,
                struct err *e)
{
	return setters[r->type](r, (char *)into + r->offset, value, e);
}
