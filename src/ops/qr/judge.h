/* judge.h - the verdicts of qr and svd: the residual |A - B C| and the
 * orthogonality |I - Q^T Q| in the Frobenius norm, computed on the device from
 * products with a few vectors (kernels/qr/judge.cl, and for GPUs
 * kernels/qr/spread.cl).
 *
 * The estimate takes JUDGE_PROBES vectors of random signs and costs O(mn)
 * operations. For such a vector x and D = A - B C, |D x|^2 has the expectation
 * |D|_F^2 (Girard 1989, Hutchinson 1990). For E = I - Q^T Q and two such
 * vectors x and y, (x^T E y)^2 has the expectation |E|_F^2. With quality=full
 * the vectors are the columns of the identity, and these sums are exact.
 *
 * The functions that make a verdict also count the memory that it takes. When
 * they count, because judge.need is set, they launch nothing. */
#ifndef OPS_QR_JUDGE_H
#define OPS_QR_JUDGE_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"

enum { JUDGE_PROBES = 4, JUDGE_MEASURES = 3 };

#define JUDGE_KERNELS                                                        \
	"judge_largest judge_unit judge_times judge_turned judge_place "     \
	"judge_gram judge_defect judge_peaks judge_products judge_gaps "     \
	"judge_angles judge_short judge_columns"

struct judge;

/* The residual or the orthogonality while it is computed: kernels leave `each`
 * numbers for every matrix in `sums`, from which ratio() computes the measure
 * on the host. The numbers are read after the launches for all measures, so
 * that the host waits once. */
struct measure {
	struct buf sums;
	size_t each, vectors;
	double unit;			/* what the ratio is divided by */
	double (*ratio)(const struct judge *j, const double *numbers,
	                size_t each, size_t vectors);
	bool of_q;			/* true for the orthogonality, false for
					 * the residual */
};

/* The call whose verdict is computed. */
struct judge {
	struct seq *s;			/* NULL if memory is counted */
	struct need *need;		/* NULL if the verdict is made */
	const struct sheet *sheet;
	const struct args *a;
	size_t stack;
	size_t wide;			/* bytes of a `wide` on the device */
	size_t items;			/* work-items of a work-group */
	bool full;			/* quality=full */
	bool spread;			/* are kernels/qr/spread.cl's kernels
					 * launched? Else judge.cl's are. */
	struct measure measure[JUDGE_MEASURES];
	int measures;
	struct buf unit;		/* for each matrix a power of 2 that
					 * brings A's elements to about 1 */
};

/* `count` vectors for each matrix of the stack, or if `shared` the same vectors
 * for all matrices. */
struct vectors {
	struct buf b;
	size_t length, count;
	bool shared;
};

/* A stack of rows x cols matrices. */
struct judged {
	struct buf b;
	size_t rows, cols;
	size_t of, ld;			/* rows and columns of the matrices of
					 * which these are the upper left
					 * part; 0: rows and cols */
	bool scaled;			/* the elements are of A's size, and are
					 * multiplied by the unit */
	struct buf weights;		/* factors of the columns; { 0 }: 1 */
};

/* An operation's function that computes its measures by calls of the functions
 * below, if the answer has the matrices that they take. */
typedef void judge_fn(struct judge *j);

/* Does what an operation's residual() must do: calls verdict(), waits for what
 * it has launched, and sets a->verdict. For a matrix without elements both
 * measures are 0. */
int judge_run(struct seq *s, struct args *a, judge_fn *verdict);

/* Adds the scratch memory that judge_run() will take, if the call has a
 * verdict. */
void judge_need(struct need *n, const struct sheet *d, const struct args *a,
                judge_fn *verdict);

/* Returns the buffer of an operand or output of the call. */
struct buf judge_matrix(const struct judge *j, const struct matrix *m);

/* Returns vectors of `length` elements, shared by all matrices: JUDGE_PROBES
 * vectors of random signs, or with quality=full the columns of the identity. */
struct vectors judge_probes(const struct judge *j, size_t length);

/* Return M X and M^T X. *square, unless square is NULL, becomes a number for
 * each row of M; their sum is that of the squares of M's elements. */
struct vectors judge_times(const struct judge *j, const struct judged *m,
                           const struct vectors *x, struct buf *square);
struct vectors judge_turned(const struct judge *j, const struct judged *m,
                            const struct vectors *x);

/* Returns P X, where the permutation P moves row i to row p[i]. p holds int64,
 * n for each matrix. */
struct vectors judge_place(const struct judge *j, struct buf p,
                           const struct vectors *x);

/* Measures |T - W| / (|A| size eps) of the worst matrix, where T = A X, W is
 * the product of the factors with X, and `square` comes from judge_times() of
 * A. */
void judge_residual(struct judge *j, const struct vectors *t,
                    const struct vectors *w, struct buf square, size_t size);

/* Measures |Q^T Q - I| / (size eps) of the worst matrix, where Y = Q X. */
void judge_orthogonality(struct judge *j, const struct vectors *y,
                         const struct vectors *x, size_t size);

/* --- calls that several devices compute together
 *
 * Each device multiplies its own columns by their elements of the vectors, and
 * the caller adds up the products. */

/* Begins the estimate on one of the devices, without judge_run(). `exponent` is
 * ilogb() of the largest element of A on all of them. */
struct judge judge_part(struct seq *s, const struct args *a, double exponent);

/* Element i of vector c of judge_probes(). */
double judge_probe(const struct judge *j, size_t c, size_t i);

/* Makes vectors of count * length numbers, which it overwrites. */
struct vectors judge_vectors(const struct judge *j, double *host,
                             size_t length, size_t count);

/* Reads numbers of the type `wide`. Waits. */
void judge_read(const struct judge *j, struct buf b, size_t count, double *to);

/* Returns |T - W| / (|A| size eps) of JUDGE_PROBES vectors t and w of `length`
 * elements, where `square` is the sum of what judge_times() of A has left. */
double judge_residual_of(const struct judge *j, const double *t,
                         const double *w, size_t length, double square,
                         size_t size);

/* Returns |Q^T Q - I| / (m eps) of an m x q matrix Q, where Y = Q X has the m
 * elements of each vector one after the other. */
double judge_orthogonality_of(const struct judge *j, const double *y, size_t m,
                              size_t q);

#endif
