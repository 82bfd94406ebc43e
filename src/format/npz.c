/* npz.c - reads an npz: a zip archive of npy files, a member NAME.npy for
 * operand NAME, or a sparse matrix as SciPy saves one (npz_sparse.c). The whole
 * body is kept until its end, where the archive's index is; members are then
 * inflated straight into the operands' memory. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/slice.h"
#include "format/formats.h"
#include "format/npz_archive.h"
#include "format/npz_index.h"
#include "matrix/grow.h"

enum { MEMBERS_MOST = 64, CHUNK = 64 << 10, NAME_MOST = 64 };

struct npz_reader {
	struct reader base;
	struct part part;		/* name NULL: members name operands */
	struct sink members;		/* the part's, without what belongs to
					 * the loop's thread */
	struct grow body;
};

static int npz_feed(struct reader *base, const void *bytes, size_t n,
                    struct err *e)
{
	struct npz_reader *r = (struct npz_reader *)base;

	if (n > r->part.length - r->body.used)
		return err_set(e, ERR_REQUEST, "npz: more bytes than the "
		               "body's length");
	return grow_add(&r->body, r->part.sink->pool, bytes, n, e);
}

static int npz_end(struct reader *base, bool *work, struct err *e)
{
	const struct npz_reader *r = (const struct npz_reader *)base;
	size_t members;

	*work = true;
	if (!r->body.memory)
		return err_set(e, ERR_FORMAT, "npz: the body is empty");
	members = npz_index_members(r->body.memory->data, r->body.used);
	if (members > MEMBERS_MOST)
		return err_set(e, ERR_FORMAT, "npz: %zu members, at most %d "
		               "are read", members, MEMBERS_MOST);
	return 0;
}

static int refuse(struct err *e, const char *name, const char *why)
{
	return err_set(e, ERR_FORMAT, "npz: %.60s: %s", name, why);
}

/* Writes the operand's name: the member's without ".npy". */
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

static int check_member(const struct memory_pool *p, const zip_stat_t *s,
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
	if (s->size > memory_pool_limit(p))
		return err_set(e, ERR_TOO_LARGE, "npz: %.60s: %llu bytes are "
		               "beyond the limit of %zu", s->name,
		               (unsigned long long)s->size,
		               memory_pool_limit(p));
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
	while (rc == 0 && (n = zip_fread(f, chunk, CHUNK)) > 0) {
		rc = reader_feed(npy, chunk, (size_t)n, e);
		if (rc == 0)
			rc = slice_next(e);
	}
	free(chunk);
	return n < 0 ? refuse(e, name, "is damaged") : rc;
}

static int read_npy(zip_file_t *f, const struct part *p, struct err *e)
{
	struct reader *npy = npy_open(p, e);
	bool work;
	int rc = npy ? pump(f, npy, p->name, e) : -1;

	if (rc == 0)
		rc = reader_end(npy, &work, e);
	if (rc == 0)
		rc = reader_finish(npy, e);
	reader_free(npy);
	return rc;
}

int npz_read_member(zip_t *z, zip_uint64_t i, const struct part *p,
                    struct err *e)
{
	struct part whole = *p;
	zip_stat_t s;
	zip_file_t *f;
	int rc;

	if (zip_stat_index(z, i, ZIP_FL_ENC_RAW, &s) < 0)
		return err_set(e, ERR_FORMAT, "npz: %s", zip_strerror(z));
	if (check_member(p->sink->pool, &s, e) < 0)
		return -1;
	f = zip_fopen_index(z, i, 0);
	if (!f)
		return refuse(e, s.name, zip_strerror(z));
	whole.length = s.size;
	whole.bound = false;
	rc = read_npy(f, &whole, e);
	zip_fclose(f);
	return rc;
}

/* Refuses the names arr_0, arr_1, ... that np.savez(file, a, b) gives, with
 * advice. */
static int check_named(const struct sink *k, const char *name, struct err *e)
{
	if (strncmp(name, "arr_", 4) != 0 || !k->is_operand ||
	    k->is_operand(k->arg, name))
		return 0;
	return err_set(e, ERR_REQUEST, "npz: %.60s is no operand's name; name "
	               "the arrays, as in np.savez(file, %s)", name,
	               k->is_operand(k->arg, "b") ? "a=..., b=..." :
	               k->is_operand(k->arg, "a") ? "a=..." : "matrix=...");
}

static int read_operand(const struct npz_reader *r, zip_t *z, zip_uint64_t i,
                        struct err *e)
{
	const char *member = zip_get_name(z, i, ZIP_FL_ENC_RAW);
	struct part p = r->part;
	char name[NAME_MOST];

	if (!member)
		return err_set(e, ERR_FORMAT, "npz: %s", zip_strerror(z));
	if (operand_name(member, name, e) < 0)
		return -1;
	if (!p.name && check_named(p.sink, name, e) < 0)
		return -1;
	if (!p.name)
		p.name = name;
	return npz_read_member(z, i, &p, e);
}

static int read_members(const struct npz_reader *r, zip_t *z, struct err *e)
{
	zip_int64_t n = zip_get_num_entries(z, 0);

	if (n < 1 || n > MEMBERS_MOST)
		return err_set(e, ERR_FORMAT, "npz: %lld members, must be 1 "
		               "to %d", (long long)n, MEMBERS_MOST);
	if (npz_is_sparse(&r->part, z))
		return npz_read_sparse(z, &r->part, e);
	if (r->part.name && n > 1)
		return err_set(e, ERR_FORMAT, "npz: %lld arrays for operand "
		               "%.60s, must be one, or a matrix of "
		               "scipy.sparse.save_npz", (long long)n,
		               r->part.name);
	for (zip_int64_t i = 0; i < n; i++)
		if (read_operand(r, z, (zip_uint64_t)i, e) < 0)
			return -1;
	return 0;
}

/* Opens the archive, read-only, on the body's bytes; NULL with *e. */
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
	if (!z && zip_error_code_zip(&why) == ZIP_ER_EXISTS) {
		err_set(e, ERR_FORMAT, "npz: two members have the same name");
		zip_source_free(source);
	} else if (!z) {
		err_set(e, ERR_FORMAT, "npz: the bytes are not one whole zip "
		        "archive: %s", zip_error_strerror(&why));
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

	r->members = *r->part.sink;
	sink_retire(&r->members);
	r->part.sink = &r->members;
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

/* Counts the bytes that are read, inflated, and written. */
static double npz_cost(const struct reader *base)
{
	const struct npz_reader *r = (const struct npz_reader *)base;
	const double size = npz_index_size(r->body.memory->data, r->body.used,
	                                   MEMBERS_MOST);

	return (double)r->body.used + 4 * size;
}

static const struct reader_kind npz_kind = {
	npz_feed, npz_end, npz_finish, npz_free, npz_cost,
};

/* A body's length is known; of a part of a form only an upper bound is. */
struct reader *npz_part_open(const struct part *p, struct err *e)
{
	struct npz_reader *r = calloc(1, sizeof *r);

	if (!r) {
		err_set(e, ERR_MEMORY, "no memory for a reader");
		return NULL;
	}
	r->base.kind = &npz_kind;
	r->part = *p;
	if (p->bound || p->length == 0 ||
	    grow_expect(&r->body, p->sink->pool, p->length, e) == 0)
		return &r->base;
	npz_free(&r->base);
	return NULL;
}

struct reader *npz_open(const struct sink *k, const char *media,
                        uint64_t length, struct err *e)
{
	const struct part p = part_of_body(k, length);

	(void)media;
	return npz_part_open(&p, e);
}
