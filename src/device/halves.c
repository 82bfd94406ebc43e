/* halves.c - the elements of float16 and bfloat16 matrices as kernels see them:
 * float32, in a buffer beside that of the elements as they are stored.
 *
 *     input    stored ── widen_float16 ──▶ wide
 *     output   wide ── round_float16 ──▶ stored ──▶ the host, in seq_finish()
 */
#include "base/size.h"
#include "device/sequence.h"

/* An item converts at least EACH elements. There are at most MOST_CPU items on
 * a CPU and MOST on other devices. */
enum { EACH = 8, GROUP = 64, MOST_CPU = 1 << 14, MOST = 1 << 18 };

static void convert(struct seq *s, const char *kernel, struct buf from,
                    struct buf to, size_t n)
{
	const bool cpu = seq_sheet(s)->type == DEVICE_CPU;
	const size_t items = size_min(size_blocks(n, EACH),
	                              cpu ? MOST_CPU : MOST);

	seq_work(s, 0, (double)n * (sizeof(uint16_t) + sizeof(float)));
	seq_launch(s, kernel, GRID1(items, GROUP), ARG_BUF(from), ARG_BUF(to),
	           ARG_LONG(n));
}

static size_t elements_of(const struct seq *s, struct buf b)
{
	return buffer_get(s, b.id)->bytes / sizeof(uint16_t);
}

/* Makes the wide buffer of b unless it has one. Returns whether it was made. */
static bool make_wide(struct seq *s, struct buf b, enum dtype t)
{
	const size_t n = elements_of(s, b);
	struct buf wide;

	if (seq_failed(s) || buffer_get(s, b.id)->wide)
		return false;
	wide = seq_scratch(s, n * sizeof(float));
	buffer_get(s, b.id)->wide = wide.id;
	buffer_get(s, b.id)->dtype = t;
	return wide.id != 0;
}

struct buf halves_input(struct seq *s, struct buf b, enum dtype t)
{
	struct buf wide;
	size_t n;

	if (!dtype_is_half(t) || !b.id)
		return b;
	if (make_wide(s, b, t) && (n = elements_of(s, b)) > 0) {
		wide.id = buffer_get(s, b.id)->wide;
		convert(s, t == FLOAT16 ? "widen_float16" : "widen_bfloat16",
		        b, wide, n);
	}
	return (struct buf){ buffer_get(s, b.id)->wide };
}

struct buf halves_output(struct seq *s, struct buf b, enum dtype t)
{
	if (!dtype_is_half(t) || !b.id)
		return b;
	make_wide(s, b, t);
	return (struct buf){ buffer_get(s, b.id)->wide };
}

void halves_round(struct seq *s)
{
	for (int i = 0; i < s->n_buffers; i++) {
		const struct buffer *b = &s->buffer[i];
		const struct buf stored = { i + 1 }, wide = { b->wide };

		if (!b->wide || !b->awaited)
			continue;
		convert(s, b->dtype == FLOAT16 ? "round_float16" :
		        "round_bfloat16", wide, stored,
		        elements_of(s, stored));
	}
}
