/* krylov.h - iterative solution of A x = b with a sparse matrix A, by kernels
 * on any device (kernels/krylov/).
 *
 *     krylov.c      the call: a right-hand side after the other; when an
 *                   iteration is over, whether it has converged, and what
 *                   comes next
 *     room.c        buffers
 *     look.c        what the host sees of A: its symmetry, its diagonal
 *     known.c       what is kept of stored matrices on the host
 *     factors.c     preconditioners: incomplete factors
 *     sweeps.c      the levels of triangular sweeps
 *     vectors.c     launches that several methods share
 *     cg.c, minres.c, bicgstab.c, gmres.c, stationary.c    the methods
 *
 * Vectors and matrix are on the device, and so are a method's scalars
 * (shared/krylov_state.h). Iterations are queued in bursts, after which the
 * host reads the scalars; a flag among them makes all iterations after the last
 * one do nothing. A method never decides about convergence: when its recurrence
 * says that the residual is small, b - A x is computed, and only its norm
 * counts. If that is too large, the method begins again from that residual.
 *
 * A and b are divided by powers of two where they are so large or small that
 * products could overflow or underflow.
 */
#ifndef OPS_KRYLOV_KRYLOV_H
#define OPS_KRYLOV_KRYLOV_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/spmv/spmv.h"
#include "shared/krylov_state.h"

/* The values of solve's parameters `method` and `preconditioner`. */
enum krylov_method { METHOD_AUTO, METHOD_DIRECT, METHOD_JACOBI, METHOD_CG,
                     METHOD_MINRES, METHOD_GMRES, METHOD_BICGSTAB };
enum krylov_preconditioner { PRECONDITION_AUTO, PRECONDITION_NONE,
                             PRECONDITION_JACOBI, PRECONDITION_ILU0,
                             PRECONDITION_ICHOL0 };

struct krylov_wish {
	enum krylov_method method;	/* not METHOD_DIRECT */
	enum krylov_preconditioner preconditioner;
	double tol, atol;		/* |b - A x| <= max(tol |b|, atol) */
	int64_t most;			/* iterations */
	int restart;			/* of GMRES */
	bool shared;			/* products by shares, and a work-item
					 * for a block, as CPUs want it */
	bool resident;			/* may work-groups stay on an NVIDIA GPU
					 * for several iterations? */
	bool history;
};

/* What look.c finds out. corner[i] is the place of row i's diagonal entry, -1
 * if there is none. */
struct krylov_look {
	int32_t *corner;		/* owned */
	double largest;			/* |a_ij| */
	double norm;			/* the largest sum of a row's |a_ij|, at
					 * most float64's largest number */
	bool symmetric;
	size_t row, column;		/* where A is not symmetric */
	double above, below;		/* a_ij and a_ji there */
	size_t bare;			/* the first row with a zero, or
					 * nothing, on the diagonal; n: none */
	bool positive;			/* the diagonal */
};

/* A triangular sweep by levels (kernels/krylov/factors.cl). */
struct krylov_sweep {
	struct buf order, level;
	size_t n;			/* levels */
	int32_t *begin;			/* where each begins, and where the
					 * last ends; owned */
};

/* M: M^-1 r is r, D r, or U^-1 L^-1 r. */
struct krylov_factors {
	enum krylov_preconditioner kind;	/* not PRECONDITION_AUTO */
	struct buf diagonal;		/* D */
	struct buf corner, lu, pivot;
	struct krylov_sweep lower, upper;
	double shift;			/* of the diagonal that was factored */
	bool kept;			/* the sweeps' `begin` belong to
					 * struct krylov_known */
};

/* What the host knows of a stored matrix: if `looked` is set, what look.c has
 * found, and for each kind of incomplete factors that has been computed
 * (`done`), its sweeps, whose buffers must be found again, and the shift. */
struct krylov_known {
	uint64_t stored;		/* the number of the contents */
	enum dtype dtype;
	uint64_t stamp;			/* when it was used last */
	bool looked;
	struct krylov_look look;
	struct krylov_made {
		bool done;
		struct krylov_sweep lower, upper;
		double shift;
	} made[2][2];			/* by wish.shared; ilu0, ichol0 */
};

/* How an iteration has ended. */
enum krylov_end { END_CONVERGED, END_LIMIT, END_STAGNATED, END_NOT_POSITIVE,
                  END_NOT_POSITIVE_M, END_BREAKDOWN, END_INCONSISTENT,
                  END_BEYOND, END_OVERFLOW, END_UNDERFLOW };

/* What is told of one right-hand side. */
struct krylov_told {
	enum krylov_end end;
	enum krylov_method method;	/* that ran last */
	int64_t iterations;
	double residual;		/* |b - A x| / |b| */
	double recurrence;		/* the same, as the recurrence has it */
	double backward;		/* |b - A x| / (|A| |x| + |b|) */
	double witness;			/* see enum krylov_done */
	double *history;		/* iterations + 1 relative residuals by
					 * the recurrence, or NULL; owned */
};

struct krylov {
	struct seq *s;
	struct krylov_wish wish;
	const struct matrix *m;
	struct krylov_known *known;	/* of m, if it is stored; else NULL */
	size_t n, block, groups, items, parts;
	size_t units;			/* of the device */
	int exponent;			/* A is divided by 2^exponent */
	struct krylov_look look;
	struct spmv_multiplier times;
	struct krylov_factors factors;
	const struct krylov_way *way;	/* the method that runs */
	struct buf state, part;
	struct buf met;			/* counters of resident work-groups */
	struct buf b, x, r, q, z;
	struct buf own[8];		/* vectors of the methods */
	struct buf basis, small;	/* of GMRES */
	double now[K_LENGTH];		/* the state as last read */
	double norm;			/* |b|, divided by a power of 2 */
	int64_t kept;			/* iterations in `told.history` */
	struct krylov_told told;
};

/* A method. run() iterates from x and r = b - A x until now[K_DONE] is set. */
struct krylov_way {
	enum krylov_method method;
	const char *name;
	bool symmetric;			/* A must be */
	int own;			/* vectors it needs in own[] */
	void (*run)(struct krylov *k);
};

extern const struct krylov_way krylov_cg, krylov_minres, krylov_gmres,
    krylov_bicgstab, krylov_stationary;

/* The method of that number. */
const struct krylov_way *krylov_way_of(enum krylov_method method);

/* Prepares systems with the sparse square matrix m. -1 with the sequence's
 * error, for example for a matrix that the method cannot have. */
int krylov_init(struct krylov *k, struct seq *s, const struct matrix *m,
                const struct krylov_wish *wish);
void krylov_fini(struct krylov *k);

/* Solves for the right-hand side of elements b[at + i stride], whose largest
 * magnitude is peak, and writes x to the same places of `answer`; *told then
 * has what there is to tell. -1 with the sequence's error. */
struct krylov_side {
	struct buf b, answer;
	size_t at, stride;
	double peak;
};

int krylov_solve(struct krylov *k, const struct krylov_side *side,
                 struct krylov_told *told);
void krylov_told_fini(struct krylov_told *told);

/* Adds the device memory that krylov_init() takes, without b and the answer. */
void krylov_need(struct need *n, const struct sheet *d, const struct matrix *m,
                 const struct krylov_wish *wish);

#define KRYLOV_KERNELS " krylov_load krylov_store krylov_scale krylov_dots " \
	"krylov_norms krylov_diagonal krylov_cg_step krylov_cg_direction " \
	"krylov_minres_begin krylov_minres_lanczos krylov_minres_step " \
	"krylov_bicg_direction krylov_bicg_half krylov_bicg_step krylov_add " \
	"krylov_fold gmres_project gmres_subtract gmres_normalize gmres_fold " \
	"gmres_begin gmres_rotate gmres_solve gmres_combine krylov_factor " \
	"krylov_factor_begin krylov_lower krylov_upper "
#define KRYLOV_RESIDENT_KERNELS "krylov_cg_resident " \
	"krylov_lower_resident krylov_upper_resident "

/* --- between the files */

/* room.c: sets the shape of the launches for vectors of n elements; makes the
 * buffers or, with n, counts them (ops/room.h). */
void krylov_set_blocks(struct krylov *k, const struct sheet *d);
void krylov_make_room(struct krylov *k, struct need *n);

/* known.c: what is known of m, perhaps nothing yet; NULL if nothing may be
 * kept, because m is not stored or is large. */
struct krylov_known *krylov_known(const struct matrix *m);

/* look.c: -1 with *e (an element is not finite, no memory). */
int krylov_look(struct krylov_look *l, const struct matrix *m, struct err *e);

/* factors.c: makes M of that kind. Returns 1, with the error of row `fault` in
 * *e, if A has no such factors. krylov_apply() returns M^-1 r: r itself, or z
 * after it was written. krylov_diagonal_of() returns D where it is M, for
 * kernels that apply it themselves; else { 0 }. */
int krylov_factors_init(struct krylov *k, enum krylov_preconditioner kind,
                        struct err *e);
void krylov_factors_fini(struct krylov_factors *f);
struct buf krylov_apply(struct krylov *k, struct buf r, struct buf z);
struct buf krylov_diagonal_of(const struct krylov *k);

/* sweeps.c: krylov_sweep_init() computes w's levels and makes its buffers,
 * which are derived from the matrix by `number` and `number` + 1; -1: no
 * memory.
 * krylov_sweep_find() makes the buffers of a sweep whose levels are known, and
 * returns whether they are filled. */
int krylov_sweep_init(struct krylov *k, struct krylov_sweep *w, bool upper,
                      int number);
bool krylov_sweep_find(struct krylov *k, struct krylov_sweep *w, int number);

/* Return the end of the levels that one launch takes from `from` on, and the
 * grid of that launch. */
size_t krylov_sweep_end(const struct krylov_sweep *w, size_t from);
struct grid krylov_sweep_grid(const struct krylov *k,
                              const struct krylov_sweep *w, size_t from,
                              size_t to);

/* Returns the grid of a launch for all levels, whose work-groups wait for each
 * other after each level. */
struct grid krylov_resident_grid(const struct krylov *k,
                                 const struct krylov_sweep *w);

/* vectors.c: a launch for vectors has this grid, and its kernel these
 * arguments for them. */
#define KRYLOV_GRID(k) GRID1((k)->groups * (k)->items, (k)->items)
#define KRYLOV_BLOCKS(k) ARG_INT((k)->n), ARG_INT((k)->block)

void krylov_work(struct krylov *k, int reads, int writes);
void krylov_fold(struct krylov *k, size_t parts, int sums, int phase);

/* Computes the phase's scalars of w^T w and u^T v. */
void krylov_dots(struct krylov *k, struct buf u, struct buf v, struct buf w,
                 int phase);

/* y = A x, and the phase's scalars of x^T y. */
void krylov_times_dot(struct krylov *k, struct buf x, struct buf y, int phase);
void krylov_times(struct krylov *k, struct buf x, struct buf y);
void krylov_clear(struct krylov *k, struct buf v);
void krylov_copy(struct krylov *k, struct buf from, struct buf to);

/* Reads the state, keeps the history, and reports the progress. */
void krylov_read(struct krylov *k);

/* Sets number `slot` of the state. */
void krylov_set(struct krylov *k, int slot, double value);

/* Returns how many iterations are queued before the state is read, and calls
 * iterate() in such bursts until the method ends. */
int krylov_burst(const struct krylov *k);
void krylov_iterate(struct krylov *k, void (*iterate)(struct krylov *k));

#endif
