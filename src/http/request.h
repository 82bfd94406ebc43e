/* request.h - the parameters and operands of a POST to an operation, from the
 * query string and the body. */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include "format/reader.h"
#include "http/handler.h"
#include "http/shares.h"
#include "http/wanted.h"
#include "matrix/store.h"
#include "queue/engine.h"
#include "wire/timing.h"

enum { DEVICE_SELECTOR = 129 };

enum { REQUEST_SHAPE = 80 };	/* "NAME.shape" */

struct request {
	struct engine *engine;		/* knows the devices */
	struct store *store;		/* for {"ref": name}, or NULL */
	struct wanted *wanted;		/* fills the store in later; or NULL */
	const struct tenant *tenant;	/* whose stored matrices and shares the
					 * request may name */
	/* Which outputs of the job are to be stored. The parameter `store`
	 * allocates *keeping; if keeping is NULL, the request has no such
	 * parameter. */
	struct keeping **keeping;
	struct pool *codec;
	const struct shares *shares;	/* for {"share": id} and `into` */
	bool takes_into;		/* the outputs may lie in a share */
	bool unlooked;			/* stored matrices are not looked up:
					 * the request is checked without
					 * them */
	/* The outputs' share, a reference that request_fini() drops, and its
	 * id; NULL: there is no parameter `into`. */
	struct memory *into;
	char into_id[SHARE_ID];
	struct args *args;		/* the job's, borrowed; filled in */
	const struct tensor_request *tensors;	/* of the Open Inference
					 * Protocol; or NULL */
	uint64_t devices;		/* as struct job's */
	char selector[DEVICE_SELECTOR];	/* the text that selected them; by
					 * default "auto" */
	bool anywhere;			/* another host of the fleet may run the
					 * job, so it is no error if no device
					 * of this one can: then `elsewhere` is
					 * the reason */
	struct err elsewhere;
	int dtype;			/* of the request, -1: not given; of
					 * raw octets their elements' type */
	int priority;
	int64_t timeout_ms;		/* 0: none */
	int64_t ttl_ns;			/* of what is stored; -1: not given */
	enum timing_level timing;
	/* Bit i: parameter i, of the operation or common to all, was given; and
	 * was given in the query. */
	unsigned given, given_common;
	unsigned in_query, in_query_common;
	bool in_body;			/* the query has ended */
	unsigned operands;		/* bit i: operand i was given */
	struct matrix shape[OP_INPUTS];	/* of raw operands, or absent */
	bool shaped;			/* a shape was given */
	char shape_name[REQUEST_SHAPE];	/* the first, "shape" or "a.shape" */
	bool shape_in_query;
	bool shape_used;		/* a reader has used the shapes */
	struct memory *arriving;	/* of the operand last reported to
					 * engine_expect() */
	size_t reported;		/* bytes of it that were reported */
};

/* Prepares r to fill in args, which is initialised for its operation. */
int request_init(struct request *r, struct engine *g, struct args *args,
                 struct err *e);

/* Sets whose request it is, and so its usual priority and the most urgent one
 * that it may ask for. */
void request_set_tenant(struct request *r, const struct tenant *t);

void request_fini(struct request *r);

/* Returns the sink that a body's reader needs to fill in r. */
struct sink request_sink(struct request *r, struct memory_pool *p);

/* These are a struct sink's and exchange_query()'s callbacks; arg is the
 * struct request. */
int request_parameter(void *arg, const char *name, const char *value,
                      struct err *e);
/* Notes the name of the parameter that gives the shape of raw octets. */
void request_note_shape(struct request *r, const char *name);

/* Returns the index of a parameter that all operations have; -1: there is none
 * of that name. */
int request_common(const char *name);

/* Notes that a parameter which all operations have was given. */
void request_note(struct request *r, const char *name);

/* To be called between the query and the body: all parameters so far were in
 * the query. */
void request_query_ends(struct request *r);

/* Changes the pointer of an error about a parameter of the query from
 * "/name" to "?name", and one into a body of operands by their names to where
 * the Open Inference Protocol has them. */
void request_locate(const struct request *r, struct err *e);

struct matrix *request_operand(void *arg, const char *name, struct err *e);
bool request_is_operand(void *arg, const char *name);
unsigned request_kinds(void *arg, const char *name);

/* Returns the kinds of values that parameter i of an operation may have in
 * JSON (json_value.h). */
unsigned request_kinds_of(const struct op *o, int i);

int request_check_name(void *arg, const char *name, bool matrix,
                       struct err *e);
int request_layout(void *arg, int i, const char **name, struct matrix *shape,
                   struct err *e);
int request_named_dtype(void *arg);
int request_reference(void *arg, const char *name, struct matrix *m,
                      struct err *e);
int request_fetched(void *arg, const char *name, struct matrix *m,
                    struct err *e);
int request_share(void *arg, const char *id, const struct matrix *m,
                  struct memory **from, struct err *e);

/* Returns the type to compute in; -1: the operands' types decide, because the
 * request names none, or names one for raw octets in which the operation does
 * not compute. */
int request_dtype(const struct request *r);

/* Returns whether the request has the parameter `return`. */
bool request_returns(const struct request *r);

void request_arrived(void *arg, struct memory *m, size_t bytes);

/* Settles how long outputs are stored and under which preconditions, when the
 * body has ended: ERR_PARAMETER, ERR_PRECONDITION. */
int request_settle_store(struct request *r, const struct exchange *x,
                         struct err *e);

/* ERR_PARAMETER if outputs shall lie in a share, and the answer does not tell
 * where. */
int request_check_into(const struct request *r, bool tells, struct err *e);

/* Makes the args ready for a job, once the operands are there: converts these,
 * checks all, allocates the outputs, or places them in the share that `into`
 * names. May run on any thread. */
int request_settle(struct request *r, struct memory_pool *p, struct err *e);

/* Places the outputs in the share that `into` names, if there is one, instead
 * of memory of their own. */
int request_place(struct request *r, struct args *a, struct err *e);

/* Checks the request as a whole, once everything was read and the dtype is
 * chosen. Removes the devices that cannot run the variant. */
int request_end(struct request *r, struct err *e);

#endif
