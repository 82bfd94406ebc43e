/* npz.c - reads an npz: a zip archive of npy files, a member NAME.npy for
 * operand NAME. The archive's index stands at its end, so that the body is
 * kept whole; members are inflated straight into the operands' memory. */
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "base/size.h"
#include "matrix/formats.h"
#include "matrix/grow.h"
#include "matrix/part.h"

enum { MEMBERS_MOST = 64, CHUNK = 64 << 10, NAME_MOST = 64 };

struct npz_reader {
	struct reader base;
	const struct sink *sink;
	uint64_t length;
	struct grow body;
};

static int npz_feed(struct reader *base, const void *bytes, size_t n,
                    struct err *e)
{
	struct npz_reader *r = (struct npz_reader *)base;

	if (n > r->length - r->body.used)
		return err_set(e, ERR_REQUEST, "npz: more bytes than the "
		               "body's length");
	return grow_add(&r->body, r->sink->pool, bytes, n, e);
}

static int npz_end(struct reader *base, bool *work, struct err *e)
{
	(void)base, (void)e;
	*work = true;
	return 0;
}

static int refuse(struct err *e, const char *name, const char *why)
{
	return err_set(e, ERR_FORMAT, "npz: %.60s: %s", name, why);
}

/* The operand's name: the member's without ".npy". */
static int operand_name(const char *member, char name[NAME_MOST],
                        struct err *e)
{
	size_t n = strlen(member);

	if (n < 5 || n - 4 >= NAME_MOST || strcmp(member + n - 4, ".npy") != 0)
		return refuse(e, member, "is no NAME.npy");
	memcpy(name, member, n - 4);
	name[n - 4] = 0;
	return 0;
}

static int check_member(const struct npz_reader *r, const zip_stat_t *s,
                        struct err *e)
{
	const zip_uint64_t wanted = ZIP_STAT_NAME | ZIP_STAT_SIZE |
	                            ZIP_STAT_COMP_METHOD |
	                            ZIP_STAT_ENCRYPTION_METHOD;

	if ((s->valid & wanted) != wanted)
		return err_set(e, ERR_FORMAT, "npz: a member without a size");
	if (s->encryption_method != ZIP_EM_NONE)
		return refuse(e, s->name, "is encrypted");
	if (s->comp_method != ZIP_CM_STORE && s->comp_method != ZIP_CM_DEFLATE)
		return refuse(e, s->name, "is neither stored nor deflated");
	if (s->size > memory_pool_limit(r->sink->pool))
		return err_set(e, ERR_TOO_LARGE, "npz: %.60s: %llu bytes are "
		               "beyond the limit of %zu", s->name,
		               (unsigned long long)s->size,
		               memory_pool_limit(r->sink->pool));
	return 0;
}

/* Inflates the member into the npy reader. */
static int pump(zip_file_t *f, struct reader *npy, const char *name,
                struct err *e)
{
	char *chunk = malloc(CHUNK);
	zip_int64_t n = 0;
	int rc = 0;

	if (!chunk)
		return err_set(e, ERR_MEMORY, "no memory to inflate");
	while (rc == 0 && (n = zip_fread(f, chunk, CHUNK)) > 0)
		rc = reader_feed(npy, chunk, (size_t)n, e);
	free(chunk);
	return n < 0 ? refuse(e, name, "is damaged") : rc;
}

static int read_npy(const struct npz_reader *r, zip_file_t *f,
                    const char *name, uint64_t size, struct err *e)
{
	struct part p = { r->sink, name, size, false };
	struct reader *npy = npy_open(&p, e);
	bool work;
	int rc = npy ? pump(f, npy, name, e) : -1;

	if (rc == 0)
		rc = reader_end(npy, &work, e);
	if (rc == 0)
		rc = reader_finish(npy, e);
	reader_free(npy);
	return rc;
}

static int read_member(const struct npz_reader *r, zip_t *z, zip_uint64_t i,
                       struct err *e)
{
	char name[NAME_MOST];
	zip_stat_t s;
	zip_file_t *f;
	int rc;

	if (zip_stat_index(z, i, ZIP_FL_ENC_RAW, &s) < 0)
		return err_set(e, ERR_FORMAT, "npz: %s", zip_strerror(z));
	if (check_member(r, &s, e) < 0 || operand_name(s.name, name, e) < 0)
		return -1;
	f = zip_fopen_index(z, i, 0);
	if (!f)
		return refuse(e, s.name, zip_strerror(z));
	rc = read_npy(r, f, name, s.size, e);
	zip_fclose(f);
	return rc;
}

static int read_members(const struct npz_reader *r, zip_t *z, struct err *e)
{
	zip_int64_t n = zip_get_num_entries(z, 0);

	if (n < 1 || n > MEMBERS_MOST)
		return err_set(e, ERR_FORMAT, "npz: %lld members, must be 1 "
		               "to %d", (long long)n, MEMBERS_MOST);
	for (zip_int64_t i = 0; i < n; i++)
		if (read_member(r, z, (zip_uint64_t)i, e) < 0)
			return -1;
	return 0;
}

/* The archive, read-only over the body's bytes; NULL with *e. */
static zip_t *open_archive(const struct npz_reader *r, struct err *e)
{
	zip_error_t why;
	zip_source_t *source;
	zip_t *z = NULL;

	zip_error_init(&why);
	source = zip_source_buffer_create(r->body.memory->data, r->body.used,
	                                  0, &why);
	if (source)
		z = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS,
		                         &why);
	if (!z) {
		err_set(e, ERR_FORMAT, "npz: %s", zip_error_strerror(&why));
		zip_source_free(source);
	}
	zip_error_fini(&why);
	return z;
}

static int npz_finish(struct reader *base, struct err *e)
{
	struct npz_reader *r = (struct npz_reader *)base;
	zip_t *z;
	int rc;

	if (!r->body.memory)
		return err_set(e, ERR_FORMAT, "npz: the body is empty");
	z = open_archive(r, e);
	rc = z ? read_members(r, z, e) : -1;
	zip_discard(z);
	return rc;
}

static void npz_free(struct reader *base)
{
	struct npz_reader *r = (struct npz_reader *)base;

	grow_fini(&r->body);
	free(r);
}

static const struct reader_kind npz_kind = {
	npz_feed, npz_end, npz_finish, npz_free,
};

struct reader *npz_open(const struct sink *k, const char *media,
                        uint64_t length, struct err *e)
{
	struct npz_reader *r = calloc(1, sizeof *r);

	(void)media;
	if (!r) {
		err_set(e, ERR_MEMORY, "no memory for a reader");
		return NULL;
	}
	r->base.kind = &npz_kind;
	r->sink = k;
	r->length = length;
	if (length == UINT64_MAX ||
	    grow_reserve(&r->body, k->pool, length, e) == 0)
		return &r->base;
	npz_free(&r->base);
	return NULL;
}
