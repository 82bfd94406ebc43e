/* generate.c - see generate.h. Every generator is a formula for one element;
 * a macro puts it into a loop of its own, which the compiler can optimise.
 *
 * Sources: N. J. Higham, Accuracy and Stability of Numerical Algorithms,
 * 2nd edition, 2002, chapters 9 and 28, and the gallery that goes with it;
 * G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom Number
 * Generators, 2014 (SplitMix64, here by the element's index).
 */
#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "base/slice.h"
#include "matrix/generate.h"

enum { BLOCK = 1024 };		/* elements made before they are stored */

struct generator {
	const char *name;
	bool square, seeded;
	size_t block;		/* elements made before they are stored; 1: the
				 * formula reads earlier elements */
	double effort;		/* an element's time, in bytes that could be
				 * moved meanwhile */
	/* Makes n elements from place p on, and moves p past them. */
	void (*make)(struct place *p, double *to, size_t n);
	const char *help;
};

static uint64_t mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Uniform on the multiples of 2^-53 in [0, 1). */
static double uniform(uint64_t mixed, uint64_t index)
{
	uint64_t z = mix(mixed + (index + 1) * 0x9e3779b97f4a7c15u);

	return (double)(int64_t)(z >> 11) * 0x1p-53;
}

static double random_element(const struct place *p)
{
	return uniform(p->mixed, p->index);
}

/* (A + A^T)/2 + n I with A random */
static double spd(const struct place *p)
{
	size_t first = p->index - (p->i * p->n + p->j);
	double a = uniform(p->mixed, p->index);
	double t = uniform(p->mixed, first + p->j * p->n + p->i);

	return (a + t) / 2 + (p->i == p->j ? (double)p->n : 0);
}

static double hilbert(const struct place *p)
{
	return 1 / ((double)p->i + (double)p->j + 1);
}

static double identity(const struct place *p)
{
	return p->i == p->j;
}

static double zeros(const struct place *p)
{
	(void)p;
	return 0;
}

static double ones(const struct place *p)
{
	(void)p;
	return 1;
}

static double ramp(const struct place *p)
{
	return (double)p->index;
}

static double minij(const struct place *p)
{
	return (double)size_min(p->i, p->j) + 1;
}

static double lehmer(const struct place *p)
{
	return ((double)size_min(p->i, p->j) + 1) /
	       ((double)size_max(p->i, p->j) + 1);
}

/* n - max(i, j) on and above the first subdiagonal (1-based: n + 1 - max) */
static double frank(const struct place *p)
{
	if (p->i > p->j + 1)
		return 0;
	return (double)(p->n - size_max(p->i, p->j));
}

/* diag(1, s, s^2, ...) times unit upper triangular with -c; theta = 1.2 */
static double kahan(const struct place *p)
{
	if (p->i > p->j)
		return 0;
	return pow(sin(1.2), (double)p->i) * (p->i == p->j ? 1 : -cos(1.2));
}

/* Partial pivoting grows its last column to 2^(n-1). */
static double wilkinson(const struct place *p)
{
	if (p->i == p->j || p->j + 1 == p->n)
		return 1;
	return p->i > p->j ? -1 : 0;
}

/* min(i, j) - 2 off the diagonal, i on it, 1-based */
static double moler(const struct place *p)
{
	if (p->i == p->j)
		return (double)p->i + 1;
	return (double)size_min(p->i, p->j) - 1;
}

/* (i + j choose i), from the elements above and to the left; exact as long as
 * the dtype holds it */
static double pascal(const struct place *p)
{
	if (p->i == 0 || p->j == 0)
		return 1;
	return matrix_get(p->a, p->index - p->n) +
	       matrix_get(p->a, p->index - 1);
}

/* -1, 2, -1: the second difference */
static double tridiagonal(const struct place *p)
{
	if (p->i == p->j)
		return 2;
	return p->i == p->j + 1 || p->j == p->i + 1 ? -1 : 0;
}

static void move_on(struct place *p)
{
	p->index++;
	if (++p->j < p->n)
		return;
	p->j = 0;
	if (++p->i == p->m)
		p->i = 0;
}

#define MAKE(element)                                                      \
static void make_##element(struct place *p, double *to, size_t n)          \
{                                                                          \
	struct place at = *p;                                              \
									   \
	for (size_t k = 0; k < n; k++, move_on(&at))                       \
		to[k] = element(&at);                                      \
	*p = at;                                                           \
}

MAKE(hilbert)
MAKE(random_element)
MAKE(identity)
MAKE(spd)
MAKE(ones)
MAKE(zeros)
MAKE(ramp)
MAKE(minij)
MAKE(lehmer)
MAKE(frank)
MAKE(kahan)
MAKE(wilkinson)
MAKE(moler)
MAKE(pascal)
MAKE(tridiagonal)

static const struct generator generators[] = {
	{ "hilbert", false, false, BLOCK, 16, make_hilbert,
	  "a_ij = 1 / (i + j - 1): symmetric, positive definite, very "
	  "ill-conditioned" },
	{ "random", false, true, BLOCK, 16, make_random_element,
	  "uniformly distributed numbers from 0 to 1" },
	{ "identity", false, false, BLOCK, 12, make_identity,
	  "ones on the diagonal, else zeros" },
	{ "spd", true, true, BLOCK, 24, make_spd,
	  "(R + R^T) / 2 + n I of a random R: symmetric, positive "
	  "definite, well-conditioned" },
	{ "ones", false, false, BLOCK, 12, make_ones,
	  "ones" },
	{ "zeros", false, false, BLOCK, 12, make_zeros,
	  "zeros" },
	{ "ramp", false, false, BLOCK, 12, make_ramp,
	  "0, 1, 2, ... in the order of memory" },
	{ "minij", false, false, BLOCK, 12, make_minij,
	  "a_ij = min(i, j): symmetric, positive definite" },
	{ "lehmer", false, false, BLOCK, 12, make_lehmer,
	  "a_ij = min(i, j) / max(i, j): symmetric, positive definite" },
	{ "frank", true, false, BLOCK, 12, make_frank,
	  "upper Hessenberg, with ill-conditioned small eigenvalues" },
	{ "kahan", false, false, BLOCK, 32, make_kahan,
	  "upper triangular, ill-conditioned, a trap for QR with "
	  "pivoting" },
	{ "wilkinson", true, false, BLOCK, 12, make_wilkinson,
	  "LU with partial pivoting lets its last column grow to "
	  "2^(n-1)" },
	{ "moler", false, false, BLOCK, 12, make_moler,
	  "symmetric, positive definite, with one tiny eigenvalue" },
	{ "pascal", false, false, 1, 40, make_pascal,
	  "Pascal's triangle: symmetric, positive definite, "
	  "determinant 1" },
	{ "tridiagonal", false, false, BLOCK, 12, make_tridiagonal,
	  "-1, 2, -1: the second difference, symmetric, positive "
	  "definite" },
};

const struct generator *generator_find(const char *name, struct err *e)
{
	struct nearest near = nearest_to(name);

	for (size_t i = 0; i < COUNT(generators); i++)
		if (strcmp(generators[i].name, name) == 0)
			return &generators[i];
	for (size_t i = 0; i < COUNT(generators); i++)
		nearest_add(&near, generators[i].name);
	err_set(e, ERR_FORMAT, "\"%.40s\" is no generator%s There are %s", name,
	        nearest_hint_and(&near), nearest_list(&near));
	nearest_fini(&near);
	return NULL;
}

const struct generator *generator_at(size_t i)
{
	return i < COUNT(generators) ? &generators[i] : NULL;
}

const char *generator_name(const struct generator *g)
{
	return g->name;
}

const char *generator_help(const struct generator *g)
{
	return g->help;
}

bool generator_is_square(const struct generator *g)
{
	return g->square;
}

bool generator_is_seeded(const struct generator *g)
{
	return g->seeded;
}

int generator_check(const struct generator *g, const struct matrix *m,
                    struct err *e)
{
	char text[MATRIX_SHAPE_TEXT];

	if (!g->square || matrix_rows(m) == matrix_cols(m))
		return 0;
	return err_set(e, ERR_SHAPE, "%s is square, the shape is %s", g->name,
	               matrix_shape_text(m, text));
}

double generator_cost(const struct generator *g, const struct matrix *m)
{
	return g->effort * (double)matrix_elements(m);
}

static void store(struct matrix *m, size_t at, const double *x, size_t n)
{
	float *to = matrix_data(m);

	if (m->dtype == FLOAT32)
		for (size_t i = 0; i < n; i++)
			to[at + i] = (float)x[i];
	else
		for (size_t i = 0; i < n; i++)
			matrix_set(m, at + i, x[i]);
}

int generator_fill(const struct generator *g, struct matrix *m,
                   uint64_t seed, struct err *e)
{
	/* neighbouring seeds must not give shifted copies of one sequence */
	struct place p = { .m = matrix_rows(m), .n = matrix_cols(m),
	                   .mixed = mix(seed), .a = m };
	const size_t elements = matrix_elements(m);
	double block[BLOCK];

	while (p.index < elements) {
		const size_t at = p.index;
		const size_t n = size_min(elements - at, g->block);
		const bool direct = m->dtype == FLOAT64;
		double *to = direct ? (double *)matrix_data(m) + at : block;

		g->make(&p, to, n);
		if (!direct)
			store(m, at, block, n);
		if (n > 1 ? slice_next(e) : slice_every(at, e))
			return -1;
	}
	return 0;
}
