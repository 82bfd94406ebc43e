/* subgroup.h - sub-groups of work-items on every device.
 *
 *     SUBGROUP_KHR   OpenCL's own and their shuffles
 *     SUBGROUP_PTX   NVIDIA's warps, by inline PTX
 *     otherwise      SG_WIDTH neighbours and local memory
 *
 * src/device/compile.c compiles a file that includes this one in the first
 * of these ways that the device's compiler supports.
 *
 * One rule holds for all of them: every item of the work-group makes the
 * same calls in the same order, since some ways wait for the whole group.
 * A work-group has a multiple of 32 items, and passes `lanes`, an element of
 * local memory per item, to every call, which leaves it undefined.
 *
 *     SG_TYPE(T)     sg_from_T(x, lane, lanes)       x of that lane
 *                    sg_broadcast_T(x, lane, lanes)  the same lane for all
 *                    sg_down_T(x, delta, lanes)      x of lane + delta; its
 *                                                    own beyond the last
 *                    sg_load_T(p, lanes)             p[lane] of each lane
 *     SG_NUMBER(T)   these, and sg_add_T, sg_min_T, sg_max_T(x, lanes):
 *                    over the sub-group, to all of its lanes. The last two
 *                    may ignore NaN.
 *     SG_FOLD(name, T, FN)  sg_name_T(x, lanes) for any associative and
 *                    commutative FN(a, b)
 *
 * T is a type of one word and of 4 n bytes; a struct takes a typedef.
 * Included by kernels only. */
#ifndef KERNELS_LIB_SUBGROUP_H
#define KERNELS_LIB_SUBGROUP_H

/* A kernel's attribute that sets the width of its sub-groups, where it can. */
#if defined(SUBGROUP_KHR) && defined(cl_intel_required_subgroup_size)
#define SG_KERNEL __attribute__((intel_reqd_sub_group_size(16)))
#else
#define SG_KERNEL
#endif

static inline uint sg_item(void)
{
	return get_local_id(0) + get_local_size(0) *
	    (get_local_id(1) + get_local_size(1) * get_local_id(2));
}

#if defined(SUBGROUP_KHR)

#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#if !defined(cl_khr_subgroups) || \
    !(defined(cl_khr_subgroup_shuffle) || defined(cl_intel_subgroups))
#error "this device has no sub-groups with shuffles"
#endif

static inline uint sg_size(void)
{
	return get_sub_group_size();
}

static inline uint sg_lane(void)
{
	return get_sub_group_local_id();
}

/* A barrier between two calls: PoCL leaves out the second wait, after which the
 * memory that the first call read may be overwritten. */
#define SG_SETTLE() sub_group_barrier(CLK_LOCAL_MEM_FENCE)

static inline uint sg_word(uint x, uint lane)
{
#if defined(cl_khr_subgroup_shuffle)
	uint y = sub_group_shuffle(x, lane);
#else
	uint y = intel_sub_group_shuffle(x, lane);
#endif
	SG_SETTLE();
	return y;
}

#define SG_REDUCE(name, T, FN)                                              \
static inline T sg_##name##_##T(T x, local T *lanes)                        \
{                                                                           \
	T y = sub_group_reduce_##name(x);                                   \
	(void)lanes;                                                        \
	SG_SETTLE();                                                        \
	return y;                                                           \
}

#elif defined(SUBGROUP_PTX)

static inline uint sg_size(void)
{
	return 32;
}

static inline uint sg_lane(void)
{
	return sg_item() % 32;
}

static inline uint sg_word(uint x, uint lane)
{
	uint y;

	asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;"
	             : "=r"(y) : "r"(x), "r"(lane));
	return y;
}

#define SG_REDUCE(name, T, FN) SG_FOLD_AS(sg_##name##_##T, T, FN)

#else

#define SG_WIDTH 16

static inline uint sg_size(void)
{
	return SG_WIDTH;
}

static inline uint sg_lane(void)
{
	return sg_item() % SG_WIDTH;
}

#define SG_REDUCE(name, T, FN) SG_FOLD_AS(sg_##name##_##T, T, FN)
#define SG_EMULATED

#endif

#if defined(SG_EMULATED)

#define SG_FROM(T)                                                          \
static inline T sg_from_##T(T x, uint lane, local T *lanes)                 \
{                                                                           \
	const uint item = sg_item();                                        \
	lanes[item] = x;                                                    \
	barrier(CLK_LOCAL_MEM_FENCE);                                       \
	x = lanes[item - item % SG_WIDTH + lane];                           \
	barrier(CLK_LOCAL_MEM_FENCE);                                       \
	return x;                                                           \
}

#define SG_FOLD_AS(function, T, FN)                                         \
static inline T function(T x, local T *lanes)                               \
{                                                                           \
	const uint item = sg_item(), first = item - item % SG_WIDTH;        \
	lanes[item] = x;                                                    \
	barrier(CLK_LOCAL_MEM_FENCE);                                       \
	x = lanes[first];                                                   \
	for (uint i = 1; i < SG_WIDTH; i++)                                 \
		x = FN(x, lanes[first + i]);                                \
	barrier(CLK_LOCAL_MEM_FENCE);                                       \
	return x;                                                           \
}

#else

#define SG_FROM(T)                                                          \
static inline T sg_from_##T(T x, uint lane, local T *lanes)                 \
{                                                                           \
	union { T whole; uint word[sizeof(T) / sizeof(uint)]; } u;          \
	(void)lanes;                                                        \
	u.whole = x;                                                        \
	_Pragma("unroll")                                                   \
	for (uint i = 0; i < sizeof(T) / sizeof(uint); i++)                 \
		u.word[i] = sg_word(u.word[i], lane);                       \
	return u.whole;                                                     \
}

/* All lanes must take part in the exchange, which is done first because FN may
 * evaluate its arguments twice. */
#define SG_FOLD_AS(function, T, FN)                                         \
static inline T function(T x, local T *lanes)                               \
{                                                                           \
	for (uint step = sg_size() / 2; step > 0; step /= 2) {              \
		const T other = sg_from_##T(x, sg_lane() ^ step, lanes);    \
		x = FN(x, other);                                           \
	}                                                                   \
	return x;                                                           \
}

#endif

#define SG_TYPE(T)                                                          \
SG_FROM(T)                                                                  \
static inline T sg_broadcast_##T(T x, uint lane, local T *lanes)            \
{                                                                           \
	return sg_from_##T(x, lane, lanes);                                 \
}                                                                           \
static inline T sg_down_##T(T x, uint delta, local T *lanes)                \
{                                                                           \
	const uint lane = sg_lane(), from = lane + delta;                   \
	return sg_from_##T(x, from < sg_size() ? from : lane, lanes);       \
}                                                                           \
static inline T sg_load_##T(global const T *p, local T *lanes)              \
{                                                                           \
	(void)lanes;                                                        \
	return p[sg_lane()];	/* one access: neighbours' are combined */  \
}

/* Pasted in one step, because compilers may have macros called min and max. */
#define SG_FOLD(name, T, FN) SG_FOLD_AS(sg_##name##_##T, T, FN)

#define SG_ADD(a, b) ((a) + (b))
#define SG_MIN(a, b) ((b) < (a) ? (b) : (a))
#define SG_MAX(a, b) ((b) > (a) ? (b) : (a))

#define SG_NUMBER(T)                                                        \
SG_TYPE(T)                                                                  \
SG_REDUCE(add, T, SG_ADD)                                                   \
SG_REDUCE(min, T, SG_MIN)                                                   \
SG_REDUCE(max, T, SG_MAX)

#endif
