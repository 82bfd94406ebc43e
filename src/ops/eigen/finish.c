/* finish.c - turns the eigenvectors of a balanced matrix into those of the
 * operand, and normalises them; see finish.h. */
#include "ops/eigen/finish.h"
#include "ops/eigen/parts.h"

/* Vectors while they are finished. */
struct task {
	const struct eigen_finish *f;
	double *vectors;
};

/* Finishes the vectors of a part of the chosen eigenvalues. Of room, each part
 * has 2 n numbers. */
static void finish(void *arg, size_t part)
{
	const struct task *const t = arg;
	const struct eigen_finish *const f = t->f;
	const struct eigen_set *const s = f->set;
	const struct eigen_span p = eigen_span(s->count, part);

	for (size_t i = p.first; i < p.end; i++) {
		const double im = s->im[s->order[i]];
		double *const x = t->vectors + s->column[i] * s->n;
		const int vectors = im == 0 ? 1 : 2;

		if (im < 0)
			continue;	/* its partner has been finished */
		if (s->balanced)
			balance_back(f->balance, f->side, vectors, x,
			             f->room + 2 * part * s->n);
		eigen_normalise_one(s, i, t->vectors, f->dtype);
		eigen_as_stored(x, (size_t)vectors * s->n, f->dtype);
	}
}

void eigen_finish(const struct eigen_finish *f, double *vectors)
{
	struct task t = { f, vectors };

	eigen_parts(f->call, finish, &t);
}
