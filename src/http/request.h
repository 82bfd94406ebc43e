/* request.h - the parameters of a POST to an operation: those common to all
 * and the operation's own, from the query string or from the body. */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include "matrix/store.h"
#include "queue/engine.h"
#include "wire/timing.h"

struct request {
	struct engine *engine;		/* knows the devices */
	const struct store *store;	/* of references; NULL: there is none */
	struct args *args;		/* the job's; filled in here */
	uint64_t devices;
	int dtype;			/* as given, -1: not; of raw octets it
					 * is their elements' type */
	int priority;
	int64_t timeout_ms;		/* 0: none */
	enum timing_level timing;
	unsigned given, given_common;	/* bit i: parameter i was given, */
	unsigned in_query, in_query_common;	/* in the query */
	unsigned operands;		/* bit i: operand i was given */
	struct matrix shape[OP_INPUTS];	/* of raw operands, or absent */
	bool shaped;			/* one was given, */
	bool shape_used;		/* and asked for */
	struct memory *arriving;	/* of the operand last reported to
					 * engine_expect() */
	size_t reported;		/* bytes of it that were reported */
};

/* args is initialised for its operation. */
int request_init(struct request *r, struct engine *g, struct args *args,
                 struct err *e);

/* These are a struct sink's and exchange_query()'s callbacks; arg is the
 * struct request. */
int request_parameter(void *arg, const char *name, const char *value,
                      struct err *e);
/* What was given so far came in the query string. */
void request_query_ends(struct request *r);

/* A fault of such a parameter, found later, is one of the query: its pointer
 * becomes "?name". */
void request_locate(const struct request *r, struct err *e);

struct matrix *request_operand(void *arg, const char *name, struct err *e);
bool request_is_operand(void *arg, const char *name);
int request_check_name(void *arg, const char *name, bool matrix,
                       struct err *e);
int request_layout(void *arg, int i, const char **name, struct matrix *shape,
                   struct err *e);
int request_reference(void *arg, const char *name, struct matrix *m,
                      struct err *e);

/* The type to compute in; -1: the operands' decide, also where the operation
 * does not compute in the type of raw octets. */
int request_dtype(const struct request *r);

void request_arrived(void *arg, struct memory *m, size_t bytes);

/* When everything has been read and the dtype is settled: does it fit
 * together? Leaves the devices that can run the variant. */
int request_end(struct request *r, struct err *e);

#endif
