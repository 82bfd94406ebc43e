/* op.h - an operation: what the front knows of it, and how it runs.
 *
 * One const struct per operation, listed in ops.def. Its tables drive
 * validation, GET /ops, api/openapi.yaml, the benchmark and the tests. `check`
 * and `shape` run in the front, `run` and `residual` in a worker.
 *
 * A summary and a help begin in lower case, but not with a value or a symbol,
 * and end without a full stop: where they are a sentence, both are added.
 */
#ifndef OPS_OP_H
#define OPS_OP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/verdict.h"
#include "matrix/matrix.h"
#include "wire/sheet.h"

enum { OP_INPUTS = 4, OP_OUTPUTS = 10, OP_PARAMS = 16, OP_BATCH = 32 };

struct seq;
struct args;
struct pipeline;
struct need;
struct failure;

enum param_type {
	PARAM_REAL, PARAM_INTEGER, PARAM_BOOLEAN, PARAM_CHOICE,
	PARAM_LIST			/* PARAM_LIST_LENGTH whole numbers */
};

enum { PARAM_LIST_LENGTH = 3 };

/* A parameter's value is a double whatever its type: the number, 0 or 1, or
 * the index of the choice; NAN when it was not given and has no default. A
 * list must be the last row of its table; its values fill the entries of
 * args.param from its own index on. */
struct param {
	const char *name;
	enum param_type type;
	double fallback;		/* NAN: none */
	double min, max;		/* inclusive; of numbers */
	bool above_min, below_max;	/* min, max itself is excluded */
	const char *const *choices;	/* NULL-terminated; of PARAM_CHOICE */
	const char *help;
};

struct operand {
	const char *name, *help;
	int min_dims;			/* 0: scalars too, 1: vectors too, 2 */
	bool optional;
	enum layout layout;		/* CSR: dense matrices are converted,
					 * stacks and vectors refused */
};

struct output {
	const char *name, *help;
	bool on_request;		/* only when `return` names it */
};

enum requirement {
	NEEDS_CPU = 1,			/* PoCL on a CPU */
	NEEDS_SUBGROUPS = 2,
	NEEDS_SM80 = 4,			/* NVIDIA's Ampere or later */
	NEEDS_ATOMICS64 = 8,
	NEEDS_SM90 = 16,		/* NVIDIA's Hopper and no other */
	NEEDS_CLUSTER = 32,		/* the processes of linalgd-mpi */
};

/* One way to compute the whole operation, for every parameter value unless
 * `takes` says otherwise. Those with NEEDS_CLUSTER have no `run`: see
 * ops/scalapack.h. */
struct args;
struct variant {
	const char *name;
	unsigned requires;		/* enum requirement bits */
	unsigned auto_for;		/* device_type bits: for variant=auto */
	unsigned dtypes;		/* DTYPE_BIT()s */
	const char *kernels;		/* their names, separated by spaces */
	const char *origin;		/* "linalgd", or the article */
	int (*run)(struct seq *s, struct args *a);
	/* Adds what a call takes of the device's memory: ops/need.h. NULL: the
	 * call is computed in the host's memory alone. */
	void (*need)(const struct args *a, const struct variant *v,
	             const struct sheet *d, struct need *n);
	const void *how;		/* what tells the row apart from others
					 * of the same `run` or `need`; of a
					 * type of the operation's own */
	/* Runs up to OP_BATCH calls that are args_alike() and whose memory is
	 * in the slab in one launch; returns 1 if it cannot take these calls.
	 * NULL: calls always run one by one. */
	int (*run_batch)(struct seq *s, struct args *const calls[], int n);
	const char *more_kernels;	/* for integers and complex numbers */
	/* Refuses a call that the variant does not compute, with the reason.
	 * NULL: it computes every call. */
	int (*takes)(const struct args *a, struct err *e);
	/* The matrices stay in the host's memory. `auto` takes the variant only
	 * if the device cannot hold what another one needs. */
	bool streams;
};

/* How a call may be cut into parts, which are calls on some of the rows. */
struct cut {
	size_t rows;			/* first dimension of what is cut */
	size_t unit;			/* parts begin at multiples of it */
	unsigned in, out;		/* bits: the operands and outputs that
					 * are cut; parts share the others */
};

/* How several devices compute one call together, as a gang: all parts run at
 * once, each on a device of its own that holds some blocks of columns, and
 * exchange what the others need through memory that they share. */
struct gang_plan {
	int asked;			/* devices that the request names; 0: it
					 * leaves that to the service */
	size_t width;			/* columns of a block: block b belongs
					 * to part b % parts; 0: the call cannot
					 * be computed so */
	size_t board, head;		/* bytes of the shared memory; of its
					 * start, which must be 0 at first */
	unsigned out;			/* bits: the outputs that every part
					 * writes some of; the first part writes
					 * the others */
	double moved;			/* bytes that each part gets from the
					 * other parts */
};

/* A call's place in a gang. { 0 }: it is in none. */
struct gang {
	int part, parts;
	size_t width;			/* as in struct gang_plan */
	struct matrix board;		/* memory that all parts map for writing
					 * (device/board.h); or absent */
};

struct op {
	const char *name, *summary;
	const char *details;		/* sentences, paragraphs; or NULL */
	unsigned dtypes;		/* of the arithmetic and the answer */
	unsigned asked_dtypes;		/* those of them that are taken only if
					 * the request names them */
	bool halves;			/* float16 and bfloat16, too: computed
					 * in float32, stored on either side as
					 * they are (device/halves.c) */
	unsigned indices;		/* bit i: operand i is of indices */
	unsigned sparse_too;		/* bit i: sparse, operand i stays so
					 * (but see stays_sparse), and so does
					 * the output of its name */
	unsigned booleans, complex_too;	/* bit i: output i is of booleans, may
					 * be complex */
	unsigned shorter_too;		/* bit i: output i may be shorter than
					 * its shape (args.shorter) */
	/* Bit i: another process may change operand i, or output i, of float32
	 * or float64 while the call runs: elements never become an index, a
	 * count or a branch on which a memory access depends, so that a change
	 * only changes numbers of the answer. */
	unsigned changing_in, changing_out;
	bool iterative;			/* its time depends on the elements */
	const struct operand *inputs;	/* ended by a NULL name, as all here */
	const struct param *params;
	const struct output *outputs;
	const struct variant *variants;	/* `auto`: the first suitable one */

	/* Called when the operands' common type is float64 and the client asked
	 * for none: returns int64 if only int64 gives the exact answer, else
	 * float64. Reads the elements. NULL: always float64. */
	enum dtype (*exact)(const struct args *a);
	/* Must a dense operand's zeros be kept when it becomes CSR, because
	 * they are multiplied by an infinity or a NaN? Reads the elements;
	 * where those are not known yet, zeros are kept. NULL: never. */
	bool (*zeros_count)(const struct args *a);
	/* Does this call leave operand i of sparse_too as it is, or shall a
	 * sparse one become dense? Called before `check`. NULL: it does. */
	bool (*stays_sparse)(const struct args *a, int i);
	/* Does this call want dense operand i of sparse_too, one matrix, as a
	 * sparse one? Called before `check`. NULL: it does not. */
	bool (*becomes_sparse)(const struct args *a, int i);
	/* Checks the operands and parameters; ERR_PARAMETER and the like become
	 * status 422. */
	int (*check)(const struct args *a, struct err *e);
	/* Sets dtype and shape of every wanted output (see args.want); an
	 * output that this call does not have stays absent. An output that may
	 * be complex gets a complex dtype (see args.real). Sets args.stack
	 * where it differs from the stack of the first operand. */
	int (*shape)(struct args *a, struct err *e);
	/* The work of one call, or of one round of an iterative operation;
	 * bytes is the least that must be moved. */
	double (*flops)(const struct args *a);
	double (*bytes)(const struct args *a);
	/* Sets how the call may be cut; every element must come out with the
	 * same bits on devices of the same kind. False: it may not be cut.
	 * NULL: no call may. Operations with `residual` have none. */
	bool (*cut)(const struct args *a, struct cut *c);
	/* Sets how so many devices would compute the call as a gang; the answer
	 * is as exact as one device's. NULL: no call is computed so. */
	void (*gang)(const struct args *a, int parts, struct gang_plan *g);
	/* Computes a->verdict from in and out, as exactly as a->quality asks.
	 * NULL: the operation has no verdict. */
	int (*residual)(struct seq *s, struct args *a);
	/* `residual` works by launches on `out`, while it is on the device. */
	bool residual_launches;
	/* Says in words, with the numbers, why a matrix of a stack failed
	 * (ops/failure.h); called in the front and in a worker. NULL: a failure
	 * ends the call. */
	void (*describe)(const struct args *a, const struct failure *f,
	                 struct err *e);
	/* Fills in[] with n-sized sample operands for warming, checkers of
	 * kernels and the benchmark; their memory comes from pool. Even and odd
	 * n may give different kinds of operands, where `auto` treats kinds
	 * differently. */
	int (*sample)(struct args *a, size_t n, struct memory_pool *pool,
	              struct err *e);
};

enum quality { QUALITY_ESTIMATE, QUALITY_FULL, QUALITY_NONE };

/* Why a matrix failed: the error's kind and numbers that describe() puts into
 * words; each operation defines the numbers' meaning. */
struct failure_detail {
	int32_t code;			/* enum err_code */
	int32_t at;
	double x, y;
};

/* A matrix of a stack that has no answer. */
struct failure {
	size_t index;			/* in the answer's stack, flat */
	struct failure_detail detail;
};

/* One call of an operation. It owns no memory but that of its matrices. */
struct args {
	const struct op *op;
	const struct variant *variant;	/* set before run */
	enum dtype dtype;		/* of the arithmetic and the answer */
	enum dtype half;		/* the answer's where that is float16 or
					 * bfloat16; dtype is float32 then, and
					 * else the same as this */
	enum quality quality;
	unsigned want;			/* bit i: output i is wanted */
	double param[OP_PARAMS];	/* in the order of op->params */
	struct matrix in[OP_INPUTS], out[OP_OUTPUTS];	/* or absent */
	unsigned real;			/* bit i: output i has a complex dtype
					 * but all values are real: its memory
					 * holds the real parts alone */
	unsigned shorter;		/* bit i: run() has made the last
					 * dimension of output i less than
					 * shape() had: by `fewer`, or by one
					 * if that is 0 */
	size_t fewer;
	struct verdict verdict;
	size_t stack;			/* matrices of the answer */
	struct matrix failed;		/* ops/failure.h; or absent */
	size_t failures;
	struct failure first_failure;	/* in a worker */
	struct gang gang;		/* set when the job begins */
	struct pipeline *pipeline;	/* the steps, if the call is a pipeline
					 * (ops/pipeline.h), owned; or NULL */
};

/* Every row of ops.def, ended by NULL, and their number. */
extern const struct op *const ops[];
#define OP(id) extern const struct op op_##id;
#include "ops/ops.def"
#undef OP
enum { OPS = 0
#define OP(id) + 1
#include "ops/ops.def"
#undef OP
};

const struct op *op_find(const char *name);

/* The types that the operation computes in without being asked to. */
static inline unsigned op_usual_dtypes(const struct op *o)
{
	return o->dtypes & ~o->asked_dtypes;
}

/* The index of that input, parameter or output; -1 if there is none. */
int op_input(const struct op *o, const char *name);
int op_param(const struct op *o, const char *name);
int op_output(const struct op *o, const char *name);

/* Can a request name that dtype for the answer? */
static inline bool op_takes_dtype(const struct op *o, enum dtype d)
{
	return o->dtypes >> d & 1 || (o->halves && dtype_is_half(d));
}

/* Refusals of a name that the operation does not have; they list the names
 * there are and suggest the one that was probably meant. Always -1 with
 * ERR_PARAMETER; an unknown operand is ERR_REQUEST. */
int op_refuse_dtype(const struct op *o, const char *name, struct err *e);
int op_refuse_variant(const struct op *o, const char *name, struct err *e);
int op_refuse_output(const struct op *o, const char *name, struct err *e);

/* The same for an operand or a parameter. common: the parameters that every
 * operation takes, ended by NULL. matrix: the name's value is a matrix, so it
 * can only have meant an operand. */
int op_refuse_name(const struct op *o, const char *name,
                   const char *const *common, bool matrix, struct err *e);

/* The same for the name of an operation. */
int op_refuse(const char *name, struct err *e);

/* Empty args for o: operands and outputs absent, parameters at their
 * defaults; all outputs wanted but those that are `on_request`. */
void args_init(struct args *a, const struct op *o);
void args_fini(struct args *a);

/* Sets parameter i from text ("1e-8", "true", "krylov"), ERR_PARAMETER with
 * the allowed values otherwise. */
int args_set(struct args *a, int i, const char *value, struct err *e);

/* Settles the dtype: `wanted`, or the operands' when wanted < 0. Mixed types
 * promote to float64, and so do integers unless the operation computes in
 * their type; float16, bfloat16 and float32 promote to float32, and with a
 * complex operand all become complex. */
int args_settle_dtype(struct args *a, int wanted, struct err *e);

/* ERR_FORMAT for an operand whose integers were rounded (see matrix.h):
 * operations on reals accept it, those on integers only as float64. */
int args_check_rounded(const struct args *a, struct err *e);

/* The dtype that operand i must be converted to; indices become float64. A
 * float16 or bfloat16 operand stays so if the operation takes such ones and
 * computes in float32; where the answer is to be so, all operands become so. */
enum dtype args_operand_dtype(const struct args *a, int i);

/* Does operand i, dense or sparse, have the layout that the call wants? */
bool args_keeps_layout(const struct args *a, int i);

/* Converts every operand to the layout that the operation wants, which takes
 * long for large ones. */
int args_settle_layout(struct args *a, struct memory_pool *p, struct err *e);

/* Checks the operands' presence and dimensions, then calls the operation's own
 * check and shape, in that order; the outputs are not yet allocated. */
int args_check(struct args *a, struct err *e);

/* Sets the bits of the outputs that the call has if it asks for none by name;
 * -1 with the error of args_check(). Allocates nothing. */
int args_usual_outputs(const struct args *a, unsigned *has, struct err *e);

/* Returns the index of the first of them, as a reply in a format of one matrix
 * holds; -1 with the error of args_check(), or ERR_PARAMETER if it has none. */
int args_first_output(const struct args *a, struct err *e);

/* Allocates the outputs that have a shape and no memory yet and, for a stack
 * whose matrices may fail one by one, the list of failures. */
int args_alloc(struct args *a, struct memory_pool *p, struct err *e);

/* args_check() and args_alloc(). */
int args_prepare(struct args *a, struct memory_pool *p, struct err *e);

/* Is an operand or an output float16 or bfloat16? */
bool args_has_halves(const struct args *a);

/* Are the two calls the same but for the values of their elements? */
bool args_alike(const struct args *a, const struct args *b);

/* Is the call, or one of its rounds, so short that one thread finishes before
 * another would have started? */
bool args_is_tiny(const struct args *a);

static inline bool args_wants(const struct args *a, int output)
{
	return a->want >> output & 1;
}

/* Parameter i, or fallback when it was not given. */
static inline double args_real(const struct args *a, int i, double fallback)
{
	return isnan(a->param[i]) ? fallback : a->param[i];
}

/* The variant of that name; NULL: there is none. Which ones a device can run,
 * and which one a call takes: ops/variant.h. */
const struct variant *op_variant(const struct op *o, const char *name);

/* Has a variant of the operation a run_batch? */
bool op_has_batches(const struct op *o);

#endif
