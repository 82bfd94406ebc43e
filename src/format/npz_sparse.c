/* npz_sparse.c - a sparse matrix in the archive that scipy.sparse.save_npz()
 * writes.
 *
 *     format.npy    b"csr", b"csc" or b"coo", a scalar string
 *     shape.npy     rows, columns
 *     data.npy      the values
 *     indptr.npy, indices.npy   of csr and csc
 *     row.npy, col.npy          of coo
 *     _is_array.npy             SciPy's own, ignored
 *
 * The lists are read as npy files and have the same meaning as in JSON
 * (json_sparse.h). Source: scipy/sparse/_matrix_io.py.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "format/json_sparse.h"
#include "format/npz_archive.h"

enum {
	TEXT_MOST = 1024,		/* bytes of format.npy */
	NPY_PROLOGUE = 10,		/* before the dictionary, version 1 */
};

struct archive {
	zip_t *zip;
	const struct part *part;	/* names the operand */
	char label[PART_NAME];
};

static zip_int64_t find(zip_t *z, const char *name)
{
	char member[PART_NAME];

	snprintf(member, sizeof member, "%s.npy", name);
	return zip_name_locate(z, member, ZIP_FL_ENC_RAW);
}

bool npz_is_sparse(const struct part *p, zip_t *z)
{
	const struct sink *k = p->sink;

	return find(z, "format") >= 0 && find(z, "shape") >= 0 &&
	       find(z, "data") >= 0 &&
	       (p->name || !k->is_operand ||
	        !k->is_operand(k->arg, "format"));
}

static int refuse(const struct archive *a, const char *name, const char *why,
                  struct err *e)
{
	return err_set(e, ERR_FORMAT, "%s: %s.npy of a sparse npz %s", a->label,
	               name, why);
}

/* Reads the text of a scalar string array: what follows the npy header, without
 * the zero bytes of wide characters and of padding. */
static int read_text(const struct archive *a, const char *name,
                     char text[TEXT_MOST], struct err *e)
{
	unsigned char file[TEXT_MOST];
	zip_file_t *f = zip_fopen_index(a->zip,
	    (zip_uint64_t)find(a->zip, name), 0);
	const zip_int64_t n = f ? zip_fread(f, file, sizeof file) : -1;
	zip_int64_t at;
	size_t length = 0;

	if (f)
		zip_fclose(f);
	if (n < NPY_PROLOGUE || memcmp(file, "\x93NUMPY\1", 7) != 0)
		return refuse(a, name, "is no short string", e);
	at = NPY_PROLOGUE + file[8] + (file[9] << 8);
	for (; at < n; at++)
		if (file[at])
			text[length++] = (char)file[at];
	text[length] = 0;
	return 0;
}

static struct matrix *take_list(void *arg, const char *name, struct err *e)
{
	(void)name;
	(void)e;
	return arg;
}

/* Reads a list of numbers from its npy. */
static int read_list(const struct archive *a, const char *name,
                     struct matrix *m, struct err *e)
{
	const struct sink k = {
		.operand = take_list, .pool = a->part->sink->pool, .arg = m,
	};
	const struct part p = { &k, name, 0, false };
	const zip_int64_t at = find(a->zip, name);

	if (at < 0)
		return refuse(a, name, "is missing", e);
	return npz_read_member(a->zip, (zip_uint64_t)at, &p, e);
}

static int read_shape(const struct archive *a, struct matrix *m,
                      struct err *e)
{
	struct matrix shape = { .ndim = MATRIX_ABSENT };
	int rc = read_list(a, "shape", &shape, e);

	if (rc == 0 && (shape.ndim != 1 || shape.dim[0] != 2))
		rc = refuse(a, "shape", "must be rows and columns", e);
	for (int i = 0; rc == 0 && i < 2; i++) {
		const double x = matrix_get(&shape, (size_t)i);

		if (!(x >= 0 && x <= (double)SPARSE_MOST) || x != floor(x))
			rc = refuse(a, "shape", "holds no number of rows or "
			            "columns", e);
		else
			m->dim[i] = (size_t)x;
	}
	m->ndim = 2;
	matrix_fini(&shape);
	return rc;
}

/* Checks that sparse matrices can have values of that type. */
static int check_values(const struct archive *a, const struct matrix *values,
                        enum dtype *d, struct err *e)
{
	const unsigned reals = DTYPE_REALS | DTYPE_BIT(INT32) |
	                       DTYPE_HALVES | DTYPE_BIT(INT64) |
	                       DTYPE_BIT(BOOL);

	if (dtype_is_complex(values->dtype)) {
		*d = values->dtype;
		return 0;
	}
	*d = values->dtype == FLOAT32 || dtype_is_half(values->dtype) ?
	     FLOAT32 : FLOAT64;
	return reals & DTYPE_BIT(values->dtype) ? 0 :
	       refuse(a, "data", "holds no numbers", e);
}

/* Checks that the archive has no other members. */
static int check_members(const struct archive *a, const struct json_sparse *s,
                         struct err *e)
{
	const char *const known[] = {
		"format", "shape", "data", "_is_array",
		json_sparse_field(s, 0), json_sparse_field(s, 1),
	};
	const zip_int64_t n = zip_get_num_entries(a->zip, 0);
	zip_int64_t found = 0;

	for (size_t i = 0; i < COUNT(known); i++)
		found += find(a->zip, known[i]) >= 0;
	return n == found ? 0 : err_set(e, ERR_FORMAT, "%s: a sparse npz with "
	    "%lld more members than its matrix has", a->label,
	    (long long)(n - found));
}

static int read_lists(const struct archive *a, struct json_sparse *s,
                      enum dtype *d, struct err *e)
{
	for (int i = 0; i < JSON_PLACES; i++)
		if (read_list(a, json_sparse_field(s, i), &s->place[i], e) < 0)
			return -1;
	if (read_list(a, "data", &s->values, e) < 0)
		return -1;
	return check_values(a, &s->values, d, e);
}

static int build(const struct archive *a, struct matrix *m,
                 enum layout layout, struct err *e)
{
	struct memory_pool *pool = a->part->sink->pool;
	char format[TEXT_MOST];
	struct json_sparse *s;
	enum dtype d;
	int rc;

	if (read_text(a, "format", format, e) < 0 || read_shape(a, m, e) < 0)
		return -1;
	s = json_sparse_make(a->label, format, m, e);
	if (!s)
		return -1;
	for (int i = 0; i < JSON_PLACES; i++)
		s->place[i].ndim = MATRIX_ABSENT;
	s->values.ndim = MATRIX_ABSENT;
	rc = check_members(a, s, e) < 0 || read_lists(a, s, &d, e) < 0 ? -1 :
	     json_sparse_build(s, m, pool, e);
	json_sparse_free(s);
	if (rc < 0 || (layout != CSR && sparse_convert(m, DENSE, pool, e) < 0))
		return -1;
	return matrix_convert(m, d, pool, e);
}

/* The members of an archive that is a whole body belong to no operand that a
 * pointer could name. */
static void drop_label(const struct archive *a, struct err *e)
{
	char label[ERR_POINTER];
	const size_t n = strlen(err_pointer(label, "", a->label));

	if (!a->part->name && strncmp(e->pointer, label, n) == 0)
		memmove(e->pointer, e->pointer + n, strlen(e->pointer + n) + 1);
}

int npz_read_sparse(zip_t *z, const struct part *p, struct err *e)
{
	struct matrix *target = part_operand(p, e);
	struct matrix m = { .dtype = FLOAT64 };
	struct archive a = { .zip = z, .part = p };

	if (!target)
		return -1;
	part_label(p, a.label, "npz");
	if (build(&a, &m, target->layout, e) < 0) {
		drop_label(&a, e);
		matrix_fini(&m);
		return -1;
	}
	*target = m;
	return 0;
}
