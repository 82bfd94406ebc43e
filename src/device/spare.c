/* spare.c - scratch buffers that outlive their sequence, so that the next call
 * of the same shape finds pages that were touched before. A buffer is reused
 * only for exactly its size, so that a memory checker still sees every access
 * beyond its end. What another tenant left in a buffer, or in memory that the
 * driver may give again, is overwritten by zeros first. */
#include "base/size.h"
#include "device/fill.h"
#include "device/staging.h"
#include "device/state.h"

enum { SPARE_SHARE = 8 };	/* at most 1/8 of the memory is spare */

static void release(struct device *d, cl_mem mem, size_t bytes)
{
	clReleaseMemObject(mem);
	account_give(d, bytes);
}

static void drop(struct device *d, struct spare *s)
{
	if (s->mem)
		release(d, s->mem, s->bytes);
	*s = (struct spare){ 0 };
}

void spare_drop_all(struct device *d)
{
	for (int i = 0; i < SPARE_BUFFERS; i++)
		drop(d, &d->spare[i]);
}

static cl_int create_once(const struct device *d, size_t bytes, cl_mem *mem)
{
	cl_int rc = CL_SUCCESS;

	*mem = clCreateBuffer(d->context, CL_MEM_READ_WRITE, bytes, NULL, &rc);
	return rc;
}

/* Releases buffers that are only kept for later, until the bytes fit. */
static bool make_room(struct device *d, size_t bytes, struct err *e)
{
	const uint64_t most = sheet_room(&d->sheet);

	if (d->live + bytes > most) {
		early_drop_all(d);
		spare_drop_all(d);
	}
	while (d->live + bytes > most && resident_drop_oldest(d))
		;
	if (d->live + bytes <= most)
		return true;
	err_set(e, ERR_TOO_LARGE, "%zu bytes are wanted beside %llu in use; "
	        "%.40s has %llu", bytes, (unsigned long long)d->live,
	        d->sheet.name, (unsigned long long)most);
	return false;
}

void device_meter(struct device *d, atomic_uint_least64_t *bytes)
{
	atomic_fetch_add(bytes, d->live);
	d->meter = bytes;
}

bool account_take(struct device *d, size_t bytes, struct err *e)
{
	if (!make_room(d, bytes, e))
		return false;
	d->live += bytes;
	if (d->meter)
		atomic_fetch_add(d->meter, bytes);
	return true;
}

void account_give(struct device *d, size_t bytes)
{
	d->live -= bytes;
	if (d->meter)
		atomic_fetch_sub(d->meter, bytes);
}

static cl_int create(struct device *d, size_t bytes, cl_mem *mem)
{
	cl_int rc = create_once(d, bytes, mem);

	if (rc == CL_MEM_OBJECT_ALLOCATION_FAILURE) {
		spare_drop_all(d);
		rc = create_once(d, bytes, mem);
	}
	while (rc == CL_MEM_OBJECT_ALLOCATION_FAILURE &&
	       resident_drop_oldest(d))
		rc = create_once(d, bytes, mem);
	return rc;
}

void device_serve(struct device *d, uint32_t tenant)
{
	if (tenant == d->tenant)
		return;
	d->tenant = tenant;
	d->mixed = true;
	staging_clear(d);
}

/* The last bytes may be fewer than a pattern. */
static bool fill_zeros(struct device *d, cl_mem mem, size_t bytes,
                       struct err *e)
{
	static const cl_uint zeros[4];

	for (size_t at = 0, n; at < bytes; at += n) {
		const size_t left = size_min(bytes - at, FILL_MOST);
		const size_t unit = left < sizeof zeros ? 1 : sizeof zeros;

		n = left / unit * unit;
		if (!CL_TRY(d, e, "clearing memory", device_fill(
		            d->lane[0], mem, zeros, unit, at, n, NULL)))
			return false;
	}
	return true;
}

/* Waits for the device, because the buffer may be used next in its second
 * queue. Releases the buffer on failure. */
static cl_mem cleared(struct device *d, cl_mem mem, size_t bytes,
                      struct err *e)
{
	if (fill_zeros(d, mem, bytes, e) &&
	    CL_TRY(d, e, "clearing memory", clFinish(d->lane[0])))
		return mem;
	release(d, mem, bytes);
	return NULL;
}

/* Takes a kept buffer of exactly that size; NULL if there is none. It may need
 * clearing. */
static cl_mem take_kept(struct device *d, size_t bytes, bool *strange)
{
	for (int i = 0; i < SPARE_BUFFERS; i++) {
		struct spare *s = &d->spare[i];
		const cl_mem mem = s->mem;

		if (!mem || s->bytes != bytes)
			continue;
		*strange = s->tenant != d->tenant;
		*s = (struct spare){ 0 };
		return mem;
	}
	return NULL;
}

cl_mem spare_take(struct device *d, size_t bytes, struct err *e)
{
	bool strange = d->mixed;
	cl_mem mem = take_kept(d, bytes, &strange);

	if (!mem && account_take(d, bytes, e) &&
	    !CL_TRY(d, e, "scratch memory", create(d, bytes, &mem)))
		account_give(d, bytes);
	return mem && strange ? cleared(d, mem, bytes, e) : mem;
}

/* Returns the entry that was given back first; a free entry (stamp 0) comes
 * before all others. */
static struct spare *oldest(struct device *d)
{
	struct spare *o = &d->spare[0];

	for (int i = 1; i < SPARE_BUFFERS; i++)
		if (d->spare[i].stamp < o->stamp)
			o = &d->spare[i];
	return o;
}

static uint64_t total(const struct device *d)
{
	uint64_t sum = 0;

	for (int i = 0; i < SPARE_BUFFERS; i++)
		sum += d->spare[i].bytes;
	return sum;
}

void spare_give(struct device *d, cl_mem mem, size_t bytes, uint32_t tenant)
{
	const uint64_t most = d->sheet.global_memory_bytes / SPARE_SHARE;
	struct spare *s = oldest(d);

	drop(d, s);
	if (total(d) + bytes > most)
		spare_drop_all(d);
	if (bytes > most)
		release(d, mem, bytes);
	else
		*s = (struct spare){ mem, bytes, ++d->stamp, tenant };
}
