/* transpose.c - turns row-major order into column-major order, and copies
 * between leading dimensions; see stack.h.
 *
 * Tiles of TILE x TILE elements are transposed into a small array first, and
 * then copied row by row. So every cache line of the result is written at once:
 * where the rows of the result are a multiple of 4096 bytes apart, the lines of
 * a tile share one set of the cache, which holds fewer than TILE lines, and a
 * line that is written in parts is loaded again for each part. For 1024 x 1024
 * float32 elements that took twelve times as long. */
#include <string.h>

#include "base/size.h"
#include "ops/lapack/stack.h"

enum { TILE = 16 };

typedef uint32_t four __attribute__((vector_size(16)));
typedef uint64_t two __attribute__((vector_size(16)));
struct pair { uint64_t x[2]; };

/* The three functions transpose one block, of 4 x 4, 2 x 2 or 1 x 1 elements,
 * into rows of TILE elements. */
static inline void block_4(const uint32_t *from, size_t ld, uint32_t *to)
{
	four a, b, c, d, low[2], high[2], rows[4];

	memcpy(&a, from, sizeof a);
	memcpy(&b, from + ld, sizeof b);
	memcpy(&c, from + 2 * ld, sizeof c);
	memcpy(&d, from + 3 * ld, sizeof d);
	low[0] = __builtin_shufflevector(a, b, 0, 4, 1, 5);
	low[1] = __builtin_shufflevector(c, d, 0, 4, 1, 5);
	high[0] = __builtin_shufflevector(a, b, 2, 6, 3, 7);
	high[1] = __builtin_shufflevector(c, d, 2, 6, 3, 7);
	rows[0] = __builtin_shufflevector(low[0], low[1], 0, 1, 4, 5);
	rows[1] = __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7);
	rows[2] = __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5);
	rows[3] = __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7);
	for (size_t i = 0; i < 4; i++)
		memcpy(to + i * TILE, &rows[i], sizeof rows[i]);
}

static inline void block_8(const uint64_t *from, size_t ld, uint64_t *to)
{
	two a, b, rows[2];

	memcpy(&a, from, sizeof a);
	memcpy(&b, from + ld, sizeof b);
	rows[0] = __builtin_shufflevector(a, b, 0, 2);
	rows[1] = __builtin_shufflevector(a, b, 1, 3);
	memcpy(to, &rows[0], sizeof rows[0]);
	memcpy(to + TILE, &rows[1], sizeof rows[1]);
}

static inline void block_16(const struct pair *from, size_t ld,
                            struct pair *to)
{
	(void)ld;
	*to = *from;
}

/* Defines the transposition of one whole tile by blocks of edge x edge
 * elements, of a tile's part of m x n elements, and of a matrix. */
#define TRANSPOSE(bytes, type, edge)                                         \
static void tile_##bytes(const type *from, size_t from_ld, type *to,         \
                         size_t to_ld)                                       \
{                                                                            \
	type rows[TILE * TILE] __attribute__((aligned(64)));                 \
                                                                             \
	for (size_t i = 0; i < TILE; i += edge)                              \
		for (size_t j = 0; j < TILE; j += edge)                      \
			block_##bytes(from + i * from_ld + j, from_ld,       \
			              rows + j * TILE + i);                  \
	for (size_t j = 0; j < TILE; j++)                                    \
		memcpy(to + j * to_ld, rows + j * TILE,                      \
		       TILE * sizeof *rows);                                 \
}                                                                            \
                                                                             \
static void part_##bytes(const type *from, size_t from_ld, size_t m,         \
                         size_t n, type *to, size_t to_ld)                   \
{                                                                            \
	for (size_t i = 0; i < m; i++)                                       \
		for (size_t j = 0; j < n; j++)                               \
			memcpy(to + j * to_ld + i, from + i * from_ld + j,   \
			       sizeof *to);                                  \
}                                                                            \
                                                                             \
static void transpose_##bytes(const type *from, size_t from_ld, size_t m,    \
                              size_t n, type *to, size_t to_ld)              \
{                                                                            \
	for (size_t i = 0; i < m; i += TILE)                                 \
		for (size_t j = 0; j < n; j += TILE)                         \
			if (i + TILE <= m && j + TILE <= n)                  \
				tile_##bytes(from + i * from_ld + j,         \
				    from_ld, to + j * to_ld + i, to_ld);     \
			else                                                 \
				part_##bytes(from + i * from_ld + j,         \
				    from_ld, size_min(m - i, TILE),          \
				    size_min(n - j, TILE),                   \
				    to + j * to_ld + i, to_ld);              \
}

TRANSPOSE(4, uint32_t, 4)
TRANSPOSE(8, uint64_t, 2)
TRANSPOSE(16, struct pair, 1)

void lapack_transpose(const void *from, size_t from_ld, size_t m, size_t n,
                      size_t bytes, void *to, size_t to_ld)
{
	if (bytes == 4)
		transpose_4(from, from_ld, m, n, to, to_ld);
	else if (bytes == 8)
		transpose_8(from, from_ld, m, n, to, to_ld);
	else
		transpose_16(from, from_ld, m, n, to, to_ld);
}

void lapack_transpose_square(void *x, size_t n, size_t bytes)
{
	char *const a = x;
	struct pair kept;

	for (size_t j = 0; j < n; j++)
		for (size_t i = j + 1; i < n; i++) {
			char *const below = a + (j * n + i) * bytes;
			char *const above = a + (i * n + j) * bytes;

			memcpy(&kept, below, bytes);
			memcpy(below, above, bytes);
			memcpy(above, &kept, bytes);
		}
}

/* Defines a transposition that converts the elements, tile by tile. */
#define TRANSPOSE_AS(name, type, other)                                      \
static void convert_##name(const type *from, size_t from_ld, size_t m,       \
                           size_t n, other *to)                              \
{                                                                            \
	for (size_t i = 0; i < m; i++)                                       \
		for (size_t j = 0; j < n; j++)                               \
			to[i * TILE + j] = (other)from[i * from_ld + j];     \
}                                                                            \
                                                                             \
void lapack_transpose_##name(const type *from, size_t from_ld, size_t m,     \
                             size_t n, other *to, size_t to_ld)              \
{                                                                            \
	other tile[TILE * TILE];                                             \
                                                                             \
	for (size_t i = 0; i < m; i += TILE)                                 \
		for (size_t j = 0; j < n; j += TILE) {                       \
			const size_t rows = size_min(m - i, TILE);           \
			const size_t cols = size_min(n - j, TILE);           \
                                                                             \
			convert_##name(from + i * from_ld + j, from_ld,      \
			               rows, cols, tile);                    \
			lapack_transpose(tile, TILE, rows, cols,             \
			    sizeof *tile, to + j * to_ld + i, to_ld);        \
		}                                                            \
}

TRANSPOSE_AS(widened, float, double)
TRANSPOSE_AS(narrowed, double, float)

void lapack_copy(const void *from, size_t from_ld, size_t m, size_t n,
                 size_t bytes, void *to, size_t to_ld)
{
	for (size_t j = 0; j < n; j++)
		memcpy((char *)to + j * to_ld * bytes,
		       (const char *)from + j * from_ld * bytes, m * bytes);
}
