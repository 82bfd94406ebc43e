/* board.c - see board.h. */
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "base/size.h"
#include "device/board.h"
#include "device/pinned.h"
#include "device/sequence.h"
#include "wire/sheet.h"

enum { LINE = 128 };			/* bytes; two cache lines */

/* A counter, alone in its cache lines. */
struct counter {
	_Alignas(LINE) atomic_uint_least64_t n;
};

struct board_head {
	struct counter posted, met;
	struct counter released[SHEETS];
};

/* A part that waits looks this often before it sleeps between two looks: a
 * panel that was awaited for long may as well arrive 50 us later. */
enum { LOOKS = 2000 };
static const struct timespec nap = { .tv_nsec = 50000 };

size_t board_head_bytes(void)
{
	return sizeof(struct board_head);
}

static size_t own_bytes(size_t own)
{
	return size_round_up(own, LINE);
}

static size_t slot_bytes(size_t slot)
{
	return size_round_up(slot, LINE);
}

/* The slots begin at a page, so that they can be pinned and copied at once. */
static size_t slots_at(int parts, size_t own)
{
	return size_round_up(sizeof(struct board_head) +
	                     (size_t)parts * own_bytes(own), 4096);
}

size_t board_bytes(int parts, size_t own, size_t slot)
{
	return slots_at(parts, own) + BOARD_SLOTS * slot_bytes(slot);
}

void board_open(struct board *x, struct seq *s, struct memory *m,
                int part, int parts, size_t own, size_t slot)
{
	*x = (struct board){ .s = s, .part = part, .parts = parts,
	                     .own = own, .slot = slot, .head = m->data };
	if (m->bytes < board_bytes(parts, own, slot))
		err_set(seq_err(s), ERR_INTERNAL, "the parts of a gang share "
		        "%zu bytes, but exchange %zu", m->bytes,
		        board_bytes(parts, own, slot));
	pinned_now(s, m);
}

void *board_own(const struct board *x, int part)
{
	return (char *)x->head + sizeof(struct board_head) +
	       (size_t)part * own_bytes(x->own);
}

static char *slot_at(const struct board *x, size_t k)
{
	return (char *)x->head + slots_at(x->parts, x->own) +
	       k % BOARD_SLOTS * slot_bytes(x->slot);
}

/* Waits until the counter is at least n. What this part has enqueued must not
 * wait meanwhile. */
static bool await(struct board *x, struct counter *c, size_t n)
{
	if (atomic_load(&c->n) < n)
		lanes_flush(x->s);
	for (int looks = 0; atomic_load(&c->n) < n; looks++) {
		if (!seq_goes_on(x->s))
			return false;
		if (looks >= LOOKS)
			nanosleep(&nap, NULL);
	}
	return seq_goes_on(x->s);
}

void *board_slot(struct board *x, size_t k)
{
	const size_t before = k < BOARD_SLOTS ? 0 : k + 1 - BOARD_SLOTS;

	for (int i = 0; i < x->parts; i++)
		if (!await(x, &x->head->released[i], before))
			return NULL;
	return slot_at(x, k);
}

void board_post(struct board *x, size_t k)
{
	if (!seq_failed(x->s))
		atomic_store(&x->head->posted.n, k + 1);
}

const void *board_take(struct board *x, size_t k)
{
	return await(x, &x->head->posted, k + 1) ? slot_at(x, k) : NULL;
}

void board_release(struct board *x, size_t k)
{
	atomic_store(&x->head->released[x->part].n, k + 1);
}

bool board_meet(struct board *x)
{
	if (seq_failed(x->s))
		return false;
	atomic_fetch_add(&x->head->met.n, 1);
	return await(x, &x->head->met, ++x->meetings * (size_t)x->parts);
}

void board_read(struct board *x, struct buf b, size_t offset, void *host,
                size_t bytes)
{
	seq_lane_read(x->s, b, offset, host, bytes);
}

void board_write(struct board *x, struct buf b, size_t offset,
                 const void *host, size_t bytes)
{
	seq_lane_write(x->s, b, offset, host, bytes);
}
