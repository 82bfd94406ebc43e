/* npz_members.c - what the members of an npz may be: their names, how they are
 * stored, and the lists of a sparse matrix. */
#include <math.h>
#include <stdio.h>
#include <zip.h>

#include "format/npz_index.h"
#include "tests/format/sink.h"
#include "tests/test.h"

#define NPZ "application/x-npz"

/* A member that holds an npy with that type and shape and these elements, or,
 * if descr is NULL, the elements alone. */
struct given {
	const char *name, *descr, *shape;
	const void *elements;
	size_t bytes;
	zip_int32_t method;
	bool secret;
};

static const double ramp[] = { 1, 2, 3, 4 };
static struct text archive;
static struct test_sink s;
static struct err e;

static void setup(void)
{
	archive = (struct text){ 0 };
	e = (struct err){ 0 };
	test_sink_init(&s);
}

static void teardown(void)
{
	test_sink_fini(&s);
	text_fini(&archive);
	ck_assert_uint_eq(memory_pool_used(test_pool), 0);
}

static void add(zip_t *z, const struct given *g, struct text *file)
{
	zip_source_t *source;
	zip_int64_t i;

	if (g->descr) {
		text_add(file, "\x93NUMPY\1\0\x76\0", 10);
		text_printf(file, "{'descr': '%s', 'fortran_order': False, "
		            "'shape': %s}", g->descr, g->shape);
		while (file->length < 127)
			text_puts(file, " ");
		text_puts(file, "\n");
	}
	text_add(file, g->elements, g->bytes);
	source = zip_source_buffer(z, file->data, file->length, 0);
	i = zip_file_add(z, g->name, source, 0);
	ck_assert_int_ge(i, 0);
	ck_assert_int_eq(zip_set_file_compression(z, (zip_uint64_t)i,
	                                          g->method, 0), 0);
	if (g->secret)
		ck_assert_int_eq(zip_file_set_encryption(z, (zip_uint64_t)i,
		    ZIP_EM_AES_256, "secret"), 0);
}

/* Makes the archive of these members. */
static void make(const struct given *g, size_t n)
{
	zip_source_t *to = zip_source_buffer_create(NULL, 0, 0, NULL);
	zip_t *z = zip_open_from_source(to, ZIP_TRUNCATE, NULL);
	struct text *files = calloc(n, sizeof *files);
	char piece[1000];
	zip_int64_t got;

	ck_assert(to && z && files);
	zip_source_keep(to);
	for (size_t i = 0; i < n; i++)
		add(z, &g[i], &files[i]);
	ck_assert_int_eq(zip_close(z), 0);
	ck_assert_int_eq(zip_source_open(to), 0);
	while ((got = zip_source_read(to, piece, sizeof piece)) > 0)
		text_add(&archive, piece, (size_t)got);
	zip_source_close(to);
	zip_source_free(to);
	for (size_t i = 0; i < n; i++)
		text_fini(&files[i]);
	free(files);
}

static int read(void)
{
	return sink_read(&s, NPZ, archive.data, archive.length, 1000, &e);
}

#define refused(error, word)                                             \
	do {                                                             \
		ck_refused(read(), &e, error);                           \
		ck_assert_msg(strstr(e.text, word) != NULL,              \
		              "\"%s\" lacks \"%s\"", e.text, word);      \
	} while (0)

#define VECTOR(name_) .name = name_, .descr = "<f8", .shape = "(4,)",    \
	.elements = ramp, .bytes = sizeof ramp, .method = ZIP_CM_STORE

/* --- how a member is stored */

START_TEST(encrypted_members_are_refused)
{
	make(&(struct given){ VECTOR("a.npy"), .secret = true }, 1);
	refused(ERR_FORMAT, "npz: a.npy: is encrypted");
}
END_TEST

START_TEST(only_stored_and_deflated_members_are_read)
{
	struct given g = { VECTOR("a.npy") };

	g.method = ZIP_CM_BZIP2;
	make(&g, 1);
	refused(ERR_FORMAT, "npz: a.npy: is neither stored nor deflated");
}
END_TEST

START_TEST(a_member_beyond_the_memory_is_not_inflated)
{
	const size_t bytes = 2 << 20;
	void *zeros = calloc(1, bytes);
	struct memory_pool *small = memory_pool_new(1 << 20, &e);

	ck_assert(zeros && small);
	make(&(struct given){ .name = "a.npy", .descr = "<f8",
	                      .shape = "(262144,)", .elements = zeros,
	                      .bytes = bytes, .method = ZIP_CM_DEFLATE }, 1);
	s.sink.pool = small;
	refused(ERR_TOO_LARGE, "npz: a.npy: 2097280 bytes are beyond the limit "
	        "of 1048576");
	ck_assert_uint_eq(memory_pool_used(small), 0);
	memory_pool_free(small);
	free(zeros);
}
END_TEST

START_TEST(an_archive_has_its_length)
{
	struct reader *r = format_find(NPZ)->open(&s.sink, NPZ, 9, &e);

	ck_assert_ptr_nonnull(r);
	ck_ok(reader_feed(r, "PK\3\4.....", 9, &e), &e);
	ck_refused(reader_feed(r, ".", 1, &e), &e, ERR_REQUEST);
	ck_assert_str_eq(e.text, "npz: more bytes than the body's length");
	reader_free(r);
}
END_TEST

START_TEST(an_archive_has_at_most_64_members)
{
	struct given many[65];
	char names[65][16];

	for (int i = 0; i < 65; i++) {
		snprintf(names[i], sizeof names[i], "m%d.npy", i);
		many[i] = (struct given){ VECTOR(names[i]) };
	}
	make(many, 65);
	refused(ERR_FORMAT, "npz: 65 members, at most 64 are read");
}
END_TEST

/* --- names */

START_TEST(a_member_is_named_after_its_operand)
{
	static const char *const names[] = { ".npy", "a", "a.txt", "npy" };
	char long_name[64 + sizeof ".npy"];

	memset(long_name, 'n', 64);
	strcpy(long_name + 64, ".npy");
	make(&(struct given){
		VECTOR((size_t)_i < COUNT(names) ? names[_i] : long_name)
	}, 1);
	refused(ERR_FORMAT, "is no NAME.npy");
}
END_TEST

static const char *const named_b[] = { "a", "b", "c" };
static const char *const named_a[] = { "a", "x", "y" };
static const char *const named_matrix[] = { "matrix", "x", "y" };
static const char *const named_arr[] = { "x", "arr_0", "y" };

START_TEST(arrays_without_names_are_refused_with_advice)
{
	static const struct { const char *const *names, *advice; } rows[] = {
		{ named_b, "as in np.savez(file, a=..., b=...)" },
		{ named_a, "as in np.savez(file, a=...)" },
		{ named_matrix, "as in np.savez(file, matrix=...)" },
	};

	s.names = rows[_i].names;
	make(&(struct given){ VECTOR("arr_0.npy") }, 1);
	refused(ERR_REQUEST, rows[_i].advice);
}
END_TEST

START_TEST(an_operand_may_have_such_a_name)
{
	s.names = named_arr;
	make(&(struct given){ VECTOR("arr_0.npy") }, 1);
	ck_ok(read(), &e);
	sink_holds(&s.m[1], FLOAT64, "4", ramp);
}
END_TEST

/* --- sparse matrices */

static const int64_t rows_and_columns[] = { 2, 2 }, places[] = { 0, 1 };

#define LIST(name_, descr_, shape_, elements_)                           \
	{ name_, descr_, shape_, elements_, sizeof elements_, ZIP_CM_STORE, \
	  false }

enum { SHAPE = 1, DATA = 2, MEMBERS = 5 };

/* A matrix of 1 and 2 on its diagonal, of which a test changes a member. */
static const struct given diagonal[MEMBERS] = {
	{ "format.npy", "|S3", "()", "coo", 3, ZIP_CM_STORE, false },
	LIST("shape.npy", "<i8", "(2,)", rows_and_columns),
	{ "data.npy", "<f8", "(2,)", ramp, 16, ZIP_CM_STORE, false },
	LIST("row.npy", "<i8", "(2,)", places),
	LIST("col.npy", "<i8", "(2,)", places),
};

static void change(int member, struct given to)
{
	struct given g[MEMBERS];

	memcpy(g, diagonal, sizeof g);
	to.name = g[member].name;
	g[member] = to;
	make(g, MEMBERS);
}

START_TEST(halves_become_float32)
{
	static const uint16_t halves[] = { 0x3c00, 0x4000 };
	static const double wanted[] = { 1, 0, 0, 2 };

	change(DATA, (struct given)LIST("", "<f2", "(2,)", halves));
	ck_ok(read(), &e);
	sink_holds(&s.m[0], FLOAT32, "2x2", wanted);
}
END_TEST

START_TEST(a_shape_is_rows_and_columns)
{
	static const int64_t three[] = { 2, 2, 2 };

	change(SHAPE, (struct given)LIST("", "<i8", "(3,)", three));
	refused(ERR_FORMAT, "npz: shape.npy of a sparse npz must be rows "
	        "and columns");
}
END_TEST

START_TEST(a_shape_is_one_list)
{
	change(SHAPE, (struct given)LIST("", "<i8", "(1, 2)",
	                                 rows_and_columns));
	refused(ERR_FORMAT, "must be rows and columns");
}
END_TEST

START_TEST(rows_and_columns_are_counted)
{
	static const double shapes[][2] = {
		{ 2, 2.5 }, { -1, 2 }, { NAN, 2 }, { 2, 1e300 },
	};
	struct given g = LIST("", "<f8", "(2,)", shapes[0]);

	g.elements = shapes[_i];
	change(SHAPE, g);
	refused(ERR_FORMAT, "holds no number of rows or columns");
}
END_TEST

START_TEST(the_format_is_a_short_string)
{
	static const struct given bad[] = {
		{ "", NULL, NULL, "coo", 3, ZIP_CM_STORE, false },
		{ "", NULL, NULL, "", 0, ZIP_CM_STORE, false },
		{ "", NULL, NULL, "\x93NUMPY\2\0\0\0\0\0coo", 15, ZIP_CM_STORE,
		  false },
	};

	change(0, bad[_i]);
	refused(ERR_FORMAT, "format.npy of a sparse npz is no short string");
}
END_TEST

START_TEST(a_sparse_matrix_must_fit_where_it_becomes_dense)
{
	static const int64_t wide[] = { 2000000000, 2000000000 };

	change(SHAPE, (struct given)LIST("", "<i8", "(2,)", wide));
	ck_assert_int_eq(read(), -1);
	ck_assert_msg(e.code == ERR_TOO_LARGE || e.code == ERR_MEMORY, "%s",
	              e.text);
}
END_TEST

START_TEST(a_sparse_matrix_needs_an_operand)
{
	s.given[0] = s.given[1] = s.given[2] = true;
	make(diagonal, MEMBERS);
	refused(ERR_REQUEST, "next: no operand or given twice");
}
END_TEST

START_TEST(operands_may_have_the_names_of_its_lists)
{
	static const char *const lists[] = { "format", "shape", "data" };
	struct given g[] = { { VECTOR("format.npy") }, { VECTOR("shape.npy") },
	                     { VECTOR("data.npy") } };

	s.names = lists;
	make(g, COUNT(g));
	ck_ok(read(), &e);
	for (int i = 0; i < SINK_OPERANDS; i++)
		sink_holds(&s.m[i], FLOAT64, "4", ramp);
}
END_TEST

/* --- the index: sizes are added up as far as it is whole */

START_TEST(a_broken_index_has_no_more_size_than_it_tells)
{
	const size_t end = 22;
	char *index;

	make((struct given[]){ { VECTOR("a.npy") }, { VECTOR("b.npy") } }, 2);
	index = archive.data + archive.length - end - 2 * (46 + 5);
	ck_assert_mem_eq(index, "PK\1\2", 4);
#define SIZE(bytes) npz_index_size(archive.data, bytes, 64)
	ck_assert_double_eq(SIZE(archive.length), 2 * 160);
	ck_assert_double_eq(npz_index_size(archive.data, archive.length, 1),
	                    160);
	ck_assert_double_eq(SIZE(archive.length - end), 0);
	ck_assert_double_eq(SIZE(0), 0);
	index[28 + 46 + 5 + 1] = 1;	/* the second one's name: too long */
	ck_assert_double_eq(SIZE(archive.length), 2 * 160);
	index[28 + 1] = 1;		/* and the first one's */
	ck_assert_double_eq(SIZE(archive.length), 160);
	index[0] = 'Q';
	ck_assert_double_eq(SIZE(archive.length), 0);
	archive.data[archive.length - end + 19] = 1;	/* begins far off */
	ck_assert_double_eq(SIZE(archive.length), 0);
}
END_TEST

TCase *tcase_npz_members(void)
{
	TCase *c = tcase_create("npz_members");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, encrypted_members_are_refused);
	tcase_add_test(c, only_stored_and_deflated_members_are_read);
	tcase_add_test(c, a_member_beyond_the_memory_is_not_inflated);
	tcase_add_test(c, an_archive_has_its_length);
	tcase_add_test(c, an_archive_has_at_most_64_members);
	tcase_add_loop_test(c, a_member_is_named_after_its_operand, 0, 5);
	tcase_add_loop_test(c, arrays_without_names_are_refused_with_advice, 0,
	                    3);
	tcase_add_test(c, an_operand_may_have_such_a_name);
	tcase_add_test(c, halves_become_float32);
	tcase_add_test(c, a_shape_is_rows_and_columns);
	tcase_add_test(c, a_shape_is_one_list);
	tcase_add_loop_test(c, rows_and_columns_are_counted, 0, 4);
	tcase_add_loop_test(c, the_format_is_a_short_string, 0, 3);
	tcase_add_test(c, a_sparse_matrix_must_fit_where_it_becomes_dense);
	tcase_add_test(c, a_sparse_matrix_needs_an_operand);
	tcase_add_test(c, operands_may_have_the_names_of_its_lists);
	tcase_add_test(c, a_broken_index_has_no_more_size_than_it_tells);
	return c;
}
