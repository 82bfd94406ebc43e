/* messages.h - messages between the work-groups of a kernel while it runs. They
 * need neither a fence nor a flag, because each word shows whether it has
 * arrived, in one of two ways.
 *
 * A line of 16 bytes has two words, each with a tag in the same 8 bytes, which
 * arrive together (the LL protocol of NVIDIA's NCCL, 2019):
 *
 *     word 0 | tag | word 1 | tag        tag: a count of 8 bits, a place
 *
 * A line can be overwritten by a line of another count without being cleared,
 * and a pivot's place travels with its row; but half of the bytes sent are
 * tags.
 *
 * A bare word has all bits set until it is posted; no multiplier has. Sending
 * and polling it costs half as much as a line, but the buffer has to be cleared
 * between two uses, and a pivot's place is a message of its own.
 *
 * A receiver that has polled LU_PATIENCE times ends the kernel with a fault
 * instead of hanging, because the sender will never post. */
#ifndef KERNELS_LU_NVIDIA_MESSAGES_H
#define KERNELS_LU_NVIDIA_MESSAGES_H

#include "shared/lu_tile.h"
#include "lib/warp.h"

#define NO_PLACE 0xffffffu	/* more than any place of a row in a panel */

INLINE void check_polls(int polls)
{
	if (polls == LU_PATIENCE)
		__asm__ volatile("trap;");
}

/* Returns the tag of the step or panel of that number, without a place. It is
 * never 0. */
INLINE uint tag_of(int number)
{
	return (uint)(number % 255 + 1) << 24;
}

#define PER_LINE (8 / (int)sizeof(real))	/* elements */

/* Returns the line of two words and a tag with a place. */
INLINE ulong2 line_of(uint tag, uint word0, uint word1)
{
	const ulong upper = (ulong)tag << 32;

	return (ulong2)(upper | word0, upper | word1);
}

/* Returns the line of the elements at x. */
INLINE ulong2 line_made(uint tag, const real *x)
{
#ifdef DTYPE_float64
	const uint2 w = as_uint2(x[0]);
#else
	const uint2 w = as_uint2((float2)(x[0], x[1]));
#endif

	return line_of(tag, w.x, w.y);
}

/* Puts the line's elements in x. */
INLINE void line_elements(ulong2 v, real *x)
{
#ifdef DTYPE_float64
	x[0] = as_double((uint2)((uint)v.x, (uint)v.y));
#else
	x[0] = as_float((uint)v.x);
	x[1] = as_float((uint)v.y);
#endif
}

INLINE uint line_place(ulong2 v)
{
	return (uint)(v.x >> 32) & NO_PLACE;
}

INLINE bool line_is_of(ulong2 v, uint tag)
{
	return ((uint)(v.x >> 32) & ~NO_PLACE) == tag &&
	       ((uint)(v.y >> 32) & ~NO_PLACE) == tag;
}

/* Polls until the line has that tag. v: the line as it was read before. */
INLINE ulong2 line_wait(ulong2 v, global const ulong2 *at, uint tag)
{
	for (int i = 0; !line_is_of(v, tag); i++) {
		check_polls(i);
		v = line_read(at);
	}
	return v;
}

/* A bare word: an element's bits. */
typedef order bits;
#define NOT_POSTED ((bits)-1)
#ifdef DTYPE_float64
#define AS_REAL(x) as_double(x)
#else
#define AS_REAL(x) as_float(x)
#endif

INLINE real bits_wait(bits v, global const bits *at)
{
	for (int i = 0; v == NOT_POSTED; i++) {
		check_polls(i);
		v = bits_read(at);
	}
	return AS_REAL(v);
}

/* Polls until the word has that tag; returns the place in it. */
INLINE uint place_wait(uint v, global const uint *at, uint tag)
{
	for (int i = 0; (v & ~NO_PLACE) != tag; i++) {
		check_polls(i);
		v = word_read(at);
	}
	return v & NO_PLACE;
}

#endif
