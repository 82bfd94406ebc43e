/* saved.c - see saved.h. */
#include <stdlib.h>
#include <string.h>

#include "queue/depot.h"
#include "queue/saved.h"

void saved_fini(struct saved_list *l)
{
	for (int i = 0; i < l->n; i++)
		free(l->at[i].text);
	free(l->at);
	*l = (struct saved_list){ 0 };
}

static int compare(const struct saved *s, const struct tenant *t,
                   const char *name)
{
	const int order = strcmp(s->tenant->name, t->name);

	return order ? order : strcmp(s->name, name);
}

/* Returns the index of the tenant's text of that name; if there is none,
 * *found is false and the index is where to insert it. */
static int place(const struct saved_list *l, const struct tenant *t,
                 const char *name, bool *found)
{
	int i = 0;

	while (i < l->n && compare(&l->at[i], t, name) < 0)
		i++;
	*found = i < l->n && compare(&l->at[i], t, name) == 0;
	return i;
}

const struct saved *saved_find(const struct saved_list *l,
                               const struct tenant *t, const char *name,
                               struct err *e)
{
	bool found;
	const int i = place(l, t, name, &found);

	if (!found)
		err_set(e, ERR_NOT_FOUND, "there is no pipeline %.60s; GET "
		        "/pipelines lists those there are", name);
	return found ? &l->at[i] : NULL;
}

/* Makes room for one more of the tenant's pipelines. */
static int make_room(struct saved_list *l, const struct tenant *t,
                     struct err *e)
{
	struct saved *at;
	int own = 0;

	for (int i = 0; i < l->n; i++)
		own += l->at[i].tenant == t;
	if (own >= DEPOT_PIPELINES)
		return err_set(e, ERR_MEMORY, "there are %d saved pipelines, "
		               "as many as may be", own);
	if (l->n < l->room)
		return 0;
	at = reallocarray(l->at, (size_t)(2 * l->room + 8), sizeof *at);
	if (!at)
		return err_set(e, ERR_MEMORY, "no memory for a pipeline");
	l->at = at;
	l->room = 2 * l->room + 8;
	return 0;
}

int saved_put(struct saved_list *l, const struct tenant *t, const char *name,
              const char *text, struct err *e)
{
	char *copy = strdup(text);
	bool found;
	const int i = place(l, t, name, &found);

	if (!copy)
		return err_set(e, ERR_MEMORY, "no memory for a pipeline");
	if (!found && make_room(l, t, e)) {
		free(copy);
		return -1;
	}
	if (found) {
		free(l->at[i].text);
	} else {
		memmove(&l->at[i + 1], &l->at[i],
		        (size_t)(l->n - i) * sizeof l->at[0]);
		l->at[i].tenant = t;
		strcpy(l->at[i].name, name);
		l->n++;
	}
	l->at[i].text = copy;
	return !found;
}

void saved_remove(struct saved_list *l, const struct saved *s)
{
	const int i = (int)(s - l->at);

	free(l->at[i].text);
	l->n--;
	memmove(&l->at[i], &l->at[i + 1],
	        (size_t)(l->n - i) * sizeof l->at[0]);
}
