/* address.c - see address.h. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "http/address.h"

enum { MAPPED = 12 };		/* bytes before an IPv4 address in IPv6 */

static bool is_mapped(const struct in6_addr *a)
{
	return IN6_IS_ADDR_V4MAPPED(a);
}

bool address_parse(struct sockaddr_storage *s, const char *text)
{
	*s = (struct sockaddr_storage){ .ss_family = AF_INET };
	if (inet_pton(AF_INET, text, &((struct sockaddr_in *)s)->sin_addr) == 1)
		return true;
	s->ss_family = AF_INET6;
	return inet_pton(AF_INET6, text,
	                 &((struct sockaddr_in6 *)s)->sin6_addr) == 1;
}

/* Converts the address to IPv6; false if it is neither IPv4 nor IPv6. */
static bool widen(const struct sockaddr_storage *s, struct in6_addr *wide)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)s;

	*wide = (struct in6_addr){ .s6_addr = { [10] = 0xff, [11] = 0xff } };
	if (s->ss_family == AF_INET)
		memcpy(wide->s6_addr + MAPPED, &v4->sin_addr, 4);
	else if (s->ss_family == AF_INET6)
		*wide = ((const struct sockaddr_in6 *)s)->sin6_addr;
	else
		return false;
	return true;
}

bool address_equals(const struct sockaddr_storage *a,
                    const struct sockaddr_storage *b)
{
	struct in6_addr one, other;

	return widen(a, &one) && widen(b, &other) &&
	       IN6_ARE_ADDR_EQUAL(&one, &other);
}

bool address_is_loopback(const struct sockaddr_storage *s)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)s;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)s;

	switch (s->ss_family) {
	case AF_INET:
		return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
	case AF_INET6:
		return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr) ||
		       (is_mapped(&v6->sin6_addr) &&
		        v6->sin6_addr.s6_addr[MAPPED] == 127);
	default:
		return true;
	}
}

/* Is it 127.0.0.1, also mapped to IPv6, ::1, or of another address family? */
static bool is_this_host(const struct sockaddr_storage *s)
{
	static const struct in6_addr mapped = { .s6_addr = {
		[10] = 0xff, 0xff, 127, 0, 0, 1
	} };
	struct in6_addr a;

	return !widen(s, &a) || IN6_IS_ADDR_LOOPBACK(&a) ||
	       IN6_ARE_ADDR_EQUAL(&a, &mapped);
}

static uint64_t key_of(const struct sockaddr_storage *s)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)s;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)s;
	uint32_t mapped;
	uint64_t key;

	if (s->ss_family == AF_INET)
		return v4->sin_addr.s_addr;
	if (is_mapped(&v6->sin6_addr)) {
		memcpy(&mapped, v6->sin6_addr.s6_addr + MAPPED, sizeof mapped);
		return mapped;
	}
	memcpy(&key, v6->sin6_addr.s6_addr, sizeof key);
	return key;
}

/* Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4). */
static struct address **bucket(struct addresses *a, uint64_t key)
{
	return &a->bucket[key * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

struct address *address_take(struct addresses *a,
                             const struct sockaddr_storage *s)
{
	struct address **at, *one;
	uint64_t key;

	if (is_this_host(s))
		return NULL;
	key = key_of(s);
	at = bucket(a, key);
	for (one = *at; one && one->key != key; one = one->next)
		;
	if (!one) {
		one = calloc(1, sizeof *one);
		if (!one)
			return NULL;
		*one = (struct address){ key, 0, *at };
		*at = one;
	}
	one->connections++;
	return one;
}

void address_give(struct addresses *a, struct address *one)
{
	struct address **at;

	if (!one || --one->connections)
		return;
	for (at = bucket(a, one->key); *at != one; at = &(*at)->next)
		;
	*at = one->next;
	free(one);
}
