/* store.c - see store.h. An array of pointers, sorted by tenant and name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/nearest.h"
#include "base/size.h"
#include "matrix/store.h"

struct store {
	struct stored **at;
	size_t n, room;
	size_t bytes;			/* of all matrices */
	uint64_t contents;		/* numbers given by name_contents() */
	uint64_t version;		/* of the newest matrix */
	int64_t ttl_ns;			/* the default time to live */
	int64_t next_ns;		/* clock_ns() before which no matrix
					 * expires */
	void (*on_put)(void *arg);
	void *on_put_arg;
	void (*on_expiry)(void *arg, const struct stored *s);
	void *on_expiry_arg;
};

/* Gives elements, which will not change any more, a new `stored` number. */
static void name_contents(struct store *s, struct memory *m)
{
	if (m && !m->stored)
		m->stored = ++s->contents;
}

struct store *store_new(struct err *e)
{
	struct store *s = calloc(1, sizeof *s);

	if (s)
		s->next_ns = INT64_MAX;
	else
		err_set(e, ERR_MEMORY, "no memory for stored matrices");
	return s;
}

void store_set_ttl(struct store *s, int64_t ttl_ns)
{
	s->ttl_ns = ttl_ns;
}

void store_on_put(struct store *s, void (*fn)(void *arg), void *arg)
{
	s->on_put = fn;
	s->on_put_arg = arg;
}

void store_on_expiry(struct store *s,
                     void (*fn)(void *arg, const struct stored *s), void *arg)
{
	s->on_expiry = fn;
	s->on_expiry_arg = arg;
}

int64_t store_ttl(const struct store *s)
{
	return s->ttl_ns;
}

static void drop(struct stored *s)
{
	matrix_fini(&s->matrix);
	free(s);
}

void store_free(struct store *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		drop(s->at[i]);
	free(s->at);
	free(s);
}

int store_check_name(const char *name, struct err *e)
{
	static const char usual[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "abcdefghijklmnopqrstuvwxyz"
	                            "0123456789._-";
	const size_t n = strlen(name);

	if (n > 0 && n < STORE_NAME && *name != '.' &&
	    strspn(name, usual) == n)
		return 0;
	return err_set(e, ERR_REQUEST, "\"%.40s\" is no name of a stored "
	               "matrix or pipeline: 1 to %d of A-Z a-z 0-9 . _ -, "
	               "the first not a dot", name, STORE_NAME - 1);
}

static int compare(const char *tenant, const char *name,
                   const struct stored *s)
{
	const int order = strcmp(tenant, s->tenant);

	return order ? order : strcmp(name, s->name);
}

/* Returns the index of the name or, if *found is false, where to insert it. */
static size_t place(const struct store *s, const char *tenant,
                    const char *name, bool *found)
{
	size_t low = 0, high = s->n;

	*found = false;
	while (low < high && !*found) {
		const size_t mid = low + (high - low) / 2;
		const int order = compare(tenant, name, s->at[mid]);

		*found = order == 0;
		if (order > 0)
			low = mid + 1;
		else
			high = mid;
	}
	return high;
}

static int make_room(struct store *s, size_t more, struct err *e)
{
	const size_t room = size_max(s->room ? 2 * s->room : 16, s->n + more);
	struct stored **at;

	if (s->n + more <= s->room)
		return 0;
	at = reallocarray(s->at, room, sizeof *at);
	if (!at)
		return err_set(e, ERR_MEMORY, "no memory for one more than "
		               "%zu stored matrices", s->n);
	s->at = at;
	s->room = room;
	return 0;
}

static size_t bytes_of(const struct matrix *m)
{
	return (m->memory ? m->memory->bytes : 0) +
	       (m->index ? m->index->bytes : 0);
}

size_t stored_bytes(const struct stored *s)
{
	return bytes_of(&s->matrix);
}

/* Moves the entry's matrix into *place, whose name is set, and gives it a new
 * version and its times. */
static void fill(struct store *s, struct stored *place,
                 const struct store_entry *x)
{
	const int64_t now = clock_ns();

	name_contents(s, x->matrix->memory);
	name_contents(s, x->matrix->index);
	s->bytes += bytes_of(x->matrix);
	place->matrix = *x->matrix;
	place->version = ++s->version;
	place->created_ms = clock_wall_ms();
	place->until_ns = x->ttl_ns > 0 && x->ttl_ns < INT64_MAX - now ?
	                  now + x->ttl_ns : INT64_MAX;
	if (place->until_ns < INT64_MAX)
		place->expires_ms = place->created_ms + x->ttl_ns / 1000000;
	if (place->until_ns < s->next_ns)
		s->next_ns = place->until_ns;
	*x->matrix = (struct matrix){ .ndim = MATRIX_ABSENT };
}

/* Stores the entry x in `new`, at its place in the order of names; a matrix of
 * the same name is removed. s->at must have room. */
static void insert(struct store *s, const struct store_entry *x,
                   struct stored *new)
{
	bool found;
	const size_t i = place(s, x->tenant, x->name, &found);

	if (found) {
		s->bytes -= bytes_of(&s->at[i]->matrix);
		drop(s->at[i]);
	} else {
		memmove(s->at + i + 1, s->at + i,
		        (s->n - i) * sizeof *s->at);
		s->n++;
	}
	s->at[i] = new;
	memcpy(new->tenant, x->tenant, strlen(x->tenant) + 1);
	memcpy(new->name, x->name, strlen(x->name) + 1);
	fill(s, new, x);
}

int store_put_all(struct store *s, const struct store_entry *x, size_t n,
                  struct err *e)
{
	struct stored **new = calloc(n + !n, sizeof *new);
	size_t made = 0;

	while (new && made < n && (new[made] = calloc(1, sizeof **new)))
		made++;
	if (new && made == n && make_room(s, n, e) == 0) {
		for (size_t i = 0; i < n; i++)
			insert(s, &x[i], new[i]);
		free(new);
		if (s->on_put)
			s->on_put(s->on_put_arg);
		return 0;
	}
	while (made > 0)
		free(new[--made]);
	free(new);
	return err_set(e, ERR_MEMORY, "no memory for %zu more stored matrices",
	               n);
}

void store_see_version(struct store *s, uint64_t version)
{
	if (version > s->version)
		s->version = version;
}

/* The clock_ns() of a moment of the calendar, 0: never. */
static int64_t until(int64_t expires_ms)
{
	const int64_t left_ms = expires_ms - clock_wall_ms();

	return !expires_ms || left_ms > INT64_MAX / 2000000 ? INT64_MAX :
	       clock_ns() + left_ms * 1000000;
}

int store_keep(struct store *s, struct stored *was, struct err *e)
{
	const struct store_entry x = { was->tenant, was->name, &was->matrix,
	                               0 };
	struct stored *new = calloc(1, sizeof *new);

	if (!new || make_room(s, 1, e) < 0) {
		free(new);
		return err_set(e, ERR_MEMORY, "no memory for a stored matrix");
	}
	insert(s, &x, new);
	s->version--;
	store_see_version(s, was->version);
	new->version = was->version;
	new->created_ms = was->created_ms;
	new->expires_ms = was->expires_ms;
	new->until_ns = was->until_ns;
	if (new->until_ns < s->next_ns)
		s->next_ns = new->until_ns;
	if (s->on_put)
		s->on_put(s->on_put_arg);
	return 0;
}

int store_restore(struct store *s, struct stored *was, struct err *e)
{
	was->until_ns = until(was->expires_ms);
	return store_keep(s, was, e);
}

void store_use(struct store *s, const struct stored *at)
{
	bool found;
	const size_t i = place(s, at->tenant, at->name, &found);

	s->at[i]->used_ns = clock_ns();
}

int store_put(struct store *s, const char *tenant, const char *name,
              struct matrix *m, struct err *e)
{
	const struct store_entry x = { tenant, name, m, s->ttl_ns };
	bool found;

	place(s, tenant, name, &found);
	return store_put_all(s, &x, 1, e) ? -1 : !found;
}

/* Sets an error with the stored name that was probably meant. Only the names
 * around the place where it would be inserted are compared, so that a large
 * store takes no longer. */
static void not_there(const struct store *s, size_t place, const char *tenant,
                      const char *name, struct err *e)
{
	enum { BESIDE = 64 };
	struct nearest near = nearest_to(name);

	for (size_t i = place > BESIDE ? place - BESIDE : 0;
	     i < s->n && i < place + BESIDE; i++)
		if (strcmp(s->at[i]->tenant, tenant) == 0)
			nearest_try(&near, s->at[i]->name);
	err_set(e, ERR_NOT_FOUND, "there is no stored matrix %.128s%s", name,
	        nearest_hint(&near));
}

const struct stored *store_find(const struct store *s, const char *tenant,
                                const char *name, struct err *e)
{
	bool found;
	const size_t i = place(s, tenant, name, &found);

	if (found && s->at[i]->until_ns > clock_ns())
		return s->at[i];
	not_there(s, i, tenant, name, e);
	return NULL;
}

void store_remove(struct store *s, const struct stored *at)
{
	bool found;
	const size_t i = place(s, at->tenant, at->name, &found);

	s->bytes -= bytes_of(&s->at[i]->matrix);
	drop(s->at[i]);
	s->n--;
	memmove(s->at + i, s->at + i + 1, (s->n - i) * sizeof *s->at);
}

int64_t store_expire(struct store *s)
{
	const int64_t now = clock_ns();

	if (now < s->next_ns)
		return s->next_ns;
	s->next_ns = INT64_MAX;
	for (size_t i = s->n; i-- > 0;) {
		if (s->at[i]->until_ns <= now) {
			if (s->on_expiry)
				s->on_expiry(s->on_expiry_arg, s->at[i]);
			store_remove(s, s->at[i]);
		}
		else if (s->at[i]->until_ns < s->next_ns)
			s->next_ns = s->at[i]->until_ns;
	}
	return s->next_ns;
}

size_t store_count(const struct store *s)
{
	return s->n;
}

size_t store_bytes(const struct store *s)
{
	return s->bytes;
}

const struct stored *store_at(const struct store *s, size_t i)
{
	return s->at[i];
}

/* No name is empty, so that a tenant's names are after "". */
void store_range(const struct store *s, const char *tenant, size_t *first,
                 size_t *end)
{
	bool found;

	*first = *end = place(s, tenant, "", &found);
	while (*end < s->n && strcmp(s->at[*end]->tenant, tenant) == 0)
		(*end)++;
}

size_t store_bytes_of(const struct store *s, const char *tenant)
{
	size_t i, end, bytes = 0;

	for (store_range(s, tenant, &i, &end); i < end; i++)
		bytes += stored_bytes(s->at[i]);
	return bytes;
}
