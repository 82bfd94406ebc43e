/* keep.c - see keep.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "queue/job.h"
#include "queue/keep.h"
#include "queue/quota.h"

struct keeping *keep_new(struct store *s, const struct tenant *t,
                         struct pool *codec, struct err *e)
{
	struct keeping *k = calloc(1, sizeof *k);

	if (!k) {
		err_set(e, ERR_MEMORY, "no memory for a parameter");
		return NULL;
	}
	k->store = s;
	k->tenant = t;
	k->codec = codec;
	k->ttl_ns = s ? store_ttl(s) : 0;
	return k;
}

static void let_go(struct kept *one)
{
	if (one->before)
		matrix_fini(&one->before->matrix);
	free(one->before);
	one->before = NULL;
}

void keep_free(struct keeping *k)
{
	for (int i = 0; k && i < k->n; i++) {
		matrix_fini(&k->kept[i].held);
		let_go(&k->kept[i]);
	}
	free(k);
}

/* Refuses an output or a stored name that is in the list already. */
static int check_new(const struct keeping *k, int output, const char *name,
                     struct err *e)
{
	for (int i = 0; i < k->n; i++) {
		if (k->kept[i].output == output)
			return err_set(e, ERR_PARAMETER, "store names an "
			               "output twice");
		if (strcmp(k->kept[i].name, name) == 0)
			return err_set(e, ERR_PARAMETER, "store gives two "
			               "outputs the name %s", name);
	}
	return 0;
}

/* Adds an item of the parameter's list, "NAME" or "OUTPUT:NAME". */
static int add(struct keeping *k, const struct op *o, char *one,
               struct err *e)
{
	char *colon = strchr(one, ':');
	const char *name = colon ? colon + 1 : one;
	int output = KEEP_FIRST;

	if (colon) {
		*colon = 0;
		output = op_output(o, one);
		if (output < 0)
			return op_refuse_output(o, one, e);
	}
	if (store_check_name(name, e) || check_new(k, output, name, e))
		return -1;
	if (k->n == OP_OUTPUTS)
		return err_set(e, ERR_PARAMETER, "store lists more outputs "
		               "than there are");
	k->kept[k->n].output = output;
	strcpy(k->kept[k->n++].name, name);
	return 0;
}

int keep_parse(struct keeping *k, const struct op *o, const char *value,
               struct err *e)
{
	char *copy = strdup(value), *rest = copy, *one;
	int rc = 0;

	if (!copy)
		return err_set(e, ERR_MEMORY, "no memory for a parameter");
	while (!rc && (one = strsep(&rest, ",")))
		rc = add(k, o, one + strspn(one, " "), e);
	free(copy);
	return rc;
}

/* Returns the stored matrix that has the name of output i, or NULL. */
static const struct stored *find(const struct keeping *k, int i)
{
	return store_find(k->store, k->tenant->name, k->kept[i].name,
	                  &(struct err){ 0 });
}

static uint64_t version_of(const struct keeping *k, int i)
{
	const struct stored *s = find(k, i);

	return s ? s->version : 0;
}

void keep_insist(struct keeping *k)
{
	k->conditional = true;
	for (int i = 0; i < k->n; i++)
		k->kept[i].version = version_of(k, i);
}

/* Returns the call's first output, or the first one that a pipeline returns; -1
 * with *e. */
static int first_output(const struct args *a, struct err *e)
{
	return a->pipeline ? 0 : args_first_output(a, e);
}

static int settle_first(struct keeping *k, const struct args *a,
                        struct err *e)
{
	for (int i = 0; i < k->n; i++) {
		const int first = k->kept[i].output == KEEP_FIRST ?
		                  first_output(a, e) : k->kept[i].output;

		if (first < 0)
			return -1;
		for (int other = 0; other < k->n; other++)
			if (other != i && k->kept[other].output == first)
				return err_set(e, ERR_PARAMETER, "store names "
				               "output %s twice",
				               a->op->outputs[first].name);
		k->kept[i].output = first;
	}
	return 0;
}

/* `returns`: the request names the outputs that it wants to have in the reply.
 * Otherwise it wants those that the call makes without being asked for any, and
 * a->want gets them before `store` adds others. */
static int settle(struct keeping *k, struct args *a, bool returns,
                  struct err *e)
{
	return settle_first(k, a, e) < 0 ? -1 :
	       returns ? 0 : args_usual_outputs(a, &a->want, e);
}

int keep_settle(struct keeping *k, struct args *a, bool returns,
                struct err *e)
{
	const unsigned named = a->want;

	if (!k || !k->n)
		return 0;
	if (settle(k, a, returns || a->pipeline, e)) {
		if (!e->pointer[0] && e->code == ERR_PARAMETER)
			strcpy(e->pointer, "/store");
		return -1;
	}
	for (int i = 0; i < k->n; i++) {
		struct kept *one = &k->kept[i];

		one->told = returns && named >> one->output & 1;
		a->want |= 1u << one->output;
	}
	return 0;
}

int keep_check(const struct keeping *k, const struct args *a, struct err *e)
{
	for (int i = 0; k && i < k->n; i++)
		if (a->out[k->kept[i].output].ndim == MATRIX_ABSENT)
			return err_set_at(e, ERR_PARAMETER, "/store", "%s: "
			    "this call has no output %s to store",
			    a->op->name,
			    a->op->outputs[k->kept[i].output].name);
	return 0;
}

static bool is_large_sparse(const struct matrix *m)
{
	return m->ndim != MATRIX_ABSENT && m->layout == CSR &&
	       m->index->fd >= 0;
}

static void inspect(void *arg)
{
	struct job *j = arg;
	const struct keeping *k = j->keeping;

	for (int i = 0; i < k->n; i++) {
		const struct matrix *m = &j->args.out[k->kept[i].output];

		if (is_large_sparse(m) && sparse_check(m, &j->keeping->err))
			return;
	}
}

static void inspected(void *arg)
{
	struct job *j = arg;

	j->keeping->then(j, &j->keeping->err);
}

bool keep_inspect(struct job *j,
                  void (*then)(struct job *j, const struct err *e))
{
	struct keeping *k = j->keeping;
	double bytes = 0;

	for (int i = 0; k && i < k->n; i++) {
		const struct matrix *m = &j->args.out[k->kept[i].output];

		if (is_large_sparse(m))
			bytes += (double)matrix_index_size(m);
	}
	if (bytes == 0)
		return false;
	k->then = then;
	pool_submit(k->codec, &k->task, pool_cost_ns(bytes), inspect,
	            inspected, j);
	return true;
}

/* Frees the memory beyond the end of a matrix. An output that may be complex
 * leaves half of its memory unused if its elements are real. */
static void cut(struct matrix *m, struct err *e)
{
	const size_t bytes = matrix_size(m);

	if (m->memory && m->memory->refs == 1 && m->memory->bytes > bytes)
		memory_resize(&m->memory, bytes, e);
}

static int check_versions(const struct keeping *k, struct err *e)
{
	for (int i = 0; k->conditional && i < k->n; i++)
		if (version_of(k, i) != k->kept[i].version)
			return err_set_at(e, ERR_PRECONDITION, "/store", "the "
			    "stored matrix %.60s has changed while the job "
			    "ran; nothing was stored", k->kept[i].name);
	return 0;
}

static int check_present(const struct job *j, struct err *e)
{
	const struct keeping *k = j->keeping;

	for (int i = 0; i < k->n; i++)
		if (j->args.out[k->kept[i].output].ndim == MATRIX_ABSENT)
			return err_set_at(e, ERR_MATHEMATICS, "/store", "%s "
			    "gave no %s, which was to be stored; nothing is",
			    j->args.op->name,
			    j->args.op->outputs[k->kept[i].output].name);
	return 0;
}

/* Notes what the outputs will replace. */
static int note_before(struct keeping *k, struct err *e)
{
	for (int i = 0; i < k->n; i++) {
		const struct stored *s = find(k, i);
		struct kept *one = &k->kept[i];

		if (!s)
			continue;
		one->before = malloc(sizeof *s);
		if (!one->before)
			return err_set(e, ERR_MEMORY,
			               "no memory to store the outputs");
		*one->before = *s;
		one->before->matrix = matrix_ref(&s->matrix);
	}
	return 0;
}

static int put_in_store(struct keeping *k, struct err *e)
{
	struct store_entry entry[OP_OUTPUTS];

	if (note_before(k, e))
		return -1;
	for (int i = 0; i < k->n; i++)
		entry[i] = (struct store_entry){ k->tenant->name,
		                                 k->kept[i].name,
		                                 &k->kept[i].held,
		                                 k->ttl_ns };
	if (quota_store(k->tenant, k->store, entry, (size_t)k->n, e) ||
	    store_put_all(k->store, entry, (size_t)k->n, e))
		return -1;
	for (int i = 0; i < k->n; i++)
		k->kept[i].stored = version_of(k, i);
	return 0;
}

void keep_confirm(struct keeping *k)
{
	for (int i = 0; k && i < k->n; i++)
		let_go(&k->kept[i]);
}

void keep_take_back(struct keeping *k)
{
	for (int i = 0; k && k->done && i < k->n; i++) {
		const struct stored *s = find(k, i);
		struct kept *one = &k->kept[i];

		if (!s || s->version != one->stored)
			continue;
		store_remove(k->store, s);
		if (one->before)
			store_restore(k->store, one->before,
			              &(struct err){ 0 });
	}
	keep_confirm(k);
	if (k)
		k->done = false;
}

static void release_held(struct keeping *k)
{
	for (int i = 0; i < k->n; i++) {
		matrix_fini(&k->kept[i].held);
		k->kept[i].held = (struct matrix){ 0 };
	}
}

void keep_settled(struct keeping *k, bool fail)
{
	release_held(k);
	k->done = !fail;
}

int keep_outputs(struct job *j, struct err *e)
{
	struct keeping *const k = j->keeping;
	struct err ignored = { 0 };

	if (!k || !k->n || k->done)
		return 0;
	if (check_present(j, e) || (!k->keeper && check_versions(k, e)))
		return -1;
	for (int i = 0; i < k->n; i++) {
		struct matrix *m = &j->args.out[k->kept[i].output];

		cut(m, &ignored);
		k->kept[i].shape = *m;
		k->kept[i].shape.memory = k->kept[i].shape.index = NULL;
		k->kept[i].held = matrix_ref(m);
	}
	if (!k->keeper && put_in_store(k, e)) {
		keep_confirm(k);
		release_held(k);
		return -1;
	}
	for (int i = 0; i < k->n; i++)
		if (!k->kept[i].told)
			matrix_fini(&j->args.out[k->kept[i].output]);
	k->done = true;
	return 0;
}
