/* routines.h - LAPACK's and the BLAS's routines by the service, each for the
 * four types. Arguments are those of the Fortran routine, less those that it
 * does not need here; sizes are by value.
 *
 * Each returns true if the service has answered, and has then set *info. It
 * returns false if an argument is illegal, the problem is too small, an option
 * is not supported, the service could not be reached, or it has refused the
 * matrix: one with a NaN, for example, or one that is not positive definite.
 * The operands are then as they were, and the caller has the next library do
 * the call. So that library reports all errors but zeros on the diagonal of
 * U. */
#ifndef CLIENTS_LAPACK_ROUTINES_H
#define CLIENTS_LAPACK_ROUTINES_H

#include "clients/lapack/kind.h"

struct gemm {
	char transa, transb;		/* N, T or C */
	fint m, n, k;
	const void *alpha, *a, *b, *beta;
	void *c;
	fint lda, ldb, ldc;
};

bool gemm(const struct kind *k, const struct gemm *g);

bool getrf(const struct kind *k, fint m, fint n, void *a, fint lda, fint *ipiv,
           fint *info);
bool potrf(const struct kind *k, char uplo, fint n, void *a, fint lda,
           fint *info);

/* The inverses, from what getrf and potrf have left. */
bool getri(const struct kind *k, fint n, void *a, fint lda, const fint *ipiv,
           fint *info);
bool potri(const struct kind *k, char uplo, fint n, void *a, fint lda,
           fint *info);

/* tau has min(m, n) elements. */
bool geqrf(const struct kind *k, fint m, fint n, void *a, fint lda, void *tau,
           fint *info);
bool gelqf(const struct kind *k, fint m, fint n, void *a, fint lda, void *tau,
           fint *info);

struct gels {
	char trans;			/* N, T (real) or C (complex) */
	fint m, n, nrhs;
	void *a;
	fint lda;
	void *b;
	fint ldb;
	void *work;
	fint lwork;
};

/* Only factors A, by geqrf or gelqf, and stores tau at the beginning of the
 * workspace; the caller solves with the factors. */
bool gels(const struct kind *k, const struct gels *g, fint *info);

/* syev, syevd, heev and heevd; w has real elements. */
bool syev(const struct kind *k, char jobz, char uplo, fint n, void *a,
          fint lda, void *w, fint *info);

struct geev {
	char jobvl, jobvr;
	fint n;
	const void *a;
	fint lda;
	void *wr, *wi;			/* complex types: w, NULL */
	void *vl, *vr;
	fint ldvl, ldvr;
};

bool geev(const struct kind *k, const struct geev *g, fint *info);

/* ggev and ggev3. Of complex types alphar is alpha, and alphai is NULL. */
struct ggev {
	char jobvl, jobvr;
	fint n;
	const void *a;
	fint lda;
	const void *b;
	fint ldb;
	void *alphar, *alphai, *beta;
	void *vl, *vr;
	fint ldvl, ldvr;
};

bool ggev(const struct kind *k, const struct ggev *g, fint *info);

struct gesvd {
	char jobu, jobvt;		/* gesdd: both are jobz */
	fint m, n;
	const void *a;
	fint lda;
	void *s, *u, *vt;		/* s has real elements */
	fint ldu, ldvt;
};

bool gesvd(const struct kind *k, const struct gesvd *g, fint *info);

#endif
