/* fuzz_writers.c - arbitrary bytes as matrices, dense and sparse, which every
 * writer prints in pieces of any size. What npy and npz hold must read back as
 * it was, and so must every text after a content coding. A sparse matrix's
 * index may be one that only a faulty worker writes: then a writer may be
 * broken, and must not read anything beyond.
 *
 * The bytes: room of a piece, dtype, kind, three dimensions, elements. */
#include "fuzz.h"

#include "format/decoder.h"
#include "format/encoder.h"
#include "format/writer.h"

enum { HEAD = 6, ROOM = 64, TEXT = 1 << 16 };

struct input {
	const uint8_t *data;
	size_t n, at;
};

static uint8_t next(struct input *in)
{
	return in->at < in->n ? in->data[in->at++] : 0;
}

static void fill(void *to, size_t n, struct input *in)
{
	for (size_t i = 0; i < n; i++)
		((uint8_t *)to)[i] = next(in);
}

/* Small numbers, of which some are out of order or beyond the matrix. */
static void fill_index(const struct matrix *m, struct input *in)
{
	for (size_t i = 0; i <= m->dim[0]; i++)
		sparse_starts(m)[i] = (int8_t)next(in);
	for (size_t i = 0; i < m->nnz; i++)
		sparse_columns(m)[i] = (int8_t)next(in);
}

static bool make(struct matrix *m, struct input *in)
{
	const uint8_t type = next(in), kind = next(in);
	struct err e = { 0 };

	*m = (struct matrix){ .dtype = (enum dtype)(type % DTYPE_COUNT) };
	m->ndim = kind & 128 ? 2 : kind % 4;
	for (int i = 0; i < 3; i++)
		m->dim[i] = next(in) % 9;
	if (kind & 128) {
		m->layout = CSR;
		m->coordinates = kind & 1;
		m->nnz = kind >> 1 & 15;
	}
	if (matrix_alloc(m, fuzz_pool(), &e) < 0)
		return false;
	if (m->memory)
		fill(m->memory->data, matrix_size(m), in);
	if (m->layout == CSR)
		fill_index(m, in);
	return true;
}

/* Decodes the text again, and compares. */
static void compare(const char *coding, const struct text *coded,
                    const struct text *plain)
{
	struct err e = { 0 };
	struct decoder *d = decoder_new(coding, &e);
	const char *from = coded->data;
	size_t left = coded->length, room = plain->length + 1;
	char *out = aligned_alloc(1, room);

	fuzz_want(out);
	if (d) {
		const ssize_t n = decoder_run(d, &from, &left, out, room, &e);

		fuzz_want(e.code == ERR_MEMORY ||
		          (n == (ssize_t)plain->length &&
		           (!n || !memcmp(out, plain->data, (size_t)n))));
		decoder_free(d);
	}
	free(out);
}

static void encode(const struct text *plain, size_t piece)
{
	for (int coding = 0; encoder_codings[coding]; coding++) {
		struct encoder *c = encoder_new(coding);
		struct text out = { 0 };
		size_t at = 0;
		bool good = c != NULL;

		do {
			const size_t left = plain->length - at;
			const size_t n = left < piece ? left : piece;

			good = good && !encoder_add(c, plain->data + at, n,
			                            n == left, &out);
			at += n;
		} while (at < plain->length);
		if (good && !out.failed)
			compare(encoder_codings[coding], &out, plain);
		encoder_free(c);
		text_fini(&out);
	}
}

/* Reads what was written, and compares where a format keeps all bits. Booleans
 * are read as int64, and complex numbers are not read. */
static void read_back(const struct matrix *m, const char *media,
                      const struct text *t)
{
	struct fuzz f;

	fuzz_read(&f, fuzz_pool_used(), media, (const uint8_t *)t->data,
	          t->length, t->length + 1, m->layout);
	if (m->layout == DENSE && m->dtype != BOOL &&
	    !dtype_is_complex(m->dtype))
		fuzz_want(f.taken ? fuzz_same_matrix(m, &f.m[0]) :
		                    f.err.code == ERR_MEMORY);
	fuzz_fini(&f);
}

/* Prints in pieces of `room` bytes by one of the functions that do so. */
#define PRINT(out, more, writer, room)                                   \
	do {                                                             \
		char piece[ROOM + 256];                                  \
		size_t n;                                                \
									 \
		while ((out)->length < TEXT &&                           \
		       (n = more(writer, piece, room)))                  \
			text_add(out, piece, n);                         \
	} while (0)

static void write_texts(const struct matrix *m, size_t room)
{
	struct json_writer json;
	struct mm_writer mm;
	struct text out = { 0 };

	json_writer_init(&json, m);
	PRINT(&out, json_writer_more, &json, room);
	if (!out.failed)
		encode(&out, room);
	text_fini(&out);
	if (m->ndim > 2 || dtype_is_complex(m->dtype))
		return;
	mm_writer_init(&mm, m);
	PRINT(&out, mm_writer_more, &mm, room);
	text_fini(&out);
}

static void write_npy(const struct matrix *m)
{
	struct text out = { 0 };

	npy_header(&out, m);
	if (matrix_size(m))
		text_add(&out, m->memory->data, matrix_size(m));
	if (!out.failed)
		read_back(m, "application/x-npy", &out);
	text_fini(&out);
}

/* Do the elements hold the signature of a zip archive's end? libzip looks for
 * it backwards, and may then take a place among them for the end. */
static bool looks_like_the_end(const struct matrix *m)
{
	return matrix_size(m) &&
	       memmem(m->memory->data, matrix_size(m), "PK\5\6", 4);
}

static void write_npz(const struct matrix *m, size_t room)
{
	const struct matrix *const all[] = { m, m };
	const char *const names[] = { "a", "b" };
	struct npz_writer w = { 0 };
	struct text out = { 0 };
	struct err e = { 0 };
	const int rc = m->layout == CSR ? npz_writer_init_sparse(&w, m, &e) :
	               npz_writer_init(&w, all, names, 2, &e);

	fuzz_want((rc == 0) == (e.code == ERR_NONE));
	if (rc == 0) {
		PRINT(&out, npz_writer_more, &w, room);
		if (!out.failed && out.length < TEXT) {
			fuzz_want(out.length == npz_writer_size(&w));
			if (!looks_like_the_end(m))
				read_back(m, "application/x-npz",
				          &out);
		}
	}
	npz_writer_fini(&w);
	text_fini(&out);
	e = (struct err){ 0 };
	if (m->layout == DENSE)
		npz_write(&out, all, names, 2, &e);
	text_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct input in = { data, n, 1 };
	struct matrix m;

	if (n < HEAD)
		return 0;
	if (make(&m, &in)) {
		write_texts(&m, ROOM + data[0]);
		write_npz(&m, ROOM + data[0]);
		if (m.layout == DENSE)
			write_npy(&m);
	}
	matrix_fini(&m);
	return 0;
}
