/* accept.c - see accept.h. */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "http/accept.h"

struct range {
	const char *type;
	size_t length;			/* "application" "/" "*" and so on */
	const char *parameters, *end;	/* what follows the type */
	int quality;
};

static const char *skip_space(const char *s)
{
	return s + strspn(s, " \t");
}

/* Returns "0.5" in thousandths; text that is not a quality counts as 1. */
static int parse_quality(const char *s)
{
	int q = 0, unit = 1000;

	if (*s != '0' && *s != '1')
		return 1000;
	q = (*s++ - '0') * unit;
	if (*s++ != '.')
		return q;
	for (; *s >= '0' && *s <= '9' && unit > 1; s++)
		q += (*s - '0') * (unit /= 10);
	return q > 1000 ? 1000 : q;
}

/* Returns what follows the next semicolon before `end`; NULL: there is none. */
static const char *next_parameter(const char *s, const char *end)
{
	s = memchr(s, ';', (size_t)(end - s));
	return s ? skip_space(s + 1) : NULL;
}

/* Parses the range at s; returns where the next one begins, or NULL after the
 * last. */
static const char *next_range(const char *s, struct range *r)
{
	const char *end = s + strcspn(s, ",");
	const char *p;

	s = skip_space(s);
	*r = (struct range){ .type = s, .length = strcspn(s, ";, \t"),
	                     .end = end, .quality = 1000 };
	r->parameters = s + r->length;
	for (p = next_parameter(s, end); p && p < end;
	     p = next_parameter(p, end))
		if (strncasecmp(p, "q=", 2) == 0)
			r->quality = parse_quality(p + 2);
	return *end ? end + 1 : NULL;
}

/* The length of a parameter "name=value", or of its name alone. */
static size_t name_length(const char *p)
{
	return strcspn(p, "=;, \t");
}

static size_t parameter_length(const char *p)
{
	return strcspn(p, ";, \t");
}

/* Is the media type's parameter of the same name as p another one? */
static bool contradicts(const char *p, const char *media_type)
{
	const char *end = media_type + strlen(media_type);
	const char *own = next_parameter(media_type, end);

	while (own && (name_length(own) != name_length(p) ||
	               strncasecmp(own, p, name_length(p))))
		own = next_parameter(own, end);
	return own && (parameter_length(own) != parameter_length(p) ||
	               strncasecmp(own, p, parameter_length(p)));
}

/* A range fits a media type whose parameters of the same names are the same
 * ones; it may have others. */
static bool has_parameters_of(const struct range *r, const char *media_type)
{
	const char *p = next_parameter(r->parameters, r->end);

	for (; p && p < r->end; p = next_parameter(p, r->end))
		if (contradicts(p, media_type))
			return false;
	return true;
}

/* Returns how specific a range that fits the type is; 0: it does not fit. */
static int fit(const struct range *r, const char *media_type)
{
	const char *slash = strchr(media_type, '/');

	if (r->length == parameter_length(media_type) &&
	    strncasecmp(r->type, media_type, r->length) == 0)
		return has_parameters_of(r, media_type) ? 3 : 0;
	if (r->length == 3 && strncmp(r->type, "*/*", 3) == 0)
		return 1;
	if (slash && r->length == (size_t)(slash - media_type) + 2 &&
	    strncasecmp(r->type, media_type, r->length - 1) == 0 &&
	    r->type[r->length - 1] == '*')
		return 2;
	return 0;
}

int accept_quality(const char *header, const char *media_type)
{
	int best = 0, quality = 0;
	struct range r;

	if (!header || !*skip_space(header))
		return 1000;
	while (header) {
		header = next_range(header, &r);
		if (fit(&r, media_type) > best) {
			best = fit(&r, media_type);
			quality = r.quality;
		}
	}
	return quality;
}

int accept_choose(const char *header, const char *const *media_types)
{
	int chosen = -1, best = 0;

	for (int i = 0; media_types[i]; i++) {
		const int q = accept_quality(header, media_types[i]);

		if (q > best) {
			best = q;
			chosen = i;
		}
	}
	return chosen;
}

/* Returns the weight that the header gives to a coding, by its name or by "*",
 * in thousandths; -1 if the header has neither. */
static int coding_weight(const char *header, const char *coding)
{
	int weight = -1, any = -1;
	struct range r;

	while (header) {
		header = next_range(header, &r);
		if (r.length == strlen(coding) &&
		    strncasecmp(r.type, coding, r.length) == 0)
			weight = r.quality;
		else if (r.length == 1 && *r.type == '*')
			any = r.quality;
	}
	return weight >= 0 ? weight : any;
}

int accept_coding(const char *header, const char *const *codings,
                  bool only_asked)
{
	int chosen = -1, best = 0, identity;

	if (!header)
		return -1;
	for (int i = 0; codings[i]; i++) {
		const int weight = coding_weight(header, codings[i]);

		if (weight > best) {
			best = weight;
			chosen = i;
		}
	}
	identity = coding_weight(header, "identity");
	if (only_asked && (identity < 0 || identity >= best))
		return -1;
	return identity > best ? -1 : chosen;
}
