/* draft.h - a draft is a request for a pipeline (ops/pipeline.h) while it is
 * read: the description of its steps, its operands under the names that the
 * client chose, and the parameters common to all steps.
 *
 *     query, saved description ──┐
 *     body: steps, return ───────┼──▶ draft_build ──▶ struct pipeline
 *     body: operands ────────────┘        │
 *                                draft_prepare, on any thread
 *
 * A description is {"steps": [{"op": "lu", "a": "@a", "as": "f"}, ...],
 * "return": ["f", "f.pivots"], "store": "f:name"}. As an operand of a step,
 * "@a" is the operand a of the request or, if the request has no operand a, the
 * stored matrix a; "f" is the first output of the earlier step f, "f.pivots"
 * its output pivots; a value that is no string is a literal matrix. All
 * functions are for the loop's thread, but draft_prepare() and, of a draft that
 * only one thread knows, draft_describe() and draft_mention().
 */
#ifndef HTTP_DRAFT_H
#define HTTP_DRAFT_H

#include <jansson.h>

#include "format/json_value.h"
#include "format/part.h"
#include "format/reader.h"
#include "http/request.h"
#include "ops/pipeline.h"

enum { DRAFT_NAME = PIPELINE_OPERAND };
_Static_assert((int)DRAFT_NAME <= (int)PART_NAME,
               "errors name operands, and point to them, by their whole names");

/* The kinds of values of a description's `return` and `store`. */
enum { DRAFT_LIST = VALUE_STRING | VALUE_STRINGS };

/* An operand that has a name in the request. */
struct drafted {
	char name[DRAFT_NAME];
	struct matrix matrix;		/* from the body, or absent */
	struct matrix stored;		/* the stored matrix of this name,
					 * or absent */
	struct matrix shape;		/* the shape that the query gives for
					 * raw octets, or absent */
	bool given;
};

struct draft {
	struct request *request;	/* has the common parameters */
	struct memory_pool *memory;
	const char *root;		/* as struct pipeline's */
	json_t *steps;			/* an array of objects; NULL until the
					 * request's steps arrive */
	json_t *returned;		/* the description's "return", an array
					 * of strings, or NULL */
	json_t *stored;			/* the description's "store", the
					 * same */
	char *returns, *stores;		/* the parameters `return` and `store`,
					 * or NULL */
	bool described;			/* the steps are those of a saved
					 * pipeline, whose "return" the
					 * parameter `return` overrides */
	int n_told;			/* the outputs of the pipeline that
					 * `return` names */
	struct drafted operand[PIPELINE_OPERANDS];
	int n;
	int place[PIPELINE_OPERANDS];	/* the index in operand[] of the
					 * pipeline's operand i; -1 if that
					 * operand is a literal matrix */
	int n_places;
	struct reader *literal[PIPELINE_OPERANDS];	/* readers of literal
					 * matrices that are not finished;
					 * or NULL */
	struct sink sink;		/* receives the literal matrices */
	struct matrix *reading;		/* the one whose reader is opened */
	bool shaped, shape_used;
	struct pipeline *pipeline;	/* NULL before draft_build() */
	bool handed_over;		/* the job owns the pipeline */
};

/* The operation of a pipeline's job until its steps are known. */
extern const struct op draft_op;

struct draft *draft_new(struct request *r, struct memory_pool *p,
                        struct err *e);
/* Does the same with the description of a saved pipeline. */
struct draft *draft_saved(const char *text, struct request *r,
                          struct memory_pool *p, struct err *e);
void draft_free(struct draft *d);		/* NULL is fine */

/* Reads a description in JSON. Returns 0, or -1 with ERR_REQUEST or
 * ERR_PARAMETER. */
int draft_describe(struct draft *d, const char *text, struct err *e);

/* Callbacks that put parameters and operands into a draft: draft_parameter() is
 * exchange_query()'s, with the struct draft as arg; draft_sink() returns those
 * of the body's reader. */
int draft_parameter(void *arg, const char *name, const char *value,
                    struct err *e);
struct sink draft_sink(struct draft *d);

/* Notes the stored matrices that draft_build() may look up: those that literal
 * matrices of the steps refer to, and those with the names of operands that
 * have not arrived. */
int draft_note(const struct draft *d, struct wanted *w, struct err *e);

/* Makes the pipeline after the end of the body, and makes *a its call, which
 * owns the pipeline from then on: looks up the stored matrices and reads the
 * short literal ones. Sets *work if draft_prepare() will take longer than a
 * millisecond. An error has the JSON pointer of the step. */
int draft_build(struct draft *d, struct args *a, bool *work, struct err *e);

/* Finishes the readers of the operands, then checks and prepares the pipeline.
 * a has the arguments of the pipeline's job. May run on any thread. */
int draft_prepare(struct draft *d, struct args *a, struct err *e);

/* Changes the pointer of an error about `store` to where the request has it. */
void draft_locate(const struct draft *d, struct err *e);

/* Estimates the time for draft_prepare(), in bytes as reader_cost(). */
double draft_cost(const struct draft *d);

/* Returns the name of the i-th operand that the description mentions, or
 * NULL. */
const char *draft_mention(const struct draft *d, int i);

/* Makes a pipeline of the description, with the operands that the steps name,
 * and sets d->place. NULL with an error. */
struct pipeline *draft_steps(struct draft *d, struct err *e);

/* --- for draft*.c alone */

/* Returns the draft's operand of that name, which is added if there is none;
 * NULL with ERR_REQUEST. */
struct drafted *draft_operand(struct draft *d, const char *name,
                              struct err *e);
int draft_reference(void *arg, const char *name, struct matrix *m,
                    struct err *e);
int draft_share(void *arg, const char *id, const struct matrix *m,
                struct memory **from, struct err *e);
int draft_dtype(void *arg);

/* Returns the operand's name if the value is "@name", else NULL. */
const char *draft_mentioned(const json_t *value);

/* Returns the index of the step whose name is the first n bytes of name, among
 * the first `before` steps; -1 if there is none. */
int draft_find_step(const struct pipeline *p, int before, const char *name,
                    size_t n);

/* Reads all members of step k except "op" and "as". */
int draft_take_members(struct draft *d, struct pipeline *p, int k,
                       json_t *step, struct err *e);

/* Decides which outputs the pipeline returns, and which of them are stored. */
int draft_outputs(struct draft *d, struct pipeline *p, struct err *e);

/* draft_fault() sets ERR_PARAMETER with the text why; draft_point() gives an
 * error that is set the JSON pointer of a member of the description's step k,
 * or of the step if member is NULL, as draft_fault() does, too. draft_within()
 * puts that of the step before a pointer into it. All return -1. */
int draft_fault(struct err *e, const struct pipeline *p, int k,
                const char *member, const char *why);
int draft_point(struct err *e, const struct pipeline *p, int k,
                const char *member);
int draft_within(struct err *e, const struct pipeline *p, int k);

/* Returns the number of the pipeline's operand of that name; an operand without
 * a number gets the next one. A literal matrix has the name NULL and always
 * gets a new number. -1 with ERR_PARAMETER when there are too many operands. */
int draft_place(struct draft *d, const char *name, struct err *e);

/* Begins to read a literal matrix, the operand `name` of a step, as the
 * pipeline's operand number i. */
int draft_literal(struct draft *d, struct pipeline *p, int i,
                  const char *name, json_t *value, struct err *e);

#endif
