/* form_kind.c - see form_kind.h. */
#include <string.h>
#include <strings.h>

#include "base/size.h"
#include "format/form_kind.h"

static bool begins(const struct form_part *f, const char *magic)
{
	return f->n_first >= strlen(magic) &&
	       memcmp(f->first, magic, strlen(magic)) == 0;
}

static bool is_npy(struct form_part *f)
{
	return begins(f, "\x93NUMPY");
}

static bool is_npz(struct form_part *f)
{
	return begins(f, "PK\3\4");
}

static bool is_matrix_market(struct form_part *f)
{
	return f->n_first >= 14 &&
	       strncasecmp(f->first, "%%MatrixMarket", 14) == 0;
}

size_t form_kind_blanks(const char *bytes, size_t n)
{
	size_t i = 0;

	while (i < n && bytes[i] && strchr(" \t\r\n", bytes[i]))
		i++;
	return i;
}

/* Was the shape of the part's raw bytes, or a wrong one, told? */
static bool has_shape(struct form_part *f)
{
	struct matrix shape = { 0 };
	const char *name;

	return f->sink.layout(f, 0, &name, &shape, &(struct err){ 0 }) != 0;
}

/* Does the part's type leave the format open? Programs send these for files of
 * unknown type. */
static bool is_open(const struct form_part *f)
{
	return !f->type[0] || strcmp(f->type, "text/plain") == 0 ||
	       strcmp(f->type, "application/octet-stream") == 0;
}

bool form_kind_may_be_json(struct form_part *f)
{
	return is_open(f) && (!f->file || f->json_file || !has_shape(f));
}

/* A number in a file may as well be the beginning of another text. */
static bool is_json(struct form_part *f)
{
	const char *begins = f->file ? "[{" : "[{-0123456789";
	const size_t i = form_kind_blanks(f->first, f->n_first);
	const char c = i < f->n_first ? f->first[i] : f->next;

	return f->json_file ||
	       (c && strchr(begins, c) && form_kind_may_be_json(f));
}

/* The formats of one operand. If a part's type does not tell its format, its
 * first bytes do. */
static const struct {
	const char *type;
	bool (*sniff)(struct form_part *f);
	struct reader *(*open)(const struct part *p, struct err *e);
} formats_of_parts[] = {
	{ "application/x-npy", is_npy, npy_open },
	{ "application/x-npz", is_npz, npz_part_open },
	{ "application/x-matrix-market", is_matrix_market,
	  matrix_market_open },
	{ "application/json", is_json, json_value_open },
	{ "application/octet-stream", NULL, octets_open },
};

static bool fits(struct form_part *f, size_t i)
{
	if (!is_open(f))
		return strcmp(formats_of_parts[i].type, f->type) == 0;
	return !formats_of_parts[i].sniff || formats_of_parts[i].sniff(f);
}

struct reader *form_kind_reader(struct form_part *f, struct err *e)
{
	const struct part p = { &f->sink, f->name, f->most, true };

	for (size_t i = 0; i < COUNT(formats_of_parts); i++)
		if (fits(f, i))
			return formats_of_parts[i].open(&p, e);
	err_set(e, ERR_FORMAT, "%s: type \"%s\" is of no known format",
	        f->name, f->type);
	return NULL;
}
