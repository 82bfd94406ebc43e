/* fuzz.h - what the fuzzers share: a body read whole and the same body read in
 * pieces must both be accepted or both be refused, and give the same
 * numbers. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format/octets.h"
#include "format/reader.h"
#include "format/tensors.h"
#include "matrix/sparse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { FUZZ_OPERANDS = 3, FUZZ_LIMIT = 16 << 20 };

struct fuzz {
	struct sink sink;
	struct matrix m[FUZZ_OPERANDS];
	bool given[FUZZ_OPERANDS];
	uint64_t parameters;		/* a hash of names and values */
	struct err err;
	bool taken;
};

static inline void fuzz_want(bool truth)
{
	if (!truth)
		abort();
}

/* FNV-1a */
static inline uint64_t fuzz_hash(uint64_t h, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
	return h;
}

static inline int fuzz_index(const struct fuzz *f, const char *name)
{
	for (int i = 0; i < FUZZ_OPERANDS; i++)
		if (name ? name[0] == "abc"[i] && !name[1] : !f->given[i])
			return i;
	return -1;
}

static inline struct matrix *fuzz_operand(void *arg, const char *name,
                                          struct err *e)
{
	struct fuzz *f = arg;
	int i = fuzz_index(f, name);

	if (i < 0 || f->given[i]) {
		err_set(e, ERR_REQUEST, "no operand");
		return NULL;
	}
	f->given[i] = true;
	return &f->m[i];
}

static inline int fuzz_parameter(void *arg, const char *name,
                                 const char *value, struct err *e)
{
	struct fuzz *f = arg;

	(void)e;
	f->parameters = fuzz_hash(f->parameters, name, strlen(name) + 1);
	f->parameters = fuzz_hash(f->parameters, value, strlen(value) + 1);
	return 0;
}

static inline bool fuzz_is_operand(void *arg, const char *name)
{
	return fuzz_index(arg, name) >= 0;
}

static inline int fuzz_layout(void *arg, int i, const char **name,
                              struct matrix *shape, struct err *e)
{
	(void)arg;
	*name = "c";
	shape->dtype = INT32;
	return i == 0 ? octet_shape("c.shape", "2,1", shape, e) == 0 : 0;
}

static inline int fuzz_dtype(void *arg)
{
	(void)arg;
	return BFLOAT16;
}

static inline bool fuzz_feed(struct fuzz *f, struct reader *r,
                             const uint8_t *data, size_t n, size_t piece)
{
	bool work;

	for (size_t at = 0; at < n; at += piece) {
		size_t k = n - at < piece ? n - at : piece;
		uint8_t *copy = aligned_alloc(1, k);
		int rc;

		memcpy(copy, data + at, k);
		rc = reader_feed(r, copy, k, &f->err);
		free(copy);
		if (rc < 0)
			return false;
	}
	return reader_end(r, &work, &f->err) == 0 &&
	       reader_finish(r, &f->err) == 0;
}

/* Asserts that row starts ascend from 0 to nnz, and columns within each row,
 * below the number of columns. */
static inline void fuzz_is_sparse(const struct matrix *m, enum layout wanted)
{
	const int64_t *starts = sparse_starts(m);
	const int32_t *columns = sparse_columns(m);

	fuzz_want(wanted == CSR && m->ndim == 2 && starts[0] == 0);
	fuzz_want(starts[m->dim[0]] == (int64_t)m->nnz);
	for (size_t i = 0; i < m->dim[0]; i++) {
		fuzz_want(starts[i] <= starts[i + 1]);
		for (int64_t k = starts[i]; k < starts[i + 1]; k++)
			fuzz_want(columns[k] >= 0 &&
			          (size_t)columns[k] < m->dim[1] &&
			          (k == starts[i] ||
			           columns[k - 1] < columns[k]));
	}
}

/* Opens the reader of a media type or, if media is NULL, that of the Open
 * Inference Protocol, where the first byte 0 of the data ends the JSON. */
static inline struct reader *fuzz_open(struct fuzz *f, const char *media,
                                       const uint8_t *data, size_t n)
{
	static struct tensor_request request;
	const uint8_t *end = memchr(data, 0, n);

	if (media)
		return format_find(media)->open(&f->sink, media, n, &f->err);
	memset(&request, 0, sizeof request);
	return tensors_open(&f->sink, end ? (uint64_t)(end - data) : UINT64_MAX,
	                    &request, &f->err);
}

static inline void fuzz_read(struct fuzz *f, struct memory_pool *pool,
                             const char *media, const uint8_t *data, size_t n,
                             size_t piece, enum layout wanted)
{
	struct reader *r;

	memset(f, 0, sizeof *f);
	f->sink = (struct sink){
		.operand = fuzz_operand, .parameter = fuzz_parameter,
		.is_operand = fuzz_is_operand, .layout = fuzz_layout,
		.dtype = fuzz_dtype, .pool = pool, .arg = f,
	};
	for (int i = 0; i < FUZZ_OPERANDS; i++) {
		f->m[i].ndim = MATRIX_ABSENT;
		f->m[i].layout = wanted;
	}
	r = fuzz_open(f, media, data, n);
	f->taken = r && fuzz_feed(f, r, data, n, piece);
	reader_free(r);
	fuzz_want(f->taken == (f->err.code == ERR_NONE));
	fuzz_want(f->taken || f->err.text[0]);
	fuzz_want(f->err.code != ERR_INTERNAL);
	for (int i = 0; i < FUZZ_OPERANDS && f->taken; i++)
		if (f->m[i].ndim != MATRIX_ABSENT && f->m[i].layout == CSR)
			fuzz_is_sparse(&f->m[i], wanted);
}

static inline bool fuzz_same_index(const struct matrix *a,
                                   const struct matrix *b)
{
	return a->layout == DENSE ||
	       !memcmp(a->index->data, b->index->data, matrix_index_size(a));
}

static inline bool fuzz_same_matrix(const struct matrix *a,
                                    const struct matrix *b)
{
	return a->ndim == b->ndim && a->dtype == b->dtype &&
	       a->layout == b->layout && a->nnz == b->nnz &&
	       (a->ndim < 0 || (fuzz_same_index(a, b) && !memcmp(a->dim, b->dim,
	        (size_t)a->ndim * sizeof a->dim[0]) &&
	        (!matrix_size(a) || !memcmp(matrix_data(a), matrix_data(b),
	         matrix_size(a)))));
}

static inline void fuzz_fini(struct fuzz *f)
{
	for (int i = 0; i < FUZZ_OPERANDS; i++)
		matrix_fini(&f->m[i]);
}

static inline struct memory_pool *fuzz_pool_used(void)
{
	static struct memory_pool *pool;
	struct err e = { 0 };

	if (!pool)
		pool = memory_pool_new(FUZZ_LIMIT, &e);
	fuzz_want(pool);
	return pool;
}

/* The same, of which nothing is in use. */
static inline struct memory_pool *fuzz_pool(void)
{
	fuzz_want(memory_pool_used(fuzz_pool_used()) == 0);
	return fuzz_pool_used();
}

/* The first byte determines the size of the pieces, and whether sparse matrices
 * are wanted; the others are the body. *whole becomes the result of reading it
 * at once; the caller calls fuzz_fini(). */
static inline bool fuzz_both(struct fuzz *whole, const char *media,
                             const uint8_t *data, size_t n)
{
	struct memory_pool *pool = fuzz_pool();
	enum layout wanted;
	struct fuzz pieces;

	if (n < 1)
		return false;
	wanted = data[0] & 128 ? CSR : DENSE;
	fuzz_read(whole, pool, media, data + 1, n - 1, n, wanted);
	fuzz_read(&pieces, pool, media, data + 1, n - 1, 1 + data[0] % 67,
	          wanted);
	if (whole->err.code == ERR_MEMORY || pieces.err.code == ERR_MEMORY) {
		/* the pool has no room for the same matrices twice, or replay.c
		 * has an allocation fail */
		fuzz_fini(&pieces);
		fuzz_fini(whole);
		return false;
	}
	fuzz_want(whole->taken == pieces.taken);
	fuzz_want(!whole->taken || whole->parameters == pieces.parameters);
	for (int i = 0; i < FUZZ_OPERANDS && whole->taken; i++)
		fuzz_want(fuzz_same_matrix(&whole->m[i], &pieces.m[i]));
	fuzz_fini(&pieces);
	return true;
}

static inline int fuzz_format(const char *media, const uint8_t *data, size_t n)
{
	struct fuzz f;

	if (fuzz_both(&f, media, data, n))
		fuzz_fini(&f);
	return 0;
}

#endif
