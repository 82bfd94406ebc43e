/* writer_npy.c - see writer.h: npy headers, and npz archives by libzip. */
#include <stdint.h>
#include <string.h>
#include <zip.h>

#include "base/size.h"
#include "matrix/writer.h"

enum { NPY_ALIGN = 64, NPY_PROLOGUE = 10 };

/* (3, 4) or (5,) or () */
static void add_shape(struct text *t, const struct matrix *m)
{
	text_puts(t, "(");
	for (int i = 0; i < m->ndim; i++)
		text_printf(t, "%s%zu", i ? ", " : "", m->dim[i]);
	text_puts(t, m->ndim == 1 ? ",)" : ")");
}

void npy_header(struct text *t, const struct matrix *m)
{
	struct text dict = { 0 };
	size_t n, pad;

	text_printf(&dict, "{'descr': '%s', 'fortran_order': False, "
	            "'shape': ", dtype_npy(m->dtype));
	add_shape(&dict, m);
	text_puts(&dict, ", }");
	n = NPY_PROLOGUE + dict.length + 1;
	pad = size_round_up(n, NPY_ALIGN) - n;
	n += pad - NPY_PROLOGUE;
	text_add(t, "\x93NUMPY\x01\x00", 8);
	text_add(t, (char[]){ (char)(n & 255), (char)(n >> 8) }, 2);
	text_printf(t, "%s%*s\n", dict.data ? dict.data : "", (int)pad, "");
	t->failed |= dict.failed;
	text_fini(&dict);
}

/* One member, stored: its header and its elements, of which libzip makes no
 * copy before it writes them. header lives until then. */
static int add_member(zip_t *z, const struct matrix *m, const char *name,
                      struct text *header)
{
	zip_buffer_fragment_t piece[2];
	struct text file = { 0 };
	zip_source_t *source;
	zip_int64_t i;
	zip_error_t why;

	npy_header(header, m);
	text_printf(&file, "%s.npy", name);
	if (header->failed || file.failed) {
		text_fini(&file);
		return -1;
	}
	piece[0].data = (zip_uint8_t *)header->data;
	piece[0].length = header->length;
	piece[1].data = matrix_data(m);
	piece[1].length = matrix_size(m);
	zip_error_init(&why);
	source = zip_source_buffer_fragment_create(piece,
	             piece[1].length ? 2 : 1, 0, &why);
	zip_error_fini(&why);
	i = source ? zip_file_add(z, file.data, source, ZIP_FL_ENC_UTF_8) : -1;
	if (i < 0)
		zip_source_free(source);
	text_fini(&file);
	if (i < 0 || zip_set_file_compression(z, (zip_uint64_t)i, ZIP_CM_STORE,
	                                      0) < 0)
		return -1;
	return zip_file_set_dostime(z, (zip_uint64_t)i, 0, 0x21, 0);
}

static int read_back(struct text *t, zip_source_t *s)
{
	zip_stat_t st;
	zip_int64_t n = -1;
	char *to;

	if (zip_source_stat(s, &st) == 0 && st.valid & ZIP_STAT_SIZE &&
	    (to = text_reserve(t, st.size)) && zip_source_open(s) == 0) {
		n = zip_source_read(s, to, st.size);
		zip_source_close(s);
	}
	if (n < 0 || (zip_uint64_t)n != st.size)
		return -1;
	text_grew(t, (size_t)n);
	return 0;
}

static int write_archive(struct text *t, zip_source_t *s,
                         const struct matrix *const *m,
                         const char *const *names, size_t n,
                         struct text *headers)
{
	zip_error_t why;
	zip_t *z;

	zip_error_init(&why);
	zip_source_keep(s);
	z = zip_open_from_source(s, ZIP_TRUNCATE, &why);
	zip_error_fini(&why);
	if (!z) {
		zip_source_free(s);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		if (add_member(z, m[i], names[i], &headers[i]) < 0) {
			zip_discard(z);
			return -1;
		}
	if (zip_close(z) < 0) {
		zip_discard(z);
		return -1;
	}
	return read_back(t, s);
}

int npz_write(struct text *t, const struct matrix *const *m,
              const char *const *names, size_t n, struct err *e)
{
	struct text headers[NPZ_MEMBERS] = { 0 };
	zip_error_t why;
	zip_source_t *s;
	int rc = -1;

	if (n > NPZ_MEMBERS)
		return err_set(e, ERR_INTERNAL, "npz: %zu members, at most %d "
		               "are written", n, NPZ_MEMBERS);
	zip_error_init(&why);
	s = zip_source_buffer_create(NULL, 0, 0, &why);
	zip_error_fini(&why);
	if (s) {
		rc = write_archive(t, s, m, names, n, headers);
		zip_source_free(s);
	}
	for (size_t i = 0; i < n; i++)
		text_fini(&headers[i]);
	return rc < 0 ? err_set(e, ERR_MEMORY, "npz: no memory for an archive "
	                        "of %zu members", n) : 0;
}
