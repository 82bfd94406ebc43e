/* judge.h - how well a factorization holds, for the verdicts of qr and svd:
 * residual |A - B C| and orthogonality |I - Q^T Q|, in Frobenius norms, from
 * products with a few vectors (kernels/qr/judge.cl).
 *
 * The estimate takes JUDGE_PROBES vectors x of random signs: |D x|^2 has the
 * expectation |D|_F^2 (Girard 1989, Hutchinson 1990), and (x^T E y)^2, for two
 * of them, |E|_F^2. So it costs O(mn) operations. With quality=full the vectors
 * are the columns of the identity, and the same sums are exact.
 *
 * A judge counts its memory by the code that allocates it: with `need` set,
 * nothing is launched. */
#ifndef OPS_QR_JUDGE_H
#define OPS_QR_JUDGE_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"

enum { JUDGE_PROBES = 4 };

#define JUDGE_KERNELS                                                        \
	"judge_largest judge_unit judge_times judge_turned judge_place "     \
	"judge_gram judge_defect"

struct judge {
	struct seq *s;			/* or `need` */
	struct need *need;
	const struct sheet *sheet;
	const struct args *a;
	size_t stack, wide, items;
	bool full;
	struct buf unit;		/* brings elements of A to about 1 */
};

/* `count` vectors for each matrix, or for all of them. */
struct vectors {
	struct buf b;
	size_t length, count;
	bool shared;
};

/* A stack of rows x cols matrices, the upper left parts of matrices with `of`
 * rows of ld elements; 0: rows and cols. scaled: its elements are as large as
 * those of A, and are multiplied by the unit. weights: { 0 }, or a number for
 * each column. */
struct judged {
	struct buf b;
	size_t rows, cols, of, ld;
	bool scaled;
	struct buf weights;
};

/* Computes the verdict on the call's answer by the functions below. It is NAN
 * where the answer lacks a factor. */
typedef struct verdict judge_fn(const struct judge *j);

/* An operation's residual(): sets a->verdict by launches of s, and by that
 * function. For a matrix without elements both measures are 0. */
int judge_run(struct seq *s, struct args *a, judge_fn *verdict);

/* Adds the scratch memory that judge_run() will take, if the call has a
 * verdict. */
void judge_need(struct need *n, const struct sheet *d, const struct args *a,
                judge_fn *verdict);

/* The buffer of a matrix that the call has as operand or output. */
struct buf judge_matrix(const struct judge *j, const struct matrix *m);

/* Vectors of that length for all matrices. */
struct vectors judge_probes(const struct judge *j, size_t length);

/* M X, and M^T X; *square, if not NULL: the squares of M's rows. */
struct vectors judge_times(const struct judge *j, const struct judged *m,
                           const struct vectors *x, struct buf *square);
struct vectors judge_turned(const struct judge *j, const struct judged *m,
                            const struct vectors *x);

/* P X, where P moves row i to row p[i]; p is a stack of int64. */
struct vectors judge_place(const struct judge *j, struct buf p,
                           const struct vectors *x);

/* |T - W| / (|A| size eps), of the worst matrix; *square as above, of A. NAN in
 * a dry run, or when the sequence failed. */
double judge_residual(const struct judge *j, const struct vectors *t,
                      const struct vectors *w, struct buf square, size_t size);

/* |Q^T Q - I| / (size eps), of the worst matrix; y = Q X. */
double judge_orthogonality(const struct judge *j, const struct vectors *y,
                           const struct vectors *x, size_t size);

#endif
