/* keep.h - makes stored matrices (matrix/store.h) of those outputs of a job
 * that the request's parameter `store` names.
 *
 * The outputs are stored after the computation has succeeded, just before the
 * job is concluded. Either all of them are stored, or none is and the job
 * fails. An output that is stored but not part of the reply is absent from the
 * job's args afterwards.
 */
#ifndef QUEUE_KEEP_H
#define QUEUE_KEEP_H

#include "base/pool.h"
#include "matrix/store.h"
#include "ops/op.h"

struct job;
struct tenant;

/* What stores the outputs in place of a struct store. keep() stores those of a
 * job that keep_outputs() has set apart, and calls then(j, e), which it may do
 * before it returns. */
struct keeper {
	void (*keep)(struct keeper *k, struct job *j,
	             void (*then)(struct job *j, const struct err *e));
};

struct kept {
	int output;			/* the output's index; KEEP_FIRST, if
					 * none is named, until keep_settle() */
	char name[STORE_NAME];		/* of the stored matrix */
	bool told;			/* the reply has the elements, too */
	uint64_t version;		/* of the stored matrix of that name, 0
					 * if there was none */
	struct matrix shape;		/* the output's shape and type, without
					 * memory; set when it is stored */
	struct matrix held;		/* with a keeper: the output, from
					 * keep_outputs() on until it is
					 * stored */
	/* Without one, from keep_outputs() on until keep_confirm() or
	 * keep_take_back(): */
	uint64_t stored;		/* the version that the output got */
	struct stored *before;		/* what it replaced, or NULL */
};

enum { KEEP_FIRST = -1 };

struct keeping {
	struct store *store;		/* with a keeper, only for versions */
	struct keeper *keeper;		/* NULL: the store stores them */
	const struct tenant *tenant;	/* whose the stored matrices are */
	struct pool *codec;
	int n;				/* outputs to store; 0: none */
	struct kept kept[OP_OUTPUTS];
	int64_t ttl_ns;			/* the time to live of what is stored;
					 * 0: no limit */
	bool conditional;		/* nothing is stored unless each name
					 * still has the version above */
	bool done;			/* the outputs are stored, or set apart
					 * for the keeper */
	struct ending *ending;		/* durable.c: the end of the job, which
					 * waits for the keeper */
	/* Of the check that keep_inspect() runs on a pool thread: */
	struct task task;
	struct err err;
	void (*then)(struct job *j, const struct err *e);
};

struct keeping *keep_new(struct store *s, const struct tenant *t,
                         struct pool *codec, struct err *e);

void keep_free(struct keeping *k);		/* NULL is fine */

/* Parses the value of the parameter `store`, "c1" or "lu:f,pivots:p".
 * ERR_PARAMETER or ERR_REQUEST for a wrong list, output or name. */
int keep_parse(struct keeping *k, const struct op *o, const char *value,
               struct err *e);

/* Notes the versions of the stored matrices that will be replaced:
 * keep_outputs() fails if one of them has another version by then. Must be
 * called on the loop's thread. */
void keep_insist(struct keeping *k);

/* Decides which outputs are stored, and adds them to a->want, so that they are
 * computed, even those that the operation makes only on request. To be called
 * when the operands are known and before args_check(). returns: a->want was set
 * by the parameter `return`. ERR_PARAMETER if this call does not have one of
 * the outputs. k may be NULL in this function and in
 * keep_check(): no output is stored then. */
int keep_settle(struct keeping *k, struct args *a, bool returns,
                struct err *e);

/* To be called after args_check(). ERR_PARAMETER if an output that is to be
 * stored is absent. */
int keep_check(const struct keeping *k, const struct args *a, struct err *e);

/* Checks the index arrays of large sparse outputs, which a worker has written,
 * on a pool thread, and calls then(j, e) on the loop's thread. Returns false,
 * and never calls then(), if no output needs this check. */
bool keep_inspect(struct job *j,
                  void (*then)(struct job *j, const struct err *e));

/* Stores the outputs of a job that has succeeded. ERR_PRECONDITION if a matrix
 * has changed since keep_insist(). With a keeper, only sets them apart, for
 * whoever records the end of the job to store them. */
int keep_outputs(struct job *j, struct err *e);

/* Notes that the keeper has stored the outputs that were set apart or, with
 * `fail`, has not. */
void keep_settled(struct keeping *k, bool fail);

/* Without a keeper, one of these follows keep_outputs(). The first lets go what
 * the stored outputs replaced, the second puts it back, unless others have
 * replaced the outputs meanwhile; nothing is stored then. k may be NULL. */
void keep_confirm(struct keeping *k);
void keep_take_back(struct keeping *k);

#endif
