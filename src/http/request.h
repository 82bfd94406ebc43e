/* request.h - the parameters and operands of a POST to an operation, from the
 * query string and the body. */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include "matrix/store.h"
#include "queue/engine.h"
#include "wire/timing.h"

struct request {
	struct engine *engine;		/* knows the devices */
	const struct store *store;	/* for {"ref": name}, or NULL */
	struct args *args;		/* the job's, borrowed; filled in */
	uint64_t devices;		/* as struct job's */
	int dtype;			/* of the request, -1: not given; of
					 * raw octets their elements' type */
	int priority;
	int64_t timeout_ms;		/* 0: none */
	enum timing_level timing;
	/* Bit i: parameter i, of the operation or common to all, was given; and
	 * was given in the query. */
	unsigned given, given_common;
	unsigned in_query, in_query_common;
	unsigned operands;		/* bit i: operand i was given */
	struct matrix shape[OP_INPUTS];	/* of raw operands, or absent */
	bool shaped;			/* a shape was given */
	bool shape_used;		/* a reader has used the shapes */
	struct memory *arriving;	/* of the operand last reported to
					 * engine_expect() */
	size_t reported;		/* bytes of it that were reported */
};

/* Prepares r to fill in args, which is initialised for its operation. */
int request_init(struct request *r, struct engine *g, struct args *args,
                 struct err *e);

/* These are a struct sink's and exchange_query()'s callbacks; arg is the
 * struct request. */
int request_parameter(void *arg, const char *name, const char *value,
                      struct err *e);
/* To be called between the query and the body: all parameters so far were in
 * the query. */
void request_query_ends(struct request *r);

/* Changes the pointer of an error about a parameter of the query from
 * "/name" to "?name". */
void request_locate(const struct request *r, struct err *e);

struct matrix *request_operand(void *arg, const char *name, struct err *e);
bool request_is_operand(void *arg, const char *name);
int request_check_name(void *arg, const char *name, bool matrix,
                       struct err *e);
int request_layout(void *arg, int i, const char **name, struct matrix *shape,
                   struct err *e);
int request_named_dtype(void *arg);
int request_reference(void *arg, const char *name, struct matrix *m,
                      struct err *e);

/* Returns the type to compute in; -1: the operands' types decide, because the
 * request names none, or names one for raw octets in which the operation does
 * not compute. */
int request_dtype(const struct request *r);

void request_arrived(void *arg, struct memory *m, size_t bytes);

/* Checks the request as a whole, once everything was read and the dtype is
 * chosen. Removes the devices that cannot run the variant. */
int request_end(struct request *r, struct err *e);

#endif
