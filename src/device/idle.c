/* idle.c - a launch that computes nothing of use, so that a platform makes
 * machine code of its kernel.
 *
 * One work-group runs (or the fewest that make the grid wide), with 1 for every
 * number: nothing divides by zero, no loop has a step of zero, and sizes of 1
 * leave next to nothing to do. Its buffers are zeros, for which the system
 * provides only the pages that are touched. Kernels are not written for such
 * arguments; therefore inaccessible pages lie between the buffers, as far as
 * 32-bit indices of the largest elements reach. A kernel that goes astray ends
 * this process, which by then has done its work, and harms nothing else.
 */
#include <sys/mman.h>

#include "base/size.h"
#include "device/programs.h"
#include "device/state.h"

static const size_t buffer_bytes = (size_t)256 << 20;
static const size_t margin_bytes = (size_t)64 << 20;
static const size_t guard_bytes = (size_t)32 << 30;

/* The address range of a launch's buffers: guard, margin, buffer, guard, and so
 * on. A buffer's margin allows accesses with indices a little below zero. */
struct scratch {
	cl_mem mem[LAUNCH_ARGS];
	char *at;			/* where it begins; NULL: none */
	size_t bytes;			/* of the whole address range */
};

static bool is_buffer(const struct launch *l, int i)
{
	return l->arg[i].kind == ARG_OF_BUFFER;
}

static void scratch_fini(struct scratch *s)
{
	for (int i = 0; i < LAUNCH_ARGS; i++)
		if (s->mem[i])
			clReleaseMemObject(s->mem[i]);
	if (s->at)
		munmap(s->at, s->bytes);
}

static bool scratch_map(struct scratch *s, const struct launch *l,
                        struct err *e)
{
	size_t n = 0;

	for (int i = 0; i < l->n_args; i++)
		n += is_buffer(l, i);
	s->bytes = n * (guard_bytes + margin_bytes + buffer_bytes) +
	           guard_bytes;
	s->at = mmap(NULL, s->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
	             MAP_NORESERVE, -1, 0);
	if (s->at != MAP_FAILED)
		return true;
	s->at = NULL;
	return err_set(e, ERR_MEMORY, "no addresses for a launch") == 0;
}

static bool scratch_init(struct scratch *s, struct device *d,
                         const struct launch *l, struct err *e)
{
	const size_t bytes = size_min(buffer_bytes,
	                              d->sheet.max_allocation_bytes);
	char *at;
	cl_int rc = CL_SUCCESS;

	if (!scratch_map(s, l, e))
		return false;
	at = s->at + guard_bytes;
	for (int i = 0; i < l->n_args; i++) {
		if (!is_buffer(l, i))
			continue;
		if (mprotect(at, margin_bytes + bytes,
		             PROT_READ | PROT_WRITE))
			return err_set(e, ERR_MEMORY, "no memory for a "
			               "launch") == 0;
		if (!CL_TRY_NEW(d, e, "compiling", s->mem[i], clCreateBuffer(
		    d->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes,
		    at + margin_bytes, &rc)))
			return false;
		at += margin_bytes + buffer_bytes + guard_bytes;
	}
	return true;
}

static bool set_arg(struct device *d, const char *name, cl_kernel k,
                    cl_uint i, const struct launch_arg *a, const cl_mem *mem,
                    struct err *e)
{
	static const int32_t one = 1;
	static const int64_t long_one = 1;
	static const char zeros[64];
	const void *value = a->size == sizeof one ? (const void *)&one :
	                    a->size == sizeof long_one ? &long_one :
	                    (const void *)zeros;

	if (a->kind == ARG_OF_BUFFER)
		return CL_TRY(d, e, name, clSetKernelArg(k, i, sizeof *mem,
		                                         mem));
	if (a->kind == ARG_OF_LOCAL)
		return CL_TRY(d, e, name, clSetKernelArg(k, i, a->size, NULL));
	if (a->size > sizeof zeros)
		return err_set(e, ERR_INTERNAL, "%s: an argument of %u bytes",
		               name, (unsigned)a->size) == 0;
	return CL_TRY(d, e, name, clSetKernelArg(k, i, a->size, value));
}

static bool launch(struct device *d, const struct launch *l, cl_kernel k,
                   const struct scratch *s, struct err *e)
{
	const char *name = program_name(l->kernel);
	size_t global[3], local[3];

	for (int i = 0; i < 3; i++) {
		local[i] = l->local[i];
		global[i] = l->wide >> i & 1 ?
		    size_round_up(LAUNCH_WIDE, local[i]) : local[i];
	}
	for (int i = 0; i < l->n_args; i++)
		if (!set_arg(d, name, k, (cl_uint)i, &l->arg[i], &s->mem[i],
		             e))
			return false;
	return CL_TRY(d, e, name, clEnqueueNDRangeKernel(d->lane[0], k, 3, NULL,
	           global, local, 0, NULL, NULL)) &&
	       CL_TRY(d, e, name, clFinish(d->lane[0]));
}

bool launch_idly(struct device *d, const struct launch *l, cl_kernel k,
                 struct err *e)
{
	struct scratch s = { 0 };
	const bool done = scratch_init(&s, d, l, e) && launch(d, l, k, &s, e);

	scratch_fini(&s);
	return done;
}
