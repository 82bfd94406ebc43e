/* lu.h - what the kernels of lu and solve share: wide, the type they sum
 * in, and sums over a row by the items of a work-group, of any size. */
#ifndef KERNELS_LU_LU_H
#define KERNELS_LU_LU_H

#include "lib/real.h"

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double wide;
typedef double2 wide2;
typedef double4 wide4;
typedef double8 wide8;
#if VW == 16
typedef double16 widev;
#define WIDE(v) convert_double16(v)
#else
typedef double8 widev;
#define WIDE(v) (v)
#endif
#else
typedef float wide;
typedef float2 wide2;
typedef float4 wide4;
typedef float8 wide8;
typedef float16 widev;
#define WIDE(v) (v)
#endif

/* To elements again. */
#if VW == 16
#define NARROW(v) convert_float16(v)
#else
#define NARROW(v) (v)
#endif

#if VW == 16
#define WLOAD(p) vload16(0, (p))
#define WSTORE(v, p) vstore16((v), 0, (p))
#else
#define WLOAD(p) vload8(0, (p))
#define WSTORE(v, p) vstore8((v), 0, (p))
#endif

/* The sum of a vector's lanes. */
static wide lanes_sum(widev v)
{
#if VW == 16
	const wide8 a = v.lo + v.hi;
#else
	const wide8 a = v;
#endif
	const wide4 b = a.lo + a.hi;
	const wide2 c = b.lo + b.hi;

	return c.x + c.y;
}

/* The sum of x over the work-group; part holds a number per item. Every item
 * must call it. */
static wide group_sum(wide x, local wide *part)
{
	const int items = get_local_size(0);
	wide sum = 0;

	part[get_local_id(0)] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = 0; i < items; i++)
		sum += part[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	return sum;
}

/* This item's share of the sum of row[c] x[c], from <= c < to. */
static wide row_dot(global const real *row, int from, int to,
                    global const wide *x)
{
	const int id = get_local_id(0), items = get_local_size(0);
	const int tail = from + (to - from) / VW * VW;
	widev sum = 0;
	wide rest = 0;

	for (int c = from + id * VW; c < tail; c += items * VW)
		sum += WIDE(VLOAD(row + c)) * WLOAD(x + c);
	for (int c = tail + id; c < to; c += items)
		rest += (wide)row[c] * x[c];
	return lanes_sum(sum) + rest;
}

/* The larger one; a NaN wins. */
static wide larger(wide a, wide b)
{
	return b > a || b != b ? b : a;
}

#endif
