/* writer_npy.c - see writer.h: npy headers. */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "format/writer.h"

enum { NPY_ALIGN = 64, NPY_PROLOGUE = 10 };

/* (3, 4) or (5,) or () */
static void add_shape(struct text *t, const struct matrix *m)
{
	text_puts(t, "(");
	for (int i = 0; i < m->ndim; i++)
		text_printf(t, "%s%zu", i ? ", " : "", m->dim[i]);
	text_puts(t, m->ndim == 1 ? ",)" : ")");
}

static void add_header(struct text *t, const char *descr,
                       const struct matrix *m)
{
	struct text dict = { 0 };
	size_t n, pad;

	text_printf(&dict, "{'descr': '%s', 'fortran_order': False, "
	            "'shape': ", descr);
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

void npy_header(struct text *t, const struct matrix *m)
{
	add_header(t, dtype_npy(m->dtype), m);
}

void npy_string(struct text *t, const char *s)
{
	const struct matrix scalar = { .ndim = 0 };
	char descr[24];

	snprintf(descr, sizeof descr, "|S%zu", strlen(s));
	add_header(t, descr, &scalar);
	text_puts(t, s);
}
