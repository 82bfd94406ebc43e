/* operand.c - see operand.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "base/size.h"
#include "base/text.h"
#include "clients/call/operand.h"

enum { READ_BYTES = 1 << 20, DIMS_MOST = 8 };

static const struct {
	const char *extension, *media;
} media[] = {
	{ ".npy", "application/x-npy" },
	{ ".npz", "application/x-npz" },
	{ ".mtx", "application/x-matrix-market" },
	{ ".json", "application/json" },
	{ ".bin", "application/octet-stream" },
};

const char *operand_media(const char *path)
{
	const size_t n = strlen(path);

	for (size_t i = 0; i < COUNT(media); i++) {
		const size_t k = strlen(media[i].extension);

		if (n > k && strcasecmp(path + n - k, media[i].extension) == 0)
			return media[i].media;
	}
	return NULL;
}

static int no_memory(struct err *e)
{
	return err_set(e, ERR_MEMORY, "no memory for the form");
}

/* Adds n bytes, which libcurl copies; type may be NULL. */
static int add_bytes(curl_mime *form, const char *name, const char *bytes,
                     size_t n, const char *type, struct err *e)
{
	curl_mimepart *p = curl_mime_addpart(form);

	if (!p || curl_mime_name(p, name) || curl_mime_data(p, bytes, n) ||
	    (type && curl_mime_type(p, type)))
		return no_memory(e);
	return 0;
}

int operand_add_parameter(curl_mime *form, const char *name,
                          const char *value, struct err *e)
{
	return add_bytes(form, name, value, strlen(value), NULL, e);
}

/* Adds an operand that is described in JSON, as {"ref": NAME}. Takes value
 * over. */
static int add_json(curl_mime *form, const char *name, json_t *value,
                    struct err *e)
{
	char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
	int rc = text ? add_bytes(form, name, text, strlen(text),
	                          "application/json", e) : no_memory(e);

	free(text);
	json_decref(value);
	return rc;
}

/* --- files */

/* `what` is what an error calls the descriptor. */
static int read_all(int fd, struct text *t, const char *what, struct err *e)
{
	ssize_t n = 0;

	do {
		char *room = text_reserve(t, READ_BYTES);

		n = room ? read(fd, room, READ_BYTES) : -1;
		if (n > 0)
			text_grew(t, (size_t)n);
	} while (n > 0);
	if (n == 0)
		return 0;
	return t->failed ? no_memory(e) :
	       err_set(e, ERR_PARAMETER, "%.160s: %s", what,
	               strerror(errno));
}

/* Adds what can be read of fd as an operand. Without a type, a first character
 * of a JSON value makes it JSON; the service recognizes the binary formats by
 * their first bytes. */
static int add_stream(curl_mime *form, const char *name, int fd,
                      const char *what, const char *type, struct err *e)
{
	struct text t = { 0 };
	int rc = read_all(fd, &t, what, e);
	size_t i = 0;

	while (rc == 0 && i < t.length && strchr(" \t\r\n", t.data[i]))
		i++;
	if (rc == 0 && !t.length)
		rc = err_set(e, ERR_PARAMETER, "%.160s is empty", what);
	if (!type)
		type = i < t.length && strchr("[{-0123456789", t.data[i]) ?
		       "application/json" : "application/octet-stream";
	if (rc == 0)
		rc = add_bytes(form, name, t.data, t.length, type, e);
	text_fini(&t);
	return rc;
}

static int add_input(curl_mime *form, const char *name, struct err *e)
{
	char what[80];

	snprintf(what, sizeof what, "%.40s=-: standard input", name);
	return add_stream(form, name, STDIN_FILENO, what, NULL, e);
}

/* Adds a pipe or a device, whose length only its end tells. */
static int add_pipe(curl_mime *form, const char *name, const char *path,
                    struct err *e)
{
	char what[200];
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	snprintf(what, sizeof what, "%.40s=@%.110s", name, path);
	if (fd < 0)
		return err_set(e, ERR_PARAMETER, "%s: %s", what,
		               strerror(errno));
	rc = add_stream(form, name, fd, what, operand_media(path), e);
	close(fd);
	return rc;
}

static int add_file(curl_mime *form, const char *name, const char *path,
                    struct err *e)
{
	const char *type = operand_media(path);
	curl_mimepart *p;
	struct stat s;

	if (access(path, R_OK) || stat(path, &s))
		return err_set(e, ERR_PARAMETER, "%s=@%.150s: %s", name, path,
		               strerror(errno));
	if (S_ISDIR(s.st_mode))
		return err_set(e, ERR_PARAMETER, "%s=@%.150s: is a directory",
		               name, path);
	if (!S_ISREG(s.st_mode))
		return add_pipe(form, name, path, e);
	p = curl_mime_addpart(form);
	if (!p || curl_mime_name(p, name) || curl_mime_filedata(p, path) ||
	    curl_mime_filename(p, "operand") ||
	    curl_mime_type(p, type ? type : "application/octet-stream"))
		return no_memory(e);
	return 0;
}

/* --- stored and generated matrices */

static int add_reference(curl_mime *form, const char *name, const char *of,
                         struct err *e)
{
	return add_json(form, name, json_pack("{s:s}", "ref", of), e);
}

/* Parses a shape of n characters, as "100x100", and appends its sizes to the
 * array; -1 if it is no shape. */
static int read_shape(const char *s, size_t n, json_t *shape)
{
	const char *const end = s + n;
	char *after;

	for (int i = 0; i < DIMS_MOST; i++) {
		const long long size = strtoll(s, &after, 10);

		if (*s < '0' || *s > '9' || after > end || size < 0 ||
		    json_array_append_new(shape, json_integer(size)))
			return -1;
		if (after == end)
			return 0;
		if (*after != 'x')
			return -1;
		s = after + 1;
	}
	return -1;
}

/* Parses "seed=3:k=2" and adds its members to o. A value that is no JSON
 * becomes a string. */
static int read_more(char *s, json_t *o)
{
	char *one;

	while ((one = strsep(&s, ":"))) {
		char *equals = strchr(one, '=');
		json_t *value;

		if (!equals)
			return -1;
		*equals = 0;
		value = json_loads(equals + 1, JSON_DECODE_ANY, NULL);
		json_object_set_new(o, one, value ? value :
		                    json_string(equals + 1));
	}
	return 0;
}

static int malformed(const char *name, const char *spec, struct err *e)
{
	return err_set(e, ERR_PARAMETER, "%s=generate:%.60s: must be "
	               "generate:KIND:ROWSxCOLUMNS, as generate:hilbert:4x4 or "
	               "generate:random:4x4:seed=1", name, spec);
}

static int add_generated(curl_mime *form, const char *name, const char *spec,
                         struct err *e)
{
	const size_t kind = strcspn(spec, ":");
	const char *shape = spec + kind + (spec[kind] == ':');
	const size_t n = strcspn(shape, ":");
	char *more = shape[n] ? strdup(shape + n + 1) : NULL;
	json_t *sizes = json_array();
	json_t *o = json_pack("{s:s%, s:O}", "generate", spec, kind, "shape",
	                      sizes);
	int rc = kind == 0 || !o || read_shape(shape, n, sizes) ||
	         (more && read_more(more, o)) ? malformed(name, spec, e) :
	         add_json(form, name, json_incref(o), e);

	free(more);
	json_decref(sizes);
	json_decref(o);
	return rc;
}

static int add_inline(curl_mime *form, const char *name, const char *value,
                      struct err *e)
{
	json_error_t why;
	json_t *v = json_loads(value, JSON_DECODE_ANY, &why);

	if (!v)
		return err_set(e, ERR_PARAMETER, "%s: character %d: %.120s",
		               name, why.position, why.text);
	json_decref(v);
	return add_bytes(form, name, value, strlen(value), "application/json",
	                 e);
}

/* The functions for operands that begin with these prefixes. */
static const struct {
	const char *prefix;
	int (*add)(curl_mime *form, const char *name, const char *rest,
	           struct err *e);
} kinds[] = {
	{ "@", add_file },
	{ "ref:", add_reference },
	{ "generate:", add_generated },
};

bool operand_is_input(const char *value)
{
	return strcmp(value, "@-") == 0 || strcmp(value, "-") == 0;
}

int operand_add(curl_mime *form, const char *name, const char *value,
                struct err *e)
{
	if (operand_is_input(value))
		return add_input(form, name, e);
	for (size_t i = 0; i < COUNT(kinds); i++) {
		const size_t n = strlen(kinds[i].prefix);

		if (strncmp(value, kinds[i].prefix, n) == 0)
			return kinds[i].add(form, name, value + n, e);
	}
	if (*value && strchr("[{-0123456789", *value))
		return add_inline(form, name, value, e);
	return err_set(e, ERR_PARAMETER, "%s=%.60s: an operand is @FILE, -, "
	               "ref:NAME, generate:KIND:ROWSxCOLUMNS or JSON%s", name,
	               value, access(value, R_OK) ? "" :
	               "; did you mean the file, with @?");
}
