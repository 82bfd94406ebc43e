/* store.c - see store.h. An array of pointers, sorted by name. */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "matrix/store.h"

struct store {
	struct stored **at;
	size_t n, room;
	size_t bytes;			/* of all matrices */
	uint64_t contents;		/* numbers given by name_contents() */
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

	if (!s)
		err_set(e, ERR_MEMORY, "no memory for stored matrices");
	return s;
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
	return err_set(e, ERR_REQUEST, "\"%.40s\" is no name of a matrix: 1 to "
	               "%d of A-Z a-z 0-9 . _ -, the first not a dot", name,
	               STORE_NAME - 1);
}

/* Returns the index of the name or, if *found is false, where to insert it. */
static size_t place(const struct store *s, const char *name, bool *found)
{
	size_t low = 0, high = s->n;

	*found = false;
	while (low < high && !*found) {
		const size_t mid = low + (high - low) / 2;
		const int order = strcmp(name, s->at[mid]->name);

		*found = order == 0;
		if (order > 0)
			low = mid + 1;
		else
			high = mid;
	}
	return high;
}

static int make_room(struct store *s, struct err *e)
{
	const size_t room = s->room ? 2 * s->room : 16;
	struct stored **at;

	if (s->n < s->room)
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

static int insert(struct store *s, size_t i, const char *name,
                  struct matrix *m, struct err *e)
{
	struct stored *new = calloc(1, sizeof *new);

	if (!new || make_room(s, e)) {
		free(new);
		return err_set(e, ERR_MEMORY, "no memory for matrix %.40s",
		               name);
	}
	memcpy(new->name, name, strlen(name) + 1);
	new->matrix = *m;
	memmove(s->at + i + 1, s->at + i, (s->n - i) * sizeof *s->at);
	s->at[i] = new;
	s->n++;
	return 1;
}

int store_put(struct store *s, const char *name, struct matrix *m,
              struct err *e)
{
	bool found;
	const size_t i = place(s, name, &found);

	name_contents(s, m->memory);
	name_contents(s, m->index);
	if (!found) {
		if (insert(s, i, name, m, e) < 0)
			return -1;
	} else {
		s->bytes -= bytes_of(&s->at[i]->matrix);
		matrix_fini(&s->at[i]->matrix);
		s->at[i]->matrix = *m;
	}
	s->bytes += bytes_of(m);
	*m = (struct matrix){ .ndim = MATRIX_ABSENT };
	return !found;
}

/* Sets an error with the stored name that was probably meant. Only the names
 * around the place where it would be inserted are compared, so that a large
 * store takes no longer. */
static void not_there(const struct store *s, size_t place, const char *name,
                      struct err *e)
{
	enum { BESIDE = 64 };
	struct nearest near = nearest_to(name);

	for (size_t i = place > BESIDE ? place - BESIDE : 0;
	     i < s->n && i < place + BESIDE; i++)
		nearest_try(&near, s->at[i]->name);
	err_set(e, ERR_NOT_FOUND, "there is no stored matrix %.128s%s", name,
	        nearest_hint(&near));
}

const struct stored *store_find(const struct store *s, const char *name,
                                struct err *e)
{
	bool found;
	const size_t i = place(s, name, &found);

	if (found)
		return s->at[i];
	not_there(s, i, name, e);
	return NULL;
}

void store_remove(struct store *s, const struct stored *at)
{
	bool found;
	const size_t i = place(s, at->name, &found);

	s->bytes -= bytes_of(&s->at[i]->matrix);
	drop(s->at[i]);
	s->n--;
	memmove(s->at + i, s->at + i + 1, (s->n - i) * sizeof *s->at);
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
