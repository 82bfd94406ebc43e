/* form_part.c - see form_part.h. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/size.h"
#include "format/form_kind.h"
#include "format/form_part.h"
#include "format/json_value.h"

enum { VALUE_MOST = 64 << 10 };

/* --- the header lines */

static int malformed(struct err *e, const char *line, size_t n)
{
	return err_set(e, ERR_REQUEST, "multipart: malformed header "
	               "\"%.*s\"", (int)size_min(n, 60), line);
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static bool same(const char *p, size_t n, const char *word)
{
	return n == strlen(word) && strncasecmp(p, word, n) == 0;
}

/* Reads a token or a quoted string into to[]; returns its end, or NULL. */
static const char *value(const char *p, const char *end, char to[FORM_NAME])
{
	size_t n = 0;
	bool quoted = p < end && *p == '"';

	for (p += quoted; p < end; p++) {
		if (quoted ? *p == '"' : *p == ';' || *p == ' ')
			break;
		if (quoted && *p == '\\' && p + 1 < end &&
		    (p[1] == '"' || p[1] == '\\'))
			p++;
		if (n == FORM_NAME - 1 || *p == 0)
			return NULL;
		to[n++] = *p;
	}
	to[n] = 0;
	if (quoted && p == end)
		return NULL;
	return p + quoted;
}

/* Returns the end of the value at p, or NULL. For a file's name, which may be
 * as long as the line. */
static const char *skip_value(const char *p, const char *end)
{
	bool quoted = p < end && *p == '"';

	for (p += quoted; p < end && *p != (quoted ? '"' : ';'); p++)
		p += quoted && *p == '\\' && p + 1 < end;
	if (quoted && p == end)
		return NULL;
	return p + quoted;
}

/* Does the value from p to the end, which may be NULL, end with .json? */
static bool ends_with_json(const char *p, const char *end)
{
	static const char suffix[] = ".json";
	const size_t n = sizeof suffix - 1;

	if (!end)
		return false;
	end -= end > p && end[-1] == '"';
	return (size_t)(end - p) > n && strncasecmp(end - n, suffix, n) == 0;
}

/* Reads the name of a file; returns its end, or NULL. */
static const char *file_name(struct form_part *f, const char *p,
                             const char *end)
{
	const char *behind = skip_value(p, end);

	f->file = true;
	f->json_file |= ends_with_json(p, behind);
	return behind;
}

/* Reads one "; key=value"; returns its end, or NULL. */
static const char *attribute(struct form_part *f, const char *p,
                             const char *end)
{
	const char *key, *equals;
	size_t n;

	if (*p != ';')
		return NULL;
	key = skip_blanks(p + 1, end);
	equals = memchr(key, '=', (size_t)(end - key));
	if (!equals)
		return NULL;
	n = (size_t)(equals - key);
	if (same(key, n, "name")) {
		f->named = true;
		return value(equals + 1, end, f->name);
	}
	return same(key, n, "filename") || same(key, n, "filename*") ?
	       file_name(f, equals + 1, end) : skip_value(equals + 1, end);
}

/* Content-Disposition: form-data; name="a"; filename="a.npy" */
static int disposition(struct form_part *f, const char *p, const char *end)
{
	const char *word = p;

	while (p < end && *p != ';' && *p != ' ')
		p++;
	if (!same(word, (size_t)(p - word), "form-data"))
		return -1;
	while (p && (p = skip_blanks(p, end)) < end)
		p = attribute(f, p, end);
	return p && f->named && f->name[0] ? 0 : -1;
}

static int content_type(struct form_part *f, const char *p, const char *end)
{
	size_t n = 0;

	for (; p < end && *p != ';' && *p != ' '; p++) {
		if (n == FORM_NAME - 1)
			return -1;
		f->type[n++] = (char)tolower((unsigned char)*p);
	}
	f->type[n] = 0;
	return 0;
}

int form_part_header(struct form_part *f, const char *line, size_t n,
                     struct err *e)
{
	const char *end = line + n, *colon = memchr(line, ':', n), *p;
	size_t name = colon ? (size_t)(colon - line) : 0;
	int rc = 0;

	if (!colon)
		return malformed(e, line, n);
	p = skip_blanks(colon + 1, end);
	while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (same(line, name, "content-disposition"))
		rc = f->named ? -1 : disposition(f, p, end);
	else if (same(line, name, "content-type"))
		rc = content_type(f, p, end);
	else if (same(line, name, "content-transfer-encoding") &&
	         !same(p, (size_t)(end - p), "binary") &&
	         !same(p, (size_t)(end - p), "8bit") &&
	         !same(p, (size_t)(end - p), "7bit"))
		rc = -1;
	return rc < 0 ? malformed(e, line, n) : 0;
}

/* --- the form's sink, narrowed to this part's operand */

/* A reader names another operand only for the pivots that came with factors
 * (json_factors.h). */
static struct matrix *part_matrix(void *arg, const char *name, struct err *e)
{
	struct form_part *f = arg;

	return f->form->operand(f->form->arg, name ? name : f->name, e);
}

static bool part_is_operand(void *arg, const char *name)
{
	struct form_part *f = arg;

	return f->form->is_operand(f->form->arg, name);
}

static int part_layout(void *arg, int i, const char **name,
                       struct matrix *shape, struct err *e)
{
	struct form_part *f = arg;
	int more = f->form->layout && i == 0;

	for (int k = 0; more > 0; k++) {
		*name = NULL;
		more = f->form->layout(f->form->arg, k, name, shape, e);
		if (more > 0 && (!*name || strcmp(*name, f->name) == 0))
			break;
	}
	return more;
}

static int part_reference(void *arg, const char *name, struct matrix *m,
                          struct err *e)
{
	struct form_part *f = arg;

	return f->form->reference(f->form->arg, name, m, e);
}

static int part_fetched(void *arg, const char *name, struct matrix *m,
                        struct err *e)
{
	struct form_part *f = arg;

	return f->form->fetched(f->form->arg, name, m, e);
}

static int part_share(void *arg, const char *id, const struct matrix *m,
                      struct memory **from, struct err *e)
{
	struct form_part *f = arg;

	return f->form->share(f->form->arg, id, m, from, e);
}

/* --- the bytes */

int form_part_begin(struct form_part *f, const struct sink *form,
                    uint64_t most, struct err *e)
{
	if (!f->named)
		return err_set(e, ERR_REQUEST, "multipart: a part without "
		               "Content-Disposition: form-data; name=...");
	f->form = form;
	f->most = most;
	f->operand = !(json_value_kinds(form, f->name) & VALUE_JSON) &&
	             (f->file || (form->is_operand &&
	                          form->is_operand(form->arg, f->name)));
	f->sink = (struct sink){
		.operand = part_matrix, .layout = part_layout,
		.is_operand = form->is_operand ? part_is_operand : NULL,
		.reference = form->reference ? part_reference : NULL,
		.fetched = form->fetched ? part_fetched : NULL,
		.share = form->share ? part_share : NULL,
		.pool = form->pool, .arg = f,
	};
	return 0;
}

static int feed_parameter(struct form_part *f, const char *bytes, size_t n,
                          struct err *e)
{
	if (n > VALUE_MOST - f->value.length)
		return err_set(e, ERR_PARAMETER, "%s: a value of more than %d "
		               "bytes", f->name, VALUE_MOST);
	text_add(&f->value, bytes, n);
	return f->value.failed ? err_set(e, ERR_MEMORY, "no memory for a "
	                                 "parameter") : 0;
}

/* Returns how many of the n bytes that follow the first ones continue blanks at
 * the beginning of a part that may be JSON. */
static size_t count_leading(struct form_part *f, const char *bytes,
                            size_t n)
{
	return form_kind_blanks(f->first, f->n_first) < f->n_first ||
	       !form_kind_may_be_json(f) ? 0 : form_kind_blanks(bytes, n);
}

/* Opens the reader, and feeds it what has been kept. */
static int begin_reading(struct form_part *f, struct err *e)
{
	f->reader = form_kind_reader(f, e);
	if (!f->reader ||
	    reader_feed(f->reader, f->first, f->n_first, e) < 0)
		return -1;
	return f->blanks.used ? reader_feed(f->reader, f->blanks.memory->data,
	                                    f->blanks.used, e) : 0;
}

int form_part_feed(struct form_part *f, const char *bytes, size_t n,
                   struct err *e)
{
	size_t take = size_min(n, FORM_SNIFF - f->n_first), blanks;

	if (!f->operand)
		return feed_parameter(f, bytes, n, e);
	if (f->reader)
		return reader_feed(f->reader, bytes, n, e);
	memcpy(f->first + f->n_first, bytes, take);
	f->n_first += take;
	bytes += take;
	n -= take;
	if (f->n_first < FORM_SNIFF)
		return 0;
	blanks = count_leading(f, bytes, n);
	if (blanks > 0 && grow_add(&f->blanks, f->sink.pool, bytes, blanks, e))
		return -1;
	if (blanks == n)
		return 0;
	f->next = bytes[blanks];
	if (begin_reading(f, e) < 0)
		return -1;
	return reader_feed(f->reader, bytes + blanks, n - blanks, e);
}

static int end_parameter(struct form_part *f, struct err *e)
{
	const struct sink *k = f->form;
	const char *text = f->value.length ? f->value.data : "";

	if (strlen(text) != f->value.length)
		return err_set(e, ERR_PARAMETER, "%s: a zero byte in its "
		               "value", f->name);
	return k->parameter(k->arg, f->name, text, e);
}

int form_part_end(struct form_part *f, bool *rest, struct err *e)
{
	*rest = false;
	if (!f->operand)
		return end_parameter(f, e);
	if (!f->reader && begin_reading(f, e) < 0)
		return -1;
	return reader_end(f->reader, rest, e);
}

void form_part_fini(struct form_part *f)
{
	reader_free(f->reader);
	text_fini(&f->value);
	grow_fini(&f->blanks);
	*f = (struct form_part){ 0 };
}
