/* token_line.c - see token_line.h. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/size.h"
#include "http/token_line.h"

static const char space[] = " \t\r\n";

/* Sets the error of a value that is not what the key wants. */
static int wants(const char *key, const char *what, struct err *e)
{
	return err_set(e, ERR_REQUEST, "%s wants %s", key, what);
}

/* --- the values */

/* Is it a name of a tenant: 1 to 39 of the usual characters? */
static bool is_name(const char *s)
{
	static const char usual[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "abcdefghijklmnopqrstuvwxyz"
	                            "0123456789._-@+";
	const size_t n = strlen(s);

	return n > 0 && n < TENANT_NAME && *s != '.' && strspn(s, usual) == n;
}

static int set_tenant(struct token *t, const char *value, struct err *e)
{
	if (!is_name(value))
		return wants("tenant", "1 to 39 of A-Z a-z 0-9 . _ - @ +, the "
		             "first not a dot", e);
	strcpy(t->tenant_name, value);
	return 0;
}

static int set_scopes(struct token *t, const char *value, struct err *e)
{
	t->scopes = 0;
	for (;; value++) {
		const size_t n = strcspn(value, ",");
		const enum scope one = scope_find(value, n);

		if (!one)
			return wants("scopes", "a list of run, read, admin, "
			             "separated by commas", e);
		t->scopes |= one;
		value += n;
		if (!*value)
			return 0;
	}
}

/* strptime() takes the 31st of any month, which timegm() moves into the next
 * one; the time is right if it reads back as it was. */
static int set_expires(struct token *t, const char *value, struct err *e)
{
	static const char format[] = "%Y-%m-%dT%H:%M:%SZ";
	struct tm utc = { 0 };
	const char *end = strptime(value, format, &utc);
	char again[40];
	time_t at;

	if (end && !*end) {
		at = timegm(&utc);
		t->expires_ms = (int64_t)at * 1000;
		if (gmtime_r(&at, &utc) &&
		    strftime(again, sizeof again, format, &utc) &&
		    strcmp(again, value) == 0)
			return 0;
	}
	return wants("expires", "a time in UTC as 2027-01-31T00:00:00Z", e);
}

/* Returns the number at s, 0 if there is none or it is too large; *end is what
 * follows. */
static uint64_t whole(const char *s, char **end)
{
	uint64_t n;

	errno = 0;
	n = strtoull(s, end, 10);
	return *s >= '0' && *s <= '9' && !errno ? n : 0;
}

static int set_count(uint64_t *to, const char *key, const char *value,
                     struct err *e)
{
	char *end;

	*to = whole(value, &end);
	return *to && !*end ? 0 : wants(key, "a whole number from 1 on", e);
}

static int set_bytes(uint64_t *to, const char *key, const char *value,
                     struct err *e)
{
	static const char units[] = "KMGT";
	char *end;
	const uint64_t n = whole(value, &end);
	const char *unit = *end ? strchr(units, *end) : NULL;
	const int shift = unit ? 10 * (int)(unit - units + 1) : 0;

	*to = n << shift;
	if (n && n <= UINT64_MAX >> shift && !end[unit != NULL])
		return 0;
	return wants(key, "a whole number of bytes from 1 on, with K, M, G or "
	             "T for units of 1024", e);
}

static int set_urgency(struct token *t, const char *value, struct err *e)
{
	if (value[0] < '0' || value[0] > '9' || value[1])
		return wants("priority", "0 to 9", e);
	t->limits.urgency = value[0] - '0';
	return 0;
}

static int set_weight(struct token *t, const char *value, struct err *e)
{
	char *end;
	const uint64_t n = whole(value, &end);

	t->limits.weight = n <= 1000 && !*end ? (unsigned)n : 0;
	return t->limits.weight ? 0 : wants("weight", "1 to 1000", e);
}

static const struct {
	const char *key;
	int (*set)(struct token *t, const char *value, struct err *e);
} facts[] = {
	{ "tenant", set_tenant },
	{ "scopes", set_scopes },
	{ "expires", set_expires },
	{ "priority", set_urgency },
	{ "weight", set_weight },
};

static const struct {
	const char *key;
	size_t offset;			/* in struct tenant_limits */
	int (*set)(uint64_t *to, const char *key, const char *value,
	           struct err *e);
} quotas[] = {
#define X(key, member, set) \
	{ key, offsetof(struct tenant_limits, member), set }
	X("running", running, set_count),
	X("queued", queued, set_count),
	X("stored", stored, set_bytes),
	X("in-flight", in_flight, set_bytes),
	X("device-seconds", device_seconds, set_count),
#undef X
};

static uint64_t *member(struct tenant_limits *l, size_t i)
{
	return (uint64_t *)((char *)l + quotas[i].offset);
}

int token_limits_join(struct tenant_limits *to,
                      const struct tenant_limits *from, struct err *e)
{
	struct tenant_limits give = *from;

	for (size_t i = 0; i < COUNT(quotas); i++) {
		uint64_t *const has = member(to, i);
		const uint64_t more = *member(&give, i);

		if (*has && more && *has != more)
			return err_set(e, ERR_REQUEST, "another line gives "
			               "this tenant another %s", quotas[i].key);
		*has = *has ? *has : more;
	}
	if (to->urgency && give.urgency && to->urgency != give.urgency)
		return err_set(e, ERR_REQUEST, "another line gives this tenant "
		               "another priority");
	if (to->weight && give.weight && to->weight != give.weight)
		return err_set(e, ERR_REQUEST, "another line gives this tenant "
		               "another weight");
	to->urgency = to->urgency ? to->urgency : give.urgency;
	to->weight = to->weight ? to->weight : give.weight;
	return 0;
}

/* --- the words */

/* Takes the word "key=value", of which `number` tells the place in the line. */
static int take_pair(struct token *t, char *word, int number, unsigned *given,
                     struct err *e)
{
	char *const value = strchr(word, '=');
	size_t i, k = COUNT(facts) + COUNT(quotas);

	*value = 0;
	for (i = 0; i < COUNT(facts); i++)
		if (strcmp(facts[i].key, word) == 0)
			k = i;
	for (i = 0; i < COUNT(quotas); i++)
		if (strcmp(quotas[i].key, word) == 0)
			k = COUNT(facts) + i;
	if (k == COUNT(facts) + COUNT(quotas))
		return err_set(e, ERR_REQUEST, "word %d is no key=value of "
		               "tenant, scopes, expires, running, queued, "
		               "stored, in-flight, device-seconds, priority, "
		               "weight",
		               number);
	if (*given >> k & 1)
		return err_set(e, ERR_REQUEST, "%s is given twice", word);
	*given |= 1u << k;
	if (k < COUNT(facts))
		return facts[k].set(t, value + 1, e);
	k -= COUNT(facts);
	return quotas[k].set(member(&t->limits, k), quotas[k].key, value + 1,
	                     e);
}

static int hex(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Takes the token, or its digest. */
static int take_token(struct token *t, const char *word, struct err *e)
{
	static const char mark[] = "sha256:";
	const char *s = word + sizeof mark - 1;

	if (strncmp(word, mark, sizeof mark - 1) != 0) {
		t->digest = token_digest(word, strlen(word));
		return 0;
	}
	for (size_t i = 0; i < sizeof t->digest.bytes; i++, s += 2) {
		if (hex(s[0]) < 0 || hex(s[1]) < 0)
			return wants(mark, "64 digits of 0-9 a-f", e);
		t->digest.bytes[i] = (uint8_t)(hex(s[0]) << 4 | hex(s[1]));
	}
	return *s ? wants(mark, "64 digits of 0-9 a-f", e) : 0;
}

static int take_name(struct token *t, const char *word, int number,
                     struct err *e)
{
	if (number != 2)
		return err_set(e, ERR_REQUEST, "word %d is neither key=value "
		               "nor, as only the second may be, a name",
		               number);
	if (!is_name(word))
		return wants("the name", "1 to 39 of A-Z a-z 0-9 . _ - @ +, "
		             "the first not a dot", e);
	strcpy(t->name, word);
	return 0;
}

/* Fills in what the line leaves open. */
static void settle(struct token *t)
{
	if (!*t->tenant_name)
		strcpy(t->tenant_name, t->name);
	if (!t->scopes)
		t->scopes = *t->tenant_name ? SCOPE_READ | SCOPE_RUN :
		                              SCOPE_ALL;
}

int token_line(char *line, struct token *t, struct err *e)
{
	char *rest = NULL, *word = strtok_r(line, space, &rest);
	unsigned given = 0;
	int rc = 0;

	*t = (struct token){ .expires_ms = INT64_MAX };
	if (!word || *word == '#')
		return 0;
	if (take_token(t, word, e))
		return -1;
	for (int number = 2; rc == 0; number++) {
		word = strtok_r(NULL, space, &rest);
		if (!word || *word == '#')
			break;
		rc = strchr(word, '=') ?
		     take_pair(t, word, number, &given, e) :
		     take_name(t, word, number, e);
	}
	settle(t);
	return rc ? -1 : 1;
}
