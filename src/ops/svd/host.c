/* host.c - svd by LAPACK (lapack.h). LAPACK writes the singular vectors
 * straight into the answer if the answer holds all vectors that LAPACK
 * computes. */
#include <string.h>

#include "ops/lapack/stack.h"
#include "ops/svd/lapack.h"
#include "ops/svd/svd.h"

struct plan {
	struct svd_sizes z;
	struct svd_problem p;
	const int32_t *which;		/* as for svd_host_some(); NULL: all */
};

static size_t value_bytes(const struct plan *h)
{
	return dtype_bytes(h->p.dtype);
}

/* A matrix without rows or columns has no singular values, and U and V, if they
 * are full, are identities. */
static void put_identities(const struct lapack_call *c, size_t index)
{
	const struct plan *h = c->how;
	const size_t each = value_bytes(h);
	const int outputs[] = { SVD_U, SVD_VH };
	const size_t sizes[] = { h->z.columns, h->z.rows };
	const double one = 1;
	const float one_32 = 1;

	for (int k = 0; k < 2; k++) {
		const size_t n = sizes[k];
		char *to = lapack_out(c->a, outputs[k], index);

		if (!to)
			continue;
		memset(to, 0, n * n * each);
		for (size_t i = 0; i < n; i++)
			memcpy(to + i * (n + 1) * each, each == sizeof one ?
			       (const void *)&one : &one_32, each);
	}
}

/* Copies the first `want` columns of an m x `have` matrix. */
static void put_columns(const char *from, size_t have, size_t want, size_t m,
                        size_t each, char *to)
{
	for (size_t i = 0; i < m; i++)
		memcpy(to + i * want * each, from + i * have * each,
		       want * each);
}

/* Where LAPACK writes the factors of a matrix: into the answer, or into the
 * workspace, from which the answer's part of them is then copied. */
struct places {
	char *s, *u, *vh;
	char *rest;			/* workspace for LAPACK */
	char *to_s, *to_u, *to_vh;	/* in the answer; NULL if not wanted */
};

static struct places places_of(const struct lapack_call *c, size_t index,
                               void *room)
{
	const struct plan *h = c->how;
	const size_t each = value_bytes(h);
	struct places p = {
		.s = room, .to_s = lapack_out(c->a, SVD_S, index),
		.to_u = lapack_out(c->a, SVD_U, index),
		.to_vh = lapack_out(c->a, SVD_VH, index),
	};

	p.u = p.s + size_round_up(h->z.all * each, 64);
	p.vh = p.u + size_round_up(h->z.m * svd_lefts(&h->p) * each, 64);
	p.rest = p.vh + size_round_up(h->z.n * svd_rights(&h->p) * each, 64);
	if (p.to_u && h->z.columns == svd_lefts(&h->p))
		p.u = p.to_u;
	if (p.to_vh && h->z.rows == svd_rights(&h->p))
		p.vh = p.to_vh;
	return p;
}

static size_t room_of(const struct plan *h)
{
	const size_t each = value_bytes(h);

	return size_round_up(h->z.all * each, 64) +
	       size_round_up(h->z.m * svd_lefts(&h->p) * each, 64) +
	       size_round_up(h->z.n * svd_rights(&h->p) * each, 64) +
	       svd_lapack_room(&h->p);
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct plan *h = c->how;
	const struct svd_sizes *z = &h->z;
	const size_t each = value_bytes(h);
	struct places p;
	int info;

	if (h->which && h->which[index] == 0)
		return (struct failure_detail){ 0 };
	if (z->all == 0) {
		put_identities(c, index);
		return (struct failure_detail){ 0 };
	}
	p = places_of(c, index, room);
	info = svd_lapack(c, &h->p, lapack_in(c->a, 0, index), p.s, p.u,
	                  p.vh, p.rest);
	if (info != 0)
		return (struct failure_detail){ .code = ERR_CONVERGENCE,
		                                .at = info };
	if (p.to_s)
		memcpy(p.to_s, p.s, z->k * each);
	if (p.to_u && p.to_u != p.u)
		put_columns(p.u, svd_lefts(&h->p), z->columns, z->m, each,
		            p.to_u);
	if (p.to_vh && p.to_vh != p.vh)
		memcpy(p.to_vh, p.vh, z->rows * z->n * each);
	return (struct failure_detail){ 0 };
}

int svd_host(struct seq *s, struct args *a)
{
	return svd_host_some(s, a, NULL);
}

int svd_host_some(struct seq *s, struct args *a, const int32_t *which)
{
	static const char jobs[] = { [SVD_THIN] = 'S', [SVD_FULL] = 'A',
	                             [SVD_NONE] = 'N' };
	struct plan h = {
		.z = svd_sizes_of(a), .which = which,
		.p = { .dtype = a->dtype,
		       .job = jobs[(int)a->param[SVD_VECTORS]] },
	};
	struct lapack_call c = {
		.rows = size_max(h.z.m, h.z.n), .operands = 1, .one = one,
		.how = &h,
	};
	const struct lapack *l = lapack_load(s, c.rows, seq_err(s));

	if (!l)
		return -1;
	h.p.m = h.z.m;
	h.p.n = h.z.n;
	if (h.z.all > 0) {
		h.p.work = svd_lapack_work(l, &h.p);
		c.room = room_of(&h);
	}
	return lapack_run(&c, s, a);
}
